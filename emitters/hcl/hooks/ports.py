"""Hooks of ports, and of the ports that Heat creates for NICs.

`security_groups: []` means no groups, and null the default group. `fixed_ips: []` lets Neutron choose addresses. The
values of value_specs are strings, and keys that have their own argument go there.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from emitters.hcl.errors import CannotSay
from emitters.hcl.hooks import finish_hook, property_hook, value_specs
from emitters.hcl.lowering.rewrites import is_not
from emitters.hcl.plan.subnets import only_subnet
from emitters.hcl.resources.arguments import how_written, shared_block
from emitters.hcl.tables import provider
from emitters.hcl.tree.nodes import Argument, Block, Cond, Expr, Fn, Object, Op, choose
from emitters.hcl.tree.types import BOOL, STRING, STRINGS
from transpile.diagnostics import codes
from transpile.model import heat_types, ir
from transpile.report import fate

if TYPE_CHECKING:
    from emitters.hcl.resources.writer import Writer
    from emitters.hcl.tables.mapping import Rule


@property_hook("port_no_fixed_ips")
def no_fixed_ips(writer: Writer, rule: Rule, entry: ir.Entry) -> None:
    value = writer.lowering.expr(entry.value, BOOL) if entry.value != ir.NULL else False
    if value is False:
        writer.fate(entry.key, fate("implied", why="a port has addresses by default"))
        return
    writer.block.set("no_fixed_ip", value, entry)
    writer.is_value(entry.key, "no_fixed_ip")


@property_hook("port_security_groups")
def security_groups(writer: Writer, rule: Rule, entry: ir.Entry) -> None:
    from emitters.hcl.hooks.server import listed

    if entry.value in (ir.NULL, ir.Seq(())):  # Heat sends an empty list for an explicit null, too
        writer.block.set("no_security_groups", True, entry)
        writer.is_value(entry.key, "no_security_groups", "derived", why="an empty list means no security groups")
        return
    value, hows = writer.emission.data.many(
        writer.lowering, entry.value, writer.lookups["security_group"], "id", "security_group"
    )
    writer.block.set("security_group_ids", value.expr, entry)
    none = nothing(writer, entry.value)
    if none is not False:
        writer.block.set("no_security_groups", True if none is True else choose(none, True, None))
    listed(writer, entry, "security_group_ids", hows)


def nothing(writer: Writer, expr: ir.Expr) -> Expr:
    """An expression that tests whether a list is empty, which means no groups. False if it cannot be empty."""
    if isinstance(expr, ir.Seq):
        return not expr.items
    if expr == ir.NULL:  # an explicit null is an empty list to Heat
        return True
    if isinstance(expr, ir.If):
        test = writer.lowering.condition(expr.condition)
        then = nothing(writer, expr.then)
        other = nothing(writer, expr.orelse) if expr.orelse is not None else False
        if isinstance(then, bool) and isinstance(other, bool):  # a conditional with these results is the test itself
            return test if then > other else is_not(test) if other > then else then
        return Cond(test, then, other)
    if isinstance(expr, ir.ParamRef) and not expr.path:
        return Op("==", Fn("length", (writer.lowering.expr(expr, STRINGS),)), 0)
    return False


@property_hook("port_vnic_type")
def vnic_type(writer: Writer, rule: Rule, entry: ir.Entry) -> None:
    if entry.value == ir.NULL:
        writer.fate(entry.key, fate("implied", why="null means the default, normal"))
        return
    value = writer.lowering.expr(entry.value, STRING)
    facts = writer.emission.unit.tables.providers.argument("openstack_networking_port_v2", "binding.vnic_type") or {}
    if isinstance(value, str) and (value == "smart-nic" or provider.refuses(facts, value)):
        value_specs.specs(writer).append(("binding:vnic_type", value))
        writer.is_value(entry.key, "value_specs.binding:vnic_type")
        return
    shared_block(writer.block, ("binding",), entry).set("vnic_type", value, entry)
    writer.is_value(entry.key, "binding.0.vnic_type")


@property_hook("port_uplink_status")
def uplink_status(writer: Writer, rule: Rule, entry: ir.Entry) -> None:
    if entry.value == ir.NULL:
        writer.fate(entry.key, fate("implied", why="null is not sent"))
        return
    value_specs.specs(writer).append(
        ("propagate_uplink_status", Fn("tostring", (writer.lowering.expr(entry.value, BOOL),)))
    )
    writer.is_value(entry.key, "value_specs.propagate_uplink_status", "derived", why="value_specs are strings")


@finish_hook("port")
def finish(writer: Writer) -> None:
    only_address(writer)
    value_specs.finish_specs(writer)
    if any(isinstance(b, Block) and b.type == "fixed_ip" for b in writer.block.body) and any(
        isinstance(a, Argument) and a.name == "no_fixed_ip" and a.value is True for a in writer.block.body
    ):
        raise CannotSay(
            codes.VALUE_REJECTED_BY_PROVIDER,
            f"{writer.resource.name} has both fixed_ips and no_fixed_ips",
            writer.resource.name_span,
        )


def only_address(writer: Writer) -> None:
    """Writes the only subnet of the port's network as the subnet of its address, which it is in any case. With this
    reference, Terraform creates the subnet before the port, without `depends_on`.
    """
    network = next((writer.given[key].value for key in ("network", "network_id") if key in writer.given), None)
    stack, name = writer.emission.unit.stack, writer.resource.name
    body = writer.block.body
    without = "no_fixed_ip" in names_in(writer.block)
    blocks = [item for item in body if isinstance(item, Block) and "fixed_ip" in (item.type, *item.labels)]
    if without or not isinstance(network, ir.ResourceRef) or stack.types[name] != heat_types.NEUTRON_PORT:
        return
    if len(blocks) > 1 or any(one.type == "dynamic" or "subnet_id" in names_in(one) for one in blocks):
        return
    subnet = only_subnet(writer.emission.unit.plan, network.name)
    if subnet is not None:
        address = blocks[0] if blocks else writer.block.block("fixed_ip")
        address.body.insert(0, Argument("subnet_id", writer.lowering.expr(ir.ResourceRef(subnet), STRING)))


def names_in(block: Block) -> set[str]:
    """The arguments of a block."""
    return {item.name for item in block.body if isinstance(item, Argument)}


# ports of NICs


def for_nic(writer: Writer, path: str, item: ir.Map, index: int) -> Block:
    """Writes the port that Heat would create for a NIC with a subnet or extra properties."""
    lowering, emission = writer.lowering, writer.emission
    label = (
        writer.block.labels[1]
        if not any(b.labels[0] == "openstack_networking_port_v2" for b in writer.blocks)
        else f"{writer.block.labels[1]}_{index}"
    )
    block = writer.beside("openstack_networking_port_v2", label, item)
    to = ".".join(block.labels)
    block.set("name", writer.named_in_stack(f"-port-{index}"))
    given = {("network" if e.key == "uuid" else e.key): e for e in item.entries if e.value not in (ir.NULL, ir.Lit(""))}
    for entry in item.entries:
        if entry.value in (ir.NULL, ir.Lit("")):
            writer.default(f"{path}.{entry.key}")
    subnet = given.get("subnet")
    if "network" in given:
        entry = given["network"]
        found, how = emission.data.one(lowering, entry.value, writer.lookups["network"], "id", "network")
        block.set("network_id", found.expr, entry)
        writer.is_value(f"{path}.{entry.key}", "network_id", how, to)
    elif subnet is not None:
        block.set("network_id", network_of_subnet(writer, subnet.value))
    if subnet is not None or "fixed_ip" in given:
        fixed = Block("fixed_ip")
        if subnet is not None:
            found, how = emission.data.one(lowering, subnet.value, writer.lookups["subnet"], "id", "subnet")
            fixed.set("subnet_id", found.expr, subnet)
            writer.is_value(f"{path}.subnet", "fixed_ip.0.subnet_id", how, to)
        if (fixed_ip := given.get("fixed_ip")) is not None:
            fixed.set("ip_address", lowering.expr(fixed_ip.value, STRING), fixed_ip)
            writer.is_value(f"{path}.fixed_ip", "fixed_ip.0.ip_address", how_written(fixed_ip.value), to)
        block.body.append(fixed)
    groups = writer.given.get("security_groups")
    if groups is not None and groups.value not in (ir.NULL, ir.Seq(())):
        value, _ = emission.data.many(lowering, groups.value, writer.lookups["security_group"], "id", "security_group")
        block.set("security_group_ids", value.expr)
    if "tag" in given:
        writer.drop(given["tag"], codes.PROPERTY_WITHOUT_COUNTERPART, "the provider has no argument for NIC tags", path)
    if "port_extra_properties" in given:
        extra(writer, f"{path}.port_extra_properties", given["port_extra_properties"], block)
    return block


def network_of_subnet(writer: Writer, subnet: ir.Expr) -> Expr:
    """The network of a subnet."""
    if isinstance(subnet, ir.ResourceRef):
        return writer.lowering.expr(ir.AttrRef(subnet.name, (ir.Lit("network_id"),), span=subnet.span), STRING)
    found, how = writer.emission.data.one(writer.lowering, subnet, writer.lookups["subnet"], "network_id", "subnet")
    if how != "lookup":
        address = writer.emission.data.source(
            writer.lowering,
            writer.lookups["subnet"],
            ("network of", found.expr),
            {"subnet_id": found.expr},
            f"{writer.lowering.scope.owner}_subnet",
        )
        return writer.emission.data.attribute(writer.lowering, address, "network_id")
    return found.expr


EXTRA = {"mac_address": STRING, "port_security_enabled": BOOL, "admin_state_up": BOOL}


def extra(writer: Writer, path: str, entry: ir.Entry, block: Block) -> None:
    """Writes `port_extra_properties` of a NIC."""
    if not isinstance(entry.value, ir.Map):
        raise CannotSay(
            codes.ONLY_AT_RUN_TIME, "the extra properties of a port are known only at run time", entry.value
        )
    to = ".".join(block.labels)
    specs: list[tuple[ir.Entry, Expr]] = []  # in the order in which Heat merges them
    for one in entry.value.entries:
        where = f"{path}.{one.key}"
        if one.value in (ir.NULL, ir.Seq(()), ir.Map(())):
            writer.default(where)
        elif one.key in EXTRA:
            block.set(one.key, writer.lowering.expr(one.value, EXTRA[one.key]), one)
            writer.is_value(where, one.key, to=to)
        elif one.key == "qos_policy":
            found, how = writer.emission.data.one(
                writer.lowering, one.value, writer.lookups["qos_policy"], "id", "qos_policy"
            )
            block.set("qos_policy_id", found.expr, one)
            writer.is_value(where, "qos_policy_id", how, to)
        elif one.key == "binding:vnic_type":
            block.block("binding", where=one).set("vnic_type", writer.lowering.expr(one.value, STRING))
            writer.is_value(where, "binding.0.vnic_type", to=to)
        elif (
            one.key == "allowed_address_pairs"
            and isinstance(one.value, ir.Seq)
            and all(isinstance(i, ir.Map) for i in one.value.items)
        ):
            for i, pair in enumerate(one.value.items):
                inner = block.block("allowed_address_pairs", where=pair)
                for field in pair.entries if isinstance(pair, ir.Map) else ():
                    inner.set(field.key, writer.lowering.expr(field.value, STRING), field)
                    writer.is_value(f"{where}.{i}.{field.key}", f"allowed_address_pairs.{i}.{field.key}", to=to)
        elif one.key == "value_specs":
            rest = value_specs.of_nic(writer, where, one, block)
            if rest != Object(()):
                specs.append((one, rest))
            if any(e.key == "propagate_uplink_status" and e.value != ir.NULL for e in entry.value.entries):
                writer.is_value(where, "value_specs", "derived", to, "merged with propagate_uplink_status")
        elif one.key == "propagate_uplink_status":
            text = Fn("tostring", (writer.lowering.expr(one.value, BOOL),))
            specs.insert(0, (one, Object((("propagate_uplink_status", text),))))
            writer.is_value(where, "value_specs", "derived", to, "value_specs are strings")
        else:
            raise CannotSay(codes.ONLY_AT_RUN_TIME, f"no argument is known for the extra property {one.key}", one)
    if specs:
        first = specs[0][0]
        block.set("value_specs", merged([value for _, value in specs]), first)


def merged(maps: list[Expr]) -> Expr:
    """Merges maps, here if all keys are literals, else in Terraform. Later maps take precedence."""
    entries: dict[str, Expr] = {}
    for one in maps:
        if not isinstance(one, Object) or not all(isinstance(key, str) for key, _ in one.entries):
            return maps[0] if len(maps) == 1 else Fn("merge", tuple(maps))
        entries |= {str(key): value for key, value in one.entries}
    return Object(tuple(entries.items()))

"""Hooks of ports, and of the ports that Heat creates for NICs.

`security_groups: []` means no groups, and null the default group. `fixed_ips: []` lets Neutron choose addresses. The
values of value_specs are strings, and keys that have their own argument go there.
"""

from __future__ import annotations

from emitters.hcl.errors import CannotSay
from emitters.hcl.hooks import finish_hook, property_hook, value_specs
from emitters.hcl.lowering.rewrites import negate_expression
from emitters.hcl.plan.subnets import only_subnet
from emitters.hcl.resources.arguments import how_written, shared_block
from emitters.hcl.resources.writer import Writer
from emitters.hcl.tables import provider
from emitters.hcl.tables.mapping import Rule
from emitters.hcl.tree.nodes import Argument, Block, Cond, Expr, Fn, Object, Op, make_conditional, text_of_bool
from emitters.hcl.tree.types import BOOL, STRING, STRINGS
from transpile.diagnostics import codes
from transpile.model import heat_types, ir
from transpile.report import make_fate


@property_hook("port_no_fixed_ips")
def write_no_fixed_ips(writer: Writer, rule: Rule, entry: ir.Entry) -> None:
    value = writer.lowering.lower_expression(entry.value, BOOL) if entry.value != ir.NULL else False
    if value is False:
        writer.record_fate(entry.key, make_fate("implied", why="a port has addresses by default"))
        return
    writer.write_value(entry, "no_fixed_ip", value)


@property_hook("port_security_groups")
def write_port_security_groups(writer: Writer, rule: Rule, entry: ir.Entry) -> None:
    from emitters.hcl.hooks.server import record_list_fates

    if entry.value in (ir.NULL, ir.Seq(())):  # Heat sends an empty list for an explicit null, too
        writer.write_value(entry, "no_security_groups", True, "derived", why="an empty list means no security groups")
        return
    value, hows = writer.emission.data.resolve_list(
        writer.lowering, entry.value, writer.lookups["security_group"], "id", "security_group"
    )
    writer.block.add_argument("security_group_ids", value.expr, entry)
    none = lower_emptiness_test(writer, entry.value)
    if none is not False:
        writer.block.add_argument("no_security_groups", True if none is True else make_conditional(none, True, None))
    record_list_fates(writer, entry, "security_group_ids", hows)


def lower_emptiness_test(writer: Writer, expr: ir.Expr) -> Expr:
    """An expression that tests whether a list is empty, which means no groups. False if it cannot be empty."""
    if isinstance(expr, ir.Seq):
        return not expr.items
    if expr == ir.NULL:  # an explicit null is an empty list to Heat
        return True
    if isinstance(expr, ir.If):
        test = writer.lowering.lower_condition(expr.condition)
        then = lower_emptiness_test(writer, expr.then)
        other = lower_emptiness_test(writer, expr.orelse) if expr.orelse is not None else False
        if isinstance(then, bool) and isinstance(other, bool):  # a conditional with these results is the test itself
            return test if then > other else negate_expression(test) if other > then else then
        return Cond(test, then, other)
    if isinstance(expr, ir.ParamRef) and not expr.path:
        return Op("==", Fn("length", (writer.lowering.lower_expression(expr, STRINGS),)), 0)
    return False


@property_hook("port_vnic_type")
def write_vnic_type(writer: Writer, rule: Rule, entry: ir.Entry) -> None:
    if entry.value == ir.NULL:
        writer.record_fate(entry.key, make_fate("implied", why="null means the default, normal"))
        return
    value = writer.lowering.lower_expression(entry.value, STRING)
    facts = (
        writer.emission.unit.tables.providers.find_argument("openstack_networking_port_v2", "binding.vnic_type") or {}
    )
    known = value if isinstance(value, str) else writer.accepted_parameter_value(entry)
    if isinstance(known, str) and (known == "smart-nic" or provider.find_refusal(facts, known)):
        value_specs.collected_specs(writer).append(("binding:vnic_type", value))
        writer.record_value(entry.key, "value_specs.binding:vnic_type")
        return
    shared_block(writer.block, ("binding",), entry).add_argument("vnic_type", value, entry)
    writer.record_value(entry.key, "binding.0.vnic_type")


@property_hook("port_uplink_status")
def write_uplink_status(writer: Writer, rule: Rule, entry: ir.Entry) -> None:
    if entry.value == ir.NULL:
        writer.record_fate(entry.key, make_fate("implied", why="null is not sent"))
        return
    value_specs.collected_specs(writer).append(
        ("propagate_uplink_status", text_of_bool(writer.lowering.lower_expression(entry.value, BOOL)))
    )
    writer.record_value(entry.key, "value_specs.propagate_uplink_status", "derived", why="value_specs are strings")


@finish_hook("port")
def finish_port(writer: Writer) -> None:
    write_only_subnet(writer)
    value_specs.finish_specs(writer)
    if any(isinstance(b, Block) and b.type == "fixed_ip" for b in writer.block.body) and any(
        isinstance(a, Argument) and a.name == "no_fixed_ip" and a.value is True for a in writer.block.body
    ):
        raise CannotSay(
            codes.VALUE_REJECTED_BY_PROVIDER,
            f"{writer.resource.name} has both fixed_ips and no_fixed_ips",
            writer.resource.name_span,
        )


def write_only_subnet(writer: Writer) -> None:
    """Writes the only subnet of the port's network as the subnet of its address, which it is in any case. With this
    reference, Terraform creates the subnet before the port, without `depends_on`.
    """
    network = next((writer.entries[key].value for key in ("network", "network_id") if key in writer.entries), None)
    stack, name = writer.emission.unit.stack, writer.resource.name
    body = writer.block.body
    without = "no_fixed_ip" in block_argument_names(writer.block)
    blocks = [item for item in body if isinstance(item, Block) and "fixed_ip" in (item.type, *item.labels)]
    if without or not isinstance(network, ir.ResourceRef) or stack.types[name] != heat_types.NEUTRON_PORT:
        return
    if len(blocks) > 1 or any(
        block.type == "dynamic" or "subnet_id" in block_argument_names(block) for block in blocks
    ):
        return
    subnet = only_subnet(writer.emission.unit.plan, network.name)
    if subnet is not None:
        address = blocks[0] if blocks else writer.block.add_block("fixed_ip")
        address.body.insert(0, Argument("subnet_id", writer.lowering.lower_expression(ir.ResourceRef(subnet), STRING)))


def block_argument_names(block: Block) -> set[str]:
    """The arguments of a block."""
    return {item.name for item in block.body if isinstance(item, Argument)}


# ports of NICs


def write_nic_port(writer: Writer, path: str, item: ir.Map, index: int) -> Block:
    """Writes the port that Heat would create for a NIC with a subnet or extra properties."""
    lowering, emission = writer.lowering, writer.emission
    label = (
        writer.block.labels[1]
        if not any(b.labels[0] == "openstack_networking_port_v2" for b in writer.blocks)
        else f"{writer.block.labels[1]}_{index}"
    )
    block = writer.add_block("openstack_networking_port_v2", label, item)
    to = ".".join(block.labels)
    block.add_argument("name", writer.named_in_stack(f"-port-{index}"))
    fields = {
        ("network" if e.key == "uuid" else e.key): e for e in item.entries if e.value not in (ir.NULL, ir.Lit(""))
    }
    for entry in item.entries:
        if entry.value in (ir.NULL, ir.Lit("")):
            writer.record_default(f"{path}.{entry.key}")
    subnet = fields.get("subnet")
    if "network" in fields:
        entry = fields["network"]
        object_id, how = emission.data.resolve_name(lowering, entry.value, writer.lookups["network"], "id", "network")
        block.add_argument("network_id", object_id.expr, entry)
        writer.record_value(f"{path}.{entry.key}", "network_id", how, to)
    elif subnet is not None:
        block.add_argument("network_id", network_of_nic_subnet(writer, subnet.value))
    if subnet is not None or "fixed_ip" in fields:
        fixed = Block("fixed_ip")
        if subnet is not None:
            object_id, how = emission.data.resolve_name(
                lowering, subnet.value, writer.lookups["subnet"], "id", "subnet"
            )
            fixed.add_argument("subnet_id", object_id.expr, subnet)
            writer.record_value(f"{path}.subnet", "fixed_ip.0.subnet_id", how, to)
        if (fixed_ip := fields.get("fixed_ip")) is not None:
            fixed.add_argument("ip_address", lowering.lower_expression(fixed_ip.value, STRING), fixed_ip)
            writer.record_value(f"{path}.fixed_ip", "fixed_ip.0.ip_address", how_written(fixed_ip.value), to)
        block.body.append(fixed)
    groups = writer.entries.get("security_groups")
    if groups is not None and groups.value not in (ir.NULL, ir.Seq(())):
        value, _ = emission.data.resolve_list(
            lowering, groups.value, writer.lookups["security_group"], "id", "security_group"
        )
        block.add_argument("security_group_ids", value.expr)
    if "tag" in fields:
        drop_nic_tag(writer, fields["tag"], path)
    if "port_extra_properties" in fields:
        write_extra_properties(writer, f"{path}.port_extra_properties", fields["port_extra_properties"], block)
    return block


def network_of_nic_subnet(writer: Writer, subnet: ir.Expr) -> Expr:
    """The network of a subnet."""
    if isinstance(subnet, ir.ResourceRef):
        return writer.lowering.lower_expression(
            ir.AttrRef(subnet.name, (ir.Lit("network_id"),), span=subnet.span), STRING
        )
    network_id, how = writer.emission.data.resolve_name(
        writer.lowering, subnet, writer.lookups["subnet"], "network_id", "subnet"
    )
    if how != "lookup":
        address = writer.emission.data.find_or_add_source(
            writer.lowering,
            writer.lookups["subnet"],
            ("network of", network_id.expr),
            {"subnet_id": network_id.expr},
            f"{writer.lowering.scope.owner}_subnet",
        )
        return writer.emission.data.attribute_of_source(writer.lowering, address, "network_id")
    return network_id.expr


EXTRA = {"mac_address": STRING, "port_security_enabled": BOOL, "admin_state_up": BOOL}


def write_extra_properties(writer: Writer, path: str, entry: ir.Entry, block: Block) -> None:
    """Writes `port_extra_properties` of a NIC."""
    if not isinstance(entry.value, ir.Map):
        raise CannotSay(
            codes.ONLY_AT_RUN_TIME, "the extra properties of a port are known only at run time", entry.value
        )
    to = ".".join(block.labels)
    specs: list[tuple[ir.Entry, Expr]] = []  # in the order in which Heat merges them
    for extra_entry in entry.value.entries:
        where = f"{path}.{extra_entry.key}"
        if extra_entry.value in (ir.NULL, ir.Seq(()), ir.Map(())):
            writer.record_default(where)
        elif extra_entry.key in EXTRA:
            block.add_argument(
                extra_entry.key,
                writer.lowering.lower_expression(extra_entry.value, EXTRA[extra_entry.key]),
                extra_entry,
            )
            writer.record_value(where, extra_entry.key, to=to)
        elif extra_entry.key == "qos_policy":
            policy_id, how = writer.emission.data.resolve_name(
                writer.lowering, extra_entry.value, writer.lookups["qos_policy"], "id", "qos_policy"
            )
            block.add_argument("qos_policy_id", policy_id.expr, extra_entry)
            writer.record_value(where, "qos_policy_id", how, to)
        elif extra_entry.key == "binding:vnic_type":
            block.add_block("binding", where=extra_entry).add_argument(
                "vnic_type", writer.lowering.lower_expression(extra_entry.value, STRING)
            )
            writer.record_value(where, "binding.0.vnic_type", to=to)
        elif (
            extra_entry.key == "allowed_address_pairs"
            and isinstance(extra_entry.value, ir.Seq)
            and all(isinstance(i, ir.Map) for i in extra_entry.value.items)
        ):
            for i, pair in enumerate(extra_entry.value.items):
                inner = block.add_block("allowed_address_pairs", where=pair)
                for field in pair.entries if isinstance(pair, ir.Map) else ():
                    inner.add_argument(field.key, writer.lowering.lower_expression(field.value, STRING), field)
                    writer.record_value(f"{where}.{i}.{field.key}", f"allowed_address_pairs.{i}.{field.key}", to=to)
        elif extra_entry.key == "value_specs":
            rest = value_specs.write_port_specs(writer, where, extra_entry, block)
            if rest != Object(()):
                specs.append((extra_entry, rest))
            if any(e.key == "propagate_uplink_status" and e.value != ir.NULL for e in entry.value.entries):
                writer.record_value(where, "value_specs", "derived", to, "merged with propagate_uplink_status")
        elif extra_entry.key == "propagate_uplink_status":
            text = text_of_bool(writer.lowering.lower_expression(extra_entry.value, BOOL))
            specs.insert(0, (extra_entry, Object((("propagate_uplink_status", text),))))
            writer.record_value(where, "value_specs", "derived", to, "value_specs are strings")
        else:
            raise CannotSay(
                codes.ONLY_AT_RUN_TIME, f"no argument is known for the extra property {extra_entry.key}", extra_entry
            )
    if specs:
        first = specs[0][0]
        block.add_argument("value_specs", merge_maps([value for _, value in specs]), first)


def merge_maps(maps: list[Expr]) -> Expr:
    """Merges maps, here if all keys are literals, else in Terraform. Later maps take precedence."""
    entries: dict[str, Expr] = {}
    for value_map in maps:
        if not isinstance(value_map, Object) or not all(isinstance(key, str) for key, _ in value_map.entries):
            return maps[0] if len(maps) == 1 else Fn("merge", tuple(maps))
        entries |= {str(key): value for key, value in value_map.entries}
    return Object(tuple(entries.items()))


def drop_nic_tag(writer: Writer, tag: ir.Entry, path: str) -> None:
    writer.drop_property(tag, codes.PROPERTY_WITHOUT_COUNTERPART, "the provider has no argument for NIC tags", path)

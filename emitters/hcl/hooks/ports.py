"""Hooks of ports, and of the ports that Heat creates for NICs.

`security_groups: []` means no groups, and null the default group. `fixed_ips: []` lets Neutron choose addresses. The
values of value_specs are strings, and keys that have their own argument go there.
"""

from __future__ import annotations

from emitters.hcl.errors import CannotSay, only_at_run_time
from emitters.hcl.hooks import finish_hook, property_hook, value_specs
from emitters.hcl.hooks.names import write_names
from emitters.hcl.lowering.rewrites import negate_expression
from emitters.hcl.plan.subnets import only_subnet
from emitters.hcl.resources.arguments import how_written
from emitters.hcl.resources.writer import Writer
from emitters.hcl.resources.written import NOTHING, Written, join_written
from emitters.hcl.tables import provider
from emitters.hcl.tree.nodes import Argument, Block, Cond, Expr, Fn, Object, Op, make_conditional, text_of_bool
from emitters.hcl.tree.types import BOOL, STRING, STRINGS
from transpile.diagnostics import codes
from transpile.model import heat_types, ir

KIND = "openstack_networking_port_v2"
EMPTY = (ir.NULL, ir.Lit(""))


@property_hook("port_no_fixed_ips")
def write_no_fixed_ips(writer: Writer, entry: ir.Entry) -> Written:
    value = writer.lowering.lower_expression(entry.value, BOOL) if entry.value != ir.NULL else False
    if value is False:
        return Written.implied(entry.key, "a port has addresses by default")
    return Written.value(entry, "no_fixed_ip", value)


@property_hook("port_security_groups")
def write_port_security_groups(writer: Writer, entry: ir.Entry) -> Written:
    if entry.value in (ir.NULL, ir.Seq(())):  # Heat sends an empty list for an explicit null, too
        return Written.value(entry, "no_security_groups", True, "derived", "an empty list means no security groups")
    written = write_names(writer, entry, "security_group_ids", "security_group", "id")
    none = lower_emptiness_test(writer, entry.value)
    if none is False:
        return written
    return written + Written.argument(
        "no_security_groups", True if none is True else make_conditional(none, True, None)
    )


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
def write_vnic_type(writer: Writer, entry: ir.Entry) -> Written:
    value = writer.lowering.lower_expression(entry.value, STRING)
    facts = writer.emission.unit.tables.providers.find_argument("openstack_networking_port_v2", "binding.vnic_type")
    known = value if isinstance(value, str) else writer.accepted_parameter_value(entry)
    if isinstance(known, str) and (known == "smart-nic" or provider.find_refusal(facts, known)):
        spec = Written.entry("value_specs", "binding:vnic_type", value)
        return spec + Written.fate(entry.key, "value_specs.binding:vnic_type")
    return Written.value(entry, "binding.vnic_type", value)


@finish_hook("port")
def finish_port(writer: Writer) -> None:
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
    if subnet := only_subnet(writer.emission.unit.plan, network.name):
        address = blocks[0] if blocks else writer.block.add_block("fixed_ip")
        address.body.insert(0, Argument("subnet_id", writer.lowering.lower_expression(ir.ResourceRef(subnet), STRING)))


def block_argument_names(block: Block) -> set[str]:
    """The arguments of a block."""
    return {item.name for item in block.body if isinstance(item, Argument)}


# ports of NICs


def make_nic_port(writer: Writer, item: ir.Map, index: int, *, first: bool) -> Block:
    """Makes the block of the port that Heat would create for a NIC. first: whether it is the first of the server."""
    label = writer.block.labels[1] if first else f"{writer.block.labels[1]}_{index}"
    return writer.new_block(KIND, label, item)


def write_nic_port(writer: Writer, port: Block, path: str, item: ir.Map, index: int) -> Written:
    """Writes the port that Heat would create for a NIC with a subnet or extra properties."""
    lowering, emission = writer.lowering, writer.emission
    written = Written.argument("name", writer.named_in_stack(f"-port-{index}"))
    fields = {("network" if e.key == "uuid" else e.key): e for e in item.entries if e.value not in EMPTY}
    written += join_written(Written.default(f"{path}.{entry.key}") for entry in item.entries if entry.value in EMPTY)
    subnet, fixed_ip = fields.get("subnet"), fields.get("fixed_ip")
    if (entry := fields.get("network")) is not None:
        network, how = emission.data.resolve_name(lowering, entry.value, writer.lookups["network"], "id", "network")
        written += Written.argument("network_id", network.expr, entry)
        written += Written.fate(f"{path}.{entry.key}", "network_id", how)
    elif subnet is not None:
        written += Written.argument("network_id", network_of_nic_subnet(writer, subnet.value))
    fixed = NOTHING
    if subnet is not None:
        subnet_id, how = emission.data.resolve_name(lowering, subnet.value, writer.lookups["subnet"], "id", "subnet")
        fixed += Written.argument("subnet_id", subnet_id.expr, subnet)
        fixed += Written.fate(f"{path}.subnet", "fixed_ip.0.subnet_id", how)
    if fixed_ip is not None:
        fixed += Written.argument("ip_address", lowering.lower_expression(fixed_ip.value, STRING), fixed_ip)
        fixed += Written.fate(f"{path}.fixed_ip", "fixed_ip.0.ip_address", how_written(fixed_ip.value))
    written += fixed.in_block(Block("fixed_ip")) if fixed.parts else NOTHING
    if (groups := writer.find_set("security_groups")) is not None:
        value, _ = emission.data.resolve_list(
            lowering, groups.value, writer.lookups["security_group"], "id", "security_group"
        )
        written += Written.argument("security_group_ids", value.expr)
    if "tag" in fields:
        written += drop_nic_tag(writer, fields["tag"], path)
    if "port_extra_properties" in fields:
        written += write_extra_properties(
            writer, f"{path}.port_extra_properties", fields["port_extra_properties"], port
        )
    return written.in_resource(port)


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


NOT_SENT = (ir.NULL, ir.Seq(()), ir.Map(()))
EXTRA = {"mac_address": STRING, "port_security_enabled": BOOL, "admin_state_up": BOOL}


def write_extra_properties(writer: Writer, path: str, entry: ir.Entry, port: Block) -> Written:
    """Writes `port_extra_properties` of a NIC."""
    if not isinstance(entry.value, ir.Map):
        raise only_at_run_time("the extra properties of a port are", entry.value)
    written, specs = NOTHING, list[tuple[ir.Entry, Expr]]()  # specs: in the order in which Heat merges them
    fields = {e.key: e for e in entry.value.entries if e.value not in NOT_SENT}
    for extra in entry.value.entries:
        where = f"{path}.{extra.key}"
        if extra.key == "value_specs" and extra.key in fields:
            inside, rest = value_specs.write_port_specs(writer, where, extra, port)
            written += inside
            if rest != Object(()):
                specs.append((extra, rest))
            if "propagate_uplink_status" in fields:
                written += Written.fate(where, "value_specs", "derived", "merged with propagate_uplink_status")
        elif extra.key == "propagate_uplink_status" and extra.key in fields:
            text = text_of_bool(writer.lowering.lower_expression(extra.value, BOOL))
            specs.insert(0, (extra, Object((("propagate_uplink_status", text),))))
            written += Written.fate(where, "value_specs", "derived", "value_specs are strings")
        else:
            written += write_extra_property(writer, where, extra)
    if specs:
        merged = merge_maps([value for _, value in specs])
        written += Written.argument("value_specs", merged, specs[0][0])
    return written


def write_extra_property(writer: Writer, path: str, extra: ir.Entry) -> Written:
    """Writes one of the extra properties of a port."""
    key, value = extra.key, extra.value
    if value in NOT_SENT:
        return Written.default(path)
    if key in EXTRA:
        return Written.argument(key, writer.lowering.lower_expression(value, EXTRA[key]), extra) + Written.fate(
            path, key
        )
    if key == "qos_policy":
        policy, how = writer.emission.data.resolve_name(
            writer.lowering, value, writer.lookups["qos_policy"], "id", "qos_policy"
        )
        return Written.argument("qos_policy_id", policy.expr, extra) + Written.fate(path, "qos_policy_id", how)
    if key == "binding:vnic_type":
        vnic_type = Written.argument("vnic_type", writer.lowering.lower_expression(value, STRING))
        return vnic_type.in_block(Block("binding", span=extra.span)) + Written.fate(path, "binding.0.vnic_type")
    pairs = [item for item in value.items if isinstance(item, ir.Map)] if isinstance(value, ir.Seq) else []
    if key != "allowed_address_pairs" or not isinstance(value, ir.Seq) or len(pairs) < len(value.items):
        why = f"no argument is known for the extra property {key}"
        raise CannotSay(codes.ONLY_AT_RUN_TIME, why, extra)
    written = NOTHING
    for i, pair in enumerate(pairs):
        inner = NOTHING
        for field in pair.entries:
            inner += Written.argument(field.key, writer.lowering.lower_expression(field.value, STRING), field)
            inner += Written.fate(f"{path}.{i}.{field.key}", f"allowed_address_pairs.{i}.{field.key}")
        written += inner.in_block(Block("allowed_address_pairs", span=pair.span))
    return written


def merge_maps(maps: list[Expr]) -> Expr:
    """Merges maps, here if all keys are literals, else in Terraform. Later maps take precedence."""
    entries: dict[str, Expr] = {}
    for value_map in maps:
        if not isinstance(value_map, Object) or not all(isinstance(key, str) for key, _ in value_map.entries):
            return maps[0] if len(maps) == 1 else Fn("merge", tuple(maps))
        entries |= {str(key): value for key, value in value_map.entries}
    return Object(tuple(entries.items()))


def drop_nic_tag(writer: Writer, tag: ir.Entry, path: str) -> Written:
    why = "the provider has no argument for NIC tags"
    return writer.drop_property(tag, codes.PROPERTY_WITHOUT_COUNTERPART, why, path)

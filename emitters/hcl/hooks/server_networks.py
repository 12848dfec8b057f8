"""The NICs of servers.

For a NIC on a subnet Heat creates the port, so it is a port resource here. For a NIC on a network Nova creates the
port, and the port is not known. A server with security groups that also has a NIC given by port gets a port for each
NIC: the provider reads the groups of all ports back as those of the server, and would take them off again.
"""

from __future__ import annotations

from emitters.hcl.errors import CannotSay, only_at_run_time
from emitters.hcl.hooks import nics, ports, property_hook
from emitters.hcl.lowering.rewrites import list_of_branches, negate_expression
from emitters.hcl.namespace import snake_case
from emitters.hcl.plan.name_forms import OWN
from emitters.hcl.plan.passed_values import PassedItem
from emitters.hcl.resources.arguments import how_written
from emitters.hcl.resources.writer import Writer
from emitters.hcl.resources.written import NOTHING, Written, join_written
from emitters.hcl.tables.mapping import looks_like_id
from emitters.hcl.tree.nodes import Attr, Block, Cond, Expr, Fn, Traversal, for_each_if
from emitters.hcl.tree.types import STRING
from transpile.diagnostics import codes
from transpile.model import ir

WITH_PORT = {"subnet", "port_extra_properties", "floating_ip", "allocate_network"}  # fields that need a port resource


@property_hook("server_networks")
def write_server_networks(writer: Writer, entry: ir.Entry) -> Written:
    """Writes NICs in order. `allocate_network` replaces all of them."""
    listed = entry.value if isinstance(entry.value, ir.Seq) else list_of_branches(entry.value)
    if listed is None:
        return write_runtime_nics(writer, entry)
    written = NOTHING
    for index, item in enumerate(listed.items):
        first = not any(block.labels[0] == ports.KIND for block in written.resources)
        written += write_item(writer, f"{entry.key}.{index}", item, index, first=first)
    if listed is entry.value:
        return written
    why = "one block for each NIC, present only if its condition holds"
    return written.without_fates() + Written.fate(entry.key, "network", "derived", why)


def write_item(writer: Writer, path: str, item: ir.Expr, index: int, *, first: bool) -> Written:
    """Writes a NIC. first: whether no NIC before it has a port of its own."""
    if isinstance(item, ir.Map):
        return write_nic(writer, path, item, index, first=first)
    if isinstance(item, ir.If) and all(isinstance(branch, ir.Map) for branch in item.branches):
        return write_conditional_nic(writer, path, item, index)
    raise only_at_run_time(f"NIC {index} of {writer.resource.name} is", item)


def write_conditional_nic(writer: Writer, path: str, item: ir.If, index: int) -> Written:
    """Writes a NIC chosen by a condition: a `dynamic` block for each branch."""
    test, written = writer.lowering.lower_condition(item.condition), NOTHING
    for branch, guard, fact in (
        (item.then, test, item.condition),
        (item.orelse, negate_expression(test), ir.Call("not", item.condition)),
    ):
        if isinstance(branch, ir.Map):
            if branch.values_by_key().keys() & WITH_PORT:
                why = f"NIC {index} of {writer.resource.name} needs a port resource in only one branch of its condition"
                raise CannotSay(codes.ONLY_AT_RUN_TIME, why, item)
            dynamic = Block("dynamic", ("network",), span=branch.span)
            dynamic.add_argument("for_each", for_each_if(guard))
            arguments = write_nic_arguments(writer.with_fact(fact), path, branch, index)
            written += arguments.in_block(Block("content")).in_block(dynamic)
    why = "one block for each branch, present only if the condition selects it"
    return written.without_fates() + Written.fate(path, "network", "derived", why)


def write_nic(writer: Writer, path: str, item: ir.Map, index: int, *, first: bool) -> Written:
    """Writes a NIC, with a port of its own if Heat would create one, and the association of its floating IP."""
    allocate = item.get("allocate_network")
    if allocate is not None:
        mode = Written.argument("network_mode", writer.lowering.lower_expression(allocate, STRING), item)
        return mode + join_written(
            Written.fate(f"{path}.{entry.key}", "network_mode")
            if entry.key == "allocate_network"
            else Written.implied(f"{path}.{entry.key}", "Nova allocates the network")
            for entry in item.entries
        )
    made, block = None, Block("network", span=item.span)
    if nics.needs_port(item) or (not nics.is_given_by_port(item) and nics.has_groups_beside_ports(writer)):
        made = ports.make_nic_port(writer, item, index, first=first)
        written = ports.write_nic_port(writer, made, path, item, index)
        block.add_argument("port", writer.self_reference("id", made))
        written += Written((block,))
    else:
        written = write_nic_arguments(writer, path, item, index).in_block(block)
    floating = next((e for e in item.entries if e.key == "floating_ip"), None)
    if floating is not None and floating.value != ir.NULL:
        written += write_nic_association(writer, path, floating, item, made)
    return written


def write_nic_arguments(writer: Writer, path: str, item: ir.Map, index: int) -> Written:
    """Writes the arguments of a NIC given by port or by network."""
    return join_written(
        write_nic_field(writer, f"{path}.{entry.key}", item, entry, f"network.{index}", index)
        for entry in item.entries
        if entry.key != "floating_ip"
    )


def write_nic_field(writer: Writer, path: str, item: ir.Map, entry: ir.Entry, where: str, index: int) -> Written:
    """Writes a field of a NIC given by port or by network. where: its block."""
    lowering, port, value = writer.lowering, item.get("port"), entry.value
    unset = value in (ir.NULL, ir.Lit(""))
    match entry.key:
        case "network" | "uuid":
            if unset:
                return Written.default(path)
            if port not in (None, ir.NULL):
                return Written.implied(path, "the port determines the network")
            return write_nic_network(writer, path, where, value)
        case "port":
            if unset:
                return Written.implied(path, "no port is set")
            port_id, how = writer.emission.data.resolve_name(
                lowering, value, writer.lookups["port"], "id", f"port_{index}"
            )
            return Written.argument("port", port_id.expr, entry) + Written.fate(path, f"{where}.port", how)
        case "fixed_ip":
            if port is not None or unset:
                why = "the port determines the address" if port is not None else "no address is set"
                return Written.implied(path, why)
            address = lowering.lower_expression(value, STRING)
            if isinstance(address, str) and ":" in address:
                why = "the provider never sends an IPv6 address for a NIC without a port"
                raise CannotSay(codes.ONLY_AT_RUN_TIME, why, value)
            fixed = Written.argument("fixed_ip_v4", address, entry)
            return fixed + Written.fate(path, f"{where}.fixed_ip_v4", how_written(value))
        case "tag":
            return ports.drop_nic_tag(writer, entry, path.rpartition(".")[0])
        case "subnet":
            return Written.implied(path, "the port determines the subnet")
        case "port_extra_properties":
            return Written.implied(path, "Heat uses these only if it creates the port")
    raise CannotSay(codes.UNKNOWN_PROPERTY, f"a NIC has no {entry.key}", entry.key_span, writer.resource.name)


def write_nic_network(writer: Writer, path: str, where: str, expr: ir.Expr) -> Written:
    """Writes the network of a NIC: `name` for a name, `uuid` for an ID."""
    lowering, emission, lookup = writer.lowering, writer.emission, writer.lookups["network"]

    def write_form(argument: str, value: Expr, how: str = "value") -> Written:
        return Written.argument(argument, value, expr) + Written.fate(path, f"{where}.{argument}", how)

    if isinstance(expr, (ir.ResourceRef, ir.AttrRef)):
        return write_form("uuid", lowering.lower_expression(expr, STRING), emission.unit.reference_fate(expr))
    value = lowering.lower_value(expr, STRING).expr
    if isinstance(value, str):
        if own := emission.data.own_resource(lookup, value):
            return write_form("uuid", lowering.lower_expression(ir.ResourceRef(own, span=expr.span)), "lookup")
        return write_form("uuid" if looks_like_id(lookup, value, emission.unit.budget) else "name", value)
    form = emission.unit.form_of_expression(expr, lookup)
    if (
        not form
        and not (isinstance(expr, ir.ParamRef) and not expr.path)
        and emission.unit.is_unknown_before_apply(expr)
    ):
        form = "id"
    elif form:
        emission.data.report_form(lowering, expr, lookup, form)
    if form:
        return write_form("name" if form == "name" else "uuid", value, emission.unit.reference_fate(expr))
    label = (
        snake_case(expr.name) if isinstance(expr, ir.ParamRef) and not expr.path else f"{lowering.scope.owner}_network"
    )
    if not isinstance(value, Traversal) and not lowering.scope.fixed:
        value = emission.blocks.share_local(label, value)
    test = emission.data.local_id_test(lowering, value, lookup, label)
    both = Written.argument("name", Cond(test, None, value), expr) + Written.argument("uuid", Cond(test, value, None))
    why = "a name here, or an ID in uuid if the value looks like one"
    return both + Written.fate(path, f"{where}.name", "derived", why)


def write_runtime_nics(writer: Writer, entry: ir.Entry) -> Written:
    """Writes NICs for a list known only at run time, if the keys of its items are known: the list itself shows them, or
    all callers of the module do.
    """
    from emitters.hcl.resources.items import known_keys

    expr, lowering, emission = entry.value, writer.lowering, writer.emission
    over = lowering.lower_value(expr).expr
    keys = known_keys(over)
    passed = emission.unit.passed_items(expr) if keys is None else None
    if passed:
        keys = {key for item in passed for key, _ in set_entries(item.value)}
    written = keys is not None and any(keys <= {network, "port", "fixed_ip"} for network in ("network", "uuid"))
    if keys is None or not written or not all(map(is_plain_nic, passed or ())):
        raise CannotSay(
            codes.ONLY_AT_RUN_TIME,
            f"the NICs of {writer.resource.name} are known only at run time, and may need port resources",
            expr,
        )
    if passed and "port" in keys and "security_groups" in writer.entries:
        why = f"a NIC of {writer.resource.name} may be given by port, and then the groups are those of the port"
        raise CannotSay(codes.ONLY_AT_RUN_TIME, why, expr)
    dynamic = Block("dynamic", ("network",), span=entry.span)
    dynamic.add_argument("for_each", over)
    content = dynamic.add_block("content")
    item = Traversal(("network", "value"))
    for key in ("network", "uuid"):
        if key in keys:
            value, form = field_of_nic(item, key, passed), form_of_field(writer, expr, key, "network", passed)
            if form:
                content.add_argument("name" if form == "name" else "uuid", value)
            else:
                test = emission.data.test_id_format(value, writer.lookups["network"])
                content.add_argument("name", Cond(test, None, value))
                content.add_argument("uuid", Cond(test, value, None))
    if "port" in keys:
        value = field_of_nic(item, "port", passed)
        content.add_argument(
            "port",
            value
            if form_of_field(writer, expr, "port", "port", passed) == "id"
            else emission.data.resolve_field(lowering, over, value, item, writer.lookups["port"]),
        )
    if "fixed_ip" in keys:
        content.add_argument("fixed_ip_v4", field_of_nic(item, "fixed_ip", passed))
    why = "one NIC for each item of the list, with the same values"
    return Written((dynamic,)) + Written.fate(entry.key, "network", "derived", why)


def set_entries(item: ir.Map) -> list[tuple[str, ir.Expr]]:
    return [(entry.key, entry.value) for entry in item.entries if entry.value != ir.NULL]


def is_plain_nic(item: PassedItem) -> bool:
    """Whether a NIC that a caller passes is given by one of network and port, with an IPv4 address at most."""
    values = dict(set_entries(item.value))
    address = values.get("fixed_ip")
    return (
        len(values.keys() & {"network", "uuid", "port"}) == 1
        and not {"port", "fixed_ip"} <= values.keys()
        and ir.Lit("") not in values.values()
        and not (isinstance(address, ir.Lit) and ":" in str(address.value))
    )


def field_of_nic(item: Expr, key: str, passed: list[PassedItem] | None) -> Expr:
    """A field of a NIC. An item that lacks it has null."""
    is_everywhere = passed is None or all(any(e.key == key for e in each.value.entries) for each in passed)
    return Attr(item, key) if is_everywhere else Fn("try", (Attr(item, key), None))


def form_of_field(writer: Writer, expr: ir.Expr, key: str, lookup: str, passed: list[PassedItem] | None) -> str:
    """Whether a field of all NICs is an ID ("id") or a name ("name"); "" if Terraform can tell it before apply."""
    unit = writer.emission.unit
    is_late = unit.is_unknown_before_apply(expr)
    if passed is None:
        return "id" if is_late else ""
    forms, possible = unit.values.forms, set[str]()
    for item in passed:
        value = item.value.get(key)
        if value is not None and value != ir.NULL:
            possible |= forms.possible_forms(item.stack, item.caller, value, writer.lookups[lookup].of)
    form = forms.single_form(frozenset(possible))
    if not form and (is_late or OWN in possible):
        why = f"the NICs of {writer.resource.name} have a {key} that may be a name or an ID known only after apply"
        raise CannotSay(codes.ONLY_AT_RUN_TIME, why, expr)
    return form


def write_nic_association(writer: Writer, path: str, entry: ir.Entry, item: ir.Map, made: Block | None) -> Written:
    """Writes `floating_ip` of a NIC as an association with the NIC's port."""
    from emitters.hcl.hooks.floating_ips import fate_of_address, lower_floating_address

    port, lowering = item.get("port"), writer.lowering
    if made is None and port is None:
        why = "a floating IP needs the port of the NIC, and Nova creates this port"
        raise CannotSay(codes.ONLY_AT_RUN_TIME, why, entry)
    label = f"{writer.block.labels[1]}_{path.rpartition('.')[2]}"
    block = writer.new_block("openstack_networking_floatingip_associate_v2", label, entry)
    written = Written.argument("floating_ip", lower_floating_address(writer, entry.value), entry)
    if made is not None:
        written += Written.argument("port_id", writer.self_reference("id", made))
    else:
        port_id, _ = writer.emission.data.resolve_name(lowering, port or ir.NULL, writer.lookups["port"])
        written += Written.argument("port_id", port_id.expr)
        if (fixed := item.get("fixed_ip")) is not None:
            written += Written.argument("fixed_ip", lowering.lower_expression(fixed, STRING))
    return (written + fate_of_address(writer, f"{path}.floating_ip", entry.value)).in_resource(block)

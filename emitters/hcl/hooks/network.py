"""Hooks of networks and subnets.

A null gateway means no gateway. Without the property, the gateway is the first address.
"""

from __future__ import annotations

from emitters.hcl.errors import CannotSay, only_at_run_time
from emitters.hcl.hooks import attribute_hook, property_hook
from emitters.hcl.lowering import paths
from emitters.hcl.lowering.rewrites import text_or_empty
from emitters.hcl.plan.planner import dependent_resources
from emitters.hcl.plan.subnets import created_subnets
from emitters.hcl.resources import stored_forms
from emitters.hcl.resources.arguments import how_written
from emitters.hcl.resources.handles import AttributeRead, Selector
from emitters.hcl.resources.writer import Writer
from emitters.hcl.resources.written import NOTHING, Written, join_written
from emitters.hcl.tree.nodes import Cond, Expr, Fn, ForObject, Op, Traversal, Tuple
from emitters.hcl.tree.types import STRING, STRINGS, TUPLE, TypedValue
from transpile.diagnostics import codes
from transpile.model import ir
from transpile.resolve import graph

ROUTE = "openstack_networking_subnet_route_v2"
ROUTE_FIELDS = {"destination": ("destination_cidr", "cidr"), "nexthop": ("next_hop", "address")}


@attribute_hook("net_subnets")
def read_subnet_ids(read: AttributeRead) -> Selector:
    """Reads the IDs of the network's subnets. These must all be in the template, and exist whenever they are read."""
    emission = read.emission
    subnet_ids: list[Expr] = []
    asker = read.lowering.scope.resource
    subnets = emission.unit.plan.get_index(created_subnets).get(read.resource.name, ())
    later = graph.reachable_nodes(emission.unit.plan.get_index(dependent_resources), [asker]) if subnets else ()
    for resource in subnets:
        name = resource.name
        if name == asker or name in later:
            raise read.impossible(f"only Heat knows the subnets of {read.resource.name} when {asker} reads them")
        if resource.is_conditional or not emission.unit.plan.is_native(name):
            raise read.impossible(f"some subnets of {read.resource.name} are not in Terraform")
        subnet_ids.append(read.lowering.lower_expression(ir.ResourceRef(name, span=read.ref.span)))
    if not subnet_ids:
        raise read.impossible(f"the template has no subnets of {read.resource.name}")
    listed: Expr = Tuple(tuple(subnet_ids))
    if read.rest:
        return lambda base: paths.lower_attribute_path(read.lowering, TypedValue(listed, STRINGS), read.rest)
    return lambda base: TypedValue(listed, TUPLE)


# subnets


@property_hook("subnet_cidr")
def write_subnet_cidr(writer: Writer, entry: ir.Entry) -> Written:
    """Writes the network's own address: Neutron accepts any address in the network, the provider does not."""
    expr, why = entry.value, "the network address, without host bits"
    value = writer.lowering.lower_expression(expr, STRING)
    if isinstance(value, str) and (proper := stored_forms.normalize_network(value)) != value:
        return Written.value(entry, "cidr", proper, "derived", why)
    texts = [v for v in writer.values_of_parameter(expr) if isinstance(v, str)]
    if any(stored_forms.normalize_network(text) != text for text in texts):
        return Written.value(entry, "cidr", Fn("cidrsubnet", (value, 0, 0)), "derived", why)
    return Written.value(entry, "cidr", value, how_written(expr))


@property_hook("subnet_gateway")
def write_subnet_gateway(writer: Writer, entry: ir.Entry) -> Written:
    expr = entry.value
    if expr in (ir.NULL, ir.Lit("")):
        return Written.value(entry, "no_gateway", True, "derived", "null means no gateway")
    lowered = writer.lowering.lower_value(expr, STRING)
    value = text_or_empty(lowered.expr) if lowered.null else lowered.expr  # null and "" mean no gateway
    if value == "auto":
        return Written.implied(entry.key, "auto means the first address, which is the default")
    if not isinstance(expr, (ir.ParamRef, ir.If)):
        return write_stored(writer, entry, "gateway_ip", "address", value)
    if not isinstance(value, Traversal):
        value = writer.emission.blocks.share_local(f"{writer.lowering.scope.owner}_gateway", value)
    values = writer.values_of_parameter(expr)
    if values and not {"", "auto"} & {str(v) for v in values}:
        return Written.value(entry, "gateway_ip", value, how_written(expr))
    absent = Fn("contains", (Tuple(("", "auto")), value))  # "" means no gateway, auto the first address
    gateway = Written.value(entry, "gateway_ip", Cond(absent, None, value), how_written(expr))
    return gateway + Written.argument("no_gateway", Cond(Op("==", value, ""), True, None), entry)


def write_stored(writer: Writer, field: ir.Entry, argument: str, form: str, value: Expr, path: str = "") -> Written:
    """Writes a property, or with `path` a field of one, as an argument in the form in which the service stores it."""
    stored = stored_forms.to_stored_form(form, writer.lowering, field.value, value)
    how, why = (how_written(field.value), "") if stored == value else ("derived", stored_forms.WORDS[form])
    return Written.argument(argument, stored, field) + Written.fate(path or field.key, argument, how, why)


@property_hook("subnet_host_routes")
def write_host_routes(writer: Writer, entry: ir.Entry) -> Written:
    """Writes a resource for each route, or one with `for_each` for a list known only at run time."""
    expr, label = entry.value, writer.block.labels[1]
    if isinstance(expr, ir.Seq) and all(isinstance(i, ir.Map) for i in expr.items):
        several = len(expr.items) > 1
        return join_written(
            write_host_route(writer, f"{entry.key}.{i}", item, f"{label}_{i}" if several else label)
            for i, item in enumerate(expr.items)
            if isinstance(item, ir.Map)
        )
    if writer.is_repeated:
        raise only_at_run_time("the subnet is in a group, and its routes are", expr)
    block = writer.new_block(ROUTE, label, entry)
    over = writer.lowering.lift_to_local(writer.lowering.lower_items(expr), "routes")
    # by index: a destination may occur twice, or be known only after the apply
    block.add_argument("for_each", ForObject(("i", "route"), over, Traversal(("i",)), Traversal(("route",))))
    block.add_argument("subnet_id", writer.self_reference("id"))
    block.add_argument("destination_cidr", Traversal(("each", "value", "destination")))
    block.add_argument("next_hop", Traversal(("each", "value", "nexthop")))
    return Written.fate(entry.key, "for_each", "derived", "one route for each item of the list").in_resource(block)


def write_host_route(writer: Writer, path: str, item: ir.Map, label: str) -> Written:
    """Writes a literal route."""
    block = writer.new_block(ROUTE, label, item)
    block.add_argument("subnet_id", writer.self_reference("id"))
    written = NOTHING
    for field in item.entries:
        if field.key not in ROUTE_FIELDS:
            why = f"a host route has no {field.key}"
            raise CannotSay(codes.UNKNOWN_PROPERTY, why, field.key_span, writer.resource.name)
        argument, form = ROUTE_FIELDS[field.key]
        value = writer.lowering.lower_expression(field.value, STRING)
        written += write_stored(writer, field, argument, form, value, f"{path}.{field.key}")
    return written.in_resource(block)

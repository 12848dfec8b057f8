"""Hooks of networks and subnets.

A null gateway means no gateway. Without the property, the gateway is the first address.
"""

from __future__ import annotations

from emitters.hcl.errors import CannotSay
from emitters.hcl.hooks import attribute_hook, property_hook
from emitters.hcl.lowering import paths
from emitters.hcl.lowering.lowering import HclLowering
from emitters.hcl.lowering.rewrites import text_or_empty, without_null
from emitters.hcl.plan.planner import dependent_resources
from emitters.hcl.plan.subnets import created_subnets
from emitters.hcl.resources import stored_forms
from emitters.hcl.resources.arguments import how_written
from emitters.hcl.resources.handles import NativeHandle, Selector
from emitters.hcl.resources.writer import Writer
from emitters.hcl.tables.mapping import Rule
from emitters.hcl.tree.nodes import Cond, Expr, Fn, ForObject, Op, Traversal, Tuple
from emitters.hcl.tree.types import STRING, STRINGS, TUPLE, TypedValue
from transpile.diagnostics import codes
from transpile.model import ir
from transpile.report import make_fate
from transpile.resolve import graph


@attribute_hook("net_subnets")
def read_subnet_ids(
    lowering: HclLowering, native: NativeHandle, ref: ir.AttrRef, rest: tuple[ir.Expr, ...]
) -> Selector:
    """Reads the IDs of the network's subnets. These must all be in the template, and exist whenever they are read."""
    emission = native.emission
    subnet_ids: list[Expr] = []
    asker = lowering.scope.resource
    subnets = emission.unit.plan.get_index(created_subnets).get(native.resource.name, ())
    later = graph.reachable_nodes(emission.unit.plan.get_index(dependent_resources), [asker]) if subnets else ()
    for resource in subnets:
        name = resource.name
        if name == asker or name in later:
            raise CannotSay(
                codes.NOT_POSSIBLE_IN_HCL,
                f"only Heat knows the subnets of {native.resource.name} when {asker} reads them",
                ref,
                native.resource.name,
            )
        if resource.condition is not None or not emission.unit.plan.is_native(name):
            raise CannotSay(
                codes.NOT_POSSIBLE_IN_HCL,
                f"some subnets of {native.resource.name} are not in Terraform",
                ref,
                native.resource.name,
            )
        subnet_ids.append(lowering.lower_expression(ir.ResourceRef(name, span=ref.span)))
    if not subnet_ids:
        raise CannotSay(
            codes.NOT_POSSIBLE_IN_HCL,
            f"the template has no subnets of {native.resource.name}",
            ref,
            native.resource.name,
        )
    listed: Expr = Tuple(tuple(subnet_ids))
    if rest:
        return lambda base: paths.lower_attribute_path(lowering, TypedValue(listed, STRINGS), rest)
    return lambda base: TypedValue(listed, TUPLE)


# subnets


@property_hook("subnet_cidr")
def write_subnet_cidr(writer: Writer, rule: Rule, entry: ir.Entry) -> None:
    """Writes the network's own address: Neutron accepts any address in the network, the provider does not."""
    block, expr = writer.block, entry.value
    if expr in (ir.NULL, ir.Lit("")):
        writer.record_default(entry.key)
        return
    value, how, why = writer.lowering.lower_expression(expr, STRING), "value", "the network address, without host bits"
    values = (
        writer.emission.unit.values_of_parameter(expr.name) if isinstance(expr, ir.ParamRef) and not expr.path else []
    )
    if isinstance(value, str) and (proper := stored_forms.normalize_network(value)) != value:
        value, how = proper, "derived"
    elif any(isinstance(v, str) and stored_forms.normalize_network(v) != v for v in values):
        value, how = Fn("cidrsubnet", (value, 0, 0)), "derived"
    elif isinstance(expr, (ir.ResourceRef, ir.AttrRef)):
        how = "reference"
    block.add_argument("cidr", value, entry)
    writer.record_value(entry.key, "cidr", how, why=why if how == "derived" else "")


@property_hook("subnet_gateway")
def write_subnet_gateway(writer: Writer, rule: Rule, entry: ir.Entry) -> None:
    block, expr = writer.block, entry.value
    if expr in (ir.NULL, ir.Lit("")):
        block.add_argument("no_gateway", True, entry)
        writer.record_value(entry.key, "no_gateway", "derived", why="null means no gateway")
        return
    lowered = writer.lowering.lower_value(expr, STRING)
    value = text_or_empty(lowered.expr) if lowered.null else lowered.expr  # null and "" mean no gateway
    if value == "auto":
        writer.record_fate(entry.key, make_fate("implied", why="auto means the first address, which is the default"))
        return
    if isinstance(expr, (ir.ParamRef, ir.If)):  # "" means no gateway, auto the first address
        value = (
            value
            if isinstance(value, Traversal)
            else writer.emission.blocks.share_local(f"{writer.lowering.scope.owner}_gateway", value)
        )
        values = (
            writer.emission.unit.values_of_parameter(expr.name)
            if isinstance(expr, ir.ParamRef) and not expr.path
            else []
        )
        if values and not {"", "auto"} & {str(v) for v in values}:
            block.add_argument("gateway_ip", value, entry)
        else:
            absent = Fn("contains", (Tuple(("", "auto")), value))
            block.add_argument("gateway_ip", Cond(absent, None, value), entry)
            block.add_argument("no_gateway", Cond(Op("==", value, ""), True, None), entry)
    else:
        stored_value = stored_forms.to_stored_form("address", writer.lowering, expr, value)
        block.add_argument("gateway_ip", stored_value, entry)
        if stored_value != value:
            writer.record_value(entry.key, "gateway_ip", "derived", why=stored_forms.WORDS["address"])
            return
    writer.record_value(entry.key, "gateway_ip", how_written(expr))


@property_hook("subnet_host_routes")
def write_host_routes(writer: Writer, rule: Rule, entry: ir.Entry) -> None:
    """Writes one resource for each route, or one with `for_each` for a list known only at run time."""
    expr = entry.value
    kind, label = "openstack_networking_subnet_route_v2", writer.block.labels[1]
    if expr in (ir.NULL, ir.Seq(())):
        writer.record_fate(entry.key, make_fate("implied", why="no routes are set"))
        return
    if not isinstance(expr, ir.Seq) or not all(isinstance(i, ir.Map) for i in expr.items):
        if writer.lowering.scope.repeated is not None:
            raise CannotSay(
                codes.ONLY_AT_RUN_TIME, "the subnet is in a group, and its routes are known only at run time", expr
            )
        block = writer.add_block(kind, label, entry)
        over = writer.lowering.lift_to_local(writer.lowering.lower_expression(without_null(expr)), "routes")
        # by index: a destination may occur twice, or be known only after the apply
        block.add_argument("for_each", ForObject(("i", "route"), over, Traversal(("i",)), Traversal(("route",))))
        block.add_argument("subnet_id", writer.self_reference("id"))
        block.add_argument("destination_cidr", Traversal(("each", "value", "destination")))
        block.add_argument("next_hop", Traversal(("each", "value", "nexthop")))
        writer.record_value(
            entry.key, "for_each", "derived", ".".join(block.labels), "one route for each item of the list"
        )
        return
    for i, item in enumerate(expr.items):
        assert isinstance(item, ir.Map)
        block = writer.add_block(kind, f"{label}_{i}" if len(expr.items) > 1 else label, item)
        block.add_argument("subnet_id", writer.self_reference("id"))
        for field in item.entries:
            argument = {"destination": "destination_cidr", "nexthop": "next_hop"}.get(field.key)
            if argument is None:
                raise CannotSay(
                    codes.UNKNOWN_PROPERTY,
                    f"a host route has no {field.key}",
                    field.key_span,
                    writer.resource.name,
                )
            form = "cidr" if field.key == "destination" else "address"
            lowered = writer.lowering.lower_expression(field.value, STRING)
            value = stored_forms.to_stored_form(form, writer.lowering, field.value, lowered)
            block.add_argument(argument, value, field)
            how, why = how_written(field.value), ""
            if value != lowered:
                how, why = "derived", stored_forms.WORDS[form]
            writer.record_value(f"{entry.key}.{i}.{field.key}", argument, how, ".".join(block.labels), why)

"""Hooks of networks and subnets.

A null gateway means no gateway. Without the property, the gateway is the first address.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from emitters.hcl.errors import CannotSay
from emitters.hcl.hooks import attribute_hook, property_hook
from emitters.hcl.lowering import paths
from emitters.hcl.lowering.rewrites import without_null
from emitters.hcl.plan.planner import followers
from emitters.hcl.plan.subnets import subnets_made
from emitters.hcl.resources import stored_forms
from emitters.hcl.resources.arguments import how_written
from emitters.hcl.tree.nodes import Cond, Expr, Fn, ForObject, Name, Op, Tuple
from emitters.hcl.tree.types import STRING, STRINGS, TUPLE, Value
from transpile.diagnostics import codes
from transpile.model import ir
from transpile.report import fate
from transpile.resolve import graph

if TYPE_CHECKING:
    from emitters.hcl.lowering.lowering import Lowering
    from emitters.hcl.resources.handles import Native, Select
    from emitters.hcl.resources.writer import Writer
    from emitters.hcl.tables.mapping import Rule


@attribute_hook("net_subnets")
def net_subnets(lowering: Lowering, native: Native, ref: ir.AttrRef, rest: tuple[ir.Expr, ...]) -> Select:
    """Reads the IDs of the network's subnets. These must all be in the template, and exist whenever they are read."""
    emission = native.emission
    found: list[Expr] = []
    asker = lowering.scope.resource
    subnets = emission.unit.plan.index(subnets_made).get(native.resource.name, ())
    later = graph.reachable(emission.unit.plan.index(followers), [asker]) if subnets else ()
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
        found.append(lowering.expr(ir.ResourceRef(name, span=ref.span)))
    if not found:
        raise CannotSay(
            codes.NOT_POSSIBLE_IN_HCL,
            f"the template has no subnets of {native.resource.name}",
            ref,
            native.resource.name,
        )
    listed: Expr = Tuple(tuple(found))
    if rest:
        return lambda base: paths.attribute(lowering, Value(listed, STRINGS), rest)
    return lambda base: Value(listed, TUPLE)


# subnets


@property_hook("subnet_cidr")
def subnet_cidr(writer: Writer, rule: Rule, entry: ir.Entry) -> None:
    """Writes the network's own address: Neutron accepts any address in the network, the provider does not."""
    block, expr = writer.block, entry.value
    if expr in (ir.NULL, ir.Lit("")):
        writer.default(entry.key)
        return
    value, how, why = writer.lowering.expr(expr, STRING), "value", "the network address, without host bits"
    known = writer.emission.unit.known_values(expr.name) if isinstance(expr, ir.ParamRef) and not expr.path else []
    if isinstance(value, str) and (proper := stored_forms.cidr(value)) != value:
        value, how = proper, "derived"
    elif any(isinstance(v, str) and stored_forms.cidr(v) != v for v in known):
        value, how = Fn("cidrsubnet", (value, 0, 0)), "derived"
    elif isinstance(expr, (ir.ResourceRef, ir.AttrRef)):
        how = "reference"
    block.set("cidr", value, entry)
    writer.is_value(entry.key, "cidr", how, why=why if how == "derived" else "")


@property_hook("subnet_gateway")
def subnet_gateway(writer: Writer, rule: Rule, entry: ir.Entry) -> None:
    block, expr = writer.block, entry.value
    if expr in (ir.NULL, ir.Lit("")):
        block.set("no_gateway", True, entry)
        writer.is_value(entry.key, "no_gateway", "derived", why="null means no gateway")
        return
    value = writer.lowering.expr(expr, STRING)
    if value == "auto":
        writer.fate(entry.key, fate("implied", why="auto means the first address, which is the default"))
        return
    if isinstance(expr, (ir.ParamRef, ir.If)):  # "" means no gateway, auto the first address
        value = (
            value
            if isinstance(value, Name)
            else writer.emission.blocks.local(f"{writer.lowering.scope.owner}_gateway", value)
        )
        known = writer.emission.unit.known_values(expr.name) if isinstance(expr, ir.ParamRef) and not expr.path else []
        if known and not {"", "auto"} & {str(v) for v in known}:
            block.set("gateway_ip", value, entry)
        else:
            absent = Fn("contains", (Tuple(("", "auto")), value))
            block.set("gateway_ip", Cond(absent, None, value), entry)
            block.set("no_gateway", Cond(Op("==", value, ""), True, None), entry)
    else:
        shown = stored_forms.stored("address", writer.lowering, expr, value)
        block.set("gateway_ip", shown, entry)
        if shown != value:
            writer.is_value(entry.key, "gateway_ip", "derived", why=stored_forms.WORDS["address"])
            return
    writer.is_value(entry.key, "gateway_ip", how_written(expr))


@property_hook("subnet_host_routes")
def subnet_host_routes(writer: Writer, rule: Rule, entry: ir.Entry) -> None:
    """Writes one resource for each route, or one with `for_each` for a list known only at run time."""
    expr = entry.value
    kind, label = "openstack_networking_subnet_route_v2", writer.block.labels[1]
    if expr in (ir.NULL, ir.Seq(())):
        writer.fate(entry.key, fate("implied", why="no routes are set"))
        return
    if not isinstance(expr, ir.Seq) or not all(isinstance(i, ir.Map) for i in expr.items):
        if writer.lowering.scope.repeated is not None:
            raise CannotSay(
                codes.ONLY_AT_RUN_TIME, "the subnet is in a group, and its routes are known only at run time", expr
            )
        block = writer.beside(kind, label, entry)
        over = writer.lowering.lift(writer.lowering.expr(without_null(expr)), "routes")
        # by index: a destination may occur twice, or be known only after the apply
        block.set("for_each", ForObject(("i", "route"), over, Name(("i",)), Name(("route",))))
        block.set("subnet_id", writer.self_reference("id"))
        block.set("destination_cidr", Name(("each", "value", "destination")))
        block.set("next_hop", Name(("each", "value", "nexthop")))
        writer.is_value(entry.key, "for_each", "derived", ".".join(block.labels), "one route for each item of the list")
        return
    for i, item in enumerate(expr.items):
        assert isinstance(item, ir.Map)
        block = writer.beside(kind, f"{label}_{i}" if len(expr.items) > 1 else label, item)
        block.set("subnet_id", writer.self_reference("id"))
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
            given = writer.lowering.expr(field.value, STRING)
            value = stored_forms.stored(form, writer.lowering, field.value, given)
            block.set(argument, value, field)
            how, why = how_written(field.value), ""
            if value != given:
                how, why = "derived", stored_forms.WORDS[form]
            writer.is_value(f"{entry.key}.{i}.{field.key}", argument, how, ".".join(block.labels), why)

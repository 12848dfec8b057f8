"""Hooks of routers and their gateways.

In Heat a gateway may be a resource of its own. The provider has only an argument of the router, so the gateway is
written with its router.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from emitters.hcl.errors import CannotSay
from emitters.hcl.hooks import attribute_hook, finish_hook, prepare_hook, property_hook, write_hook
from emitters.hcl.hooks.value_specs import finish_specs, specs
from emitters.hcl.namespace import snake
from emitters.hcl.resources.arguments import how_written, report_false_sent_later
from emitters.hcl.resources.handles import Native
from emitters.hcl.tree.nodes import Attr, Cond, Fn, Index
from emitters.hcl.tree.types import BOOL, STRING, Value
from transpile.diagnostics import codes
from transpile.model import ir
from transpile.model.span import word_at
from transpile.report import fate

if TYPE_CHECKING:
    from emitters.hcl.emission import Emission
    from emitters.hcl.lowering.lowering import Handle, Lowering
    from emitters.hcl.resources.handles import Select
    from emitters.hcl.resources.writer import Writer
    from emitters.hcl.tables.mapping import Kind, Rule


@property_hook("router_admin_state")
def router_admin_state(writer: Writer, rule: Rule, entry: ir.Entry) -> None:
    """The provider omits false when it creates a router, so false goes into value_specs, which it sends unchanged."""
    if entry.value == ir.NULL:
        writer.default(entry.key)
        return
    value = writer.lowering.expr(entry.value, BOOL)
    writer.block.set("admin_state_up", value, entry)
    writer.is_value(entry.key, "admin_state_up")
    if value is False:
        specs(writer).append(("admin_state_up", "false"))
    elif value is not True:
        report_false_sent_later(writer, entry.value, "admin_state_up")


@property_hook("router_gateway_info")
def router_gateway_info(writer: Writer, rule: Rule, entry: ir.Entry) -> None:
    if entry.value in (ir.NULL, ir.Map(())):
        writer.fate(entry.key, fate("implied", why="no gateway is set"))
        return
    if not isinstance(entry.value, ir.Map):
        raise CannotSay(
            codes.ONLY_AT_RUN_TIME,
            f"the gateway of {writer.resource.name} is known only at run time",
            entry.value,
        )
    for one in entry.value.entries:
        path = f"{entry.key}.{one.key}"
        if one.value == ir.NULL:
            writer.default(path)
        elif one.key == "network":
            found, how = writer.emission.data.one(
                writer.lowering, one.value, writer.lookups["network"], "id", "network"
            )
            writer.block.set("external_network_id", found.expr, one)
            writer.is_value(path, "external_network_id", how)
        elif one.key == "enable_snat":
            writer.block.set("enable_snat", writer.lowering.expr(one.value, BOOL), one)
            writer.is_value(path, "enable_snat")
        elif (
            one.key == "external_fixed_ips"
            and isinstance(one.value, ir.Seq)
            and all(isinstance(i, ir.Map) for i in one.value.items)
        ):
            for i, item in enumerate(one.value.items):
                block = writer.block.block("external_fixed_ip", where=item)
                for field in item.entries if isinstance(item, ir.Map) else ():
                    if field.key == "subnet":
                        found, how = writer.emission.data.one(
                            writer.lowering, field.value, writer.lookups["subnet"], "id", "subnet"
                        )
                        block.set("subnet_id", found.expr, field)
                    else:
                        block.set(field.key, writer.lowering.expr(field.value, STRING), field)
                        how = how_written(field.value)
                    writer.is_value(
                        f"{path}.{i}.{field.key}",
                        f"external_fixed_ip.{i}." + ("subnet_id" if field.key == "subnet" else field.key),
                        how,
                    )
        else:
            raise CannotSay(codes.ONLY_AT_RUN_TIME, f"{one.key} of the gateway is known only at run time", one.value)


@property_hook("router_ha")
def router_ha(writer: Writer, rule: Rule, entry: ir.Entry) -> None:
    if entry.value == ir.NULL:
        writer.fate(entry.key, fate("implied", why="null is not sent"))
        return
    specs(writer).append(("ha", Fn("tostring", (writer.lowering.expr(entry.value, BOOL),))))
    writer.is_value(entry.key, "value_specs.ha", "derived", why="value_specs are strings")


@finish_hook("router")
def finish_router(writer: Writer) -> None:
    """Writes value_specs, and the gateway if a separate resource defines it."""
    finish_specs(writer)
    gateway = writer.emission.unit.plan.gateways.get(writer.resource.name)
    if gateway is None or writer.emission.unit.plan.embeds(gateway):
        return
    resource = writer.emission.unit.template.resources[gateway]
    report = writer.emission.log.resource_report(resource)
    report.treatment, report.addresses = "folded", [writer.to]
    entry = next(
        (
            e
            for e in (resource.properties.entries if resource.properties is not None else ())
            if e.key in ("network", "network_id")
        ),
        None,
    )
    if entry is None or any(getattr(item, "name", "") == "external_network_id" for item in writer.block.body):
        raise CannotSay(
            codes.ONLY_AT_RUN_TIME,
            f"{writer.resource.name} already has a gateway",
            word_at(resource.at, gateway),
            gateway,
        )
    facts = frozenset(() if resource.condition is None else (resource.condition,))
    lowering = writer.lowering.owned(snake(gateway), facts=facts, resource=gateway)
    found, how = writer.emission.data.one(lowering, entry.value, writer.lookups["network"], "id", "network")
    value = found.expr
    if resource.condition is not None:
        value = Cond(writer.lowering.condition(resource.condition), value, None)
    writer.block.set("external_network_id", value, resource)
    report.properties[entry.key] = fate(how, writer.to, "external_network_id")
    for other in resource.properties.entries if resource.properties is not None else ():
        if other is not entry:
            report.properties[other.key] = fate("implied", writer.to, why="it selects the router with the argument")


@prepare_hook("router_gateway")
def prepare_gateway(emission: Emission, resource: ir.Resource, kind: Kind) -> Handle:
    router = emission.unit.plan.router_of(resource)
    if router is None:
        raise CannotSay(
            codes.KEPT_IN_HEAT,
            "the provider has no resource for only the gateway of a router",
            resource.name_span,
            resource.name,
        )
    return Native(emission, resource, kind, ("openstack_networking_router_v2", snake(router)))


@write_hook("router_gateway")
def write_gateway(emission: Emission, resource: ir.Resource, kind: Kind) -> None:
    """Does nothing: the gateway is written with its router."""


@attribute_hook("router_gateway_attribute")
def router_gateway_attribute(lowering: Lowering, native: Native, ref: ir.AttrRef, rest: tuple[ir.Expr, ...]) -> Select:
    path = [str(r.value) if isinstance(r, ir.Lit) else "" for r in rest]
    if path == ["network_id"]:
        return lambda base: Value(Attr(base, "external_network_id"), STRING)
    if path == ["enable_snat"]:
        return lambda base: Value(Attr(base, "enable_snat"), BOOL)
    if (
        len(path) == 3
        and path[0] == "external_fixed_ips"
        and path[1].isdecimal()
        and path[2] in ("ip_address", "subnet_id")
    ):
        return lambda base: Value(Attr(Index(Attr(base, "external_fixed_ip"), int(path[1])), path[2]), STRING)
    raise CannotSay(
        codes.NOT_POSSIBLE_IN_HCL,
        f"Terraform does not have the whole gateway of {native.resource.name}",
        ref,
        native.resource.name,
    )

"""Hooks of routers and their gateways.

In Heat a gateway may be a resource of its own. The provider has only an argument of the router, so the gateway is
written with its router.
"""

from __future__ import annotations

from emitters.hcl.emission import Emission
from emitters.hcl.errors import CannotSay
from emitters.hcl.hooks import attribute_hook, finish_hook, prepare_hook, property_hook, write_hook
from emitters.hcl.hooks.value_specs import collected_specs, finish_specs
from emitters.hcl.lowering.lowering import Handle, HclLowering
from emitters.hcl.lowering.rewrites import map_of_branches
from emitters.hcl.namespace import snake_case
from emitters.hcl.plan.planner import ONLY_A_GATEWAY
from emitters.hcl.resources.arguments import how_written, report_false_sent_later
from emitters.hcl.resources.handles import NativeHandle, Selector
from emitters.hcl.resources.writer import Writer
from emitters.hcl.tables.mapping import Rule, TypeMapping
from emitters.hcl.tree.nodes import Attr, Cond, Index, text_of_bool
from emitters.hcl.tree.types import BOOL, STRING, TypedValue
from transpile.diagnostics import codes
from transpile.model import ir
from transpile.model.span import word_at
from transpile.report import make_fate


@property_hook("router_admin_state")
def write_router_admin_state(writer: Writer, rule: Rule, entry: ir.Entry) -> None:
    """The provider omits false when it creates a router, so false goes into value_specs, which it sends unchanged."""
    if entry.value == ir.NULL:
        writer.record_default(entry.key)
        return
    value = writer.lowering.lower_expression(entry.value, BOOL)
    writer.write_value(entry, "admin_state_up", value)
    if value is False:
        collected_specs(writer).append(("admin_state_up", "false"))
    elif value is not True:
        report_false_sent_later(writer, entry.value, "admin_state_up")


@property_hook("router_gateway_info")
def write_gateway_info(writer: Writer, rule: Rule, entry: ir.Entry) -> None:
    gateway = map_of_branches(entry.value)
    if not isinstance(gateway, ir.Map):
        raise CannotSay(
            codes.ONLY_AT_RUN_TIME,
            f"the gateway of {writer.resource.name} is known only at run time",
            entry.value,
        )
    if gateway is not entry.value:
        why = "the values of the branch, and null without it"
        writer.record_value(entry.key, "external_network_id", "derived", why=why)
        writer = writer.without_fates()
    for gateway_field in gateway.entries:
        path = f"{entry.key}.{gateway_field.key}"
        if gateway_field.value == ir.NULL:
            writer.record_default(path)
        elif gateway_field.key == "network":
            object_id, how = writer.emission.data.resolve_name(
                writer.lowering, gateway_field.value, writer.lookups["network"], "id", "network"
            )
            writer.block.add_argument("external_network_id", object_id.expr, gateway_field)
            writer.record_value(path, "external_network_id", how)
        elif gateway_field.key == "enable_snat":
            writer.block.add_argument(
                "enable_snat", writer.lowering.lower_expression(gateway_field.value, BOOL), gateway_field
            )
            writer.record_value(path, "enable_snat")
        elif (
            gateway_field.key == "external_fixed_ips"
            and isinstance(gateway_field.value, ir.Seq)
            and all(isinstance(i, ir.Map) for i in gateway_field.value.items)
        ):
            for i, item in enumerate(gateway_field.value.items):
                block = writer.block.add_block("external_fixed_ip", where=item)
                for field in item.entries if isinstance(item, ir.Map) else ():
                    if field.key == "subnet":
                        object_id, how = writer.emission.data.resolve_name(
                            writer.lowering, field.value, writer.lookups["subnet"], "id", "subnet"
                        )
                        block.add_argument("subnet_id", object_id.expr, field)
                    else:
                        block.add_argument(field.key, writer.lowering.lower_expression(field.value, STRING), field)
                        how = how_written(field.value)
                    writer.record_value(
                        f"{path}.{i}.{field.key}",
                        f"external_fixed_ip.{i}." + ("subnet_id" if field.key == "subnet" else field.key),
                        how,
                    )
        else:
            raise CannotSay(
                codes.ONLY_AT_RUN_TIME,
                f"{gateway_field.key} of the gateway is known only at run time",
                gateway_field.value,
            )


@property_hook("router_ha")
def write_router_ha(writer: Writer, rule: Rule, entry: ir.Entry) -> None:
    if entry.value == ir.NULL:
        writer.record_fate(entry.key, make_fate("implied", why="null is not sent"))
        return
    collected_specs(writer).append(("ha", text_of_bool(writer.lowering.lower_expression(entry.value, BOOL))))
    writer.record_value(entry.key, "value_specs.ha", "derived", why="value_specs are strings")


@finish_hook("router")
def finish_router(writer: Writer) -> None:
    """Writes value_specs, and the gateway if a separate resource defines it."""
    finish_specs(writer)
    gateway = writer.emission.unit.plan.gateways.get(writer.resource.name)
    if gateway is None or writer.emission.unit.plan.is_embedded(gateway):
        return
    resource = writer.emission.unit.template.resources[gateway]
    report = writer.emission.log.resource_report(resource)
    report.treatment, report.addresses = "folded", [writer.to]
    entry = next(
        (e for e in resource.entries if e.key in ("network", "network_id")),
        None,
    )
    if entry is None or any(getattr(item, "name", "") == "external_network_id" for item in writer.block.body):
        raise CannotSay(
            codes.ONLY_AT_RUN_TIME,
            f"{writer.resource.name} already has a gateway",
            word_at(resource.at, gateway),
            gateway,
        )
    facts = frozenset(resource.conditions)
    lowering = writer.lowering.with_owner(snake_case(gateway), facts=facts, resource=gateway)
    network_id, how = writer.emission.data.resolve_name(
        lowering, entry.value, writer.lookups["network"], "id", "network"
    )
    value = network_id.expr
    if resource.condition is not None:
        value = Cond(writer.lowering.lower_condition(resource.condition), value, None)
    writer.block.add_argument("external_network_id", value, resource)
    report.properties[entry.key] = make_fate(how, writer.to, "external_network_id")
    for other in resource.entries:
        if other is not entry:
            report.properties[other.key] = make_fate(
                "implied", writer.to, why="it selects the router with the argument"
            )


@prepare_hook("router_gateway")
def prepare_router_gateway(emission: Emission, resource: ir.Resource, kind: TypeMapping) -> Handle:
    router = emission.unit.plan.native_router_of(resource)
    if router is None:
        raise CannotSay(
            codes.KEPT_IN_HEAT,
            ONLY_A_GATEWAY,
            resource.name_span,
            resource.name,
        )
    return NativeHandle(emission, resource, kind, ("openstack_networking_router_v2", snake_case(router)))


@write_hook("router_gateway")
def write_router_gateway(emission: Emission, resource: ir.Resource, kind: TypeMapping) -> None:
    """Does nothing: the gateway is written with its router."""


@attribute_hook("router_gateway_attribute")
def read_router_gateway(
    lowering: HclLowering, native: NativeHandle, ref: ir.AttrRef, rest: tuple[ir.Expr, ...]
) -> Selector:
    path = [str(r.value) if isinstance(r, ir.Lit) else "" for r in rest]
    if path == ["network_id"]:
        return lambda base: TypedValue(Attr(base, "external_network_id"), STRING)
    if path == ["enable_snat"]:
        return lambda base: TypedValue(Attr(base, "enable_snat"), BOOL)
    if (
        len(path) == 3
        and path[0] == "external_fixed_ips"
        and path[1].isdecimal()
        and path[2] in ("ip_address", "subnet_id")
    ):
        return lambda base: TypedValue(Attr(Index(Attr(base, "external_fixed_ip"), int(path[1])), path[2]), STRING)
    raise CannotSay(
        codes.NOT_POSSIBLE_IN_HCL,
        f"Terraform does not have the whole gateway of {native.resource.name}",
        ref,
        native.resource.name,
    )

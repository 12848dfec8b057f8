"""Hooks of routers and their gateways.

In Heat a gateway may be a resource of its own. The provider has only an argument of the router, so the gateway is
written with its router.
"""

from __future__ import annotations

from emitters.hcl.emission import Emission
from emitters.hcl.errors import CannotSay, only_at_run_time
from emitters.hcl.hooks import Prepared, attribute_hook, finish_hook, property_hook, resource_hook
from emitters.hcl.lowering.rewrites import map_of_branches
from emitters.hcl.namespace import snake_case
from emitters.hcl.plan.planner import ONLY_A_GATEWAY
from emitters.hcl.resources.arguments import how_written, report_false_sent_later
from emitters.hcl.resources.handles import AttributeRead, NativeHandle, Selector
from emitters.hcl.resources.writer import Writer
from emitters.hcl.resources.written import NOTHING, Written, join_written
from emitters.hcl.tree.nodes import Attr, Block, Cond, Index
from emitters.hcl.tree.types import BOOL, STRING, TypedValue
from transpile.diagnostics import codes
from transpile.model import ir
from transpile.model.span import word_at
from transpile.report import make_fate


@property_hook("router_admin_state")
def write_router_admin_state(writer: Writer, entry: ir.Entry) -> Written:
    """Writes the admin state. The provider omits false when it creates a router, so false goes into value_specs."""
    value = writer.lowering.lower_expression(entry.value, BOOL)
    written = Written.value(entry, "admin_state_up", value)
    if value is False:
        return written + Written.entry("value_specs", "admin_state_up", "false")
    if value is not True:
        report_false_sent_later(writer, entry.value, "admin_state_up")
    return written


@property_hook("router_gateway_info")
def write_gateway_info(writer: Writer, entry: ir.Entry) -> Written:
    gateway = map_of_branches(entry.value)
    if not isinstance(gateway, ir.Map):
        raise only_at_run_time(f"the gateway of {writer.resource.name} is", entry.value)
    written = join_written(write_gateway_field(writer, f"{entry.key}.{field.key}", field) for field in gateway.entries)
    if gateway is entry.value:
        return written
    why = "the values of the branch, and null without it"
    return written.without_fates() + Written.fate(entry.key, "external_network_id", "derived", why)


def write_gateway_field(writer: Writer, path: str, field: ir.Entry) -> Written:
    """Writes a field of the gateway."""
    value = field.value
    if value == ir.NULL:
        return Written.default(path)
    if field.key == "network":
        network, how = writer.emission.data.resolve_name(
            writer.lowering, value, writer.lookups["network"], "id", "network"
        )
        written = Written.argument("external_network_id", network.expr, field)
        return written + Written.fate(path, "external_network_id", how)
    if field.key == "enable_snat":
        snat = writer.lowering.lower_expression(value, BOOL)
        return Written.argument("enable_snat", snat, field) + Written.fate(path, "enable_snat")
    items = [item for item in value.items if isinstance(item, ir.Map)] if isinstance(value, ir.Seq) else []
    if field.key != "external_fixed_ips" or not isinstance(value, ir.Seq) or len(items) < len(value.items):
        raise only_at_run_time(f"{field.key} of the gateway is", value)
    return join_written(write_gateway_address(writer, f"{path}.{i}", item, i) for i, item in enumerate(items))


def write_gateway_address(writer: Writer, path: str, item: ir.Map, index: int) -> Written:
    """Writes an address of the gateway. index: of its block."""
    written = NOTHING
    for field in item.entries:
        if field.key == "subnet":
            argument = "subnet_id"
            subnet, how = writer.emission.data.resolve_name(
                writer.lowering, field.value, writer.lookups["subnet"], "id", "subnet"
            )
            value = subnet.expr
        else:
            argument, how = field.key, how_written(field.value)
            value = writer.lowering.lower_expression(field.value, STRING)
        written += Written.argument(argument, value, field)
        written += Written.fate(f"{path}.{field.key}", f"external_fixed_ip.{index}.{argument}", how)
    return written.in_block(Block("external_fixed_ip", span=item.span))


@finish_hook("router")
def finish_router(writer: Writer) -> None:
    """Writes the gateway if a separate resource defines it."""
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
    if resource.is_conditional:
        value = Cond(writer.lowering.lower_condition(resource.condition), value, None)
    writer.block.add_argument("external_network_id", value, resource)
    report.properties[entry.key] = make_fate(how, writer.to, "external_network_id")
    for other in resource.entries:
        if other is not entry:
            report.properties[other.key] = make_fate(
                "implied", writer.to, why="it selects the router with the argument"
            )


@resource_hook("router_gateway")
def prepare_router_gateway(emission: Emission, resource: ir.Resource) -> Prepared:
    router = emission.unit.plan.native_router_of(resource)
    if router is None:
        raise CannotSay(codes.KEPT_IN_HEAT, ONLY_A_GATEWAY, resource.name_span, resource.name)
    address = ("openstack_networking_router_v2", snake_case(router))
    handle = NativeHandle(emission, resource, emission.mapping_of(resource), address)
    return Prepared(handle, lambda: None)  # the gateway is written with its router


@attribute_hook("router_gateway_attribute")
def read_router_gateway(read: AttributeRead) -> Selector:
    path = [str(r.value) if isinstance(r, ir.Lit) else "" for r in read.rest]
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
    raise read.impossible(f"Terraform does not have the whole gateway of {read.resource.name}")

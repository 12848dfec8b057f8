"""Hooks of LBaaS v1: pools with an address, and monitors that several pools may share.

In Octavia a pool with an address is a load balancer, a listener and a pool, and a monitor belongs to exactly one pool.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import final

from emitters.hcl.emission import Emission
from emitters.hcl.errors import CannotSay, only_at_run_time
from emitters.hcl.hooks import Prepared, finish_hook, property_hook, resource_hook
from emitters.hcl.hooks.load_balancing import limit_http_arguments
from emitters.hcl.lowering.lowering import HclLowering
from emitters.hcl.namespace import snake_case
from emitters.hcl.plan.planner import ConversionPlan, resources_by_type
from emitters.hcl.resources.arguments import how_written
from emitters.hcl.resources.handles import NativeHandle
from emitters.hcl.resources.rules import write_blocks, write_native_resource
from emitters.hcl.resources.writer import Writer, missing_property
from emitters.hcl.resources.written import Written, join_written
from emitters.hcl.tables.mapping import ArgumentRule, BlockRule
from emitters.hcl.tree.nodes import Argument, Attr
from emitters.hcl.tree.types import BOOL, NUMBER, STRING, TypedValue
from transpile.diagnostics import codes
from transpile.model import heat_types, ir
from transpile.report import attribute_path

BALANCER, LISTENER = "openstack_lb_loadbalancer_v2", "openstack_lb_listener_v2"
POOL, MONITOR = heat_types.NEUTRON_POOL, heat_types.NEUTRON_HEALTH_MONITOR
ADDRESS = {  # fields of the property vip, as arguments of the load balancer or the listener
    "address": (BALANCER, "vip_address", STRING),
    "subnet_id": (BALANCER, "vip_subnet_id", STRING),
    "port_id": (BALANCER, "vip_port_id", STRING),
    "name": (LISTENER, "name", STRING),
    "description": (LISTENER, "description", STRING),
    "protocol_port": (LISTENER, "protocol_port", NUMBER),
    "connection_limit": (LISTENER, "connection_limit", NUMBER),
    "admin_state_up": (LISTENER, "admin_state_up", BOOL),
}
FIELDS = ("name", "description", "protocol_port", "connection_limit", "admin_state_up")  # of the listener, in order
PERSISTENCE = BlockRule(
    "persistence",
    {"type": ArgumentRule("persistence.type"), "cookie_name": ArgumentRule("persistence.cookie_name", empty=True)},
)


def find_native_resource(emission: Emission, expr: ir.Expr | None, kind: str) -> ir.Resource | None:
    """The native resource of a type that an expression refers to, if any."""
    if not isinstance(expr, ir.ResourceRef) or not emission.unit.plan.is_native(expr.name):
        return None
    return emission.unit.template.resources[expr.name] if emission.unit.stack.types.get(expr.name) == kind else None


# pools


@final
class Pool:
    """The handle of a pool with its load balancer and listener."""

    def __init__(self, parts: dict[str, NativeHandle], pool: NativeHandle) -> None:
        self.parts, self.pool = parts, pool
        self.resource = pool.resource

    def lower_reference(self, lowering: HclLowering, ref: ir.Expr) -> TypedValue:
        return self.pool.lower_reference(lowering, ref)

    def lower_attribute(self, lowering: HclLowering, ref: ir.AttrRef) -> TypedValue:
        if not ref.path or ref.path[0] != ir.Lit("vip"):
            return self.pool.lower_attribute(lowering, ref)
        word = str(ref.path[1].value) if len(ref.path) == 2 and isinstance(ref.path[1], ir.Lit) else ""
        if word not in ADDRESS:
            why = f"the load balancer and listener of {self.resource.name} have no {word or 'map'}"
            raise CannotSay(codes.NOT_POSSIBLE_IN_HCL, why, ref, self.resource.name)
        part, name, kind = ADDRESS[word]
        return self.parts[part].select_from_instance(
            lowering, ref, lambda base: TypedValue(Attr(base, name), kind), attribute_path(ref.path)
        )


@resource_hook("oldest_pool")
def prepare_pool(emission: Emission, resource: ir.Resource) -> Prepared:
    counted, kind = emission.unit.has_count(resource), emission.mapping_of(resource)

    def make_part(resource_type: str) -> NativeHandle:
        return NativeHandle(
            emission,
            resource,
            kind,
            (resource_type, emission.names.reserve_label(resource_type, snake_case(resource.name))),
            counted=counted,
        )

    handle = Pool({of: make_part(of) for of in (BALANCER, LISTENER)}, make_part(kind.resource))
    return Prepared(handle, lambda: write_native_resource(handle.pool))


@property_hook("oldest_vip")
def write_vip(writer: Writer, entry: ir.Entry) -> Written:
    """Writes the load balancer with the address, the listener with the port, and the pool's persistence."""
    if not isinstance(entry.value, ir.Map):
        raise only_at_run_time("the address of the pool is", entry.value)
    balancer, listener = (
        writer.make_block(address_of_part(writer, of), writer.resource) for of in (BALANCER, LISTENER)
    )
    fields = {field.key: field for field in entry.value.entries}
    for name, field in fields.items():
        if name not in ("subnet", "session_persistence", *ADDRESS):
            why = f"the address of a pool has no {name}"
            raise CannotSay(codes.UNKNOWN_PROPERTY, why, field.key_span, writer.resource.name)
    in_balancer = write_vip_subnet(writer, entry.key, fields.get("subnet"))
    in_balancer += write_vip_field(writer, entry.key, "address", fields)
    in_listener = join_written(write_vip_field(writer, entry.key, name, fields) for name in ("name", "description"))
    in_listener += Written.argument("loadbalancer_id", writer.self_reference("id", balancer))
    protocol = writer.entries.get("protocol")
    in_listener += Written.argument("protocol", protocol and writer.lowering.lower_expression(protocol.value, STRING))
    in_listener += join_written(write_vip_field(writer, entry.key, name, fields) for name in FIELDS[2:])
    written = in_balancer.in_resource(balancer) + in_listener.in_resource(listener)
    if "subnet" in fields and fields["subnet"].value in ir.UNSET:
        written += Written.implied(f"{entry.key}.subnet", "the default is the subnet of the pool")
    if "session_persistence" in fields:
        expr = fields["session_persistence"].value
        written += write_blocks(writer, f"{entry.key}.session_persistence", PERSISTENCE, expr)
    return written


def write_vip_subnet(writer: Writer, path: str, own: ir.Entry | None) -> Written:
    """Writes the subnet of the address, by default that of the pool."""
    is_own = own is not None and own.value not in ir.UNSET
    subnet = own if is_own else writer.entries.get("subnet")
    if subnet is None:
        return Written()
    value, how = writer.emission.data.resolve_name(
        writer.lowering, subnet.value, writer.lookups["subnet"], "id", "subnet"
    )
    written = Written.argument("vip_subnet_id", value.expr, subnet)
    return written + Written.fate(f"{path}.subnet", "vip_subnet_id", how) if is_own else written


def write_vip_field(writer: Writer, path: str, name: str, fields: Mapping[str, ir.Entry]) -> Written:
    """Writes a field of the property vip as an argument."""
    field, (_, argument, kind) = fields.get(name), ADDRESS[name]
    written = Written()
    if name == "name" and (field is None or field.value == ir.NULL):
        written = Written.argument(argument, f"{writer.resource.name}.vip")  # so does Heat
    if field is None:
        return written
    if field.value in ir.UNSET:
        return written + Written.default(f"{path}.{name}")
    value = writer.lowering.lower_expression(field.value, kind)
    return Written.argument(argument, value, field) + Written.fate(f"{path}.{name}", argument, how_written(field.value))


@finish_hook("oldest_pool")
def finish_pool(writer: Writer) -> None:
    """The pool belongs to the listener. The load balancer and the listener, which `write_vip` made, come first."""
    if "vip" not in writer.entries:
        raise missing_property(writer.resource, "vip")
    pool, *others = writer.blocks
    listener = next(block for block in others if block.labels[0] == LISTENER)
    names = [item.name if isinstance(item, Argument) else "" for item in pool.body]
    place = names.index("protocol") if "protocol" in names else len(names)
    pool.body.insert(place, Argument("listener_id", writer.self_reference("id", listener)))
    writer.blocks = [*others, pool]


def address_of_part(writer: Writer, of: str) -> tuple[str, str]:
    """The address of the load balancer or listener of a pool."""
    handle = writer.emission.handles[writer.resource.name]
    assert isinstance(handle, Pool)
    return handle.parts[of].address


@property_hook("oldest_subnet")
def record_member_subnet(writer: Writer, entry: ir.Entry) -> Written:
    """The fate of the members' subnet, which is also the default for the address."""
    address = writer.value_of("vip")
    if isinstance(address, ir.Map) and address.value_of("subnet") not in ir.UNSET:
        return Written.implied(entry.key, "each member has its own subnet argument")
    why = "the subnet of the address; each member has its own subnet argument"
    return Written.fate(entry.key, "vip_subnet_id", "derived", why, ".".join(address_of_part(writer, BALANCER)))


@property_hook("oldest_provider")
def drop_pool_provider(writer: Writer, entry: ir.Entry) -> Written:
    """Drops the provider: Octavia does not have the drivers of LBaaS v1."""
    why = "Octavia has other providers, and uses its default"
    return writer.drop_property(entry, codes.PROPERTY_WITHOUT_COUNTERPART, why)


@property_hook("oldest_monitors")
def record_pool_monitors(writer: Writer, entry: ir.Entry) -> Written:
    """The fate of the monitor, whose own block names its pool."""
    expr, emission = entry.value, writer.emission
    monitor = (
        find_native_resource(emission, expr.items[0], MONITOR)
        if isinstance(expr, ir.Seq) and len(expr.items) == 1
        else None
    )
    if monitor is None:
        why = "an Octavia pool has only one monitor, and it must be native"
        raise CannotSay(codes.KEPT_IN_HEAT, why, expr, writer.resource.name)
    handle = emission.handles[monitor.name]
    assert isinstance(handle, NativeHandle)
    why = "the monitor references the pool"
    return Written.fate(f"{entry.key}.0", "pool_id", "derived", why, ".".join(handle.address))


# monitors


def pools_by_monitor(plan: ConversionPlan) -> dict[str, list[str]]:
    """The names of native pools, by the monitor that they list."""
    pools: dict[str, list[str]] = {}
    for resource in plan.get_index(resources_by_type).get(POOL, ()):
        listed = resource.find_value("monitors", unset=ir.UNSET) if plan.is_native(resource.name) else None
        for item in listed.items if isinstance(listed, ir.Seq) else ():
            if isinstance(item, ir.ResourceRef):
                pools.setdefault(item.name, []).append(resource.name)
    return pools


@finish_hook("oldest_monitor")
def finish_oldest_monitor(writer: Writer) -> None:
    """Writes the one pool that uses this monitor."""
    resource = writer.resource
    pools = writer.emission.unit.plan.get_index(pools_by_monitor).get(resource.name, ())
    if len(pools) != 1:
        why = f"an Octavia monitor belongs to one pool, and this one has {'several' if pools else 'no native pool'}"
        raise CannotSay(codes.KEPT_IN_HEAT, why, resource.name_span, resource.name)
    limit_http_arguments(writer, {})
    place = 1 if writer.is_repeated else 0
    pool = writer.lowering.lower_expression(ir.ResourceRef(pools[0], span=resource.span), STRING)
    writer.block.body.insert(place, Argument("pool_id", pool))

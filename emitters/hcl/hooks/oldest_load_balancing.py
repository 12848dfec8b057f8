"""Hooks of LBaaS v1: pools with an address, and monitors that several pools may share.

In Octavia a pool with an address is a load balancer, a listener and a pool, and a monitor belongs to exactly one pool.
"""

from __future__ import annotations

from typing import final

from emitters.hcl.emission import Emission
from emitters.hcl.errors import CannotSay
from emitters.hcl.hooks import finish_hook, prepare_hook, property_hook, write_hook
from emitters.hcl.hooks.blocks import NOTHING
from emitters.hcl.hooks.old_load_balancing import limit_http_arguments
from emitters.hcl.lowering.lowering import Handle, HclLowering
from emitters.hcl.namespace import snake_case
from emitters.hcl.plan.planner import ConversionPlan, resources_by_type
from emitters.hcl.resources.arguments import how_written
from emitters.hcl.resources.handles import NativeHandle
from emitters.hcl.resources.rules import write_blocks, write_properties
from emitters.hcl.resources.writer import Writer
from emitters.hcl.tables.mapping import ArgumentRule, BlockRule, HookRule, TypeMapping
from emitters.hcl.tree.nodes import Argument, Attr, Block
from emitters.hcl.tree.types import BOOL, NUMBER, STRING, HclType, TypedValue
from transpile.diagnostics import codes
from transpile.model import heat_types, ir
from transpile.report import attribute_path, make_fate

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


@prepare_hook("oldest_pool")
def prepare_pool(emission: Emission, resource: ir.Resource, kind: TypeMapping) -> Handle:
    counted = emission.unit.has_count(resource)

    def make_part(resource_type: str) -> NativeHandle:
        return NativeHandle(
            emission,
            resource,
            kind,
            (resource_type, emission.names.reserve_label(resource_type, snake_case(resource.name))),
            counted=counted,
        )

    return Pool({of: make_part(of) for of in (BALANCER, LISTENER)}, make_part(kind.resource))


@write_hook("oldest_pool")
def write_pool(emission: Emission, resource: ir.Resource, kind: TypeMapping) -> None:
    handle = emission.handles[resource.name]
    assert isinstance(handle, Pool)
    lowering = emission.lowering.with_resource(resource, handle.pool.address[1])
    writer = Writer(emission, resource, kind, handle.pool.address, resource.properties, lowering)
    balancer, listener = (Block("resource", handle.parts[of].address) for of in (BALANCER, LISTENER))
    writer.blocks[:0] = [balancer, listener]
    for block in (balancer, listener):
        block.span = resource.span
        if (repeated := lowering.scope.repeated) is not None:
            block.body.append(Argument(repeated.name, repeated.value))
    write_properties(writer)
    writer.finish_resource()


@property_hook("oldest_vip")
def write_vip(writer: Writer, rule: HookRule, entry: ir.Entry) -> None:
    """Writes the load balancer with the address, the listener with the port, and the pool's persistence. Each field is
    taken out of the map as it is written, so that only unknown ones remain.
    """
    expr, lowering = entry.value, writer.lowering
    if not isinstance(expr, ir.Map):
        raise CannotSay(codes.ONLY_AT_RUN_TIME, "the address of the pool is known only at run time", expr)
    balancer, listener = writer.blocks[0], writer.blocks[1]
    fields = {field.key: field for field in expr.entries}
    persistence = fields.pop("session_persistence", None)
    subnet = fields.get("subnet")
    if subnet is None or subnet.value in NOTHING:
        subnet = writer.entries.get("subnet")
    if subnet is not None:
        subnet_id, how = writer.emission.data.resolve_name(
            lowering, subnet.value, writer.lookups["subnet"], "id", "subnet"
        )
        balancer.add_argument("vip_subnet_id", subnet_id.expr, subnet)
        if "subnet" in fields and fields["subnet"] is subnet:
            writer.record_value(f"{entry.key}.subnet", "vip_subnet_id", how, ".".join(balancer.labels))
    protocol = writer.entries.get("protocol")
    for name in ("address", *FIELDS):
        if name == "protocol_port":
            listener.add_argument("loadbalancer_id", writer.self_reference("id", balancer))
            listener.add_argument(
                "protocol", lowering.lower_expression(protocol.value, STRING) if protocol is not None else None
            )
        field, (part, argument, kind) = fields.pop(name, None), ADDRESS[name]
        if name == "name" and (field is None or field.value == ir.NULL):
            listener.add_argument(argument, f"{writer.resource.name}.vip")  # so does Heat
        if field is not None:
            write_vip_field(
                writer, balancer if part == BALANCER else listener, f"{entry.key}.{name}", field, argument, kind
            )
    if (field := fields.pop("subnet", None)) is not None and field.value in NOTHING:
        writer.record_fate(f"{entry.key}.subnet", make_fate("implied", why="the default is the subnet of the pool"))
    for name, field in fields.items():
        why = f"the address of a pool has no {name}"
        raise CannotSay(codes.UNKNOWN_PROPERTY, why, field.key_span, writer.resource.name)
    names = [item.name if isinstance(item, Argument) else "" for item in writer.block.body]
    place = names.index("protocol") if "protocol" in names else len(names)
    writer.block.body.insert(place, Argument("listener_id", writer.self_reference("id", listener)))
    if persistence is not None:
        write_blocks(writer, writer.block, f"{entry.key}.session_persistence", PERSISTENCE, persistence.value)


def write_vip_field(writer: Writer, block: Block, path: str, field: ir.Entry, argument: str, kind: HclType) -> None:
    """Writes a field of the property vip as an argument."""
    if field.value in NOTHING:
        writer.record_default(path)
        return
    block.add_argument(argument, writer.lowering.lower_expression(field.value, kind), field)
    how = how_written(field.value)
    writer.record_value(path, argument, how, ".".join(block.labels))


@property_hook("oldest_subnet")
def record_member_subnet(writer: Writer, rule: HookRule, entry: ir.Entry) -> None:
    """Records the fate of the members' subnet, which is also the default for the address."""
    address = writer.entries.get("vip")
    own = address.value.get("subnet") if address is not None and isinstance(address.value, ir.Map) else None
    if own is None or own in NOTHING:
        why = "the subnet of the address; each member has its own subnet argument"
        writer.record_fate(entry.key, make_fate("derived", ".".join(writer.blocks[0].labels), "vip_subnet_id", why))
    else:
        writer.record_fate(entry.key, make_fate("implied", why="each member has its own subnet argument"))


@property_hook("oldest_provider")
def drop_pool_provider(writer: Writer, rule: HookRule, entry: ir.Entry) -> None:
    """Drops the provider: Octavia does not have the drivers of LBaaS v1."""
    if entry.value in NOTHING:
        writer.record_default(entry.key)
    else:
        writer.drop_property(
            entry, codes.PROPERTY_WITHOUT_COUNTERPART, "Octavia has other providers, and uses its default"
        )


@property_hook("oldest_monitors")
def record_pool_monitors(writer: Writer, rule: HookRule, entry: ir.Entry) -> None:
    """Records the fate of the monitor, whose own block names its pool."""
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
    writer.record_fate(
        f"{entry.key}.0", make_fate("derived", ".".join(handle.address), "pool_id", "the monitor references the pool")
    )


# monitors


def pools_by_monitor(plan: ConversionPlan) -> dict[str, list[str]]:
    """The names of native pools, by the monitor that they list."""
    pools: dict[str, list[str]] = {}
    for resource in plan.get_index(resources_by_type).get(POOL, ()):
        listed = resource.find_value("monitors", unset=NOTHING) if plan.is_native(resource.name) else None
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
    place = 1 if writer.lowering.scope.repeated is not None else 0
    pool = writer.lowering.lower_expression(ir.ResourceRef(pools[0], span=resource.span), STRING)
    writer.block.body.insert(place, Argument("pool_id", pool))

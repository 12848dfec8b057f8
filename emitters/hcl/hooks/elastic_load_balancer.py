"""AWS::ElasticLoadBalancing::LoadBalancer without Heat: an Octavia load balancer does what Heat's HAProxy server does.

Invariant: the settings are those of the HAProxy configuration that Heat writes, with its simplifications: one listener,
HTTP, and checks that request `/`. The subnet, which no template has, is a variable.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from emitters.hcl.errors import CannotSay
from emitters.hcl.hooks import prepare_hook, write_hook
from emitters.hcl.hooks.values import prop
from emitters.hcl.namespace import snake
from emitters.hcl.plan import scaling
from emitters.hcl.resources.handles import Group, Native
from emitters.hcl.tables.mapping import Attribute, Kind
from emitters.hcl.tree.nodes import Argument, Attr, Block, Fn, Index, Name, Object
from emitters.hcl.tree.types import NUMBER, STRING
from transpile.diagnostics import codes
from transpile.model import heat_types, ir
from transpile.report import NO_VALUE, NOT_IMPLEMENTED, fate

if TYPE_CHECKING:
    from emitters.hcl.emission import Emission
    from emitters.hcl.lowering.lowering import Handle
    from emitters.hcl.resources.writer import Writer
    from emitters.hcl.tree.nodes import Expr

BALANCER, LISTENER = "openstack_lb_loadbalancer_v2", "openstack_lb_listener_v2"
POOL, MONITOR, MEMBER = "openstack_lb_pool_v2", "openstack_lb_monitor_v2", "openstack_lb_member_v2"
KIND = Kind(
    scaling.BALANCER,
    "native",
    resource=BALANCER,
    text="name",
    attributes={"DNSName": Attribute("vip_address")},
    named=("name",),
)
CODE = codes.OCTAVIA_REPLACES_HAPROXY
CHECKS = {
    "Interval": "delay",
    "Timeout": "timeout",
    "HealthyThreshold": "max_retries",
    "UnhealthyThreshold": "max_retries_down",
}
EMPTY = (ir.NULL, ir.Seq(()), ir.Lit(""))
ADDRESS = {heat_types.AWS_INSTANCE: "PublicIp", heat_types.NOVA_SERVER: "first_address"}


@prepare_hook("elastic_load_balancer")
def prepare(emission: Emission, resource: ir.Resource, kind: Kind) -> Handle:
    if emission.unit.counted(resource):
        why = f"hot2tf cannot convert a load balancer with a condition, like {resource.name}"
        raise CannotSay(codes.KEPT_IN_HEAT, why, resource.name_span, resource.name)
    return Native(emission, resource, KIND, (BALANCER, emission.names.label(BALANCER, snake(resource.name))))


@write_hook("elastic_load_balancer")
def write(emission: Emission, resource: ir.Resource, kind: Kind) -> None:
    from emitters.hcl.resources.writer import Writer

    handle = emission.handles[resource.name]
    assert isinstance(handle, Native)
    lowering = emission.lowering.of_resource(resource, handle.address[1])
    writer = Writer(emission, resource, KIND, handle.address, resource.properties, lowering)
    listener, label = first_listener(writer), handle.address[1]
    writer.block.set("name", writer.made_up_name())
    where = subnet(emission, resource, label)
    writer.block.set("vip_subnet_id", where)
    groups(writer)
    front = writer.beside(LISTENER, label)
    front.set("loadbalancer_id", writer.self_reference("id"))
    front.set("protocol", "HTTP")
    front.set("protocol_port", number(writer, listener, "LoadBalancerPort"))
    front.set("insert_headers", Object((("X-Forwarded-For", "true"),)))
    pool = writer.beside(POOL, label)
    pool.set("listener_id", writer.self_reference("id", front))
    pool.set("protocol", "HTTP")
    pool.set("lb_method", "ROUND_ROBIN")
    monitor(writer, pool, label)
    members(writer, pool, listener, label)
    listened(writer, front)
    others(writer)
    for block in writer.blocks:
        writer.complete(block)
    writer.report.treatment = "native"
    emission.log.differs(
        CODE,
        f"Octavia serves {resource.name} in the subnet var.{where.parts[1]}, where Heat starts a server with HAProxy.",
        resource.type_span,
    )
    writer.finish()


def refuse(writer: Writer, why: str, entry: ir.Entry) -> CannotSay:
    """The error for a property that is known only at run time."""
    return CannotSay(codes.ONLY_AT_RUN_TIME, why, entry.value, writer.resource.name)


def first_listener(writer: Writer) -> ir.Map:
    """The listener that Heat uses. It ignores all others."""
    entry = writer.given["Listeners"]
    found = entry.value.items[0] if isinstance(entry.value, ir.Seq) and entry.value.items else None
    if not isinstance(found, ir.Map):
        raise refuse(writer, f"the listeners of {writer.resource.name} are known only at run time", entry)
    return found


def number(writer: Writer, fields: ir.Map, key: str) -> Expr:
    """A number that Heat requires."""
    value = fields.get(key)
    if value is None:
        why = f"{key} of {writer.resource.name} is required, and Heat rejects the template without it"
        raise CannotSay(codes.WRONG_PROPERTY_TYPE, why, fields, writer.resource.name)
    return writer.lowering.expr(value, NUMBER)


def subnet(emission: Emission, resource: ir.Resource, label: str) -> Name:
    """The variable for the subnet of the load balancer."""
    return emission.variables.get(
        f"open {resource.name}.vip_subnet_id",
        f"{label}_subnet_id",
        f"Subnet (an ID) of the address of the load balancer {resource.name}; the template has none.",
        Name(("string",)),
        nullable=False,
    )


def groups(writer: Writer) -> None:
    """Writes the security groups, which Heat gives to its server by name."""
    entry = prop(writer.resource, "SecurityGroups")
    if entry is None or entry.value in EMPTY:
        return
    found, hows = writer.emission.data.many(
        writer.lowering, entry.value, writer.lookups["security_group"], "id", "security_group"
    )
    writer.block.set("security_group_ids", found.expr, entry)
    writer.is_value(entry.key, "security_group_ids", hows[0] if len(set(hows)) == 1 else "lookup")


def monitor(writer: Writer, pool: Block, label: str) -> None:
    """Writes the checks. Heat configures HAProxy to request `/`, whatever the target is."""
    entry = prop(writer.resource, "HealthCheck")
    if entry is None:
        return
    if not isinstance(entry.value, ir.Map):
        raise refuse(writer, f"the checks of {writer.resource.name} are known only at run time", entry)
    block = writer.beside(MONITOR, label, entry)
    block.set("pool_id", writer.self_reference("id", pool))
    block.set("type", "HTTP")
    block.set("http_method", "OPTIONS")
    block.set("url_path", "/")
    block.set("expected_codes", "200-399")
    to = block.address
    for key, argument in CHECKS.items():
        block.set(argument, number(writer, entry.value, key))
        writer.is_value(f"{entry.key}.{key}", argument, to=to)
    writer.fate(f"{entry.key}.Target", fate("implied", to, "url_path", "Heat ignores it, and requests /"))


def members(writer: Writer, pool: Block, listener: ir.Map, label: str) -> None:
    """Writes a member for each instance: those of the template, or all of the groups that name the load balancer."""
    emission, own = writer.emission, prop(writer.resource, "Instances")
    port = number(writer, listener, "InstancePort")
    scaled = scaling.balanced(emission.unit.stack, writer.resource.name)
    listed = own.value if own is not None and own.value not in EMPTY else ir.Seq(())
    if own is not None and not isinstance(listed, ir.Seq):
        raise refuse(writer, f"the instances of {writer.resource.name} are known only at run time", own)
    assert isinstance(listed, ir.Seq)
    for i, item in enumerate(listed.items):
        kind = emission.unit.stack.types.get(item.name, "") if isinstance(item, ir.ResourceRef) else ""
        if not isinstance(item, ir.ResourceRef) or kind not in ADDRESS or scaled or counted(emission, item.name):
            why = f"the instances of {writer.resource.name} are known only at run time"
            raise CannotSay(codes.ONLY_AT_RUN_TIME, why, item, writer.resource.name)
        block = writer.beside(MEMBER, snake(f"{label}_{item.name}"), item)
        block.set("pool_id", writer.self_reference("id", pool))
        address = ir.AttrRef(item.name, (ir.Lit(ADDRESS[kind]),), span=item.span)
        block.set("address", writer.lowering.expr(address, STRING))
        block.set("protocol_port", port)
        writer.is_value(f"Instances.{i}", "address", "derived", block.address, "the address of the instance")
    for name in scaled:
        handle = emission.handles[name]
        if not isinstance(handle, Group):
            why = f"the group {name} stays with Heat"
            raise CannotSay(codes.KEPT_IN_HEAT, why, writer.resource, writer.resource.name)
        # The group has `count` itself, so the number of its members is known when Terraform plans.
        base, index = Name(handle.native.address), Name(("count", "index"))
        block = writer.beside(MEMBER, snake(f"{label}_{name}"))
        block.body.append(Argument("count", Fn("length", (base,))))
        block.set("pool_id", writer.self_reference("id", pool))
        block.set("address", Attr(Index(base, index), "access_ip_v4"))
        block.set("protocol_port", port)


def counted(emission: Emission, name: str) -> bool:
    """Whether a resource has a condition that is known only at run time."""
    return emission.unit.counted(emission.unit.template.resources[name])


def listened(writer: Writer, front: Block) -> None:
    """Records the fates of the listeners: Heat uses the first one."""
    entry = writer.given["Listeners"]
    for i, item in enumerate(entry.value.items if isinstance(entry.value, ir.Seq) else ()):
        if i:
            writer.fate(f"{entry.key}.{i}", fate("implied", why="Heat uses only the first listener"))
            continue
        for field in item.entries if isinstance(item, ir.Map) else ():
            path = f"{entry.key}.{i}.{field.key}"
            if field.key == "LoadBalancerPort":
                writer.is_value(path, "protocol_port", to=front.address)
            elif field.key == "InstancePort":
                writer.is_value(path, "protocol_port", "derived", MEMBER, "the port of every member")
            elif field.key == "Protocol":
                writer.is_value(path, "protocol", "derived", front.address, "Heat's load balancer takes all as HTTP")
            else:
                writer.drop(field, codes.PROPERTY_WITHOUT_COUNTERPART, NOT_IMPLEMENTED, f"{entry.key}.{i}")


def others(writer: Writer) -> None:
    """Records the fates of all properties that the other functions do not write."""
    for entry in writer.given.values():
        if entry.key in ("Listeners", "HealthCheck", "Instances", "SecurityGroups") and entry.value not in EMPTY:
            continue
        if entry.value in EMPTY:
            writer.fate(entry.key, fate("implied", why=NO_VALUE))
        elif entry.key == "AvailabilityZones":
            writer.fate(entry.key, fate("implied", why="Heat ignores it"))
        else:
            writer.drop(entry, codes.PROPERTY_WITHOUT_COUNTERPART, NOT_IMPLEMENTED)

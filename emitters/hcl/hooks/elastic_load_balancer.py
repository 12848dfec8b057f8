"""AWS::ElasticLoadBalancing::LoadBalancer without Heat: an Octavia load balancer takes the place of Heat's HAProxy
server.

Invariant: the settings are those of the HAProxy configuration that Heat writes, with its simplifications: one listener,
HTTP, and checks that request `/`. The subnet, which no template has, is a variable.
"""

from __future__ import annotations

from emitters.hcl.emission import Emission
from emitters.hcl.errors import CannotSay, only_at_run_time
from emitters.hcl.hooks import Prepared, resource_hook
from emitters.hcl.namespace import snake_case
from emitters.hcl.plan import scaling
from emitters.hcl.resources.group_handles import GroupHandle
from emitters.hcl.resources.handles import NativeHandle
from emitters.hcl.resources.writer import Writer, begin_writer
from emitters.hcl.resources.written import Written
from emitters.hcl.tables.mapping import AttributeRule, TypeMapping
from emitters.hcl.tree.nodes import Argument, Attr, Block, Expr, Fn, Index, Object, Traversal
from emitters.hcl.tree.types import NUMBER, STRING
from transpile.diagnostics import codes
from transpile.model import heat_types, ir
from transpile.report import NO_VALUE, NOT_IMPLEMENTED, make_fate

BALANCER, LISTENER = "openstack_lb_loadbalancer_v2", "openstack_lb_listener_v2"
POOL, MONITOR, MEMBER = "openstack_lb_pool_v2", "openstack_lb_monitor_v2", "openstack_lb_member_v2"
KIND = TypeMapping(
    scaling.BALANCER,
    "native",
    resource=BALANCER,
    text="name",
    attributes={"DNSName": AttributeRule("vip_address")},
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


@resource_hook("elastic_load_balancer")
def prepare_elastic_load_balancer(emission: Emission, resource: ir.Resource) -> Prepared:
    if emission.unit.has_count(resource):
        why = f"hot2tf cannot convert a load balancer with a condition, like {resource.name}"
        raise CannotSay(codes.KEPT_IN_HEAT, why, resource.name_span, resource.name)
    label = emission.names.reserve_label(BALANCER, snake_case(resource.name))
    handle = NativeHandle(emission, resource, KIND, (BALANCER, label))
    return Prepared(handle, lambda: write_elastic_load_balancer(handle))


def write_elastic_load_balancer(handle: NativeHandle) -> None:
    emission, resource, writer = handle.emission, handle.resource, begin_writer(handle)
    listener, label = first_listener(writer), handle.address[1]
    writer.block.add_argument("name", writer.made_up_name())
    where = subnet_variable(emission, resource, label)
    writer.block.add_argument("vip_subnet_id", where)
    write_balancer_groups(writer)
    front = writer.add_block(LISTENER, label)
    front.add_argument("loadbalancer_id", writer.self_reference("id"))
    front.add_argument("protocol", "HTTP")
    front.add_argument("protocol_port", lower_required_number(writer, listener, "LoadBalancerPort"))
    front.add_argument("insert_headers", Object((("X-Forwarded-For", "true"),)))
    pool = writer.add_block(POOL, label)
    pool.add_argument("listener_id", writer.self_reference("id", front))
    pool.add_argument("protocol", "HTTP")
    pool.add_argument("lb_method", "ROUND_ROBIN")
    write_health_monitor(writer, pool, label)
    write_balancer_members(writer, pool, listener, label)
    record_listener_fates(writer, front)
    record_other_fates(writer)
    for block in writer.blocks:
        writer.check_block(block)
    writer.report.treatment = "native"
    emission.log.report_difference(
        CODE,
        f"Octavia serves {resource.name} in the subnet var.{where.parts[1]}, where Heat starts a server with HAProxy.",
        resource.type_span,
    )
    writer.finish_resource()


def first_listener(writer: Writer) -> ir.Map:
    """The listener that Heat uses. It ignores all others."""
    entry = writer.entries["Listeners"]
    listener = entry.value.items[0] if isinstance(entry.value, ir.Seq) and entry.value.items else None
    if not isinstance(listener, ir.Map):
        raise only_at_run_time(f"the listeners of {writer.resource.name} are", entry.value, writer.resource.name)
    return listener


def lower_required_number(writer: Writer, fields: ir.Map, key: str) -> Expr:
    """A number that Heat requires."""
    value = fields.get(key)
    if value is None:
        why = f"{key} of {writer.resource.name} is required, and Heat rejects the template without it"
        raise CannotSay(codes.WRONG_PROPERTY_TYPE, why, fields, writer.resource.name)
    return writer.lowering.lower_expression(value, NUMBER)


def subnet_variable(emission: Emission, resource: ir.Resource, label: str) -> Traversal:
    """The variable for the subnet of the load balancer."""
    return emission.variables.get_variable(
        f"open {resource.name}.vip_subnet_id",
        f"{label}_subnet_id",
        f"Subnet (an ID) of the address of the load balancer {resource.name}; the template has none.",
        Traversal(("string",)),
        nullable=False,
    )


def write_balancer_groups(writer: Writer) -> None:
    """Writes the security groups, which Heat gives to its server by name."""
    entry = writer.resource.find_entry("SecurityGroups", unset=ir.UNSET)
    if entry is None:
        return
    group_ids, hows = writer.emission.data.resolve_list(
        writer.lowering, entry.value, writer.lookups["security_group"], "id", "security_group"
    )
    how = hows[0] if len(set(hows)) == 1 else "lookup"
    writer.add(Written.value(entry, "security_group_ids", group_ids.expr, how))


def write_health_monitor(writer: Writer, pool: Block, label: str) -> None:
    """Writes the health checks. Heat configures HAProxy to request `/` from every target."""
    entry = writer.resource.find_entry("HealthCheck")
    if entry is None:
        return
    if not isinstance(entry.value, ir.Map):
        raise only_at_run_time(f"the checks of {writer.resource.name} are", entry.value, writer.resource.name)
    block = writer.add_block(MONITOR, label, entry)
    block.add_argument("pool_id", writer.self_reference("id", pool))
    block.add_argument("type", "HTTP")
    block.add_argument("http_method", "OPTIONS")
    block.add_argument("url_path", "/")
    block.add_argument("expected_codes", "200-399")
    to = block.address
    for key, argument in CHECKS.items():
        block.add_argument(argument, lower_required_number(writer, entry.value, key))
        writer.record_value(f"{entry.key}.{key}", argument, to=to)
    writer.record_fate(f"{entry.key}.Target", make_fate("implied", to, "url_path", "Heat ignores it, and requests /"))


def write_balancer_members(writer: Writer, pool: Block, listener: ir.Map, label: str) -> None:
    """Writes a member for each instance: those of the template, or all of the groups that name the load balancer."""
    emission, own = writer.emission, writer.resource.find_entry("Instances", unset=ir.UNSET)
    port = lower_required_number(writer, listener, "InstancePort")
    scaled = scaling.groups_of_balancer(emission.unit.stack, writer.resource.name)
    listed = writer.resource.find_value("Instances", unset=ir.UNSET) or ir.Seq(())
    if own is not None and not isinstance(listed, ir.Seq):
        raise only_at_run_time(f"the instances of {writer.resource.name} are", own.value, writer.resource.name)
    assert isinstance(listed, ir.Seq)
    for i, item in enumerate(listed.items):
        kind = emission.unit.stack.types.get(item.name, "") if isinstance(item, ir.ResourceRef) else ""
        if (
            not isinstance(item, ir.ResourceRef)
            or kind not in ADDRESS
            or scaled
            or emission.unit.has_count(emission.unit.template.resources[item.name])
        ):
            raise only_at_run_time(f"the instances of {writer.resource.name} are", item, writer.resource.name)
        block = writer.add_block(MEMBER, snake_case(f"{label}_{item.name}"), item)
        block.add_argument("pool_id", writer.self_reference("id", pool))
        address = ir.AttrRef(item.name, (ir.Lit(ADDRESS[kind]),), span=item.span)
        block.add_argument("address", writer.lowering.lower_expression(address, STRING))
        block.add_argument("protocol_port", port)
        writer.record_value(f"Instances.{i}", "address", "derived", block.address, "the address of the instance")
    for name in scaled:
        handle = emission.handles[name]
        if not isinstance(handle, GroupHandle):
            why = f"the group {name} stays with Heat"
            raise CannotSay(codes.KEPT_IN_HEAT, why, writer.resource, writer.resource.name)
        # The group has `count` itself, so the number of its members is known when Terraform plans.
        base, index = Traversal(handle.native.address), Traversal(("count", "index"))
        block = writer.add_block(MEMBER, snake_case(f"{label}_{name}"))
        block.body.append(Argument("count", Fn("length", (base,))))
        block.add_argument("pool_id", writer.self_reference("id", pool))
        block.add_argument("address", Attr(Index(base, index), "access_ip_v4"))
        block.add_argument("protocol_port", port)


def record_listener_fates(writer: Writer, front: Block) -> None:
    """Records the fates of the listeners: Heat uses the first one."""
    entry = writer.entries["Listeners"]
    for i, item in enumerate(entry.value.items if isinstance(entry.value, ir.Seq) else ()):
        if i:
            writer.record_fate(f"{entry.key}.{i}", make_fate("implied", why="Heat uses only the first listener"))
            continue
        for field in item.entries if isinstance(item, ir.Map) else ():
            path = f"{entry.key}.{i}.{field.key}"
            if field.key == "LoadBalancerPort":
                writer.record_value(path, "protocol_port", to=front.address)
            elif field.key == "InstancePort":
                writer.record_value(path, "protocol_port", "derived", MEMBER, "the port of every member")
            elif field.key == "Protocol":
                writer.record_value(
                    path, "protocol", "derived", front.address, "Heat's load balancer takes all as HTTP"
                )
            else:
                writer.add(
                    writer.drop_property(field, codes.PROPERTY_WITHOUT_COUNTERPART, NOT_IMPLEMENTED, f"{entry.key}.{i}")
                )


def record_other_fates(writer: Writer) -> None:
    """Records the fates of all properties that the other functions do not write."""
    for entry in writer.entries.values():
        if entry.key in ("Listeners", "HealthCheck", "Instances", "SecurityGroups") and entry.value not in EMPTY:
            continue
        if entry.value in EMPTY:
            writer.record_fate(entry.key, make_fate("implied", why=NO_VALUE))
        elif entry.key == "AvailabilityZones":
            writer.record_fate(entry.key, make_fate("implied", why="Heat ignores it"))
        else:
            writer.add(writer.drop_property(entry, codes.PROPERTY_WITHOUT_COUNTERPART, NOT_IMPLEMENTED))

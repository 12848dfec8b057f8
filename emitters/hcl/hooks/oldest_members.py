"""Hooks of LBaaS v1 members: servers, or addresses, in a pool.

An Octavia member is an address, so a server is replaced by its address. A member also has the subnet, which in LBaaS v1
was a property of the pool.
"""

from __future__ import annotations

from emitters.hcl.emission import Emission
from emitters.hcl.errors import CannotSay
from emitters.hcl.hooks import Prepared, finish_hook, resource_hook
from emitters.hcl.hooks.oldest_load_balancing import POOL, find_native_resource
from emitters.hcl.namespace import snake_case
from emitters.hcl.resources.arguments import how_written
from emitters.hcl.resources.group_handles import GroupHandle
from emitters.hcl.resources.handles import NoneHandle
from emitters.hcl.resources.writer import Writer
from emitters.hcl.tree.nodes import Block, Expr, Fn, Index, Traversal
from emitters.hcl.tree.types import NUMBER, STRING, STRINGS
from transpile.diagnostics import codes
from transpile.model import heat_types, ir
from transpile.model.attribute_paths import ReferenceList
from transpile.model.span import Span
from transpile.report import make_fate

SERVER, INSTANCE = heat_types.NOVA_SERVER, "openstack_compute_instance_v2"
ADDRESS = "the address of the server"


def subnet_of_pool(writer: Writer, pool: ir.Expr) -> Expr:
    """The subnet of a native pool. Null for any other pool."""
    resource = find_native_resource(writer.emission, pool, POOL)
    subnet = resource.find_value("subnet", "subnet_id", unset=ir.UNSET) if resource is not None else None
    if subnet is None:
        return None
    return writer.emission.data.resolve_name(writer.lowering, subnet, writer.lookups["subnet"], "id", "subnet")[0].expr


@finish_hook("oldest_member")
def finish_pool_member(writer: Writer) -> None:
    if (subnet := subnet_of_pool(writer, writer.value_of("pool_id"))) is not None:
        writer.block.add_argument("subnet_id", subnet)


# OS::Neutron::LoadBalancer: servers in a pool


@resource_hook("oldest_members")
def prepare_pool_members(emission: Emission, resource: ir.Resource) -> Prepared:
    return Prepared(NoneHandle(resource), lambda: write_pool_members(emission, resource))


def write_pool_members(emission: Emission, resource: ir.Resource) -> None:
    """Writes one member for each server, or one resource with `for_each` for a list known only at run time."""
    label, kind = snake_case(resource.name), emission.mapping_of(resource)
    lowering = emission.lowering.with_resource(resource, label)
    writer = Writer(emission, resource, kind, (kind.resource, label), resource.properties, lowering)
    writer.blocks = []
    servers = writer.entries.get("members")
    if servers is not None and isinstance(servers.value, ir.Seq):
        items = servers.value.items
        for i, server in enumerate(items):
            member_label = f"{label}_{i}" if len(items) > 1 else label
            block = writer.add_block(kind.resource, member_label, server)
            write_member_arguments(writer, block, lower_server_address(writer, server, member_label), server)
            writer.record_value(f"{servers.key}.{i}", "address", "derived", ".".join(block.labels), ADDRESS)
    elif servers is not None and servers.value not in ir.UNSET:
        write_listed_members(writer, servers, label)
    for block in writer.blocks:
        writer.check_block(block)
    for entry in writer.entries.values():
        if not writer.blocks:
            writer.record_fate(entry.key, make_fate("implied", why="there are no servers"))
        elif entry is not servers:
            how = how_written(entry.value)
            writer.record_value(entry.key, entry.key, how, ".".join(writer.blocks[0].labels))
    if not writer.blocks:
        writer.report.treatment, writer.report.why = "folded", "there are no servers"
    writer.finish_resource()


def unknown_address_error(writer: Writer, expr: ir.Expr, *, avoidable: bool = False) -> CannotSay:
    """The error for servers whose addresses no data source can look up."""
    why = "an Octavia member is an address, and the addresses of these servers are not known"
    return CannotSay(codes.KEPT_IN_HEAT, why, expr, writer.resource.name, avoidable=avoidable)


def lower_server_address(writer: Writer, server: ir.Expr, label: str) -> Expr:
    """The address of a server: of the template, or looked up by ID."""
    emission, lowering = writer.emission, writer.lowering
    if isinstance(server, ir.ResourceRef) and emission.unit.stack.types.get(server.name) == SERVER:
        path = (ir.Lit("first_address"),)
        return lowering.lower_expression(ir.AttrRef(server.name, path, span=server.span), STRING)
    if server == ir.NULL:
        raise unknown_address_error(writer, server)
    later = emission.unit.is_unknown_before_apply(server) and not emission.unit.policy.accepts_differences
    if later or writer.is_repeated:
        raise unknown_address_error(writer, server, avoidable=not writer.is_repeated)
    source = Block("data", emission.names.reserve_data_source(INSTANCE, label), span=server.span)
    source.add_argument("id", lowering.lower_expression(server, STRING))
    emission.blocks.data.append(source)
    return Traversal(("data", *source.labels, "access_ip_v4"))


def write_listed_members(writer: Writer, servers: ir.Entry, label: str) -> None:
    """Writes the members for a list of server IDs."""
    emission, expr = writer.emission, servers.value
    if (addresses := lower_group_addresses(writer, expr)) is not None:
        every = emission.blocks.share_local(f"{label}_addresses", addresses)
        block = writer.add_block(writer.kind.resource, label, servers)
        block.add_argument("count", Fn("length", (every,)))
        write_member_arguments(writer, block, Index(every, Traversal(("count", "index"))), expr)
        writer.record_value(servers.key, "address", "derived", ".".join(block.labels), ADDRESS)
        return
    if writer.emission.unit.is_unknown_before_apply(expr) or writer.is_repeated:
        raise unknown_address_error(writer, expr, avoidable=is_list_of_servers(writer, expr))
    over = writer.lowering.lower_value(expr, STRINGS).expr
    if isinstance(expr, ir.ParamRef):
        over = emission.symbols.expose_for_each_keys(expr, over)
    source = Block("data", emission.names.reserve_data_source(INSTANCE, label), span=Span(servers.at, expr.end))
    source.add_argument("for_each", Fn("toset", (over,)))
    source.add_argument("id", Traversal(("each", "value")))
    emission.blocks.data.append(source)
    block = writer.add_block(writer.kind.resource, label, servers)
    block.add_argument("for_each", Traversal(("data", *source.labels)))
    write_member_arguments(writer, block, Traversal(("each", "value", "access_ip_v4")), expr)
    writer.record_value(servers.key, "address", "derived", ".".join(block.labels), ADDRESS)


def lower_group_addresses(writer: Writer, expr: ir.Expr) -> Expr | None:
    """With a preference, the addresses of the servers of a group, for an attribute that is the list of their IDs. None
    for anything else.
    """
    if not writer.emission.unit.policy.accepts_differences or not isinstance(expr, ir.AttrRef):
        return None
    if not is_list_of_servers(writer, expr):
        return None
    writer.lowering.lower_value(expr)  # records the reference in the report
    return writer.lowering.lower_expression(ir.AttrRef(expr.name, (ir.Lit("first_address"),), span=expr.span), STRINGS)


def is_list_of_servers(writer: Writer, expr: ir.Expr) -> bool:
    """Whether a value is the list of the servers of a group. Members of another group have no such lists."""
    group = writer.emission.handles.get(expr.name) if isinstance(expr, ir.AttrRef) else None
    return (
        isinstance(expr, ir.AttrRef)
        and not writer.is_repeated
        and isinstance(group, GroupHandle)
        and group.native.kind.name == SERVER
        and group.selection_at(expr.path) == ReferenceList()
    )


def write_member_arguments(writer: Writer, block: Block, address: Expr, at: ir.Expr) -> None:
    """Writes the arguments of a member."""
    pool, port = writer.entries.get("pool_id"), writer.entries.get("protocol_port")
    if pool is not None:
        block.add_argument("pool_id", writer.lowering.lower_expression(pool.value, STRING), pool)
    block.add_argument("address", address, at)
    if port is not None:
        block.add_argument("protocol_port", writer.lowering.lower_expression(port.value, NUMBER), port)
    if (subnet := subnet_of_pool(writer, writer.value_of("pool_id"))) is not None:
        block.add_argument("subnet_id", subnet)

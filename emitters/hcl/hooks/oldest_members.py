"""Hooks of LBaaS v1 members: servers, or addresses, in a pool.

An Octavia member is an address, so a server is replaced by its address. A member also has the subnet, which in LBaaS v1
was a property of the pool.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from emitters.hcl.errors import CannotSay
from emitters.hcl.hooks import finish_hook, prepare_hook, write_hook
from emitters.hcl.hooks.oldest_load_balancing import POOL, native_of, prop
from emitters.hcl.namespace import snake
from emitters.hcl.plan.preferences import FAITHFUL
from emitters.hcl.resources.arguments import how_written
from emitters.hcl.resources.handles import Group, Nothing
from emitters.hcl.resources.writer import Writer
from emitters.hcl.tree.nodes import Block, Expr, Fn, Index, Name
from emitters.hcl.tree.types import NUMBER, STRING, STRINGS
from transpile.diagnostics import codes
from transpile.model import heat_types, ir
from transpile.model.attribute_paths import References
from transpile.model.span import Span
from transpile.report import fate

if TYPE_CHECKING:
    from emitters.hcl.emission import Emission
    from emitters.hcl.lowering.lowering import Handle
    from emitters.hcl.tables.mapping import Kind

SERVER, INSTANCE = heat_types.NOVA_SERVER, "openstack_compute_instance_v2"
NONE = (ir.NULL, ir.Lit(""), ir.Seq(()))
ADDRESS = "the address of the server"


def subnet_of(writer: Writer, pool: ir.Expr | None) -> Expr:
    """The subnet of a native pool. Null for any other pool."""
    found = native_of(writer.emission, pool, POOL)
    subnet = prop(found, "subnet", "subnet_id") if found is not None else None
    if subnet is None:
        return None
    return writer.emission.data.one(writer.lowering, subnet, writer.lookups["subnet"], "id", "subnet")[0].expr


@finish_hook("oldest_member")
def finish_member(writer: Writer) -> None:
    entry = writer.given.get("pool_id")
    if (subnet := subnet_of(writer, entry.value if entry is not None else None)) is not None:
        writer.block.set("subnet_id", subnet)


# OS::Neutron::LoadBalancer: servers in a pool


@prepare_hook("oldest_members")
def prepare_members(emission: Emission, resource: ir.Resource, kind: Kind) -> Handle:
    return Nothing(resource)


@write_hook("oldest_members")
def write_members(emission: Emission, resource: ir.Resource, kind: Kind) -> None:
    """Writes one member for each server, or one resource with `for_each` for a list known only at run time."""
    label = snake(resource.name)
    lowering = emission.lowering.of_resource(resource, label)
    writer = Writer(emission, resource, kind, (kind.resource, label), resource.properties, lowering)
    writer.blocks = []
    servers = writer.given.get("members")
    if servers is not None and isinstance(servers.value, ir.Seq):
        items = servers.value.items
        for i, server in enumerate(items):
            one = f"{label}_{i}" if len(items) > 1 else label
            block = writer.beside(kind.resource, one, server)
            member(writer, block, address_of(writer, server, one), server)
            writer.is_value(f"{servers.key}.{i}", "address", "derived", ".".join(block.labels), ADDRESS)
    elif servers is not None and servers.value not in NONE:
        listed(writer, servers, label)
    for block in writer.blocks:
        writer.complete(block)
    for entry in writer.given.values():
        if not writer.blocks:
            writer.fate(entry.key, fate("implied", why="there are no servers"))
        elif entry is not servers:
            how = how_written(entry.value)
            writer.is_value(entry.key, entry.key, how, ".".join(writer.blocks[0].labels))
    if not writer.blocks:
        writer.report.treatment, writer.report.why = "folded", "there are no servers"
    writer.finish()


def unknown(writer: Writer, expr: ir.Expr) -> CannotSay:
    """The error for servers whose addresses no data source can look up."""
    why = "an Octavia member is an address, and the addresses of these servers are not known"
    return CannotSay(codes.KEPT_IN_HEAT, why, expr, writer.resource.name)


def address_of(writer: Writer, server: ir.Expr, label: str) -> Expr:
    """The address of a server: of the template, or looked up by ID."""
    emission, lowering = writer.emission, writer.lowering
    if isinstance(server, ir.ResourceRef) and emission.unit.stack.types.get(server.name) == SERVER:
        path = (ir.Lit("first_address"),)
        return lowering.expr(ir.AttrRef(server.name, path, span=server.span), STRING)
    later = emission.unit.unknown(server) and emission.unit.plan.prefer == FAITHFUL
    if later or writer.lowering.scope.repeated is not None:
        raise unknown(writer, server)
    source = Block("data", emission.names.data_source(INSTANCE, label), span=server.span)
    source.set("id", lowering.expr(server, STRING))
    emission.blocks.data.append(source)
    return Name(("data", *source.labels, "access_ip_v4"))


def listed(writer: Writer, servers: ir.Entry, label: str) -> None:
    """Writes the members for a list of server IDs."""
    emission, expr = writer.emission, servers.value
    if (addresses := of_group(writer, expr)) is not None:
        every = emission.blocks.local(f"{label}_addresses", addresses)
        block = writer.beside(writer.kind.resource, label, servers)
        block.set("count", Fn("length", (every,)))
        member(writer, block, Index(every, Name(("count", "index"))), expr)
        writer.is_value(servers.key, "address", "derived", ".".join(block.labels), ADDRESS)
        return
    if writer.emission.unit.unknown(expr) or writer.lowering.scope.repeated is not None:
        raise unknown(writer, expr)
    over = writer.lowering.value(expr, STRINGS).expr
    if isinstance(expr, ir.ParamRef):
        over = emission.symbols.shown(expr, over)
    source = Block("data", emission.names.data_source(INSTANCE, label), span=Span(servers.at, expr.end))
    source.set("for_each", Fn("toset", (over,)))
    source.set("id", Name(("each", "value")))
    emission.blocks.data.append(source)
    block = writer.beside(writer.kind.resource, label, servers)
    block.set("for_each", Name(("data", *source.labels)))
    member(writer, block, Name(("each", "value", "access_ip_v4")), expr)
    writer.is_value(servers.key, "address", "derived", ".".join(block.labels), ADDRESS)


def of_group(writer: Writer, expr: ir.Expr) -> Expr | None:
    """With a preference, the addresses of the servers of a group, for an attribute that is the list of their IDs. None
    for anything else.
    """
    emission = writer.emission
    if emission.unit.plan.prefer == FAITHFUL or writer.lowering.scope.repeated is not None:
        return None
    group = emission.handles.get(expr.name) if isinstance(expr, ir.AttrRef) else None
    if not isinstance(expr, ir.AttrRef) or not isinstance(group, Group) or group.native.kind.name != SERVER:
        return None
    if group.selection(expr.path) != References():
        return None
    writer.lowering.value(expr)  # records the reference in the report
    return writer.lowering.expr(ir.AttrRef(expr.name, (ir.Lit("first_address"),), span=expr.span), STRINGS)


def member(writer: Writer, block: Block, address: Expr, at: ir.Expr) -> None:
    """Writes the arguments of a member."""
    pool, port = writer.given.get("pool_id"), writer.given.get("protocol_port")
    if pool is not None:
        block.set("pool_id", writer.lowering.expr(pool.value, STRING), pool)
    block.set("address", address, at)
    if port is not None:
        block.set("protocol_port", writer.lowering.expr(port.value, NUMBER), port)
    if (subnet := subnet_of(writer, pool.value if pool is not None else None)) is not None:
        block.set("subnet_id", subnet)

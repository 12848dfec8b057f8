"""The ports that Nova makes for the NICs of a server: a data source finds each by the server and the network.

Invariant: the data source is read after the server is made, since it refers to its ID. If the server has several ports
on the network, Terraform fails: Heat would take the first one, and nothing says which that is.
"""

from __future__ import annotations

from emitters.hcl.emission import Emission
from emitters.hcl.errors import CannotSay
from emitters.hcl.lowering.lowering import HclLowering
from emitters.hcl.namespace import snake_case
from emitters.hcl.tree.nodes import Attr, Block, Expr, Index, Splat, Traversal, count_if
from emitters.hcl.tree.types import STRING, TypedValue
from transpile.model import ir

PORT = "openstack_networking_port_v2"
NAME_PATHS = ((ir.Lit("name"),), (ir.Lit("show"), ir.Lit("name")))


def find_made_port(emission: Emission, server: ir.Resource, base: Expr, network: Expr | None, nic: int) -> TypedValue:
    """The ID of the port that a server has on a network. base: the instance from which it is read. network: the ID of
    the network; None for that of a NIC, whose index is `nic`.
    """
    name = base.of if isinstance(base, (Index, Splat)) else base
    assert isinstance(name, Traversal)
    counted = not isinstance(base, Traversal)
    key = "port of server", server.name, nic, network
    if key not in emission.data.made:
        label = f"{server.name}_port_{nic}" if nic else f"{server.name}_port"
        address = emission.names.reserve_data_source(PORT, snake_case(label))
        block = Block("data", address)
        instance: Expr = name
        if counted and server.is_conditional:
            block.add_argument("count", count_if(emission.lowering.lower_condition(server.condition)))
            instance = Index(name, 0)
        of_nic = Attr(Index(Attr(instance, "network"), nic), "uuid")
        block.add_argument("device_id", Attr(instance, "id"))
        block.add_argument("network_id", of_nic if network is None else network)
        emission.blocks.data.append(block)
        emission.data.made[key] = address
    data = Traversal(("data", *emission.data.made[key]))
    of: Expr = Splat(data) if isinstance(base, Splat) else Index(data, 0) if counted else data
    return TypedValue(Attr(of, "id"), STRING)


def network_in_path(emission: Emission, lowering: HclLowering, owner: str, network: ir.Expr) -> Expr:
    """The ID of the network that a path names by its name or ID; None if Terraform cannot find it."""
    if isinstance(network, ir.AttrRef):
        if network.path not in NAME_PATHS:
            return None
        network = ir.ResourceRef(network.name, span=network.span)
    scope = lowering.with_owner(snake_case(owner))
    try:
        value, _ = emission.data.resolve_name(scope, network, emission.unit.tables.lookups["network"])
    except CannotSay:
        return None
    return value.expr

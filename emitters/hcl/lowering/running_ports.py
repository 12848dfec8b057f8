"""The ports that Nova made for a running server, which Terraform does not read: each becomes a variable.

Invariant: a port is known only if the server has no other one, or if the cloud shows one port on that network.
"""

from __future__ import annotations

from emitters.hcl.lowering.lookup_variables import READ
from emitters.hcl.lowering.lowering import HclLowering
from emitters.hcl.namespace import snake_case
from emitters.hcl.synthetic_variables import NO_DEFAULT
from emitters.hcl.tree.nodes import Traversal
from emitters.hcl.tree.types import STRING, TypedValue
from transpile.adoption.server_ports import find_port
from transpile.diagnostics import codes
from transpile.model import ir

COMMAND = "openstack port list --server"


def variable_for_port(lowering: HclLowering, ref: ir.AttrRef, nic: int) -> TypedValue | None:
    """The variable for the ID of the port of a running server, whose default is the ID if that is known. None outside
    of adoptions, and for servers of which there are several.
    """
    live = lowering.unit.live
    if live is None or (len(live.stacks) != 1 and not live.is_root) or lowering.scope.bound:
        return None
    if live.shared and not live.is_root:
        return None  # each environment has another port
    server = (live.adoption.live if live.is_root else live.stacks[0]).resources.get(ref.name)
    if server is None or server.stack is not None or server.physical_id is None:
        return None
    port = find_port(server, live.adoption.cloud)
    key, server_id = f"{READ}{ref.name}.port {nic}", server.physical_id
    if live.is_root:
        server_id = "SERVER"
        if port is not None:
            live.facts[key] = port
    variable = lowering.symbols.variables.get_variable(
        key,
        snake_case(f"{ref.name}_port_{nic}" if nic else f"{ref.name}_port"),
        f"ID of a port of {ref.name}, which Terraform does not read; `{COMMAND} {server_id}` prints it.",
        Traversal(("string",)),
        default=NO_DEFAULT if port is None or live.is_root else port,
    )
    has = "must have" if port is None else "has"
    message = f"The provider does not read the port of {ref.name}; the variable {variable.parts[1]} {has} its ID."
    lowering.differs(codes.ATTRIBUTE_AS_VARIABLE, message, ref)
    return TypedValue(variable, STRING)

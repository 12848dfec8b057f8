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
from transpile.diagnostics import codes
from transpile.model import ir

COMMAND = "openstack port list --server"


def variable_for_port(lowering: HclLowering, ref: ir.AttrRef, nic: int) -> TypedValue | None:
    """The variable for the ID of the port of a running server, whose default is the ID if that is known. None outside
    of adoptions, and for servers of which there are several.
    """
    key = f"{READ}{ref.name}.port {nic}"
    port = None if lowering.scope.bound else lowering.unit.running.find_server_port(ref.name, key)
    if port is None:
        return None
    variable = lowering.symbols.variables.get_variable(
        key,
        snake_case(f"{ref.name}_port_{nic}" if nic else f"{ref.name}_port"),
        f"ID of a port of {ref.name}, which Terraform does not read; `{COMMAND} {port.server}` prints it.",
        Traversal(("string",)),
        default=NO_DEFAULT if port.default is None else port.default,
    )
    has = "has" if port.is_known else "must have"
    message = f"The provider does not read the port of {ref.name}; the variable {variable.parts[1]} {has} its ID."
    lowering.differs(codes.ATTRIBUTE_AS_VARIABLE, message, ref)
    return TypedValue(variable, STRING)

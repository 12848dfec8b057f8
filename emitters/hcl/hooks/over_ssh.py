"""Connections over SSH, by which Terraform runs commands on servers: a `terraform_data` for each server.

Invariant: the SSH user and key are variables, in modules too, since no template has them.
"""

from __future__ import annotations

from emitters.hcl.emission import Emission
from emitters.hcl.errors import CannotSay
from emitters.hcl.lowering.lowering import HclLowering
from emitters.hcl.resources.group_handles import GroupHandle
from emitters.hcl.resources.handles import NativeHandle
from emitters.hcl.tree.nodes import Block, Cond, Expr, Fn, ForObject, Index, Traversal, count_if
from transpile.diagnostics import codes
from transpile.model import ir

KIND = "terraform_data"
WHO = {
    "ssh_user": "User for SSH connections to servers. Scripts run with sudo.",
    "ssh_private_key_file": "Path of the private key file of the SSH user.",
}


def write_connection(emission: Emission, block: Block, host: Expr) -> Block:
    """Writes the connection block of a resource, and returns it."""
    connection = block.add_block("connection")
    connection.add_argument("type", "ssh")
    connection.add_argument("host", host)
    connection.add_argument("user", ssh_variable(emission, "ssh_user"))
    connection.add_argument("private_key", Fn("file", (ssh_variable(emission, "ssh_private_key_file"),)))
    return connection


def ssh_variable(emission: Emission, name: str, description: str = "") -> Expr:
    """The input variable for the SSH user or key, or for an address."""
    key = f"ssh {name}"
    if key not in emission.variables.blocks:
        block = Block("variable", (emission.names.taken_variables.reserve_name(name),))
        block.add_argument("description", description or WHO[name])
        block.add_argument("type", Traversal(("string",)))
        emission.variables.blocks[key] = block
    return Traversal(("var", emission.variables.blocks[key].labels[0]))


def repeat_per_server(emission: Emission, server: str, owner: ir.Resource, block: Block, lowering: HclLowering) -> Expr:
    """Repeats a block for each instance of a server, and returns the instance for which it is: `web[count.index]` or
    `each.value`; `web` for a server without `count`.
    """
    handle = emission.handles[server]
    if not isinstance(handle, (NativeHandle, GroupHandle)):
        raise CannotSay(codes.KEPT_IN_HEAT, f"only Heat knows the address of {server}", owner, owner.name)
    named = isinstance(handle, GroupHandle) and handle.members is not None
    base = Traversal((handle.native if isinstance(handle, GroupHandle) else handle).address)
    number: Expr = Fn("length", (base,))
    test = lowering.condition_outside_scope(owner.condition)
    if named:
        block.add_argument(
            "for_each",
            base if test is True else ForObject(("name", "one"), base, Traversal(("name",)), Traversal(("one",)), test),
        )
        return Traversal(("each", "value"))
    if isinstance(handle, GroupHandle) or handle.counted:
        block.add_argument("count", number if test is True else Cond(test, number, 0))
    elif test is not True:
        block.add_argument("count", count_if(test))
        return base
    else:
        return base
    return Index(base, Traversal(("count", "index")))

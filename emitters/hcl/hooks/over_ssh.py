"""Connections over SSH, by which Terraform runs commands on servers: a `terraform_data` for each server.

Invariant: the SSH user and key are variables, in modules too, since no template has them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from emitters.hcl.errors import CannotSay
from emitters.hcl.resources.handles import Group, Native
from emitters.hcl.tree.nodes import Block, Cond, Expr, Fn, ForObject, Index, Name, one_if
from transpile.diagnostics import codes

if TYPE_CHECKING:
    from emitters.hcl.emission import Emission
    from emitters.hcl.lowering.lowering import Lowering
    from transpile.model import ir

KIND = "terraform_data"
WHO = {
    "ssh_user": "User for SSH connections to servers. Scripts run with sudo.",
    "ssh_private_key_file": "Path of the private key file of the SSH user.",
}


def connection(emission: Emission, block: Block, host: Expr) -> Block:
    """Writes the connection block of a resource, and returns it."""
    found = block.block("connection")
    found.set("type", "ssh")
    found.set("host", host)
    found.set("user", variable(emission, "ssh_user"))
    found.set("private_key", Fn("file", (variable(emission, "ssh_private_key_file"),)))
    return found


def variable(emission: Emission, name: str, description: str = "") -> Expr:
    """The input variable for the SSH user or key, or for an address."""
    key = f"ssh {name}"
    if key not in emission.variables.blocks:
        block = Block("variable", (emission.names.taken_variables.take(name),))
        block.set("description", description or WHO[name])
        block.set("type", Name(("string",)))
        emission.variables.blocks[key] = block
    return Name(("var", emission.variables.blocks[key].labels[0]))


def each(emission: Emission, server: str, owner: ir.Resource, block: Block, lowering: Lowering) -> Expr:
    """Repeats a block for each instance of a server, and returns the instance for which it is: `web[count.index]` or
    `each.value`; `web` for a server without `count`.
    """
    handle = emission.handles[server]
    if not isinstance(handle, (Native, Group)):
        raise CannotSay(codes.KEPT_IN_HEAT, f"only Heat knows the address of {server}", owner, owner.name)
    named = isinstance(handle, Group) and handle.members is not None
    base = Name((handle.native if isinstance(handle, Group) else handle).address)
    number: Expr = Fn("length", (base,))
    test = True if owner.condition is None else lowering.test_outside(owner.condition)
    if named:
        block.set(
            "for_each",
            base if test is True else ForObject(("name", "one"), base, Name(("name",)), Name(("one",)), test),
        )
        return Name(("each", "value"))
    if isinstance(handle, Group) or handle.counted:
        block.set("count", number if test is True else Cond(test, number, 0))
    elif test is not True:
        block.set("count", one_if(test))
        return base
    else:
        return base
    return Index(base, Name(("count", "index")))

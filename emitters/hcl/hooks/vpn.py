"""Hooks of VPNs: a map in Heat is a set of blocks in Terraform.

The provider fills these blocks in with Neutron's defaults, so there is one even if the template sets none.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from emitters.hcl.hooks import attribute_hook
from emitters.hcl.lowering import paths
from emitters.hcl.tree.nodes import Attr, Expr, Fn
from emitters.hcl.tree.types import OBJECT, Value

if TYPE_CHECKING:
    from emitters.hcl.lowering.lowering import Lowering
    from emitters.hcl.resources.handles import Native, Select
    from transpile.model import ir


@attribute_hook("vpn_lifetime")
def lifetime(lowering: Lowering, native: Native, ref: ir.AttrRef, rest: tuple[ir.Expr, ...]) -> Select:
    return only(lowering, "lifetime", rest)


@attribute_hook("vpn_dpd")
def dpd(lowering: Lowering, native: Native, ref: ir.AttrRef, rest: tuple[ir.Expr, ...]) -> Select:
    return only(lowering, "dpd", rest)


def only(lowering: Lowering, name: str, rest: tuple[ir.Expr, ...]) -> Select:
    """Selects the only block with this name, or with a path a part of it."""

    def choose(base: Expr) -> Value:
        found = Value(Fn("one", (Attr(base, name),)), OBJECT)
        return paths.attribute(lowering, found, rest) if rest else found

    return choose

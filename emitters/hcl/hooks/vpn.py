"""Hooks of VPNs: a map in Heat is a set of blocks in Terraform.

The provider fills these blocks in with Neutron's defaults, so there is one even if the template sets none.
"""

from __future__ import annotations

from emitters.hcl.hooks import attribute_hook
from emitters.hcl.lowering import paths
from emitters.hcl.lowering.lowering import HclLowering
from emitters.hcl.resources.handles import NativeHandle, Selector
from emitters.hcl.tree.nodes import Attr, Expr, Fn
from emitters.hcl.tree.types import OBJECT, TypedValue
from transpile.model import ir


@attribute_hook("vpn_lifetime")
def read_vpn_lifetime(
    lowering: HclLowering, native: NativeHandle, ref: ir.AttrRef, rest: tuple[ir.Expr, ...]
) -> Selector:
    return select_only_block(lowering, "lifetime", rest)


@attribute_hook("vpn_dpd")
def read_vpn_dpd(lowering: HclLowering, native: NativeHandle, ref: ir.AttrRef, rest: tuple[ir.Expr, ...]) -> Selector:
    return select_only_block(lowering, "dpd", rest)


def select_only_block(lowering: HclLowering, name: str, rest: tuple[ir.Expr, ...]) -> Selector:
    """Selects the only block with this name, or with a path a part of it."""

    def select_block(base: Expr) -> TypedValue:
        block = TypedValue(Fn("one", (Attr(base, name),)), OBJECT)
        return paths.lower_attribute_path(lowering, block, rest) if rest else block

    return select_block

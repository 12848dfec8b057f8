"""Hooks of VPNs: a map in Heat is a set of blocks in Terraform.

The provider fills these blocks in with Neutron's defaults, so there is one even if the template sets none.
"""

from __future__ import annotations

from emitters.hcl.hooks import attribute_hook
from emitters.hcl.resources.handles import AttributeRead, Selector
from emitters.hcl.tree.nodes import Attr, Fn
from emitters.hcl.tree.types import OBJECT, TypedValue


@attribute_hook("vpn_lifetime")
def read_vpn_lifetime(read: AttributeRead) -> Selector:
    return select_only_block(read, "lifetime")


@attribute_hook("vpn_dpd")
def read_vpn_dpd(read: AttributeRead) -> Selector:
    return select_only_block(read, "dpd")


def select_only_block(read: AttributeRead, name: str) -> Selector:
    """Selects the only block with this name, or with a path a part of it."""
    return lambda base: read.inside(TypedValue(Fn("one", (Attr(base, name),)), OBJECT))

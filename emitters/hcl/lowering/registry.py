"""The registry of functions that lower intrinsics."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from emitters.hcl.lowering.lowering import HclLowering, Part
from emitters.hcl.tree.types import HclType, TypedValue
from transpile.model import ir

Lower: TypeAlias = "Callable[[HclLowering, ir.Call, HclType], TypedValue]"
Parts: TypeAlias = "Callable[[HclLowering, ir.Call], list[Part] | None]"
LOWERS: dict[str, Lower] = {}
SPLITTERS: dict[str, Parts] = {}


def lowers_intrinsic(*names: str) -> Callable[[Lower], Lower]:
    """Registers a function for any number of intrinsics."""

    def register(function: Lower) -> Lower:
        LOWERS.update(dict.fromkeys(names, function))
        return function

    return register


def splits_intrinsic(*names: str) -> Callable[[Parts], Parts]:
    """Registers a function that splits a call into text parts; it returns None if they are known only at run time."""

    def register(function: Parts) -> Parts:
        SPLITTERS.update(dict.fromkeys(names, function))
        return function

    return register

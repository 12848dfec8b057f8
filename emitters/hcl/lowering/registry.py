"""The registry of functions that lower intrinsics."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Callable

    from emitters.hcl.lowering.lowering import Lowering, Part
    from emitters.hcl.tree.types import Type, Value
    from transpile.model import ir

Lower: TypeAlias = "Callable[[Lowering, ir.Call, Type], Value]"
Parts: TypeAlias = "Callable[[Lowering, ir.Call], list[Part] | None]"
LOWERS: dict[str, Lower] = {}
TEXTS: dict[str, Parts] = {}


def lowers(*names: str) -> Callable[[Lower], Lower]:
    """Registers a function for any number of intrinsics."""

    def add(function: Lower) -> Lower:
        LOWERS.update(dict.fromkeys(names, function))
        return function

    return add


def text_of(*names: str) -> Callable[[Parts], Parts]:
    """Registers a function that splits a call into text parts; it returns None if they are known only at run time."""

    def add(function: Parts) -> Parts:
        TEXTS.update(dict.fromkeys(names, function))
        return function

    return add

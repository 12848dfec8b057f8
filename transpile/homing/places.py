"""Where a part of a homing template stands: its offsets in the text, which equality ignores, and its path."""

from __future__ import annotations

from typing import Any, TypeAlias

from transpile.model.records import field

UNSET = -1

Path: TypeAlias = tuple[str | int, ...]  # from the top of a template: ("constraints", "near", "properties", "distance")


def place() -> Any:
    """An offset into the text."""
    return field(default=UNSET, compare=False)


def path() -> Any:
    """The path of a part."""
    return field(default=(), compare=False)

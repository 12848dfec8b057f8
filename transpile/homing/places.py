"""Fields for the place of a part of a homing template: its span in the text, which equality ignores, and its path."""

from __future__ import annotations

from typing import Any, TypeAlias

from transpile.model.records import field
from transpile.model.span import NOWHERE

Path: TypeAlias = tuple[str | int, ...]  # from the top of a template: ("constraints", "near", "properties", "distance")


def place_field() -> Any:
    """A field for a place in the text."""
    return field(default=NOWHERE, compare=False)


def path_field() -> Any:
    """A field for the path of a part."""
    return field(default=(), compare=False)

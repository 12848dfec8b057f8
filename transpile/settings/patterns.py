"""Patterns of a configuration for a walk that begins elsewhere.

Invariant: a pattern means the same paths before and after.
"""

from __future__ import annotations

import fnmatch
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

DEEP = "**"


def patterns_below(patterns: Iterable[str], directory: str) -> Iterator[str]:
    """Patterns as in `.gitignore`, relative to a directory below the one that they are written for. Those that mean
    nothing in it, or the directory itself, are left out. `directory`: with forward slashes; "." for the same one.
    """
    inside = [part for part in directory.split("/") if part not in ("", ".")]
    for pattern in patterns:
        sign, body = ("!", pattern[1:]) if pattern.startswith("!") else ("", pattern)
        parts = body.rstrip("/").split("/")
        if len(parts) == 1 or not inside:
            yield pattern
            continue
        if parts[0] == "":
            parts = parts[1:]
        rest = remaining_pattern(parts, inside)
        if rest:
            yield f"{sign}/{'/'.join(rest)}{'/' * body.endswith('/')}"


def remaining_pattern(parts: list[str], inside: list[str]) -> list[str]:
    """What is left of the parts of a pattern in a directory; nothing if it means nothing there."""
    for number, name in enumerate(inside):
        if len(parts) <= number:
            return []
        if parts[number] == DEEP:
            return parts[number:]
        if not fnmatch.fnmatchcase(name, parts[number]):
            return []
    return parts[len(inside) :]

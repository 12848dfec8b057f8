"""Rewrites the patterns of a configuration for a walk that begins in another directory.

Invariant: the rewritten pattern matches the same files.
"""

from __future__ import annotations

import fnmatch
from collections.abc import Iterable, Iterator

DEEP = "**"


def patterns_below(patterns: Iterable[str], directory: str) -> Iterator[str]:
    """Yields patterns, as in `.gitignore`, that are relative to an inner directory.

    For example, below `app` the pattern `app/old/*.yaml` becomes `/old/*.yaml`. A pattern is left out if it cannot
    match anything inside the directory, or matches the directory itself. `directory`: the path of the inner directory
    with forward slashes; "." changes nothing.
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
    """Returns the parts of a pattern without those that match the directory; [] if the pattern cannot match inside.

    For example, `["app", "old", "*.yaml"]` inside `["app"]` → `["old", "*.yaml"]`.
    """
    for number, name in enumerate(inside):
        if len(parts) <= number:
            return []
        if parts[number] == DEEP:
            return parts[number:]
        if not fnmatch.fnmatchcase(name, parts[number]):
            return []
    return parts[len(inside) :]

"""Diagnostics for readers: one module a form, each with a function `render` from diagnostics to text.

The easy rule to break: what a template says goes out as text, never as control characters of a terminal.
"""

from __future__ import annotations

import importlib
import os
from typing import TYPE_CHECKING

from transpile.model.records import replace
from transpile.model.source import Source

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from transpile.diagnostics.model import Diagnostic

FORMS = ("text", "json", "sarif", "github")  # modules of this package, and words of --diagnostics
LOCATED = ("sarif", "github")  # which other programs match with files of theirs, by path


def renderer(form: str) -> Callable[[Sequence[Diagnostic]], str]:
    """The function for one of FORMS."""
    found: Callable[[Sequence[Diagnostic]], str] = importlib.import_module(
        f"transpile.diagnostics.render.{form}"
    ).render
    return found


def located(found: Iterable[Diagnostic], paths: Iterable[str]) -> list[Diagnostic]:
    """Diagnostics of files that are called by their last names, under the paths that the user gave for them; as they
    are where two paths end alike.
    """
    ends: dict[str, str | None] = {}
    for path in paths:
        end = os.path.basename(path)
        ends[end] = path if ends.get(end, path) == path else None
    moved: dict[int, Source] = {}
    out = []
    for one in found:
        if one.source is not None and (path_ := ends.get(one.source.name)):
            source = moved.setdefault(id(one.source), Source(path_, one.source.text, one.source.made_of))
            one = replace(one, source=source)
        out.append(one)
    return out

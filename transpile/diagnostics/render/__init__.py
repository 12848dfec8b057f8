"""Output formats of diagnostics: one module for each, with a function `render` from diagnostics to text.

Invariant: text from a template is output as text, never as terminal control characters.
"""

from __future__ import annotations

import importlib
import os
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING

from transpile.diagnostics.model import Diagnostic
from transpile.model.records import replace

if TYPE_CHECKING:
    from transpile.model.source import Source

# modules of this package, and values of --diagnostics
FORMS = ("text", "concise", "grouped", "json", "sarif", "github", "gitlab", "junit")
PEOPLE = ("text", "concise", "grouped")  # formats for people, which a summary follows
LOCATED = ("sarif", "github", "gitlab", "junit")  # formats whose readers match paths with their own files


def load_renderer(form: str) -> Callable[[Sequence[Diagnostic]], str]:
    """Returns the render function of one of FORMS."""
    render: Callable[[Sequence[Diagnostic]], str] = importlib.import_module(
        f"transpile.diagnostics.render.{form}"
    ).render
    return render


def restore_file_paths(diagnostics: Iterable[Diagnostic], paths: Iterable[str]) -> list[Diagnostic]:
    """Replaces file names in diagnostics by the paths of the command line. A name stays as it is if two
    paths end in it, because nothing says which of them is meant.
    """
    ends: dict[str, str | None] = {}
    for path in paths:
        end = os.path.basename(path)
        ends[end] = path if ends.get(end, path) == path else None
    moved: dict[int, Source] = {}
    result = []
    for diagnostic in diagnostics:
        if diagnostic.source is not None and (path_ := ends.get(diagnostic.source.name)):
            source = moved.setdefault(id(diagnostic.source), diagnostic.source.with_name(path_))
            diagnostic = replace(diagnostic, source=source)
        result.append(diagnostic)
    return result

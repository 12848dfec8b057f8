"""Output formats of diagnostics: one module for each, with a function `render` from diagnostics to text.

Invariant: text from a template is output as text, never as terminal control characters.
"""

from __future__ import annotations

import importlib
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from transpile.diagnostics.model import Diagnostic
from transpile.diagnostics.registry import SEVERITIES
from transpile.model.records import replace

if TYPE_CHECKING:
    from transpile.model.source import Source

# modules of this package, and values of --diagnostics
FORMS = ("text", "concise", "grouped", "json", "sarif", "github", "gitlab", "junit")
PEOPLE = ("text", "concise", "grouped")  # formats for people, which a summary follows
LOCATED = tuple(form for form in FORMS if form != "json")  # formats whose readers open the files from where they stand
SELECTIVE = (*PEOPLE, "github")  # formats without the findings below `--min-severity`


def load_renderer(form: str) -> Callable[[Sequence[Diagnostic]], str]:
    """Returns the render function of one of FORMS."""
    render: Callable[[Sequence[Diagnostic]], str] = importlib.import_module(
        f"transpile.diagnostics.render.{form}"
    ).render
    return render


def select_severe(diagnostics: Iterable[Diagnostic], min_severity: str) -> list[Diagnostic]:
    """The diagnostics of a severity and of higher ones."""
    last = SEVERITIES.index(min_severity)
    return [diagnostic for diagnostic in diagnostics if SEVERITIES.index(diagnostic.severity) <= last]


def restore_file_paths(
    diagnostics: Iterable[Diagnostic], paths: Iterable[str], folder: str | None = None
) -> list[Diagnostic]:
    """Replaces file names in diagnostics by paths that lead to the files from the working directory.

    The name of a file on the command line becomes its path there, unless two paths end in it, because nothing says
    which of them is meant. `folder`: the directory to which other names are relative; None for the working directory.
    """
    ends: dict[str, str | None] = {}
    for path in paths:
        end = os.path.basename(path)
        ends[end] = path if ends.get(end, path) == path else None
    moved: dict[int, Source] = {}
    result = []
    for diagnostic in diagnostics:
        if diagnostic.source is not None and (path_ := path_from_here(diagnostic.source.name, ends, folder)):
            source = moved.setdefault(id(diagnostic.source), diagnostic.source.with_name(path_))
            diagnostic = replace(diagnostic, source=source)
        result.append(diagnostic)
    return result


def path_from_here(name: str, ends: Mapping[str, str | None], folder: str | None) -> str | None:
    """The path of a file by its name in diagnostics; None if the name stays. `ends`: paths by their last part."""
    if name in ends:
        return ends[name]
    path = os.path.normpath(os.path.join(folder, name)) if folder else name  # noqa: PTH118 - no links
    return path if path != name and os.path.exists(path) else None  # noqa: PTH110 - a name may be a URL

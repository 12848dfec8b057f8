"""Reads files of values for the parameters of homing templates.

A file is a map of values by name, or has such a map as `parameters`. So an environment of Heat, a request, and another
homing template are fine, too.
"""

from __future__ import annotations

import os
import pathlib
from collections.abc import Iterable, Mapping
from typing import Any

from transpile.diagnostics import codes
from transpile.diagnostics.model import Diagnostic, Sink, TooManyErrors
from transpile.front import documents, nodes
from transpile.front.expressions import ExpressionReader
from transpile.model.budget import Budget
from transpile.model.intrinsics import look_up_template_version
from transpile.model.ir import NULL, Map, replace_errors_by_null, to_data
from transpile.model.source import Source
from transpile.model.span import Span
from transpile.text import source as sources
from transpile.text.source import UnreadableFile, diagnose_unreadable


def load_values(
    files: Iterable[str | os.PathLike[str]], diagnostics: list[Diagnostic], budget: Budget
) -> dict[str, Any]:
    """The values of all files, of which later ones win. A file is a path, or a text (with a newline in it). Diagnostics
    go into the list.
    """
    values: dict[str, Any] = {}
    for file in files:
        text = isinstance(file, str) and "\n" in file
        display_name = "values" if text else os.fspath(file)
        try:
            source = (
                sources.from_text(str(file), display_name, budget)
                if text
                else sources.load_source(pathlib.Path(file), display_name, budget)
            )
        except UnreadableFile as e:
            diagnostics.append(diagnose_unreadable(e, display_name))
            continue
        values |= read_values(source, diagnostics)
    return values


def read_values(source: Source, diagnostics: list[Diagnostic]) -> Mapping[str, Any]:
    """The values in a text."""
    sink = Sink(source)
    try:
        content = ExpressionReader(sink, look_up_template_version("2013-05-23"), frozenset()).read_plain_value(
            documents.compose_document(sink, source.name)
        )
    except (nodes.UnreadableDocument, TooManyErrors):
        return {}
    finally:
        diagnostics += sink.diagnostics
    inner = content.get("parameters") if isinstance(content, Map) else None
    chosen = replace_errors_by_null(content if inner is None else inner)
    if chosen == NULL:
        return {}
    if not isinstance(chosen, Map):
        diagnostics.append(
            Diagnostic(
                codes.INVALID_VALUES_FILE, "A file of values is a map from names to values.", source, Span(chosen.at)
            )
        )
        return {}
    values: Mapping[str, Any] = to_data(chosen)
    return values

"""Diagnostics for code scanning: one run in SARIF 2.1.0, the OASIS standard.

Invariant: the output is reproducible and depends on neither clock nor machine. SARIF messages have a syntax in which
braces are placeholders and brackets are links, so both are escaped.
"""

from __future__ import annotations

import json
import pathlib
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from transpile.diagnostics import registry
from transpile.version import __version__

if TYPE_CHECKING:
    from collections.abc import Iterable

    from transpile.diagnostics.model import Diagnostic

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
LEVELS = {"error": "error", "warning": "warning", "info": "note"}


def render(diagnostics: Iterable[Diagnostic]) -> str:
    """A log file with one run. It contains the rules that have results, sorted by code."""
    found = list(diagnostics)
    codes = sorted({d.code for d in found})
    run = {
        "tool": {"driver": {"name": "hot2tf", "version": __version__, "rules": [rule(code) for code in codes]}},
        "columnKind": "unicodeCodePoints",
        "newlineSequences": ["\r\n", "\n", "\r"],
        "results": [result(d, codes.index(d.code)) for d in found],
    }
    return json.dumps({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}, indent=1) + "\n"


def rule(code: str) -> dict[str, Any]:
    known = registry.rule(code)
    return {
        "id": code,
        "shortDescription": message(known.title),
        "fullDescription": message(known.why),
        "help": message(known.hint or known.why),
        "defaultConfiguration": {"level": LEVELS[known.severity]},
    }


def result(d: Diagnostic, index: int) -> dict[str, Any]:
    out: dict[str, Any] = {
        "ruleId": d.code,
        "ruleIndex": index,
        "level": LEVELS[d.severity],
        "message": message(" ".join(filter(None, (d.message, d.help())))),
    }
    if d.source is not None:
        line, column, end_line, end_column = d.source.span(d.at, d.end)  # as in SARIF, end is exclusive
        region = {"startLine": line, "startColumn": column, "endLine": end_line, "endColumn": end_column}
        place = {"artifactLocation": {"uri": uri(d.source.name)}, "region": region}
        out["locations"] = [{"physicalLocation": place}]
    return out


def message(text: str) -> dict[str, str]:
    """A message (section 3.11 of the standard): braces are doubled, and `](` is escaped so that it makes no link."""
    return {"text": text.replace("{", "{{").replace("}", "}}").replace("](", "\\](")}


def uri(name: str) -> str:
    """A file name as a URI reference, relative to the working directory if the file is below it."""
    path = pathlib.Path(name)
    if path.is_absolute():
        here = pathlib.Path.cwd()
        if not path.is_relative_to(here):
            return "file://" + quote(path.as_posix() if path.as_posix()[0] == "/" else f"/{path.as_posix()}")
        path = path.relative_to(here)
    return quote(path.as_posix(), errors="surrogatepass")

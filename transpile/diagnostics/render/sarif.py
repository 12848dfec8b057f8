"""Diagnostics for code scanning: one run in SARIF 2.1.0, the OASIS standard.

Invariant: the output is reproducible and depends on neither clock nor machine. SARIF messages have a syntax in which
braces are placeholders and brackets are links, so both are escaped.
"""

from __future__ import annotations

import json
import pathlib
import textwrap
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from transpile.diagnostics import registry
from transpile.diagnostics.render.fingerprints import Fingerprints
from transpile.diagnostics.render.paths import relative
from transpile.model.printable import escaped
from transpile.version import DOCUMENTATION, __version__

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from transpile.diagnostics.model import Diagnostic

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
INDENT = "    "  # of a result
FINGERPRINT = "hot2tf/v1"  # changed when fingerprints are made otherwise, so that old ones are not compared
LEVELS = {"error": "error", "warning": "warning", "info": "note"}


def render(diagnostics: Iterable[Diagnostic]) -> str:
    """A log file with one run. It contains the rules that have results, sorted by code."""
    found = [d.as_json() for d in diagnostics]
    out: list[str] = []
    write({d["code"] for d in found}, found, out.append)
    return "".join(out)


def write(codes: Iterable[str], diagnostics: Iterable[Mapping[str, Any]], out: Callable[[str], Any]) -> None:
    """Writes a log file with one run, one result after the other. `diagnostics`: in the form of the report; `codes`: at
    least those that they have.
    """
    places = {code: index for index, code in enumerate(sorted(codes))}
    run = {
        "tool": {"driver": {"name": "hot2tf", "version": __version__, "rules": [rule(code) for code in places]}},
        "columnKind": "unicodeCodePoints",
        "newlineSequences": ["\r\n", "\n", "\r"],
        "results": [],
    }
    text = json.dumps({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}, indent=1)
    head, _, tail = text.rpartition("[]")
    out(head + "[")
    before, prints = "", Fingerprints()
    for said in diagnostics:
        one = json.dumps(result(said, places[said["code"]], prints), indent=1)
        out(before + "\n" + textwrap.indent(escaped(one), INDENT))
        before = ","
    out((f"\n{INDENT[:-1]}" if before else "") + f"]{tail}\n")


def rule(code: str) -> dict[str, Any]:
    known = registry.rule(code)
    out = {
        "id": code,
        "shortDescription": message(known.title),
        "fullDescription": message(known.why),
        "help": message(known.hint or known.why),
        "defaultConfiguration": {"level": LEVELS[known.severity]},
    }
    if not registry.owner(code):  # plug-ins have pages of their own, and their codes no names
        out["name"] = known.name
        out["helpUri"] = f"{DOCUMENTATION}/diagnostics/{code}/"
    return out


def result(said: Mapping[str, Any], index: int, prints: Fingerprints) -> dict[str, Any]:
    out: dict[str, Any] = {
        "ruleId": said["code"],
        "ruleIndex": index,
        "level": LEVELS[said["severity"]],
        "message": message(" ".join(filter(None, (said["message"], said.get("hint"))))),
        "partialFingerprints": {FINGERPRINT: prints.of(said, uri(said["file"]) if "file" in said else "")},
    }
    if "file" in said:
        region = {  # as in SARIF, the end is exclusive
            "startLine": said["line"],
            "startColumn": said["column"],
            "endLine": said["end_line"],
            "endColumn": said["end_column"],
        }
        place = {"artifactLocation": {"uri": uri(said["file"])}, "region": region}
        out["locations"] = [{"physicalLocation": place}]
    return out


def message(text: str) -> dict[str, str]:
    """A message (section 3.11 of the standard): braces are doubled, and `](` is escaped so that it makes no link."""
    return {"text": text.replace("{", "{{").replace("}", "}}").replace("](", "\\](")}


def uri(name: str) -> str:
    """A file name as a URI reference, relative to the working directory if the file is below it."""
    path = relative(name)
    if pathlib.Path(path).is_absolute():
        return "file://" + quote(path if path[0] == "/" else f"/{path}")
    return quote(path, errors="surrogatepass")

"""Diagnostics for code scanning: one run in SARIF 2.1.0, the OASIS standard.

Invariant: the output is reproducible and depends on neither clock nor machine. SARIF messages have a syntax in which
braces are placeholders and brackets are links, so both are escaped.
"""

from __future__ import annotations

import json
import pathlib
import textwrap
from collections.abc import Callable, Iterable, Mapping
from typing import Any
from urllib.parse import quote

from transpile.diagnostics import registry
from transpile.diagnostics.model import Diagnostic
from transpile.diagnostics.render.fingerprints import Fingerprints
from transpile.diagnostics.render.paths import relative_to_working_directory
from transpile.model.printable import escape_json_text
from transpile.version import DOCUMENTATION, __version__

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
INDENT = "    "  # of a result
FINGERPRINT = "hot2tf/v1"  # changed when fingerprints are made otherwise, so that old ones are not compared
LEVELS = {"error": "error", "warning": "warning", "info": "note"}


def render(diagnostics: Iterable[Diagnostic]) -> str:
    """A log file with one run. It contains the rules that have results, sorted by code."""
    json_diagnostics = [d.as_json() for d in diagnostics]
    out: list[str] = []
    write_sarif_log({d["code"] for d in json_diagnostics}, json_diagnostics, out.append)
    return "".join(out)


def write_sarif_log(codes: Iterable[str], diagnostics: Iterable[Mapping[str, Any]], out: Callable[[str], Any]) -> None:
    """Writes a log file with one run, one result after the other. `diagnostics`: in the form of the report; `codes`: at
    least those that they have.
    """
    places = {code: index for index, code in enumerate(sorted(codes))}
    run = {
        "tool": {
            "driver": {"name": "hot2tf", "version": __version__, "rules": [describe_rule(code) for code in places]}
        },
        "columnKind": "unicodeCodePoints",
        "newlineSequences": ["\r\n", "\n", "\r"],
        "results": [],
    }
    text = json.dumps({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}, indent=1)
    head, _, tail = text.rpartition("[]")
    out(head + "[")
    before, fingerprints = "", Fingerprints()
    for diagnostic in diagnostics:
        result = json.dumps(make_result(diagnostic, places[diagnostic["code"]], fingerprints), indent=1)
        out(before + "\n" + textwrap.indent(escape_json_text(result), INDENT))
        before = ","
    out((f"\n{INDENT[:-1]}" if before else "") + f"]{tail}\n")


def describe_rule(code: str) -> dict[str, Any]:
    rule = registry.rule_of_code(code)
    out = {
        "id": code,
        "shortDescription": make_message(rule.title),
        "fullDescription": make_message(rule.why),
        "help": make_message(rule.hint or rule.why),
        "defaultConfiguration": {"level": LEVELS[rule.severity]},
    }
    if not registry.code_owner(code):  # plug-ins have pages of their own, and their codes no names
        out["name"] = rule.name
        out["helpUri"] = f"{DOCUMENTATION}/diagnostics/{code}/"
    return out


def make_result(diagnostic: Mapping[str, Any], index: int, fingerprints: Fingerprints) -> dict[str, Any]:
    out: dict[str, Any] = {
        "ruleId": diagnostic["code"],
        "ruleIndex": index,
        "level": LEVELS[diagnostic["severity"]],
        "message": make_message(" ".join(filter(None, (diagnostic["message"], diagnostic.get("hint"))))),
        "partialFingerprints": {
            FINGERPRINT: fingerprints.make_fingerprint(
                diagnostic, file_uri(diagnostic["file"]) if "file" in diagnostic else ""
            )
        },
    }
    if "file" in diagnostic:
        region = {  # as in SARIF, the end is exclusive
            "startLine": diagnostic["line"],
            "startColumn": diagnostic["column"],
            "endLine": diagnostic["end_line"],
            "endColumn": diagnostic["end_column"],
        }
        place = {"artifactLocation": {"uri": file_uri(diagnostic["file"])}, "region": region}
        out["locations"] = [{"physicalLocation": place}]
    return out


def make_message(text: str) -> dict[str, str]:
    """A message (section 3.11 of the standard): braces are doubled, and `](` is escaped so that it makes no link."""
    return {"text": text.replace("{", "{{").replace("}", "}}").replace("](", "\\](")}


def file_uri(name: str) -> str:
    """A file name as a URI reference, relative to the working directory if the file is below it."""
    path = relative_to_working_directory(name)
    if pathlib.Path(path).is_absolute():
        return "file://" + quote(path if path[0] == "/" else f"/{path}")
    return quote(path, errors="surrogatepass")

"""Diagnostics as a JUnit report, which most build servers show: a suite for each file, a case for each diagnostic.

Invariant: only errors are cases that fail; warnings and notes are cases that pass. The output is XML 1.0,
whatever the source contains.
"""

from __future__ import annotations

from typing import TYPE_CHECKING
from xml.sax.saxutils import escape, quoteattr

from transpile.diagnostics.render.concise import one as on_one_line
from transpile.diagnostics.render.paths import relative
from transpile.model.printable import line

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from transpile.diagnostics.model import Diagnostic

NAME = "hot2tf"
NOT_IN_XML = {0xFFFE: "\N{REPLACEMENT CHARACTER}", 0xFFFF: "\N{REPLACEMENT CHARACTER}"}


def render(diagnostics: Sequence[Diagnostic]) -> str:
    """A run without diagnostics is one case that passes, because a report without cases counts as a mistake."""
    suites: dict[str, list[Diagnostic]] = {}
    for d in diagnostics:
        suites.setdefault(relative(d.source.name) if d.source is not None else NAME, []).append(d)
    inner = [each for name, found in suites.items() for each in suite(name, found)]
    if not suites:
        case = f'<testcase name="no findings" classname="{NAME}"/>'
        inner = [f" <testsuite {counted(NAME, [], 1)}>", f"  {case}", " </testsuite>"]
    head = counted(NAME, diagnostics, max(len(diagnostics), 1))
    return "\n".join(['<?xml version="1.0" encoding="UTF-8"?>', f"<testsuites {head}>", *inner, "</testsuites>", ""])


def suite(name: str, found: Sequence[Diagnostic]) -> Iterator[str]:
    yield f" <testsuite {counted(name, found, len(found))}>"
    for d in found:
        text = content("\n".join(filter(None, (on_one_line(d), d.help()))))
        yield f"  <testcase name={attribute(f'{d.code} {place(d)}'.rstrip())} classname={attribute(name)}>"
        if d.severity == "error":
            yield f"   <failure message={attribute(d.message)} type={attribute(d.code)}>{text}</failure>"
        else:
            yield f"   <system-out>{text}</system-out>"
        yield "  </testcase>"
    yield " </testsuite>"


def counted(name: str, found: Sequence[Diagnostic], tests: int) -> str:
    failures = sum(d.severity == "error" for d in found)
    return f'name={attribute(name)} tests="{tests}" failures="{failures}" errors="0"'


def place(d: Diagnostic) -> str:
    if d.source is None:
        return ""
    row, column, *_ = d.source.positions(d)
    return f"{row}:{column}"


def attribute(text: str) -> str:
    return quoteattr(line(text).translate(NOT_IN_XML))


def content(text: str) -> str:
    return escape("\n".join(map(line, text.split("\n"))).translate(NOT_IN_XML))

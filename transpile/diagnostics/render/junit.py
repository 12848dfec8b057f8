"""Diagnostics as a JUnit report, which most build servers show: a suite for each file, a case for each diagnostic.

Invariant: only errors are cases that fail; warnings and notes are cases that pass. The output is XML 1.0,
whatever the source contains.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from xml.sax.saxutils import escape, quoteattr

from transpile.diagnostics.model import Diagnostic
from transpile.diagnostics.render.concise import render_on_one_line as on_one_line
from transpile.diagnostics.render.paths import relative_to_working_directory
from transpile.model.printable import make_log_line

NAME = "hot2tf"
NOT_IN_XML = {0xFFFE: "\N{REPLACEMENT CHARACTER}", 0xFFFF: "\N{REPLACEMENT CHARACTER}"}


def render(diagnostics: Sequence[Diagnostic]) -> str:
    """A run without diagnostics is one case that passes, because a report without cases counts as a mistake."""
    suites: dict[str, list[Diagnostic]] = {}
    for d in diagnostics:
        suites.setdefault(relative_to_working_directory(d.source.name) if d.source is not None else NAME, []).append(d)
    inner = [row for name, group in suites.items() for row in render_suite(name, group)]
    if not suites:
        case = f'<testcase name="no findings" classname="{NAME}"/>'
        inner = [f" <testsuite {render_counts(NAME, [], 1)}>", f"  {case}", " </testsuite>"]
    head = render_counts(NAME, diagnostics, max(len(diagnostics), 1))
    return "\n".join(['<?xml version="1.0" encoding="UTF-8"?>', f"<testsuites {head}>", *inner, "</testsuites>", ""])


def render_suite(name: str, diagnostics: Sequence[Diagnostic]) -> Iterator[str]:
    yield f" <testsuite {render_counts(name, diagnostics, len(diagnostics))}>"
    for d in diagnostics:
        text = escape_xml_content("\n".join(filter(None, (on_one_line(d), d.help()))))
        case = quote_xml_attribute(f"{d.code} {format_row_and_column(d)}".rstrip())
        yield f"  <testcase name={case} classname={quote_xml_attribute(name)}>"
        if d.severity == "error":
            message, code = quote_xml_attribute(d.message), quote_xml_attribute(d.code)
            yield f"   <failure message={message} type={code}>{text}</failure>"
        else:
            yield f"   <system-out>{text}</system-out>"
        yield "  </testcase>"
    yield " </testsuite>"


def render_counts(name: str, diagnostics: Sequence[Diagnostic], tests: int) -> str:
    failures = sum(d.severity == "error" for d in diagnostics)
    return f'name={quote_xml_attribute(name)} tests="{tests}" failures="{failures}" errors="0"'


def format_row_and_column(d: Diagnostic) -> str:
    if d.source is None:
        return ""
    row, column, *_ = d.source.start_and_end(d)
    return f"{row}:{column}"


def quote_xml_attribute(text: str) -> str:
    return quoteattr(make_log_line(text).translate(NOT_IN_XML))


def escape_xml_content(text: str) -> str:
    return escape("\n".join(map(make_log_line, text.split("\n"))).translate(NOT_IN_XML))

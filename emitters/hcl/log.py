"""The log of one attempt: diagnostics, comments for the output, and the conversion report."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from typing import Any, NamedTuple, final

from emitters.hcl.tree.nodes import Expr
from emitters.hcl.tree.printer import print_inline
from transpile.diagnostics import codes
from transpile.diagnostics.model import Diagnostic, Sink
from transpile.model import ir
from transpile.model.span import Located, Span
from transpile.report import ResourceReport, StackReport

SHOWN = 12  # names in a list


class GatheredNames(NamedTuple):
    """Names that one diagnostic reports together: the first place, and the names by heading."""

    span: Span
    hint: str
    names: dict[str, dict[str, None]]

    def list_names(self) -> str:
        """The headings, each with its names. A heading without names, or with only itself as a name, has no list."""
        return ", ".join(
            f"{heading} ({abbreviate_names(names)})" if any(name not in ("", heading) for name in names) else heading
            for heading, names in self.names.items()
        )


def abbreviate_names(names: Iterable[str]) -> str:
    """The first names of a list, and how many follow."""
    all_ = list(names)
    more = len(all_) - SHOWN
    return ", ".join(all_) if more < 2 else f"{', '.join(all_[:SHOWN])} and {more} others"


@final
class EmissionLog:
    """Diagnostics about one template, each reported once."""

    def __init__(self, template: ir.Template) -> None:
        self.template = template
        self.sink = Sink(template.source)
        self.notes: list[tuple[int, str]] = []  # offset, text
        self.noted: set[tuple[int, str]] = set()
        self.announcements: list[tuple[str, Span]] = []  # the code and the place of every diagnostic
        self.once: set[Any] = set()
        self.gathered: dict[tuple[str, str], GatheredNames] = {}  # by code and message
        self.made_up: dict[str, ir.Resource] = {}  # resources whose names Heat would make up
        self.report = StackReport()
        self.expressions: dict[str, Expr] = {}  # the expressions in the report, by their texts

    def reported_text(self, expr: Expr) -> str:
        """The text of an expression for the report. Keeps the expression under this text for the tests (`proof`)."""
        text = print_inline(expr)
        self.expressions[text] = expr
        return text

    def add_diagnostic(
        self,
        code: str,
        message: str,
        where: Located,
        hint: str = "",
        note: str = "",
        once: Any = None,
        severity: str = "",
    ) -> None:
        """Reports a diagnostic, once for each message and place, or for each `once`.

        note: text of a comment at the same spot in the output. severity: overrides the severity of the rule.
        """
        self.announcements.append((code, where.span))
        key = (code, once if once is not None else (message, where.at))
        if key not in self.once:
            self.once.add(key)
            self.sink.diagnostics.append(
                Diagnostic(code, message, self.template.source, where.span.in_text, hint, severity)
            )
            if note:
                self.add_comment(where.at, code, note)

    def gather_name(self, code: str, message: str, heading: str, name: str, where: Located, hint: str = "") -> None:
        """Reports a finding that a template has many times, with one diagnostic for all names.

        message: a sentence with `{}` in place of the list. heading: a heading in the list. name: an item below it.
        """
        self.announcements.append((code, where.span))
        gathered = self.gathered.setdefault((code, message), GatheredNames(where.span.in_text, hint, {}))
        gathered.names.setdefault(heading, {})[name] = None

    def all_diagnostics(self) -> list[Diagnostic]:
        """All diagnostics, including those with gathered names."""
        return [
            *self.sink.diagnostics,
            *(
                Diagnostic(
                    code,
                    message.format(gathered.list_names()),
                    self.template.source,
                    gathered.span,
                    gathered.hint,
                    cause=message,
                )
                for (code, message), gathered in self.gathered.items()
            ),
        ]

    def add_comment(self, at: int, code: str, text: str) -> None:
        """Adds a comment to the output, at the block or argument for this offset; the same comment only once."""
        if (comment := (max(at, 0), f"{code}: {text}")) not in self.noted:
            self.noted.add(comment)
            self.notes.append(comment)

    def report_difference(self, code: str, message: str, where: Located, severity: str = "") -> None:
        """Reports a difference between the output and Heat, as a diagnostic and as a comment in the output."""
        self.add_diagnostic(code, message, where, note=message, severity=severity)

    def report_generated_names(self) -> None:
        """Reports all names that Heat would make up, in one diagnostic."""
        if not self.made_up:
            return
        first = min(self.made_up.values(), key=lambda resource: resource.at)
        count, names = len(self.made_up), ", ".join(self.made_up)
        if count == 1:
            message = f"The name of {names}, which Heat would make up, begins with var.stack_name."
        else:
            message = f"{count} names that Heat would make up begin with var.stack_name: {names}."
        self.add_diagnostic(codes.GENERATED_NAME, message, first.name_span)

    def report_unnormalized_text(self, text: str, ref: ir.Expr) -> None:
        """Reports a text that Terraform would change, because it normalises every string to NFC."""
        if not text.isascii() and not unicodedata.is_normalized("NFC", text):
            self.report_difference(
                codes.TEXT_NOT_NFC_OR_UTF8, "Terraform makes every string NFC; this text is not.", ref
            )

    def report_unnormalized_file(self, name: str, content: str | bytes, where: Located) -> None:
        """Reports a file that Terraform would change, for the same reason."""
        if isinstance(content, str) and not content.isascii() and not unicodedata.is_normalized("NFC", content):
            message = f"Terraform makes every string NFC; the text in {name} is not."
            self.add_diagnostic(codes.TEXT_NOT_NFC_OR_UTF8, message, where, once=name)

    def addresses_of(self, name: str, *, with_data: bool = True) -> list[str]:
        """The addresses that a resource became. with_data: also those of data sources."""
        report = self.report.resources.get(name)
        return report.addresses if report and (with_data or report.treatment != "data") else []

    def resource_report(self, resource: ir.Resource) -> ResourceReport:
        """The report's entry for a resource."""
        if resource.name not in self.report.resources:
            line, _ = self.template.source.line_and_column(resource.at)
            self.report.resources[resource.name] = ResourceReport(resource.type, line)
        return self.report.resources[resource.name]

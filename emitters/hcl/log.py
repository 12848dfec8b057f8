"""What one attempt reports: diagnostics, comments for the output, and the conversion report."""

from __future__ import annotations

import unicodedata
from typing import TYPE_CHECKING, Any, NamedTuple, final

from emitters.hcl.tree.printer import flat
from transpile.diagnostics import codes
from transpile.diagnostics.model import Diagnostic, Sink
from transpile.report import Report, ResourceReport

if TYPE_CHECKING:
    from collections.abc import Iterable

    from emitters.hcl.tree.nodes import Expr
    from transpile.model import ir
    from transpile.model.span import Located, Span

SHOWN = 12  # names in a list


class Gathered(NamedTuple):
    """What is reported in one diagnostic: the first place, and names by heading."""

    span: Span
    hint: str
    names: dict[str, dict[str, None]]

    def listed(self) -> str:
        """The headings, each with its names; a heading without a name, or with its own, stands alone."""
        return ", ".join(
            f"{what} ({some(names)})" if any(name not in ("", what) for name in names) else what
            for what, names in self.names.items()
        )


def some(names: Iterable[str]) -> str:
    """The first names of a list, and how many follow."""
    all_ = list(names)
    more = len(all_) - SHOWN
    return ", ".join(all_) if more < 2 else f"{', '.join(all_[:SHOWN])} and {more} others"


@final
class Log:
    """Diagnostics about one template, each reported once."""

    def __init__(self, template: ir.Template) -> None:
        self.template = template
        self.sink = Sink(template.source)
        self.notes: list[tuple[int, str]] = []  # offset, text
        self.noted: set[tuple[int, str]] = set()
        self.once: set[Any] = set()
        self.gathered: dict[tuple[str, str], Gathered] = {}  # by code and message
        self.made_up: dict[str, ir.Resource] = {}  # resources whose names Heat would make up
        self.report = Report()
        self.expressions: dict[str, Expr] = {}  # those in the report, by their texts

    def shown(self, expr: Expr) -> str:
        """The text of an expression, as the report has it."""
        text = flat(expr)
        self.expressions[text] = expr
        return text

    def say(
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

        note: text of a comment at the same spot in the output. severity: overrides that of the rule.
        """
        key = (code, once if once is not None else (message, where.at))
        if key not in self.once:
            self.once.add(key)
            self.sink.found.append(Diagnostic(code, message, self.template.source, where.span.in_text, hint, severity))
            if note:
                self.note(where.at, code, note)

    def gather(self, code: str, message: str, what: str, name: str, where: Located, hint: str = "") -> None:
        """Reports something that a template has many times, in one diagnostic for all.

        message: a sentence with `{}` in place of the list. what: a heading in the list; name: an item below it.
        """
        found = self.gathered.setdefault((code, message), Gathered(where.span.in_text, hint, {}))
        found.names.setdefault(what, {})[name] = None

    def found(self) -> list[Diagnostic]:
        """All diagnostics, those that were gathered included."""
        return [
            *self.sink.found,
            *(
                Diagnostic(code, message.format(one.listed()), self.template.source, one.span, one.hint)
                for (code, message), one in self.gathered.items()
            ),
        ]

    def note(self, at: int, code: str, text: str) -> None:
        """Adds a comment to the output, at the block or argument for this offset; the same comment only once."""
        if (found := (max(at, 0), f"{code}: {text}")) not in self.noted:
            self.noted.add(found)
            self.notes.append(found)

    def differs(self, code: str, message: str, where: Located, severity: str = "") -> None:
        """Reports that the output does not do what Heat does, as a diagnostic and as a comment in the output."""
        self.say(code, message, where, note=message, severity=severity)

    def names_made_up(self) -> None:
        """Reports all names that Heat would make up, in one diagnostic."""
        if not self.made_up:
            return
        first = min(self.made_up.values(), key=lambda resource: resource.at)
        count, names = len(self.made_up), ", ".join(self.made_up)
        if count == 1:
            message = f"The name of {names}, which Heat would make up, begins with var.stack_name."
        else:
            message = f"{count} names that Heat would make up begin with var.stack_name: {names}."
        self.say(codes.GENERATED_NAME, message, first.name_span)

    def check_text(self, text: str, ref: ir.Expr) -> None:
        """Reports a text that Terraform would change, because it normalises every string to NFC."""
        if not text.isascii() and not unicodedata.is_normalized("NFC", text):
            self.differs(codes.TEXT_NOT_NFC_OR_UTF8, "Terraform makes every string NFC; this text is not.", ref)

    def check_file(self, name: str, content: str | bytes, where: Located) -> None:
        """Reports a file that Terraform would change, for the same reason."""
        if isinstance(content, str) and not content.isascii() and not unicodedata.is_normalized("NFC", content):
            message = f"Terraform makes every string NFC; the text in {name} is not."
            self.say(codes.TEXT_NOT_NFC_OR_UTF8, message, where, once=name)

    def resource_report(self, resource: ir.Resource) -> ResourceReport:
        """The report's entry for a resource."""
        if resource.name not in self.report.resources:
            line, _ = self.template.source.position(resource.at)
            self.report.resources[resource.name] = ResourceReport(resource.type, line)
        return self.report.resources[resource.name]

"""The diagnostics of a module, of which some are also comments in the output, in the same words."""

from __future__ import annotations

from typing import final

from transpile.diagnostics.model import Diagnostic
from transpile.model.source import Source
from transpile.model.span import Located


@final
class ModuleNotes:
    """`comments`: sentences for the output, each once."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.diagnostics: list[Diagnostic] = []
        self.comments: dict[str, None] = {}

    def report(self, code: str, message: str, where: Located, hint: str = "", severity: str = "") -> None:
        self.diagnostics.append(Diagnostic(code, message, self.source, where.span.in_text, hint, severity))

    def report_difference(self, code: str, message: str, where: Located, severity: str = "") -> None:
        """Reports a diagnostic that is also a comment."""
        self.report(code, message, where, "", severity)
        self.comments[message] = None

    def keep(self, diagnostic: Diagnostic | None) -> None:
        """Keeps a diagnostic of the solver, if there is one. A warning is also a comment."""
        if diagnostic is not None:
            self.diagnostics.append(diagnostic)
            if diagnostic.severity == "warning":
                self.comments[diagnostic.message] = None

"""Ends a part of a run early, and reports the reason as a diagnostic."""

from __future__ import annotations

from types import TracebackType
from typing import final

from transpile.diagnostics import codes
from transpile.diagnostics.model import Diagnostic, Stopped, TooManyErrors, diagnose_exceeded_limit
from transpile.model.meter import LimitExceeded
from transpile.model.source import Source


@final
class RunGuard:
    """Guards a part of a run: `with RunGuard(findings, source) as guard: …`. If the part has too many errors, exceeds a
    limit, or nests too deeply for Python, it ends there, the reason is appended to `findings`, and `guard.stopped` is
    true. `what`: the constructs that may nest too deeply, as the subject of a sentence. `limits`: whether an exceeded
    limit ends this part alone; otherwise it ends the part around it, too.
    """

    def __init__(
        self,
        findings: list[Diagnostic],
        source: Source | None = None,
        what: str = "Expressions",
        *,
        limits: bool = True,
    ) -> None:
        self.findings, self.source, self.what, self.limits = findings, source, what, limits
        self.stopped = False

    def __enter__(self) -> RunGuard:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> bool:
        if isinstance(error, TooManyErrors) and error.sink.diagnostics is self.findings:
            pass  # the text that had too many errors wrote them there
        elif isinstance(error, Stopped):
            self.findings += error.diagnostics
        elif isinstance(error, LimitExceeded) and self.limits:
            self.findings.append(diagnose_exceeded_limit(error))
        elif isinstance(error, RecursionError):
            self.findings.append(
                Diagnostic(codes.NESTED_TOO_DEEPLY, f"{self.what} are nested too deeply.", self.source)
            )
        else:
            return False
        self.stopped = True
        return True

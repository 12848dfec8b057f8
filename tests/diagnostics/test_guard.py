"""An exception that ends a run early becomes one diagnostic; no other exception is caught."""

from __future__ import annotations

import pytest

from transpile.diagnostics.guard import RunGuard
from transpile.diagnostics.model import Diagnostic, Sink, Stopped, TooManyErrors
from transpile.model.budget import Budget
from transpile.model.meter import LimitExceeded
from transpile.model.source import Source
from transpile.model.span import Span

SOURCE = Source("a.yaml", "a", budget=Budget())


def test_each_reason_becomes_its_diagnostic() -> None:
    limit = LimitExceeded("steps", 1, SOURCE, Span(0, 1))
    stopped = Stopped([Diagnostic("HOT101", "It is wrong.", SOURCE)])
    for error, code in ((limit, "HOT118"), (stopped, "HOT101"), (RecursionError(), "HOT108")):
        findings: list[Diagnostic] = []
        with RunGuard(findings, SOURCE, "Values") as guard:
            raise error
        assert guard.stopped
        assert [d.code for d in findings] == [code]


def test_a_text_with_too_many_errors_is_not_said_twice() -> None:
    sink = Sink(SOURCE)
    sink.add("HOT101", "It is wrong.")
    with RunGuard(sink.diagnostics, SOURCE) as guard:
        raise TooManyErrors(sink)
    assert guard.stopped
    assert len(sink.diagnostics) == 1


def test_a_limit_can_end_the_part_around_it() -> None:
    findings: list[Diagnostic] = []
    with pytest.raises(LimitExceeded), RunGuard(findings, SOURCE, limits=False):
        raise LimitExceeded("steps", 1, SOURCE, Span(0, 1))
    assert findings == []


def test_a_defect_is_not_caught() -> None:
    with pytest.raises(ValueError, match="defect"), RunGuard([], SOURCE) as guard:
        raise ValueError("defect")
    assert not guard.stopped

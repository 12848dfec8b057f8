"""The record behind each diagnostic code."""

from __future__ import annotations

from typing import final

from transpile.model.records import node

E, W, I = "error", "warning", "info"  # noqa: E741 - short names keep the tables readable


@final
@node
class Rule:
    """`severity`: error (nothing is written), warning (something is lost or changes its meaning) or info (nothing is
    lost, but worth knowing).
    """

    code: str
    severity: str
    title: str
    why: str
    hint: str = ""

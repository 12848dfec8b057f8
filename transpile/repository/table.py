"""A plan as a table for people."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from transpile.repository.plan import Plan


def table(plan: Plan) -> str:
    raise NotImplementedError

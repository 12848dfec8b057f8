"""Finds the part of an expression at an offset of a text: the keys and indexes that lead there."""

from __future__ import annotations

from transpile.model import ir


def find_path_to(expr: ir.Expr, at: int) -> list[str]:
    """The keys and indexes of maps and lists that lead to an offset in an expression."""
    return find_part_at(expr, at)[0]


def find_part_at(expr: ir.Expr, at: int) -> tuple[list[str], ir.Expr]:
    """The same path, and the part of the expression that it leads to."""
    steps: list[str] = []
    while True:
        inner: ir.Expr | None = None
        if isinstance(expr, ir.Map):
            entry = next((e for e in expr.entries if e.at <= at < e.end), None)
            if entry is not None:
                steps.append(entry.key)
                inner = entry.value
        elif isinstance(expr, ir.Seq):
            index = next((i for i, item in enumerate(expr.items) if item.at <= at < item.end), None)
            if index is not None:
                steps.append(str(index))
                inner = expr.items[index]
        if inner is None:
            return steps, expr
        expr = inner

"""Small rewrites: the opposite of a condition, a text instead of null, names for loops.

The easy rule to break: nothing here knows the directory; each function gives another form of what it was given, with
the same meaning.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from emitters.hcl.tree.nodes import Cond, Expr, Fn, Index, Not, Object, Op, Text, Tuple, walk
from transpile.model import ir
from transpile.model.records import replace

if TYPE_CHECKING:
    from collections.abc import Sequence


def negated(condition: ir.Expr) -> ir.Expr:
    """The opposite of a condition; of an opposite the condition itself."""
    if isinstance(condition, ir.Call) and condition.fn == "not":
        return condition.arg
    if isinstance(condition, ir.Call) and condition.fn == "Fn::Not" and isinstance(condition.arg, ir.Seq):
        return condition.arg.items[0]
    return ir.Call("not", condition)


def same_shape(one: Expr, two: Expr) -> bool:
    """Whether Terraform finds one type for two literal structures without changing either."""
    if isinstance(one, Tuple) and isinstance(two, Tuple):
        items = (*one.items, *two.items)
        if all(isinstance(i, (str, Text)) for i in items):
            return True
        if len(items) > 1 or (one.items and two.items):
            return all(isinstance(i, Object) and same_shape(items[0], i) for i in items)
        return True  # one item, or none at all
    if isinstance(one, Object) and isinstance(two, Object):
        return [k for k, _ in one.entries] == [k for k, _ in two.entries] and all(
            (isinstance(a, (str, Text)) and isinstance(b, (str, Text)))
            or (isinstance(a, int) and isinstance(b, int) and isinstance(a, bool) == isinstance(b, bool))
            or same_shape(a, b)
            for (_, a), (_, b) in zip(one.entries, two.entries, strict=True)
        )
    return False


def indexed(expr: Expr) -> bool:
    """Whether an expression takes one of several, which may not be there."""
    return any(isinstance(e, Index) for e in walk(expr))


def without_null(expr: ir.Expr) -> ir.Expr:
    """A list in which a branch that is null is the empty list, which is the same to Heat."""
    if isinstance(expr, ir.If) and expr.orelse is not None:
        return replace(expr, then=without_null(expr.then), orelse=without_null(expr.orelse))
    return ir.Seq((), expr.at, expr.end) if isinstance(expr, ir.Lit) and expr.value is None else expr


def ways(expr: Expr) -> tuple[Expr, ...]:
    """The ways to what may not be there; any other expression alone."""
    if isinstance(expr, Fn) and expr.name == "try" and (expr.args[-1] is None or expr.args[-1] == ""):
        return expr.args[:-1]
    return (expr,)


def or_empty(expr: Expr) -> Expr:
    """A text, "" where it would be null."""
    if isinstance(expr, Fn) and expr.name == "lookup" and expr.args[-1] is None:  # null only where it is not there
        return Fn("lookup", (*expr.args[:-1], ""))
    if isinstance(expr, Cond):
        return Cond(expr.test, or_empty(expr.yes), or_empty(expr.no))
    if expr is None or isinstance(expr, (str, Text)):
        return expr or ""
    return Cond(Op("==", expr, None), "", expr)


def loop_names(placeholders: list[str], taken: set[str]) -> list[str]:
    """Names for loop variables: the placeholders without their punctuation."""
    out: list[str] = []
    for placeholder in placeholders:
        name = "".join(c if c.isalnum() and c.isascii() else "_" for c in placeholder).strip("_").lower() or "item"
        name = f"_{name}" if name[0].isdigit() else name
        while (
            name in out
            or name in taken
            or name in ("for", "in", "if", "i", "each", "count", "var", "local", "data", "module", "path")
        ):
            name += "_"
        out.append(name)
    return out


def is_not(expr: Expr) -> Expr:
    """The opposite of an expression, as one would write it."""
    if isinstance(expr, Not):
        return expr.of
    if isinstance(expr, bool):
        return not expr
    if isinstance(expr, Op) and expr.sign in ("==", "!="):
        return Op("!=" if expr.sign == "==" else "==", expr.left, expr.right)
    return Not(expr)


def split_in(text: Expr, bound: Sequence[tuple[str, Expr]]) -> Expr:
    """A text that only the run knows, with values put in the place of their placeholders."""
    for placeholder, value in bound:
        text = Fn("join", (value, Fn("split", (placeholder, text))))
    return text

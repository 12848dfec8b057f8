"""Pure, meaning-preserving rewrites of expressions: negation, defaults for null, names for loop variables."""

from __future__ import annotations

from collections.abc import Sequence

from emitters.hcl.tree.nodes import Cond, Expr, Fn, Index, Not, Object, Op, StringTemplate, Tuple, walk_expression
from emitters.hcl.tree.types import TypedValue
from transpile.model import ir
from transpile.model.records import replace


def negate_condition(condition: ir.Expr) -> ir.Expr:
    """The negation of a condition, without double negation."""
    if isinstance(condition, ir.Call) and condition.fn == "not":
        return condition.arg
    return ir.Call("not", condition)


def have_same_shape(first: Expr, second: Expr) -> bool:
    """Whether two literal structures have a common Terraform type, so that a conditional converts neither."""
    if isinstance(first, Tuple) and isinstance(second, Tuple):
        items = (*first.items, *second.items)
        if all(isinstance(i, (str, StringTemplate)) for i in items):
            return True
        if len(items) > 1 or (first.items and second.items):
            return all(isinstance(i, Object) and have_same_shape(items[0], i) for i in items)
        return True  # one item, or none at all
    if isinstance(first, Object) and isinstance(second, Object):
        return [k for k, _ in first.entries] == [k for k, _ in second.entries] and all(
            (isinstance(a, (str, StringTemplate)) and isinstance(b, (str, StringTemplate)))
            or (isinstance(a, int) and isinstance(b, int) and isinstance(a, bool) == isinstance(b, bool))
            or have_same_shape(a, b)
            for (_, a), (_, b) in zip(first.entries, second.entries, strict=True)
        )
    return False


def contains_index(expr: Expr) -> bool:
    """Whether an expression contains an index, which may be out of range."""
    return any(isinstance(e, Index) for e in walk_expression(expr))


def or_default(value: TypedValue, default: Expr) -> Expr:
    """A value, with the default where it may be null. coalesce() is not for texts, since it passes over "", too."""
    if not value.null:
        return value.expr
    if isinstance(default, (bool, int, float, Tuple)):
        return Fn("coalesce", (value.expr, default))
    return Cond(Op("==", value.expr, None), default, value.expr)


def without_null(expr: ir.Expr) -> ir.Expr:
    """Replaces null branches of a list by empty lists, which Heat treats alike."""
    if isinstance(expr, ir.If) and len(expr.branches) > 1:
        return expr.with_branches(without_null)
    return ir.Seq((), expr.span) if isinstance(expr, ir.Lit) and expr.value is None else expr


def map_of_branches(expr: ir.Expr) -> ir.Expr:
    """A map of optional values in place of an `if` of a literal map or null. `{if: [c, {a: x}, null]}` ->
    `{a: {if: [c, x, null]}}`. Any other expression stays as it is.
    """
    if not isinstance(expr, ir.If):
        return expr
    branches = [expr.then, expr.orelse or ir.NULL]
    maps = [branch for branch in branches if isinstance(branch, ir.Map)]
    if len(maps) != 1 or ir.NULL not in branches:
        return expr
    first = branches[0] is maps[0]
    return ir.Map(
        tuple(
            replace(
                entry,
                value=ir.If(
                    expr.condition, entry.value if first else ir.NULL, ir.NULL if first else entry.value, span=expr.span
                ),
            )
            for entry in maps[0].entries
        ),
        expr.span,
    )


def list_of_branches(expr: ir.Expr) -> ir.Seq | None:
    """A list of optional maps in place of an `if` of literal lists: only one branch counts, so the order is kept.
    `{if: [c, [a, b], [a]]}` -> `[a, {if: [c, b]}]`. None for any other expression.
    """
    if not isinstance(expr, ir.If) or isinstance(expr.condition, ir.ErrorNode):
        return None
    then, orelse = (
        ir.Seq(()) if branch in (None, ir.NULL) else branch if isinstance(branch, ir.Seq) else list_of_branches(branch)
        for branch in (expr.then, expr.orelse or ir.NULL)
    )
    if then is None or orelse is None:
        return None
    first, second = list(then.items), list(orelse.items)
    if not all(isinstance(item, ir.Map) for item in (*first, *second)):  # an `if` in an `if` has no such form
        return None
    shared = 0
    while shared < min(len(first), len(second)) and first[shared] == second[shared]:
        shared += 1
    other = negate_condition(expr.condition)
    items = [*first[:shared], *(ir.If(expr.condition, item, None, span=item.span) for item in first[shared:])]
    return ir.Seq((*items, *(ir.If(other, item, None, span=item.span) for item in second[shared:])), expr.span)


def try_alternatives(expr: Expr) -> tuple[Expr, ...]:
    """The alternatives of a `try` that falls back to null or "", without that fallback; otherwise the expression
    itself. A caller can then use another fallback in place of nesting `try` in `coalesce`.
    """
    if isinstance(expr, Fn) and expr.name == "try" and (expr.args[-1] is None or expr.args[-1] == ""):
        return expr.args[:-1]
    return (expr,)


def text_or_empty(expr: Expr) -> Expr:
    """A text, with "" in place of null."""
    if isinstance(expr, Fn) and expr.name == "lookup" and expr.args[-1] is None:  # null only if the key is missing
        return Fn("lookup", (*expr.args[:-1], ""))
    if isinstance(expr, Cond):
        return Cond(expr.test, text_or_empty(expr.yes), text_or_empty(expr.no))
    if expr is None or isinstance(expr, (str, StringTemplate)):
        return expr or ""
    return Cond(Op("==", expr, None), "", expr)


def loop_names(placeholders: list[str], taken: set[str]) -> list[str]:
    """Names for loop variables, made from the placeholders."""
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


def negate_expression(expr: Expr) -> Expr:
    """The negation of an expression, simplified."""
    if isinstance(expr, Not):
        return expr.of
    if isinstance(expr, bool):
        return not expr
    if isinstance(expr, Op) and expr.sign in ("==", "!="):
        return Op("!=" if expr.sign == "==" else "==", expr.left, expr.right)
    return Not(expr)


def replace_in_text(text: Expr, bound: Sequence[tuple[str, Expr]]) -> Expr:
    """Replaces placeholders in a text that is known only at run time."""
    for placeholder, value in bound:
        text = join_pieces(value, Fn("split", (placeholder, text)))
    return text


def join_pieces(delimiter: Expr, pieces: Expr) -> Expr:
    """The call of join(). Pieces of a text that was split at a literal are joined by replace(), which takes a text
    between slashes as a regular expression.
    """
    match pieces:
        case Fn("split", (str(sign), text)) if sign and not (len(sign) > 1 and sign[0] == sign[-1] == "/"):
            return Fn("replace", (text, sign, delimiter))
    return Fn("join", (delimiter, pieces))

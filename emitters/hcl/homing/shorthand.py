"""Short names for expressions that this package writes often."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from emitters.hcl.tree.nodes import Attr, Cond, Expr, Fn, ForObject, Index, Op, Traversal, Tuple
from emitters.hcl.tree.printer import IDENTIFIER

ID, OWN = Traversal(("id",)), Traversal(("c",))  # names in `for id, c in …`
GRID = 1_000_000_000  # values are compared when rounded to this part of one


def local_reference(name: str) -> Traversal:
    return Traversal(("local", name))


def variable_reference(name: str) -> Traversal:
    return Traversal(("var", name))


def member_of(of: Expr, name: str) -> Expr:
    """A member of an object, by its name."""
    return Attr(of, name) if IDENTIFIER.fullmatch(name) else Index(of, name)


def join_parts(sign: str, parts: Sequence[Expr], empty: Expr = True) -> Expr:
    """Expressions with an operator between them."""
    if not parts:
        return empty
    joined = parts[0]
    for part in parts[1:]:
        joined = Op(sign, joined, part)
    return joined


def try_expressions(*choices: Expr) -> Expr:
    """The first of several expressions that can be computed. Null cannot be compared, so it counts as not computed."""
    return Fn("try", choices)


def is_among(values: Iterable[Expr], value: Expr) -> Expr:
    """Whether a value is in a list."""
    return Fn("contains", (Tuple(tuple(values)), value))


def for_candidates(of: Expr, value: Expr, test: Expr | None = None) -> ForObject:
    """A map with a value for each candidate of another map."""
    return ForObject(("id", "c"), of, ID, value, test)


def round_to_grid(value: Expr, grid: int = GRID) -> Expr:
    """A number rounded to a fraction of one."""
    return Op("/", Fn("floor", (Op("+", Op("*", value, grid), 0.5),)), grid)


def condition_or_value(test: Expr, yes: Expr, no: Expr) -> Expr:
    """A conditional expression, or only its result if the condition is a constant."""
    if isinstance(test, bool):
        return yes if test else no
    return Cond(test, yes, no)

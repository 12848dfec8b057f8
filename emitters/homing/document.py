"""Homing templates in canonical form: the order of keys, one spelling of thresholds, the layout.

Invariant: demands, requirements, constraints, terms and candidates stay in place, because their order decides ties, and
no key is renamed. docs/homing.md gives the rules.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from transpile.homing import thresholds, words
from transpile.homing.scalars import number
from transpile.homing.words import KEY
from transpile.model import ir
from transpile.text.layout import REFERENCES, Layout, Section, Style, blank_above

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

STYLE = Style(
    step=0,
    left="{",
    right="}",
    gap=" ",
    short=REFERENCES | {*words.OLD_FUNCTIONS},
    dashed=True,
    below=frozenset(("sum", "operands")),
    versions='"{}"',
)
SECTIONS = {KEY: Section(verbatim=True)}
FIRST = (
    KEY,
    "description",
    "parameters",
    "locations",
    "demands",
    "constraints",
    "reservation",
    "reservations",
    "optimization",
)
LAST = len(FIRST)
PLACES = (*words.COORDINATES, "host_name", "clli_code", "country")
LEADING = ("inventory_provider", "inventory_type", "customer_id", "service_type")
GOAL = ("goal", "operation_function")
OPERATION = ("operator", "operands")
OPERAND = ("function", "operation_function", "params", "weight", "normalization")
PARAMS = ("demand", "location", "attribute")
QUOTED_TYPES = frozenset(name for name, row in words.TYPES.items() if {*row.required, *row.optional} & {*words.NETWORK})


def ranked(expr: ir.Expr, order: Sequence[str]) -> ir.Expr:
    """A map with its keys in order, others behind them as they were."""
    if type(expr) is not ir.Map:
        return expr
    ranks = {key: i for i, key in enumerate(order)}
    found = sorted(expr.entries, key=lambda entry: ranks.get(entry.key, len(ranks)))
    return ir.Map(tuple(found), expr.span)


def each(expr: ir.Expr, change: Callable[[ir.Expr], ir.Expr]) -> ir.Expr:
    """The values of a map, or the items of a list, changed."""
    if type(expr) is ir.Map:
        return ir.Map(tuple([ir.Entry(e.key, change(e.value), e.at) for e in expr.entries]), expr.span)
    if type(expr) is ir.Seq:
        return ir.Seq(tuple([change(item) for item in expr.items]), expr.span)
    return expr


def members(expr: ir.Expr, changes: Mapping[str, Callable[[ir.Expr], ir.Expr]]) -> ir.Expr:
    """A map with the values of some keys changed."""
    if type(expr) is not ir.Map:
        return expr
    found = [ir.Entry(e.key, changes[e.key](e.value) if e.key in changes else e.value, e.at) for e in expr.entries]
    return ir.Map(tuple(found), expr.span)


def listed(expr: ir.Expr) -> ir.Expr:
    """A name as a list of one."""
    if isinstance(expr, ir.Lit) and isinstance(expr.value, str) and expr.value:
        return ir.Seq((expr,), expr.span)
    return expr


def requirement(expr: ir.Expr) -> ir.Expr:
    """Its keys: first those that say what it is, then by the alphabet, then lists of candidates."""
    if type(expr) is not ir.Map:
        return expr

    def rank(entry: ir.Entry) -> tuple[int, int, str]:
        if entry.key in LEADING:
            return 0, LEADING.index(entry.key), ""
        return (2, words.LISTS.index(entry.key), "") if entry.key in words.LISTS else (1, 0, entry.key)

    return ir.Map(tuple(sorted(expr.entries, key=rank)), expr.span)


def constraint(expr: ir.Expr) -> ir.Expr:
    """Its keys, its demands as a list, and its properties in order, thresholds in one spelling."""
    kind = expr.get("type") if type(expr) is ir.Map else None
    name = kind.value if isinstance(kind, ir.Lit) else None
    row = words.TYPES.get(name) if isinstance(name, str) else None
    changes: dict[str, Callable[[ir.Expr], ir.Expr]] = {"demands": listed}
    if row is not None:
        order = (*row.required, *row.optional) if name not in ("network_to_location",) else (*words.NETWORK, "location")
        changes["properties"] = partial(properties, name=str(name), order=order)
    return ranked(members(expr, changes), words.CONSTRAINT)


def properties(expr: ir.Expr, name: str, order: Sequence[str]) -> ir.Expr:
    changes: dict[str, Callable[[ir.Expr], ir.Expr]] = {}
    if name in QUOTED_TYPES:
        changes = dict.fromkeys(words.NETWORK, threshold)
    elif name == "threshold":
        changes["evaluate"] = partial(each, change=partial(ranked, order=words.LIMIT))
    elif name == "hpa":
        changes["evaluate"] = partial(each, change=hpa)
    return ranked(members(expr, changes), order)


def threshold(expr: ir.Expr) -> ir.Expr:
    """A threshold in its one spelling; itself if it is none."""
    if not isinstance(expr, ir.Lit) or isinstance(expr.value, bool) or expr.value is None:
        return expr
    text = expr.value if isinstance(expr.value, str) else repr(expr.value)
    spelled = thresholds.canonical(text)
    return expr if spelled is None else ir.Lit(spelled, expr.span)


def hpa(expr: ir.Expr) -> ir.Expr:
    features = partial(each, change=feature)
    return ranked(members(expr, {"flavorProperties": features}), words.HPA_ENTRY)


def feature(expr: ir.Expr) -> ir.Expr:
    attributes = partial(each, change=partial(ranked, order=(*words.HPA_ATTRIBUTE, "unit")))
    return ranked(members(expr, {"hpa-feature-attributes": attributes}), (*words.HPA_FEATURE, "score"))


def reserved(expr: ir.Expr) -> ir.Expr:
    """One reservation. Its demands stay as they are: HAS takes a text for its letters."""
    return ranked(members(expr, {"properties": partial(ranked, order=("controller", "request"))}), words.RESERVATION)


def reservation(expr: ir.Expr) -> ir.Expr:
    """The section that HAS reads, or one in the form of the texts."""
    if type(expr) is ir.Map and expr.get("service_candidates") is None:
        return each(expr, reserved)
    return ranked(members(expr, {"service_candidates": partial(each, change=reserved)}), ("service_model",))


def term(expr: ir.Expr) -> ir.Expr:
    """A product of one number and one function begins with the number."""
    if type(expr) is ir.Seq:
        return each(expr, term)
    if type(expr) is not ir.Map:
        return expr
    return members(expr, {"product": product, "sum": term, "minimize": term})


def product(expr: ir.Expr) -> ir.Expr:
    if type(expr) is not ir.Seq:
        return expr
    items = tuple([term(item) for item in expr.items])
    if len(items) == 2 and isinstance(items[0], ir.Map) and isinstance(items[1], ir.Lit) and weight(items[1]):
        items = items[::-1]
    return ir.Seq(items, expr.span)


def weight(expr: ir.Lit) -> bool:
    return not isinstance(expr.value, str) and number(expr.value) is not None


def operation(expr: ir.Expr) -> ir.Expr:
    return ranked(members(expr, {"operands": partial(each, change=operand)}), OPERATION)


def operand(expr: ir.Expr) -> ir.Expr:
    changes: dict[str, Callable[[ir.Expr], ir.Expr]] = {
        "operation_function": operation,
        "params": partial(ranked, order=PARAMS),
        "normalization": partial(ranked, order=("start", "end")),
    }
    return ranked(members(expr, changes), OPERAND)


def objective(expr: ir.Expr) -> ir.Expr:
    if type(expr) is ir.Map and expr.get("operation_function") is not None:
        return ranked(members(expr, {"operation_function": operation}), GOAL)
    return term(expr)


CHANGES: Mapping[str, Callable[[ir.Expr], ir.Expr]] = {
    "locations": partial(each, change=partial(ranked, order=(*PLACES, *words.PLACEMARK))),
    "demands": partial(each, change=partial(each, change=requirement)),
    "constraints": partial(each, change=constraint),
    "reservation": reservation,
    "reservations": partial(each, change=reserved),
    "optimization": objective,
}


def template(root: ir.Map) -> ir.Map:
    """A template in canonical order, thresholds in one spelling."""
    found = ranked(members(root, {**CHANGES, "demands": demands}), FIRST)
    assert isinstance(found, ir.Map)
    return found


def demands(expr: ir.Expr) -> ir.Expr:
    """The section; a demand that is no list stays as it is."""
    return each(expr, lambda one: each(one, requirement) if type(one) is ir.Seq else one)


def text(expr: ir.Expr) -> str:
    return expr.value if isinstance(expr, ir.Lit) and isinstance(expr.value, str) else ""


def quoted(root: ir.Map) -> frozenset[int]:
    """The offsets of the thresholds, which are always in quotes, and of parameters that begin like one."""
    found: set[int] = set()
    section = root.get("parameters")
    for entry in section.entries if type(section) is ir.Map else ():
        value: ir.Expr | None = entry.value
        assert value is not None
        if text(value)[:1] in ("<", ">", "=") and value.at >= 0:
            found.add(value.at)
    section = root.get("constraints")
    for entry in section.entries if type(section) is ir.Map else ():
        given = entry.value.get("properties") if type(entry.value) is ir.Map else None
        for key in words.NETWORK:
            value = given.get(key) if isinstance(given, ir.Map) else None
            if isinstance(value, ir.Lit) and value.at >= 0:
                found.add(value.at)
    return frozenset(found)


def show(root: ir.Map, comments: Iterable[ir.Comment], original: str) -> str:
    """The text of a template that is in canonical order. `original`: its text before, for the blank lines."""
    return Layout(comments, blank_above(original), STYLE, quoted(root)).document(root, SECTIONS, stripped=False)

"""Prints homing templates in canonical form: the order of keys, one spelling of thresholds, the layout.

Invariant: demands, requirements, constraints, terms and candidates keep their order, because it decides ties, and no
key is renamed. docs/homing-reference.md has the rules.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial

from transpile.homing import thresholds, words
from transpile.homing.scalars import is_finite_number
from transpile.homing.words import KEY
from transpile.model import ir
from transpile.text.layout import REFERENCES, Layout, SectionLayout, Style, blank_above

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
SECTIONS = {KEY: SectionLayout(verbatim=True)}
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


def order_keys(expr: ir.Expr, order: Sequence[str]) -> ir.Expr:
    """A map with some keys first, in order, and the others after them as they were."""
    if type(expr) is not ir.Map:
        return expr
    ranks = {key: i for i, key in enumerate(order)}
    ordered = sorted(expr.entries, key=lambda entry: ranks.get(entry.key, len(ranks)))
    return ir.Map(tuple(ordered), expr.span)


def change_values(expr: ir.Expr, change: Callable[[ir.Expr], ir.Expr]) -> ir.Expr:
    """A map or a list with a change applied to its values or items."""
    if type(expr) is ir.Map:
        return ir.Map(tuple([ir.Entry(e.key, change(e.value), e.at) for e in expr.entries]), expr.span)
    if type(expr) is ir.Seq:
        return ir.Seq(tuple([change(item) for item in expr.items]), expr.span)
    return expr


def change_members(expr: ir.Expr, changes: Mapping[str, Callable[[ir.Expr], ir.Expr]]) -> ir.Expr:
    """A map with changes applied to the values of some keys."""
    if type(expr) is not ir.Map:
        return expr
    changed = [ir.Entry(e.key, changes[e.key](e.value) if e.key in changes else e.value, e.at) for e in expr.entries]
    return ir.Map(tuple(changed), expr.span)


def as_name_list(expr: ir.Expr) -> ir.Expr:
    """A single name as a list of one; a list as it is."""
    if isinstance(expr, ir.Lit) and isinstance(expr.value, str) and expr.value:
        return ir.Seq((expr,), expr.span)
    return expr


def order_requirement(expr: ir.Expr) -> ir.Expr:
    """A requirement in order: first the keys that identify it, then the others by the alphabet, then lists of
    candidates.
    """
    if type(expr) is not ir.Map:
        return expr

    def rank(entry: ir.Entry) -> tuple[int, int, str]:
        if entry.key in LEADING:
            return 0, LEADING.index(entry.key), ""
        return (2, words.LISTS.index(entry.key), "") if entry.key in words.LISTS else (1, 0, entry.key)

    return ir.Map(tuple(sorted(expr.entries, key=rank)), expr.span)


def order_constraint(expr: ir.Expr) -> ir.Expr:
    """A constraint with its keys in order, its demands as a list, and its thresholds in one spelling."""
    kind = expr.get("type") if type(expr) is ir.Map else None
    name = kind.value if isinstance(kind, ir.Lit) else None
    row = words.TYPES.get(name) if isinstance(name, str) else None
    changes: dict[str, Callable[[ir.Expr], ir.Expr]] = {"demands": as_name_list}
    if row is not None:
        order = (*row.required, *row.optional) if name not in ("network_to_location",) else (*words.NETWORK, "location")
        changes["properties"] = partial(order_properties, name=str(name), order=order)
    return order_keys(change_members(expr, changes), words.CONSTRAINT)


def order_properties(expr: ir.Expr, name: str, order: Sequence[str]) -> ir.Expr:
    changes: dict[str, Callable[[ir.Expr], ir.Expr]] = {}
    if name in QUOTED_TYPES:
        changes = dict.fromkeys(words.NETWORK, canonical_threshold)
    elif name == "threshold":
        changes["evaluate"] = partial(change_values, change=partial(order_keys, order=words.LIMIT))
    elif name == "hpa":
        changes["evaluate"] = partial(change_values, change=order_hpa)
    return order_keys(change_members(expr, changes), order)


def canonical_threshold(expr: ir.Expr) -> ir.Expr:
    """A threshold in its canonical spelling; a value that is not a threshold as it is."""
    if not isinstance(expr, ir.Lit) or isinstance(expr.value, bool) or expr.value is None:
        return expr
    text = expr.value if isinstance(expr.value, str) else repr(expr.value)
    spelled = thresholds.canonical_threshold(text)
    return expr if spelled is None else ir.Lit(spelled, expr.span)


def order_hpa(expr: ir.Expr) -> ir.Expr:
    features = partial(change_values, change=order_feature)
    return order_keys(change_members(expr, {"flavorProperties": features}), (words.HPA_LABEL, *words.HPA_ENTRY))


def order_feature(expr: ir.Expr) -> ir.Expr:
    attributes = partial(change_values, change=partial(order_keys, order=(*words.HPA_ATTRIBUTE, "unit")))
    return order_keys(change_members(expr, {"hpa-feature-attributes": attributes}), (*words.HPA_FEATURE, "score"))


def order_reservation(expr: ir.Expr) -> ir.Expr:
    """One reservation. Its demands stay as they are: HAS iterates over the letters of a text."""
    return order_keys(
        change_members(expr, {"properties": partial(order_keys, order=("controller", "request"))}), words.RESERVATION
    )


def order_reservation_section(expr: ir.Expr) -> ir.Expr:
    """The section `reservation`, in the form that HAS reads or in the form of the texts."""
    if type(expr) is ir.Map and "service_candidates" not in expr:
        return change_values(expr, order_reservation)
    return order_keys(
        change_members(expr, {"service_candidates": partial(change_values, change=order_reservation)}),
        ("service_model",),
    )


def order_term(expr: ir.Expr) -> ir.Expr:
    """A term. In a product of one number and one function, the number comes first."""
    if type(expr) is ir.Seq:
        return change_values(expr, order_term)
    if type(expr) is not ir.Map:
        return expr
    return change_members(expr, {"product": order_product, "sum": order_term, "minimize": order_term})


def order_product(expr: ir.Expr) -> ir.Expr:
    if type(expr) is not ir.Seq:
        return expr
    items = tuple([order_term(item) for item in expr.items])
    if len(items) == 2 and isinstance(items[0], ir.Map) and isinstance(items[1], ir.Lit) and is_weight(items[1]):
        items = items[::-1]
    return ir.Seq(items, expr.span)


def is_weight(expr: ir.Lit) -> bool:
    return not isinstance(expr.value, str) and is_finite_number(expr.value)


def order_operation(expr: ir.Expr) -> ir.Expr:
    return order_keys(change_members(expr, {"operands": partial(change_values, change=order_operand)}), OPERATION)


def order_operand(expr: ir.Expr) -> ir.Expr:
    changes: dict[str, Callable[[ir.Expr], ir.Expr]] = {
        "operation_function": order_operation,
        "params": partial(order_keys, order=PARAMS),
        "normalization": partial(order_keys, order=("start", "end")),
    }
    return order_keys(change_members(expr, changes), OPERAND)


def order_objective(expr: ir.Expr) -> ir.Expr:
    if type(expr) is ir.Map and "operation_function" in expr:
        return order_keys(change_members(expr, {"operation_function": order_operation}), GOAL)
    return order_term(expr)


CHANGES: Mapping[str, Callable[[ir.Expr], ir.Expr]] = {
    "locations": partial(change_values, change=partial(order_keys, order=(*PLACES, *words.PLACEMARK))),
    "demands": partial(change_values, change=partial(change_values, change=order_requirement)),
    "constraints": partial(change_values, change=order_constraint),
    "reservation": order_reservation_section,
    "reservations": partial(change_values, change=order_reservation),
    "optimization": order_objective,
}


def order_template(root: ir.Map) -> ir.Map:
    """A template in canonical order, with thresholds in one spelling."""
    ordered = order_keys(change_members(root, {**CHANGES, "demands": order_demands}), FIRST)
    assert isinstance(ordered, ir.Map)
    return ordered


def order_demands(expr: ir.Expr) -> ir.Expr:
    """The section `demands`. A demand that is not a list stays as it is."""
    return change_values(
        expr, lambda demand: change_values(demand, order_requirement) if type(demand) is ir.Seq else demand
    )


def literal_text(expr: ir.Expr) -> str:
    return expr.value if isinstance(expr, ir.Lit) and isinstance(expr.value, str) else ""


def quoted_offsets(root: ir.Map) -> frozenset[int]:
    """The offsets of the scalars that are always in quotes: thresholds, and parameters that look like one."""
    offsets: set[int] = set()
    section = root.get("parameters")
    for entry in section.entries if type(section) is ir.Map else ():
        value: ir.Expr | None = entry.value
        assert value is not None
        if literal_text(value)[:1] in ("<", ">", "=") and value.at >= 0:
            offsets.add(value.at)
    section = root.get("constraints")
    for entry in section.entries if type(section) is ir.Map else ():
        properties = entry.value.get("properties") if type(entry.value) is ir.Map else None
        for key in words.NETWORK:
            value = properties.get(key) if isinstance(properties, ir.Map) else None
            if isinstance(value, ir.Lit) and value.at >= 0:
                offsets.add(value.at)
    return frozenset(offsets)


def print_template(root: ir.Map, comments: Iterable[ir.Comment], original: str) -> str:
    """The text of a template in canonical order. `original`: its text before, for the blank lines."""
    return Layout(comments, blank_above(original), STYLE, quoted_offsets(root)).print_document(
        root, SECTIONS, stripped=False
    )

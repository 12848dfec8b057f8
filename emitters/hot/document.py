"""Puts documents into canonical order: sections, and the keys of declarations.

Invariant: only what Heat reads without regard to order is sorted. Properties, parameters, resources and list items stay
in place.
"""

from __future__ import annotations

import operator
from functools import partial
from typing import TYPE_CHECKING

from transpile.model import ir
from transpile.text.layout import Layout, Section, blank_above

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

SECTIONS = {
    "heat_template_version": Section(verbatim=True),
    "description": Section(),
    "capabilities": Section(),
    "parameter_groups": Section(),
    "parameters": Section(declarations=True),
    "conditions": Section(declarations=True),
    "resources": Section(declarations=True),
    "outputs": Section(declarations=True),
}
ENVIRONMENT = {
    word: Section()
    for word in (
        "requires",
        "resource_registry",
        "parameters",
        "parameter_defaults",
        "parameter_merge_strategies",
        "encrypted_param_names",
        "event_sinks",
    )
}


def order(*keys: str) -> dict[str, int]:
    """The rank of each key."""
    return {key: rank for rank, key in enumerate(keys)}


TEMPLATE_ORDER, ENVIRONMENT_ORDER = order(*SECTIONS), order(*ENVIRONMENT)
PARAMETER = order("type", "label", "description", "default", "hidden", "immutable", "tags", "constraints")
CONSTRAINT = order("length", "range", "modulo", "allowed_values", "allowed_pattern", "custom_constraint", "description")
RESOURCE = order(
    "type",
    "description",
    "condition",
    "external_id",
    "depends_on",
    "deletion_policy",
    "update_policy",
    "metadata",
    "properties",
)
OUTPUT = order("description", "condition", "value")
GROUP = order("label", "description", "parameters")


def sort(expr: ir.Expr, ranks: Mapping[str, int]) -> ir.Expr:
    """A map with its keys in order, those without a rank last; itself if it is in order."""
    if type(expr) is not ir.Map:
        return expr
    last = len(ranks)
    found = [ranks.get(entry.key, last) for entry in expr.entries]
    if found == sorted(found):
        return expr
    return ir.Map(tuple(sorted(expr.entries, key=lambda e: ranks.get(e.key, last))), expr.span)


def values(expr: ir.Map, change: Callable[[str, ir.Expr], ir.Expr]) -> ir.Map:
    """A map with each value changed; itself if none is."""
    found = [change(entry.key, entry.value) for entry in expr.entries]
    if all(new is entry.value for new, entry in zip(found, expr.entries, strict=True)):
        return expr
    entries = [ir.Entry(entry.key, new, entry.at) for new, entry in zip(found, expr.entries, strict=True)]
    return ir.Map(tuple(entries), expr.span)


def each(expr: ir.Expr, change: Callable[[ir.Expr], ir.Expr]) -> ir.Expr:
    """A map of declarations or a list of them with each changed; itself if none is."""
    if type(expr) is ir.Map:
        return values(expr, lambda _, value: change(value))
    if type(expr) is ir.Seq:
        items = tuple([change(item) for item in expr.items])
        return expr if all(map(operator.is_, items, expr.items)) else ir.Seq(items, expr.span)
    return expr


def parameter(expr: ir.Expr) -> ir.Expr:
    """A parameter with its keys, and those of its constraints, in order."""
    if type(expr) is ir.Map:
        expr = values(expr, lambda key, value: each(value, constraint) if key == "constraints" else value)
    return sort(expr, PARAMETER)


constraint = partial(sort, ranks=CONSTRAINT)
DECLARATIONS: Mapping[str, Callable[[ir.Expr], ir.Expr]] = {
    "parameter_groups": partial(sort, ranks=GROUP),
    "parameters": parameter,
    "resources": partial(sort, ranks=RESOURCE),
    "outputs": partial(sort, ranks=OUTPUT),
}


def template(root: ir.Map) -> ir.Map:
    """A template in canonical order; itself if it is in order."""
    changed = values(root, lambda key, value: each(value, DECLARATIONS[key]) if key in DECLARATIONS else value)
    found = sort(changed, TEMPLATE_ORDER)
    assert isinstance(found, ir.Map)
    return found


def environment(root: ir.Map) -> ir.Map:
    """An environment in canonical order; itself if it is in order."""
    found = sort(root, ENVIRONMENT_ORDER)
    assert isinstance(found, ir.Map)
    return found


def show(root: ir.Map, comments: Iterable[ir.Comment], text: str, *, is_template: bool) -> str:
    """The canonical text of a document that is in canonical order. `text`: its original text, for the blank lines."""
    sections = SECTIONS if is_template else ENVIRONMENT
    return Layout(comments, blank_above(text)).document(root, sections, stripped=is_template)

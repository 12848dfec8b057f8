"""Puts documents into canonical order: sections, and the keys of declarations.

Invariant: keys are sorted only where Heat ignores their order. Properties, parameters, resources and list items keep
their order.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Mapping
from functools import partial

from transpile.model import ir
from transpile.text.layout import Layout, SectionLayout, blank_above

SECTIONS = {
    "heat_template_version": SectionLayout(verbatim=True),
    "description": SectionLayout(),
    "capabilities": SectionLayout(),
    "parameter_groups": SectionLayout(),
    "parameters": SectionLayout(declarations=True),
    "conditions": SectionLayout(declarations=True),
    "resources": SectionLayout(declarations=True),
    "outputs": SectionLayout(declarations=True),
}
ENVIRONMENT = {
    word: SectionLayout()
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


def rank_keys(*keys: str) -> dict[str, int]:
    """The rank of each key."""
    return {key: rank for rank, key in enumerate(keys)}


TEMPLATE_ORDER, ENVIRONMENT_ORDER = rank_keys(*SECTIONS), rank_keys(*ENVIRONMENT)
PARAMETER_ORDER = rank_keys("type", "label", "description", "default", "hidden", "immutable", "tags", "constraints")
CONSTRAINT_ORDER = rank_keys(
    "length", "range", "modulo", "allowed_values", "allowed_pattern", "custom_constraint", "description"
)
RESOURCE_ORDER = rank_keys(
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
OUTPUT_ORDER = rank_keys("description", "condition", "value")
GROUP_ORDER = rank_keys("label", "description", "parameters")


def sort_keys(expr: ir.Expr, ranks: Mapping[str, int]) -> ir.Expr:
    """A map with its keys in order, those without a rank last; itself if it is in order."""
    if type(expr) is not ir.Map:
        return expr
    last = len(ranks)
    entry_ranks = [ranks.get(entry.key, last) for entry in expr.entries]
    if entry_ranks == sorted(entry_ranks):
        return expr
    return ir.Map(tuple(sorted(expr.entries, key=lambda e: ranks.get(e.key, last))), expr.span)


def change_values(expr: ir.Map, change: Callable[[str, ir.Expr], ir.Expr]) -> ir.Map:
    """A map with each value changed; the map itself if no value changes, so that nothing is copied."""
    changed = [change(entry.key, entry.value) for entry in expr.entries]
    if all(new is entry.value for new, entry in zip(changed, expr.entries, strict=True)):
        return expr
    entries = [ir.Entry(entry.key, new, entry.at) for new, entry in zip(changed, expr.entries, strict=True)]
    return ir.Map(tuple(entries), expr.span)


def change_declarations(expr: ir.Expr, change: Callable[[ir.Expr], ir.Expr]) -> ir.Expr:
    """A map or list of declarations with each one changed; the same object if none changes."""
    if type(expr) is ir.Map:
        return change_values(expr, lambda _, value: change(value))
    if type(expr) is ir.Seq:
        items = tuple([change(item) for item in expr.items])
        return expr if all(map(operator.is_, items, expr.items)) else ir.Seq(items, expr.span)
    return expr


def sort_parameter(expr: ir.Expr) -> ir.Expr:
    """A parameter with its keys, and those of its constraints, in order."""
    if type(expr) is ir.Map:
        expr = change_values(
            expr, lambda key, value: change_declarations(value, sort_constraint) if key == "constraints" else value
        )
    return sort_keys(expr, PARAMETER_ORDER)


sort_constraint = partial(sort_keys, ranks=CONSTRAINT_ORDER)
DECLARATIONS: Mapping[str, Callable[[ir.Expr], ir.Expr]] = {
    "parameter_groups": partial(sort_keys, ranks=GROUP_ORDER),
    "parameters": sort_parameter,
    "resources": partial(sort_keys, ranks=RESOURCE_ORDER),
    "outputs": partial(sort_keys, ranks=OUTPUT_ORDER),
}


def template(root: ir.Map) -> ir.Map:
    """A template in canonical order; itself if it is in order."""
    changed = change_values(
        root, lambda key, value: change_declarations(value, DECLARATIONS[key]) if key in DECLARATIONS else value
    )
    ordered = sort_keys(changed, TEMPLATE_ORDER)
    assert isinstance(ordered, ir.Map)
    return ordered


def environment(root: ir.Map) -> ir.Map:
    """An environment in canonical order; itself if it is in order."""
    ordered = sort_keys(root, ENVIRONMENT_ORDER)
    assert isinstance(ordered, ir.Map)
    return ordered


def show(root: ir.Map, comments: Iterable[ir.Comment], text: str, *, is_template: bool) -> str:
    """The canonical text of a document that is in canonical order. `text`: its original text, for the blank lines."""
    sections = SECTIONS if is_template else ENVIRONMENT
    return Layout(comments, blank_above(text)).print_document(root, sections, stripped=is_template)

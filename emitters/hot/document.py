"""Puts documents into canonical order: sections, and the keys of declarations.

Invariant: only elements whose order means nothing to Heat are reordered. Properties, parameters, resources and items
keep their places.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from emitters.hot.layout import Layout, Section, blank_above
from transpile.model import ir

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

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
PARAMETER = ("type", "label", "description", "default", "hidden", "immutable", "tags", "constraints")
CONSTRAINT = (
    "length",
    "range",
    "modulo",
    "allowed_values",
    "allowed_pattern",
    "custom_constraint",
    "description",
)
RESOURCE = (
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
OUTPUT = ("description", "condition", "value")
GROUP = ("label", "description", "parameters")
KEYS = {"parameters": PARAMETER, "resources": RESOURCE, "outputs": OUTPUT}


def sort(expr: ir.Expr, order: Sequence[str]) -> ir.Expr:
    """A map with its keys in this order. Keys that `order` does not contain follow in their original order."""
    if not isinstance(expr, ir.Map):
        return expr
    ranks = {key: i for i, key in enumerate(order)}
    last = len(ranks)
    entries = sorted(expr.entries, key=lambda e: ranks.get(e.key, last))
    return ir.Map(tuple(entries), expr.at, expr.end)


def each(expr: ir.Expr, order: Sequence[str]) -> ir.Expr:
    """A map or list of maps, each with its keys in order."""
    if isinstance(expr, ir.Map):
        entries = [ir.Entry(e.key, sort(e.value, order), e.at) for e in expr.entries]
        return ir.Map(tuple(entries), expr.at, expr.end)
    if isinstance(expr, ir.Seq):
        return ir.Seq(tuple([sort(i, order) for i in expr.items]), expr.at, expr.end)
    return expr


def parameter(entry: ir.Entry) -> ir.Entry:
    value = entry.value
    if not isinstance(value, ir.Map):
        return entry
    inner = [ir.Entry(e.key, each(e.value, CONSTRAINT), e.at) if e.key == "constraints" else e for e in value.entries]
    return ir.Entry(entry.key, sort(ir.Map(tuple(inner), value.at, value.end), PARAMETER), entry.at)


def template(root: ir.Map) -> ir.Map:
    """A template in canonical order."""
    entries = []
    for entry in root.entries:
        value = entry.value
        if entry.key == "parameters" and isinstance(value, ir.Map):
            value = ir.Map(tuple([parameter(e) for e in value.entries]), value.at, value.end)
        elif entry.key in KEYS:
            value = each(value, KEYS[entry.key])
        elif entry.key == "parameter_groups":
            value = each(value, GROUP)
        entries.append(ir.Entry(entry.key, value, entry.at))
    found = sort(ir.Map(tuple(entries), root.at, root.end), tuple(SECTIONS))
    assert isinstance(found, ir.Map)
    return found


def environment(root: ir.Map) -> ir.Map:
    """An environment in canonical order."""
    found = sort(root, tuple(ENVIRONMENT))
    assert isinstance(found, ir.Map)
    return found


def show(root: ir.Map, comments: Iterable[ir.Comment], text: str, *, is_template: bool) -> str:
    """The canonical text of a document that is in canonical order. `text`: its original text, for the blank lines."""
    sections = SECTIONS if is_template else ENVIRONMENT
    return Layout(comments, blank_above(text)).document(root, sections, stripped=is_template)

"""The value of a property that an `if` leaves out: one without an else, or with null there.

Invariant: rules and hooks see an `if` with both branches, so that they write the same as without the property. Only
a name that Heat makes up has no value here; `arguments.py` writes the made-up name.
"""

from __future__ import annotations

import operator

from emitters.hcl.tables.mapping import ArgumentRule, HookRule, Rule
from emitters.hcl.tables.reader import field_schemas
from transpile.model import ir
from transpile.model.records import replace
from transpile.schema import catalog


def with_else(entry: ir.Entry, rule: Rule | None, schema: catalog.PropertySchema) -> ir.Entry:
    """A property, or a field of one, in which each `if` has an else. schema: Heat's of the property."""
    value = entry.value
    if type(value) is ir.If:
        default = default_of(rule, schema)
        none = ir.Seq(()) if schema.get("type") == "list" and type(rule) is not ArgumentRule else ir.NULL
        absent: ir.Expr | None = default or none
        if type(rule) is HookRule and rule.argument_rule.write is not None:
            absent = ir.from_data(rule.argument_rule.write)
        if type(rule) is ArgumentRule and rule.generated and not rule.empty:
            absent = None
        value = complete_if(value, absent, default or none)
    if type(rule) is HookRule and rule.inner is None:
        value = complete_fields(value, schema)
    return entry if value is entry.value else replace(entry, value=value)


def default_of(rule: Rule | None, schema: catalog.PropertySchema) -> ir.Expr | None:
    """The default of a property, which null means, too: the value in the table or, for hooks, Heat's default."""
    if isinstance(rule, ArgumentRule):
        return ir.from_data(rule.write) if rule.write is not None else None
    if rule is None or isinstance(rule, HookRule):
        return ir.from_data(schema["default"]) if schema.get("default") is not None else None
    return None


def complete_if(expr: ir.Expr, absent: ir.Expr | None, null: ir.Expr) -> ir.Expr:
    """An `if`, and those in its branches, with `absent` in place of each missing else, and `null` in place of null."""
    if not isinstance(expr, ir.If):
        return null if expr == ir.NULL else expr
    orelse = absent if expr.orelse is None else complete_if(expr.orelse, absent, null)
    return replace(expr, then=complete_if(expr.then, absent, null), orelse=orelse)


def complete_fields(expr: ir.Expr, schema: catalog.PropertySchema) -> ir.Expr:
    """A value whose maps have, by Heat's schema, known fields: each of their `if` gets an else."""
    if type(expr) is ir.If:
        then, orelse = complete_fields(expr.then, schema), expr.orelse and complete_fields(expr.orelse, schema)
        return expr if then is expr.then and orelse is expr.orelse else replace(expr, then=then, orelse=orelse)
    if type(expr) is ir.Seq and "items" in schema:
        items = tuple([complete_fields(item, schema["items"]) for item in expr.items])
        return expr if all(map(operator.is_, items, expr.items)) else replace(expr, items=items)
    fields = field_schemas(schema)
    if type(expr) is not ir.Map or not fields:
        return expr
    entries = tuple([complete_field(entry, fields.get(entry.key)) for entry in expr.entries])
    return expr if all(map(operator.is_, entries, expr.entries)) else replace(expr, entries=entries)


def complete_field(entry: ir.Entry, schema: catalog.PropertySchema | None) -> ir.Entry:
    if schema is None:
        return entry
    completed = with_else(entry, None, schema)
    value = complete_fields(completed.value, schema)
    return completed if value is completed.value else replace(completed, value=value)

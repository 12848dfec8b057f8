"""Writes texts made of several properties, as `/${partition}/${name}` in a mapping table.

Invariant: the literal parts of a table stay literals, which the printer escapes. If a part of the text may be missing,
the resource stays with Heat.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from emitters.hcl.errors import CannotSay
from emitters.hcl.lowering.lowering import HclLowering, Part
from emitters.hcl.lowering.paths import select_literal_step
from emitters.hcl.tables.mapping import JoinedText
from emitters.hcl.tree.nodes import Expr, Fn, StringTemplate, Traversal
from emitters.hcl.tree.types import STRING, TypedValue
from transpile.diagnostics import codes
from transpile.model import ir
from transpile.model.span import Span
from transpile.schema import catalog

NO_IDS: Mapping[str, Expr] = {}


def value_set_for(entries: Mapping[str, ir.Entry], name: str) -> ir.Expr | None:
    """The value that a template sets a property to; None if it sets none, or null."""
    entry = entries.get(name)
    return entry.value if entry is not None and entry.value != ir.NULL else None


def default_of(schema: Mapping[str, catalog.PropertySchema], name: str) -> ir.Lit | None:
    """Heat's default for a property, if it is a scalar."""
    default: Any = schema.get(name, {}).get("default")
    return ir.Lit(default) if isinstance(default, (str, int, float, bool)) else None


def any_is_set(joined: JoinedText, entries: Mapping[str, ir.Entry]) -> bool:
    """Whether a template sets one of the properties."""
    return any(value_set_for(entries, name) is not None for name in joined.property_names)


def names_without_value(
    joined: JoinedText, entries: Mapping[str, ir.Entry], schema: Mapping[str, catalog.PropertySchema]
) -> list[str]:
    """The properties that have neither a value nor a default."""
    return [n for n in joined.property_names if value_set_for(entries, n) is None and default_of(schema, n) is None]


def lower_joined_text(
    lowering: HclLowering,
    joined: JoinedText,
    entries: Mapping[str, ir.Entry],
    schema: Mapping[str, catalog.PropertySchema],
    resource: ir.Resource,
    purpose: str,
    ids: Mapping[str, Expr] = NO_IDS,
) -> TypedValue:
    """The text as an expression. purpose: the subject of diagnostics. ids: where to read properties that may be names
    and whose IDs the text has. Raises CannotSay if a part has no value, or may be null.
    """
    span = resource.name_span
    if missing := names_without_value(joined, entries, schema):
        why = f"{purpose} of {resource.name} is made of {missing[0]}, which has no value"
        raise CannotSay(codes.KEPT_IN_HEAT, why, span, resource.name)
    pieces: list[Part] = []
    for literal, name in joined.parts:
        pieces += [literal] if literal else []
        if not name:
            continue
        expr = value_set_for(entries, name) or default_of(schema, name)
        assert expr is not None
        if lowering.lower_value(expr).null:
            why = f"{purpose} of {resource.name} is made of {name}, which may be null"
            raise CannotSay(
                codes.KEPT_IN_HEAT,
                why,
                Span(max(expr.at, span.at), expr.end if expr.at >= 0 else span.end),
                resource.name,
            )
        pieces += [TypedValue(ids[name], STRING)] if name in ids else lowering.lower_text_parts(expr)
    return lowering.compose_text(pieces)


def joined_text_of_item(
    joined: JoinedText, item: Traversal, schema: Mapping[str, catalog.PropertySchema], keys: set[str] | None
) -> Expr | None:
    """The text for an item of a list that is known only at run time; None if an item may lack a part. keys: the keys
    that all items have, if they are known.
    """
    pieces: list[Expr] = []
    for literal, name in joined.parts:
        pieces += [literal] if literal else []
        if not name:
            continue
        default = default_of(schema, name)
        if default is not None:
            pieces.append(Fn("try", (select_literal_step(item, name), default.value)))
        elif schema.get(name, {}).get("required") or (keys is not None and name in keys):
            pieces.append(select_literal_step(item, name))
        else:
            return None
    return StringTemplate(tuple(pieces))

"""Warns of properties that only Heat can check, because a plug-in decides about them when it runs.

Invariant: each property is reported once, where the template sets it. Properties that it does not set are not reported.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from transpile.diagnostics import codes
from transpile.model.ir import If, Map, Seq

if TYPE_CHECKING:
    from collections.abc import Container, Iterator, Mapping

    from transpile.diagnostics.model import Sink
    from transpile.model.ir import Entry, Expr, Resource
    from transpile.schema.catalog import Property, Type

CHECKS = ("type", "constraints", "required", "schema", "implemented")  # the parts of a schema that a value may violate


def check(resource: Resource, facts: Type, constraints: Container[str], sink: Sink) -> None:
    """Warns of properties that cannot be checked. `constraints`: the names of all defined custom constraints."""
    if resource.properties is None:
        return
    known = facts.get("properties", {})
    others = [e for e in resource.properties.entries if e.key not in known] if facts.get("open") else []
    for entry in others:
        sink.say(
            codes.KNOWN_ONLY_TO_PLUGIN,
            f"Only the plug-in knows whether {resource.type} has a property {entry.key}.",
            entry.key_span,
        )
    for path, entry, one in given(known, resource.properties):
        if missing := [key for key in one.get("unread", ()) if key in CHECKS]:
            message = f"Only the plug-in knows this about {path} of {resource.type}: {', '.join(missing)}."
            sink.say(codes.KNOWN_ONLY_TO_PLUGIN, message, entry.key_span)
        for kind, name, *_ in one.get("constraints", ()):
            if kind == "custom_constraint" and name not in constraints:
                message = f"{path} of {resource.type} has the custom constraint {name}, which nothing here defines."
                sink.say(codes.UNKNOWN_CUSTOM_CONSTRAINT, message, entry.key_span, severity="warning")


def given(schemas: Mapping[str, Property], expr: Expr, path: str = "") -> Iterator[tuple[str, Entry, Property]]:
    """The properties of a schema that an expression sets, with their paths."""
    if isinstance(expr, If):
        for branch in (expr.then, expr.orelse):
            if branch is not None:
                yield from given(schemas, branch, path)
    if not isinstance(expr, Map):
        return
    for entry in expr.entries:
        if (one := schemas.get(entry.key)) is not None:
            yield f"{path}{entry.key}", entry, one
            yield from below(one, entry.value, f"{path}{entry.key}")


def below(one: Property, expr: Expr, path: str) -> Iterator[tuple[str, Entry, Property]]:
    if "fields" in one:
        yield from given(one["fields"], expr, f"{path}.")
    if "items" in one and isinstance(expr, Seq):
        for index, item in enumerate(expr.items):
            yield from below(one["items"], item, f"{path}.{index}")

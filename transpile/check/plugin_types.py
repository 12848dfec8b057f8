"""Warns of properties that only Heat can check, because a plug-in decides about them when it runs.

Invariant: each property is reported once, where the template sets it. Properties that it does not set are not reported.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping
from typing import TYPE_CHECKING

from transpile.diagnostics import codes
from transpile.diagnostics.model import Sink
from transpile.model.ir import Entry, Expr, If, Map, Resource, Seq

if TYPE_CHECKING:
    from transpile.schema.catalog import PropertySchema, TypeFacts

CHECKS = ("type", "constraints", "required", "schema", "implemented")  # the parts of a schema that a value may violate


def check_plugin_resource(resource: Resource, facts: TypeFacts, constraints: Container[str], sink: Sink) -> None:
    """Warns of properties that cannot be checked. `constraints`: the names of all defined custom constraints."""
    schemas = facts.get("properties", {})
    others = [e for e in resource.properties.entries if e.key not in schemas] if facts.get("open") else []
    for entry in others:
        sink.add(
            codes.KNOWN_ONLY_TO_PLUGIN,
            f"Only the plug-in knows whether {resource.type} has a property {entry.key}.",
            entry.key_span,
        )
    for path, entry, schema in find_set_properties(schemas, resource.properties):
        if missing := [key for key in schema.get("unread", ()) if key in CHECKS]:
            message = f"Only the plug-in knows this about {path} of {resource.type}: {', '.join(missing)}."
            sink.add(codes.KNOWN_ONLY_TO_PLUGIN, message, entry.key_span)
        for kind, name, *_ in schema.get("constraints", ()):
            if kind == "custom_constraint" and name not in constraints:
                message = f"{path} of {resource.type} has the custom constraint {name}, which nothing here defines."
                sink.add(codes.UNKNOWN_CUSTOM_CONSTRAINT, message, entry.key_span, severity="warning")


def find_set_properties(
    schemas: Mapping[str, PropertySchema], expr: Expr, path: str = ""
) -> Iterator[tuple[str, Entry, PropertySchema]]:
    """The properties of a schema that an expression sets, with their paths."""
    if isinstance(expr, If):
        for branch in expr.branches:
            yield from find_set_properties(schemas, branch, path)
    if not isinstance(expr, Map):
        return
    for entry in expr.entries:
        if (schema := schemas.get(entry.key)) is not None:
            yield f"{path}{entry.key}", entry, schema
            yield from find_nested_properties(schema, entry.value, f"{path}{entry.key}")


def find_nested_properties(
    schema: PropertySchema, expr: Expr, path: str
) -> Iterator[tuple[str, Entry, PropertySchema]]:
    if "fields" in schema:
        yield from find_set_properties(schema["fields"], expr, f"{path}.")
    if "items" in schema and isinstance(expr, Seq):
        for index, item in enumerate(expr.items):
            yield from find_nested_properties(schema["items"], item, f"{path}.{index}")

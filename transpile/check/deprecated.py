"""Properties under names that Heat keeps only for old templates.

Invariant: only a name that Heat itself translates is reported, and only where the new one is not set as well.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from transpile.diagnostics import codes
from transpile.diagnostics.model import Sink, make_spelling_fix
from transpile.diagnostics.spelling import Guess
from transpile.model.ir import Entry, Expr, If, Map, Seq
from transpile.resolve.stack import Stack

if TYPE_CHECKING:
    from transpile.schema.catalog import PropertySchema


def check_deprecated_properties(stack: Stack, sink: Sink) -> None:
    """Reports each deprecated name of a property at its place."""
    source = stack.template.source
    for resource in stack.template.resources.values():
        facts = stack.catalog.find_type(resource.kind)
        if facts is None or "retired" in facts or resource.properties is None:
            continue
        if (resource.name, resource.type) in stack.nested:
            continue
        for entry, new in find_renamed_entries(resource.properties, facts.get("properties", {})):
            fix = make_spelling_fix(source, entry.key_span, Guess(entry.key, new, certain=True))
            message = f"The property {entry.key} of {resource.type} is now called {new}."
            sink.add(codes.OLD_PROPERTY_NAME, message, entry.key_span, fix=fix)


def find_renamed_entries(expr: Expr, schema: Mapping[str, PropertySchema]) -> Iterator[tuple[Entry, str]]:
    """The entries under old names, each with the new one."""
    if isinstance(expr, If):
        for branch in (expr.then, expr.orelse):
            if branch is not None:
                yield from find_renamed_entries(branch, schema)
    if not isinstance(expr, Map):
        return
    names = {entry.key for entry in expr.entries}
    for entry in expr.entries:
        facts = schema.get(entry.key, {})
        if (new := facts.get("alias")) is not None and new in schema and new not in names:
            yield entry, new
        if "fields" in facts:
            yield from find_renamed_entries(entry.value, facts["fields"])
        elif "fields" in (items := facts.get("items", {})) and isinstance(entry.value, Seq):
            for item in entry.value.items:
                yield from find_renamed_entries(item, items["fields"])

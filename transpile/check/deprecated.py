"""Properties under names that Heat keeps only for old templates.

Invariant: only a name that Heat itself translates is reported, and only where the new one is not set as well.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from transpile.diagnostics import codes
from transpile.diagnostics.model import respelt
from transpile.diagnostics.spelling import Guess
from transpile.model.ir import If, Map, Seq

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from transpile.diagnostics.model import Sink
    from transpile.model.ir import Entry, Expr
    from transpile.resolve.stack import Stack
    from transpile.schema.catalog import Property


def check(stack: Stack, sink: Sink) -> None:
    """Reports each deprecated name of a property at its place."""
    source = stack.template.source
    for resource in stack.template.resources.values():
        facts = stack.catalog.find(resource.kind)
        if facts is None or "retired" in facts or resource.properties is None:
            continue
        if (resource.name, resource.type) in stack.nested:
            continue
        for entry, new in renamed(resource.properties, facts.get("properties", {})):
            fix = respelt(source, entry.key_span, Guess(entry.key, new, certain=True))
            message = f"The property {entry.key} of {resource.type} is now called {new}."
            sink.say(codes.OLD_PROPERTY_NAME, message, entry.key_span, fix=fix)


def renamed(expr: Expr, schema: Mapping[str, Property]) -> Iterator[tuple[Entry, str]]:
    """The entries under old names, each with the new one."""
    if isinstance(expr, If):
        for branch in (expr.then, expr.orelse):
            if branch is not None:
                yield from renamed(branch, schema)
    if not isinstance(expr, Map):
        return
    names = {entry.key for entry in expr.entries}
    for entry in expr.entries:
        facts = schema.get(entry.key, {})
        if (new := facts.get("alias")) is not None and new in schema and new not in names:
            yield entry, new
        if "fields" in facts:
            yield from renamed(entry.value, facts["fields"])
        elif "fields" in (items := facts.get("items", {})) and isinstance(entry.value, Seq):
            for item in entry.value.items:
                yield from renamed(item, items["fields"])

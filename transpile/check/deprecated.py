"""Properties that Heat or a plug-in keeps only for old templates: deprecated ones, and old names of others.

Invariant: an old name is reported only if Heat itself translates it, and only where the new one is not set as well.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from transpile.check.plugin_types import find_set_properties
from transpile.diagnostics import codes
from transpile.diagnostics.model import Sink, make_spelling_fix
from transpile.diagnostics.spelling import Guess
from transpile.model.ir import Entry, Expr, If, Map, Seq
from transpile.model.span import Span
from transpile.resolve.stack import Stack
from transpile.schema import documentation

if TYPE_CHECKING:
    from transpile.schema.catalog import PropertySchema


def check_deprecated_properties(stack: Stack, sink: Sink) -> None:
    """Reports each old name of a property at its place, and each deprecated property of a type at the first one."""
    source = stack.template.source
    places: dict[tuple[str, str, str], list[tuple[str, Span]]] = {}  # by type, property of any item, and status
    for resource in stack.template.resources.values():
        facts = stack.catalog.find_type(resource.kind)
        if "retired" in facts:
            continue
        if (resource.name, resource.type) in stack.nested:
            continue
        for entry, new in find_renamed_entries(resource.properties, facts.get("properties", {})):
            fix = make_spelling_fix(source, entry.key_span, Guess(entry.key, new, certain=True))
            message = f"The property {entry.key} of {resource.type} is now called {new}."
            sink.add(codes.OLD_PROPERTY_NAME, message, entry.key_span, fix=fix)
        for path, entry, schema in find_set_properties(facts.get("properties", {}), resource.properties):
            if "alias" not in schema and (schema.get("status") or schema.get("hidden")):
                of_any_item = ".".join("*" if step.isdecimal() else step for step in path.split("."))
                key = resource.type, of_any_item, documentation.describe_status(schema)
                places.setdefault(key, []).append((path, entry.key_span))
    for (kind, _, status), ((path, first), *others) in places.items():
        more = f" It is set {len(others) + 1} times." if others else ""
        sink.add(codes.DEPRECATED_PROPERTY, f"The property {path} of {kind} is {status}.{more}", first)


def find_renamed_entries(expr: Expr, schema: Mapping[str, PropertySchema]) -> Iterator[tuple[Entry, str]]:
    """The entries under old names, each with the new one."""
    if isinstance(expr, If):
        for branch in expr.branches:
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

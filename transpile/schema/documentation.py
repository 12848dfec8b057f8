"""Documents a resource type from its schema, for `hot2tf types NAME`.

Invariant: every fact appears, in words or as data. Texts from plug-ins are returned as they are; the caller that prints
them makes them printable.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from transpile.schema.catalog import PropertySchema, TypeFacts
    from transpile.schema.catalog.facts import AttributeNotes

ITEM = "*"  # in a path: each item of a list


def document_type(facts: TypeFacts) -> Iterator[str]:
    """The documentation as lines of text."""
    yield from describe_type(facts)
    if facts.get("properties"):
        yield from ("", "schema of the properties")
        yield from format_table(
            (path, describe_property(schema), schema.get("doc", ""))
            for path, schema in walk_properties(facts["properties"])
        )
    if facts.get("attributes"):
        docs = facts.get("attribute_docs", {})
        yield from ("", "schema of the attributes")
        yield from format_table(
            (name, describe_attribute(facts, name, kind), docs.get(name, ""))
            for name, kind in facts["attributes"].items()
        )


def describe_type(facts: TypeFacts) -> Iterator[str]:
    """The description of the type, and the facts about it as a whole: plug-in, origin, status, why Heat refuses it."""
    if facts.get("doc"):
        yield from ("", *facts["doc"].strip().splitlines())
    about = []
    if "plugin" in facts:
        about.append(f"of the plug-in {facts['plugin']}, not of Heat itself")
    if "origin" in facts:
        about.append(f"defined in {facts['origin']}")
    if facts.get("status") or facts.get("support"):
        about.append(describe_status(facts))
    if facts.get("client"):
        about.append(f"needs Heat's client for {facts['client']}")
    if facts.get("retired"):
        about.append(f"last implemented in Heat {facts['retired']}")
    if facts.get("open"):
        about.append("there may be more properties than these")
    if facts.get("refused"):
        about.append(f"Heat refuses it: {facts['refused']}")
    if about:
        yield from ("", *about)


def walk_properties(schemas: Mapping[str, PropertySchema], path: str = "") -> Iterator[tuple[str, PropertySchema]]:
    """Yields all properties with their paths, each followed by those nested in it: `networks`, `networks.*.port`."""
    for name, schema in schemas.items():
        yield from walk_property(f"{path}{name}", schema)


def walk_property(path: str, schema: PropertySchema) -> Iterator[tuple[str, PropertySchema]]:
    """Yields a property and those nested in it, with their paths."""
    yield path, schema
    yield from walk_properties(schema.get("fields", {}), f"{path}.")
    if "items" in schema:
        if "fields" in schema["items"] and not any(
            word in schema["items"] for word in ("constraints", "doc", "default")
        ):
            yield from walk_properties(schema["items"]["fields"], f"{path}.{ITEM}.")
        else:
            yield from walk_property(f"{path}.{ITEM}", schema["items"])


def describe_property(schema: PropertySchema) -> str:
    """The schema of one property as a phrase: `string, required, can be updated; matches [a-z]+`."""
    unread = schema.get("unread", [])
    parts = ["known only to the plug-in" if "type" in unread else schema.get("type", "any")]
    if schema.get("required"):
        parts.append("required")
    if "default" in schema:
        parts.append(f"default {format_json_value(schema['default'])}")
    if schema.get("update"):
        parts.append("can be updated")
    if schema.get("immutable"):
        parts.append("cannot be changed")
    if not schema.get("implemented", True):
        parts.append("not implemented")
    if schema.get("hidden") or schema.get("status") or schema.get("support"):
        parts.append(describe_status(schema))
    if "alias" in schema:
        parts.append(f"another name for {schema['alias']}")
    first = ", ".join(parts)
    rest = [describe_constraint(*constraint) for constraint in schema.get("constraints", ())]
    rest += [f"{key}: only the plug-in knows" for key in unread if key != "type"]
    return "; ".join([first, *rest])


def describe_attribute(facts: TypeFacts, name: str, kind: str | None) -> str:
    """The schema of one attribute as a phrase: `string, deprecated since 2015.1`."""
    notes = facts.get("attribute_notes", {}).get(name, {})
    return f"{kind or 'any type'}, {describe_status(notes)}" if notes.get("support") else kind or "any type"


def describe_status(facts: PropertySchema | TypeFacts | AttributeNotes) -> str:
    """The support status with its version and message: `deprecated since 2015.1: Use port`."""
    support = facts.get("support", {})
    status = facts.get("status") or str(support.get("status", "")).lower()
    word = "hidden" if facts.get("hidden") else str(status or "supported")
    since = f" since {support['version']}" if support.get("version") else ""
    return f"{word}{since}" + (f": {support['message'].rstrip('.')}" if support.get("message") else "")


def describe_constraint(kind: str, limits: Any, description: str = "") -> str:
    """A constraint as a phrase, with its description in parentheses: `1 to 5 (a small number)`."""
    words = {
        "allowed_values": lambda: f"one of {', '.join(map(format_json_value, limits))}",
        "allowed_pattern": lambda: f"matches {limits}",
        "custom_constraint": lambda: f"checked as {limits}",
        "range": lambda: describe_bounds(limits),
        "length": lambda: f"length {describe_bounds(limits)}",
        "modulo": lambda: (
            f"a multiple of {limits.get('step')}" + (f", plus {limits['offset']}" if limits.get("offset") else "")
        ),
    }
    phrase = words[kind]() if kind in words else f"{kind} {format_json_value(limits)}"
    return f"{phrase} ({description.strip().rstrip('.')})" if description else phrase


def describe_bounds(limits: Mapping[str, Any]) -> str:
    least, most = limits.get("min"), limits.get("max")
    if least is None or most is None:
        return f"at least {least}" if most is None else f"at most {most}"
    return f"{least} to {most}"


def format_json_value(value: Any) -> str:
    """A text as it is, any other value (and the empty text) as JSON."""
    return value if isinstance(value, str) and value else json.dumps(value, ensure_ascii=False)


def format_table(rows: Iterable[tuple[str, str, str]]) -> Iterator[str]:
    """Formats rows of name, phrase and description: the name and the phrase on one line, the description below."""
    rows = list(rows)
    width = min(max((len(name) for name, _, _ in rows), default=0), 40) + 2
    for name, words, text in rows:
        yield f"  {name:<{width - 2}}  {words}".rstrip()
        yield from (f"  {'':<{width}}{line.strip()}" for line in text.strip().splitlines())

"""Documents a resource type from its schema, for `hot2tf types NAME`.

Invariant: every fact appears, in words or as data. Texts from plug-ins are returned as they are; the caller that prints
them makes them printable.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from transpile.schema.catalog import Property, Type

ITEM = "*"  # in a path: each item of a list


def lines(facts: Type) -> Iterator[str]:
    """The documentation as lines of text."""
    yield from notes(facts)
    if facts.get("properties"):
        yield from ("", "schema of the properties")
        yield from table((path, said(one), one.get("doc", "")) for path, one in every(facts["properties"]))
    if facts.get("attributes"):
        docs = facts.get("attribute_docs", {})
        yield from ("", "schema of the attributes")
        yield from table((name, kind or "any type", docs.get(name, "")) for name, kind in facts["attributes"].items())


def notes(facts: Type) -> Iterator[str]:
    """The description of the type, and the facts about it as a whole: plug-in, origin, status, why Heat refuses it."""
    if facts.get("doc"):
        yield from ("", *facts["doc"].strip().splitlines())
    about = []
    if "plugin" in facts:
        about.append(f"of the plug-in {facts['plugin']}, not of Heat itself")
    if "origin" in facts:
        about.append(f"defined in {facts['origin']}")
    if facts.get("status"):
        about.append(status(facts))
    if facts.get("retired"):
        about.append(f"last implemented in Heat {facts['retired']}")
    if facts.get("open"):
        about.append("there may be more properties than these")
    if facts.get("refused"):
        about.append(f"Heat refuses it: {facts['refused']}")
    if about:
        yield from ("", *about)


def every(schemas: Mapping[str, Property], path: str = "") -> Iterator[tuple[str, Property]]:
    """Yields all properties with their paths, each followed by those nested in it: `networks`, `networks.*.port`."""
    for name, one in schemas.items():
        yield from below(f"{path}{name}", one)


def below(path: str, one: Property) -> Iterator[tuple[str, Property]]:
    """Yields a property and those nested in it, with their paths."""
    yield path, one
    yield from every(one.get("fields", {}), f"{path}.")
    if "items" in one:
        if "fields" in one["items"] and not any(word in one["items"] for word in ("constraints", "doc", "default")):
            yield from every(one["items"]["fields"], f"{path}.{ITEM}.")
        else:
            yield from below(f"{path}.{ITEM}", one["items"])


def said(one: Property) -> str:
    """The schema of one property as a phrase: `string, required, can be updated; matches [a-z]+`."""
    unread = one.get("unread", [])
    parts = ["known only to the plug-in" if "type" in unread else one.get("type", "any")]
    if one.get("required"):
        parts.append("required")
    if "default" in one:
        parts.append(f"default {data(one['default'])}")
    if one.get("update"):
        parts.append("can be updated")
    if one.get("immutable"):
        parts.append("cannot be changed")
    if not one.get("implemented", True):
        parts.append("not implemented")
    if one.get("hidden") or one.get("status"):
        parts.append(status(one))
    if "alias" in one:
        parts.append(f"another name for {one['alias']}")
    first = ", ".join(parts)
    rest = [constraint(*found) for found in one.get("constraints", ())]
    rest += [f"{key}: only the plug-in knows" for key in unread if key != "type"]
    return "; ".join([first, *rest])


def status(one: Property | Type) -> str:
    """The support status with its version and message: `deprecated since 2015.1: Use port`."""
    support = one.get("support", {})
    word = "hidden" if one.get("hidden") else str(one.get("status") or "supported")
    since = f" since {support['version']}" if support.get("version") else ""
    return f"{word}{since}" + (f": {support['message'].rstrip('.')}" if support.get("message") else "")


def constraint(kind: str, limits: Any, description: str = "") -> str:
    """A constraint as a phrase, with its description in parentheses: `1 to 5 (a small number)`."""
    words = {
        "allowed_values": lambda: f"one of {', '.join(map(data, limits))}",
        "allowed_pattern": lambda: f"matches {limits}",
        "custom_constraint": lambda: f"checked as {limits}",
        "range": lambda: bounds(limits),
        "length": lambda: f"length {bounds(limits)}",
        "modulo": lambda: (
            f"a multiple of {limits.get('step')}" + (f", plus {limits['offset']}" if limits.get("offset") else "")
        ),
    }
    found = words[kind]() if kind in words else f"{kind} {data(limits)}"
    return f"{found} ({description.strip().rstrip('.')})" if description else found


def bounds(limits: Mapping[str, Any]) -> str:
    least, most = limits.get("min"), limits.get("max")
    if least is None or most is None:
        return f"at least {least}" if most is None else f"at most {most}"
    return f"{least} to {most}"


def data(value: Any) -> str:
    """A text as it is, any other value (and the empty text) as JSON."""
    return value if isinstance(value, str) and value else json.dumps(value, ensure_ascii=False)


def table(rows: Iterable[tuple[str, str, str]]) -> Iterator[str]:
    """Formats rows of name, phrase and description: the name and the phrase on one line, the description below."""
    rows = list(rows)
    width = min(max((len(name) for name, _, _ in rows), default=0), 40) + 2
    for name, words, text in rows:
        yield f"  {name:<{width - 2}}  {words}".rstrip()
        yield from (f"  {'':<{width}}{line.strip()}" for line in text.strip().splitlines())

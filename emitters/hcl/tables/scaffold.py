"""The skeleton of a mapping table for a type: `hot2tf types --scaffold NAME`.

Invariant: nothing is guessed. In place of every decision there is TODO, which is refused when the table is read. Names
that a provider has, too, are only in comments.
"""

from __future__ import annotations

import json
from collections import Counter
from typing import TYPE_CHECKING, Any

from emitters.hcl.tables.checks import TODO
from emitters.hcl.tables.reader import fields_of
from transpile.model.printable import line
from transpile.text import yaml_scalars

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from transpile.schema.catalog import Catalog, Property

NEAR = 3  # resources that are suggested
HEAD = """\
# {name} as Terraform resources; docs/mappings.md describes the form. What says TODO is refused.
# Each property needs a rule: the argument that it becomes, or the reason why it is dropped, implied or kept with Heat:
#   name: argument
#   name: {{ to: argument, text: "/${{partition}}/${{name}}" }}
#   name: {{ drop: the reason }}, {{ implied: the reason }}, {{ embed: the reason }}
"""
PROVIDERS = """\
# providers:
#   NAME: { source: NAMESPACE/NAME, version: "~> 1.0", schema: FILE }
"""


def skeleton(catalog: Catalog, name: str, schema: str | None = None) -> str:
    """The skeleton for a type. schema: the output of `terraform providers schema -json`. Raises LookupError for a type
    that does not exist, and ValueError for a schema in another format.
    """
    known = catalog.canonical(name)
    facts = catalog.find(known)
    if facts is None:
        raise LookupError(f"there is no resource type {name} in Heat or its plug-ins")
    properties = {key: one for key, one in facts.get("properties", {}).items() if "alias" not in one}
    arguments = arguments_of(schema) if schema is not None else {}
    near = nearest(arguments, properties)
    return "".join([HEAD.format(name=line(known)), PROVIDERS, "\n", *body(known, facts, properties, near)])


def body(
    name: str, facts: Mapping[str, Any], properties: Mapping[str, Property], near: Mapping[str, set[str]]
) -> Iterator[str]:
    yield f"{yaml_scalars.text(name)}:\n"
    if near:
        listed = ", ".join(line(one) for one in near)
        yield f"  # the resources with the most arguments of the same names: {listed}\n"
    yield f"  resource: {TODO}\n"
    yield "  # reference: ATTRIBUTE  # what get_resource becomes; without it, what is referred to stays with Heat\n"
    if facts.get("open"):
        yield "  # The plug-in could be read only in part; there may be more properties than these.\n"
    if properties:
        yield "  properties:\n"
    for key, one in properties.items():
        yield from said(one, "    ")
        if same := [resource for resource, arguments in near.items() if key in arguments]:
            yield f"    # the same name is in {', '.join(map(line, same))}\n"
        yield f"    {yaml_scalars.text(key)}: {TODO}\n"
    if attributes := facts.get("attributes"):
        docs = facts.get("attribute_docs", {})
        yield "  attributes:\n"
        for key, kind in attributes.items():
            yield comment("    ", kind or "any type", docs.get(key, ""))
            yield f"    {yaml_scalars.text(key)}: {{ none: {TODO} }}\n"


def said(one: Property, pad: str) -> Iterator[str]:
    """A property in comments: its type, and the types of its fields."""
    yield comment(pad, kind_of(one), one.get("doc", ""))
    for field, inner in fields_of(one).items():
        yield comment(f"{pad}", f"  {line(field)}: {kind_of(inner)}", inner.get("doc", ""))


def kind_of(one: Property) -> str:
    """The type of a property, in words."""
    words = [str(one.get("type", "any"))]
    items = one.get("items", {}).get("type")
    words += [f"of {items}s"] if items else []
    found = " ".join(words)
    if one.get("required"):
        found += ", required"
    if "default" in one:
        found += f", by default {json.dumps(one['default'])}"
    return found


def comment(pad: str, what: str, doc: str) -> str:
    text = " ".join(doc.split())
    return f"{pad}# {line(what)}{': ' + line(text) if text else ''}\n"


def arguments_of(schema: str) -> dict[str, set[str]]:
    """The arguments and blocks of each resource in a schema."""
    whole = json.loads(schema)
    if not isinstance(whole, dict):
        raise ValueError("it is not what terraform providers schema -json prints")
    providers = whole["provider_schemas"].values() if isinstance(whole.get("provider_schemas"), dict) else [whole]
    found: dict[str, set[str]] = {}
    try:
        for one in providers:
            for name, about in one["resource_schemas"].items():
                block = about["block"]
                found[name] = {*block.get("attributes", ()), *block.get("block_types", ())}
    except (KeyError, TypeError, AttributeError) as e:
        raise ValueError(f"it is not what terraform providers schema -json prints: {e!r}") from None
    return found


def nearest(arguments: Mapping[str, set[str]], properties: Mapping[str, Any]) -> dict[str, set[str]]:
    """The resources with the most arguments of the same names as properties."""
    counts = Counter({name: len(found & properties.keys()) for name, found in arguments.items()})
    return {name: arguments[name] & properties.keys() for name, number in counts.most_common(NEAR) if number}

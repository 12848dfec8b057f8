"""The skeleton of a mapping table for a type: `hot2tf types --scaffold NAME`.

Invariant: nothing is guessed. In place of every decision there is TODO, which is refused when the table is read. Names
that a provider has, too, are only in comments.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from emitters.hcl.tables.checks import TODO
from emitters.hcl.tables.reader import field_schemas
from transpile.model.printable import make_log_line
from transpile.text import yaml_scalars

if TYPE_CHECKING:
    from transpile.schema.catalog import Catalog, PropertySchema

NEAR = 3  # resources that are suggested
HEAD = """\
# {name} as Terraform resources; docs/mappings.md describes the form. An entry that says TODO is refused.
# Each property needs a rule: the argument that it becomes, or the reason why it is dropped, implied or kept with Heat:
#   name: argument
#   name: {{ to: argument, text: "/${{partition}}/${{name}}" }}
#   name: {{ drop: the reason }}, {{ implied: the reason }}, {{ embed: the reason }}
"""
PROVIDERS = """\
# providers:
#   NAME: { source: NAMESPACE/NAME, version: "~> 1.0", schema: FILE }
"""


def write_skeleton(catalog: Catalog, name: str, schema: str | None = None) -> str:
    """Writes the skeleton for a type. schema: the output of `terraform providers schema -json`. Raises LookupError for
    a type that does not exist, and ValueError for a schema in another format.
    """
    canonical = catalog.resolve_alias(name)
    facts = catalog.find_type(canonical)
    if not facts:
        raise LookupError(f"there is no resource type {name} in Heat or its plug-ins")
    properties = {
        key: property_schema
        for key, property_schema in facts.get("properties", {}).items()
        if "alias" not in property_schema
    }
    arguments = read_provider_arguments(schema) if schema is not None else {}
    near = find_nearest(arguments, properties)
    return "".join(
        [HEAD.format(name=make_log_line(canonical)), PROVIDERS, "\n", *write_body(canonical, facts, properties, near)]
    )


def write_body(
    name: str, facts: Mapping[str, Any], properties: Mapping[str, PropertySchema], near: Mapping[str, set[str]]
) -> Iterator[str]:
    yield f"{yaml_scalars.quote_if_needed(name)}:\n"
    if near:
        listed = ", ".join(make_log_line(resource) for resource in near)
        yield f"  # the resources with the most arguments of the same names: {listed}\n"
    yield f"  resource: {TODO}\n"
    yield "  # reference: ATTRIBUTE  # the value of get_resource; without it, a referenced resource stays with Heat\n"
    if facts.get("open"):
        yield "  # The plug-in could be read only in part; there may be more properties than these.\n"
    if properties:
        yield "  properties:\n"
    for key, property_schema in properties.items():
        yield from comment_property(property_schema, "    ")
        if same := [resource for resource, arguments in near.items() if key in arguments]:
            yield f"    # the same name is in {', '.join(map(make_log_line, same))}\n"
        yield f"    {yaml_scalars.quote_if_needed(key)}: {TODO}\n"
    if attributes := facts.get("attributes"):
        docs = facts.get("attribute_docs", {})
        yield "  attributes:\n"
        for key, kind in attributes.items():
            yield write_comment("    ", kind or "any type", docs.get(key, ""))
            yield f"    {yaml_scalars.quote_if_needed(key)}: {{ none: {TODO} }}\n"


def comment_property(schema: PropertySchema, pad: str) -> Iterator[str]:
    """A property in comments: its type, and the types of its fields."""
    yield write_comment(pad, type_in_words(schema), schema.get("doc", ""))
    for field, inner in field_schemas(schema).items():
        yield write_comment(f"{pad}", f"  {make_log_line(field)}: {type_in_words(inner)}", inner.get("doc", ""))


def type_in_words(schema: PropertySchema) -> str:
    """The type of a property, in words."""
    words = [str(schema.get("type", "any"))]
    items = schema.get("items", {}).get("type")
    words += [f"of {items}s"] if items else []
    text = " ".join(words)
    if schema.get("required"):
        text += ", required"
    if "default" in schema:
        text += f", by default {json.dumps(schema['default'])}"
    return text


def write_comment(pad: str, heading: str, doc: str) -> str:
    text = " ".join(doc.split())
    return f"{pad}# {make_log_line(heading)}{': ' + make_log_line(text) if text else ''}\n"


def read_provider_arguments(schema: str) -> dict[str, set[str]]:
    """The arguments and blocks of each resource in a schema."""
    whole = json.loads(schema)
    if not isinstance(whole, dict):
        raise ValueError("it is not the output of terraform providers schema -json")
    providers = whole["provider_schemas"].values() if isinstance(whole.get("provider_schemas"), dict) else [whole]
    arguments: dict[str, set[str]] = {}
    try:
        for provider in providers:
            for name, about in provider["resource_schemas"].items():
                block = about["block"]
                arguments[name] = {*block.get("attributes", ()), *block.get("block_types", ())}
    except (KeyError, TypeError, AttributeError) as e:
        raise ValueError(f"it is not the output of terraform providers schema -json: {e!r}") from None
    return arguments


def find_nearest(arguments: Mapping[str, set[str]], properties: Mapping[str, Any]) -> dict[str, set[str]]:
    """The resources with the most arguments of the same names as properties."""
    counts = Counter({name: len(names & properties.keys()) for name, names in arguments.items()})
    return {name: arguments[name] & properties.keys() for name, number in counts.most_common(NEAR) if number}

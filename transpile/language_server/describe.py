"""Descriptions of resource types, properties, attributes and functions as Markdown, with their fate in Terraform.

Invariant: a text from a plug-in or a template is escaped, so that it makes no markup and no link.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable
from typing import TYPE_CHECKING

from transpile import additions, targets
from transpile.language_server.tree import Path
from transpile.language_server.workspace import TypeMeaning
from transpile.model import heat_types
from transpile.model.intrinsics import INTRINSICS, Version
from transpile.model.words import list_first
from transpile.schema import documentation
from transpile.targets import Fate
from transpile.text.markdown import escape_markdown_line, format_code

if TYPE_CHECKING:
    from transpile.schema.catalog import PropertySchema, TypeFacts

MOST = 40  # names in a list
COMMON = heat_types.NOVA_SERVER  # the type that editors ask for first in most templates


def format_names(names: Iterable[str]) -> str:
    """The names as code with commas, the first MOST of them, and how many more there are."""
    return list_first([*map(format_code, names)], MOST)


@functools.lru_cache(maxsize=512)
def find_fate(kind: str) -> Fate | None:
    """The fate of one of Heat's resource types in Terraform."""
    target = targets.find_target(targets.DEFAULT)
    return target.fate(kind, additions.installed_additions()) if target.fate is not None else None


def describe_type(written: str, meaning: TypeMeaning) -> str:
    """The description of a resource type as it is written in a template."""
    parts = [f"**{escape_markdown_line(written)}**"]
    resolution, facts = meaning.resolution, meaning.facts
    kind = resolution.kind
    if resolution.is_template:
        parts.append(f"A nested template: {format_code(kind)}.")
        if meaning.template is not None and meaning.template.description:
            parts.append(escape_markdown_line(meaning.template.description.strip()))
    elif kind != written:
        parts.append(f"Heat takes it for {format_code(kind)}.")
    if not facts:
        return "\n\n".join([*parts, "It cannot be read." if resolution.is_template else "Heat has no such type."])
    parts += [escape_markdown_line(line) for line in documentation.describe_type(facts) if line]
    if not resolution.is_template:
        type_fate = find_fate(kind)
        if type_fate is not None:
            parts.append(f"In Terraform: {escape_markdown_line(type_fate.kind)}")
    else:
        parts.append("In Terraform: a module")
    properties = facts.get("properties", {})
    if required := [name for name, schema in properties.items() if schema.get("required")]:
        parts.append(f"Required: {format_names(required)}")
    if facts.get("attributes"):
        parts.append(f"Attributes: {format_names(facts['attributes'])}")
    return "\n\n".join(parts)


def find_schema(facts: TypeFacts, path: Path) -> PropertySchema:
    """The schema of the property that a path below `properties` leads to: `("networks", 0, "port")`; that of the whole
    for no path. Empty if there is none.
    """
    schema: PropertySchema = {"fields": facts.get("properties", {})}
    for step in path:
        schema = schema.get("items", {}) if isinstance(step, int) else schema.get("fields", {}).get(step, {})
    return schema


def format_path(path: Path) -> str:
    """A path as the documentation of types writes it, with the same word for each index."""
    return ".".join(documentation.ITEM if isinstance(step, int) else step for step in path)


def describe_property(written: str, meaning: TypeMeaning, path: Path) -> str:
    """The description of a property, or of a key inside the value of one."""
    name = format_path(path)
    parts = [f"**{escape_markdown_line(name)}** of {escape_markdown_line(written)}"]
    schema = find_schema(meaning.facts, path)
    if not schema:
        open_ = not meaning.facts or meaning.facts.get("any") or meaning.facts.get("open")
        return "\n\n".join([*parts, "Nothing is known about it." if open_ else "There is no such property."])
    parts.append(escape_markdown_line(documentation.describe_property(schema)))
    if schema.get("doc"):
        parts.append(escape_markdown_line(schema["doc"].strip()))
    if meaning.resolution.is_template:
        if meaning.template is not None and path[0] in meaning.template.parameters:
            about = meaning.template.parameters[str(path[0])].description
            parts += [escape_markdown_line(about.strip())] if about and len(path) == 1 else []
        parts.append("In Terraform: a variable of the module")
    elif fate_text := find_property_fate(meaning.resolution.kind, name):
        parts.append(f"In Terraform: {escape_markdown_line(fate_text)}")
    return "\n\n".join(parts)


def find_property_fate(kind: str, name: str) -> str:
    """The fate of a property by its dotted name, or of the nearest one around it; empty if the target says nothing."""
    type_fate = find_fate(kind)
    if type_fate is None:
        return ""
    if not type_fate.properties:
        return type_fate.kind
    fates = dict(type_fate.properties)
    while name:
        if name in fates:
            return fates[name]
        name = name.rpartition(".")[0]
    return ""


def describe_attribute(written: str, meaning: TypeMeaning, name: str) -> str:
    """The description of an attribute."""
    parts = [f"**{escape_markdown_line(name)}**, an attribute of {escape_markdown_line(written)}"]
    facts = meaning.facts
    if not facts:
        return parts[0]
    if name in facts.get("attributes", {}):
        kind = facts["attributes"][name]
        parts.append(escape_markdown_line(kind or "any type"))
    elif not facts.get("any_attribute"):
        parts.append("There is no such attribute.")
    if about := facts.get("attribute_docs", {}).get(name):
        parts.append(escape_markdown_line(about.strip()))
    if meaning.template is not None and name in meaning.template.outputs:
        about = meaning.template.outputs[name].description
        parts += [escape_markdown_line(about.strip())] if about else []
    elif not meaning.resolution.is_template and (type_fate := find_fate(meaning.resolution.kind)) is not None:
        fates = dict(type_fate.attributes)
        parts.append(f"In Terraform: {escape_markdown_line(fates.get(name, 'not in Terraform; Heat looks it up'))}")
    return "\n\n".join(parts)


SHAPES = {
    "list+": "It takes a list of two or more items.",
    "pair": "It takes a list of two items.",
    "triple": "It takes a list of three items.",
    "map": "It takes a map.",
}


def describe_function(name: str, version: Version) -> str:
    """The description of an intrinsic function in a version."""
    row = INTRINSICS[name]
    parts = [f"**{escape_markdown_line(name)}**, a function"]
    if row.since is not None and version.is_hot:
        until = f" to {row.until}" if row.until else ""
        parts.append(f"In HOT from version {row.since}{until}" if until else f"In HOT since version {row.since}")
    if row.shape in SHAPES:
        parts.append(SHAPES[row.shape])
    if row.keys or row.optional:
        optional = f"; optional: {format_names(row.optional)}" if row.optional else ""
        parts.append(f"Keys: {format_names(row.keys)}{optional}")
    if name in version.conditions:
        parts.append("Conditions may use it." if name in version.functions else "Only conditions may use it.")
    return "\n\n".join(parts)

"""Descriptions of resource types, properties, attributes and functions as Markdown, with their fate in Terraform.

Invariant: a text from a plug-in or a template is escaped, so that it makes no markup and no link.
"""

from __future__ import annotations

import functools
import re
from typing import TYPE_CHECKING

from transpile import additions, targets
from transpile.model import heat_types
from transpile.model.intrinsics import INTRINSICS
from transpile.model.printable import printable
from transpile.schema import documentation

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from transpile.language_server.tree import Path
    from transpile.language_server.workspace import Meaning
    from transpile.model.intrinsics import Version
    from transpile.schema.catalog import Property, Type
    from transpile.targets import Fate

MARKUP = re.compile(r"([\\`*_{}\[\]<>()#+!|~&])")
MOST = 40  # names in a list
COMMON = heat_types.NOVA_SERVER  # the type that editors ask for first in most templates


def plain(text: str) -> str:
    """A text from elsewhere on one line, with all characters escaped that mean something in Markdown."""
    return MARKUP.sub(r"\\\1", printable(text))


def code(text: str) -> str:
    """A text as code in Markdown, in more backticks than it contains."""
    text = printable(text)
    fence = "`" * (max((len(run) for run in re.findall("`+", text)), default=0) + 1)
    pad = " " if text[:1] in ("`", "") or text[-1:] == "`" else ""
    return f"{fence}{pad}{text}{pad}{fence}"


def several(names: Iterable[str]) -> str:
    """The names as code with commas, the first MOST of them, and how many more there are."""
    known = list(names)
    return ", ".join(map(code, known[:MOST])) + (f" and {len(known) - MOST} more" if len(known) > MOST else "")


@functools.lru_cache(maxsize=512)
def fate(kind: str) -> Fate | None:
    """The fate of one of Heat's resource types in Terraform."""
    target = targets.find(targets.DEFAULT)
    return target.fate(kind, additions.none()) if target.fate is not None else None


def of_type(written: str, meaning: Meaning) -> str:
    """The description of a resource type as it is written in a template."""
    parts = [f"**{plain(written)}**"]
    found, facts = meaning.found, meaning.facts
    kind = found.kind if found is not None else written
    if found is not None and found.file:
        parts.append(f"A nested template: {code(kind)}.")
        if meaning.template is not None and meaning.template.description:
            parts.append(plain(meaning.template.description.strip()))
    elif kind != written:
        parts.append(f"Heat takes it for {code(kind)}.")
    if facts is None:
        unknown = found is None or not found.file
        return "\n\n".join([*parts, "Heat has no such type." if unknown else "It cannot be read."])
    parts += [plain(line) for line in documentation.notes(facts) if line]
    if found is None or not found.file:
        said = fate(kind)
        if said is not None:
            parts.append(f"In Terraform: {plain(said.kind)}")
    else:
        parts.append("In Terraform: a module")
    properties = facts.get("properties", {})
    if required := [name for name, one in properties.items() if one.get("required")]:
        parts.append(f"Required: {several(required)}")
    if facts.get("attributes"):
        parts.append(f"Attributes: {several(facts['attributes'])}")
    return "\n\n".join(parts)


def schema(facts: Type, path: Path) -> Property | None:
    """The schema of the property that a path below `properties` leads to: `("networks", 0, "port")`; None if there is
    none."""
    fields: Mapping[str, Property] = facts.get("properties", {})
    found: Property | None = None
    for step in path:
        if isinstance(step, int):
            found = found.get("items") if found is not None else None
        else:
            found = fields.get(step)
        if found is None:
            return None
        fields = found.get("fields", {})
    return found


def dotted(path: Path) -> str:
    """A path as the documentation of types writes it, with the same word for each index."""
    return ".".join(documentation.ITEM if isinstance(step, int) else step for step in path)


def of_property(written: str, meaning: Meaning, path: Path) -> str:
    """The description of a property, or of a key inside the value of one."""
    name = dotted(path)
    parts = [f"**{plain(name)}** of {plain(written)}"]
    found = schema(meaning.facts, path) if meaning.facts is not None else None
    if found is None:
        open_ = meaning.facts is None or meaning.facts.get("any") or meaning.facts.get("open")
        return "\n\n".join([*parts, "Nothing is known about it." if open_ else "There is no such property."])
    parts.append(plain(documentation.said(found)))
    if found.get("doc"):
        parts.append(plain(found["doc"].strip()))
    if meaning.found is not None and meaning.found.file:
        if meaning.template is not None and path[0] in meaning.template.parameters:
            about = meaning.template.parameters[str(path[0])].description
            parts += [plain(about.strip())] if about and len(path) == 1 else []
        parts.append("In Terraform: a variable of the module")
    elif (said := property_fate(meaning.found.kind if meaning.found is not None else written, name)) is not None:
        parts.append(f"In Terraform: {plain(said)}")
    return "\n\n".join(parts)


def property_fate(kind: str, name: str) -> str | None:
    """The fate of a property by its dotted name, or of the nearest one around it; None if the target says nothing."""
    said = fate(kind)
    if said is None:
        return None
    if not said.properties:
        return said.kind
    known = dict(said.properties)
    while name:
        if name in known:
            return known[name]
        name = name.rpartition(".")[0]
    return None


def of_attribute(written: str, meaning: Meaning, name: str) -> str:
    """The description of an attribute."""
    parts = [f"**{plain(name)}**, an attribute of {plain(written)}"]
    facts = meaning.facts
    if facts is None:
        return parts[0]
    if name in facts.get("attributes", {}):
        kind = facts["attributes"][name]
        parts.append(plain(kind or "any type"))
    elif not facts.get("any_attribute"):
        parts.append("There is no such attribute.")
    if about := facts.get("attribute_docs", {}).get(name):
        parts.append(plain(about.strip()))
    if meaning.template is not None and name in meaning.template.outputs:
        about = meaning.template.outputs[name].description
        parts += [plain(about.strip())] if about else []
    elif meaning.found is not None and not meaning.found.file and (said := fate(meaning.found.kind)) is not None:
        known = dict(said.attributes)
        parts.append(f"In Terraform: {plain(known.get(name, 'not in Terraform; Heat looks it up'))}")
    return "\n\n".join(parts)


SHAPES = {
    "list+": "It takes a list of two or more items.",
    "pair": "It takes a list of two items.",
    "triple": "It takes a list of three items.",
    "map": "It takes a map.",
}


def of_function(name: str, version: Version) -> str:
    """The description of an intrinsic function in a version."""
    row = INTRINSICS[name]
    parts = [f"**{plain(name)}**, a function"]
    if row.since is not None and version.hot:
        until = f" to {row.until}" if row.until else ""
        parts.append(f"In HOT from version {row.since}{until}" if until else f"In HOT since version {row.since}")
    if row.shape in SHAPES:
        parts.append(SHAPES[row.shape])
    if row.keys or row.optional:
        optional = f"; optional: {several(row.optional)}" if row.optional else ""
        parts.append(f"Keys: {several(row.keys)}{optional}")
    if name in version.conditions:
        parts.append("Conditions may use it." if name in version.functions else "Only conditions may use it.")
    return "\n\n".join(parts)

"""Prints the mapping tables for `hot2tf types` and docs/resource-types.md.

Regenerate the page after every change of a table: `python -m emitters.hcl.tables.listing > docs/resource-types.md`.
"""

from __future__ import annotations

import re
import sys
from itertools import groupby
from typing import TYPE_CHECKING

from emitters.hcl.tables.mapping import ArgumentRule, BlockRule, HookRule, ImpliedRule, TextRule
from emitters.hcl.tables.provider import CONFIGURATION
from emitters.hcl.tables.tables import Tables, built_in
from transpile.diagnostics.model import did_you_mean
from transpile.schema.catalog import aliases
from transpile.targets import Fate

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from emitters.hcl.tables.mapping import Attribute, Kind, Rule

HEAT = "stays with Heat"


def types(tables: Tables, name: str | None) -> str:
    """A list of all types, or of those whose names contain `name`. For the full name of a type: its properties and
    attributes. Raises LookupError if nothing matches.
    """
    catalog = tables.catalog
    known = catalog.types()
    if name in known or catalog.canonical(str(name)) in known:
        return "\n".join(one(tables, str(name))) + "\n"
    found = [k for k in known if name is None or name.lower() in k.lower()]
    if not found:
        guess = did_you_mean(str(name), known) or did_you_mean(
            str(name), sorted({k.rpartition("::")[2] for k in known})
        )
        raise LookupError(f"there is no resource type {name} in Heat. {guess or 'Unknown types stay with Heat.'}")
    return "\n".join(columns([(kind, target(tables, kind)) for kind in found])) + "\n"


def target(tables: Tables, name: str) -> str:
    """A short description of what a type is converted to."""
    kind = tables.find(name)
    if kind is None or kind.treatment == "embedded":
        return f"{HEAT}: {kind.why}{rather(kind)}" if kind is not None else HEAT
    if kind.treatment == "dropped":
        return f"dropped: {kind.why}"
    if kind.treatment == "provider":
        return f"the configuration of the provider {kind.resource.removeprefix(CONFIGURATION)}"
    if kind.resource:
        return kind.resource
    return kind.why or (
        "becomes part of the resource that uses it" if kind.treatment == "folded" else "depends on its properties"
    )


def rather(kind: Kind) -> str:
    """The conversion of a type with `--prefer native`, if it differs; otherwise empty."""
    return f"; with --prefer native: {kind.other.why}" if kind.other is not None else ""


def one(tables: Tables, name: str) -> Iterator[str]:
    known = tables.catalog.canonical(name)
    if known != name:
        yield f"{name} is {known}"
        name = known
    found = fate(tables, name)
    yield f"{name} → {found.kind}"
    if found.properties:
        yield from ["", "properties", *columns([(f"  {path}", said) for path, said in found.properties])]
    if found.attributes:
        yield from ["", "attributes", *columns([(f"  {path}", said) for path, said in found.attributes])]


def fate(tables: Tables, name: str) -> Fate:
    """The conversion of a type, of its properties, and of the attributes that others read."""
    known = tables.catalog.canonical(name)
    kind = tables.find(known)
    if kind is None or kind.treatment == "embedded":
        return Fate(target(tables, known))
    listed = [(path, said) for prop, rule in kind.properties.items() for path, said in rule.listed(prop)]
    if kind.properties:
        listed += [(part, "a part of texts") for part in sorted(kind.parts)]
        listed += [(kind.provider, "chooses the configuration of the provider")] if kind.provider else []
    referred = reference(kind)
    part = "" if kind.part is None else f", part {kind.part} of it when split at slashes (from 0)"
    read = [("get_resource", referred + part)] if referred else []
    read += [(a, attribute(rule)) for a, rule in kind.attributes.items()]
    if kind.attributes or referred:
        read += [(f"show.{a}", attribute(rule)) for a, rule in kind.show.items()]
    return Fate(target(tables, known), tuple(listed), tuple(read))


def reference(kind: Kind) -> str:
    """A description of what get_resource is converted to; empty if it cannot be."""
    if kind.joined is not None:
        return f"the text {kind.joined}"
    return {"name": "the resource's name in the template", "generated": "a generated name"}.get(
        kind.text, kind.reference
    )


def attribute(rule: Attribute) -> str:
    if rule.to:
        return rule.to + (", if the template sets it" if rule.given else "")
    return "handled case by case" if rule.hook else f"not in Terraform: {rule.why}" if rule.why else "not in Terraform"


def columns(rows: Iterable[tuple[str, str]]) -> list[str]:
    listed = list(rows)
    width = max((len(left) for left, _ in listed), default=0)
    return [f"{left:{width}}  {right}".rstrip() for left, right in listed]


# the page

INTRO = """# How Heat's resource types are converted

Generated from the mapping tables (docs/mappings.md): `python -m emitters.hcl.tables.listing > docs/resource-types.md`.
`hot2tf types NAME` shows all properties and attributes of a type. This page lists only the properties that are dropped,
looked up or handled case by case.

- **native**: becomes a Terraform resource. A resource with properties that the provider cannot express stays with Heat,
  and a diagnostic says why.
- **folded**: becomes a local, a data source or part of another resource.
- **embedded**: stays with Heat, in a template inside the Terraform directory.

*Reference* is the value of `get_resource`. A native resource without one stays with Heat if something refers to it."""


def page() -> str:
    """The page docs/resource-types.md: all of Heat's types by service, and aliases."""
    parts, tables = [INTRO], built_in()
    for service, names in groupby(sorted(tables.catalog.types(), key=lambda n: (of(n), n)), of):
        listed = list(names)
        parts.append(f"## {service}")
        rows = (row(tables, name) for name in listed)
        parts.append("\n".join(table(("type", "treatment", "converted to, or reason", "reference"), rows)))
        for name in listed:
            if found := list(notes(tables, name)):
                parts += [f"**{name}**", "\n".join(table(("property", "converted to"), found))]
    parts += ["## Aliases", "Heat accepts these as other names of the types beside them."]
    parts.append("\n".join(table(("name", "type"), ((f"`{a}`", f"`{t}`") for a, t in aliases().items()))))
    return "\n\n".join(parts) + "\n"


def of(name: str) -> str:
    """The service part of a type's name."""
    return name.rpartition("::")[0] if name.startswith("AWS::") else "::".join(name.split("::")[:2])


def row(tables: Tables, name: str) -> tuple[str, ...]:
    kind, facts = tables.find(name), tables.catalog.find(name) or {}
    treatment = kind.treatment if kind is not None else "embedded"
    shown = f"`{name}`" + (f" (retired, last in Heat {facts['retired']})" if facts.get("retired") else "")
    if kind is None or treatment == "embedded":
        return shown, "embedded", prose(kind.why + rather(kind) if kind is not None else ""), ""
    said = f"`{kind.resource}`" if kind.resource else ""
    said += (": " if said and kind.why else "") + prose(kind.why)
    referred = f"`{kind.reference}`" if kind.reference else reference(kind)
    return shown, treatment, said or prose(target(tables, name)), referred


def notes(tables: Tables, name: str) -> Iterator[tuple[str, str]]:
    """The properties that are dropped, looked up or handled by a hook, described as in `hot2tf types`."""
    kind = tables.find(name)
    if kind is None or kind.treatment == "embedded":
        return
    for prop, rule in kind.properties.items():
        if not kind.hook:
            shown = dict(rule.listed(prop))
            for path, inner in below(prop, rule):
                if on_page(inner):
                    yield f"`{path}`", prose(shown[path])


def on_page(rule: Rule | None) -> bool:
    """Whether the page describes a rule: not if it only renames a property, or if nothing is lost without it."""
    match rule:
        case ArgumentRule():
            return rule.lookup is not None or not rule.to
        case HookRule():
            return on_page(rule.inner)
        case TextRule() | BlockRule() | ImpliedRule():
            return False
        case _:
            return True


def below(path: str, rule: Rule) -> Iterator[tuple[str, Rule]]:
    """A rule and those of its fields, with paths as in `Rule.describe`."""
    yield path, rule
    for field, inner in rule.fields.items():
        yield from below(f"{path}.*.{field}", inner)


def table(head: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> Iterator[str]:
    for cells in (head, ("---",) * len(head), *rows):
        yield f"| {' | '.join(cells)} |".replace("|  |", "| |")


def prose(text: str) -> str:
    """Escapes prose for a cell of a Markdown table."""
    return re.sub(r"([\\`*\[\]<|])", r"\\\1", text)


if __name__ == "__main__":
    sys.stdout.write(page())

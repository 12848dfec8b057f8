"""What `hot2tf types` shows: the mapping tables, as text for people.

The easy rule to break: it reads the same tables that conversions read, so that what it says is what happens.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from emitters.hcl import mapping
from transpile import catalog
from transpile.diagnostics import did_you_mean

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

HEAT = "stays with Heat"


def types(name: str | None) -> str:
    """All types, those whose names contain `name`, or (for a whole name) one with its properties and attributes.

    Raises LookupError.
    """
    known = catalog.types()
    if name in known:
        return "\n".join(one(str(name))) + "\n"
    found = [k for k in known if name is None or name.lower() in k.lower()]
    if not found:
        guess = did_you_mean(str(name), known) or did_you_mean(
            str(name), sorted({k.rpartition("::")[2] for k in known})
        )
        raise LookupError(f"there is no resource type {name} in Heat. {guess or 'Unknown types stay with Heat.'}")
    return "\n".join(columns([(kind, target(kind)) for kind in found])) + "\n"


def target(name: str) -> str:
    """What becomes of a type, in a few words."""
    kind = mapping.find(name)
    if kind is None or kind.treatment == "embedded":
        return f"{HEAT}: {kind.why}" if kind is not None else HEAT
    if kind.resource:
        return kind.resource
    return kind.why or ("becomes a part of what uses it" if kind.treatment == "folded" else "depends on its properties")


def one(name: str) -> Iterator[str]:
    kind = mapping.find(name)
    yield f"{name} → {target(name)}"
    if kind is None or kind.treatment == "embedded":
        return
    if kind.properties:
        yield from ["", "properties"]
        yield from columns(
            [(f"  {path}", fate) for prop, rule in kind.properties.items() for path, fate in rules(prop, rule)]
        )
    if kind.attributes or kind.reference:
        yield from ["", "attributes"]
        found = [("  get_resource", kind.reference)] if kind.reference else []
        found += [(f"  {a}", attribute(rule)) for a, rule in (kind.attributes or {}).items()]
        yield from columns(found)


def rules(path: str, rule: mapping.Rule) -> Iterator[tuple[str, str]]:
    if rule.drop:
        harmless = "" if rule.unless is None else f", unless it is {json.dumps(rule.unless)}"
        yield path, f"lost ({rule.code}){harmless}: {rule.drop}"
    elif rule.implied:
        yield path, f"not needed: {rule.implied}"
    elif rule.block:
        yield path, f"{rule.block} {{}}"
        for field, inner in (rule.fields or {}).items():
            yield from rules(f"{path}.*.{field}", inner)
    elif rule.to:
        yield path, rule.to + (f" (by name or ID: {rule.lookup.data})" if rule.lookup is not None else "")
    else:
        yield path, "worked out case by case"


def attribute(rule: mapping.Attribute) -> str:
    if rule.to:
        return rule.to
    return (
        "worked out case by case" if rule.hook else f"not in Terraform: {rule.why}" if rule.why else "not in Terraform"
    )


def columns(rows: Iterable[tuple[str, str]]) -> list[str]:
    listed = list(rows)
    width = max((len(left) for left, _ in listed), default=0)
    return [f"{left:{width}}  {right}".rstrip() for left, right in listed]

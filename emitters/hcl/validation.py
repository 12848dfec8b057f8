"""What the provider would refuse in a block that is written.

The easy rule to break: only what is refused whatever the values are is found here; each reason is a clause that goes
into a diagnostic.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from emitters.hcl import provider
from emitters.hcl.tree import Argument, Block
from emitters.hcl.types import literal

if TYPE_CHECKING:
    from collections.abc import Mapping


def missing_in(block: Block, facts: Mapping[str, Any]) -> str:
    """What the blocks inside a block lack that the provider requires, or has no room for."""
    inside: dict[str, int] = {}
    for item in block.body:
        if not isinstance(item, Block):
            continue
        name, body = (
            (item.labels[0], next(b for b in item.body if isinstance(b, Block)))
            if item.type == "dynamic"
            else (item.type, item)
        )
        inner = facts.get("blocks", {}).get(name)
        if inner is None:
            continue
        inside[name] = inside.get(name, 0) + (item.type != "dynamic")
        given = {one.name for one in body.body if isinstance(one, Argument)}
        for argument, about in inner["arguments"].items():
            if about.get("required") and argument not in given:
                return f"{name} requires {argument}"
        if inside[name] > inner.get("max", inside[name]):
            return f"it takes {inner['max']} of {name}"
        if why := missing_in(body, inner):
            return why
    for name, inner in facts.get("blocks", {}).items():
        if inner.get("min") and name not in inside:
            return f"it requires a block {name}"
    return ""


def unfit(block: Block, facts: Mapping[str, Any]) -> str:
    """What stands in a block twice, or is written out and refused: hooks write what tables do not see."""
    seen = set[str]()
    for item in block.body:
        if isinstance(item, Argument):
            if item.name in seen:
                return f"{item.name} would stand there twice"
            seen.add(item.name)
            about = facts.get("arguments", {}).get(item.name)
            known = about is not None and item.value is not None and literal(item.value)
            if known and (why := provider.refuses(about or {}, item.value)):
                return f"{item.value!r} for {item.name}: {why}"
        elif isinstance(item, Block):
            inner = facts.get("blocks", {}).get(item.type)
            if inner is not None and (why := unfit(item, inner)):
                return why
    return ""

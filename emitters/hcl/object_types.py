"""The shapes of json parameters: an object type, if the uses of the parameter and its known values show one.

Invariant: a shape has every key that the template or a known value has. A value without one of the keys that all known
values have is an error in Terraform; Heat would find "".
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, TypeAlias, final

from emitters.hcl.tree.nodes import Fn, Object, Traversal
from emitters.hcl.tree.types import ANY, BOOL, NUMBER, STRING, STRINGS, HclType
from transpile.model import ir
from transpile.model.records import field, node, record

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from emitters.hcl.tree.nodes import Expr

KEY = re.compile(r"[A-Za-z_][A-Za-z0-9_-]*")
NAMES = {STRING: "string", NUMBER: "number", BOOL: "bool", ANY: "any"}


@final
@node
class Member:
    """One key of a shape. optional: some known values lack it; then it is ""."""

    type: HclType | Shape
    optional: bool


Shape: TypeAlias = "Mapping[str, Member]"


@final
@record
class Uses:
    """How a template uses a parameter, or a part of one. whole: also as a whole. below: by literal key."""

    whole: bool = False
    below: dict[str, Uses] = field(default_factory=dict)


def uses(refs: Iterable[ir.Expr]) -> dict[str, Uses]:
    """The uses of all parameters."""
    found: dict[str, Uses] = {}
    for ref in refs:
        if not isinstance(ref, ir.ParamRef):
            continue
        at = found.setdefault(ref.name, Uses())
        for step in ref.path:
            if not isinstance(step, ir.Lit) or not isinstance(step.value, str) or not KEY.fullmatch(step.value):
                break
            at = at.below.setdefault(step.value, Uses())
        else:
            if ref.path:
                at.whole = True
                continue
        at.whole = True
    return found


def shape(used: Uses, known: list[Any]) -> Shape | None:
    """The shape of a value, or of a part; None if it may have any keys."""
    if used.whole or not used.below or not known or not all(isinstance(one, dict) for one in known):
        return None
    keys = dict.fromkeys([key for one in known for key in one] + list(used.below))
    if not all(isinstance(key, str) and KEY.fullmatch(key) for key in keys):
        return None
    out: dict[str, Member] = {}
    for key in keys:
        values = [one[key] for one in known if key in one]
        optional = len(values) < len(known)
        inner = shape(used.below.get(key, Uses()), values) if not optional else None
        kind = type_of(values)
        out[key] = Member(inner or (kind if not optional or kind == STRING else ANY), optional)
    return out


def type_of(values: list[Any]) -> HclType:
    """The common type of known values; any if they differ, or if one is null."""
    kinds = {BOOL if isinstance(v, bool) else STRING if isinstance(v, str) else NUMBER for v in values}
    if len(kinds) == 1 and all(isinstance(v, (bool, str, int, float)) for v in values):
        return kinds.pop()
    if values and all(isinstance(v, list) and v and all(isinstance(i, str) for i in v) for v in values):
        return STRINGS
    return ANY


def constraint(found: Shape) -> Expr:
    """The type constraint of a variable."""
    return Fn("object", (Object(tuple((key, written(member)) for key, member in found.items())),))


def written(member: Member) -> Expr:
    kind: Expr
    if not isinstance(member.type, HclType):
        kind = constraint(member.type)
    elif member.type == STRINGS:
        kind = Fn("list", (Traversal(("string",)),))
    else:
        kind = Traversal((NAMES[member.type],))
    return Fn("optional", (kind, "")) if member.optional else kind

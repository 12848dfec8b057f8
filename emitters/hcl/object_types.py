"""Infers object types for json parameters from their known values and their uses in the template.

Invariant: a shape has every key that the template or a known value has. A value without one of the keys that all known
values have is an error in Terraform; Heat would find "".
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, TypeAlias, final

from emitters.hcl.tree.nodes import Expr, Fn, Object, Traversal
from emitters.hcl.tree.types import ANY, BOOL, NUMBER, STRING, STRINGS, HclType
from transpile.model import ir
from transpile.model.lazy_patterns import compile_lazily
from transpile.model.records import field, node, record

KEY = compile_lazily(r"[A-Za-z_][A-Za-z0-9_-]*")
NAMES = {STRING: "string", NUMBER: "number", BOOL: "bool", ANY: "any"}


@final
@node
class ShapeKey:
    """One key of a shape. optional: some known values lack the key, and get "" for it."""

    type: HclType | Shape
    optional: bool


Shape: TypeAlias = "Mapping[str, ShapeKey]"


@final
@record
class ParameterUses:
    """The uses of a parameter, or of a part of it, in a template. whole: the template uses all of it. below: its parts,
    by key.

    For example, `{get_param: [net, cidr]}` is a use of the part `cidr` of the parameter `net`.
    """

    whole: bool = False
    below: dict[str, ParameterUses] = field(default_factory=dict)


def collect_parameter_uses(refs: Iterable[ir.Expr]) -> dict[str, ParameterUses]:
    """The uses of all parameters."""
    uses_by_parameter: dict[str, ParameterUses] = {}
    for ref in refs:
        if not isinstance(ref, ir.ParamRef):
            continue
        at = uses_by_parameter.setdefault(ref.name, ParameterUses())
        for step in ref.path:
            if not isinstance(step, ir.Lit) or not isinstance(step.value, str) or not KEY.fullmatch(step.value):
                break
            at = at.below.setdefault(step.value, ParameterUses())
        else:
            if ref.path:
                at.whole = True
                continue
        at.whole = True
    return uses_by_parameter


def infer_shape(used: ParameterUses, values: list[Any]) -> Shape | None:
    """The shape of a parameter, or of a part of it; None if it may have any keys. values: its known values."""
    if used.whole or not used.below or not values or not all(isinstance(value, dict) for value in values):
        return None
    keys = dict.fromkeys([key for value in values for key in value] + list(used.below))
    if not all(isinstance(key, str) and KEY.fullmatch(key) for key in keys):
        return None
    members: dict[str, ShapeKey] = {}
    for key in keys:
        key_values = [value[key] for value in values if key in value]
        optional = len(key_values) < len(values)
        inner = infer_shape(used.below.get(key, ParameterUses()), key_values) if not optional else None
        kind = common_type(key_values)
        members[key] = ShapeKey(inner or (kind if not optional or kind == STRING else ANY), optional)
    return members


def common_type(values: list[Any]) -> HclType:
    """The common type of known values; `any` if their types differ, or if a value is null."""
    kinds = {BOOL if isinstance(v, bool) else STRING if isinstance(v, str) else NUMBER for v in values}
    if len(kinds) == 1 and all(isinstance(v, (bool, str, int, float)) for v in values):
        return kinds.pop()
    if values and all(isinstance(v, list) and v and all(isinstance(i, str) for i in v) for v in values):
        return STRINGS
    return ANY


def type_constraint(shape: Shape) -> Expr:
    """The type constraint of a variable, for example `object({ cidr = string })`."""
    return Fn("object", (Object(tuple((key, member_constraint(member)) for key, member in shape.items())),))


def member_constraint(member: ShapeKey) -> Expr:
    kind: Expr
    if not isinstance(member.type, HclType):
        kind = type_constraint(member.type)
    elif member.type == STRINGS:
        kind = Fn("list", (Traversal(("string",)),))
    else:
        kind = Traversal((NAMES[member.type],))
    return Fn("optional", (kind, "")) if member.optional else kind

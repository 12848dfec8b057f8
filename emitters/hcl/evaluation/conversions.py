"""Converts a value to the type of a variable, as Terraform does at the border of a module.

Invariant: a value that the type does not take raises EvaluationFailed; null and whole resources stay as they are.
"""

from __future__ import annotations

from typing import Any

from emitters.hcl.evaluation.functions import EvaluationFailed, convert_to_text
from emitters.hcl.evaluation.values import convert_to_boolean, convert_to_number
from emitters.hcl.object_types import Shape
from emitters.hcl.tree.types import HclType

PLAIN = (bool, int, float, str, list, dict)


def convert_value(kind: HclType, value: Any) -> Any:
    """A value as one of a type: the number 1 is "1" for a variable of the type `string`."""
    if not isinstance(value, PLAIN):
        return value
    match kind.kind:
        case "string":
            return convert_to_text(value)
        case "number":
            return convert_to_number(value)
        case "bool":
            return convert_to_boolean(value)
        case "list":
            if not isinstance(value, list):
                raise EvaluationFailed("this is no list")
            return [convert_value(kind.of, item) for item in value] if kind.of is not None else value
        case "map" if isinstance(value, dict) and kind.of is not None:
            return {key: convert_value(kind.of, item) for key, item in value.items()}
    return value


def convert_to_shape(shape: Shape, value: Any) -> Any:
    """A value as one of an object type: optional keys that it lacks get "", and other keys are dropped."""
    if not isinstance(value, PLAIN):
        return value
    if not isinstance(value, dict):
        raise EvaluationFailed("this is no object")
    out = {}
    for key, member in shape.items():
        if key not in value and not member.optional:
            raise EvaluationFailed(f"the key {key} is missing")
        item = value.get(key, "")
        kind = member.type
        out[key] = convert_value(kind, item) if isinstance(kind, HclType) else convert_to_shape(kind, item)
    return out

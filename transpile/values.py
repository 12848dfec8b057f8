"""Values of parameters as Heat takes them: conversion by type, and the constraints that need no cloud.

The easy rule to break: the conversions are Heat's (`heat.engine.parameters`), oddities included; what Heat refuses
raises ValueError with a sentence that says why.
"""

from __future__ import annotations

import json
from typing import Any

from transpile.ir import Constraint, Expr, Lit, Map, Param, Seq, data

TRUE, FALSE = ("t", "true", "on", "y", "yes", "1"), ("f", "false", "off", "n", "no", "0")
APPLIES = {
    "length": ("string", "comma_delimited_list", "json"),
    "range": ("number",),
    "modulo": ("number",),
    "allowed_values": ("string", "number", "boolean", "comma_delimited_list"),
    "allowed_pattern": ("string",),
    "custom_constraint": ("string", "number", "boolean", "comma_delimited_list", "json"),
}
PATTERN_SECONDS = 1.0


def number(expr: Expr) -> int | float | None:
    """A number as Heat makes one of a limit: `int()`, else `float()`, of a number or its text."""
    if not isinstance(expr, Lit) or expr.value is None:
        return None
    return str_to_num(expr.value)


def str_to_num(value: object) -> int | float | None:
    """Heat's `str_to_num`; None where it fails."""
    if isinstance(value, (int, float)):
        return value
    try:
        return int(str(value))
    except ValueError:
        try:
            return float(str(value))
        except ValueError:
            return None


def index(step: object) -> int | None:
    """A step into a list or text as `int()` makes one of it; None where it does not."""
    try:
        return int(step) if isinstance(step, (int, str)) else None
    except ValueError:
        return None


def convert(kind: str, value: Any) -> Any:
    """The value that a parameter of that type has when it is given this."""
    if kind == "string":
        return value if isinstance(value, str) else str(value)
    if kind == "number":
        found = str_to_num(value)
        if found is None or isinstance(value, (list, dict)):
            raise ValueError(f"{value!r} is not a number")
        return found
    if kind == "boolean":
        text = str(value).strip().lower()
        if text not in TRUE and text not in FALSE:
            raise ValueError(f"{value!r} is neither true nor false")
        return text in TRUE
    if kind == "comma_delimited_list":
        if isinstance(value, list):
            return [str(item) for item in value]
        if not isinstance(value, str):
            raise ValueError("a list or a text with commas is wanted")
        return value.split(",") if value else []
    return _json(value)


def _json(value: Any) -> Any:
    if isinstance(value, (dict, list)):
        return value
    if value == "":
        return ""
    try:
        return json.loads(value) if isinstance(value, str) else json.loads(json.dumps(value))
    except ValueError:
        raise ValueError("the text is not JSON") from None


def check(param: Param, value: Any) -> str | None:
    """What a constraint that can be checked here says against a converted value; None when nothing does.

    A constraint that the type cannot have is refused where it stands, and says nothing of values.
    """
    for constraint in param.constraints:
        if constraint.kind == "custom_constraint" or param.type not in APPLIES[constraint.kind]:
            continue
        if not holds(param.type, constraint, value):
            return constraint.description or f"the constraint {constraint.kind} does not hold"
    return None


def holds(kind: str, constraint: Constraint, value: Any) -> bool:
    limits = constraint.value
    if constraint.kind in ("length", "range") and isinstance(limits, Map):
        measured = len(value) if constraint.kind == "length" else value
        low, high = (number(found) if (found := limits.get(k)) is not None else None for k in ("min", "max"))
        return not ((low is not None and measured < low) or (high is not None and measured > high))
    if constraint.kind == "modulo" and isinstance(limits, Map):
        step, offset = (number(found) if (found := limits.get(k)) is not None else None for k in ("step", "offset"))
        return not step or offset is None or value % step == offset
    if constraint.kind == "allowed_values" and isinstance(limits, Seq):
        allowed = []
        for item in limits.items:
            try:
                allowed.append(convert("string" if kind == "comma_delimited_list" else kind, data(item)))
            except ValueError:
                continue
        return all(item in allowed for item in value) if isinstance(value, list) else value in allowed
    if constraint.kind == "allowed_pattern" and isinstance(limits, Lit) and isinstance(value, str):
        return matches(str(limits.value), value)
    return True


def matches(pattern: str, value: str) -> bool:
    """`re.match` that ends at the end, as Heat asks it.

    A pattern that takes too long, or is none, is given the benefit of the doubt.
    """
    import regex  # slow to import, and rarely needed

    try:
        found = regex.match(pattern, value, timeout=PATTERN_SECONDS)
    except (regex.error, TimeoutError):
        return True
    return found is not None and found.end() == len(value)


def text(value: Any) -> str:
    """What Heat prints of a parameter's converted value: how it comes back in `stack show`."""
    if isinstance(value, list):
        return ",".join(str(item) for item in value)
    if isinstance(value, dict):
        return json.dumps(value)
    return str(value)

"""Converts parameter values to their type, and checks their constraints.

Invariant: the conversions are Heat's (`heat.engine.parameters`), oddities included. A refused value raises ValueError
with the reason as its message.
"""

from __future__ import annotations

import json
from typing import Any

from transpile.model.budget import Budget
from transpile.model.ir import NULL, Constraint, Expr, Lit, Map, Param, Seq, to_data
from transpile.schema import constraints

MAX_LEVELS = 80  # of lists and maps in a json value, as in a document
DEEP = f"it is nested more than {MAX_LEVELS} levels deep"
TRUE, FALSE = ("t", "true", "on", "y", "yes", "1"), ("f", "false", "off", "n", "no", "0")
APPLIES = {
    "length": ("string", "comma_delimited_list", "json"),
    "range": ("number",),
    "modulo": ("number",),
    "allowed_values": ("string", "number", "boolean", "comma_delimited_list"),
    "allowed_pattern": ("string",),
    "custom_constraint": ("string", "number", "boolean", "comma_delimited_list"),
}


def read_limit(expr: Expr) -> int | float | None:
    """The limit of a constraint as Heat converts it: by `int()`, else by `float()`; None if it has no value."""
    if not isinstance(expr, Lit) or expr.value is None:
        return None
    return str_to_num(expr.value)


def str_to_num(value: object) -> int | float | None:
    """Heat's `str_to_num`; None if it fails."""
    if isinstance(value, (int, float)):
        return value
    try:
        return int(str(value))
    except ValueError:
        try:
            return float(str(value))
        except ValueError:
            return None


def read_index(step: object) -> int | None:
    """A path step into a list or text as `int()` converts it; None if it fails."""
    try:
        return int(step) if isinstance(step, (int, str)) else None
    except ValueError:
        return None


def convert_default(param: Param) -> tuple[Any, ...]:
    """The default of a parameter in its type; empty if it has none, or one that is computed or of another type."""
    try:
        return tuple(convert_value(param.type, value) for value in param.default_data)
    except (ValueError, TypeError):
        return ()


def convert_value(kind: str, value: Any) -> Any:
    """Converts a raw value to a parameter's type: `("number", "5")` -> 5. Raises ValueError with the reason."""
    if kind == "string":
        return value if isinstance(value, str) else str(value)
    if kind == "number":
        number = str_to_num(value)
        if number is None or isinstance(value, (list, dict)):
            raise ValueError(f"{value!r} is not a number")
        return number
    if kind == "boolean":
        text = str(value).strip().lower()
        if text not in TRUE and text not in FALSE:
            raise ValueError(f"{value!r} is neither true nor false")
        return text in TRUE
    if kind == "comma_delimited_list":
        if isinstance(value, list):
            return [str(item) for item in value]
        if not isinstance(value, str):
            raise ValueError("it must be a list or a comma-separated string")
        return value.split(",") if value else []
    return _convert_json(value)


def _convert_json(value: Any) -> Any:
    if value == "":
        return ""
    try:
        parsed = value
        if not isinstance(value, (dict, list)):
            parsed = json.loads(value) if isinstance(value, str) else json.loads(json.dumps(value))
    except RecursionError:
        raise ValueError(DEEP) from None
    except ValueError:
        raise ValueError("the string is not valid JSON") from None
    if measure_depth(parsed) > MAX_LEVELS:
        raise ValueError(DEEP)
    return parsed


def measure_depth(value: Any) -> int:
    """How deep lists and maps are nested in a value: 0 for a scalar; counting stops at MAX_LEVELS + 1."""
    depth, level = 0, [value]
    while depth <= MAX_LEVELS and (level := [item for item in level if isinstance(item, (dict, list))]):
        depth += 1
        level = [
            inner for container in level for inner in (container.values() if isinstance(container, dict) else container)
        ]
    return depth


def convert_and_check(param: Param, raw: Any, budget: Budget) -> tuple[Any, str, bool]:
    """Returns the converted value, the reason why Heat refuses it (or an empty text), and whether it could be
    converted. A value that cannot be converted is returned unchanged. As in Heat, constraints are checked against the
    raw value, except for lists and json.
    """
    try:
        value = convert_value(param.type, raw)
    except (ValueError, TypeError) as e:
        return raw, f"{e}", False
    checked_value = value if param.type in ("comma_delimited_list", "json") else raw
    return value, check_constraints(param, checked_value, custom=True, budget=budget), True


def check_default(param: Param, budget: Budget) -> str:
    """Why Heat refuses the default of a parameter, even if it is not used; empty if it accepts it. Heat checks all but
    custom constraints, against the default as it is written; it splits a list at commas, even an empty text.
    """
    if not param.default or param.default == NULL:  # it has no default, or one that could not be read
        return ""
    default = to_data(param.default)
    if param.type == "comma_delimited_list":
        if not isinstance(default, (str, list)):
            return "it must be a list or a comma-separated string"
        default = default.split(",") if isinstance(default, str) else [str(item) for item in default]
    return check_constraints(param, default, budget=budget)


def check_constraints(param: Param, value: Any, *, custom: bool = False, budget: Budget) -> str:
    """The description of the first constraint that a value violates, or an explanation if it has no description; empty
    if the value satisfies all.

    `custom`: custom constraints are checked, too, as Heat does for the value of a stack (not for an unused default). A
    constraint that the type cannot have is skipped: it is reported where it is declared.
    """
    for constraint in param.constraints:
        if (constraint.kind == "custom_constraint" and not custom) or param.type not in APPLIES[constraint.kind]:
            continue
        reason = explain_refusal(param.type, constraint, value, secret=param.hidden, budget=budget)
        if reason:
            return constraint.description or reason
    return ""


def explain_refusal(kind: str, constraint: Constraint, value: Any, *, secret: bool = False, budget: Budget) -> str:
    """Why a value violates one constraint; empty if it satisfies it."""
    limits = constraint.value
    if kind not in APPLIES[constraint.kind]:
        return f"the constraint {constraint.kind} does not apply to a {kind}"
    if constraint.kind in ("length", "range", "modulo") and isinstance(limits, Map):
        if constraint.kind == "length" and not isinstance(value, (str, list, dict)):
            return "the value has no length"
        measured = value if constraint.kind == "length" else str_to_num(value)
        if measured is None:
            return "the value is not a number"
        bounds = {e.key: read_limit(e.value) for e in limits.entries}
        return constraints.explain_failure(constraint.kind, bounds, measured, secret=secret, budget=budget)
    if constraint.kind == "allowed_values" and isinstance(limits, Seq):
        return constraints.explain_failure(
            constraint.kind,
            to_data(limits),
            value,
            lambda limit: convert_value(kind, limit),
            secret=secret,
            budget=budget,
        )
    if constraint.kind in ("allowed_pattern", "custom_constraint") and isinstance(limits, Lit):
        if constraint.kind == "allowed_pattern" and not isinstance(value, str):
            return "the value is not a string"
        return constraints.explain_failure(constraint.kind, limits.value, value, secret=secret, budget=budget)
    return ""

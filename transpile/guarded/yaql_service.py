"""A service that computes YAQL expressions with the library and the limits of Heat.

Invariant: the engine and the context are made once. No expression can change them: each gets a context of its own.
"""

from __future__ import annotations

import collections.abc  # noqa: F401  (yaql uses it without importing it)
from typing import Any

import yaql

ITEMS, BYTES = 200, 10_000  # Heat's defaults

ENGINE = yaql.YaqlFactory().create(
    {"yaql.limitIterators": ITEMS, "yaql.memoryQuota": BYTES, "yaql.convertTuplesToLists": True}
)
CONTEXT = yaql.create_context()


def answer(request: dict[str, Any]) -> dict[str, Any]:
    """`value`: the value, encoded; `error`: why Heat refuses the expression, and `malformed`: it cannot be parsed, so
    that Heat refuses the template; nothing for a value of another kind, such as a moment, which JSON does not have.
    """
    context = CONTEXT.create_child_context()
    context["$"] = {"data": request["data"]}
    try:
        expression = ENGINE(request["expression"])
    except MemoryError:
        raise
    except Exception as e:
        return {"error": f"{type(e).__name__}: {e}", "malformed": True}
    try:
        value = expression.evaluate(context=context)
    except MemoryError:
        raise
    except Exception as e:
        return {"error": f"{type(e).__name__}: {e}"}
    try:
        return {"value": encode_value(value)}
    except (TypeError, RecursionError):
        return {}


def encode_value(value: Any) -> Any:
    """A value for JSON: maps as a list of pairs, because their keys may be numbers; tuples and sets as lists. Raises
    TypeError for values of other kinds.
    """
    if isinstance(value, dict):
        return {"map": [[encode_value(key), encode_value(item)] for key, item in value.items()]}
    if isinstance(value, (list, tuple, set, frozenset)):
        return [encode_value(item) for item in value]
    if value is None or isinstance(value, (bool, float, str)) or (isinstance(value, int) and abs(value) < 1 << 10_000):
        return value
    raise TypeError(f"JSON has no {type(value).__name__}")

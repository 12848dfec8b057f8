"""Says tests of homing templates in words, for `--explain`."""

from __future__ import annotations

import json
from typing import Any

from transpile.homing import expressions
from transpile.homing.expressions import DIFFERENT, SAME, Test, Value

SIGNS = {"==": "=", "lt": "<", "gt": ">", "lte": "<=", "gte": ">=", "eq": "=", SAME: "=", DIFFERENT: "is not"}


def describe_test(test: Test) -> str:
    """A test of one candidate in words: `country = USA and load < 5`."""
    match test:
        case expressions.AllOf((only,)) | expressions.AnyOf((only,)):
            return describe_test(only)
        case expressions.AllOf(tests):
            return " and ".join(map(describe_part, tests))
        case expressions.AnyOf(tests):
            return " or ".join(map(describe_part, tests))
        case expressions.NotTest(negated):
            return f"not {describe_part(negated)}"
        case expressions.Compare(operator, left, right):
            return f"{describe_value(left)} {SIGNS[operator]} {describe_value(right)}"
        case expressions.Includes(column, literals, every):
            return f"{column.name} has {'all' if every else 'any'} of {', '.join(map(describe_value, literals)) or '-'}"
        case expressions.OneOf(value, texts):
            return f"{describe_value(value)} is one of {', '.join(texts)}"
        case expressions.Matches(column, pattern, flags):
            return f"{column.name} matches /{pattern}/{flags}"
        case expressions.Within(expressions.DistanceTo(_, location), limit):
            return f"distance to {location} {limit.text}"
        case expressions.IsEmpty(column):
            return f"no {column.name}"
        case expressions.NoneHas(column):
            return f"no candidate has {column.name}"
        case expressions.Listed(section, name, _, otherwise):
            fallback = "" if isinstance(otherwise, expressions.Truth) else f", else {describe_test(otherwise)}"
            return f"{section} lists it for {name}{fallback}"
        case expressions.HasFlavors():
            return "a flavor has the features"
        case expressions.Truth(holds):
            return "always" if holds else "never"
    return "assumed"


def describe_part(test: Test) -> str:
    words = describe_test(test)
    return f"({words})" if isinstance(test, (expressions.AllOf, expressions.AnyOf)) and len(test.tests) > 1 else words


def describe_value(value: Value) -> str:
    match value:
        case expressions.Literal(data):
            return describe_data(data)
        case expressions.Column(_, name):
            return name
        case expressions.FirstOf(columns):
            return " or ".join(column.name for column in columns)
        case expressions.Lookup(section, key):
            return f"{section} of {key.name}"
    return f"the country of {value.location}"


def describe_data(data: Any) -> str:
    if isinstance(data, float) and data.is_integer():
        data = int(data)
    return data if isinstance(data, str) else json.dumps(data, ensure_ascii=False)

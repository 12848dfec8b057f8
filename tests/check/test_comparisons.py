"""Comparisons that never hold, and nothing about those that may."""

from __future__ import annotations

import json
import pathlib
from typing import Any

import pytest

from transpile import checking
from transpile.model.budget import Budget
from transpile.model.source import Source

PARAMETERS = {"s": {"type": "string"}, "n": {"type": "number"}, "b": {"type": "boolean"}, "j": {"type": "json"}}
S, N, B, J = ({"get_param": name} for name in PARAMETERS)


@pytest.mark.parametrize(
    ("condition", "never"),
    [
        ({"equals": [S, True]}, True),
        ({"equals": [1, S]}, True),
        ({"equals": [N, "1"]}, True),
        ({"equals": [B, "yes"]}, True),
        ({"equals": [S, "yes"]}, False),
        ({"equals": [N, True]}, False),  # 1 equals true in Heat
        ({"equals": [J, True]}, False),
        ({"equals": [{"get_param": ["j", "x"]}, True]}, False),
    ],
)
def test_a_string_equals_no_boolean_and_no_number(condition: Any, never: bool, tmp_path: pathlib.Path) -> None:
    template = {
        "heat_template_version": "2021-04-16",
        "parameters": PARAMETERS,
        "conditions": {"c": condition},
        "outputs": {"o": {"condition": "c", "value": [S, N, B, J]}},
    }
    diagnostics = checking.check_text(
        Source("t.yaml", json.dumps(template), budget=Budget()), checking.CheckRequest(), str(tmp_path)
    )
    assert [d.severity for d in diagnostics if d.code == "HOT612"] == ["warning"] * never


@pytest.mark.parametrize(("values", "never"), [([3], True), (["3"], False), ([None], False)])
def test_filter_removes_no_number_from_strings(values: Any, never: bool, tmp_path: pathlib.Path) -> None:
    template = {"heat_template_version": "2021-04-16", "outputs": {"o": {"value": {"filter": [values, ["1", "3"]]}}}}
    diagnostics = checking.check_text(
        Source("t.yaml", json.dumps(template), budget=Budget()), checking.CheckRequest(), str(tmp_path)
    )
    assert ("HOT612" in {d.code for d in diagnostics}) is never

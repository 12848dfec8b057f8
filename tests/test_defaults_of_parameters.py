"""Each type of parameter with each kind of default, written as text and as YAML, in every target.

Heat takes the text of a value for the value. A target refuses only templates that Heat refuses when it creates the
stack.
"""

from __future__ import annotations

import json
from typing import Any

import pytest

import transpile
from transpile import checking
from transpile.model.budget import Budget
from transpile.model.source import Source
from transpile.settings.table import Request

TYPES = ("string", "number", "boolean", "json", "comma_delimited_list")
VALUES: tuple[Any, ...] = (
    *("", "a", " a , b ", "5", "1.5", "1e3", "true", "null", "[]", "{}", "[1, 2]", '["a", {"b": [null]}]', '{"a": 1}'),
    *('{"a": [1, " b "]}', "[1", 0, 5, 1.5, -1, True, False, None, [], ["a", " b "], [1, 2], [{"a": [1]}, "b"], [None]),
    *({}, {"a": 1}, {"a": [1, "b"], "c": {"d": None}}),
)
TARGETS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("hcl", {}),
    ("hot", {}),
    ("tosca", {"tosca_version": "1.3"}),
    ("tosca", {"tosca_version": "2.0"}),
)


def template(kind: str, value: Any) -> str:
    parameter = {"type": kind, "default": value}
    read = {"value": {"get_param": "p"}}
    return json.dumps({"heat_template_version": "2018-08-31", "parameters": {"p": parameter}, "outputs": {"o": read}})


@pytest.mark.parametrize("kind", TYPES)
@pytest.mark.parametrize("value", VALUES, ids=json.dumps)
def test_every_target_takes_the_same_values_as_heat(kind: str, value: Any) -> None:
    text = template(kind, value)
    checked = checking.check_text(
        Source("t.yaml", text, budget=Budget()), checking.CheckRequest(Request(level="create")), "."
    )
    refused = {d.code for d in checked if d.severity == "error"}
    for target, options in TARGETS:
        done = transpile.convert(text, to=target, options=options)
        wrong = {d.code for d in done.diagnostics if d.severity == "error"}
        assert wrong <= refused, target
        assert bool(done.files) is not bool(wrong), target

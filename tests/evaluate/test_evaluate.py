"""The interpreter computes the same values for expressions as Heat, without Heat.

The expected values are Heat's own, from its documentation or from the probes, never ours.
"""

from __future__ import annotations

import json
from typing import Any

import pytest

from transpile import evaluate
from transpile.evaluate.pure import FUNCTIONS
from transpile.evaluate.sizes import SIZES
from transpile.front import template as templates
from transpile.model import ir
from transpile.model.budget import Budget
from transpile.model.source import Source

NEWEST = "2021-04-16"


def read(text: str) -> ir.Template:
    template, sink = templates.read_template(Source("template.yaml", text, budget=Budget()))
    refused = [d.message for d in sink.diagnostics if d.severity == "error"]
    if template is None or refused:
        raise evaluate.EvaluationError(refused[0] if refused else "no template")
    return template


def value(expression: str, version: str = NEWEST, **parameters: Any) -> Any:
    """The value of an expression, in a template with some parameters, conditions and a resource."""
    text = f"""
heat_template_version: {version}
parameters:
  s: {{type: string, default: text}}
  n: {{type: number, default: 2}}
  l: {{type: comma_delimited_list, default: "a,b,c"}}
  j: {{type: json, default: {{a: [1, {{b: true}}], none: null}}}}
  unset: {{type: string}}
conditions: {{high: true, low: {{equals: [{{get_param: s}}, other]}}}}
resources: {{r: {{type: OS::Heat::Value}}, gone: {{type: OS::Heat::Value, condition: low}}}}
outputs: {{v: {{value: {expression}}}}}
"""
    if version < "2016-10-14":
        text = "\n".join(line for line in text.splitlines() if not line.startswith(("conditions", "resources")))
    template = read(text)
    world = evaluate.World(
        evaluate.evaluate_parameters(template, parameters),
        reference=lambda name: f"{name}-id",
        attribute=lambda name, path: {"value": ["x", "y"]}.get(str(path[0])) if path else {"value": "x"},
    )
    return evaluate.Interpreter(template, world).evaluate_output(template.outputs["v"])


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("!!binary aGVsbG8=", "hello"),
        ("!!set {b, a}", ["b", "a"]),
        ("!!omap [{b: 1}, {a: 2}]", [["b", 1], ["a", 2]]),
        ("{get_param: [j, a, 1, b]}", True),
        ("{get_param: [j, a, '1', b]}", True),
        ("{get_param: [j, nowhere, 3]}", ""),
        ("{get_param: [j, none]}", None),
        ("{get_param: [l, -1]}", "c"),
        ("{get_param: [l, {get_param: n}]}", "c"),
        ("{get_param: [s, 0]}", "t"),
        ("{get_resource: r}", "r-id"),
        ("{get_attr: [r, value]}", ["x", "y"]),
        ("{str_replace: {template: aa ab abc, params: {a: '1', ab: '2', abc: '3'}}}", "11 2 3"),
        ("{str_replace: {template: x y, params: {x: y, y: {get_param: n}}}}", "y 2"),
        ("{str_replace: {template: 'v v2', params: {v: true, v2: {b: [1, null]}}}}", 'True {"b": [1, null]}'),
        ("{list_join: ['-', [a, null, [b]], {get_param: l}]}", 'a--["b"]-a-b-c'),
        ("{str_split: [',', 'a,b', -1]}", "b"),
        ("{repeat: {template: '%x%%y%', for_each: {'%x%': ['%y%', b], '%y%': ['1']}}}", ["11", "b1"]),
        ("{repeat: {template: {k%x%: '%x%'}, for_each: {'%x%': {a: 1, b: 2}}}}", [{"ka": "a"}, {"kb": "b"}]),
        ("{repeat: {template: a, for_each: {a: null, c: [d]}, permutations: false}}", []),
        ("{map_merge: [{a: 1, b: 1}, null, {b: 2}]}", {"a": 1, "b": 2}),
        ("{map_replace: [{a: b, c: d}, {keys: {a: z}, values: {d: 5}}]}", {"z": "b", "c": 5}),
        ("{list_concat_unique: [[1, '1', true], [1.0, a]]}", [1, "1", "a"]),
        ("{filter: [[1], [true, '1', a]]}", ["1", "a"]),
        ("{contains: [1, [true]]}", True),
        ("{digest: [MD5, '']}", "d41d8cd98f00b204e9800998ecf8427e"),
        ("{make_url: {scheme: http, host: '::1', port: 80, path: '/a b', query: {q: a/b}}}", "http://[::1]:80/a%20b?q=a/b"),
        ("[a, {if: [low, b]}, {if: [high, c]}]", ["a", "c"]),
        ("{a: {if: [low, b]}, b: {if: [{not: low}, null, x]}}", {"b": None}),
        ("{if: [low, b]}", None),
        ("{if: [{and: [high, {or: [low, {equals: [true, 1]}]}]}, y1, n1]}", "y1"),
        ("{yaql: {expression: $.data.select($ + 1), data: [1, 2]}}", [2, 3]),
    ],
)  # fmt: skip
def test_values(expression: str, expected: Any) -> None:
    actual = value(expression)
    assert json.dumps(actual, sort_keys=True) == json.dumps(expected, sort_keys=True)


@pytest.mark.parametrize(
    ("expression", "version"),
    [
        ("{get_param: unset}", NEWEST),
        ("{get_resource: gone}", NEWEST),
        ("{get_resource: nobody}", NEWEST),
        ("{list_join: ['-', [1]]}", NEWEST),
        ("{list_join: ['-', text]}", NEWEST),
        ("{list_join: ['-', [[a]]]}", "2015-04-30"),
        ("{list_join: ['-', '']}", "2015-04-30"),
        ("{str_replace: {template: a, params: {a: [b]}}}", "2015-04-30"),
        ("{str_replace_strict: {template: a, params: {b: c}}}", NEWEST),
        ("{str_replace_vstrict: {template: a, params: {a: ''}}}", NEWEST),
        ("{repeat: {template: '%x%', for_each: {'%x%': [1]}}}", NEWEST),
        ("{repeat: {template: a, for_each: {a: [b], c: [d, e]}, permutations: false}}", NEWEST),
        ("{repeat: {template: a, for_each: {a: [], c: [d]}, permutations: false}}", NEWEST),
        ("{repeat: {template: a, for_each: {a: [b]}, permutations: {get_param: n}}}", NEWEST),
        ("{map_replace: [{a: 1, b: 2}, {keys: {a: b}}]}", NEWEST),
        ("{str_split: [',', 'a,b', 5]}", NEWEST),
        ("{str_split: [',', 'a,b', -.inf]}", NEWEST),
        ("{digest: [md5, '日']}", NEWEST),
        ("{make_url: {host: a, port: 0}}", NEWEST),
        ("{if: [{get_param: n}, a, b]}", NEWEST),
        ("{yaql: {expression: $.data.nothing, data: {}}}", NEWEST),
    ],
)
def test_expressions_that_heat_refuses(expression: str, version: str) -> None:
    with pytest.raises(evaluate.EvaluationError):
        value(expression, version)


def test_each_function_has_a_size() -> None:
    """Without a size, the budget does not see the function's result."""
    assert SIZES.keys() == FUNCTIONS.keys()

"""Generated expressions give the same value in Heat and in the interpreter, or both refuse them.

Nothing here knows what a function means. HOT2TF_FUZZ sets the number of templates, each with several expressions.
"""

from __future__ import annotations

import json
import os
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.support import oracles
from tests.support.examples import examples
from transpile import evaluate
from transpile.front import template as templates
from transpile.model.budget import Budget
from transpile.model.intrinsics import DATES
from transpile.model.source import Source

EXAMPLES = int(os.environ.get("HOT2TF_FUZZ") or examples(60))
PARAMETERS: dict[str, Any] = {
    "s": {"type": "string", "default": "a-b,c"},
    "empty": {"type": "string", "default": ""},
    "n": {"type": "number", "default": 2},
    "f": {"type": "number", "default": 1.5},
    "b": {"type": "boolean", "default": True},
    "l": {"type": "comma_delimited_list", "default": "a,b,a"},
    "j": {"type": "json", "default": {"a": [1, {"b": "x"}, None], "t": True, "1": "one"}},
    "jl": {"type": "json", "default": ["x", "y", "x"]},
    "jm": {"type": "json", "default": [{"a": "x", "b": 1, "t": True}, {"a": "y", "b": 2, "t": False}]},
}
CONDITIONS = {
    "yes": {"equals": ["a", "a"]},
    "no": {"equals": ["a", "b"]},
    "on": {"not": {"equals": [{"get_param": "s"}, "other"]}},
    "off": {"and": ["on", {"equals": [{"get_param": "b"}, False]}]},
}
ATTRIBUTES: dict[str, dict[str, Any]] = {"r": {"value": ["x", {"k": "v"}], "none": None}}

texts = st.sampled_from(["", "a", "b", "a-b", ",", "x%k%", "%k%", "A b/ü", "1", "-1", "true"])
scalars = texts | st.sampled_from([None, True, False, 0, 1, 2, -1, 1.0, 1.5])
steps = st.sampled_from(["a", "b", "t", "1", "-1", 0, 1, -1, 5, "nowhere"])


def references() -> st.SearchStrategy[Any]:
    names = st.sampled_from([*PARAMETERS, "s", "l", "j", "jl", "unknown"])
    path = st.lists(steps | st.just({"get_param": "n"}), max_size=3)
    params = st.builds(lambda name, steps: {"get_param": [name, *steps] if steps else name}, names, path)
    attributes = st.builds(lambda path: {"get_attr": ["r", "value", *path]}, st.lists(steps, max_size=2))
    return params | attributes | st.just({"get_resource": "r"})


def functions(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    """Calls with arguments of the right shape that contain any types."""
    lists = st.lists(inner, max_size=3) | inner
    maps = st.dictionaries(texts, inner, max_size=3) | inner
    keys = st.dictionaries(st.sampled_from(["a", "b", "ab", "%k%", "-"]), inner, min_size=1, max_size=3)
    test = st.sampled_from(["yes", "no", "on", "off"]) | st.builds(lambda a, b: {"equals": [a, b]}, inner, inner)
    calls = [
        st.builds(lambda d, ls: {"list_join": [d, *ls]}, texts, st.lists(lists, min_size=1, max_size=2)),
        st.builds(lambda t, p: {"str_replace": {"template": t, "params": p}}, inner | texts, keys),
        st.builds(lambda t, p: {"str_replace_strict": {"template": t, "params": p}}, texts, keys),
        st.builds(lambda t, p: {"str_replace_vstrict": {"template": t, "params": p}}, texts, keys),
        st.builds(
            lambda t, f, p: {"repeat": {"template": t, "for_each": f} | ({} if p is None else {"permutations": p})},
            inner,
            st.dictionaries(st.sampled_from(["%k%", "a"]), lists, min_size=1, max_size=2),
            st.sampled_from([None, None, True, False]),
        ),
        st.builds(lambda d, t, i: {"str_split": [d, t, *i]}, texts, inner, st.lists(steps, max_size=1)),
        st.builds(lambda ms: {"map_merge": ms}, st.lists(maps, max_size=3)),
        st.builds(lambda m, k, v: {"map_replace": [m, {"keys": k, "values": v}]}, maps, maps, maps),
        st.builds(lambda ls: {"list_concat": ls}, st.lists(lists, max_size=3)),
        st.builds(lambda ls: {"list_concat_unique": ls}, st.lists(lists, max_size=3)),
        st.builds(lambda v, ls: {"filter": [v, ls]}, lists, lists),
        st.builds(lambda v, w: {"contains": [v, w]}, inner, lists),
        st.builds(lambda a, t: {"digest": [a, t]}, st.sampled_from(["md5", "SHA256", "none"]), inner),
        st.builds(
            lambda parts: {"make_url": parts},
            st.fixed_dictionaries(
                {},
                optional={
                    "scheme": texts,
                    "host": texts,
                    "port": scalars,
                    "path": texts,
                    "username": texts,
                    "fragment": texts,
                    "query": st.dictionaries(texts, texts, max_size=2),
                },
            ),
        ),
        st.builds(lambda c, a, b: {"if": [c, a, b]}, test, inner, inner),
        st.builds(lambda c, a: {"if": [c, a]}, test, inner),
        st.builds(lambda e, d: {"yaql": {"expression": e, "data": d}}, st.sampled_from(YAQL), inner),
        st.builds(lambda e: {"yaql": {"expression": e, "data": QUERIED}}, st.sampled_from(QUERIES)),
        st.lists(inner, max_size=3),
        st.dictionaries(texts, inner, max_size=3),
    ]
    return st.one_of(calls)


QUERIED = {"l": {"get_param": "l"}, "m": {"get_param": "jm"}, "j": {"get_param": "j"}, "n": {"get_param": "n"}}
QUERIES = [
    "$.data.m.select($.a)",
    "$.data.m.select({n => $.a, p => $.b})",
    "$.data.m.where($.t).select($.b)",
    "$.data.m.where($.b = 1)",
    "$.data.m.where($.b > 1).len()",
    "$.data.m.b.sum()",
    "$.data.m.select($.b).max()",
    "dict($.data.m.select([$.a, $.b]))",
    "$.data.m.first().a",
    "$.data.m.last().b",
    "$.data.m[1].a",
    "$.data.l.distinct()",
    "$.data.l.orderBy($)",
    "$.data.l.join('-')",
    "$.data.l.where($ != a).len() > 1",
    "$.data.l.contains(a) and not $.data.l.contains(z)",
    "$.data.j.a.len() + $.data.n",
    "$.data.j.values().len()",
    "$.data.j.containsKey(t)",
    "$.data.n * 2 - 1",
    "str($.data.n)",
    "int('7') + $.data.n",
    "max($.data.n, 5)",
    "$.data.j.a.where($ != null).len()",
]
YAQL = ["$.data", "$.data.len()", "$.data.select($)", "$.data.a", "$.data.where($ = 1)", "len($.data)", "dict(a => 1)"]
CFN = {"list_join": "Fn::Join", "str_split": "Fn::Split", "if": "Fn::If", "get_resource": "Ref"}
VERSIONS = [*DATES[3:], "cfn"]
calls = functions(scalars | references())
expressions = st.recursive(scalars | references(), functions, max_leaves=8)


@oracles.needs_heat
@settings(max_examples=EXAMPLES, suppress_health_check=list(HealthCheck))
@given(st.sampled_from(VERSIONS), st.lists(expressions, min_size=4, max_size=8))
def test_heat_agrees(version: str, asked: list[Any]) -> None:
    """Each expression alone: our value is Heat's, and we refuse the same expressions as Heat."""
    theirs = heats(version, asked)
    ours = [answer(version, expression) for expression in asked]
    for expression, expected, actual in zip(asked, theirs, ours, strict=True):
        assert expected == actual, json.dumps({"version": version, "value": expression})


def cfn(expression: Any) -> Any:
    """An expression with CFN functions where they exist. The rest is data for CFN."""
    if isinstance(expression, list):
        return [cfn(item) for item in expression]
    if not isinstance(expression, dict):
        return expression
    if list(expression) == ["get_param"]:
        argument = expression["get_param"]
        name, *path = argument if isinstance(argument, list) else [argument]
        return along({"Ref": name}, path)
    if list(expression) == ["get_attr"]:
        name, attribute, *path = expression["get_attr"]
        return along({"Fn::GetAtt": [name, attribute]}, path)
    if list(expression) == ["str_replace"]:
        return {"Fn::Replace": [cfn(expression["str_replace"]["params"]), cfn(expression["str_replace"]["template"])]}
    if list(expression) == ["str_split"] and len(expression["str_split"]) == 3:
        delimiter, text, index = expression["str_split"]
        return {"Fn::Select": [index, {"Fn::Split": [delimiter, cfn(text)]}]}
    return {CFN.get(key, key): cfn(value) for key, value in expression.items()}


def along(expression: Any, path: list[Any]) -> Any:
    for step in path:
        expression = {"Fn::Select": [cfn(step), expression]}
    return expression


def cfn_body(outputs: list[Any]) -> dict[str, Any]:
    kinds = {"comma_delimited_list": "CommaDelimitedList"}
    return {
        "AWSTemplateFormatVersion": "2010-09-09",
        "Parameters": {
            name: {"Type": kinds.get(parameter["type"], parameter["type"].title()), "Default": parameter["default"]}
            for name, parameter in PARAMETERS.items()
        },
        "Conditions": {
            "yes": {"Fn::Equals": ["a", "a"]},
            "no": {"Fn::Equals": ["a", "b"]},
            "on": {"Fn::Not": [{"Fn::Equals": [{"Ref": "s"}, "other"]}]},
            "off": {"Fn::And": [{"Fn::Equals": [{"Ref": "b"}, False]}, {"Fn::Equals": [{"Ref": "n"}, 2]}]},
        },
        "Resources": {"r": {"Type": "OS::Heat::Value", "Properties": {"value": ATTRIBUTES["r"]["value"]}}},
        "Outputs": {f"o{i}": {"Value": cfn(value)} for i, value in enumerate(outputs)},
    }


def body(version: str, outputs: list[Any]) -> dict[str, Any]:
    if version == "cfn":
        return cfn_body(outputs)
    out: dict[str, Any] = {"heat_template_version": version, "parameters": PARAMETERS}
    if version >= "2016-10-14":
        out["conditions"] = CONDITIONS
    out["resources"] = {"r": {"type": "OS::Heat::Value", "properties": {"value": ATTRIBUTES["r"]["value"]}}}
    out["outputs"] = {f"o{i}": {"value": value} for i, value in enumerate(outputs)}
    return out


def heats(version: str, asked: list[Any]) -> list[str]:
    """Heat's values: evaluated together if possible, else one by one."""
    stubs: dict[str, Any] = {"attrs": ATTRIBUTES, "refs": {"r": "r-id"}, "plugin_deps": False}
    heat_answer = oracles.ask(op="eval", body=json.dumps(body(version, asked)), **stubs)
    if not heat_answer["ok"]:
        return ["refused"] if len(asked) == 1 else [value for each in asked for value in heats(version, [each])]
    outputs = (heat_answer["outputs"][f"o{i}"] for i in range(len(asked)))
    return ["refused" if "error" in o else json.dumps(o["value"], sort_keys=True) for o in outputs]


def answer(version: str, expression: Any) -> str:
    template, sink = templates.read_template(Source("t.json", json.dumps(body(version, [expression])), budget=Budget()))
    if template is None or any(d.severity == "error" for d in sink.diagnostics):
        return "refused"
    world = evaluate.World(
        evaluate.evaluate_parameters(template, {}),
        reference=lambda name: f"{name}-id",
        attribute=oracles.attribute_of(ATTRIBUTES),
    )
    try:
        value = evaluate.Interpreter(template, world).evaluate_output(template.outputs["o0"])
        return json.dumps(json.loads(json.dumps(value)), sort_keys=True)  # keys are strings
    except evaluate.EvaluationError:
        return "refused"

"""Generated parameters and values are read the same by Heat and by us, or both refuse them.

Nothing here knows what a type or a constraint means. HOT2TF_FUZZ sets the number of declarations, each with several
values.
"""

from __future__ import annotations

import json
import os
from typing import Any

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from tests.support import oracles
from tests.support.examples import examples
from transpile import check, evaluate
from transpile.diagnostics.model import TooManyErrors
from transpile.front import template as templates
from transpile.model import ir
from transpile.model.budget import Budget
from transpile.model.source import Source
from transpile.resolve import linker
from transpile.stack_evaluation.inputs import ParameterValues

EXAMPLES = int(os.environ.get("HOT2TF_FUZZ") or examples(60))
HOT = ("2013-05-23", "2016-10-14", "2017-02-24", "2021-04-16")
CFN = ("HeatTemplateFormatVersion", "2012-12-12"), ("AWSTemplateFormatVersion", "2010-09-09")
TYPES = ("string", "number", "boolean", "comma_delimited_list", "json")
CFN_TYPES = ("String", "Number", "Boolean", "CommaDelimitedList", "Json")

words = [
    *("", "a", "ab", "abc", "a,b", " a ", ",", "1", "1.0", "1.5", " 7 ", "1_0", "1e3", "-2", "0", "0x10"),
    *("10", "inf"),
]
words += [
    *("true", "True", "yes", "on", "off", "N", "t", " true ", "2", "[]", "[1, 2]", '{"a": 1}', "{}", '"x"'),
    *("null", "ü\n"),
]
texts = st.sampled_from(words)
scalars = texts | st.sampled_from([0, 1, 2, 10, -3, 1.0, 1.5, 2.5, True, False])
lists = st.lists(scalars | st.none(), max_size=3)
maps = st.dictionaries(st.sampled_from(["a", "b", "1"]), scalars | lists, max_size=2)
values = scalars | scalars | lists | maps | st.none()
limits = st.sampled_from([0, 1, 2, 3, 10, -1, 1.5, "1", "2", "x", None])


KINDS: dict[str, st.SearchStrategy[Any]] = {
    "length": st.fixed_dictionaries({}, optional={"min": limits, "max": limits}),
    "range": st.fixed_dictionaries({}, optional={"min": limits, "max": limits}),
    "modulo": st.fixed_dictionaries({}, optional={"step": limits, "offset": limits}),
    "allowed_values": st.lists(values, max_size=4),
    "allowed_pattern": st.sampled_from(["a", "[a-z]*", "a|ab", "a+?", ".*", "$", "(", "\\d+", "^ab$", "(?i)A.?"]),
    "custom_constraint": st.sampled_from(["ip_addr", "net_cidr", "iso_8601"]),
}
CFN_KINDS: dict[str, st.SearchStrategy[Any]] = {
    "MinLength": limits,
    "MaxLength": limits,
    "MinValue": limits,
    "MaxValue": limits,
    "AllowedValues": KINDS["allowed_values"],
    "AllowedPattern": KINDS["allowed_pattern"],
    "ConstraintDescription": texts,
}
CUSTOM = "custom_constraint"  # one that Heat has
FITTING = {
    "string": ["length", "allowed_values", "allowed_pattern", "custom_constraint"],
    "number": ["range", "modulo", "allowed_values"],
    "boolean": ["allowed_values"],
    "comma_delimited_list": ["length", "allowed_values"],
    "json": ["length"],
}


@st.composite
def constraints(draw: st.DrawFn, kind: str) -> Any:
    fitting = st.sampled_from(FITTING[kind]) if draw(st.integers(0, 5)) else st.sampled_from(sorted(KINDS))
    names = draw(st.sets(fitting, max_size=2))
    drawn = {name: draw(KINDS[name] if name == CUSTOM or draw(st.integers(0, 9)) else values) for name in names}
    if draw(st.booleans()):
        drawn["description"] = draw(texts)
    return drawn


@st.composite
def declarations(draw: st.DrawFn) -> tuple[dict[str, Any], dict[str, Any]]:
    """A template version and a parameter declaration in it."""
    if draw(st.integers(0, 3)):
        kind = draw(st.sampled_from(TYPES))
        out: dict[str, Any] = {"type": kind}
        if draw(st.booleans()):
            out["constraints"] = draw(st.lists(constraints(kind), max_size=3))
        some = {
            "default": values,
            "hidden": st.booleans(),
            "immutable": st.booleans(),
            "description": texts,
            "label": texts,
        }
        for key in draw(st.sets(st.sampled_from(["default", "default", *some]), max_size=3)):
            out[key] = draw(some[key])
        return {"heat_template_version": draw(st.sampled_from(HOT))}, {"parameters": {"p": out}}
    key, name = draw(st.sampled_from(CFN))
    out = {"Type": draw(st.sampled_from(CFN_TYPES))}
    for word in draw(st.sets(st.sampled_from(sorted(CFN_KINDS)), max_size=3)):
        out[word] = draw(CFN_KINDS[word] if draw(st.integers(0, 9)) else values)
    some = {"Default": values, "NoEcho": st.sampled_from([True, False, "true", "no"]), "Description": texts}
    for word in draw(st.sets(st.sampled_from(sorted(some)), max_size=2)):
        out[word] = draw(some[word])
    return {key: name}, {"Parameters": {"p": out}}


def limited(constraint: dict[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """A parameter with one constraint."""
    param = {"type": "number", "default": "1", "constraints": [constraint]}
    return {"heat_template_version": "2017-02-24"}, {"parameters": {"p": param}}


@pytest.mark.parametrize(
    "limits", [{"step": 2}, {"offset": 0}, {"step": 2, "offset": None}, {"step": 0, "offset": None}]
)
def test_a_step_needs_an_offset(limits: dict[str, Any]) -> None:
    text = json.dumps({**limited({"modulo": limits})[0], **limited({"modulo": limits})[1]})
    assert answer(text, {}) == "refused"


@oracles.needs_heat
@settings(max_examples=EXAMPLES, suppress_health_check=list(HealthCheck))
@given(declarations(), st.lists(values, max_size=3))
@example(limited({"modulo": {"step": 0, "offset": None}}), [])  # found by this test, and fixed
def test_heat_agrees(declared: tuple[dict[str, Any], dict[str, Any]], chosen: list[Any]) -> None:
    """For the default and each value: our value is Heat's, and we refuse the same values as Heat."""
    text = json.dumps({**declared[0], **declared[1]})
    for params in [{}, *({"p": value} for value in chosen)]:
        assert answer(text, params) == heats(text, params), json.dumps({"template": text, "parameters": params})


def heats(text: str, params: dict[str, Any]) -> str:
    if not oracles.ask(op="validate", level="create", body=text, params=params)["ok"]:
        return "refused"
    heat_answer = oracles.ask(op="eval", body=text, params=params, plugin_deps=False)
    assert heat_answer["ok"]
    return json.dumps(heat_answer["parameters"]["p"], sort_keys=True)


def answer(text: str, params: dict[str, Any]) -> str:
    try:
        template, sink = templates.read_template(Source("t.json", text, budget=Budget()))
        if template is None:
            return "refused"
        stack, diagnostics = linker.link_template(template, (), params, None, linker.LinkOptions("load", create=True))
    except TooManyErrors:
        return "refused"
    if any(d.severity == "error" for d in (*sink.diagnostics, *diagnostics, *check.check_stack(stack, create=True))):
        return "refused"
    try:
        value = ParameterValues(stack, {}).get("p", ir.Lit)
    except evaluate.EvaluationError:
        return "refused"
    return "refused" if value is ir.Lit else json.dumps(value, sort_keys=True)

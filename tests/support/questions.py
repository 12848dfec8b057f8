"""The questions for the exactness tests: the probes that Heat has answered, and generated expressions.

Invariant: every expected value is Heat's. For a probe it comes from Heat itself, for a generated expression from the
interpreter, which tests/evaluate/test_evaluate_fuzz.py compares with Heat on the same expressions.
"""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator, Mapping
from typing import Any

import hypothesis
import yaml
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from tests.evaluate import test_evaluate_fuzz as fuzz
from tests.support import oracles
from tests.support.exactness import Question
from transpile.model.intrinsics import INTRINSICS

NOT_ASKED = (
    "repeat/product-order-reversed-keys",
    "repeat/map",
    "yaml/int-key",
)  # the question was stored without the order of its keys


def probes() -> list[Question]:
    """Probes for an output or a condition of one template. Each counts for its outermost function."""
    path = oracles.SHARED / "heat" / "probes.json"
    probe_rows = json.loads(path.read_text(encoding="utf-8"))["probes"] if path.is_file() else []
    answers = {f"{probe['group']}/{probe['id']}": probe["answer"] for probe in probe_rows}
    out: list[Question] = []
    for probe in probe_rows:
        request, look = probe["request"], probe["look"].split(".")
        plain = request["op"] == "eval" and not any(request.get(k) for k in ("typed", "deep", "env"))
        if (
            not plain
            or "value" not in probe["answer"]
            or f"{probe['group']}/{probe['id']}" in NOT_ASKED
            or refused(probe, answers)
        ):
            continue
        if look[0] in ("outputs", "conditions") and len(look) == 2:
            out.append(question_of(probe, request, *look))
    return out


def refused(probe: Any, answers: Mapping[str, Any]) -> bool:
    """Whether Heat gives a value but would not create the stack. Other probes test constraints."""
    base, value, _ = probe["id"].partition("=value")
    return bool(value) and "fails" in answers.get(f"{probe['group']}/{base}", {})


def question_of(probe: Any, request: Any, section: str, name: str) -> Question:
    body = request["body"]
    template = yaml.safe_load(body) if isinstance(body, str) else body
    cfn = "heat_template_version" not in template
    asked: Any = (template.get("Outputs" if cfn else "outputs") or {}).get(name)
    expression = (asked or {}).get("Value" if cfn else "value")
    if section == "conditions":  # an extra output reads it
        expression = template["Conditions" if cfn else "conditions"][name]
        chosen = {"Value": {"Fn::If": [name, True, False]}} if cfn else {"value": {"if": [name, True, False]}}
        template = {**template, ("Outputs" if cfn else "outputs"): {"asked": chosen}}
        body, name = template, "asked"
    function = next(functions(expression), "no function")
    return Question(
        f"{probe['group']}/{probe['id']}",
        body if isinstance(body, str) else json.dumps(body),
        name,
        probe["answer"]["value"],
        request.get("params") or {},
        {},
        request.get("files") or {},
        (function,),
    )


def functions(expression: Any) -> Iterator[str]:
    """The functions of an expression in the order of the template, the outermost first."""
    if isinstance(expression, list):
        for item in expression:
            yield from functions(item)
    elif isinstance(expression, dict):
        if len(expression) == 1 and (name := next(iter(expression))) in INTRINSICS:
            yield str(name)
        for value in expression.values():
            yield from functions(value)


# generated expressions


def generated(count: int, seed: int | None = None) -> list[Question]:
    """Expressions that have a value in Heat, in templates of every version.

    For half of them, parameter values are known at conversion; for the others only terraform gets them. Constant
    expressions are left out, because the conversion folds them. So are IDs of OS::Heat::Value, which exist only in
    Heat.
    """
    drawn: list[tuple[str, Any, bool]] = []

    @settings(max_examples=count, phases=[Phase.generate], suppress_health_check=list(HealthCheck), database=None)
    @given(st.sampled_from(fuzz.VERSIONS), st.lists(fuzz.calls, min_size=5, max_size=5), st.booleans())
    def collect(version: str, expressions: list[Any], has_values: bool) -> None:
        drawn.extend((version, expression, has_values) for expression in expressions)

    (collect if seed is None else hypothesis.seed(seed)(collect))()
    questions: list[Question] = []
    seen = set[str]()
    for version, expression, has_values in drawn:
        key = json.dumps([version, expression, has_values])
        if key in seen or "get_resource" in key or not ("get_param" in key or "get_attr" in key):
            continue
        seen.add(key)
        body = copy.deepcopy(fuzz.body(version, [expression]))
        expected = fuzz.answer(version, expression)
        if expected == "refused":
            continue
        values = {} if has_values else {name: parameter["default"] for name, parameter in fuzz.PARAMETERS.items()}
        values |= {"l": values["l"].split(",")} if values else {}
        if not has_values:
            word = "Parameters" if version == "cfn" else "parameters"
            for parameter in body[word].values():
                del parameter["Default" if version == "cfn" else "default"]
        written = fuzz.cfn(expression) if version == "cfn" else expression
        names = tuple(sorted({*functions(written)}))
        questions.append(Question(key, json.dumps(body), "o0", json.loads(expected), {}, values, {}, names))
    return questions

"""Terraform computes Heat's value, or a diagnostic says that the value may differ.

An expression that is neither exact nor reported is a defect of the emitter. There is no list of exceptions. HOT2TF_FUZZ
sets the number of generated templates.
"""

from __future__ import annotations

import os
import pathlib
from typing import Any

import pytest

import transpile
from tests.support import exactness, oracles, questions
from tests.support.exactness import EXACT, HEAT, REFUSED, SAID, WRONG, Failed, Question, same

EXAMPLES = int(os.environ.get("HOT2TF_FUZZ", "300"))
DOCUMENT = pathlib.Path(__file__).parents[2] / "docs" / "exactness.md"


def judge(asked: list[Question], where: pathlib.Path) -> dict[str, exactness.Verdict]:
    """The verdicts, of which none is wrong or silent, and most are exact."""
    verdicts = exactness.judge(asked, where)
    assert {name: verdict for name, verdict in verdicts.items() if verdict.kind == WRONG} == {}
    silent = {name: v for name, v in verdicts.items() if v.kind in (SAID, HEAT, REFUSED) and not v.codes}
    assert silent == {}
    assert sum(verdict.kind == EXACT for verdict in verdicts.values()) > len(asked) / 2 > 0
    return verdicts


@oracles.needs_terraform
@oracles.needs_probes
def test_the_probes(tmp_path: pathlib.Path) -> None:
    """Heat's own answers. The table in docs/exactness.md is up to date."""
    asked = questions.probes()
    verdicts = judge(asked, tmp_path)
    text = DOCUMENT.read_text(encoding="utf-8")
    assert "\n".join(exactness.table(asked, verdicts)) in text, "python -m benchmarks.exactness --write"


@pytest.mark.long
@oracles.needs_terraform
def test_generated_expressions(tmp_path: pathlib.Path) -> None:
    """Expressions with parameters and attributes whose values are known at conversion, or only to terraform."""
    judge(questions.generated(EXAMPLES), tmp_path)


@oracles.needs_terraform
def test_a_wrong_value_is_found(tmp_path: pathlib.Path) -> None:
    """The tests above can fail: an expectation that is not Heat's, and a directory that terraform rejects."""
    body = """
heat_template_version: 2021-04-16
parameters: {s: {type: string}, n: {type: number}}
outputs: {v: {value: {list_join: ['-', [{get_param: s}, b]]}}, n: {value: {get_param: n}}}
"""
    right = Question("right", body, "v", "a-b", {"s": "a"})
    wrong = Question("wrong", body, "v", "a-c", {"s": "a"})
    fails = Question("fails", body, "n", "none", {"s": "a"}, {"n": "none"})
    verdicts = exactness.judge([right, wrong, fails], tmp_path)
    assert verdicts["right"] == exactness.Verdict(EXACT, (), "a-b")
    assert verdicts["wrong"] == exactness.Verdict(WRONG, (), "a-b", False)
    assert verdicts["fails"].kind == WRONG
    assert isinstance(verdicts["fails"].value, Failed)
    assert "number" in verdicts["fails"].value.why


VALUES = {"j": {"a": 1, "b": True}, "k": {"b": True, "a": 1}, "l": ["a", "b"], "b": True, "n": 1}
COMPARISONS = {  # by Heat's answer, which is Python's: 1 equals true
    ("j", "{a: 1, b: true}"): (True, EXACT),
    ("j", "{a: 1, b: false}"): (False, EXACT),
    ("j", "{get_param: k}"): (True, EXACT),
    ("[j, a]", "{get_param: [k, a]}"): (True, EXACT),
    ("[j, a]", "2"): (False, EXACT),
    ("[j, a]", "1"): (True, SAID),
    ("[j, b]", "1"): (True, SAID),
    ("[j, b]", "true"): (True, SAID),
    ("l", "[a, b]"): (True, EXACT),
    ("l", "[a]"): (False, EXACT),
    ("l", "[]"): (False, EXACT),
    ("b", "1"): (True, EXACT),
    ("b", "2"): (False, EXACT),
    ("n", "{get_param: b}"): (True, EXACT),
    ("b", "true"): (True, EXACT),
}


@oracles.needs_terraform
def test_comparisons(tmp_path: pathlib.Path) -> None:
    kinds = {"j": "json", "k": "json", "l": "comma_delimited_list", "b": "boolean", "n": "number"}
    parameters = ", ".join(f"{name}: {{type: {kind}}}" for name, kind in kinds.items())
    head = f"heat_template_version: 2021-04-16\nparameters: {{{parameters}}}\n"
    asked = [
        Question(
            f"{left} == {right}",
            f"{head}outputs: {{v: {{value: {{if: [{{equals: [{{get_param: {left}}}, {right}]}}, x, y]}}}}}}\n",
            "v",
            "x" if equal else "y",
            values=VALUES,
        )
        for (left, right), (equal, _) in COMPARISONS.items()
    ]
    verdicts = exactness.judge(asked, tmp_path)
    assert [verdict.kind for verdict in verdicts.values()] == [kind for _, kind in COMPARISONS.values()], verdicts


@pytest.mark.parametrize(
    ("heat", "terraform", "expected"),
    [
        (1, 1.0, True),
        (True, 1, False),
        (True, "true", False),
        ("1", 1, False),
        (None, None, True),
        ("", None, False),
        ({1: ["a"]}, {"1": ["a"]}, True),
        ({"a": None}, {}, False),
        (["a", "b"], ["b", "a"], False),
    ],
)
def test_same(heat: Any, terraform: Any, expected: bool) -> None:
    assert same(heat, terraform) is expected


@pytest.mark.parametrize(
    "call",
    ["contains: [{get_param: n}, [true, 2]]", "filter: [[{get_param: n}], [true, 2]]", "filter: [[a], [true, 2]]"],
)
def test_numbers_and_booleans_in_lists_are_compared_differently(call: str) -> None:
    text = "heat_template_version: 2021-04-16\nparameters: {n: {type: number, default: 5}}\n"
    text += f"outputs: {{o: {{value: {{{call}}}}}}}\n"
    places = [text[d.at : d.end] for d in transpile.convert(text).diagnostics if d.code == "HOT578"]
    assert places == ([f"{{{call}}}"] if "n}" in call else [])

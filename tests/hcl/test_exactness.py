"""Terraform computes Heat's value, or a diagnostic says that the value may differ.

An expression that is neither exact nor reported is a defect of the emitter. There is no list of exceptions. HOT2TF_FUZZ
sets the number of generated templates.
"""

from __future__ import annotations

import os
import pathlib
from typing import Any

import pytest

from tests.support import exactness, oracles, questions
from tests.support.exactness import EXACT, HEAT, REFUSED, SAID, WRONG, Failed, Question, same

EXAMPLES = int(os.environ.get("HOT2TF_FUZZ", "300"))
DOCUMENT = pathlib.Path(__file__).parents[2] / "docs" / "exactness.md"


@oracles.needs_terraform
@oracles.needs_probes
def test_the_probes(tmp_path: pathlib.Path) -> None:
    """Heat's own answers. The table in docs/exactness.md is up to date."""
    asked = questions.probes()
    verdicts = exactness.judge(asked, tmp_path)
    assert {name: verdict for name, verdict in verdicts.items() if verdict.kind == WRONG} == {}
    assert {
        name: verdict
        for name, verdict in verdicts.items()
        if verdict.kind in (SAID, HEAT, REFUSED) and not verdict.codes
    } == {}
    assert sum(verdict.kind == EXACT for verdict in verdicts.values()) > len(asked) / 2
    text = DOCUMENT.read_text(encoding="utf-8")
    assert "\n".join(exactness.table(asked, verdicts)) in text, "python -m benchmarks.exactness --write"


@pytest.mark.long
@oracles.needs_terraform
def test_generated_expressions(tmp_path: pathlib.Path) -> None:
    """Expressions with parameters and attributes whose values are known at conversion, or only to terraform."""
    asked = questions.generated(EXAMPLES)
    verdicts = exactness.judge(asked, tmp_path)
    assert {name: verdict for name, verdict in verdicts.items() if verdict.kind == WRONG} == {}
    assert {
        name: verdict
        for name, verdict in verdicts.items()
        if verdict.kind in (SAID, HEAT, REFUSED) and not verdict.codes
    } == {}
    assert sum(verdict.kind == EXACT for verdict in verdicts.values()) > len(asked) / 2 > 0


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

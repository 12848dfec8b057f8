"""A bounded run of the fuzzer, and the proof that it notices failures."""

from __future__ import annotations

import json
import os
import pathlib
import subprocess
import sys
import time
from typing import Any

import pytest

from tests.fuzz import inputs, judge, minimise, watch
from tests.fuzz.case import Case, File
from tests.fuzz.pool import Figures, Found, run
from tests.fuzz.runner import Box
from transpile import pipeline
from transpile.format import canonical
from transpile.model.source import Source

INPUTS, SECONDS = 3000, 30
SEED = 20260518
TEMPLATE = {"heat_template_version": "2021-04-16", "outputs": {"a": {"value": "x"}, "b": {"value": ["y", "z"]}}}


@pytest.mark.long
def test_mutated_inputs_end_in_output_or_a_diagnostic() -> None:
    failures: list[Found] = []
    figures = run(SEED, range(INPUTS), jobs=min(os.cpu_count() or 1, 4), seconds=SECONDS, on_failure=failures.append)
    assert failures == [], "\n".join(
        f"python -m tests.fuzz --seed {SEED} --show {failure.number}: {failure.key}" for failure in failures
    )
    assert figures.inputs > 0
    assert figures.slowest < watch.SECONDS


def test_an_input_depends_on_its_number_alone() -> None:
    """The inputs before it and the hashes of texts have no effect."""
    program = "from tests.fuzz import inputs\nfor i in range(60, 40, -1): print(inputs.make(7, i).to_text())"
    done = subprocess.run(
        [sys.executable, "-c", program],
        env={**os.environ, "PYTHONHASHSEED": "77"},
        cwd=pathlib.Path(__file__).parents[2],
        capture_output=True,
        check=True,
        text=True,
    )
    assert done.stdout == "".join(inputs.make(7, i).to_text() + "\n" for i in range(60, 40, -1))


def case(tree: Any = TEMPLATE, argv: tuple[str, ...] = ("convert", "-o", "out", "stack.yaml")) -> Case:
    return Case(list(argv), {"stack.yaml": File(tree, "lines")})


def keys(case: Case) -> list[str]:
    box = Box()
    try:
        return judge.failures(case, box.run(case), thorough=True)
    finally:
        box.close()


def broken(kind: str) -> Any:
    """A conversion that fails in one of the ways that the fuzzer must notice."""
    real = pipeline.run_conversion
    turn = iter(range(10**6))

    def convert(*args: Any, **kwargs: Any) -> Any:
        done = real(*args, **kwargs)
        if kind == "raises":
            raise ZeroDivisionError
        if kind == "hangs":
            until = time.process_time() + 30
            while time.process_time() < until:
                pass
        if kind == "strays":
            pathlib.Path("../stray").touch()
        if kind == "HCL":
            done.files["main.tf"] = 'resource "a" {'  # type: ignore[index]
        if kind == "differs":
            done.files["main.tf"] = f"# {next(turn)}\n"  # type: ignore[index]
        return done

    return convert


@pytest.mark.parametrize(
    ("kind", "key"),
    [
        ("raises", "ZeroDivisionError in transpile/cli/commands/convert.py:convert"),
        ("hangs", "slow in transpile/cli/commands/convert.py:convert"),
        ("strays", "convert: stray ../stray"),
        ("HCL", "hcl: python-hcl2 cannot read it: UnexpectedToken"),
    ],
)
def test_the_fuzzer_notices(kind: str, key: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert keys(case()) == []
    monkeypatch.setattr(watch, "SECONDS", 0.2)
    monkeypatch.setattr(pipeline, "run_conversion", broken(kind))
    assert keys(case()) == [key]


def test_the_fuzzer_notices_a_second_run_that_differs(monkeypatch: pytest.MonkeyPatch) -> None:
    box = Box()
    try:
        assert box.run(case()).digest() == box.run(case()).digest()
        monkeypatch.setattr(pipeline, "run_conversion", broken("differs"))
        assert box.run(case()).digest() != box.run(case()).digest()
    finally:
        box.close()


def test_the_fuzzer_notices_internal_codes(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(before: canonical.CommentedDocument, was: Source, source: Source) -> None:
        raise canonical.verification_failure(before.kind, source, "it is a test")

    monkeypatch.setattr(canonical, "verify_meaning", refuse)
    tree = {"outputs": {}, "heat_template_version": "2021-04-16"}
    (key,) = keys(case(tree, ("fmt", "stack.yaml")))
    assert "HOT_: The formatted text of" in key


def test_a_failure_is_made_small() -> None:
    def fails(candidate: Case) -> bool:
        return "needle" in candidate.files["stack.yaml"].content()

    tree = {**TEMPLATE, "resources": {f"r{i}": {"type": "x", "properties": {"a": [i] * 5}} for i in range(20)}}
    tree["resources"]["r7"]["properties"]["a"] = ["x", {"b": "a needle in hay, much of it"}]  # type: ignore[index]
    large = case(tree, ("convert", "--strict", "--report", "report.json", "-o", "out", "stack.yaml"))
    small = minimise.smallest(large, fails)
    assert small.argv == ["convert", "stack.yaml"]
    assert json.loads(json.dumps(small.files["stack.yaml"].tree)) != tree
    assert len(small.files["stack.yaml"].content()) < 40


def test_figures_count_failures() -> None:
    figures = Figures(failures={"a": [1, 2], "b": [3]})
    assert figures.failed == 3

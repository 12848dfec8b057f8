"""YAQL of a stranger's is computed as Heat does, in a process with limits; no run and no editor waits for it."""

from __future__ import annotations

import importlib.util
import sys
from typing import Any

import pytest

import transpile
from tests.guarded.test_patterns import starts
from transpile.evaluate.interpreter import evaluate_yaql
from transpile.evaluate.pure import EvaluationError, NotKnown
from transpile.language_server import documents, findings, hover, workspace
from transpile.model.budget import Budget

__all__ = ["starts"]
pytestmark = pytest.mark.skipif(
    importlib.util.find_spec("yaql") is None, reason="the package yaql is not installed: pip install hot2tf[yaql]"
)

SERVICE = "transpile.guarded.yaql_service"
TEXT = "a" * 64 + "!"
ENDLESS = [
    '$.data =~ "^(a|a)*$"',
    '$.data.matches("^(a|a)*$")',
    'regex("^(a|a)*$").search($.data)',
    "pow(9, pow(9, 9))",
    "range(0, 199).select(range(0, 199).select(range(0, 199).select(range(0, 199).select(1))))",
]


def compute(expression: str, data: Any = None, budget: Budget | None = None) -> Any:
    return evaluate_yaql({"expression": expression, "data": data}, budget or Budget())


@pytest.mark.parametrize(
    ("expression", "data", "value"),
    [
        ("$.data.select($ + 1)", [1, 2], [2, 3]),
        ("dict(1 => [a, b])", None, {1: ["a", "b"]}),
        ("$.data", {"a": {"map": [[1, 2]]}, "é\ud800": None, "f": 1.5, "t": True}, None),
        ("$.data.toSet().len()", ["a", "a"], 1),
    ],
)
def test_the_value_is_the_one_of_heat(expression: str, data: Any, value: Any) -> None:
    assert compute(expression, data) == (data if value is None else value)


def test_an_expression_that_heat_refuses_is_an_error() -> None:
    with pytest.raises(EvaluationError, match="KeyError"):
        compute("$.data.nothing", {})
    with pytest.raises(EvaluationError, match="MemoryQuotaExceeded"):
        compute("$.data * 1000000000", "a")


def test_a_moment_is_not_known() -> None:
    with pytest.raises(NotKnown):
        compute("now()")


@pytest.mark.parametrize("expression", ENDLESS)
def test_an_endless_expression_is_not_known(expression: str, starts: list[str]) -> None:
    budget = Budget({"yaql": 500})
    with pytest.raises(NotKnown):
        compute(expression, TEXT, budget)
    assert "yaql" in budget.exceeded_optional_limits
    with pytest.raises(NotKnown):  # it is not tried again
        compute(expression, TEXT, budget)
    assert starts == [SERVICE]
    assert compute("$.data", 1, budget) == 1


def test_all_expressions_of_a_run_have_one_limit(starts: list[str]) -> None:
    budget = Budget({"yaql": 500})
    for n in range(20):
        with pytest.raises(NotKnown):
            compute(ENDLESS[0], TEXT + "!" * n, budget)
    assert len(starts) <= 6


OUTPUTS = "".join(
    f"  o{n}: {{value: {{yaql: {{expression: '$.data + {n}', data: {{get_param: p}}}}}}}}\n" for n in range(50)
)
MANY = f"heat_template_version: 2021-04-16\nparameters: {{p: {{type: number, default: 1}}}}\noutputs:\n{OUTPUTS}"


def test_fifty_expressions_make_one_engine(starts: list[str]) -> None:
    done = transpile.convert(f"{MANY}resources: {{}}\n", options={"tests": True})
    assert done.ok
    assert starts == [SERVICE]


def test_a_condition_is_no_way_around(starts: list[str]) -> None:
    """`check` and `convert` evaluate conditions."""
    text = (
        "heat_template_version: 2021-04-16\n"
        f"parameters: {{p: {{type: string, default: {TEXT}}}}}\n"
        "conditions: {c: {yaql: {expression: '$.data =~ \"^(a|a)*$\"', data: {get_param: p}}}}\n"
        "resources: {n: {type: OS::Neutron::Net, condition: c}}\n"
    )
    done = transpile.convert(text, limits={"yaql": 500})
    assert "HOT119" in [d.code for d in done.diagnostics]
    assert len(starts) == 1


@pytest.mark.parametrize("expression", [*ENDLESS, "$.data"])
def test_an_editor_waits_for_no_expression(expression: str, starts: list[str]) -> None:
    """A hover and the diagnostics do not wait, and report no problem."""
    quoted = expression.replace("'", "''")
    text = (
        "heat_template_version: 2021-04-16\n"
        f"parameters: {{p: {{type: string, default: {TEXT}}}}}\n"
        f"conditions: {{c: {{yaql: {{expression: '{quoted}', data: {{get_param: p}}}}}}}}\n"
        "resources: {n: {type: OS::Neutron::Net, condition: c}}\n"
        f"outputs: {{o: {{value: {{yaql: {{expression: '{quoted}', data: {{get_param: p}}}}}}}}}}\n"
    )
    around = workspace.Workspace()
    document = documents.TextDocument("untitled:a", None, text)
    around.open[document.uri] = document
    for place in (text.index("yaql"), text.rindex("yaql"), text.rindex("expression"), text.rindex("'") - 1):
        hover.describe_at(document, around, place)
    codes = [d.code for d in findings.diagnose_document(document, around)]
    assert "HOT119" not in codes
    assert starts == []


def test_an_editor_ends_a_pattern_soon(starts: list[str]) -> None:
    text = (
        "heat_template_version: 2021-04-16\n"
        f"parameters: {{p: {{type: string, default: {TEXT}, constraints: [{{allowed_pattern: '^(a|a)*$'}}]}}}}\n"
        "outputs: {o: {value: {get_param: p}}}\n"
    )
    around = workspace.Workspace()
    document = documents.TextDocument("untitled:a", None, text)
    around.open[document.uri] = document
    hover.describe_at(document, around, text.rindex("p}"))
    assert starts == []
    assert "HOT119" in [d.code for d in findings.diagnose_document(document, around)]


def test_a_library_that_is_not_installed(monkeypatch: pytest.MonkeyPatch, starts: list[str]) -> None:
    monkeypatch.setattr("transpile.evaluate.interpreter.is_yaql_installed", lambda: False)
    with pytest.raises(NotKnown, match="package yaql"):
        compute("$.data", 1)
    assert starts == []


def test_a_process_that_does_not_start(monkeypatch: pytest.MonkeyPatch, starts: list[str]) -> None:
    """The start is tried a few times in a run, and not for each expression."""
    monkeypatch.setattr(sys, "executable", "/nowhere")
    budget = Budget()
    for n in range(20):
        with pytest.raises(NotKnown):
            compute("$.data", n, budget)
    assert len(starts) <= 6

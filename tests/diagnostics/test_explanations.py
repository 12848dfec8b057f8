"""Each rule has an explanation, and its examples trigger the codes that they claim to trigger.

The examples run as a reader would run them, with the given command, options and files. If Heat has a verdict too, Heat
is asked.
"""

from __future__ import annotations

import pathlib
import re
from collections.abc import Sequence
from typing import Any

import pytest
import yaml

import transpile
from tests.conftest import Run
from tests.support import oracles
from transpile import checking, settings
from transpile.cli.diagnostics_page import print_diagnostics_page
from transpile.diagnostics import explain
from transpile.diagnostics.model import Diagnostic
from transpile.diagnostics.rules import RULES
from transpile.format import canonical
from transpile.model.budget import Budget
from transpile.model.source import Source
from transpile.settings.table import Request
from transpile.text import jinja
from transpile.text.markdown import escape_prose
from transpile.text.source import load_source

ROOT = pathlib.Path(__file__).parents[2]
EVERY = list(explain.list_explanations())
SHOWN = [e for e in EVERY if e.wrong is not None]
# Refused by hot2tf but accepted by Heat: our own limits, things a text cannot express, missing features, and targets.
OURS = {"HOT102", "HOT118", "HOT219", "HOT455", "HOT591", "HOT592", "HOT593", "HOT706", "HOT904"}
ELSEWHERE = {"HOT456"}  # Heat would ask another cloud, which does not exist here
# Also refused by Heat, at creation, where hot2tf only warns.
LATER = {
    "HOT927": "must contain a value key",
    "HOT160": "section is invalid: capabilities",
    "HOT217": "Could not fetch",
    "HOT220": "missing in provider",
    "HOT467": "is not an allowed value",
    "HOT306": "not an integer",
    "HOT307": "Unknown Property",
    "HOT309": "not assigned",
    "HOT312": "not a valid IP subnet",
    "HOT313": "Cannot define",
    "HOT314": "must be string",
    "HOT315": "constraint not found",
    "HOT404": "not a list",  # the parameter has no value, so the oracle invents one
    "HOT451": "could not be found",
    "HOT458": "could not be found",  # without the plug-in
    "HOT581": "Could not fetch",
}
# Never implemented in Heat: it refuses the right example too, because of an unknown keyword.
BEYOND = {
    "HOT161": "section is invalid: capabilities",
    "HOT162": 'wrong section "requires"',
    "HOT163": 'wrong section "requires"',
    "HOT164": 'wrong section "requires"',
}


def write(example: explain.Example, where: pathlib.Path) -> pathlib.Path:
    """Writes the files of an example to a directory. Returns its template."""
    for name, text in example.all_files.items():
        (where / name).write_text(text, encoding="utf-8")
    return where / example.file_name


def run(example: explain.Example, where: pathlib.Path) -> Sequence[Diagnostic]:
    """The diagnostics of an example's command."""
    path = write(example, where)
    if example.command == "config":
        return settings.Finder().for_file(where / "stack.yaml").diagnostics
    if example.command == "fmt":
        return canonical.format_text(load_source(path, example.file_name, Budget())).diagnostics
    if example.command == "check":
        environments = tuple(str(where / name) for name in example.environments)
        request = Request(environments=environments, parameters=dict(example.parameters))
        result = checking.check_file(str(path), checking.CheckRequest(request))
        return checking.CheckedFiles([result]).diagnostics
    if example.command == "home":
        return transpile.home(path, where / explain.INVENTORY, parameters=dict(example.parameters)).diagnostics
    if example.command == "adopt":
        template, answers = (where / n if n in example.files else None for n in (explain.TEMPLATE, explain.ANSWERS))
        more: dict[str, Any] = {"prefer": example.prefer or None, "drift": bool(example.drift)}
        return transpile.adopt(path, template=template, answers=answers, **more).diagnostics
    done = transpile.convert(
        path,
        to=example.to or "hcl",
        environments=[where / name for name in example.environments],
        parameters=dict(example.parameters),
        hot_version=example.hot_version or None,
        prefer=example.prefer or "faithful",
        render=None if example.render is None else jinja.parse_values(f"{k}={v}" for k, v in example.render.items()),
        options={**example.options, **({"tosca_version": example.tosca_version} if example.tosca_version else {})},
    )
    return settings.grade_diagnostics(done.diagnostics, settings.Settings(), "convert").all_diagnostics


def test_every_rule_is_explained_and_nothing_else() -> None:
    assert [e.code for e in EVERY] == sorted(RULES)


@pytest.mark.parametrize("path", sorted(explain.HERE.iterdir()), ids=lambda p: p.stem)
def test_an_explanation_stands_in_the_file_of_its_hundred(path: pathlib.Path) -> None:
    """Each file has its explanations in order and without duplicates, which would otherwise go unnoticed."""
    codes = re.findall(r"^(HOT\d{3}):$", path.read_text(encoding="utf-8"), re.M)
    assert codes == sorted(set(codes))
    assert {f"{code[3]}xx.yaml" for code in codes} == {path.name}
    assert list(yaml.safe_load(path.read_text(encoding="utf-8"))) == codes


@pytest.mark.parametrize("explanation", SHOWN, ids=lambda e: e.code)
def test_the_wrong_example_gets_the_code(explanation: explain.Explanation, tmp_path: pathlib.Path) -> None:
    assert explanation.wrong is not None
    diagnostics = run(explanation.wrong, tmp_path)
    (severity,) = {d.severity for d in diagnostics if d.code == explanation.code}
    assert severity == RULES[explanation.code].severity or explanation.code == "HOT205"  # only as a warning


@pytest.mark.parametrize("explanation", SHOWN, ids=lambda e: e.code)
def test_the_right_example_does_not(explanation: explain.Explanation, tmp_path: pathlib.Path) -> None:
    """The right example has no error, and no warning that the wrong one does not have too."""
    assert explanation.wrong is not None
    assert explanation.right is not None
    diagnostics = run(explanation.right, tmp_path)
    assert explanation.code not in {d.code for d in diagnostics}
    assert not [d for d in diagnostics if d.severity == "error"]
    # The wrong example of HOT455 stops earlier; the right one of HOT450 prefers native, which says what differs.
    kept = {"HOT455": {"HOT450"}, "HOT450": {"HOT560"}}.get(explanation.code, set())
    assert {d.code for d in diagnostics if d.severity != "info"} <= {
        d.code for d in run(explanation.wrong, tmp_path)
    } | kept


@pytest.mark.parametrize("explanation", SHOWN, ids=lambda e: e.code)
def test_examples_are_short_and_in_our_own_style(explanation: explain.Explanation) -> None:
    """Examples that hot2tf fmt accepts are already formatted, and none is longer than a screen."""
    for example in (explanation.wrong, explanation.right):
        assert example is not None
        for name, text in example.all_files.items():
            assert text.endswith("\n")
            assert len(text.replace("\n\n", "\n").splitlines()) <= 22
            if name.endswith(".yaml"):
                assert canonical.format_text(Source(name, text, budget=Budget())).text == text


# where rules come from


def bare(text: str) -> str:
    """The text without whitespace and quotes, which changed when the specification was converted to text."""
    return re.sub(r"[\s‘’“”'\"`¶]", "", text)


@oracles.needs_specification
@pytest.mark.parametrize("explanation", [e for e in EVERY if e.quote], ids=lambda e: e.code)
def test_the_specification_contains_the_quotations(explanation: explain.Explanation) -> None:
    """The quotation is literal, and the section exists."""
    text = oracles.SPECIFICATION.read_text(encoding="utf-8")
    assert bare(explanation.quote) in bare(text)
    assert {bare(part) for part in explanation.source.split(", ")} <= {bare(line) for line in text.splitlines()}


def asked_of_heat(explanation: explain.Explanation) -> bool:
    """Whether Heat has a verdict on the examples: they are templates of its own language."""
    right = explanation.right
    templates = right is not None and right.render is None and right.command not in ("adopt", "config")
    return templates and explanation.code not in ELSEWHERE and explanation.code[3] != "8"


@oracles.needs_heat
@pytest.mark.parametrize("explanation", [e for e in SHOWN if asked_of_heat(e)], ids=lambda e: e.code)
def test_heat_thinks_so_too(explanation: explain.Explanation, tmp_path: pathlib.Path) -> None:
    """Heat accepts each right example and refuses a wrong one if the rule is an error, except for features that Heat
    lacks.
    """
    assert explanation.wrong is not None
    assert explanation.right is not None
    wrong, right = (ask(example, tmp_path) for example in (explanation.wrong, explanation.right))
    if explanation.code in BEYOND:
        assert BEYOND[explanation.code] in right.get("error", "")
        return
    assert right["ok"], right
    refused = RULES[explanation.code].severity == "error" and explanation.code not in OURS
    assert wrong["ok"] is not (refused or explanation.code in LATER), wrong
    assert LATER.get(explanation.code, "") in wrong.get("error", "")


def ask(example: explain.Example, where: pathlib.Path) -> Any:
    """Heat's diagnostics when it creates a stack."""
    path = write(example, where)
    environments = [str(where / name) for name in example.environments]
    params = dict(example.parameters)
    return oracles.ask(op="validate", template=str(path), env=environments, params=params, fill=True, level="create")


# showing


def test_the_page_is_the_output_of_the_program() -> None:
    """After changing rules or examples: python -m transpile.cli.diagnostics_page > docs/diagnostics.md"""
    assert (ROOT / "docs" / "diagnostics.md").read_text(encoding="utf-8") == print_diagnostics_page()


@pytest.mark.parametrize("explanation", EVERY, ids=lambda e: e.code)
def test_the_command_shows_all_of_it(explanation: explain.Explanation, command: Run) -> None:
    """The output has the rule, the note, every line of both examples, and the source of the rule."""
    rule = RULES[explanation.code]
    status, out, err = command("explain", explanation.code)
    assert (status, err) == (0, "")
    assert out.startswith(f"{rule.code} {rule.name} ({rule.severity}): {rule.title}\n\n{rule.why}\n\n{rule.hint}")
    assert all(part in out for part in (explanation.note, explanation.quote, explanation.source))
    lines = {line.strip() for line in out.splitlines()}
    for example in (explanation.wrong, explanation.right):
        for text in example.all_files.values() if example is not None else ():
            assert {line.strip() for line in text.splitlines()} <= lines


def test_the_page_escapes_markdown() -> None:
    assert escape_prose("****** <name> `a` [b](c) \\d") == "\\*\\*\\*\\*\\*\\* \\<name> \\`a\\` \\[b\\](c) \\\\d"


def test_the_command_line_of_an_example_names_all_that_it_takes() -> None:
    example = explain.Example("{}", {"a.yaml": "", "b.yaml": ""}, {"p": "x y"}, {"f": ""}, "convert", "hot", "wallaby")
    expected = "hot2tf convert stack.json --to hot --hot-version wallaby -e a.yaml -e b.yaml --parameter 'p=x y'"
    assert example.command_line == expected


@pytest.mark.parametrize(
    "given",
    [
        {"wrong": "a", "source": "x"},
        {"source": "x"},
        {"note": "a"},
        {"note": "a", "source": {"section": "x"}},
        {"note": "a", "source": "x", "command": "fmt"},
        {"note": 1, "source": "x"},
        {"wrong": "a", "right": "b", "source": "x", "wright": "c"},
        {"wrong": {"environments": {}}, "right": "b", "source": "x"},
        {"wrong": {"template": "a", "parameters": {"p": 1}}, "right": "b", "source": "x"},
        {"wrong": "a", "right": {"template": "b", "parameters": ["p"]}, "source": "x"},
        {"wrong": "a", "right": "b", "source": "x", "command": "plan"},
        [],
    ],
    ids=str,
)
def test_data_that_says_nothing_is_refused(given: Any) -> None:
    """Each of these omits something, or contains something that nothing reads."""
    with pytest.raises(explain.ExplanationError):
        explain.read_explanation("HOT101", given)

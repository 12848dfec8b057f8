"""Each section with each kind of value that is no map: `check` refuses the same as Heat.

The table below is Heat's; where real Heat is installed, it is asked again.
"""

from __future__ import annotations

import json
import pathlib
from typing import Any

import pytest

import transpile
from tests.support import oracles
from transpile import checking
from transpile.model.budget import Budget
from transpile.model.source import Source
from transpile.settings.table import Request

EMPTY: dict[str, Any] = {"null": None, "text": "", "list": [], "zero": 0, "false": False}
FULL: dict[str, Any] = {"a text": "x", "a number": 5, "true": True, "a list": ["a"], "a list of maps": [{"a": 1}]}
HEADS: dict[str, tuple[str, tuple[str, ...]]] = {  # by version: its key, and its sections
    "2018-08-31": ("heat_template_version", ("description", "parameters", "conditions", "resources", "outputs")),
    "2010-09-09": (
        "AWSTemplateFormatVersion",
        ("Description", "Parameters", "Conditions", "Mappings", "Resources", "Outputs"),
    ),
}
PLACES = [(version, section) for version, (_, sections) in HEADS.items() for section in sections]


def is_accepted(section: str, form: str) -> bool:
    word = section.lower()
    return word in ("description", "mappings") or (form in EMPTY and word != "conditions")


def template(version: str, section: str, form: str) -> dict[str, Any]:
    return {HEADS[version][0]: version, section: {**EMPTY, **FULL}[form]}


@pytest.mark.parametrize("form", [*EMPTY, *FULL])
@pytest.mark.parametrize(("version", "section"), PLACES)
def test_a_section_that_is_no_map(version: str, section: str, form: str, tmp_path: pathlib.Path) -> None:
    text = json.dumps(template(version, section, form))
    diagnostics = checking.check_text(
        Source("t.yaml", text, budget=Budget()), checking.CheckRequest(Request()), str(tmp_path)
    )
    assert any(d.severity == "error" for d in diagnostics) is not is_accepted(section, form)


def test_a_mapping_that_is_no_map_is_a_warning() -> None:
    """Heat looks at it when a function reads it."""
    text = json.dumps({"AWSTemplateFormatVersion": "2010-09-09", "Mappings": {"m": "x"}})
    (warning,) = transpile.convert(text).diagnostics
    assert (warning.code, warning.severity, text[warning.at :]) == ("HOT121", "warning", '"x"}}')
    if oracles.HEAT_PYTHON:
        assert oracles.ask(op="validate", body=json.loads(text), level="create")["ok"]


@oracles.needs_heat
@pytest.mark.parametrize(("version", "section"), PLACES)
def test_heat_takes_the_same(version: str, section: str) -> None:
    for form in (*EMPTY, *FULL):
        accepted = oracles.ask(op="validate", body=template(version, section, form), level="template")["ok"]
        assert accepted is is_accepted(section, form), form


@pytest.mark.parametrize("word", ["on", "yes", "off", "5", "1.5"])
def test_a_name_that_is_no_text_in_yaml(word: str, tmp_path: pathlib.Path) -> None:
    text = f"heat_template_version: 2018-08-31\noutputs: {{o: {{value: {{get_param: {word}}}}}}}\n"
    source = Source("t.yaml", text, budget=Budget())
    diagnostics = checking.check_text(source, checking.CheckRequest(Request()), str(tmp_path))
    assert [d.hint for d in diagnostics if d.code == "HOT130"] == [
        f'YAML reads {word} as no text: quote it, here and where it is declared: "{word}".'
    ]

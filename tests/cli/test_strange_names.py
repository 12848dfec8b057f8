"""Names and texts of strangers reach a terminal or a log as visible text, and cannot begin a line of their own."""

from __future__ import annotations

import json
import pathlib
import re
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

import transpile
from tests.conftest import Run
from tests.support.strings import DIRECTIONS, LINE_ENDS
from transpile.diagnostics.render import FORMS
from transpile.model import printable

STRANGE = "x\n::error file=README.md,line=1::pwned\n##[command]\x1b[31m\x07\x9b\u202e\u2028y"
NAME = f"{STRANGE}.yaml"
WRONG = "\n".join(
    [
        "heat_template_version: 2021-04-16",
        f"# {DIRECTIONS[5]} comment",
        "parameters:",
        f"  {json.dumps(STRANGE)}: {{type: nothing}}",
        "",
    ]
)
RIGHT = "\n".join(
    [
        "heat_template_version:   2021-04-16",
        f"description: {json.dumps(STRANGE)}",
        f"# {DIRECTIONS[5]} comment",
        "resources: {}",
        "",
    ]
)
COMMANDS = (
    ("convert", NAME),
    ("convert", "--to", "tosca", NAME),
    ("convert", "--to", "hot", NAME),
    ("convert", NAME, "-o", f"out{STRANGE}"),
    ("convert", NAME, "-e", NAME),
    ("convert", NAME, "--report", f"{NAME}/report"),
    ("convert", NAME, "--root", STRANGE),
    ("convert", NAME, "--parameter", STRANGE),
    ("convert", NAME, "--to", STRANGE),
    ("convert", NAME, f"--{STRANGE}"),
    ("convert", f"no {NAME}"),
    ("check", NAME),
    ("check", "."),
    ("check", NAME, "--level", STRANGE),
    ("check", NAME, "--jobs", STRANGE),
    ("fmt", "--check", NAME),
    ("fmt", "--diff", NAME),
    ("fmt", NAME),
    ("fmt", f"no {NAME}"),
    ("explain", STRANGE),
    ("types", STRANGE),
    ("capabilities", "find", ".", "-c", STRANGE),
    ("capabilities", "find", ".", "-c", "a=b"),
    (STRANGE,),
)


def unseen(text: str) -> list[str]:
    """The characters that a terminal would not show."""
    return sorted({c for c in text if unicodedata.category(c) in ("Cc", "Cs", "Zl", "Zp") or c in DIRECTIONS} - {"\n"})


def commands(text: str) -> list[str]:
    """The lines that a log would take for commands."""
    return [line for line in text.split("\n") if re.match(r"\s*::|.*##\w*\[", line)]


@pytest.mark.parametrize("arguments", COMMANDS, ids=lambda arguments: " ".join(g for g in arguments if g.isprintable()))
@pytest.mark.parametrize("text", [WRONG, RIGHT, "a: ["], ids=["wrong", "right", "no YAML"])
def test_nothing_of_a_name_is_obeyed(text: str, arguments: tuple[str, ...], command: Run) -> None:
    """Paths, options, parameters, and texts of the template."""
    pathlib.Path(NAME).write_text(text, encoding="utf-8")
    ended = command(*arguments)
    assert ended.out + ended.err or arguments[0] == "capabilities"
    assert unseen(ended.out + ended.err) == []
    assert commands(ended.err if arguments[0] == "convert" else ended.out + ended.err) == []


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("subcommand", ["convert", "check"])
def test_nothing_of_a_name_is_obeyed_in_any_form(subcommand: str, form: str, command: Run) -> None:
    """In the form for GitHub each line is a command, and it is one of ours."""
    pathlib.Path(NAME).write_text(WRONG, encoding="utf-8")
    ended = command(subcommand, NAME, "--diagnostics", form)
    output = ended.out + ended.err
    assert "HOT" in output
    assert unseen(output) == []
    if form == "github":
        assert all(re.match(r"::(error|warning|notice) file=x·%3A%3Aerror file", line) for line in commands(output))
    else:
        assert commands(output) == []
    if form == "json":
        assert json.loads(output)[0]["file"] == NAME


@pytest.mark.parametrize("to", ["hcl", "hot", "tosca"])
def test_nothing_of_a_name_is_obeyed_in_the_output(to: str, tmp_path: pathlib.Path) -> None:
    """A name is harmless in a comment, in a string and in a key."""
    lines = [
        "heat_template_version: 2021-04-16",
        f"description: {json.dumps(STRANGE)}",
        f"# {DIRECTIONS[5]} above",
        "parameters:",
        f"  p: {{type: json, description: {json.dumps(STRANGE)}, default: {{{json.dumps(STRANGE)}: 1}}}}",
        f"resources:  # {DIRECTIONS[9]} beside",
        "  kept:",
        "    type: Own::Type",
        f"    metadata: {{{json.dumps(STRANGE)}: [{json.dumps(STRANGE)}]}}  # {DIRECTIONS[5]}",
        "outputs:",
        f"  o: {{value: {json.dumps(STRANGE)}, description: {json.dumps(STRANGE)}}}",
    ]
    path = tmp_path / NAME
    path.write_text("\n".join([*lines, ""]), encoding="utf-8")
    done = transpile.convert(path, to=to)
    assert done.files
    for name, content in done.files.items():
        assert isinstance(content, str)
        assert unseen(content) == [], name


def test_the_report_has_no_such_character(command: Run) -> None:
    pathlib.Path(NAME).write_text(WRONG, encoding="utf-8")
    command("convert", NAME, "--report", "report.json")
    text = pathlib.Path("report.json").read_text(encoding="utf-8")
    assert unseen(text) == []
    assert json.loads(text)["source"] == NAME


@given(st.text() | st.lists(st.sampled_from([*LINE_ENDS, *DIRECTIONS, "\t", "a", "::", "##["])).map("".join))
def test_a_printable_text_is_one_line(text: str) -> None:
    """The line is as long as the text, and equal to it if all characters are printable."""
    assert unseen(printable.make_printable(text)) == []
    assert len(printable.make_printable(text)) == len(text)
    assert commands(printable.make_log_line(text)) == []
    if unseen(text) == [] and text.isprintable():
        assert printable.make_printable(text) == text


@given(st.recursive(st.text(), lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner)))
def test_escaped_json_is_the_same(value: object) -> None:
    text = printable.escape_json_text(json.dumps(value, indent=1, ensure_ascii=False))
    assert unseen(text) == []
    assert json.loads(text) == value
    assert text.count("\n") == json.dumps(value, indent=1).count("\n")

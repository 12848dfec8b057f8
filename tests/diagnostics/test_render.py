"""Diagnostics for other programs: SARIF 2.1.0, GitHub's workflow commands, reports of GitLab and JUnit; and short ones.

The output is checked by the rules of the consuming program: the official schema, or the way GitHub's runner undoes
escapes. It is never compared with earlier output.
"""

from __future__ import annotations

import json
import os
import pathlib
import pickle
import re
import unicodedata
from typing import Any
from urllib.parse import unquote
from xml.etree import ElementTree

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.conftest import Run
from transpile.diagnostics import render
from transpile.diagnostics.model import Diagnostic
from transpile.diagnostics.render import causes, concise, github, gitlab, grouped, junit, sarif, text
from transpile.diagnostics.rules import RULES
from transpile.model.budget import Budget
from transpile.model.records import replace
from transpile.model.source import Source
from transpile.model.span import Span
from transpile.version import DOCUMENTATION, __version__

TEXT = "heat_template_version: 2021-04-16\nresources:\n  näme🚀: {type: OS::Neutron::Net}\n"
SOURCE = Source("stack.yaml", TEXT, budget=Budget())
MISSING = Diagnostic(
    "HOT202", "There is no resource x.", SOURCE, Span(TEXT.index("näme"), TEXT.index(":", 50)), "Look."
)
FOUND = [
    MISSING,
    Diagnostic("HOT112", "Twice.", SOURCE, Span(0, TEXT.index("resources") + 3)),
    Diagnostic("HOT410", "No name.", Source("a b/ü,1:%.yaml", "x", budget=Budget())),
    Diagnostic("HOT209", "There is no parameter."),
    Diagnostic("HOT202", "Perhaps.", SOURCE, Span(5), forced="warning"),
]
SCHEMA = pathlib.Path(os.environ.get("HOT2TF_SARIF_SCHEMA", "/nowhere"))
STACK = "heat_template_version: 2021-04-16\nparameters:\n  a: {type: text}\n"


def closed(required: str, **properties: Any) -> dict[str, Any]:
    """The schema of an object that has these properties and no others."""
    return {"type": "object", "required": required.split(), "additionalProperties": False, "properties": properties}


def items(of: dict[str, Any], **limits: int) -> dict[str, Any]:
    return {"type": "array", "items": of, "uniqueItems": limits.pop("unique", False) == 1, **limits}


# SARIF's own rules for the part that we write: required properties, and no unknown keys.
LEVEL = {"enum": ["none", "note", "warning", "error"]}
COUNT = {"type": "integer", "minimum": 1}
MESSAGE = closed("text", text={"type": "string", "minLength": 1})
REGION = closed("startLine startColumn", startLine=COUNT, startColumn=COUNT, endLine=COUNT, endColumn=COUNT)
URI = {"type": "string", "pattern": r"^(file://)?([A-Za-z0-9._~/-]|%[0-9A-F]{2})+$"}
PLACE = closed("artifactLocation region", artifactLocation=closed("uri", uri=URI), region=REGION)
RESULT = closed(
    "ruleId ruleIndex message",
    ruleId={"enum": list(RULES)},
    ruleIndex={"type": "integer", "minimum": 0},
    level=LEVEL,
    message=MESSAGE,
    locations=items(closed("physicalLocation", physicalLocation=PLACE), minItems=1),
    partialFingerprints={"type": "object", "additionalProperties": {"type": "string"}},
)
RULE = closed(
    "id",
    id={"enum": list(RULES)},
    name={"enum": [rule.name for rule in RULES.values()]},
    shortDescription=MESSAGE,
    fullDescription=MESSAGE,
    help=MESSAGE,
    helpUri={"type": "string", "pattern": r"^https://[a-z0-9./-]+/diagnostics/HOT\d{3}/$"},
    defaultConfiguration=closed("level", level=LEVEL),
)
DRIVER = closed(
    "name version rules", name={"const": "hot2tf"}, version={"const": __version__}, rules=items(RULE, unique=1)
)
RUN = closed(
    "tool results columnKind",
    tool=closed("driver", driver=DRIVER),
    columnKind={"const": "unicodeCodePoints"},
    newlineSequences=items({"type": "string", "minLength": 1}, unique=1, minItems=1),
    results=items(RESULT),
)
RUNS = items(RUN, minItems=1, maxItems=1)
PART = closed(
    "$schema version runs",
    version={"const": "2.1.0"},
    runs=RUNS,
    **{"$schema": {"type": "string", "pattern": "^https://"}},
)


def log(diagnostics: list[Diagnostic]) -> Any:
    """A SARIF log, read back and checked."""
    read = json.loads(sarif.render(diagnostics))
    jsonschema.validate(read, PART)
    return read


@st.composite
def draw_diagnostic(draw: st.DrawFn) -> Diagnostic:
    """Any diagnostic: any file name, place and message."""
    source = None
    if draw(st.booleans()):
        source = Source(draw(st.text(min_size=1)), draw(st.text()), budget=Budget())
    length = len(source.text) if source is not None else 0
    span = Span(draw(st.integers(0, length)), draw(st.integers(-1, length)))
    severity = draw(st.sampled_from(["", "error", "warning", "info"]))
    return Diagnostic(
        draw(st.sampled_from(list(RULES))), draw(st.text(min_size=1)), source, span, draw(st.text()), severity
    )


# SARIF


@pytest.mark.skipif(not SCHEMA.is_file(), reason="HOT2TF_SARIF_SCHEMA names no copy of sarif-schema-2.1.0.json")
@given(st.lists(draw_diagnostic(), max_size=5))
def test_the_official_schema_takes_every_log(diagnostics: list[Diagnostic]) -> None:
    """The schema is OASIS's own, which no Python package ships."""
    schema = json.loads(SCHEMA.read_text(encoding="utf-8"))
    jsonschema.validate(json.loads(sarif.render(diagnostics)), schema, format_checker=jsonschema.FormatChecker())


@given(st.lists(draw_diagnostic(), max_size=5))
def test_a_log_has_all_that_sarif_requires_and_nothing_else(diagnostics: list[Diagnostic]) -> None:
    """Also checked without a copy of the schema. Results refer to their rules, and no region ends before it begins."""
    (run,) = log(diagnostics)["runs"]
    rules = run["tool"]["driver"]["rules"]
    assert [rule["id"] for rule in rules] == sorted({d.code for d in diagnostics})
    for diagnostic, result in zip(diagnostics, run["results"], strict=True):
        assert rules[result["ruleIndex"]]["id"] == result["ruleId"] == diagnostic.code
        assert ("locations" in result) is (diagnostic.source is not None)
        for place in result.get("locations", []):
            region = place["physicalLocation"]["region"]
            start, end = ((region[f"{p}Line"], region[f"{p}Column"]) for p in ("start", "end"))
            assert start <= end


def test_a_result_says_what_is_wrong_where_and_how_bad_it_is() -> None:
    first, second, third, fourth, fifth = log(FOUND)["runs"][0]["results"]
    assert first["message"]["text"] == "There is no resource x. Look."
    assert first["locations"][0]["physicalLocation"] == {
        "artifactLocation": {"uri": "stack.yaml"},
        "region": {"startLine": 3, "startColumn": 3, "endLine": 3, "endColumn": 8},  # code points: the rocket is one
    }
    assert [r["level"] for r in (first, second, third, fourth, fifth)] == [
        "error",
        "warning",
        "note",
        "error",
        "warning",
    ]
    assert third["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] == "a%20b/%C3%BC%2C1%3A%25.yaml"
    assert "locations" not in fourth


def test_a_rule_stands_once_with_its_words_and_its_own_level() -> None:
    rules = log(FOUND)["runs"][0]["tool"]["driver"]["rules"]
    assert [rule["id"] for rule in rules] == ["HOT112", "HOT202", "HOT209", "HOT410"]
    twice = RULES["HOT112"]
    assert rules[0] == {
        "id": "HOT112",
        "name": "duplicate-key",
        "shortDescription": {"text": twice.title},
        "fullDescription": {"text": twice.why},
        "help": {"text": twice.hint},
        "helpUri": f"{DOCUMENTATION}/diagnostics/HOT112/",
        "defaultConfiguration": {"level": "warning"},
    }


def test_no_diagnostics_are_a_run_without_results() -> None:
    (run,) = log([])["runs"]
    assert (run["results"], run["tool"]["driver"]["rules"]) == ([], [])


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("{a}", "{{a}}"),
        ("{0} of {{", "{{0}} of {{{{"),
        ("the pattern [a](?=b)", "the pattern [a\\](?=b)"),
        ("[a] (b)", "[a] (b)"),
    ],
)
def test_a_message_has_no_placeholders_and_no_links(text: str, written: str) -> None:
    """Section 3.11.5: braces are doubled. 3.11.6: a link text ends at a closing bracket without a backslash."""
    assert sarif.make_message(text) == {"text": written}


@given(st.text(min_size=1))
def test_a_path_is_a_reference_that_leads_back_to_it(name: str) -> None:
    uri = sarif.file_uri(name)
    path = pathlib.PurePosixPath(name)
    assert re.fullmatch(r"(?:file://)?(?:[A-Za-z0-9._~/-]|%[0-9A-F]{2})+", uri)
    assert unquote(uri.removeprefix("file://"), errors="surrogatepass") == path.as_posix()


def test_a_path_below_the_working_directory_is_relative(
    tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert sarif.file_uri(f"{tmp_path}/a/b.yaml") == "a/b.yaml"
    assert sarif.file_uri("./a//b.yaml") == "a/b.yaml"
    assert sarif.file_uri("/elsewhere/b.yaml") == "file:///elsewhere/b.yaml"


# GitHub


def undo(value: str, *, of_property: bool = False) -> str:
    """Undoes escapes as GitHub's runner does: the per cent sign last."""
    pairs = [("%0D", "\r"), ("%0A", "\n")] + ([("%3A", ":"), ("%2C", ",")] if of_property else []) + [("%25", "%")]
    for code, plain in pairs:
        value = value.replace(code, plain)
    return value


def command(line: str) -> tuple[str, dict[str, str], str]:
    """A command as the runner parses it: name, properties, message."""
    match = re.fullmatch(r"::(\w+) ([^\r\n]*?)::([^\r\n]*)", line)
    assert match is not None, line
    pairs = (pair.partition("=") for pair in match[2].split(","))
    return match[1], {name: undo(value, of_property=True) for name, _, value in pairs}, undo(match[3])


@given(st.text())
def test_an_escaped_message_is_one_line_that_can_be_read_back(text: str) -> None:
    escaped = github.escape_command_message(text)
    assert not set(escaped) & {"\r", "\n"}
    assert undo(escaped) == text


@given(st.text())
def test_an_escaped_property_ends_neither_itself_nor_the_properties(text: str) -> None:
    escaped = github.escape_command_property(text)
    assert not set(escaped) & {"\r", "\n", ":", ","}
    assert undo(escaped, of_property=True) == text


@given(st.lists(draw_diagnostic(), max_size=5))
def test_every_command_is_a_line_that_the_runner_reads(diagnostics: list[Diagnostic]) -> None:
    """Code, place and message come back, with control characters as dots, so that none reaches a terminal."""
    rendered = github.render(diagnostics)
    assert not [c for c in rendered if unicodedata.category(c) in ("Cc", "Cs", "Zl", "Zp") and c != "\n"]
    lines = rendered.split("\n")
    assert lines.pop() == ""
    for diagnostic, line in zip(diagnostics, lines, strict=True):
        name, properties, message = command(line)
        assert name == {"error": "error", "warning": "warning", "info": "notice"}[diagnostic.severity]
        assert properties["title"] == diagnostic.code
        words = [part for part in (diagnostic.message, diagnostic.help()) if part]
        assert len(message) == len("\n".join(words))
        assert all(
            a == b or a == "·" or (a, b) in ((" ", "\t"), ("\n", "\n"))
            for a, b in zip(message, "\n".join(words), strict=True)
        )
        if diagnostic.source is None:
            assert set(properties) == {"title"}
            continue
        line_, column = diagnostic.source.line_and_column(diagnostic.at)
        assert (int(properties["line"]), int(properties.get("col", column))) == (line_, column)
        assert ("col" in properties) is ("endColumn" in properties) is (properties["line"] == properties["endLine"])


def test_a_command_in_full() -> None:
    first, second, third, fourth, _ = github.render(FOUND).splitlines()
    assert (
        first
        == "::error file=stack.yaml,line=3,col=3,endLine=3,endColumn=8,title=HOT202::There is no resource x.%0ALook."
    )
    assert second.startswith("::warning file=stack.yaml,line=1,endLine=2,title=HOT112::Twice.%0A")
    assert third.startswith(
        "::notice file=a b/ü%2C1%3A%25.yaml,line=1,col=1,endLine=1,endColumn=1,title=HOT410::No name."
    )
    assert fourth.startswith("::error title=HOT209::")
    assert github.render([]) == ""


# fingerprints


def prints(diagnostics: list[Diagnostic]) -> list[str]:
    """The fingerprints of SARIF, which are those of GitLab, too."""
    results = log(diagnostics)["runs"][0]["results"]
    theirs = [row["fingerprint"] for row in json.loads(gitlab.render(diagnostics))]
    ours = ["".join(result["partialFingerprints"].values()) for result in results]
    assert ours == theirs
    return ours


def test_a_fingerprint_survives_moved_lines() -> None:
    moved = Source("stack.yaml", f"# a comment\n\n{TEXT}", budget=Budget())
    more = len(moved.text) - len(TEXT)
    again = [replace(d, source=moved, span=Span(d.at + more, d.end + more)) for d in (FOUND[0], FOUND[1])]
    assert prints(again) == prints(FOUND[:2])


def test_a_fingerprint_differs_where_findings_do() -> None:
    """Fingerprints differ by code, message and file; of two findings that differ only in place, the second has its
    own.
    """
    others = [
        MISSING,
        replace(MISSING, code="HOT201"),
        replace(MISSING, message="There is no resource y."),
        replace(MISSING, source=SOURCE.with_name("other.yaml")),
        replace(MISSING, span=Span(0, 1)),
    ]
    assert len(set(prints(others))) == len(others)


# GitLab


@given(st.lists(draw_diagnostic(), max_size=5))
def test_a_report_for_gitlab_has_all_its_fields_for_each_finding(diagnostics: list[Diagnostic]) -> None:
    """https://docs.gitlab.com/ci/testing/code_quality/#code-quality-report-format"""
    rendered = gitlab.render(diagnostics)
    rows = json.loads(rendered)
    jsonschema.validate(rows, GITLAB)
    assert len({row["fingerprint"] for row in rows}) == len(diagnostics)
    for diagnostic, row in zip(diagnostics, rows, strict=True):
        assert row["check_name"] == diagnostic.code
        assert row["description"].startswith(f"{diagnostic.code}: {diagnostic.message}")
        assert row["severity"] == {"error": "major", "warning": "minor", "info": "info"}[diagnostic.severity]
        if diagnostic.source is not None:
            assert row["location"]["lines"]["begin"] == diagnostic.source.line_and_column(diagnostic.at)[0]


GITLAB = items(
    closed(
        "description check_name fingerprint severity location",
        description={"type": "string", "minLength": 1},
        check_name={"type": "string"},
        fingerprint={"type": "string", "pattern": "^[0-9a-f]+$"},
        severity={"enum": ["info", "minor", "major", "critical", "blocker"]},
        location=closed("path lines", path={"type": "string"}, lines=closed("begin", begin=COUNT, end=COUNT)),
    )
)


# JUnit

# The attributes and elements of the schema that Jenkins checks reports with (xunit-plugin, junit-10.xsd).
ATTRIBUTES = {
    "testsuites": {"name", "tests", "failures", "errors", "time", "disabled"},
    "testsuite": {"name", "tests", "failures", "errors", "time", "skipped", "timestamp", "hostname", "id", "package"},
    "testcase": {"name", "classname", "time", "status", "class", "file", "line", "assertions", "group", "url"},
    "failure": {"message", "type"},
    "system-out": set(),
}
REQUIRED = {"testsuite": {"name"}, "testcase": {"name"}}
INSIDE = {"testsuites": {"testsuite"}, "testsuite": {"testcase"}, "testcase": {"failure", "system-out"}}


def suites(diagnostics: list[Diagnostic]) -> ElementTree.Element:
    """A report, read back and checked."""
    root = ElementTree.fromstring(junit.render(diagnostics).encode())
    assert root.tag == "testsuites"
    for element in root.iter():
        assert REQUIRED.get(element.tag, set()) <= set(element.attrib) <= ATTRIBUTES[element.tag]
        assert {inner.tag for inner in element} <= INSIDE.get(element.tag, set())
        if element.tag != "testcase" and "tests" in element.attrib:
            assert int(element.attrib["tests"]) == len(list(element.iter("testcase")))
            assert int(element.attrib["failures"]) == len(list(element.iter("failure")))
    return root


@given(st.lists(draw_diagnostic(), max_size=5))
def test_a_report_for_build_servers_is_xml_with_a_case_for_each_finding(diagnostics: list[Diagnostic]) -> None:
    root = suites(diagnostics)
    assert len(list(root.iter("testcase"))) == max(len(diagnostics), 1)
    assert len(list(root.iter("failure"))) == sum(d.severity == "error" for d in diagnostics)


def test_only_errors_fail() -> None:
    root = suites(FOUND)
    names = [suite.attrib["name"] for suite in root.iter("testsuite")]
    assert names == ["stack.yaml", "a b/ü,1:%.yaml", "hot2tf"]
    cases = {case.attrib["name"]: case for case in root.iter("testcase")}
    failure = cases["HOT202 3:3"].find("failure")
    assert failure is not None
    assert failure.attrib == {"message": "There is no resource x.", "type": "HOT202"}
    assert failure.text == "stack.yaml:3:3: error HOT202: There is no resource x.\nLook."
    assert [inner.tag for inner in cases["HOT112 1:1"]] == ["system-out"]


# lines for people


@given(st.lists(draw_diagnostic(), max_size=5))
def test_a_concise_finding_is_one_line(diagnostics: list[Diagnostic]) -> None:
    lines = concise.render(diagnostics).split("\n")
    assert lines.pop() == ""
    assert len(lines) == len(diagnostics)
    for diagnostic, line in zip(diagnostics, lines, strict=True):
        assert f"{diagnostic.severity} {diagnostic.code}: " in line
        assert not [c for c in line if unicodedata.category(c) in ("Cc", "Cs", "Zl", "Zp")]


def test_a_concise_finding_has_its_place_first() -> None:
    assert concise.render([MISSING, FOUND[3]]) == (
        "stack.yaml:3:3: error HOT202: There is no resource x.\nerror HOT209: There is no parameter.\n"
    )


def test_findings_are_grouped_by_file() -> None:
    """Findings about no file come first."""
    assert grouped.render([FOUND[2], *FOUND]) == (
        "error    HOT209  There is no parameter.\n"
        "\n"
        "a b/ü,1:%.yaml\n"
        "  1:1  info     HOT410  No name.\n"
        "  1:1  info     HOT410  No name.\n"
        "\n"
        "stack.yaml\n"
        "  3:3  error    HOT202  There is no resource x.\n"
        "  1:1  warning  HOT112  Twice.\n"
        "  1:6  warning  HOT202  Perhaps.\n"
    )
    assert grouped.render([]) == ""


# the command


@pytest.mark.parametrize("form", render.FORMS)
@pytest.mark.parametrize(
    "args", [["convert", "sub/stack.yaml", "-o", "out"], ["fmt", "sub/stack.yaml"]], ids=lambda a: a[0]
)
def test_each_form_can_be_asked_for(args: list[str], form: str, command: Run, tmp_path: pathlib.Path) -> None:
    """The form is on standard error, alone if it is for programs."""
    (tmp_path / "sub").mkdir()
    twice = STACK.replace("text", "string") + "  a: {type: number}\noutputs: {o: {value: {get_param: a}}}\n"
    (tmp_path / "sub" / "stack.yaml").write_text(twice)
    done = command(*args, "--diagnostics", form)
    assert done.out == ""
    assert "HOT112" in done.err or "HOT904" in done.err
    if form == "sarif":
        (result,) = json.loads(done.err)["runs"][0]["results"]
        assert result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] == "sub/stack.yaml"
    if form == "github":
        (line,) = done.err.splitlines()
        assert "file=sub/stack.yaml,line=4" in line


@pytest.mark.parametrize("form", ["sarif", "github"])
def test_standard_input_and_environments_have_names_too(form: str, command: Run, tmp_path: pathlib.Path) -> None:
    (tmp_path / "envs").mkdir()
    (tmp_path / "envs" / "env.yaml").write_text("parameter: {}\n")
    done = command("convert", "-", "-e", "envs/env.yaml", "--diagnostics", form, stdin=STACK)
    assert done.status == 1
    assert "envs/env.yaml" in done.err
    assert ("%3Cstdin%3E" if form == "sarif" else "file=<stdin>,") in done.err


def test_files_that_are_called_alike_keep_their_last_names() -> None:
    """Shorter names would leave it unclear which file is meant."""
    (diagnostic,) = render.restore_file_paths([MISSING], ["a/stack.yaml", "b/stack.yaml"])
    assert diagnostic == MISSING
    (diagnostic,) = render.restore_file_paths([MISSING], ["a/stack.yaml", "b/env.yaml"])
    assert diagnostic.source is not None
    assert (diagnostic.source.name, diagnostic.source.text) == ("a/stack.yaml", TEXT)


@pytest.mark.parametrize("words", [["convert", "stack.yaml"], ["fmt", "."]], ids=lambda a: a[0])
def test_another_form_is_wrong_usage_that_names_those_there_are(words: list[str], command: Run) -> None:
    done = command(*words, "--diagnostics", "xml")
    assert (done.status, done.out) == (2, "")
    assert f"{', '.join(render.FORMS[:-1])} or {render.FORMS[-1]}, not xml" in done.err


def test_diagnostics_that_come_from_another_process_are_shown_alike() -> None:
    source = Source("a.yaml", "one: 1\ntwo: \u00e4\n", budget=Budget())
    rendered = Source("a.yaml", "one: 1\nmore\n", (source, [(0, 0, True), (7, 8, False)]), budget=Budget())
    diagnostics = [
        Diagnostic("HOT101", "This is wrong.", source, Span(7, 10)),
        Diagnostic("HOT102", "So is this.", rendered, Span(8, 9), "Mend it."),
        Diagnostic("HOT103", "And that.", None),
        Diagnostic("HOT104", "This again.", source, Span(0, 3), forced="warning"),
    ]
    again = pickle.loads(pickle.dumps(diagnostics))
    for form in render.FORMS:
        assert render.load_renderer(form)(again) == render.load_renderer(form)(diagnostics)
    assert again[0].source is again[3].source


def test_a_sentence_that_names_something_endless_is_cut() -> None:
    diagnostic = Diagnostic(
        "HOT206",
        f"get_file names {'x/' * 100_000}: there is no such file.",
        Source("a.yaml", "a: b\n", budget=Budget()),
        Span(3),
    )
    first = render.load_renderer("text")([diagnostic]).splitlines()[0]
    assert len(first) < 1100
    assert first.endswith("x/: there is no such file.")


# groups of one cause


def repeated_findings(count: int, *, cause: str = "") -> list[Diagnostic]:
    """Findings that say the same in two files, alternately; with a cause, each names something else."""
    sources = [Source(name, "x\n" * 20, budget=Budget()) for name in ("a.yaml", "b.yaml")]
    return [
        Diagnostic("HOT601", cause.format(f"p{i}") or "Same.", sources[i % 2], Span(2 * i, 2 * i + 1), cause=cause)
        for i in range(count)
    ]


def test_text_shows_one_finding_with_all_its_places() -> None:
    """The first place has its source line; the others are named in the order of the findings."""
    written = text.render(repeated_findings(4))
    assert written.count("HOT601") == 1
    assert written.startswith("a.yaml:1:1: warning HOT601: Same.\n")
    assert written.endswith("\n  = also at b.yaml:2:1; a.yaml:3:1; b.yaml:4:1\n")


def test_a_file_stands_once_for_places_in_a_row() -> None:
    a = Source("a.yaml", "x\n" * 20, budget=Budget())
    findings = [Diagnostic("HOT601", "Same.", a, Span(2 * i)) for i in range(3)]
    assert "= also at a.yaml:2:1, 3:1\n" in text.render(findings)


def test_findings_that_list_names_are_one_cause() -> None:
    findings = repeated_findings(2, cause="Terraform does not check {}.")
    assert findings[0].message != findings[1].message
    assert text.render(findings).count("HOT601") == 1
    assert concise.render(findings).count("HOT601") == 2


@pytest.mark.parametrize(
    "change", [{"message": "Other."}, {"code": "HOT602"}, {"forced": "error"}, {"hint": "Do that."}, {"source": None}]
)
def test_findings_that_differ_in_more_than_their_place_stay_apart(change: dict[str, Any]) -> None:
    first, second = repeated_findings(2)
    assert len(text.render([first, replace(second, **change)]).split("\n\n")) == 2


def test_a_long_list_of_places_says_how_many_follow() -> None:
    written = text.render(repeated_findings(20))
    assert len(re.findall(r"\d+:1", written)) == 1 + causes.SHOWN
    assert f"and {20 - 1 - causes.SHOWN} more places" in written


@pytest.mark.parametrize("form", [form for form in render.FORMS if form != "text"])
def test_all_other_forms_have_each_place(form: str) -> None:
    findings = repeated_findings(5)
    assert render.load_renderer(form)(findings).count("Same.") >= len(findings)


@given(st.lists(draw_diagnostic(), max_size=8))
def test_every_finding_is_in_one_group(diagnostics: list[Diagnostic]) -> None:
    grouped_ids = [id(d) for group in causes.group_by_cause(diagnostics) for d in group]
    assert sorted(grouped_ids) == sorted(map(id, diagnostics))

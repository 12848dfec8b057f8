"""`hot2tf check`: the places and forms of findings, and the exit status."""

from __future__ import annotations

import io
import json
import os
import pathlib
import signal
import subprocess
import sys
import time
from typing import Any

import pytest

from tests.conftest import Run
from tests.support.interrupts import accept_interrupts
from transpile.cli import findings
from transpile.diagnostics import render
from transpile.diagnostics.model import Diagnostic
from transpile.model.budget import Budget
from transpile.model.source import Source
from transpile.model.span import Span

HOT = "heat_template_version: 2021-04-16\n"
GOOD = HOT + "resources: {a: {type: OS::Heat::None}}\n"
WRONG = HOT + "parameters: {p: {type: string}, q: {type: string}}\nresources: {a: {type: OS::Heat::Nonne}}\n"
COMMAND = [sys.executable, "-m", "transpile.cli.process", "check"]


@pytest.fixture
def wrong(tmp_path: pathlib.Path) -> pathlib.Path:
    """A directory with a template that has one error and two warnings."""
    (tmp_path / "a.yaml").write_text(WRONG)
    return tmp_path


def test_findings_are_on_standard_output_and_the_summary_is_not(wrong: pathlib.Path, command: Run) -> None:
    done = command("check", "a.yaml", "--diagnostics", "concise")
    assert [line.split(": ")[1] for line in done.out.splitlines()] == [
        "warning HOT601",
        "warning HOT601",
        "error HOT214",
    ]
    assert (done.status, done.err) == (1, "1 file checked: 1 error, 2 warnings, 1 fixable with --fix.\n")


@pytest.mark.parametrize("form", render.FORMS)
def test_a_file_takes_the_place_of_standard_output(form: str, wrong: pathlib.Path, command: Run) -> None:
    printed = command("check", "a.yaml", "--diagnostics", form)
    done = command("check", "a.yaml", "--diagnostics", form, "--output-file", "out/found")
    assert (done.status, done.out, done.err) == (1, "", printed.err)
    assert (wrong / "out/found").read_text() == printed.out


def test_a_file_that_cannot_be_written_is_wrong_usage(wrong: pathlib.Path, command: Run) -> None:
    done = command("check", "a.yaml", "--output-file", "a.yaml/found")
    assert (done.status, done.out) == (2, "")
    assert "a.yaml/found" in done.err


def test_findings_need_not_be_a_failure(wrong: pathlib.Path, command: Run) -> None:
    assert command("check", "a.yaml", "--exit-zero").status == 0
    assert command("check", "a.yaml", "--exit-zero", "--strict").status == 0
    assert command("check", "a.yaml", "--exit-zero", "--level", "none").status == 2


def test_statistics_stand_in_place_of_the_findings(wrong: pathlib.Path, command: Run) -> None:
    done = command("check", "a.yaml", "--statistics")
    assert done.out == "2  warning  HOT601  Unused parameter\n1  error    HOT214  Unknown resource type\n"
    assert done.status == 1
    rows = json.loads(command("check", "a.yaml", "--statistics", "--diagnostics", "json").out)
    assert rows[0] == {"code": "HOT601", "severity": "warning", "count": 2, "title": "Unused parameter"}
    assert command("check", "a.yaml", "--statistics", "--diagnostics", "sarif").status == 2


@pytest.mark.parametrize(
    "words",
    [
        ["-", "--fix"],
        ["-", "--watch"],
        ["a.yaml", "--watch", "--fix"],
        ["a.yaml", "--watch", "--output-file", "b"],
        ["a.yaml", "--color", "sometimes"],
    ],
)
def test_options_that_make_no_sense_together(words: list[str], wrong: pathlib.Path, command: Run) -> None:
    assert command("check", *words, stdin=GOOD).status == 2


@pytest.mark.parametrize("form", [form for form in render.FORMS if form != "text"])
def test_an_unformatted_file_is_a_finding(form: str, tmp_path: pathlib.Path, command: Run) -> None:
    """In the text form a line on standard error says so, as it does without --check."""
    (tmp_path / "a.yaml").write_text(HOT + "resources:   {}\n")
    done = command("fmt", "--check", "a.yaml", "--diagnostics", form)
    assert "HOT937" in done.out
    assert "2" in done.out  # the line
    assert done.status == 1
    done = command("fmt", "--check", "-", "--diagnostics", form, stdin=HOT + "resources:   {}\n")
    assert "HOT937" in done.out
    assert done.status == 1


# the terminal

FOUND = [
    Diagnostic(
        "HOT202",
        "There is no resource [bold]x[/bold] \x1b[31mred and so on and on and on.",
        Source("a.yaml", "a: 1\nname: [red]\x1b[2J" + "x" * 200 + "\n", budget=Budget()),
        Span(5, 9),
        "Did you mean [link=http://a]y[/link]?",
    ),
    Diagnostic("HOT601", "Nothing uses it."),
]


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def print_findings(stream: Any, monkeypatch: pytest.MonkeyPatch, color: str = "auto", **environment: str) -> str:
    for name in ("NO_COLOR", "FORCE_COLOR", "TERM", "COLUMNS"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(sys, "stdout", stream)
    findings.print_diagnostics(FOUND, "text", results=True, color=color)
    return str(stream.getvalue())


def test_away_from_a_terminal_the_bytes_are_those_of_the_text_form(monkeypatch: pytest.MonkeyPatch) -> None:
    plain = render.load_renderer("text")(FOUND)
    assert print_findings(io.StringIO(), monkeypatch) == plain
    assert print_findings(io.StringIO(), monkeypatch, COLUMNS="40", TERM="xterm") == plain
    assert print_findings(io.StringIO(), monkeypatch, FORCE_COLOR="1", NO_COLOR="1") == plain
    assert print_findings(io.StringIO(), monkeypatch, "never", FORCE_COLOR="1") == plain
    assert print_findings(Terminal(), monkeypatch, TERM="dumb") == plain


@pytest.mark.parametrize(
    ("stream", "color", "environment", "colored"),
    [
        (Terminal, "auto", {}, True),
        (Terminal, "auto", {"NO_COLOR": "1"}, False),
        (Terminal, "never", {}, False),
        (Terminal, "always", {"NO_COLOR": "1"}, True),
        (io.StringIO, "auto", {"FORCE_COLOR": "1"}, True),
        (io.StringIO, "always", {}, True),
    ],
)
def test_colours_are_for_terminals(
    stream: Any, color: str, environment: dict[str, str], colored: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert ("\x1b[" in print_findings(stream(), monkeypatch, color, **environment)) is colored


def test_colours_add_nothing_but_colours(monkeypatch: pytest.MonkeyPatch) -> None:
    """No markup of a template is obeyed, and no escape sequence of it comes through."""
    printed = print_findings(io.StringIO(), monkeypatch, "always")
    for code in ("\x1b[0m", "\x1b[1m", "\x1b[2m", "\x1b[36m", "\x1b[1;31m", "\x1b[1;33m", "\x1b[1;36m"):
        printed = printed.replace(code, "")
    assert printed == render.load_renderer("text")(FOUND)


def test_lines_are_as_wide_as_the_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    printed = print_findings(Terminal(), monkeypatch, "never", COLUMNS="60")
    lines = printed.splitlines()
    assert max(map(len, lines)) <= 60
    words = " ".join(line.strip() for line in lines if "|" not in line).split()
    ordered = sorted(FOUND, key=lambda diagnostic: diagnostic.severity == "error")  # a terminal shows errors last
    plain = [line for line in render.load_renderer("text")(ordered).splitlines() if "|" not in line]
    assert words == " ".join(plain).split()
    caret = next(line for line in lines if "^" in line)
    source = next(line for line in lines if "name:" in line)
    assert source[caret.index("^") :].startswith("name")


def test_rich_is_imported_for_terminals_only(wrong: pathlib.Path) -> None:
    code = "import sys; from transpile.cli.app import main; sys.argv[1:] = ['check', 'a.yaml', '--exit-zero']\n"
    code += "try:\n    main()\nexcept SystemExit:\n    print('rich.console' in sys.modules)\n"
    done = subprocess.run([sys.executable, "-c", code], cwd=wrong, capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "False"


# watching


def test_a_change_is_checked_and_ctrl_c_ends_it(tmp_path: pathlib.Path) -> None:
    (tmp_path / "a.yaml").write_text(WRONG)
    environment = {**os.environ, "PYTHONUNBUFFERED": "1"}
    with subprocess.Popen(
        [*COMMAND, ".", "--watch"],
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment,
        preexec_fn=accept_interrupts,
    ) as process:
        try:
            assert process.stderr is not None
            assert process.stdout is not None
            assert process.stderr.readline() == b"1 file checked: 1 error, 2 warnings, 1 fixable with --fix.\n"
            assert process.stderr.readline() == b"Watching for changes; Ctrl-C ends it.\n"
            (tmp_path / "a.yaml").write_text(GOOD)
            assert process.stderr.readline() == b"1 file checked: 0 errors, 0 warnings.\n"
            assert process.stderr.readline() == b"Watching for changes; Ctrl-C ends it.\n"
            (tmp_path / "b.yaml").write_text(GOOD)
            assert process.stderr.readline() == b"2 files checked: 0 errors, 0 warnings.\n"
            process.send_signal(signal.SIGINT)
            assert process.wait(timeout=60) == 130
            assert b"HOT214" in process.stdout.read()
        finally:
            process.kill()


def test_watching_does_not_keep_a_processor_busy(tmp_path: pathlib.Path) -> None:
    (tmp_path / "a.yaml").write_text(GOOD)
    with subprocess.Popen([*COMMAND, ".", "--watch"], cwd=tmp_path, stderr=subprocess.PIPE) as process:
        try:
            assert process.stderr is not None
            while b"Watching" not in process.stderr.readline():
                pass
            stat = pathlib.Path(f"/proc/{process.pid}/stat")
            if not stat.exists():
                pytest.skip("/proc does not say how long a process has been busy")
            before = ticks(stat)
            time.sleep(2)
            assert (ticks(stat) - before) / os.sysconf("SC_CLK_TCK") < 0.5
        finally:
            process.kill()


def ticks(stat: pathlib.Path) -> int:
    return sum(map(int, stat.read_text().rpartition(")")[2].split()[11:13]))


# which findings are shown

HOT = "heat_template_version: 2018-08-31\n"
OLD_NAME = HOT + "resources: {ip: {type: OS::Neutron::FloatingIP, properties: {floating_network_id: public}}}\n"


def test_infos_are_counted_and_shown_on_request(tmp_path: pathlib.Path, command: Run) -> None:
    (tmp_path / "a.yaml").write_text(OLD_NAME)
    hidden = command("check", "a.yaml", "--diagnostics", "concise")
    summary = "1 file checked: 0 errors, 0 warnings, 1 info not shown (-v shows all), 1 fixable with --fix.\n"
    assert (hidden.out, hidden.err) == ("", summary)
    for flags in (["-v"], ["--min-severity", "info"]):
        ended = command("check", "a.yaml", "--diagnostics", "concise", *flags)
        assert [line.split(": ")[1] for line in ended.out.splitlines()] == ["info HOT938"]
        assert "not shown" not in ended.err


def test_warnings_that_count_as_errors_are_shown_as_errors_are(tmp_path: pathlib.Path, command: Run) -> None:
    (tmp_path / "a.yaml").write_text(OLD_NAME + "parameters: {unused: {type: string}}\n")
    ended = command("check", "a.yaml", "--min-severity", "error", "--strict")
    assert ended.status == 1
    assert "warning HOT601" in ended.out
    assert "1 info not shown (-v shows all)" in ended.err


@pytest.mark.parametrize("form", render.FORMS)
def test_forms_for_programs_have_all_findings(form: str, tmp_path: pathlib.Path, command: Run) -> None:
    (tmp_path / "a.yaml").write_text(OLD_NAME)
    ended = command("check", "a.yaml", "--diagnostics", form, "--min-severity", "error")
    assert ("HOT938" in ended.out) == (form not in render.SELECTIVE)


def test_a_configuration_chooses_the_least_severity(tmp_path: pathlib.Path, command: Run) -> None:
    (tmp_path / "a.yaml").write_text(OLD_NAME)
    (tmp_path / "hot2tf.toml").write_text('min-severity = "info"\n')
    assert "HOT938" in command("check", "a.yaml").out
    assert "HOT938" not in command("check", "a.yaml", "--min-severity", "warning").out


def test_paths_lead_to_files_from_the_working_directory(tmp_path: pathlib.Path, command: Run) -> None:
    """Convert names nested templates as seen from the template, in JSON, but people and editors open them from here."""
    wrong = HOT + "resources:\n  x: {type: OS::Heat::Value, properties: {valeu: 1}}\n"
    for name, text in {
        "repo/in/main.yaml": HOT + "resources:\n  a: {type: lib/nested.yaml}\n  b: {type: ../other.yaml}\n",
        "repo/in/lib/nested.yaml": wrong,
        "repo/other.yaml": wrong,
        "repo/.git/HEAD": "",
    }.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    for form in ("concise", "github", "text"):
        for root in ([], ["--root", "repo"]):
            ended = command("convert", "repo/in/main.yaml", "--diagnostics", form, *root)
            assert "repo/in/lib/nested.yaml" in ended.err
            assert "repo/other.yaml" in ended.err
            assert "in/../other" not in ended.err
    names = {row["file"] for row in json.loads(command("convert", "repo/in/main.yaml", "--diagnostics", "json").err)}
    assert names == {"lib/nested.yaml", "../other.yaml"}

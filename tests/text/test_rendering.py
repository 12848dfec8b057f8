"""Jinja2 sources are rendered in a sandbox, and diagnostics point to places in the source.

Sources are untrusted. Jinja2 alone, or a careless loader, would allow each of the escapes tested here.
"""

from __future__ import annotations

import json
import os
import pathlib
import subprocess
import sys
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import transpile
from tests.conftest import Run
from tests.support.examples import examples
from transpile import checking
from transpile.guarded import process
from transpile.model.budget import Budget
from transpile.model.source import Source
from transpile.model.span import Span
from transpile.settings.table import Request
from transpile.text import jinja, sandbox
from transpile.text.source import Root

SOURCE = """\
heat_template_version: 2021-04-16
{# not for everyone -#}
resources:
{% for name in names %}
  {{ name }}:
    type: OS::Neutron::Net
    properties:
      name: {{ name }}
      colour: blue
{%- endfor %}

  last: {type: OS::Neutron::Nett}
"""


def list_errors(path: pathlib.Path, render: dict[str, object] | None) -> list[tuple[str, int, int, str]]:
    """Errors with their places, and the lines that they point to."""
    diagnostics = checking.check_file(str(path), checking.CheckRequest(Request(render=render))).diagnostics
    out = []
    for diagnostic in diagnostics:
        if diagnostic.severity == "error":
            assert diagnostic.source is not None
            line, column = diagnostic.source.line_and_column(diagnostic.at)
            out.append((diagnostic.code, line, column, diagnostic.source.line_text(line)))
    return out


def write(directory: pathlib.Path, text: str, name: str = "stack.j2.yaml") -> pathlib.Path:
    path = directory / name
    path.write_text(text)
    return path


def test_places_are_those_of_the_source(tmp_path: pathlib.Path) -> None:
    path = write(tmp_path, SOURCE)
    assert list_errors(path, {"names": ["a", "b"]}) == [
        ("HOT301", 9, 7, "      colour: blue"),
        ("HOT301", 9, 7, "      colour: blue"),
        ("HOT214", 12, 16, "  last: {type: OS::Neutron::Nett}"),
    ]


def test_lines_that_end_as_in_windows(tmp_path: pathlib.Path) -> None:
    path = tmp_path / "stack.j2.yaml"
    path.write_bytes(SOURCE.replace("\n", "\r\n").encode())
    assert [(code, line, column) for code, line, column, _ in list_errors(path, {"names": ["a"]})] == [
        ("HOT301", 9, 7),
        ("HOT214", 12, 16),
    ]


def test_nothing_is_rendered_unasked(tmp_path: pathlib.Path) -> None:
    assert [code for code, *_ in list_errors(write(tmp_path, SOURCE), None)] == ["HOT111"]


def test_other_names_are_no_sources(tmp_path: pathlib.Path) -> None:
    """A plain Heat template may contain braces."""
    text = "heat_template_version: 2021-04-16\noutputs:\n  o: {value: '{{ name }}'}\n"
    assert list_errors(write(tmp_path, text, "stack.yaml"), {"name": "x"}) == []
    done = transpile.convert(tmp_path / "stack.yaml", render={"name": "x"})
    assert '"{{ name }}"' in str(done.files["outputs.tf"])


def test_nested_templates_are_sources_too(tmp_path: pathlib.Path) -> None:
    write(tmp_path, "heat_template_version: 2021-04-16\noutputs:\n  o: {value: {{ word }}}\n", "part.j2.yaml")
    stack = write(
        tmp_path,
        "heat_template_version: 2021-04-16\nresources:\n  {{ word }}: {type: part.j2.yaml}\n"
        "outputs:\n  o: {value: {get_attr: [{{ word }}, o]}}\n",
    )
    done = transpile.convert(stack, render={"word": "hello"})
    assert done.ok
    assert 'value = "hello"' in str(done.files["modules/part/outputs.tf"])
    assert "module.hello.o" in str(done.files["outputs.tf"])


@pytest.mark.parametrize(
    ("text", "message", "line"),
    [
        ("a: 1\nb: {{ nobody }}\n", "'nobody' is undefined", 2),
        ("a: 1\n\nb: {% if %}\n", "Expected an expression", 3),
        ("a: {{ 1 / 0 }}\n", "division by zero", 1),
        ("a: 1\nb: {{ ''.__class__ }}\n", "unsafe", 2),
        ("a: {{ 'x' | attr('__class__') }}\n", "unsafe", 1),
        ("a: 1\n{% include '../secret' %}\n", "outside the template's directory", 2),
        ("{% include '/etc/passwd' %}\n", "outside the template's directory", 1),
        ("{% include 'https://example.com/x' %}\n", "URLs are only fetched", 1),
        ("{% include 'nowhere' %}\n", "does not exist", 1),
        ("{% import 'os' as os %}\n", "does not exist", 1),
        ("a: {{ 'x' * 4000000000 }}\n", "memory", 1),
        ("{% for i in range(99999) %}{{ 'x' * 1000 }}{% endfor %}", "8 MiB", 1),
        ("{% for i in range(99999) %}{% for j in range(99999) %}{% endfor %}{% endfor %}", "too much time", 1),
    ],
)
def test_errors_are_shown_at_their_line(tmp_path: pathlib.Path, text: str, message: str, line: int) -> None:
    (tmp_path / "secret").write_text("secret")
    (tmp_path / "inside").mkdir()
    (diagnostic,) = checking.check_file(
        str(write(tmp_path / "inside", text)), checking.CheckRequest(Request(render={}))
    ).diagnostics
    assert diagnostic.code == "HOT117"
    assert message in diagnostic.message
    assert diagnostic.source is not None
    assert diagnostic.source.line_and_column(diagnostic.at)[0] == line


def test_the_current_directory_is_not_imported_from(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Running hot2tf in a directory of unpacked templates must not run code from that directory."""
    (tmp_path / "json.py").write_text("raise SystemExit('owned')\n")
    (tmp_path / "jinja2.py").write_text("raise SystemExit('owned')\n")
    monkeypatch.chdir(tmp_path)
    assert list_errors(write(tmp_path, SOURCE.replace("      colour: blue\n", "")), {"names": ["a"]})[0][0] == "HOT214"


def test_values(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    write(tmp_path, "a: 1\nb: {c: [x]}\n", "values.yaml")
    assert jinja.parse_values(["values.yaml", "a=2", "t=yes", "s='2'", "e="]) == {
        "a": 2,
        "b": {"c": ["x"]},
        "t": True,
        "s": "2",
        "e": None,
    }
    write(tmp_path, "- a\n", "list.yaml")
    write(tmp_path, "a: {", "broken.yaml")
    write(tmp_path, "a: 2021-01-01\n", "date.yaml")
    for wrong in ("nowhere.yaml", "list.yaml", "broken.yaml", "1a=2", "date.yaml"):
        with pytest.raises(jinja.WrongValue, match="--render"):
            jinja.parse_values([wrong])


def test_the_command(command: Run, tmp_path: pathlib.Path) -> None:
    write(tmp_path, "heat_template_version: 2021-04-16\noutputs:\n  o: {value: '{{ word }}'}\n")
    done = command("convert", "stack.j2.yaml", "--render", "word=hello", "-o", "out")
    assert done.status == 0
    assert 'value = "hello"' in (tmp_path / "out" / "outputs.tf").read_text()
    assert command("check", "stack.j2.yaml", "--render", "word=x").status == 0
    assert command("check", "stack.j2.yaml").status == 1
    assert command("check", "stack.j2.yaml", "--render", "nothing-here").status == 2


LINES = st.sampled_from(
    [
        *("plain: 1", "  k: {{ v }}", "{% if v %}", "{% endif %}", "{# c #}", "x{{ v }}y: z"),
        *("{%- if v -%} a {%- endif %}", ""),
    ]
)


@settings(max_examples=examples(60), deadline=None, suppress_health_check=list(HealthCheck))
@given(st.lists(LINES, max_size=12))
def test_each_piece_that_stands_in_the_source_has_its_own_place(lines: list[str]) -> None:
    """For any source: text marked as coming from the source is there, and the pieces make up the whole text."""
    text = "\n".join(lines)
    answer = sandbox.render_request({"text": text, "values": {"v": "w"}}, Root(None))
    if "error" in answer:
        return
    rendered = answer["text"]
    starts = [start for start, _, _ in answer["places"]]
    assert starts == sorted(starts)
    for (start, at, as_it_is), end in zip(answer["places"], [*starts[1:], len(rendered)], strict=bool(starts)):
        assert 0 <= at <= len(text)
        if as_it_is:
            assert text[at : at + end - start] == rendered[start:end]


def test_the_origin_of_an_offset() -> None:
    made = jinja.Renderer({"a": "long word"}).render_template(
        Source("x.j2.yaml", "k: {{ a }} # end\n", budget=Budget()), Root(None)
    )
    assert made.text == "k: long word # end\n"
    assert [made.line_and_column(made.text.index(word)) for word in ("k:", "long", "word", "#")] == [
        (1, 1),
        (1, 4),
        (1, 4),
        (1, 12),
    ]
    assert made.start_and_end(Span(3, 14)) == (1, 4, 1, 13)


def test_python_is_new_enough_to_be_safe() -> None:
    """`-P` keeps the current directory off the path."""
    assert sys.version_info >= (3, 11)


def test_the_process_that_renders_gets_nothing_of_our_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """A source that leaves the sandbox finds no token there."""
    monkeypatch.setenv("OS_PASSWORD", "a secret")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "a secret")
    program = "import json, os, sys; json.dump(dict(os.environ), sys.stdout)"
    start = subprocess.Popen
    seen: list[dict[str, str]] = []

    def run(arguments: list[str], **kwargs: Any) -> Any:
        with start([sys.executable, "-c", program], **kwargs) as child:
            seen.append(json.loads(child.communicate()[0]))
        return start(arguments, **kwargs)

    monkeypatch.setattr(subprocess, "Popen", run)
    assert transpile.convert(SOURCE, render={"names": []}).report["source"] == "template"
    ((environment,),) = (seen,)
    assert environment.keys() <= {"PYTHONPATH", "PYTHONIOENCODING", *process.KEPT, "LC_CTYPE"}
    assert "a secret" not in str(environment)


def test_the_process_finds_its_modules_without_our_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in list(os.environ):
        monkeypatch.delenv(name)
    request: dict[str, Any] = {
        "text": "{{ 1 + 1 }}",
        "values": {},
        "directory": None,
        "base": None,
        "allow": [],
        "trusting": 1,
    }
    assert jinja.run_sandbox(request, Budget())["text"] == "2"


def test_all_sources_of_a_run_have_one_limit() -> None:
    request: dict[str, Any] = {"text": "x", "values": {}, "directory": None, "base": None, "allow": [], "trusting": 1}
    budget = Budget({"jinja": 200})
    endless = {**request, "text": "{% for a in range(99999) %}{% for b in range(99999) %}{% endfor %}{% endfor %}"}
    assert "too much time" in jinja.run_sandbox(endless, budget)["error"]
    assert budget.spent["jinja"] == 200
    assert "limit jinja of 200" in jinja.run_sandbox(request, budget)["error"]


def test_a_result_that_is_not_utf_8_is_refused() -> None:
    done = transpile.convert('{{ "\\ud800" }}', render={})
    assert [d.code for d in done.diagnostics] == ["HOT117"]

"""The README.md of a directory: its contents, that texts in it stay texts, and that it replaces nobody's file."""

from __future__ import annotations

import html
import pathlib
import re
import shutil

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from typer.testing import CliRunner

import transpile
from tests.support.cases import GOLDEN, all_cases
from transpile.cli.application import make_application
from transpile.model.printable import make_printable
from transpile.text import markdown

READER = MarkdownIt("commonmark").enable("table")
STACK = """
heat_template_version: 2018-08-31
description: A | table, <b>bold</b> and `code`.
parameters:
  size: {type: number, default: 5, description: "How large\\nit is"}
  secret: {type: string, default: hunter2-hunter2, hidden: true}
  asked: {type: string}
resources:
  queue: {type: OS::Zaqar::Queue, properties: {name: {get_param: asked}}}
  disk: {type: OS::Cinder::Volume, properties: {size: {get_param: size}}}
outputs:
  one: {description: 'The "first" of [two](http://x)', value: {get_param: secret}}
"""


def extract_words(text: str) -> str:
    """The words of a page, as a reader sees them."""
    return html.unescape(re.sub(r"<[^>]*>", " ", READER.render(text)))


def page(template: str = STACK, **options: str) -> str:
    done = transpile.convert(template, options=options)
    assert done.ok, done.diagnostics
    return str(done.files["README.md"])


def test_it_names_the_needs() -> None:
    rendered = READER.render(page())
    assert "A | table, &lt;b&gt;bold&lt;/b&gt; and `code`." in rendered
    assert "<td><code>size</code></td>\n<td>How large it is</td>\n<td><code>number</code></td>" in rendered
    assert "2 variables have no value: copy <code>terraform.tfvars.example</code> to" in rendered
    assert "<code>openstack_orchestration_stack_v1.queue</code>" in rendered
    assert "<td>The &quot;first&quot; of [two](http://x) (sensitive)</td>" in rendered
    assert "--prefer native" in rendered


def test_hidden_values_are_not_in_it() -> None:
    text = page()
    assert "hunter2" not in text
    assert "(hidden)" in text


def test_without_heat_there_is_nothing_about_it() -> None:
    text = page(prefer="native")
    assert "Heat must run" not in text
    assert "--prefer native" in text  # how it was made


@given(st.text(max_size=60))
def test_a_text_stays_a_text(words: str) -> None:
    row = markdown.format_table(("a",), [(markdown.escape_markdown_line(words) or "-",)])
    (cell,) = re.findall(r"<td>(.*?)</td>", READER.render("\n".join(row)), re.DOTALL)
    assert "<" not in cell
    plain = READER.render("x " + markdown.escape_markdown_line(words))
    assert set(re.findall(r"<[^>]*>", plain)) <= {"<p>", "</p>"}
    assert html.unescape(cell).split() == (make_printable(re.sub(r"\s*\n\s*", " ", words.strip())).split() or ["-"])


@given(st.text(min_size=1, max_size=40))
def test_a_piece_of_code_stays_one(words: str) -> None:
    row = markdown.format_table(("a",), [(markdown.format_code(words),)])
    (cell,) = re.findall(r"<td>(.*?)</td>", READER.render("\n".join(row)), re.DOTALL)
    assert re.fullmatch(r"<code>[^<]*</code>", cell), cell
    assert html.unescape(cell[6:-7]).strip() == make_printable(words).strip()


@pytest.mark.parametrize("case", all_cases(), ids=lambda case: case.name)
def test_every_golden_names_its_inputs(case: object) -> None:
    done = case.convert()  # type: ignore[attr-defined]
    text = done.files["README.md"]
    variables = re.findall(r'^variable "(\w+)"', done.files.get("variables.tf", ""), re.MULTILINE)
    outputs = re.findall(r'^output "(\w+)"', done.files.get("outputs.tf", ""), re.MULTILINE)
    named = re.findall(r"^\| `(\w+)` \|", text, re.MULTILINE)
    assert named == [*variables, *outputs]


def test_it_replaces_nobodys_file(tmp_path: pathlib.Path) -> None:
    run, out = CliRunner(), tmp_path / "out"
    (tmp_path / "stack.yaml").write_text(STACK, encoding="utf-8")
    convert = ["convert", str(tmp_path / "stack.yaml"), "-o", str(out), "-v"]
    out.mkdir()
    (out / "README.md").write_text("mine", encoding="utf-8")
    for _ in range(2):  # the second time, the manifest lists it
        done = run.invoke(make_application(), convert)
        assert done.exit_code == 0, done.output
        assert "HOT909" in done.stderr
        assert (out / "README.md").read_text(encoding="utf-8") == "mine"
    assert run.invoke(make_application(), [*convert, "--force"]).exit_code == 0
    first = "<!-- Made by hot2tf from stack.yaml -->"
    assert (out / "README.md").read_text(encoding="utf-8").startswith(f"{first}\n\n# stack.yaml\n")
    done = run.invoke(make_application(), convert)
    assert done.exit_code == 0
    assert "HOT909" not in done.stderr
    (out / "README.md").write_text("edited", encoding="utf-8")
    assert "HOT909" in run.invoke(make_application(), convert).stderr
    assert (out / "README.md").read_text(encoding="utf-8") == "edited"


def test_no_readme(tmp_path: pathlib.Path) -> None:
    run, out = CliRunner(), tmp_path / "out"
    (tmp_path / "stack.yaml").write_text(STACK, encoding="utf-8")
    convert = ["convert", str(tmp_path / "stack.yaml"), "-o", str(out)]
    assert run.invoke(make_application(), convert).exit_code == 0
    assert (out / "README.md").exists()
    assert run.invoke(make_application(), [*convert, "--no-readme"]).exit_code == 0
    assert not (out / "README.md").exists()
    assert run.invoke(make_application(), [*convert, "--no-readme", "--to", "hot"]).exit_code == 2
    assert "# file: README.md" not in run.invoke(make_application(), ["convert", str(tmp_path / "stack.yaml")]).stdout


def test_it_names_no_directory(tmp_path: pathlib.Path) -> None:
    """The same input gives the same text on each machine, wherever it lies: plug-ins are named by absolute paths."""
    texts = []
    for place in (tmp_path / "here", tmp_path / "elsewhere" / "below"):
        shutil.copytree(GOLDEN / "plugin_inherited", place)
        converted = transpile.convert(place / "input.yaml", plugin_dirs=[place / "plugins"])
        texts.append(str(converted.files["README.md"]))
    assert texts[0] == texts[1]
    assert "Notes" not in texts[0], "infos stand in the report alone"
    assert str(tmp_path) not in texts[0]

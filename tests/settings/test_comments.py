"""Comments that ignore findings: the scope of each, and the notes on useless ones."""

from __future__ import annotations

import pathlib
import textwrap

import pytest

from transpile import checking
from transpile.format import canonical
from transpile.model.budget import Budget
from transpile.model.source import Source
from transpile.settings import Finder, Settings, comments, grade_diagnostics

HEAD = "heat_template_version: 2021-04-16\n"


def ignoring(text: str) -> list[tuple[str, list[int]]]:
    """The codes that comments ignore, each with the numbers of the lines that it holds for."""
    source = Source("a.yaml", text, budget=Budget())
    lines = [sum(len(line) + 1 for line in text.split("\n")[:number]) for number in range(text.count("\n"))]
    ignore_comments, _ = comments.read_ignore_comments(source)
    first = [at + len(text[at:]) - len(text[at:].lstrip(" -")) for at in lines]
    return [
        (comment.code, [number + 1 for number, at in enumerate(first) if comment.covers(at)])
        for comment in ignore_comments
    ]


def list_codes_with_lines(tmp_path: pathlib.Path, text: str, *, config: str = "") -> list[tuple[str, int]]:
    """The codes that `check` reports for a template, with their lines, and those about comments."""
    path = tmp_path / "a.yaml"
    path.write_text(HEAD + textwrap.dedent(text), encoding="utf-8")
    (tmp_path / "hot2tf.toml").write_text(config, encoding="utf-8")
    configured = checking.ConfiguredRequests(Finder())
    diagnostics = checking.check_files([str(path)], configured, 1).diagnostics
    return [(d.code, d.source.line_and_column(d.at)[0]) for d in diagnostics if d.source is not None]


UNUSED = """\
parameters:
  a: {type: string}
  b: {type: string}
"""


def test_without_comments_both_are_found(tmp_path: pathlib.Path) -> None:
    assert list_codes_with_lines(tmp_path, UNUSED) == [("HOT601", 3), ("HOT601", 4)]


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("parameters:\n  # hot2tf: ignore HOT601\n  a: {type: string}\n  b: {type: string}\n", [5]),
        ("parameters:\n  # hot2tf: ignore HOT601 -- said\n  # More.\n  a: {type: string}\n  b: {type: string}\n", [6]),
        ("parameters:\n  a: {type: string}  # hot2tf: ignore HOT601 -- why\n  b: {type: string}\n", [4]),
        ("parameters:  # hot2tf: ignore HOT602,HOT601\n  a: {type: string}\n  b: {type: string}\n", [3, 4]),
        ("# hot2tf: ignore HOT601\nparameters:\n  a: {type: string}\n  b: {type: string}\n", []),
        ("parameters:\n  a: {type: string}\n  b: {type: string}\n# hot2tf: ignore-file HOT601 -- all\n", []),
        ("parameters:\n  a: {type: string}\n  b:\n    # hot2tf: ignore HOT601\n    type: string\n", [3, 4]),
        ("parameters:\n  a: {type: string}\n  b: {type: string, description: '# hot2tf: ignore HOT601'}\n", [3, 4]),
        (f"{UNUSED}outputs:\n  x:\n    value: |\n      # hot2tf: ignore-file HOT601\n", [3, 4]),
        ("parameters:\n  # hot2tf: ignore HOT602\n  a: {type: string}\n  b: {type: string}\n", [4, 5]),
    ],
)  # fmt: skip
def test_a_comment_holds_for_its_place(text: str, left: list[int], tmp_path: pathlib.Path) -> None:
    findings = list_codes_with_lines(tmp_path, text)
    assert [line for code, line in findings if code == "HOT601"] == left


def test_the_scope_of_each_kind_of_comment() -> None:
    text = textwrap.dedent(
        """\
        # hot2tf: ignore HOT101
        a:
          b: 1
          # hot2tf: ignore HOT102
          c:
            - x  # hot2tf: ignore HOT103
            # hot2tf: ignore HOT104
            - y: 1
              z: 2
            - w
        d: >  # hot2tf: ignore HOT105
          some
          text
        e: "long
          text"  # hot2tf: ignore HOT106
        f: [1,
          # hot2tf: ignore HOT107
          2, 3]
          # hot2tf: ignore HOT108
        """
    )
    assert dict(ignoring(text)) == {
        "HOT101": [2, 3, 4, 5, 6, 7, 8, 9, 10],
        "HOT102": [5, 6, 7, 8, 9, 10],
        "HOT103": [6],
        "HOT104": [8, 9],
        "HOT105": [11, 12, 13],
        "HOT106": [14, 15],
        "HOT107": [18],
        "HOT108": [],
    }


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_line_ends_of_windows_do_not_matter(end: str, tmp_path: pathlib.Path) -> None:
    text = f"{HEAD}parameters:\n  # hot2tf: ignore HOT601 -- x\n  a: {{type: string}}\n  b: {{type: string}}\n"
    path = tmp_path / "a.yaml"
    path.write_bytes(text.replace("\n", end).encode())
    diagnostics = checking.check_files([str(path)], checking.ConfiguredRequests(Finder()), 1).diagnostics
    assert [(d.code, d.source.line_and_column(d.at)[0]) for d in diagnostics if d.source is not None] == [("HOT601", 5)]


@pytest.mark.parametrize(
    ("comment", "code", "words"),
    [
        ("hot2tf: ignore HOT602", "HOT925", "HOT602"),
        ("hot2tf: ignore", "HOT926", "which codes"),
        ("hot2tf: ignore -- because", "HOT926", "which codes"),
        ("hot2tf: ignore HOT999", "HOT926", "no code HOT999"),
        ("hot2tf: ignore HOT6", "HOT926", "no code HOT6"),
        ("hot2tf: ignore all of this", "HOT926", "no code all"),
        ("hot2tf: ignroe HOT601", "HOT926", "Did you mean ignore"),
        ("hot2tf:", "HOT926", "does not know"),
    ],
)
def test_a_comment_of_no_use_is_reported(comment: str, code: str, words: str, tmp_path: pathlib.Path) -> None:
    path = tmp_path / "a.yaml"
    path.write_text(f"{HEAD}# {comment}\nparameters:\n  a: {{type: string}}\n")
    diagnostics = checking.check_files([str(path)], checking.ConfiguredRequests(Finder()), 1).diagnostics
    (diagnostic,) = (d for d in diagnostics if d.code in ("HOT925", "HOT926"))
    assert diagnostic.code == code
    assert words in f"{diagnostic.message} {diagnostic.help()}"
    assert diagnostic.source is not None
    assert diagnostic.source.line_and_column(diagnostic.at)[0] == 2


def test_codes_that_check_cannot_find_are_not_called_useless(tmp_path: pathlib.Path) -> None:
    """HOT411 is a conversion's: `check` cannot know whether the comment is of use."""
    text = "# hot2tf: ignore HOT411, HOT705, ACME12\nparameters:\n  a: {type: string}\n"
    assert list_codes_with_lines(tmp_path, text) == [("HOT601", 4)]


def test_nor_are_those_of_a_file_that_was_not_read_to_its_end(tmp_path: pathlib.Path) -> None:
    findings = list_codes_with_lines(tmp_path, "# hot2tf: ignore HOT601\nparameters: [\n")
    assert [code for code, _ in findings] == ["HOT101"]


def test_a_comment_in_a_nested_template_is_of_use_if_any_stack_needs_it(tmp_path: pathlib.Path) -> None:
    (tmp_path / "inner.yaml").write_text(
        f"{HEAD}parameters:\n"
        "  # hot2tf: ignore HOT601\n  a: {type: string}\n  # hot2tf: ignore HOT601\n  b: {type: string}\n"
        "outputs: {b: {value: {get_param: b}}}\n"
    )
    (tmp_path / "outer.yaml").write_text(f"{HEAD}resources:\n  x: {{type: inner.yaml, properties: {{a: 1, b: 2}}}}\n")
    checked = checking.check_files([str(tmp_path)], checking.ConfiguredRequests(Finder()), 1)
    assert [(d.code, d.source.line_and_column(d.at)[0]) for d in checked.diagnostics if d.source] == [("HOT925", 5)]
    assert set(checked.ignored) == {"HOT601"}


def test_formatting_keeps_them() -> None:
    text = f"{HEAD}parameters:\n    # hot2tf: ignore HOT601 -- why\n    a: {{type: string}} # hot2tf: ignore HOT602\n"
    once = canonical.format_text(Source("a.yaml", text, budget=Budget())).text
    assert once != text
    codes = [comment.code for comment in comments.read_ignore_comments(Source("a.yaml", once, budget=Budget()))[0]]
    assert codes == ["HOT601", "HOT602"]


def test_a_text_that_is_no_yaml_has_no_comments() -> None:
    for text in (
        "# hot2tf: ignore HOT601\na: [",
        "{\n# hot2tf: ignore HOT601\n}",
        "# hot2tf: ignore HOT601\n- a\n---\n- b",
    ):
        assert comments.read_ignore_comments(Source("a.yaml", text, budget=Budget())) == ([], [])


def test_a_million_brackets_cost_little() -> None:
    source = Source("a.yaml", "# hot2tf: ignore HOT601\na: " + "[" * 100_000, budget=Budget())
    assert grade_diagnostics([], Settings(), "check", sources=[source]).all_diagnostics == []


@pytest.mark.parametrize(
    "text",
    [
        "# hot2tf: ignore HOT601\n" * 50_000,
        "# hot2tf: ignore " + "HOT601, " * 200_000 + "\n",
        "# hot2tf: ignore " + "HOT999, " * 200_000 + "\n",
        "# hot2tf: nonsense\n" * 50_000,
    ],
    ids=["many", "long", "wrong", "nonsense"],
)
def test_too_many_comments_are_not_read(text: str) -> None:
    """Each finding is compared with them, and each may be reported."""
    ignore_comments, wrong = comments.read_ignore_comments(
        Source("a.yaml", f"{HEAD}{text}parameters: {{}}\n", budget=Budget())
    )
    assert len(ignore_comments) + len(wrong) <= comments.MOST + 2
    assert "was not read" in wrong[-1].message

"""Any shell text is read into commands with their places and surroundings."""

from __future__ import annotations

import time

import hypothesis
import pytest
from hypothesis import strategies

from transpile.repository.shell_syntax import ShellReader, read_commands
from transpile.repository.shell_words import MAKE, ShellCommand, read_assignments

SECONDS = 20.0  # far more than any of these takes


def words(text: str, dialect: str = "shell") -> list[list[str]]:
    return [[word.value for word in command.words] for command in read_commands(text, dialect=dialect)]


def find(text: str, first: str, dialect: str = "shell") -> ShellCommand:
    """The only command that begins with a word."""
    (command,) = [each for each in read_commands(text, dialect=dialect) if each.words[0].value == first]
    return command


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a b 'c d' \"e $f\"", [["a", "b", "c d", "e ${f}"]]),
        ("a \\\n  b\nc", [["a", "b"], ["c"]]),
        ("a # b\nc#d", [["a"], ["c#d"]]),
        ("a; b && c || d | e & f", [["a"], ["b"], ["c"], ["d"], ["e"], ["f"]]),
        ("x=$(a b) c", [["a", "b"], ["x=$(a b)", "c"]]),
        ('echo "$(a "b c")"', [["a", "b c"], ["echo", '$(a "b c")']]),
        ("echo `a b`", [["a", "b"], ["echo", "`a b`"]]),
        ("if a; then b; elif c; then d; else e; fi", [["a"], ["b"], ["c"], ["d"], ["e"]]),
        ("case $1 in a|b) c ;; *) d ;; esac; e", [["c"], ["d"], ["e"]]),
        ("f() { a; }\nfunction g() { b; }\n", [["a"], ["b"]]),
        ("cat <<EOF\na b\nEOF\nc", [["cat"], ["c"]]),
        ("cat <<-'E'\n\ta\n\tE\nc", [["cat"], ["c"]]),
        ("read a <<< 'b c'\nd", [["read", "a"], ["d"]]),
        ("for ((i=0; i<3; i++)); do a; done", [["for"], ["a"]]),
        ("[[ -n $(a) && x < y ]] && b", [["a"], ["b"]]),
        ("a <(b c) d", [["b", "c"], ["a", "<(b c)", "d"]]),
        ("a > b 2>&1 c", [["a", "c"]]),
        ("a {{ b }} ${{ c.d }}", [["a", "{{b}}", "${{c.d}}"]]),
        ("a ${b:-$(c)} d", [["c"], ["a", "${b:-$(c)}", "d"]]),
        ("x=(a b)", [["a", "b"], ["x=(a b)"]]),
        (r'a "b\"c\\d\e\$f" g', [["a", r'b"c\d\e$f', "g"]]),
        ('a "b\\\nc" d', [["a", "bc", "d"]]),
    ],
)
def test_commands_of_a_text(text: str, expected: list[list[str]]) -> None:
    assert words(text) == expected


def test_in_a_recipe_of_make_the_dollar_of_the_shell_is_doubled() -> None:
    assert words("a $(B) ${C} $@ $$D $$(e f)", MAKE) == [["e", "f"], ["a", "$(B)", "$(C)", "$@", "${D}", "$(e f)"]]


@pytest.mark.parametrize(
    ("text", "before", "after", "captured"),
    [
        ("x", "", "", False),
        ("if x; then y; fi", "if", ";", False),
        ("if ! x; then y; fi", "!", ";", False),
        ("y && x || z", "&&", "||", False),
        ("y | x", "|", "", False),
        ("a=$(x)", "", "", True),
        ("(x; y) | z", "", ";", True),
        ("{ x; y; } | z", "{", ";", True),
        ("{ x; y; } || z", "{", ";", False),
        ("for a in b; do x; done | z", "do", ";", True),
        ("y &&\n  x", "&&", "", False),
    ],
)
def test_the_surroundings_of_a_command(text: str, before: str, after: str, captured: bool) -> None:
    command = find(text, "x")
    assert (command.before, command.after, command.is_captured) == (before, after, captured)


def test_places_are_those_of_the_text() -> None:
    text = "a\n  bc 'd e' >/dev/null # f\n"
    command = read_commands(text)[1]
    assert text[command.start : command.end] == "bc 'd e' >/dev/null"
    assert [text[word.start : word.end] for word in command.words] == ["bc", "'d e'"]
    assert [text[start:end] for start, end in command.redirections] == [">/dev/null"]


def test_assignments() -> None:
    text = 'A=b\nexport C="d $e"\nM="a \\$b"\nN="{{ o }}"\nlocal f=g\nfor h in i; do j; done\nread k\nL=m n\n'
    got = {name: (word.value, word.is_literal) for name, word, _ in read_assignments(read_commands(text))}
    assert got["A"] == ("A=b", True)
    assert got["C"] == ("C=d ${e}", False)
    assert got["M"] == ("M=a $b", True)
    assert got["N"] == ("N={{ o }}", False)
    assert got["f"] == ("f=g", True)
    assert {"h", "k", "L"} <= got.keys()


@pytest.mark.parametrize(
    "text",
    [
        "$(" * 50_000,
        '"$(' * 30_000,
        "`" * 100_001,
        "a|" * 50_000,
        "{{" * 50_000,
        "${" * 50_000,
        "(" * 100_000,
        "$((1" * 20_000,
        "case x in " * 10_000,
        "<<A " * 20_000 + "\nx\n" * 1000,
        "[[ " * 50_000,
        "{ " * 30_000 + "a;" + "} | b;" * 30_000,
        "(a) | " * 20_000,
        "'" + "a" * 100_000,
        "openstack stack create " + "--parameter a=b " * 7000,
    ],
    ids=lambda text: text[:8],
)
@pytest.mark.parametrize("dialect", ["shell", MAKE])
def test_hostile_text_ends(text: str, dialect: str) -> None:
    began = time.monotonic()
    ShellReader(text, dialect=dialect).read_commands()
    assert time.monotonic() - began < SECONDS


@hypothesis.given(strategies.text(alphabet="ab $(){}`'\"\\\n;|&<>#=[]", max_size=60))
def test_no_text_fails(text: str) -> None:
    """Every text is read, and places stay in it."""
    for dialect in ("shell", MAKE):
        for command in read_commands(text, dialect=dialect):
            assert 0 <= command.start <= command.end <= len(text)
            assert all(command.start <= word.start <= word.end <= len(text) for word in command.words)

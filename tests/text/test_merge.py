"""Merging of edits: laws that hold for all texts, and git's result for the same texts."""

from __future__ import annotations

import pathlib
import shutil
import subprocess

import pytest
from hypothesis import given
from hypothesis import strategies as st

from transpile.text import merge
from transpile.text.base_store import parse_lines, print_base, unpack_lines
from transpile.text.merge import merge_texts

LINES = st.lists(st.sampled_from([b"a\n", b"b\n", b"c\n", b"}\n", b"\n"]), max_size=12).map(b"".join)
TEXTS = st.one_of(LINES, LINES.map(lambda text: text.rstrip(b"\n")))


@given(TEXTS, TEXTS)
def test_a_change_that_both_made_is_made_once(base: bytes, text: bytes) -> None:
    assert merge_texts(base, text, text) == (text, 0)


@given(TEXTS, TEXTS)
def test_changes_of_one_side_are_taken(base: bytes, text: bytes) -> None:
    assert merge_texts(base, base, text) == (text, 0)
    assert merge_texts(base, text, base) == (text, 0)


@given(TEXTS, TEXTS, TEXTS)
def test_the_order_of_the_two_sides_does_not_matter(base: bytes, theirs: bytes, new: bytes) -> None:
    one, other = merge_texts(base, theirs, new), merge_texts(base, new, theirs)
    assert one.conflicts == other.conflicts
    if not one.conflicts:
        assert one.text == other.text


@given(TEXTS, TEXTS)
def test_no_line_that_a_person_added_is_lost(base: bytes, new: bytes) -> None:
    for at in range(len(base.splitlines()) + 1):
        lines = base.splitlines(keepends=True)
        if at == len(lines) and base and not base.endswith(b"\n"):
            continue
        theirs = b"".join([*lines[:at], b"mine\n", *lines[at:]])
        merged = merge_texts(base, theirs, new)
        assert b"mine\n" in merged.text.splitlines(keepends=True)
        assert merge.has_markers(merged.text) == bool(merged.conflicts)


@given(TEXTS, TEXTS, TEXTS)
def test_merging_again_changes_nothing(base: bytes, theirs: bytes, new: bytes) -> None:
    """After a stop between two steps, the next run merges texts that are merged already."""
    merged = merge_texts(base, theirs, new)
    if not merged.conflicts:
        assert merge_texts(new, merged.text, new) == merged


TEXT = "".join(f"line {number}\n" for number in range(9))
CASES = {
    "apart": (TEXT.replace("line 1", "mine"), TEXT.replace("line 7", "new")),
    "same line": (TEXT.replace("line 4", "mine"), TEXT.replace("line 4", "new")),
    "same change": (TEXT.replace("line 4", "both"), TEXT.replace("line 4", "both")),
    "added at both ends": ("mine\n" + TEXT, TEXT + "new\n"),
    "removed and changed": (TEXT.replace("line 4\n", ""), TEXT.replace("line 4", "new")),
    "neighbours": (TEXT.replace("line 4", "mine"), TEXT.replace("line 5", "new")),
    "one removes all": ("", TEXT.replace("line 4", "new")),
}


@pytest.mark.parametrize("case", CASES)
@pytest.mark.skipif(shutil.which("git") is None, reason="no git on the PATH")
def test_git_merges_the_same(case: str, tmp_path: pathlib.Path) -> None:
    theirs, new = CASES[case]
    for name, text in (("theirs", theirs), ("base", TEXT), ("new", new)):
        (tmp_path / name).write_text(text)
    labels = ["-L", "yours", "-L", "base", "-L", "hot2tf"]
    command = ["git", "merge-file", "-p", *labels, "theirs", "base", "new"]
    git = subprocess.run(command, cwd=tmp_path, capture_output=True)
    merged = merge_texts(TEXT.encode(), theirs.encode(), new.encode())
    assert merged.conflicts == git.returncode
    assert merged.text == git.stdout


def test_texts_that_would_take_too_long_are_one_conflict() -> None:
    base = b"same\n" * 4_000
    theirs, new = b"first\n" + base + b"mine\n", b"other\n" + base + b"new\n"
    merged = merge_texts(base, theirs, new)
    assert merged.conflicts == 1
    assert b"mine\n" in merged.text


@given(st.dictionaries(st.text(min_size=1, max_size=3), st.one_of(st.text(), st.binary(max_size=9)), max_size=4))
def test_a_store_has_the_texts_and_nothing_else(files: dict[str, str | bytes]) -> None:
    expected = {}
    for name, content in files.items():
        try:
            expected[name] = content if isinstance(content, str) else content.decode("utf-8")
        except UnicodeDecodeError:
            continue
    kept = {name: text.encode() for name, text in expected.items() if "\n" not in name}
    assert unpack_lines(parse_lines(print_base(files))) == kept


@pytest.mark.parametrize("data", [b"", b"x", print_base({"a": "b"})[:-9], print_base({}) + b"a eJw=\n", b"\xff" * 99])
def test_a_damaged_store_has_no_texts(data: bytes) -> None:
    assert unpack_lines(parse_lines(data)) == {}

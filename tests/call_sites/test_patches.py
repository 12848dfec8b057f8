"""Patches have the bytes that git expects, for all contents and names of files."""

from __future__ import annotations

import pathlib
import subprocess

import hypothesis
import pytest
from hypothesis import strategies

from transpile.diagnostics.model import Edit
from transpile.model.span import Span
from transpile.rewrite.edits import apply_edits, print_patch


def apply(where: pathlib.Path, path: str, before: bytes, edits: list[Edit]) -> bytes:
    """A file after git has applied the patch of its edits."""
    file = where / path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(before)
    patch = print_patch(path, before.decode("utf-8", "surrogateescape"), edits)
    subprocess.run(["git", "init", "-q", str(where)], check=True)
    subprocess.run(["git", "apply", "-"], cwd=where, input=patch.encode("utf-8", "surrogateescape"), check=True)
    return file.read_bytes()


@pytest.mark.parametrize(
    ("before", "old", "new"),
    [
        (b"a\nb\nc\n", b"b", b"x\ny"),
        (b"b", b"b", b"x"),
        (b"a\nb", b"b", b"x"),
        (b"b\na", b"b", b"x"),
        (b"a\r\nb\r\nc\r\n", b"b", b"x"),
        (b"a\n\xff\xfeb\nc\n", b"b", b"x"),
        (b"a\x0cb\x0bc\x85\nd\n", b"b", b"x"),
        ("ä\u2028b\n".encode(), b"b", "ß".encode()),
        (b"1\n2\n3\n4\n5\nb\n7\n8\n9\n10\n", b"b", b"x"),
    ],
)
def test_texts(tmp_path: pathlib.Path, before: bytes, old: bytes, new: bytes) -> None:
    at = before.decode("utf-8", "surrogateescape").index(old.decode())
    edit = Edit(Span(at, at + len(old.decode())), new.decode())
    assert apply(tmp_path, "f", before, [edit]) == before.replace(old, new, 1)


@pytest.mark.parametrize("name", ["a b", "ä", 'a"b', "a\\b", "a\tb", "d e/f.sh", "-x", "a\nb"])
def test_names(tmp_path: pathlib.Path, name: str) -> None:
    assert apply(tmp_path, name, b"a\n", [Edit(Span(0, 1), "x")]) == b"x\n"


@hypothesis.settings(deadline=None, max_examples=40)
@hypothesis.given(
    strategies.lists(strategies.sampled_from(["a\n", "b\n", "\n", "c"]), min_size=1, max_size=40).map("".join),
    strategies.lists(strategies.tuples(strategies.integers(0, 80), strategies.integers(1, 4)), min_size=1, max_size=5),
    strategies.sampled_from(["", "x", "x\ny", "x\n"]),
)
def test_any_edits(
    tmp_path_factory: pytest.TempPathFactory, text: str, places: list[tuple[int, int]], new: str
) -> None:
    edits: list[Edit] = []
    at = 0
    for start, length in sorted((start % len(text), length) for start, length in places):
        begin = max(start, at)
        if begin + length <= len(text):
            edits.append(Edit(Span(begin, begin + length), new))
            at = begin + length + 1
    after = apply_edits(text, edits)
    hypothesis.assume(after != text)
    where = tmp_path_factory.mktemp("patch")
    assert apply(where, "f", text.encode(), edits).decode() == after


def test_unchanged_lines_stay(tmp_path: pathlib.Path) -> None:
    """Three lines around a change, as git writes them; lines between two near changes are no changes."""
    text = "".join(f"{n}\n" for n in range(1, 31))
    edits = [Edit(Span(text.index(word), text.index(word) + len(word)), "x") for word in ("10", "12", "25")]
    assert print_patch("f", text, edits) == (
        "diff --git a/f b/f\n--- a/f\n+++ b/f\n@@ -7,9 +7,9 @@\n 7\n 8\n 9\n-10\n+x\n 11\n-12\n+x\n 13\n 14\n 15\n"
        "@@ -22,7 +22,7 @@\n 22\n 23\n 24\n-25\n+x\n 26\n 27\n 28\n"
    )

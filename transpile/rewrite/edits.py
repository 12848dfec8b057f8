"""Applies edits to a text, and prints them as a patch.

Invariant: the edits of a text do not overlap. A patch has the bytes of the text, so that `git apply` takes it.
"""

from __future__ import annotations

import bisect
import re
from collections.abc import Iterable, Sequence

from transpile.diagnostics.model import Edit
from transpile.model.span import Span

CONTEXT = 3  # unchanged lines around a change in a patch
PLAIN_NAME = re.compile(r"[^\x00-\x1f\"\\\x7f-\U0010ffff]+")


def apply_edits(text: str, edits: Iterable[Edit]) -> str:
    """The text with edits applied, from its end to its beginning."""
    for edit in sorted(edits, key=lambda edit: -edit.at):
        text = text[: edit.at] + edit.text + text[edit.end :]
    return text


def print_patch(path: str, text: str, edits: Sequence[Edit]) -> str:
    """The edits of a file as a unified patch in git's form. `path`: from the directory where it is applied."""
    lines = text.split("\n")
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line) + 1)
    groups: list[tuple[int, int, list[Edit]]] = []  # the first and the last line that edits touch
    for edit in sorted(edits, key=lambda edit: edit.at):
        first, last = (bisect.bisect_right(starts, at) - 1 for at in (edit.at, edit.end))
        if groups and first <= groups[-1][1]:
            begin, end, group = groups.pop()
            groups.append((begin, max(last, end), [*group, edit]))
        else:
            groups.append((first, last, [edit]))
    hunks: list[list[tuple[int, int, list[Edit]]]] = []
    for part in groups:
        if hunks and part[0] - hunks[-1][-1][1] <= 2 * CONTEXT + 1:
            hunks[-1].append(part)
        else:
            hunks.append([part])
    old, new = (quote_path(f"{side}/{path}") for side in "ab")
    out = [f"diff --git {old} {new}\n", f"--- {end_name(old)}\n", f"+++ {end_name(new)}\n"]
    count = len(lines) - (lines[-1] == "")
    shift = 0
    for hunk in hunks:
        begin, end = max(hunk[0][0] - CONTEXT, 0), min(hunk[-1][1] + CONTEXT + 1, count)
        marked: list[tuple[str, str]] = []
        at = begin
        for first, last, group in hunk:
            stop = min(last + 1, count)
            marked += [(" ", line) for line in split_lines(text[starts[at] : starts[first]])]
            before = text[starts[first] : starts[stop]]
            moved = [Edit(Span(edit.at - starts[first], edit.end - starts[first]), edit.text) for edit in group]
            marked += [("-", line) for line in split_lines(before)]
            marked += [("+", line) for line in split_lines(apply_edits(before, moved))]
            at = stop
        marked += [(" ", line) for line in split_lines(text[starts[at] : starts[end]])]
        old_count, new_count = (sum(mark in kept for mark, _ in marked) for kept in (" -", " +"))
        out.append(f"@@ -{begin + 1},{old_count} +{begin + 1 + shift},{new_count} @@\n")
        for mark, line in marked:
            out.append(mark + line if line.endswith("\n") else f"{mark}{line}\n\\ No newline at end of file\n")
        shift += new_count - old_count
    return "".join(out)


def split_lines(text: str) -> list[str]:
    """The lines of a text with their ends. Only `\\n` ends a line, as for git."""
    parts = text.split("\n")
    return [f"{part}\n" for part in parts[:-1]] + ([parts[-1]] if parts[-1] else [])


def end_name(name: str) -> str:
    """A name in a line of `---` or `+++`. Git ends one with blanks by a tab."""
    return f"{name}\t" if " " in name else name


def quote_path(path: str) -> str:
    """A path as git writes it into a patch: quoted, with octal escapes, if it has other than plain characters."""
    if PLAIN_NAME.fullmatch(path):
        return path
    octets = path.encode("utf-8", "surrogateescape")
    return '"' + "".join(chr(c) if 32 <= c < 127 and c not in b'"\\' else f"\\{c:03o}" for c in octets) + '"'

"""Applies edits to a text, and prints them as a patch.

Invariant: the edits of a text do not overlap. A patch has the bytes of the text, so that `git apply` takes it.
"""

from __future__ import annotations

import bisect
import re
from collections.abc import Iterable, Sequence

from transpile.diagnostics.model import Edit

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
    hunks: list[tuple[int, int, list[Edit]]] = []  # the first and last line that a group of edits touches
    for edit in sorted(edits, key=lambda edit: edit.at):
        first, last = (bisect.bisect_right(starts, at) - 1 for at in (edit.at, edit.end))
        if hunks and first - hunks[-1][1] <= 2 * CONTEXT:
            begin, _, group = hunks.pop()
            hunks.append((begin, max(last, 0), [*group, edit]))
        else:
            hunks.append((first, last, [edit]))
    old, new = (quote_path(f"{side}/{path}") for side in "ab")
    out = [f"diff --git {old} {new}\n", f"--- {end_name(old)}\n", f"+++ {end_name(new)}\n"]
    count = len(lines) - (lines[-1] == "")
    shift = 0
    for first, last, group in hunks:
        begin, end = max(first - CONTEXT, 0), min(last + CONTEXT + 1, count)
        last = min(last + 1, count)
        chunk = text[starts[first] : starts[last]] if last > first else ""
        moved = [Edit(edit.span.__class__(edit.at - starts[first], edit.end - starts[first]), edit.text) for edit in group]
        before, after = split_lines(text[starts[first] : starts[last]]), split_lines(apply_edits(chunk, moved))
        head, tail = split_lines(text[starts[begin] : starts[first]]), split_lines(text[starts[last] : starts[end]])
        old_count, new_count = (len(head) + len(part) + len(tail) for part in (before, after))
        out.append(f"@@ -{begin + 1},{old_count} +{begin + 1 + shift},{new_count} @@\n")
        for mark, part in ((" ", head), ("-", before), ("+", after), (" ", tail)):
            for line in part:
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

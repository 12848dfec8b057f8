"""Merges two changed versions of a text, line by line, as git does.

Invariant: no line that a person added is lost. Different changes of both at the same place are a conflict.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from difflib import SequenceMatcher
from typing import NamedTuple

YOURS, OURS = b"<<<<<<< yours\n", b">>>>>>> hot2tf\n"
BETWEEN = b"=======\n"
MOST_PAIRS = 1_000_000  # of equal lines; a text with more is compared as a whole, because comparing it takes too long
MOST_LINES = 20_000


class MergedText(NamedTuple):
    """A merged text; conflicts: how often it has markers."""

    text: bytes
    conflicts: int


def merge_texts(base: bytes, theirs: bytes, new: bytes) -> MergedText:
    """The changes from `base` to `theirs`, and those from `base` to `new`, in one text."""
    old, mine, ours = (data.splitlines(keepends=True) for data in (base, theirs, new))
    out: list[bytes] = []
    conflicts = 0
    for a, b, c in walk_regions(old, mine, ours):
        if b in (a, c):
            out += c
        elif c == a:
            out += b
        else:
            conflicts += 1
            out += [YOURS, *end_lines(b), BETWEEN, *end_lines(c), OURS]
    return MergedText(b"".join(out), conflicts)


def has_markers(data: bytes) -> bool:
    """Whether a text has the markers of an unresolved conflict."""
    lines = (b"\n" + data).replace(b"\r\n", b"\n")
    return all(b"\n" + marker in lines + b"\n" for marker in (YOURS, BETWEEN, OURS))


def end_lines(lines: list[bytes]) -> list[bytes]:
    """The lines, the last one with an end of line."""
    return [*lines[:-1], lines[-1] + b"\n"] if lines and not lines[-1].endswith(b"\n") else lines


Lines = list[bytes]


def walk_regions(old: Lines, mine: Lines, ours: Lines) -> Iterator[tuple[Lines, Lines, Lines]]:
    """Yields the three texts in pieces that belong together: by turns a piece that may differ, and one that is the same
    in all.
    """
    at_old = at_mine = at_ours = 0
    for start, end, in_mine, in_ours in find_common_runs(old, mine, ours):
        yield old[at_old:start], mine[at_mine:in_mine], ours[at_ours:in_ours]
        same = old[start:end]
        yield same, same, same
        at_old, at_mine, at_ours = end, in_mine + end - start, in_ours + end - start
    yield old[at_old:], mine[at_mine:], ours[at_ours:]


def find_common_runs(old: Lines, mine: Lines, ours: Lines) -> Iterator[tuple[int, int, int, int]]:
    """The runs of lines of `old` that both others have: start, end, start in `mine`, start in `ours`."""
    left, right = match_lines(old, mine), match_lines(old, ours)
    i = j = 0
    while i < len(left) and j < len(right):
        (a, b, n), (c, d, m) = left[i], right[j]
        start, end = max(a, c), min(a + n, c + m)
        if start < end:
            yield start, end, b + start - a, d + start - c
        if a + n < c + m:
            i += 1
        else:
            j += 1


def match_lines(old: Lines, new: Lines) -> list[tuple[int, int, int]]:
    """The runs of equal lines, in order: start in `old`, start in `new`, length."""
    most = min(len(old), len(new))
    head = next((i for i in range(most) if old[i] != new[i]), most)
    tail = next((i for i in range(most - head) if old[-1 - i] != new[-1 - i]), most - head)
    middle_old, middle_new = old[head : len(old) - tail], new[head : len(new) - tail]
    runs = [(0, 0, head)] if head else []
    if can_compare(middle_old, middle_new):
        matcher = SequenceMatcher(None, middle_old, middle_new, autojunk=False)
        runs += [(head + a, head + b, size) for a, b, size in matcher.get_matching_blocks() if size]
    if tail:
        runs.append((len(old) - tail, len(new) - tail, tail))
    return runs


def can_compare(old: Lines, new: Lines) -> bool:
    """Whether lines can be compared in a short time."""
    if len(old) + len(new) > MOST_LINES:
        return False
    counts = Counter(new)
    return sum(n * counts[line] for line, n in Counter(old).items()) <= MOST_PAIRS

"""A plan as a table for people, at most 100 columns wide.

Invariant: nothing is cut off. A text that is too long is continued on the next line.
"""

from __future__ import annotations

import itertools
import posixpath
import textwrap
from typing import TYPE_CHECKING

from transpile.repository.walking import shown

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from transpile.repository.plan import Plan, StackPlan

WIDTH = 100
STACKS, OTHERS = (30, 34, 32), (60, 37)  # widths of columns


def table(plan: Plan) -> str:
    """The plan: the stacks by the directory of their template, what they share, and what is left out."""
    parts = ["\n".join(stacks(plan.stacks))]
    if plan.nested:
        rows = ((path, users(by, path)) for path, by in plan.nested.items())
        parts.append("\n".join([f"Nested templates: {len(plan.nested)}", "", *lines(rows, OTHERS)]))
    if plan.others:
        parts.append("\n".join([f"In no stack: {len(plan.others)}", "", *lines(plan.others.items(), OTHERS)]))
    if plan.ignored:
        parts.append("\n".join(["Left out by patterns:", "", *(f"  {shown(one)}" for one in plan.ignored)]))
    return "\n\n".join(parts) + "\n"


def stacks(found: Sequence[StackPlan]) -> Iterator[str]:
    yield f"Stacks: {len(found)}"
    by_folder = sorted(found, key=lambda one: (posixpath.dirname(one.template), one.output))
    for where, ones in itertools.groupby(by_folder, key=lambda one: posixpath.dirname(one.template)):
        yield ""
        yield from wrapped(f"{shown(where)}/" if where else "./", WIDTH)
        yield from lines((row(one, where) for one in ones), STACKS)


def row(one: StackPlan, where: str) -> tuple[str, str, str]:
    """The directory, files and reason of a stack. Environments are relative to the template's directory (`where`)."""
    front = f"{where}/" if where else ""
    output = one.output.removeprefix(front)
    files = [shown(posixpath.basename(one.template))]
    files += [f"-e {shown(relative(path, where))}" for path in one.environments]
    return shown(output), "\n".join(files), shown(one.why.replace(f" {front}", " ") if front else one.why)


def relative(path: str, where: str) -> str:
    return posixpath.relpath(path, where or ".")


def users(by: Sequence[str], path: str) -> str:
    """How many files refer to a template, or which one."""
    return f"used by {shown(relative(by[0], posixpath.dirname(path)))}" if len(by) == 1 else f"used by {len(by)} files"


def lines(rows: Iterable[Sequence[str]], widths: Sequence[int]) -> Iterator[str]:
    """Rows of a table. A cell has as many lines as it needs."""
    for cells in rows:
        columns = [wrapped(cell, width) for cell, width in zip(cells, widths, strict=True)]
        for parts in itertools.zip_longest(*columns, fillvalue=""):
            padded = (part.ljust(width) for part, width in zip(parts, widths, strict=True))
            yield f"  {' '.join(padded)}".rstrip()


def wrapped(cell: str, width: int) -> list[str]:
    """The lines of a cell, broken at blanks, and inside a word that is too long behind a slash or hyphen."""
    found = []
    for line in cell.split("\n"):
        indent = "   " if line.startswith("-e ") else ""
        room = width - len(indent)
        words = [piece for word in line.removeprefix("-e ").split() for piece in pieces(word, room)]
        first, *rest = textwrap.wrap(" ".join(words), room, break_long_words=False, break_on_hyphens=False) or [""]
        found += [f"-e {first}" if indent else first, *(indent + one for one in rest)]
    return found


def pieces(word: str, width: int) -> Iterator[str]:
    """A word in pieces that are not too long."""
    while len(word) > width:
        at = max(word.rfind(mark, 0, width) for mark in "/-_.") + 1
        at = at if at > width // 3 else width
        yield word[:at]
        word = word[at:]
    yield word

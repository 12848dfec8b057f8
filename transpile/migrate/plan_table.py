"""A plan as a table for people, 100 columns wide, or as wide as a terminal that has more.

Invariant: nothing is cut off. A text that is too long is continued on the next line.
"""

from __future__ import annotations

import itertools
import posixpath
import textwrap
from collections.abc import Iterable, Iterator, Sequence

from transpile.repository.plan import MigrationPlan, StackPlan
from transpile.repository.walking import escape_path

WIDTH = 100
WIDEST = 200
STACKS, OTHERS = (30, 34, 32), (60, 37)  # widths of columns


def render_plan_table(plan: MigrationPlan, width: int = WIDTH) -> str:
    """The plan: the stacks by the directory of their template, the files that they share, and those left out. `width`:
    the available columns.
    """
    room = min(max(width, WIDTH), WIDEST)
    stack_widths, other_widths = (tuple(n * room // WIDTH for n in widths) for widths in (STACKS, OTHERS))
    parts = ["\n".join(render_stacks(plan.stacks, stack_widths))]
    if plan.nested:
        rows = ((path, describe_users(by, path)) for path, by in plan.nested.items())
        parts.append("\n".join([f"Nested templates: {len(plan.nested)}", "", *render_rows(rows, other_widths)]))
    if plan.others:
        parts.append(
            "\n".join([f"In no stack: {len(plan.others)}", "", *render_rows(plan.others.items(), other_widths)])
        )
    if plan.ignored:
        parts.append(
            "\n".join(["Left out by patterns:", "", *(f"  {escape_path(pattern)}" for pattern in plan.ignored)])
        )
    return "\n\n".join(parts) + "\n"


def render_stacks(stacks: Sequence[StackPlan], widths: Sequence[int]) -> Iterator[str]:
    yield f"Stacks: {len(stacks)}"
    by_folder = sorted(stacks, key=lambda stack: (posixpath.dirname(stack.template), stack.output))
    for where, group in itertools.groupby(by_folder, key=lambda stack: posixpath.dirname(stack.template)):
        yield ""
        yield from wrap_cell(f"{escape_path(where)}/" if where else "./", sum(widths))
        yield from render_rows((make_stack_row(stack, where) for stack in group), widths)


def make_stack_row(stack: StackPlan, where: str) -> tuple[str, str, str]:
    """The directory, files and reason of a stack. Environments are relative to the template's directory (`where`)."""
    front = f"{where}/" if where else ""
    output = stack.output.removeprefix(front)
    files = [escape_path(posixpath.basename(stack.template))]
    files += [f"-e {escape_path(relative_path(path, where))}" for path in stack.environments]
    return (
        escape_path(output),
        "\n".join(files),
        escape_path(stack.why.replace(f" {front}", " ") if front else stack.why),
    )


def relative_path(path: str, where: str) -> str:
    return posixpath.relpath(path, where or ".")


def describe_users(by: Sequence[str], path: str) -> str:
    """How many files refer to a template, or which one."""
    return (
        f"used by {escape_path(relative_path(by[0], posixpath.dirname(path)))}"
        if len(by) == 1
        else f"used by {len(by)} files"
    )


def render_rows(rows: Iterable[Sequence[str]], widths: Sequence[int]) -> Iterator[str]:
    """Rows of a table. A cell has as many lines as it needs."""
    for cells in rows:
        columns = [wrap_cell(cell, width) for cell, width in zip(cells, widths, strict=True)]
        for parts in itertools.zip_longest(*columns, fillvalue=""):
            padded = (part.ljust(width) for part, width in zip(parts, widths, strict=True))
            yield f"  {' '.join(padded)}".rstrip()


def wrap_cell(cell: str, width: int) -> list[str]:
    """The lines of a cell, broken at blanks, and inside a word that is too long behind a slash or hyphen."""
    lines = []
    for line in cell.split("\n"):
        indent = "   " if line.startswith("-e ") else ""
        room = width - len(indent)
        words = [piece for word in line.removeprefix("-e ").split() for piece in split_word(word, room)]
        first, *rest = textwrap.wrap(" ".join(words), room, break_on_hyphens=False) or [""]
        lines += [f"-e {first}" if indent else first, *(indent + continuation for continuation in rest)]
    return lines


def split_word(word: str, width: int) -> Iterator[str]:
    """A word in pieces that are not too long."""
    while len(word) > width:
        at = max(word.rfind(mark, 0, width) for mark in "/-_.") + 1
        at = at if at > width // 3 else width
        yield word[:at]
        word = word[at:]
    yield word

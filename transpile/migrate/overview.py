"""A short summary of a migration: for the terminal, the README at the top of the destination, and a ticket.

Invariant: the text is short, however many stacks there are.
"""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from typing import NamedTuple, final

from transpile.diagnostics import codes
from transpile.migrate.fleet import FleetReport
from transpile.migrate.outcome import CONVERTED, COPIED, FAILED, UNCHANGED
from transpile.migrate.unit import TASKS
from transpile.model.words import count_noun
from transpile.repository import contents
from transpile.todo.tasks import FIX
from transpile.todo.todo_list import TodoList

MOST_TYPES = 3  # types of resources that a preference frees from Heat
NOT_WRITTEN = "not written"  # a stack was converted, but its directory could not be written
WORDS = (CONVERTED, COPIED, UNCHANGED, NOT_WRITTEN, FAILED)


class FailureCause(NamedTuple):
    """Stacks that fail with the same code. stacks: their number; alone: the number of those with no other error."""

    code: str
    stacks: int
    alone: int


class FreedStacks(NamedTuple):
    """The stacks that another preference frees from Heat. types: the types that keep them there now, with the numbers
    of stacks, the most frequent first.
    """

    prefer: str
    stacks: int
    types: tuple[tuple[str, int], ...]


@final
class MigrationOverview:
    """counts: stacks by their result. without_heat: converted stacks that need no Heat. undecided: environments
    that are left out, because only the user knows to which of many templates they belong. sources, of_amazon: how many
    Jinja2 sources and templates of Amazon's service are left out. todo: the user's tasks.
    """

    def __init__(self, fleet: FleetReport) -> None:
        self.counts: dict[str, int] = {}
        self.without_heat = 0
        self.undecided = fleet.plan.undecided
        self.sources = sum(clause == contents.JINJA_SOURCE for clause in fleet.plan.others.values())
        self.of_amazon = sum(clause.startswith(contents.AMAZON) for clause in fleet.plan.others.values())
        self.todo = TodoList()
        self.modules = len(fleet.outcome.names)
        self.places = fleet.outcome.places
        self.target = fleet.target
        errors: list[list[str]] = []
        kept_types: dict[str, list[set[str]]] = {}  # of each stack that a preference frees, by preference
        for _, row in fleet.walk_rows():
            word = fleet.outcome.done.get(row.output, FAILED)
            folder = fleet.outcome.folder_of(row.output)
            refused = folder in fleet.outcome.problems and folder not in fleet.outcome.marked
            word = NOT_WRITTEN if word != FAILED and refused else word
            self.counts[word] = self.counts.get(word, 0) + 1
            if not row.converted:
                errors.append([task["code"] for task in row.summary[TASKS] if task["kind"] == FIX])
            elif not row.summary["kept"]:
                self.without_heat += 1
            elif prefer := row.summary.get("freed_by"):
                kept_types.setdefault(prefer, []).append({reason[0] for reason in row.summary["kept"]})
        self.causes = group_causes(errors)
        self.freed = [freed_stacks(prefer, types) for prefer, types in sorted(kept_types.items())]

    @property
    def stacks(self) -> int:
        return sum(self.counts.values())

    @property
    def good(self) -> int:
        """The number of stacks that were converted."""
        return self.stacks - self.counts.get(FAILED, 0)

    def lines(self) -> list[str]:
        """The text, without the next steps."""
        parts = [f"{self.counts[word]} {word}" for word in WORDS if word in self.counts]
        lines = [f"{count_noun(self.stacks, 'stack')}: {', '.join(parts) or 'nothing to do'}."]
        if self.good and self.target == "hcl":
            modules = count_noun(self.modules, "shared module")
            lines.append(f"{self.without_heat} of {self.good} need no Heat; {modules}.")
        for index, freed in enumerate(self.freed):
            named = ", ".join(f"{kind} ({number})" for kind, number in freed.types[:MOST_TYPES])
            more = len(freed.types) - MOST_TYPES
            others = f" and {count_noun(more, 'other type')}" if more > 0 else ""
            also = " beyond these" if index else ""
            lines.append(
                f"--prefer {freed.prefer} frees {freed.stacks} more{also}. They need Heat because of {named}{others}."
            )
        if self.sources:
            sources = count_noun(self.sources, "Jinja2 source makes a stack", "Jinja2 sources make stacks")
            lines.append(f"{sources} only with values: --render, or render in a plan file.")
        if self.of_amazon:
            templates = count_noun(self.of_amazon, "template is", "templates are")
            lines.append(f"{templates} Amazon CloudFormation's own, and not Heat's.")
        return lines

    def next_commands(self, src: str, dest: str | None) -> list[tuple[str, str]]:
        """Returns the commands that a user may run next, each with its purpose."""
        line = f"hot2tf migrate {shlex.quote(src)}"
        written = f"{line} {shlex.quote(dest) if dest is not None else 'DEST'}"
        commands = []
        if self.counts.get(FAILED):
            commands.append((f"{line} --diagnostics text", "shows every error"))
        lost = next((cause for cause in self.causes if cause.code == codes.FILE_NOT_FOUND), None)
        if lost is not None and lost.alone and self.target == "hcl":
            helped = count_noun(lost.alone, "stack")
            commands.append((f"{written} --missing stub", f"writes {helped} more, with stubs for the missing files"))
        if self.undecided:
            commands.append((f"{line} --plan", "shows which environments belong to which templates, and why"))
        if self.freed:
            freed = self.freed[0]
            stacks = count_noun(freed.stacks, "stack")
            commands.append((f"{written} --prefer {freed.prefer}", f"frees {stacks} from Heat"))
        if dest is None:
            commands.append((written, "writes the stacks that can be converted"))
        return commands


def group_causes(errors: Sequence[Sequence[str]]) -> list[FailureCause]:
    """The causes of failures, that first whose end helps most stacks. errors: the codes of each stack that failed."""
    stacks: dict[str, int] = {}
    alone: dict[str, int] = {}
    for of_stack in errors:
        codes = dict.fromkeys(of_stack)
        for code in codes:
            stacks[code] = stacks.get(code, 0) + 1
            alone[code] = alone.get(code, 0) + (len(codes) == 1)
    order = sorted(stacks, key=lambda code: (-alone[code], -stacks[code], code))
    return [FailureCause(code, stacks[code], alone[code]) for code in order]


def freed_stacks(prefer: str, types: Sequence[set[str]]) -> FreedStacks:
    """Counts the stacks that a preference frees. types: the types that keep each of the stacks in Heat now."""
    counts: dict[str, int] = {}
    for kinds in types:
        for kind in kinds:
            counts[kind] = counts.get(kind, 0) + 1
    return FreedStacks(prefer, len(types), tuple(sorted(counts.items(), key=lambda item: (-item[1], item[0]))))

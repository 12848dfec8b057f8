"""What came of a migration, in few words: for the terminal, the README at the top of the destination, and a ticket.

Invariant: failures are grouped by cause, and the cause whose end helps most stacks comes first. The text is short,
however many stacks there are.
"""

from __future__ import annotations

import pathlib
import shlex
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, final

from transpile.diagnostics import codes, preferred
from transpile.diagnostics.registry import rule_of_code
from transpile.migrate.fleet import FleetReport
from transpile.migrate.outcome import CONVERTED, COPIED, FAILED, UNCHANGED
from transpile.model import printable

MOST_CAUSES = 5  # causes of failures in the text; `--diagnostics` shows every error
MOST_TYPES = 3  # types of resources that a preference frees from Heat
LONGEST = 120  # characters of the message of the first error of a cause
NOT_WRITTEN = "not written"  # a stack was converted, but its directory could not be written
WORDS = (CONVERTED, COPIED, UNCHANGED, NOT_WRITTEN, FAILED)


class FailureCause(NamedTuple):
    """Stacks that fail with the same code. stacks: their number; alone: the number of those with no other error.
    first: the first error, with its place.
    """

    code: str
    title: str
    stacks: int
    alone: int
    first: str


class FreedStacks(NamedTuple):
    """The stacks that another preference frees from Heat. types: what keeps them there now, with the numbers of stacks,
    the most frequent first.
    """

    prefer: str
    stacks: int
    types: tuple[tuple[str, int], ...]


@final
class MigrationOverview:
    """counts: stacks by what came of them. without_heat: converted stacks that need no Heat. placeholders: the numbers
    of placeholders in place of values, one for each stack that has any; examples: the files that list them. undecided:
    environments that are left out, because only the user knows to which of many templates they belong. codes: of the
    findings in converted stacks, once for each stack.
    """

    def __init__(self, fleet: FleetReport) -> None:
        self.counts: dict[str, int] = {}
        self.without_heat = 0
        self.placeholders: list[int] = []
        self.examples: set[str] = set()
        self.undecided = fleet.plan.undecided
        self.codes: list[str] = []
        self.modules = len(fleet.outcome.names)
        self.places = fleet.outcome.places
        self.target = fleet.target
        errors: list[list[Mapping[str, Any]]] = []
        kept_types: dict[str, list[set[str]]] = {}  # of each stack that a preference frees, by preference
        for stack, row in fleet.walk_rows():
            if placeholders := row.summary.get("placeholders"):
                self.placeholders.append(placeholders)
                place = self.places.get(row.output)
                shared = place is not None and place.environment
                self.examples.add(f"{'environments/NAME' if shared else 'terraform'}.tfvars.example")
            self.codes += [code for code in row.summary["codes"] if row.converted]
            word = fleet.outcome.done.get(row.output, FAILED)
            folder = fleet.outcome.folder_of(row.output)
            refused = folder in fleet.outcome.problems and folder not in fleet.outcome.marked
            word = NOT_WRITTEN if word != FAILED and refused else word
            self.counts[word] = self.counts.get(word, 0) + 1
            if not row.converted:
                diagnostics = fleet.read_report(stack, row).get("diagnostics", ())
                errors.append([diagnostic for diagnostic in diagnostics if diagnostic["severity"] == "error"])
            elif not row.summary["kept"]:
                self.without_heat += 1
            elif prefer := row.summary.get("freed_by"):
                kept_types.setdefault(prefer, []).append({reason[0] for reason in row.summary["kept"]})
        self.causes = group_causes(errors, pathlib.Path(fleet.named_src))
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
        lines += preferred.describe_changes(self.codes)
        if differing := self.codes.count(codes.VALUE_DIFFERS_FROM_HEAT):
            what = f"{count_noun(differing, 'stack')} with values that differ from Heat's, a fault of hot2tf"
            lines.append(f"{what}: search for HOT910 in the files.")
        if self.placeholders:
            number, stacks = sum(self.placeholders), count_noun(len(self.placeholders), "stack")
            are = "value is a placeholder" if number == 1 else "values are placeholders"
            lines.append(f"{number} {are}, in {stacks}: see {' and '.join(sorted(self.examples))} (HOT613).")
        if self.undecided:
            is_single, first = len(self.undecided) == 1, self.undecided[0]
            named = first if is_single else f"{len(self.undecided)} environments (first: {first})"
            they = "it belongs" if is_single else "they belong"
            lines.append(f"Left out: {named}. Say in a plan file to which templates {they} (--plan).")
        return lines + self.failure_lines()

    def failure_lines(self) -> list[str]:
        """The part of the text on stacks that failed; nothing if there are none."""
        if not self.causes:
            return []
        lines = ["Failed, by cause:"]
        width = len(str(max(cause.stacks for cause in self.causes)))
        for cause in self.causes[:MOST_CAUSES]:
            others = f", {cause.alone} of them only for this" if cause.alone not in (0, cause.stacks) else ""
            lines.append(f"  {cause.stacks:{width}} {cause.code}  {cause.title}{others}")
            lines.append(f"  {'':{width}} first: {cause.first}")
        if (more := len(self.causes) - MOST_CAUSES) > 0:
            lines.append(f"  and {count_noun(more, 'other cause')}; --diagnostics text shows every error")
        return lines

    def next_commands(self, src: str, dest: str | None) -> list[tuple[str, str]]:
        """The commands that a user may run next, each with what it is for."""
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
            commands.append((written, "writes what can be converted"))
        return commands


def group_causes(errors: Sequence[Sequence[Mapping[str, Any]]], folder: pathlib.Path) -> list[FailureCause]:
    """The causes of failures. errors: those of each stack that failed. folder: where their paths begin."""
    stacks: dict[str, int] = {}
    alone: dict[str, int] = {}
    first: dict[str, str] = {}
    for of_stack in errors:
        codes = dict.fromkeys(error["code"] for error in of_stack)
        for code in codes:
            stacks[code] = stacks.get(code, 0) + 1
            alone[code] = alone.get(code, 0) + (len(codes) == 1)
        for error in of_stack:
            first.setdefault(error["code"], describe_error(error, folder))
    order = sorted(stacks, key=lambda code: (-alone[code], -stacks[code], code))
    return [FailureCause(code, rule_of_code(code).title, stacks[code], alone[code], first[code]) for code in order]


def describe_error(error: Mapping[str, Any], folder: pathlib.Path) -> str:
    """An error in one line, with its place. folder: where its path begins."""
    place = f"{folder / error['file']}:{error['line']}:{error['column']}: " if "file" in error else ""
    message = error["message"] if len(error["message"]) <= LONGEST else f"{error['message'][: LONGEST - 1]}…"
    return printable.make_log_line(place + message)


def freed_stacks(prefer: str, types: Sequence[set[str]]) -> FreedStacks:
    """What a preference frees. types: the types that keep each of the stacks in Heat now."""
    counts: dict[str, int] = {}
    for kinds in types:
        for kind in kinds:
            counts[kind] = counts.get(kind, 0) + 1
    return FreedStacks(prefer, len(types), tuple(sorted(counts.items(), key=lambda item: (-item[1], item[0]))))


def count_noun(number: int, noun: str) -> str:
    return f"{number} {noun}{'s' * (number != 1)}"

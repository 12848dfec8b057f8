"""The calls of Heat around a migration: the list of `migrate --calls`, and the patch of `--patch`.

Invariant: a command line is shown without hidden values. The patch has the lines of the repository as they are.
"""

from __future__ import annotations

import os
import pathlib
import posixpath
from collections.abc import Mapping, Sequence
from typing import Any, final

from yaml.nodes import MappingNode, ScalarNode

from transpile import targets
from transpile.call_sites.model import CallReplacement
from transpile.call_sites.search import CallSearch, search_calls
from transpile.call_sites.stack_facts import StackFacts
from transpile.call_sites.terraform_commands import StackLocation
from transpile.diagnostics import codes
from transpile.diagnostics.model import Diagnostic, Sink
from transpile.front import documents, nodes
from transpile.front.kinds import node_pairs
from transpile.migrate.fleet import FleetReport
from transpile.migrate.state import StackRow
from transpile.model import printable
from transpile.model.budget import Budget
from transpile.model.records import EMPTY, node, replace
from transpile.model.source import PlaceInReport, Source
from transpile.model.words import count_noun
from transpile.report import list_hidden_names
from transpile.repository.plan import StackPlan
from transpile.resolve.stack_name import SPELLINGS, make_stack_name
from transpile.text.source import LIMIT, UnreadableFile, read_bytes

WORDS = {
    "create": "creates",
    "update": "updates",
    "delete": "deletes",
    "show": "reads",
    "list": "lists stacks",
    "output": "reads an output of",
    "outputs": "reads the outputs of",
    "resources": "lists the resources of",
    "resource": "reads a resource of",
    "events": "reads the events of",
    "adopt": "adopts",
    "abandon": "abandons",
    "preview": "previews",
    "other": "acts on",
}


@final
@node
class StackCalls:
    """The calls that were found. `folder`: where their paths begin, as messages name it."""

    search: CallSearch
    folder: str

    @property
    def rewritten(self) -> int:
        return sum(bool(site.edits) for site in self.search.sites)

    def as_json(self) -> list[dict[str, Any]]:
        """The calls as the report has them."""
        return [site_as_json(site) for site in self.search.sites]

    def as_diagnostics(self) -> list[Diagnostic]:
        """A finding for each call."""
        return [*map(self.make_diagnostic, self.search.sites), *self.search.diagnostics]

    def make_diagnostic(self, site: CallReplacement) -> Diagnostic:
        source = PlaceInReport(posixpath.normpath(posixpath.join(self.folder, site.path)), (site.line, 1, site.line, 1))
        instead = "; ".join(site.replacement) or "nothing in Terraform does this"
        message = f"{describe_call(site)}. In its place: {instead}."
        return Diagnostic(codes.CALL_OF_HEAT, printable.make_log_line(message), source, hint=describe_fate(site))

    def lines(self) -> list[str]:
        """The list for a terminal."""
        out = []
        for site in self.search.sites:
            path = posixpath.normpath(posixpath.join(self.folder, site.path))
            out.append(f"{path}:{site.line}: {describe_call(site)}")
            out += [f"    {command}" for command in site.replacement]
            out.append(f"    {describe_fate(site)}")
        total = len(self.search.sites)
        left = total - self.rewritten
        out.append(f"{count_noun(total, 'call')} of Heat: {self.rewritten} can be rewritten, {left} are left.")
        return [printable.make_log_line(line) for line in out]


def describe_call(site: CallReplacement) -> str:
    """Describes a call by its action and stack, for example `creates web (net/web)`."""
    words = WORDS[site.action]
    if site.action == "list":
        return words
    name = site.name or "a stack"
    return f"{words} {name}" + (f" ({site.stack})" if site.stack else "")


def describe_fate(site: CallReplacement) -> str:
    """Describes whether a call is rewritten, with the notes on it."""
    if not site.edits:
        return f"Left: {site.reason}."
    return "Rewritten" + "".join(f"; {note}" for note in site.notes) + "."


def site_as_json(site: CallReplacement) -> dict[str, Any]:
    entry: dict[str, Any] = {
        "file": site.path,
        "line": site.line,
        "does": site.action,
        "in": site.kind,
        "name": site.name,
        "stack": site.stack,
        "instead": list(site.replacement),
        "rewritten": bool(site.edits),
    }
    if site.notes:
        entry["notes"] = list(site.notes)
    if site.reason:
        entry["reason"] = site.reason
    return entry


def find_stack_calls(
    fleet: FleetReport, src: pathlib.Path, dest: str | None, top: str, exclude: Sequence[str]
) -> StackCalls:
    """The calls in the repository around the source. `dest`: the result's directory, if there is one; `top`: the
    directory of the repository.
    """
    below = pathlib.Path(os.path.relpath(os.path.realpath(src), top)).as_posix()

    def from_top(path: str) -> str:
        return posixpath.normpath(posixpath.join(below, path))

    rows = {stack.output: (stack, row) for stack, row in fleet.walk_rows()}
    stacks = []
    for stack in fleet.plan.stacks:
        moved = replace(stack, template=from_top(stack.template), environments=tuple(map(from_top, stack.environments)))
        row = rows[stack.output][1] if stack.output in rows else None
        if row is None or not row.converted or fleet.target != "hcl":
            stacks.append(StackFacts(moved, locate_stack(stack, fleet, EMPTY), False))
        else:
            stacks.append(read_facts(stack, moved, fleet, row, src))
    templates = {from_top(path) for path in (*(stack.template for stack in fleet.plan.stacks), *fleet.plan.nested)}
    environments = {from_top(path) for stack in fleet.plan.stacks for path in stack.environments}
    environments |= {from_top(path) for path in fleet.plan.undecided}
    place = "" if dest is None else pathlib.Path(os.path.relpath(os.path.realpath(dest), top)).as_posix()
    patterns = [move_pattern(pattern, below) for pattern in exclude]
    search = search_calls(top, stacks, sorted(templates), sorted(environments), dest=place, exclude=patterns)
    return StackCalls(search, pathlib.Path(os.path.relpath(top)).as_posix())


def move_pattern(pattern: str, below: str) -> str:
    """A pattern as in `.gitignore` for the source, as it is written for the repository around it."""
    bare = pattern.removeprefix("!")
    if below == "." or "/" not in bare.rstrip("/"):
        return pattern
    return f"{pattern[: len(pattern) - len(bare)]}/{below}/{bare.lstrip('/')}"


def locate_stack(stack: StackPlan, fleet: FleetReport, report: Mapping[str, Any]) -> StackLocation:
    """Returns the place of a stack, with the files that choose its state and its values. `report`: of its conversion;
    empty if there is none.
    """
    settings = str(report.get("backend", {}).get("settings", ""))
    place, roots = fleet.outcome.places.get(stack.output), targets.find_target(fleet.target).roots
    if place is None or not place.environment or roots is None:
        return StackLocation(stack.output, backend_file=settings)
    is_workspace = bool(report) and not roots.belongs(settings)
    workspace = place.environment if is_workspace else ""
    return StackLocation(place.folder, roots.name_values(place.environment), settings, workspace)


def read_facts(stack: StackPlan, moved: StackPlan, fleet: FleetReport, row: StackRow, src: pathlib.Path) -> StackFacts:
    """Collects facts about a stack's values from its conversion, its template and its environments."""
    report = fleet.read_report(stack, row)
    types = read_parameter_types(src / stack.template)
    set_names = set(stack.parameters)
    for path in stack.environments:
        set_names |= read_environment_names(src / path)
    parameters: Mapping[str, Any] = report.get("parameters", {})
    variables = {name: str(entry["variable"]) for name, entry in parameters.items() if "variable" in entry}
    outputs = {
        name: (str(entry["output"]), str(entry.get("type", "")))
        for name, entry in report.get("outputs", {}).items()
        if "output" in entry
    }
    name_variable = next((variables[name] for name in SPELLINGS if name in variables), "")
    written_name = next((stack.parameters[name] for name in SPELLINGS if name in stack.parameters), "")
    asked = set(report.get("asks", ()))
    required = frozenset(name for name, variable in variables.items() if variable in asked and name not in set_names)
    return StackFacts(
        moved,
        locate_stack(stack, fleet, report),
        True,
        variables,
        outputs,
        types,
        required,
        tuple(sorted(asked - {variables[name] for name in required})),
        frozenset(list_hidden_names(report)),
        name_variable,
        written_name or make_stack_name(stack.name),
    )


def read_document(path: pathlib.Path) -> dict[str, Any]:
    """The sections of a document as nodes; empty if it cannot be read."""
    try:
        text = read_bytes(path, LIMIT).decode("utf-8", "replace")
        root = documents.compose_document(Sink(Source(os.fspath(path), text, budget=Budget())), path.name)
    except (UnreadableFile, nodes.UnreadableDocument):
        return {}
    return dict(node_pairs(root))


def read_parameter_types(path: pathlib.Path) -> dict[str, str]:
    """The types of the parameters of a template."""
    sections = read_document(path)
    types: dict[str, str] = {}
    for section in ("parameters", "Parameters"):
        for name, value in node_pairs(sections.get(section)):
            facts = dict(node_pairs(value)) if isinstance(value, MappingNode) else {}
            kind = facts.get("type", facts.get("Type"))
            types[name] = kind.value if isinstance(kind, ScalarNode) else ""
    return types


def read_environment_names(path: pathlib.Path) -> set[str]:
    """The parameters that an environment sets."""
    sections = read_document(path)
    return {name for section in ("parameters", "parameter_defaults") for name, _ in node_pairs(sections.get(section))}

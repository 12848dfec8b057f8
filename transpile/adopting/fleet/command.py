"""Adopts the stacks of one or many projects, and compares running objects with saved views, for `hot2tf adopt`.

Invariant: the table of all stacks is on standard output before anything is written.
"""

from __future__ import annotations

import collections
import itertools
import pathlib
import sys
import tempfile
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple, final

import typer

from transpile.additions import Additions
from transpile.adopting.fleet import order_of_work, proofs, reading, session
from transpile.adopting.fleet.stacks import LEAVE, PART, UNDER_WAY, WHOLE, FleetProject, FleetResult, StackVerdict
from transpile.adopting.fleet.templates import RepositoryTemplates
from transpile.adopting.run import TARGET
from transpile.adoption import evidence
from transpile.adoption.online import CloudProject
from transpile.cli import findings, options
from transpile.cli.invocation import Invocation
from transpile.diagnostics.model import Diagnostic, Stopped
from transpile.diagnostics.render import PEOPLE
from transpile.migrate import destination
from transpile.migrate.plan_table import WIDEST, WIDTH, render_rows
from transpile.model.printable import make_printable
from transpile.model.words import count_noun
from transpile.pipeline import Conversion
from transpile.repository.ignoring import WrongPattern
from transpile.settings.table import Request

COLUMNS = (24, 14, 58)  # of a terminal of WIDTH


class FleetOptions(NamedTuple):
    """The options of the command with these names. `output`: None to write nothing."""

    output: str | None
    cloud: str
    projects: Sequence[str]
    all_projects: bool
    shares: bool
    drift: bool
    at_once: int
    repository: str | None
    force: bool
    conflicts: bool
    diff: bool
    verbose: bool
    quiet: bool


@final
class FleetAdoption:
    """The adoption of a fleet by one command."""

    def __init__(self, run: Invocation, chosen: FleetOptions, added: Additions | None) -> None:
        self.run, self.chosen, self.added = run, chosen, added

    def open_projects(self, cloud: CloudProject) -> list[FleetProject]:
        """The projects that the options name, with the lists of their stacks. Ends the command if one cannot be read.
        Of all projects, those without stacks are left out.
        """
        chosen = self.chosen
        try:
            names = cloud.list_projects() if chosen.all_projects else chosen.projects
            clouds = (
                [cloud.enter_project(name, by_id=chosen.all_projects) for name in dict.fromkeys(names)]
                if names
                else [cloud]
            )
            projects = [reading.open_project(each) for each in clouds]
        except Stopped as e:
            options.say_diagnostics(e.diagnostics, self.run.request.diagnostics, [])
            raise typer.Exit(1) from None
        kept = [project for project in projects if project.summaries or not chosen.all_projects]
        return sorted(kept, key=lambda project: (project.name, project.id))

    def adopt(self, projects: Sequence[FleetProject], request: Request) -> FleetResult:
        """Adopts the stacks, and prints the outcome. Ends the command if the directory cannot be used."""
        chosen = self.chosen
        try:
            repository = None
            if chosen.repository is not None:
                repository = RepositoryTemplates(chosen.repository, request.exclude)
            asked = session.FleetRequest(
                request,
                self.added,
                chosen.cloud,
                self.grade,
                self.tell,
                self.announce,
                shares=chosen.shares,
                drift=chosen.drift,
                at_once=chosen.at_once,
                repository=repository,
                force=chosen.force,
                conflicts=chosen.conflicts,
                writes=chosen.output is not None and not chosen.diff,
            )
            if chosen.output is not None:
                return session.adopt_fleet(projects, pathlib.Path(chosen.output), asked)
            with tempfile.TemporaryDirectory(prefix="hot2tf-") as folder:  # that only its owner may read
                return session.adopt_fleet(projects, pathlib.Path(folder, "adopted"), asked)
        except (destination.Unusable, WrongPattern, OSError) as e:
            raise options.usage_error(str(e)) from None
        except Stopped as e:
            options.say_diagnostics(e.diagnostics, self.run.request.diagnostics, [])
            raise typer.Exit(1) from None
        except KeyboardInterrupt:
            typer.echo("Stopped. The work so far is kept; the same command goes on from there.", err=True)
            raise typer.Exit(130) from None

    def grade(self, conversion: Conversion, name: str) -> tuple[list[Diagnostic], bool]:
        graded, ignored = self.run.grade_conversion(conversion, name, TARGET)
        if ignored:
            conversion.report["ignored"] = ignored
        return graded, self.run.fails(graded)

    def tell(self, name: str, diagnostics: Sequence[Diagnostic]) -> None:
        """Shows the findings of a stack or a directory."""
        severity = self.run.min_severity(verbose=self.chosen.verbose)
        options.say_diagnostics(list(diagnostics), self.run.request.diagnostics, [name], min_severity=severity)

    def announce(self, verdicts: Sequence[StackVerdict]) -> None:
        if not self.chosen.quiet and self.run.request.diagnostics in PEOPLE:
            typer.echo(render_verdict_table(verdicts, findings.terminal_width(sys.stdout)), nl=False)

    def close(self, result: FleetResult, requests: int) -> bool:
        """Prints the summary of the written files; returns whether the command succeeded. `requests`: how many were
        sent.
        """
        chosen = self.chosen
        problems = list(result.problems) if chosen.output is not None else []
        self.tell(chosen.output or "-", problems)
        if chosen.diff:
            self.show_changes(result)
        failed = result.failed or self.run.fails(problems)
        if chosen.quiet or self.run.request.diagnostics not in PEOPLE:
            return not failed
        for words, by_folder in (
            ("Merged with your changes", result.merged),
            ("Left as you edited them", result.edited),
        ):
            if names := [f"{folder}/{name}" for folder, of_folder in sorted(by_folder.items()) for name in of_folder]:
                options.tell_user(f"{words}: {', '.join(names)}.")
        if result.reused:
            options.tell_user(f"Kept from the run that was stopped: {', '.join(result.reused)}.")
        sent = f"{requests} requests were sent, all of them to read."
        if chosen.output is None or chosen.diff:
            options.tell_user(f"Nothing was written. {sent}")
        else:
            number = len(result.written)
            written = f"{count_noun(number, 'directory', 'directories')} written in {chosen.output}."
            options.tell_user(f"{written} {sent} Next: {chosen.output}/{order_of_work.GUIDE_FILE}")
        return not failed

    def show_changes(self, result: FleetResult) -> None:
        """Prints the changes to files, without hidden values."""
        from transpile.cli.differences import mask_file_difference

        for path, before, after, private in result.changes:
            name = str(pathlib.Path(self.chosen.output or "", path))
            text = mask_file_difference(name, before, after, private=private, hidden_names=result.hidden_names)
            typer.echo(text, nl=False)


def prove(run: Invocation, cloud: CloudProject, directory: str, at_once: int, *, quiet: bool) -> list[dict[str, Any]]:
    """Compares the running objects with the views saved in a directory, and writes the comparison. Ends the command
    with status 1 if an object changed, or cannot be compared.
    """
    views = proofs.find_kept_views(pathlib.Path(directory))
    if not views:
        raise options.usage_error(f"{directory} has no {evidence.BEFORE}: adopt writes it with --all")
    proven = proofs.compare_kept_views(views, cloud, at_once)
    diagnostics = [diagnostic for proof in proven for diagnostic in proof.diagnostics]
    options.say_diagnostics(diagnostics, run.request.diagnostics, [directory])
    if not quiet and run.request.diagnostics in PEOPLE:
        for proof in proven:
            options.tell_user(proof.sentence)
    return [proof.as_json() for proof in proven]


def has_failed(reports: Sequence[dict[str, Any]]) -> bool:
    return any(report["changes"] or report["unanswered"] or report["problem"] for report in reports)


def render_verdict_table(verdicts: Sequence[StackVerdict], width: int = WIDTH) -> str:
    """Returns the table of stacks by project: the verdict on each, its directory, and the reason if it is left or
    adopted in part.
    """
    room = min(max(width, WIDTH), WIDEST)
    widths = tuple(n * room // WIDTH for n in COLUMNS)
    projects = len({verdict.project for verdict in verdicts})
    kinds = collections.Counter(verdict.what for verdict in verdicts)
    lines = [
        f"Stacks: {len(verdicts)} of {count_noun(projects, 'project')}: {kinds[WHOLE]} to adopt whole, "
        f"{kinds[PART]} in part, {kinds[LEAVE]} to leave"
        + (f", {number} under way" if (number := kinds[UNDER_WAY]) else "")
    ]
    for project, group in itertools.groupby(verdicts, key=lambda verdict: verdict.project):
        lines += ["", make_printable(project)]
        rows = ((make_printable(v.stack), v.what, "\n".join(describe_verdict(v))) for v in group)
        lines += render_rows(rows, widths)
    return "\n".join(lines) + "\n"


def describe_verdict(verdict: StackVerdict) -> Iterator[str]:
    """The lines about a stack."""
    if verdict.what in (LEAVE, UNDER_WAY):
        yield make_printable(verdict.why)
        return
    environment = f" (environment {verdict.environment})" if verdict.environment else ""
    source = f", from {make_printable(verdict.template)}" if verdict.template else ""
    number = verdict.imports + verdict.unknown
    yield f"{verdict.folder}{environment}{source}: {number} to import, {describe_drift(verdict)}"
    if verdict.what == PART:
        yield make_printable(verdict.why)


def describe_drift(verdict: StackVerdict) -> str:
    if verdict.drift is None:
        return "not compared with the template"
    return (
        "as the template says" if not verdict.drift else f"{count_noun(verdict.drift, 'difference')} from the template"
    )

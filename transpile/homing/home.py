"""Finds where the parts of a service may run, and where best: solves a homing template with an inventory, offline.

Invariant: bad input raises nothing. Without a solution there is an error that says why.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from typing import Any, final

from transpile.diagnostics import codes
from transpile.diagnostics.guard import RunGuard
from transpile.diagnostics.model import Diagnostic, Sink, diagnose_skipped_work, has_errors, sort_diagnostics
from transpile.homing import answers, clash, costs, lowering, resolve, solver
from transpile.homing.clash import Clash
from transpile.homing.inventory import read_inventory
from transpile.homing.model import HAS, LinkedHomingTemplate
from transpile.homing.network import RunDeadline, TimeLimitReached
from transpile.homing.problem import PlacementProblem
from transpile.homing.solver import PlacementAnswer
from transpile.model.budget import Budget, read_budget_limits
from transpile.model.records import field, node, record
from transpile.model.source import Source
from transpile.resolve.secrets import Secrets
from transpile.text.source import Root, UnreadableFile, diagnose_unreadable, from_bytes, from_text, load_source

FIT, UNFIT = "fit", "unfit"


class WrongAssumption(ValueError):
    """The value of `assume` is neither `fit` nor `unfit`, or that of `engine` is not `has`."""


@final
@node
class SolvingOptions:
    """How a problem is solved. `fit`: the assumption where the inventory does not decide; `top`: the number of
    solutions; `engine`: "" or `has`.
    """

    fit: bool
    top: int
    engine: str
    deadline: RunDeadline


@final
@record
class Placement:
    """The result. `answer` is None if the problem cannot be read; `clash` says why there is no solution."""

    diagnostics: list[Diagnostic]
    template: str
    inventory: str
    problem: PlacementProblem | None = None
    answer: PlacementAnswer | None = None
    clash: Clash | None = None
    linked: LinkedHomingTemplate | None = field(default=None, compare=False)

    @property
    def ok(self) -> bool:
        """Whether there is a solution."""
        return self.answer is not None and self.answer.has_solution and not has_errors(self.diagnostics)

    def as_json(self) -> dict[str, Any]:
        """The answer in the format of `--format json` (docs/homing.md)."""
        return answers.answer_as_json((self.template, self.inventory), self.answer, self.clash, self.diagnostics)

    def as_text(self, *, explain: bool = False) -> str:
        """The answer for a terminal; empty if there is none. `explain`: also the candidates that each constraint
        removes.
        """
        return "" if self.answer is None else answers.answer_as_text(self.answer, self.clash, explain=explain)


def home(
    source: str | bytes | os.PathLike[str],
    inventory: str | bytes | os.PathLike[str] | Mapping[str, Any] | Sequence[Any],
    *,
    parameters: Mapping[str, Any] | None = None,
    assume: str = FIT,
    top: int = 1,
    time_limit: float | None = None,
    root: str | os.PathLike[str] | None = None,
    allow: Sequence[str] = (),
    name: str | None = None,
    limits: Mapping[str, int] | None = None,
    engine: str = "",
) -> Placement:
    """Solves a homing template with an inventory.

    Args: source: A path (`os.PathLike`), or the template's text. inventory: The inventory: a path, a text, or its data.
        parameters: Values by name, which go before those of the template. assume: `fit` or `unfit`, the assumption
        where the inventory does not decide. top: How many solutions. time_limit: Seconds for the whole run: reading
        both texts, preparing the problem, and the search. root: The directory that the template may read files from, as
        for `convert`. allow: As for `convert`. name: The name of a text in diagnostics. limits: Other limits for the
        cost of the run (docs/exactness.md#limits). engine: `has` for the behaviour of the engine HAS: it adds the cost
        of each candidate to its distance. By default distance alone counts, as the specification says.

    Raises:
        WrongAssumption: `assume` or `engine` is something else. A ValueError.
        budget.WrongLimit: A limit or its value is not accepted. A ValueError.
    """
    if assume not in (FIT, UNFIT):
        raise WrongAssumption(f"assume is {FIT} or {UNFIT}, not {assume}")
    if engine not in ("", HAS):
        raise WrongAssumption(f"engine is {HAS} or empty, not {engine}")
    deadline = RunDeadline(time_limit)
    budget = Budget(read_budget_limits(limits or {}), deadline.check_time if time_limit is not None else None)
    diagnostics: list[Diagnostic] = []
    text = open_input(source, name or "template", budget, diagnostics)
    display_name = text.name if text is not None else name or "template"
    stock = open_input(inventory, "inventory", budget, diagnostics)
    placement = Placement(diagnostics, display_name, stock.name if stock is not None else "inventory")
    if text is None or stock is None:
        return placement
    folder = os.path.dirname(os.fspath(source)) or "." if isinstance(source, os.PathLike) else None
    directory = os.fspath(root) if root is not None else folder
    place = Root(directory, folder, allow, trusting=root is None)
    secrets = Secrets(parameters)
    try:
        with RunGuard(diagnostics, text, "Values"):
            how = SolvingOptions(assume == FIT, top, engine, deadline)
            solve_placement(placement, text, stock, dict(parameters or {}), place, secrets, how)
    except TimeLimitReached:
        message = "The time limit was reached before the search began, so there is no answer."
        diagnostics.append(Diagnostic(codes.NO_SOLUTION, message, text))
    every = [*placement.diagnostics, *diagnose_skipped_work(budget, text)]
    own = [diagnostic for diagnostic in every if diagnostic.source is None or diagnostic.source in (text, stock)]
    others = [
        diagnostic for diagnostic in every if diagnostic not in own
    ]  # of Heat templates, which may have hidden values
    placement.diagnostics = sort_diagnostics([*own, *secrets.conceal_in_diagnostics(others)])
    return placement


def solve_placement(
    placement: Placement,
    text: Source,
    stock: Source,
    parameters: Mapping[str, Any],
    root: Root,
    secrets: Secrets,
    how: SolvingOptions,
) -> None:
    """Reads the template and the inventory, and solves the problem. The results go into the placement."""
    deadline = how.deadline
    nodes = text.budget.limits["placements"]
    diagnostics = placement.diagnostics
    placement.linked, messages = resolve.load_homing_template(text, parameters, root, how.engine, secrets)
    diagnostics += messages
    inventory, messages = read_inventory(stock)
    diagnostics += messages
    if placement.linked is None or has_errors(diagnostics):
        return
    sink = Sink(text)
    placement.problem = lowering.lower_template(placement.linked, inventory, sink, fit=how.fit)
    diagnostics += sink.diagnostics
    if placement.problem is None or has_errors(diagnostics):
        return
    answer = solver.solve_problem(
        placement.problem, top=how.top, nodes=nodes, seconds=deadline.remaining_seconds(), budget=text.budget
    )
    placement.answer = answer
    if not answer.has_solution and answer.proven:
        seconds = deadline.remaining_seconds()
        placement.clash = clash.find_clash(placement.problem, nodes=nodes, seconds=seconds, budget=text.budget)
    diagnostics += diagnose_answer(placement, text)
    left, seconds = max(0, nodes - answer.work), deadline.remaining_seconds()
    difference = costs.compare_readings(placement.linked, answer, nodes=left, seconds=seconds, budget=text.budget)
    diagnostics += [difference] if difference is not None else []


def diagnose_answer(placement: Placement, text: Source) -> list[Diagnostic]:
    """The diagnostics of an answer: assumptions, a search that was cut short, no solution."""
    answer, linked = placement.answer, placement.linked
    assert answer is not None
    assert linked is not None
    diagnostics = []
    by_constraint: dict[str, list[str]] = {}
    for assumption in answer.assumptions:
        by_constraint.setdefault(assumption.constraint, []).append(assumption.demand)
    for name, demands in by_constraint.items():
        at = linked.constraints[name]
        verdict = "is met" if answer.problem.fit else "is not met"
        names = ", ".join(dict.fromkeys(demands))
        message = f"The inventory does not decide {name} ({at.type}) for {names}: it is assumed that it {verdict}."
        diagnostics.append(Diagnostic(codes.CONSTRAINT_ASSUMED, message, text, at.span.in_text))
    limit = "the time limit" if answer.late else "the limit placements"
    if answer.has_solution and not answer.proven:
        message = f"The search stopped at {limit}: this is the best solution so far, and there may be a better one."
        diagnostics.append(Diagnostic(codes.SOLUTION_MAY_NOT_BE_BEST, message, text))
    elif answer.has_solution and not answer.complete:
        message = f"The search stopped at {limit}: there may be more solutions than these."
        diagnostics.append(Diagnostic(codes.SOLUTION_MAY_NOT_BE_BEST, message, text))
    elif not answer.has_solution and not answer.proven:
        message = f"The search stopped at {limit}: no solution was found, but there may be one."
        diagnostics.append(Diagnostic(codes.NO_SOLUTION, message, text))
    elif not answer.has_solution:
        diagnostics.append(Diagnostic(codes.NO_SOLUTION, f"There is no solution{clash_reason(placement.clash)}.", text))
    return diagnostics


def clash_reason(why: Clash | None) -> str:
    """Why there is no solution, as the end of a sentence."""
    if why is None:
        return ""
    if not why.constraints:
        return f": {' and '.join(why.empty)} has no candidate" if why.empty else ""
    names = ", ".join(why.constraints)
    return f": {names} cannot hold together" if len(why.constraints) > 1 else f": {names} cannot hold"


def open_input(value: Any, name: str, budget: Budget, diagnostics: list[Diagnostic]) -> Source | None:
    """The text of a path, of a text, or of data as JSON; None with a diagnostic if it cannot be read."""
    display_name = os.path.basename(value) if isinstance(value, os.PathLike) else name
    try:
        if isinstance(value, os.PathLike):
            return load_source(value, display_name, budget)
        if isinstance(value, bytes):
            return from_bytes(value, display_name, budget)
        if not isinstance(value, str):
            try:
                value = json.dumps(value, allow_nan=False)
            except (TypeError, ValueError, RecursionError) as e:
                diagnostics.append(Diagnostic(codes.NOT_AN_INVENTORY, f"The inventory is not plain data: {e}."))
                return None
        return from_text(value, display_name, budget)
    except UnreadableFile as e:
        diagnostics.append(diagnose_unreadable(e, display_name))
        return None

"""Computes results at conversion, from the inventory, that Terraform cannot: tests that HCL cannot express, and choices
among more assignments than Terraform can list.

Invariant: without an inventory nothing is computed, and nothing is guessed.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping, Sequence
from typing import Any, final

from emitters.hcl.homing.notes import ModuleNotes
from emitters.hcl.homing.parameters import plain_scalar
from emitters.hcl.tree.nodes import Expr, Object, Tuple
from transpile.diagnostics import codes
from transpile.diagnostics.model import Diagnostic, Sink
from transpile.homing import costs, lowering, narrowing, problem, solver
from transpile.homing import inventory as inventories
from transpile.homing.evaluation import Choice, RowEvaluator
from transpile.homing.expressions import (
    OWN,
    FlavorScore,
    HasFlavors,
    Listed,
    Normalized,
    Paired,
    Product,
    Sum,
    Term,
    Unknown,
    Weighted,
    find_parts,
    term_demands,
)
from transpile.homing.inventory import Inventory
from transpile.homing.model import LinkedHomingTemplate
from transpile.homing.problem import PlacementProblem
from transpile.model.records import replace
from transpile.model.source import Source
from transpile.model.span import START

COMPARED = 100_000  # units of work for each reading of the objective


def read_inventory_option(source: Source | None) -> tuple[Inventory | None, list[Diagnostic]]:
    """The inventory in the file of the option; None if the option is not used."""
    return (None, []) if source is None else inventories.read_inventory(source)


@final
class SolvedTemplate:
    """A template as a placement problem. `assumed`: the names of the constraints on pairs that the inventory does not
    decide.
    """

    def __init__(self, linked: LinkedHomingTemplate, stock: Inventory | None) -> None:
        self.linked, self.stock = linked, stock
        self.problem: PlacementProblem | None = None
        self.assumed: frozenset[str] = frozenset()
        self.left: dict[str, int] = {}
        if stock is None:
            return
        self.problem = lowering.lower_template(linked, stock, Sink(linked.document.source), fit=True)
        if self.problem is not None:
            budget = linked.document.source.budget
            # the variable `groups` may later describe groups that the file does not
            compared = [row for row in self.problem.constraints if not isinstance(row.pair, Paired)]
            self.assumed = narrowing.undecided_pairs(self.problem, compared, RowEvaluator(self.problem, budget))
            left, _ = narrowing.filter_candidates(self.problem, None, budget)
            self.left = {domain.demand.name: len(domain.candidates) for domain in left}

    def compare_readings(self) -> Diagnostic | None:
        """The diagnostic about the two readings of the objective, as `hot2tf home` has it."""
        budget = self.linked.document.source.budget
        if self.problem is None:
            why = "Give an inventory with --inventory to know it" if self.stock is None else "It was not computed"
            return costs.note_readings(self.linked, why)
        if not self.linked.distance_differs_in_has:
            return None
        nodes = min(COMPARED, budget.limits["placements"])
        answer = solver.solve_problem(self.problem, nodes=nodes, budget=budget)
        return costs.compare_readings(self.linked, answer, nodes=nodes, budget=budget)

    def assignment_count(self, demands: Sequence[str]) -> int | None:
        """The number of assignments of a part; None if there is no inventory."""
        return math.prod(self.left[name] for name in demands) if self.left else None

    def best_assignment(self, demands: Sequence[str], notes: ModuleNotes, size: int) -> dict[str, str]:
        """The best assignment of a part."""
        assert self.problem is not None
        names = set(demands)
        budget = self.linked.document.source.budget
        whole = self.problem
        own = replace(
            whole,
            demands=tuple([demand for demand in whole.demands if demand.name in names]),
            constraints=tuple([constraint for constraint in whole.constraints if names & set(constraint.demands)]),
        )
        own = replace(own, constraints=tuple([narrow_constraint(constraint, names) for constraint in own.constraints]))
        own = replace(own, objective=narrow_objective(own, names))
        answer = solver.solve_problem(own, nodes=budget.limits["placements"], budget=budget)
        finding = f"{', '.join(demands)} have {size} assignments, too many for Terraform to list"
        if not answer.has_solution:
            message = f"{finding}, and hot2tf found none that meets all constraints: the variable `chosen` is open."
            notes.report_difference(codes.CHOICE_LEFT_OPEN, message, START)
            return dict.fromkeys(demands, "")
        best = "the best so far" if not answer.proven else "the best"
        message = (
            f"{finding}: hot2tf has computed {best}, for this inventory and these parameters, in the variable `chosen`."
        )
        notes.report_difference(codes.TOO_MANY_ASSIGNMENTS_FOR_TERRAFORM, message, START)
        return {name: candidate.id for name, candidate in answer.solutions[0].assignment.items()}

    def variable_values(self, fitting: Sequence[str], scored: Sequence[str]) -> dict[str, Expr]:
        """The sections of the inventory as values of variables."""
        if self.stock is None:
            return {}
        sections = self.stock.sections
        values: dict[str, Expr] = {}
        if sections.get("groups") is not None:
            values["groups"] = Tuple(tuple([Tuple(tuple(map(str, pair))) for pair in sections["groups"]]))
        if sections.get("network_roles"):
            values["network_roles"] = as_lists(sections["network_roles"])
        if sections.get("host_roles"):
            values["host_roles"] = Object(tuple([(str(k), str(v)) for k, v in sections["host_roles"].items()]))
        if fits := self.fitting_candidates(fitting) | self.select_fitting(sections.get("sdnc") or {}):
            values["fitting"] = as_lists(fits)
        values["scores"] = Object(tuple([(name, self.flavor_scores(name)) for name in scored]))
        return values

    def fitting_candidates(self, names: Sequence[str]) -> dict[str, list[str]]:
        """For each constraint that HCL cannot express, the candidates that meet it, where the inventory decides it."""
        ids_by_constraint: dict[str, list[str]] = {}
        if self.problem is None:
            return ids_by_constraint
        evaluator = RowEvaluator(self.problem, self.linked.document.source.budget)
        for row in self.problem.constraints:
            if row.name not in names or asks_controllers(row) or isinstance(row.alone, Unknown):
                continue
            ids: dict[str, bool] = {}
            for demand in self.problem.demands:
                if demand.name in row.demands:
                    verdicts = narrowing.judge_candidates(row.alone, demand, evaluator)
                    ids |= {name: holds is not False for name, holds in verdicts.items()}
            ids_by_constraint[row.name] = [name for name, holds in ids.items() if holds]
        return ids_by_constraint

    def select_fitting(self, fitting: Mapping[str, Any]) -> dict[str, Any]:
        """The answers of controllers to the constraints that ask them, by `CONSTRAINT` or `CONSTRAINT_DEMAND`."""
        rows = [row for row in self.problem.constraints if asks_controllers(row)] if self.problem is not None else []
        names = {name for row in rows for name in (row.name, *(f"{row.name}_{demand}" for demand in row.demands))}
        return {name: ids for name, ids in fitting.items() if name in names or self.problem is None}

    def flavor_scores(self, name: str) -> Expr:
        """The scores of the clouds for a constraint of type hpa."""
        entries: list[tuple[Expr, Expr]] = []
        constraints = self.problem.constraints if self.problem is not None else ()
        tests = [test for row in constraints if row.name == name for test in find_parts(row.alone, HasFlavors)]
        evaluator = RowEvaluator(None, self.linked.document.source.budget)
        for test, each in itertools.product(tests, self.stock.rows if self.stock is not None else ()):
            score = evaluator.measure(FlavorScore(OWN, name, test.entries), {OWN: Choice("", each)})
            if score:
                entries.append((each.id, plain_scalar(score)))
        return Object(tuple(entries))


def asks_controllers(row: problem.PlacementConstraint) -> bool:
    """Whether the section `sdnc` of an inventory may decide a constraint."""
    return any(part.by_demand for part in find_parts(row.alone, Listed))


def narrow_constraint(constraint: Any, names: set[str]) -> Any:
    """A constraint restricted to some of its demands."""
    kept = tuple([name for name in constraint.demands if name in names])
    return replace(constraint, demands=kept) if kept != constraint.demands else constraint


def narrow_objective(whole: PlacementProblem, names: set[str]) -> problem.PlacementObjective | None:
    """The objective restricted to the terms of some demands."""
    if whole.objective is None:
        return None

    def kept(term: Term) -> Term | None:
        needed = term_demands(term)
        if needed <= names:
            return term
        if not needed & names:
            return None
        if isinstance(term, Sum):
            return Sum(tuple([operand for each in term.terms if (operand := kept(each)) is not None]))
        if isinstance(term, Product):
            factors = [kept(each) for each in term.terms]
            return Product(tuple([factor for factor in factors if factor is not None]))
        if isinstance(term, (Weighted, Normalized)):
            inner = kept(term.term)
            return None if inner is None else replace(term, term=inner)
        return term

    term = kept(whole.objective.term)
    return problem.PlacementObjective(term or Sum(()), whole.objective.maximize)


def as_lists(mapping: Mapping[str, Any]) -> Expr:
    return Object(tuple([(str(k), Tuple(tuple(map(str, v)))) for k, v in mapping.items()]))

"""What is computed when a template is converted, from its inventory: what HCL cannot say, and choices among more
assignments than Terraform can list.

Invariant: without an inventory nothing is computed, and nothing is guessed.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, final

from emitters.hcl.homing.parameters import plain_scalar
from emitters.hcl.tree.nodes import Expr, Object, Tuple
from transpile.diagnostics.model import Sink
from transpile.homing import filters, hpa, lowering, narrowing, problem, solver
from transpile.homing import inventory as inventories
from transpile.model.records import replace
from transpile.model.span import START

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from emitters.hcl.homing.notes import ModuleNotes
    from transpile.diagnostics.model import Diagnostic
    from transpile.homing.inventory import Inventory
    from transpile.homing.model import LinkedHomingTemplate
    from transpile.homing.problem import PlacementProblem
    from transpile.model.source import Source


def read_inventory_option(given: Source | None) -> tuple[Inventory | None, list[Diagnostic]]:
    """The inventory of an option, if it is given."""
    return (None, []) if given is None else inventories.read_inventory(given)


@final
class SolvedTemplate:
    """A template as a placement problem. `assumed`: the names of constraints on pairs that nothing decides."""

    def __init__(self, linked: LinkedHomingTemplate, stock: Inventory | None) -> None:
        self.linked, self.stock = linked, stock
        self.problem: PlacementProblem | None = None
        self.assumed: frozenset[str] = frozenset()
        self.left: dict[str, int] = {}
        if stock is None:
            return
        self.problem = lowering.lower_template(linked, stock, Sink(linked.document.source), fit=True)
        if self.problem is not None:
            known = {one.name for one in linked.constraints.values() if one.type == "inventory_group"}
            self.assumed = (
                frozenset(one.constraint for one in narrowing.decidable_pair_constraints(self.problem)[1]) - known
            )
            left, _ = narrowing.filter_candidates(self.problem, None, linked.document.source.budget)
            self.left = {one.demand.name: len(one.candidates) for one in left}

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
            demands=tuple([one for one in whole.demands if one.name in names]),
            constraints=tuple([one for one in whole.constraints if names & set(one.demands)]),
        )
        own = replace(own, constraints=tuple([narrow_constraint(one, names) for one in own.constraints]))
        own = replace(own, objective=narrow_objective(own, names))
        answer = solver.solve_problem(own, nodes=budget.limits["placements"], budget=budget)
        what = f"{', '.join(demands)} have {size} assignments, too many for Terraform to list"
        if not answer.has_solution:
            message = f"{what}, and hot2tf found none that meets all constraints: the variable `chosen` is open."
            notes.report_difference("HOT857", message, START)
            return dict.fromkeys(demands, "")
        best = "the best so far" if not answer.proven else "the best"
        message = (
            f"{what}: hot2tf has computed {best}, for this inventory and these parameters, in the variable `chosen`."
        )
        notes.report_difference("HOT855", message, START)
        return {name: one.id for name, one in answer.solutions[0].assignment.items()}

    def variable_values(self, fitting: Sequence[str], scored: Sequence[str]) -> dict[str, Expr]:
        """The sections of the inventory as values of variables."""
        if self.stock is None:
            return {}
        told = self.stock.sections
        found: dict[str, Expr] = {}
        if told.get("groups") is not None:
            found["groups"] = Tuple(tuple([Tuple(tuple(map(str, pair))) for pair in told["groups"]]))
        if told.get("network_roles"):
            found["network_roles"] = as_lists(told["network_roles"])
        if told.get("host_roles"):
            found["host_roles"] = Object(tuple([(str(k), str(v)) for k, v in told["host_roles"].items()]))
        if fits := {**self.fitting_candidates(fitting), **(told.get("sdnc") or {})}:
            found["fitting"] = as_lists(fits)
        found["scores"] = Object(tuple([(name, self.hpa_scores(name)) for name in scored]))
        return found

    def fitting_candidates(self, names: Sequence[str]) -> dict[str, list[str]]:
        """The candidates that meet the constraints that HCL cannot say, where the inventory decides it."""
        found: dict[str, list[str]] = {}
        if self.problem is None:
            return found
        for one in self.problem.constraints:
            if one.name not in names or isinstance(one, (problem.FitConstraint, problem.UndecidedConstraint)):
                continue
            ids: dict[str, bool] = {}
            for demand in self.problem.demands:
                verdicts = filters.judge_candidates(self.problem, one, demand, self.linked.document.source.budget)
                for candidate, holds in zip(demand.candidates, verdicts or (), strict=False):
                    ids[candidate.id] = holds is not False
            found[one.name] = [name for name, holds in ids.items() if holds]
        return found

    def hpa_scores(self, name: str) -> Expr:
        """The scores of the clouds for a constraint of type hpa."""
        own = next((c for c in self.problem.constraints if c.name == name), None) if self.problem is not None else None
        entries: list[tuple[Expr, Expr]] = []
        if isinstance(own, problem.HpaConstraint) and self.stock is not None:
            for row in self.stock.rows:
                if row.kind == problem.CLOUD and (score := hpa.hpa_score(row.data, own.evaluate)):
                    entries.append((row.id, plain_scalar(float(score))))
        return Object(tuple(entries))


def narrow_constraint(one: Any, names: set[str]) -> Any:
    """A constraint on some of its demands."""
    kept = tuple([name for name in one.demands if name in names])
    return replace(one, demands=kept) if kept != one.demands else one


def narrow_objective(given: PlacementProblem, names: set[str]) -> problem.PlacementObjective | None:
    """What a part adds to the objective: the terms of other demands are left out."""
    from transpile.homing import objective as objectives

    if given.objective is None:
        return None

    def kept(term: problem.Term) -> problem.Term | None:
        needed = objectives.term_demands(term)
        if needed <= names:
            return term
        if not needed & names:
            return None
        if isinstance(term, problem.SumTerm):
            return problem.SumTerm(tuple([one for each in term.terms if (one := kept(each)) is not None]))
        if isinstance(term, problem.ProductTerm):
            found = [kept(each) for each in term.factors]
            return problem.ProductTerm(tuple([one for one in found if one is not None]))
        return term

    term = kept(given.objective.term)
    return problem.PlacementObjective(term or problem.SumTerm(()), given.objective.maximize)


def as_lists(given: Mapping[str, Any]) -> Expr:
    return Object(tuple([(str(k), Tuple(tuple(map(str, v)))) for k, v in given.items()]))

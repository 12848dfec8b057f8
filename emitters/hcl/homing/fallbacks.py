"""What is computed when a template is converted, from its inventory: what HCL cannot say, and choices among more
assignments than Terraform can list.

Invariant: without an inventory nothing is computed, and nothing is guessed.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, final

from emitters.hcl.homing.parameters import plain
from emitters.hcl.tree.nodes import Expr, Object, Tuple
from transpile.diagnostics.model import Sink
from transpile.homing import filters, hpa, lowering, narrowing, problem, solver
from transpile.homing import inventory as inventories
from transpile.model.records import replace
from transpile.model.span import START

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from emitters.hcl.homing.notes import Notes
    from transpile.diagnostics.model import Diagnostic
    from transpile.homing.inventory import Inventory
    from transpile.homing.model import Linked
    from transpile.homing.problem import Problem
    from transpile.model.source import Source


def inventory(given: Source | None) -> tuple[Inventory | None, list[Diagnostic]]:
    """The inventory of an option, if it is given."""
    return (None, []) if given is None else inventories.read(given)


@final
class Solved:
    """A template as a placement problem. `assumed`: the names of constraints on pairs that nothing decides."""

    def __init__(self, linked: Linked, stock: Inventory | None) -> None:
        self.linked, self.stock = linked, stock
        self.problem: Problem | None = None
        self.assumed: frozenset[str] = frozenset()
        self.left: dict[str, int] = {}
        if stock is None:
            return
        self.problem = lowering.lowered(linked, stock, Sink(linked.document.source), fit=True)
        if self.problem is not None:
            known = {one.name for one in linked.constraints.values() if one.type == "inventory_group"}
            self.assumed = frozenset(one.constraint for one in narrowing.pairwise(self.problem)[1]) - known
            left, _ = narrowing.filtered(self.problem, None, linked.document.source.budget)
            self.left = {one.demand.name: len(one.candidates) for one in left}

    def size(self, demands: Sequence[str]) -> int | None:
        """The number of assignments of a part; None if there is no inventory."""
        return math.prod(self.left[name] for name in demands) if self.left else None

    def choice(self, demands: Sequence[str], notes: Notes, size: int) -> dict[str, str]:
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
        own = replace(own, constraints=tuple([narrowed(one, names) for one in own.constraints]))
        own = replace(own, objective=objective_of(own, names))
        answer = solver.solve(own, nodes=budget.limits["placements"], budget=budget)
        what = f"{', '.join(demands)} have {size} assignments, too many for Terraform to list"
        if not answer.found:
            message = f"{what}, and hot2tf found none that meets all constraints: the variable `chosen` is open."
            notes.differs("HOT857", message, START)
            return dict.fromkeys(demands, "")
        best = "the best so far" if not answer.proven else "the best"
        message = (
            f"{what}: hot2tf has computed {best}, for this inventory and these parameters, in the variable `chosen`."
        )
        notes.differs("HOT855", message, START)
        return {name: one.id for name, one in answer.solutions[0].assignment.items()}

    def sections(self, fitting: Sequence[str], scored: Sequence[str]) -> dict[str, Expr]:
        """The sections of the inventory as values of variables."""
        if self.stock is None:
            return {}
        told = self.stock.sections
        found: dict[str, Expr] = {}
        if told.get("groups") is not None:
            found["groups"] = Tuple(tuple([Tuple(tuple(map(str, pair))) for pair in told["groups"]]))
        if told.get("network_roles"):
            found["network_roles"] = lists(told["network_roles"])
        if told.get("host_roles"):
            found["host_roles"] = Object(tuple([(str(k), str(v)) for k, v in told["host_roles"].items()]))
        if fits := {**self.fitting(fitting), **(told.get("sdnc") or {})}:
            found["fitting"] = lists(fits)
        found["scores"] = Object(tuple([(name, self.scores(name)) for name in scored]))
        return found

    def fitting(self, names: Sequence[str]) -> dict[str, list[str]]:
        """The candidates that meet the constraints that HCL cannot say, where the inventory decides it."""
        found: dict[str, list[str]] = {}
        if self.problem is None:
            return found
        for one in self.problem.constraints:
            if one.name not in names or isinstance(one, (problem.Fit, problem.Undecided)):
                continue
            ids: dict[str, bool] = {}
            for demand in self.problem.demands:
                verdicts = filters.verdicts(self.problem, one, demand, self.linked.document.source.budget)
                for candidate, holds in zip(demand.candidates, verdicts or (), strict=False):
                    ids[candidate.id] = holds is not False
            found[one.name] = [name for name, holds in ids.items() if holds]
        return found

    def scores(self, name: str) -> Expr:
        """The scores of the clouds for a constraint of type hpa."""
        own = next((c for c in self.problem.constraints if c.name == name), None) if self.problem is not None else None
        entries: list[tuple[Expr, Expr]] = []
        if isinstance(own, problem.Hpa) and self.stock is not None:
            for row in self.stock.rows:
                if row.kind == problem.CLOUD and (score := hpa.score(row.data, own.evaluate)):
                    entries.append((row.id, plain(float(score))))
        return Object(tuple(entries))


def narrowed(one: Any, names: set[str]) -> Any:
    """A constraint on some of its demands."""
    kept = tuple([name for name in one.demands if name in names])
    return replace(one, demands=kept) if kept != one.demands else one


def objective_of(given: Problem, names: set[str]) -> problem.Objective | None:
    """What a part adds to the objective: the terms of other demands are left out."""
    from transpile.homing import objective as objectives

    if given.objective is None:
        return None

    def kept(term: problem.Term) -> problem.Term | None:
        needed = objectives.demands_of(term)
        if needed <= names:
            return term
        if not needed & names:
            return None
        if isinstance(term, problem.Sum):
            return problem.Sum(tuple([one for each in term.terms if (one := kept(each)) is not None]))
        if isinstance(term, problem.Product):
            found = [kept(each) for each in term.factors]
            return problem.Product(tuple([one for one in found if one is not None]))
        return term

    term = kept(given.objective.term)
    return problem.Objective(term or problem.Sum(()), given.objective.maximize)


def lists(given: Mapping[str, Any]) -> Expr:
    return Object(tuple([(str(k), Tuple(tuple(map(str, v)))) for k, v in given.items()]))

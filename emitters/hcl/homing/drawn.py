"""Writes the candidates of each demand, with the cost that each one has for it.

Invariant: `rank` orders the candidates of a demand as the solver does: by requirements, then by the inventory.
"""

from __future__ import annotations

from typing import final

from emitters.hcl.homing import columns
from emitters.hcl.homing.columns import CandidateColumns
from emitters.hcl.homing.expressions import ExpressionPrinter
from emitters.hcl.homing.notes import ModuleNotes
from emitters.hcl.homing.parameters import plain_scalar
from emitters.hcl.homing.shorthand import (
    ID,
    OWN,
    condition_or_value,
    for_candidates,
    is_among,
    join_parts,
    local_reference,
    member_of,
    try_expressions,
    variable_reference,
)
from emitters.hcl.tree.nodes import Argument, Expr, Fn, Object, Op
from transpile.diagnostics import codes
from transpile.homing import demand_candidates, rows
from transpile.homing.expressions import Test, Unknown
from transpile.homing.inventory import InventoryRow
from transpile.homing.model import DemandRequirement, LinkedHomingTemplate, TemplateDemand

STEP = 1_000_000  # between the ranks of two requirements; an inventory is smaller
LAST = 500_000  # the rank of candidates that the template declares, behind the inventory


@final
class CandidateLocals:
    """Writes the locals with candidates."""

    def __init__(self, table: CandidateColumns, printer: ExpressionPrinter, notes: ModuleNotes) -> None:
        self.columns, self.printer, self.notes = table, printer, notes
        self.declared = table.declared

    def demand_candidates(self, demand: TemplateDemand) -> Expr:
        """The candidates of a demand, as a map by id."""
        several = len({each.inventory_type for each in demand.requirements}) < len(demand.requirements)
        tests = [self.requirement_test(demand, each) for each in demand.requirements]
        kinds = [self.kind_test(each) for each in demand.requirements]
        which = tests if several else kinds
        cost = self.cost_expression(demand.requirements[0])
        for test, each in zip(which[1:], demand.requirements[1:], strict=True):  # the last one decides
            cost = condition_or_value(test, self.cost_expression(each), cost)
        own_rank = self.rank_expression(len(which) - 1)
        for at in range(len(which) - 2, -1, -1):  # the first one decides
            own_rank = condition_or_value(which[at], self.rank_expression(at), own_rank)
        own = Object((("cost", cost), ("rank", own_rank)))
        value = Fn("merge", (OWN, own))
        taken = join_parts("||", tests)
        serves = self.columns.demands_column()
        if serves is not None:
            taken = Op("&&", try_expressions(Fn("contains", (serves, demand.name)), True), taken)
        return for_candidates(self.all_candidates, value, taken)

    def rank_expression(self, at: int) -> Expr:
        order = member_of(OWN, "order")
        return order if at == 0 else Op("+", order, at * STEP)

    def kind_test(self, requirement: DemandRequirement) -> Expr:
        return Op("==", member_of(OWN, "inventory_type"), requirement.inventory_type)

    def cost_expression(self, requirement: DemandRequirement) -> Expr:
        default = (
            plain_scalar(requirement.default_cost)
            if requirement.default_cost is not None
            else columns.default_cost(requirement.inventory_type)
        )
        cost: Expr = Fn("coalesce", (member_of(OWN, "cost"), default))
        if requirement.existing is not None and requirement.existing.ids:
            cost = condition_or_value(is_among(requirement.existing.ids, ID), int(demand_candidates.EXISTING), cost)
        return cost

    def requirement_test(self, demand: TemplateDemand, requirement: DemandRequirement) -> Expr:
        """The test whether a requirement accepts a candidate."""
        own = [each.id for each in requirement.candidates]
        kind = self.kind_test(requirement)
        if self.declared:
            inside = Fn("contains", (Fn("keys", (variable_reference("candidates"),)), ID))
            kind = Op("&&", kind, Op("||", inside, is_among(own, ID)) if own else inside)
        tests = [self.printer.test(test) for test in self.decided_tests(demand, requirement)]
        return join_parts("&&", [kind, *tests])

    def decided_tests(self, demand: TemplateDemand, requirement: DemandRequirement) -> list[Test]:
        """The tests of a requirement without those that the inventory does not decide: they accept all candidates."""
        offered = None
        if self.columns.inventory is not None:
            of_kind = [row for row in self.columns.inventory_rows if row.kind == requirement.inventory_type]
            offered = demand_candidates.offered_rows(of_kind, demand.name)
        tests: list[Test] = []
        for name, test in rows.requirement_tests(requirement, offered):
            if not isinstance(test, Unknown):
                tests.append(test)
                continue
            message = (
                f"{demand.name} selects by {name}, which the inventory does not say: the module takes all candidates."
            )
            severity = "info" if rows.is_scope_attribute(name) else ""
            self.notes.report_difference(codes.SELECTION_NOT_DECIDED_BY_INVENTORY, message, requirement, severity)
        return tests

    # candidates that the template declares

    @property
    def all_candidates(self) -> Expr:
        """The candidates of the inventory and of the template, as one map."""
        return local_reference("candidates") if self.declared else variable_reference("candidates")

    def candidate_locals(self) -> list[Argument]:
        """The local `candidates`, if the template declares any."""
        if not self.declared:
            return []
        own: list[tuple[Expr, Expr]] = []
        for at, (name, row) in enumerate(self.declared.items()):
            own.append((name, self.columns.candidate_object(row, LAST + at, complete=True)))
        words = [" Candidates that the template declares; those of the inventory go first."]
        return [
            Argument("declared", Object(tuple(own)), comments=words),
            Argument("candidates", Fn("merge", (local_reference("declared"), variable_reference("candidates")))),
        ]


def declared_rows(linked: LinkedHomingTemplate, notes: ModuleNotes) -> dict[str, InventoryRow]:
    """The candidates that the template declares, by id, as rows of an inventory."""
    declared: dict[str, InventoryRow] = {}
    for demand in linked.demands.values():
        for requirement in demand.requirements:
            for candidate in requirement.candidates:
                row = demand_candidates.declared_row(candidate, requirement)
                if declared.setdefault(candidate.id, row).data != row.data:
                    message = f"The template declares {candidate.id} twice and differently: HCL takes the first."
                    notes.report_difference(codes.DUPLICATE_CANDIDATE, message, candidate)
    return declared

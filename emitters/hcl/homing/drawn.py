"""Writes the candidates of each demand, with the cost that each one has for it.

Invariant: `rank` orders the candidates of a demand as the solver does: by requirements, then by the inventory.
"""

from __future__ import annotations

from typing import Any, final

from emitters.hcl.homing import columns
from emitters.hcl.homing.columns import CandidateColumns
from emitters.hcl.homing.notes import ModuleNotes
from emitters.hcl.homing.parameters import ModuleParameters, plain_scalar
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
from emitters.hcl.tree.nodes import Argument, Expr, Fn, Not, Object, Op
from transpile.diagnostics import codes
from transpile.homing import demand_candidates
from transpile.homing.model import (
    AttributeFilter,
    DeclaredCandidate,
    DemandRequirement,
    LinkedHomingTemplate,
    TemplateDemand,
)
from transpile.homing.scalars import finite_number

STEP = 1_000_000  # between the ranks of two requirements; an inventory is smaller
LAST = 500_000  # the rank of what the template declares, behind the inventory


@final
class CandidateLocals:
    """Writes the locals with candidates. `declared`: the candidates that the template declares, by id."""

    def __init__(
        self, linked: LinkedHomingTemplate, table: CandidateColumns, parameters: ModuleParameters, notes: ModuleNotes
    ) -> None:
        self.linked, self.columns, self.parameters, self.notes = linked, table, parameters, notes
        self.declared: dict[str, DeclaredCandidate] = {}
        for demand in linked.demands.values():
            for requirement in demand.requirements:
                for candidate in requirement.candidates:
                    first = self.declared.setdefault(candidate.id, candidate)
                    if first.fields != candidate.fields:
                        message = f"The template declares {candidate.id} twice and differently: HCL takes the first."
                        notes.report_difference(codes.DUPLICATE_CANDIDATE, message, candidate)

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
        return join_parts("&&", [kind, *self.selection_tests(requirement), *self.filter_tests(demand, requirement)])

    def selection_tests(self, requirement: DemandRequirement) -> list[Expr]:
        """The tests of the candidates, regions and complexes that a requirement names."""
        tests: list[Expr] = []
        named = [
            [name for each in chosen if each.inventory_type in (None, requirement.inventory_type) for name in each.ids]
            for chosen in (requirement.required or (), requirement.excluded)
        ]
        if requirement.required is not None:
            tests.append(is_among(named[0], ID) if named[0] else False)
        if named[1]:
            tests.append(Not(is_among(named[1], ID)))
        if requirement.region is not None:
            tests.append(
                Op(
                    "==",
                    member_of(OWN, "location_id"),
                    self.parameters.scalar_expression((*requirement.path, "region"), requirement.region),
                )
            )
        if requirement.complex is not None:
            name, _ = self.columns.attribute_column("complex_name")
            place, _ = self.columns.attribute_column("physical_location_id")
            complex_name = self.parameters.scalar_expression((*requirement.path, "complex"), requirement.complex)
            tests.append(try_expressions(Op("==", Fn("coalesce", (place, name)), complex_name), False))
        return tests

    def filter_tests(self, demand: TemplateDemand, requirement: DemandRequirement) -> list[Expr]:
        """The tests of attributes. If the inventory says nothing about an attribute, its filter accepts all
        candidates.
        """
        tests: list[Expr] = []
        has_inventory = self.columns.inventory is not None
        for each in requirement.filters:
            scope = demand_candidates.is_scope_attribute(each.attribute)
            if (has_inventory and not self.columns.has_attribute(each.attribute, requirement.inventory_type)) or (
                not has_inventory and scope
            ):
                self.report_left_out(demand, requirement, each.attribute, "info" if scope else "")
                continue
            tests.append(self.filter_test(requirement, each))
        for name, allowed_values in (
            ("customer_id", () if requirement.customer_id is None else (requirement.customer_id,)),
            ("service_type", requirement.service_type),
            ("service_id", requirement.service_id),
        ):
            if allowed_values and has_inventory and self.columns.has_column(name, requirement.inventory_type):
                column, _ = self.columns.attribute_column(name)
                tests.append(join_parts("||", [texts_equal(column, each) for each in allowed_values]))
            elif allowed_values:
                self.report_left_out(demand, requirement, name, "info")
        return tests

    def report_left_out(self, demand: TemplateDemand, requirement: DemandRequirement, name: str, severity: str) -> None:
        message = f"{demand.name} selects by {name}, which the inventory does not say: the module takes all candidates."
        self.notes.report_difference(codes.SELECTION_NOT_DECIDED_BY_INVENTORY, message, requirement, severity)

    def filter_test(self, requirement: DemandRequirement, each: AttributeFilter) -> Expr:
        column, kind = self.columns.selector_column(each.attribute)
        if kind == columns.STRINGS:
            test: Expr = False
        else:
            texts = [w for w in each.values if isinstance(w, str) and finite_number(w) is None]
            parts: list[Expr] = [try_expressions(is_among(texts, column), False)] if texts else []
            parts += [texts_equal(column, w) for w in each.values if w not in texts]
            test = join_parts("||", parts, False)
        return Not(test) if each.negated else test

    # what the template declares

    @property
    def all_candidates(self) -> Expr:
        """The candidates of the inventory and of the template, as one map."""
        return local_reference("candidates") if self.declared else variable_reference("candidates")

    def candidate_locals(self) -> list[Argument]:
        """The local `candidates`, if the template declares any."""
        if not self.declared:
            return []
        own: list[tuple[Expr, Expr]] = []
        for at, (name, candidate) in enumerate(self.declared.items()):
            own.append((name, self.declared_candidate(candidate, LAST + at)))
        words = [" Candidates that the template declares; those of the inventory go first."]
        return [
            Argument("declared", Object(tuple(own)), comments=words),
            Argument("candidates", Fn("merge", (local_reference("declared"), variable_reference("candidates")))),
        ]

    def declared_candidate(self, candidate: DeclaredCandidate, order: int) -> Object:
        """A candidate of the template, with all columns."""
        data: dict[str, Any] = {"location_id": candidate.id, **candidate.fields}
        cost = finite_number(data.get("cost"))
        fields: list[tuple[Expr, Expr]] = [
            ("order", order),
            ("inventory_type", str(data.get("inventory_type"))),
            ("location_id", str(data["location_id"])),
            ("cost", plain_scalar(0.0 if cost is None else cost)),
        ]
        for name, kind in sorted(self.columns.types.items()):
            if name not in columns.ALWAYS:
                key = next((key for key, own in self.columns.names.items() if own == name), name)
                fields.append((name, columns.typed_value(data.get(key), kind)))
        return Object(tuple(fields))


def texts_equal(column: Expr, value: Any) -> Expr:
    """Whether a column of texts equals a value. A number equals its text."""
    if isinstance(value, bool):
        return try_expressions(Op("==", Fn("lower", (column,)), str(value).lower()), False)
    if (number := finite_number(value)) is not None:
        return try_expressions(Op("==", Fn("tonumber", (column,)), plain_scalar(number)), False)
    return Op("==", column, str(value))

"""The candidates of each demand, with the cost that each has for it.

Invariant: `rank` orders the candidates of a demand as the solver does: by requirements, then by the inventory.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, final

from emitters.hcl.homing import columns
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
from emitters.hcl.tree.nodes import Argument, Expr, Fn, Not, Object, Op
from transpile.homing import demand_candidates
from transpile.homing.scalars import finite_number

if TYPE_CHECKING:
    from emitters.hcl.homing.columns import CandidateColumns
    from emitters.hcl.homing.notes import ModuleNotes
    from emitters.hcl.homing.parameters import ModuleParameters
    from transpile.homing.model import (
        AttributeFilter,
        DeclaredCandidate,
        DemandRequirement,
        LinkedHomingTemplate,
        TemplateDemand,
    )

STEP = 1_000_000  # between the ranks of two requirements; an inventory is smaller
LAST = 500_000  # the rank of what the template declares, behind the inventory


@final
class CandidateLocals:
    """`declared`: the candidates of the template, by id."""

    def __init__(
        self, linked: LinkedHomingTemplate, table: CandidateColumns, parameters: ModuleParameters, notes: ModuleNotes
    ) -> None:
        self.linked, self.columns, self.parameters, self.notes = linked, table, parameters, notes
        self.declared: dict[str, DeclaredCandidate] = {}
        for demand in linked.demands.values():
            for requirement in demand.requirements:
                for one in requirement.candidates:
                    first = self.declared.setdefault(one.id, one)
                    if first.fields != one.fields:
                        message = f"The template declares {one.id} twice and differently: HCL takes the first."
                        notes.report_difference("HOT852", message, one)

    def demand_candidates(self, one: TemplateDemand) -> Expr:
        """The candidates of a demand, as a map by id."""
        several = len({each.inventory_type for each in one.requirements}) < len(one.requirements)
        tests = [self.requirement_test(one, each) for each in one.requirements]
        kinds = [self.kind_test(each) for each in one.requirements]
        which = tests if several else kinds
        cost = self.cost_expression(one.requirements[0])
        for test, each in zip(which[1:], one.requirements[1:], strict=True):  # the last one decides
            cost = condition_or_value(test, self.cost_expression(each), cost)
        own_rank = self.rank_expression(len(which) - 1)
        for at in range(len(which) - 2, -1, -1):  # the first one decides
            own_rank = condition_or_value(which[at], self.rank_expression(at), own_rank)
        own = Object((("cost", cost), ("rank", own_rank)))
        value = Fn("merge", (OWN, own))
        taken = join_parts("||", tests)
        serves = self.columns.demands_column()
        if serves is not None:
            taken = Op("&&", try_expressions(Fn("contains", (serves, one.name)), True), taken)
        return for_candidates(self.all_candidates, value, taken)

    def rank_expression(self, at: int) -> Expr:
        order = member_of(OWN, "order")
        return order if at == 0 else Op("+", order, at * STEP)

    def kind_test(self, one: DemandRequirement) -> Expr:
        return Op("==", member_of(OWN, "inventory_type"), one.inventory_type)

    def cost_expression(self, one: DemandRequirement) -> Expr:
        default = (
            plain_scalar(one.default_cost) if one.default_cost is not None else columns.default_cost(one.inventory_type)
        )
        found: Expr = Fn("coalesce", (member_of(OWN, "cost"), default))
        if one.existing is not None and one.existing.ids:
            found = condition_or_value(is_among(one.existing.ids, ID), int(demand_candidates.EXISTING), found)
        return found

    def requirement_test(self, demand: TemplateDemand, one: DemandRequirement) -> Expr:
        """What a requirement takes."""
        own = [each.id for each in one.candidates]
        kind = self.kind_test(one)
        if self.declared:
            inside = Fn("contains", (Fn("keys", (variable_reference("candidates"),)), ID))
            kind = Op("&&", kind, Op("||", inside, is_among(own, ID)) if own else inside)
        return join_parts("&&", [kind, *self.selection_tests(one), *self.filter_tests(demand, one)])

    def selection_tests(self, one: DemandRequirement) -> list[Expr]:
        """What is named, or is in a region or complex."""
        found: list[Expr] = []
        named = [
            [name for each in chosen if each.inventory_type in (None, one.inventory_type) for name in each.ids]
            for chosen in (one.required or (), one.excluded)
        ]
        if one.required is not None:
            found.append(is_among(named[0], ID) if named[0] else False)
        if named[1]:
            found.append(Not(is_among(named[1], ID)))
        if one.region is not None:
            found.append(
                Op(
                    "==",
                    member_of(OWN, "location_id"),
                    self.parameters.scalar_expression((*one.path, "region"), one.region),
                )
            )
        if one.complex is not None:
            name, _ = self.columns.attribute_column("complex_name")
            place, _ = self.columns.attribute_column("physical_location_id")
            wanted = self.parameters.scalar_expression((*one.path, "complex"), one.complex)
            found.append(try_expressions(Op("==", Fn("coalesce", (place, name)), wanted), False))
        return found

    def filter_tests(self, demand: TemplateDemand, one: DemandRequirement) -> list[Expr]:
        """What the attributes have to be. What the inventory does not say at all takes all candidates."""
        found: list[Expr] = []
        known = self.columns.inventory is not None
        for each in one.filters:
            scope = demand_candidates.is_scope_attribute(each.attribute)
            if (known and not self.columns.has_attribute(each.attribute, one.inventory_type)) or (not known and scope):
                self.report_left_out(demand, one, each.attribute, "info" if scope else "")
                continue
            found.append(self.filter_test(one, each))
        for name, wanted in (
            ("customer_id", () if one.customer_id is None else (one.customer_id,)),
            ("service_type", one.service_type),
            ("service_id", one.service_id),
        ):
            if wanted and known and self.columns.has_column(name, one.inventory_type):
                column, _ = self.columns.attribute_column(name)
                found.append(join_parts("||", [texts_equal(column, each) for each in wanted]))
            elif wanted:
                self.report_left_out(demand, one, name, "info")
        return found

    def report_left_out(self, demand: TemplateDemand, one: DemandRequirement, name: str, severity: str) -> None:
        message = f"{demand.name} selects by {name}, which the inventory does not say: the module takes all candidates."
        self.notes.report_difference("HOT853", message, one, severity)

    def filter_test(self, one: DemandRequirement, each: AttributeFilter) -> Expr:
        column, kind = self.columns.selector_column(each.attribute)
        if kind == columns.STRINGS:
            found: Expr = False
        else:
            texts = [w for w in each.wanted if isinstance(w, str) and finite_number(w) is None]
            parts: list[Expr] = [try_expressions(is_among(texts, column), False)] if texts else []
            parts += [texts_equal(column, w) for w in each.wanted if w not in texts]
            found = join_parts("||", parts, False)
        return Not(found) if each.negated else found

    # what the template declares

    @property
    def all_candidates(self) -> Expr:
        """The candidates of the inventory, and those of the template."""
        return local_reference("candidates") if self.declared else variable_reference("candidates")

    def candidate_locals(self) -> list[Argument]:
        """The local `candidates`, if the template declares any."""
        if not self.declared:
            return []
        own: list[tuple[Expr, Expr]] = []
        for at, (name, one) in enumerate(self.declared.items()):
            own.append((name, self.declared_candidate(one, LAST + at)))
        words = [" Candidates that the template declares; those of the inventory go first."]
        return [
            Argument("declared", Object(tuple(own)), comments=words),
            Argument("candidates", Fn("merge", (local_reference("declared"), variable_reference("candidates")))),
        ]

    def declared_candidate(self, one: DeclaredCandidate, order: int) -> Object:
        """A candidate of the template, with all columns."""
        given: dict[str, Any] = {"location_id": one.id, **one.fields}
        cost = finite_number(given.get("cost"))
        fields: list[tuple[Expr, Expr]] = [
            ("order", order),
            ("inventory_type", str(given.get("inventory_type"))),
            ("location_id", str(given["location_id"])),
            ("cost", plain_scalar(0.0 if cost is None else cost)),
        ]
        for name, kind in sorted(self.columns.types.items()):
            if name not in columns.ALWAYS:
                key = next((key for key, own in self.columns.names.items() if own == name), name)
                fields.append((name, columns.typed_value(given.get(key), kind)))
        return Object(tuple(fields))


def texts_equal(column: Expr, wanted: Any) -> Expr:
    """Whether a column of texts equals a value: numbers equal their texts."""
    if isinstance(wanted, bool):
        return try_expressions(Op("==", Fn("lower", (column,)), str(wanted).lower()), False)
    if (found := finite_number(wanted)) is not None:
        return try_expressions(Op("==", Fn("tonumber", (column,)), plain_scalar(found)), False)
    return Op("==", column, str(wanted))

"""The candidates of each demand, with the cost that each has for it.

Invariant: `rank` orders the candidates of a demand as the solver does: by requirements, then by the inventory.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, final

from emitters.hcl.homing import columns
from emitters.hcl.homing.parameters import plain
from emitters.hcl.homing.shorthand import ID, OWN, among, attempt, joined, local, member, or_else, over, var
from emitters.hcl.tree.nodes import Argument, Expr, Fn, Not, Object, Op
from transpile.homing import demand_candidates
from transpile.homing.scalars import number

if TYPE_CHECKING:
    from emitters.hcl.homing.columns import Columns
    from emitters.hcl.homing.notes import Notes
    from emitters.hcl.homing.parameters import Parameters
    from transpile.homing.model import Candidate, Demand, Filter, Linked, Requirement

STEP = 1_000_000  # between the ranks of two requirements; an inventory is smaller
LAST = 500_000  # the rank of what the template declares, behind the inventory


@final
class Drawn:
    """`declared`: the candidates of the template, by id."""

    def __init__(self, linked: Linked, table: Columns, parameters: Parameters, notes: Notes) -> None:
        self.linked, self.columns, self.parameters, self.notes = linked, table, parameters, notes
        self.declared: dict[str, Candidate] = {}
        for demand in linked.demands.values():
            for requirement in demand.requirements:
                for one in requirement.candidates:
                    first = self.declared.setdefault(one.id, one)
                    if first.fields != one.fields:
                        message = f"The template declares {one.id} twice and differently: HCL takes the first."
                        notes.differs("HOT852", message, one)

    def demand(self, one: Demand) -> Expr:
        """The candidates of a demand, as a map by id."""
        several = len({each.inventory_type for each in one.requirements}) < len(one.requirements)
        tests = [self.test(one, each) for each in one.requirements]
        kinds = [self.kind(each) for each in one.requirements]
        which = tests if several else kinds
        cost = self.cost(one.requirements[0])
        for test, each in zip(which[1:], one.requirements[1:], strict=True):  # the last one decides
            cost = or_else(test, self.cost(each), cost)
        own_rank = self.rank(len(which) - 1)
        for at in range(len(which) - 2, -1, -1):  # the first one decides
            own_rank = or_else(which[at], self.rank(at), own_rank)
        own = Object((("cost", cost), ("rank", own_rank)))
        value = Fn("merge", (OWN, own))
        taken = joined("||", tests)
        serves = self.columns.serves()
        if serves is not None:
            taken = Op("&&", attempt(Fn("contains", (serves, one.name)), True), taken)
        return over(self.all, value, taken)

    def rank(self, at: int) -> Expr:
        order = member(OWN, "order")
        return order if at == 0 else Op("+", order, at * STEP)

    def kind(self, one: Requirement) -> Expr:
        return Op("==", member(OWN, "inventory_type"), one.inventory_type)

    def cost(self, one: Requirement) -> Expr:
        default = plain(one.default_cost) if one.default_cost is not None else columns.default_cost(one.inventory_type)
        found: Expr = Fn("coalesce", (member(OWN, "cost"), default))
        if one.existing is not None and one.existing.ids:
            found = or_else(among(one.existing.ids, ID), int(demand_candidates.EXISTING), found)
        return found

    def test(self, demand: Demand, one: Requirement) -> Expr:
        """What a requirement takes."""
        own = [each.id for each in one.candidates]
        kind = self.kind(one)
        if self.declared:
            inside = Fn("contains", (Fn("keys", (var("candidates"),)), ID))
            kind = Op("&&", kind, Op("||", inside, among(own, ID)) if own else inside)
        return joined("&&", [kind, *self.selected(one), *self.filtered(demand, one)])

    def selected(self, one: Requirement) -> list[Expr]:
        """What is named, or is in a region or complex."""
        found: list[Expr] = []
        named = [
            [name for each in chosen if each.inventory_type in (None, one.inventory_type) for name in each.ids]
            for chosen in (one.required or (), one.excluded)
        ]
        if one.required is not None:
            found.append(among(named[0], ID) if named[0] else False)
        if named[1]:
            found.append(Not(among(named[1], ID)))
        if one.region is not None:
            found.append(Op("==", member(OWN, "location_id"), self.parameters.text((*one.path, "region"), one.region)))
        if one.complex is not None:
            name, _ = self.columns.attribute("complex_name")
            place, _ = self.columns.attribute("physical_location_id")
            wanted = self.parameters.text((*one.path, "complex"), one.complex)
            found.append(attempt(Op("==", Fn("coalesce", (place, name)), wanted), False))
        return found

    def filtered(self, demand: Demand, one: Requirement) -> list[Expr]:
        """What the attributes have to be. What the inventory does not say at all takes all candidates."""
        found: list[Expr] = []
        known = self.columns.inventory is not None
        for each in one.filters:
            scope = demand_candidates.scope(each.attribute)
            if (known and not self.columns.has(each.attribute, one.inventory_type)) or (not known and scope):
                self.left_out(demand, one, each.attribute, "info" if scope else "")
                continue
            found.append(self.filter(one, each))
        for name, wanted in (
            ("customer_id", () if one.customer_id is None else (one.customer_id,)),
            ("service_type", one.service_type),
            ("service_id", one.service_id),
        ):
            if wanted and known and self.columns.says(name, one.inventory_type):
                column, _ = self.columns.attribute(name)
                found.append(joined("||", [same(column, each) for each in wanted]))
            elif wanted:
                self.left_out(demand, one, name, "info")
        return found

    def left_out(self, demand: Demand, one: Requirement, name: str, severity: str) -> None:
        message = f"{demand.name} selects by {name}, which the inventory does not say: the module takes all candidates."
        self.notes.differs("HOT853", message, one, severity)

    def filter(self, one: Requirement, each: Filter) -> Expr:
        column, kind = self.columns.selector(each.attribute)
        if kind == columns.STRINGS:
            found: Expr = False
        else:
            texts = [w for w in each.wanted if isinstance(w, str) and number(w) is None]
            parts: list[Expr] = [attempt(among(texts, column), False)] if texts else []
            parts += [same(column, w) for w in each.wanted if w not in texts]
            found = joined("||", parts, False)
        return Not(found) if each.negated else found

    # what the template declares

    @property
    def all(self) -> Expr:
        """The candidates of the inventory, and those of the template."""
        return local("candidates") if self.declared else var("candidates")

    def arguments(self) -> list[Argument]:
        """The local `candidates`, if the template declares any."""
        if not self.declared:
            return []
        own: list[tuple[Expr, Expr]] = []
        for at, (name, one) in enumerate(self.declared.items()):
            own.append((name, self.candidate(one, LAST + at)))
        words = [" Candidates that the template declares; those of the inventory go first."]
        return [
            Argument("declared", Object(tuple(own)), comments=words),
            Argument("candidates", Fn("merge", (local("declared"), var("candidates")))),
        ]

    def candidate(self, one: Candidate, order: int) -> Object:
        """A candidate of the template, with all columns."""
        given: dict[str, Any] = {"location_id": one.id, **one.fields}
        cost = number(given.get("cost"))
        fields: list[tuple[Expr, Expr]] = [
            ("order", order),
            ("inventory_type", str(given.get("inventory_type"))),
            ("location_id", str(given["location_id"])),
            ("cost", plain(0.0 if cost is None else cost)),
        ]
        for name, kind in sorted(self.columns.types.items()):
            if name not in columns.ALWAYS:
                key = next((key for key, own in self.columns.names.items() if own == name), name)
                fields.append((name, columns.typed(given.get(key), kind)))
        return Object(tuple(fields))


def same(column: Expr, wanted: Any) -> Expr:
    """Whether a column of texts equals a value: numbers equal their texts."""
    if isinstance(wanted, bool):
        return attempt(Op("==", Fn("lower", (column,)), str(wanted).lower()), False)
    if (found := number(wanted)) is not None:
        return attempt(Op("==", Fn("tonumber", (column,)), plain(found)), False)
    return Op("==", column, str(wanted))

"""Writes constraints on several demands, as tests of the ids that these have in an assignment."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Collection
from typing import final

from emitters.hcl.homing.columns import CandidateColumns
from emitters.hcl.homing.notes import ModuleNotes
from emitters.hcl.homing.parameters import ModuleParameters
from emitters.hcl.homing.places import ModuleLocations
from emitters.hcl.homing.shorthand import local_reference, member_of, try_expressions, variable_reference
from emitters.hcl.homing.single import within_threshold
from emitters.hcl.tree.nodes import Argument, Expr, Fn, ForTuple, Index, Op, Traversal, Tuple
from transpile.diagnostics import codes
from transpile.homing import model
from transpile.homing.model import LinkedHomingTemplate, TemplateConstraint

GROUPED = "grouped"  # the local with all pairs, in both orders


@final
class PairTests:
    """`groups`: whether any constraint needs the pairs of the inventory; `assumed`: the names of constraints that the
    inventory does not decide.
    """

    def __init__(
        self,
        linked: LinkedHomingTemplate,
        table: CandidateColumns,
        places: ModuleLocations,
        parameters: ModuleParameters,
        notes: ModuleNotes,
        assumed: Collection[str],
    ) -> None:
        self.assumed = assumed
        self.linked, self.columns, self.places = linked, table, places
        self.parameters, self.notes = parameters, notes
        self.groups = False

    def related_demands(self, constraint: TemplateConstraint) -> tuple[str, ...]:
        """The demands that a constraint relates to each other; none if it tests each of them alone."""
        names = tuple(dict.fromkeys(name for name in constraint.demands if name in self.linked.demands))
        properties = constraint.properties
        if isinstance(properties, model.GroupProperties):
            names = names[:2]
        elif not isinstance(properties, model.ZoneProperties) and not (
            isinstance(properties, model.DistanceProperties) and properties.location is None
        ):
            return ()
        return names if len(names) > 1 else ()

    def pair_tests(self, constraint: TemplateConstraint, pick: Callable[[str], Expr]) -> list[Expr]:
        """The tests that a constraint makes of each pair of demands. `pick`: gives the id that a demand has."""
        names = self.related_demands(constraint)
        if constraint.name in self.assumed:
            message = (
                f"The inventory does not decide {constraint.name} ({constraint.type}), so HCL does not ask for it."
            )
            self.notes.report_difference(codes.SELECTION_NOT_DECIDED_BY_INVENTORY, message, constraint)
            return []
        return [self.pair_test(constraint, a, b, pick) for a, b in itertools.combinations(names, 2)]

    def pair_test(self, constraint: TemplateConstraint, a: str, b: str, pick: Callable[[str], Expr]) -> Expr:
        properties = constraint.properties
        if isinstance(properties, model.ZoneProperties):
            column = self.columns.zone_column(properties.category)
            first, second = (
                member_of(Index(member_of(local_reference("drawn"), name), pick(name)), column) for name in (a, b)
            )
            return Op("==" if properties.qualifier == "same" else "!=", first, second)
        if isinstance(properties, model.DistanceProperties):
            length = self.places.distance_between((a, b), pick(a), pick(b))
            return try_expressions(within_threshold(length, properties.threshold, self.parameters), False)
        self.groups = True
        pair = Fn("jsonencode", (Tuple((pick(a), pick(b))),))
        return Op("||", Fn("contains", (local_reference(GROUPED), pair)), self.undecided_groups())

    def undecided_groups(self) -> Expr:
        """The result of a test of groups if the inventory has none."""
        return Op("&&", Op("==", variable_reference("groups"), None), variable_reference("assume_fit"))

    def group_locals(self) -> list[Argument]:
        if not self.groups:
            return []
        pair = Traversal(("pair",))
        orders: list[Expr] = [Fn("jsonencode", (Tuple((Index(pair, a), Index(pair, b))),)) for a, b in ((0, 1), (1, 0))]
        every = ForTuple(("pair",), Fn("coalesce", (variable_reference("groups"), Tuple(()))), Tuple(tuple(orders)))
        words = " The pairs of the inventory, in both orders."
        return [Argument(GROUPED, Fn("flatten", (every,)), comments=[words])]

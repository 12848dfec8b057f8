"""Constraints on several demands, as tests of the ids that they have in an assignment."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, final

from emitters.hcl.homing.shorthand import attempt, local, member, var
from emitters.hcl.homing.single import within
from emitters.hcl.tree.nodes import Argument, Expr, Fn, ForTuple, Index, Name, Op, Tuple
from transpile.homing import model

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

    from emitters.hcl.homing.columns import Columns
    from emitters.hcl.homing.notes import Notes
    from emitters.hcl.homing.parameters import Parameters
    from emitters.hcl.homing.places import Places
    from transpile.homing.model import Constraint, Linked

GROUPED = "grouped"  # the local with all pairs, in both orders


@final
class Pairs:
    """`groups`: whether any constraint asks for pairs of the inventory; `assumed`: names of constraints that nothing in
    it decides.
    """

    def __init__(
        self,
        linked: Linked,
        table: Columns,
        places: Places,
        parameters: Parameters,
        notes: Notes,
        assumed: Collection[str],
    ) -> None:
        self.assumed = assumed
        self.linked, self.columns, self.places = linked, table, places
        self.parameters, self.notes = parameters, notes
        self.groups = False

    def related(self, one: Constraint) -> tuple[str, ...]:
        """The demands that a constraint relates; none if it looks at each alone."""
        names = tuple(dict.fromkeys(name for name in one.demands if name in self.linked.demands))
        given = one.properties
        if isinstance(given, model.Group):
            names = names[:2]
        elif not isinstance(given, model.Zone) and not (isinstance(given, model.Distance) and given.location is None):
            return ()
        return names if len(names) > 1 else ()

    def tests(self, one: Constraint, pick: Callable[[str], Expr]) -> list[Expr]:
        """What a constraint asks of each pair. `pick`: the id that a demand has."""
        names = self.related(one)
        if one.name in self.assumed:
            message = f"The inventory does not decide {one.name} ({one.type}), so HCL does not ask for it."
            self.notes.differs("HOT853", message, one)
            return []
        return [self.test(one, a, b, pick) for a, b in itertools.combinations(names, 2)]

    def test(self, one: Constraint, a: str, b: str, pick: Callable[[str], Expr]) -> Expr:
        given = one.properties
        if isinstance(given, model.Zone):
            column = self.columns.zone(given.category)
            first, second = (member(Index(member(local("drawn"), name), pick(name)), column) for name in (a, b))
            return Op("==" if given.qualifier == "same" else "!=", first, second)
        if isinstance(given, model.Distance):
            length = self.places.between((a, b), pick(a), pick(b))
            return attempt(within(length, given.threshold, self.parameters), False)
        self.groups = True
        pair = Fn("jsonencode", (Tuple((pick(a), pick(b))),))
        return Op("||", Fn("contains", (local(GROUPED), pair)), self.undecided())

    def undecided(self) -> Expr:
        """What holds where the inventory has no groups."""
        return Op("&&", Op("==", var("groups"), None), var("assume_fit"))

    def arguments(self) -> list[Argument]:
        if not self.groups:
            return []
        pair = Name(("pair",))
        orders: list[Expr] = [Fn("jsonencode", (Tuple((Index(pair, a), Index(pair, b))),)) for a, b in ((0, 1), (1, 0))]
        every = ForTuple(("pair",), Fn("coalesce", (var("groups"), Tuple(()))), Tuple(tuple(orders)))
        words = " The pairs of the inventory, in both orders."
        return [Argument(GROUPED, Fn("flatten", (every,)), comments=[words])]

"""The objective: what each candidate adds to it alone, and what several add together.

Invariant: the parts add up to the value that `hot2tf home` reports, lengths rounded as there.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, final

from emitters.hcl.homing import columns
from emitters.hcl.homing.parameters import plain
from emitters.hcl.homing.shorthand import attempt, joined, local, member, var
from emitters.hcl.tree.nodes import Expr, Fn, Index, Op
from transpile.homing import model
from transpile.homing.model import Function, Number, Operator

if TYPE_CHECKING:
    from collections.abc import Callable

    from emitters.hcl.homing.columns import Columns
    from emitters.hcl.homing.parameters import Parameters
    from emitters.hcl.homing.places import Places
    from transpile.homing.model import Linked, Term

FOLDS = {"min": "min", "max": "max"}


class CannotSay(Exception):
    """HCL has no words for a part of the objective."""

    def __init__(self, why: str, place: Function) -> None:
        super().__init__(why)
        self.place = place


class Together(NamedTuple):
    """A term of several demands. `write`: from the id that each demand has to its value."""

    demands: tuple[str, ...]
    write: Callable[[Callable[[str], Expr]], Expr]


@final
class Scores:
    """`alone`: by demand, the value that the candidate `id` adds; `needs`: by demand, what has to be known of it."""

    def __init__(self, linked: Linked, table: Columns, places: Places, parameters: Parameters) -> None:
        self.linked, self.columns, self.places, self.parameters = linked, table, places, parameters
        self.old = linked.document.arrangement == model.OLD
        self.alone: dict[str, list[Callable[[Expr], Expr]]] = {}
        self.together: list[Together] = []
        self.constant: list[Expr] = []
        self.needs: dict[str, list[Callable[[Expr], Expr]]] = {}
        self.scored: dict[str, None] = {}  # constraints of type hpa
        self.maximize = linked.objective is not None and linked.objective.goal == "maximize"
        if linked.objective is not None:
            self.add(linked.objective.term, lambda value: value)

    def add(self, term: Term, around: Callable[[Expr], Expr]) -> None:
        """Takes a term apart. `around`: from its value to what it adds."""
        names = self.demands(term)
        if isinstance(term, Operator) and term.name == "sum" and term.normalization is None and len(names) > 1:
            weight = self.weighted(term)
            for one in term.operands:
                self.add(one, around if weight is None else lambda value: around(Op("*", weight, value)))
        elif not names:
            self.constant.append(around(self.value(term, lambda name: None)))
        elif len(names) == 1:
            self.alone.setdefault(names[0], []).append(lambda one: around(self.value(term, lambda name: one)))
        else:
            self.together.append(Together(names, lambda pick: around(self.value(term, pick))))

    def demands(self, term: Term) -> tuple[str, ...]:
        """The demands that a term depends on."""
        if isinstance(term, Operator):
            return tuple(dict.fromkeys(name for one in term.operands for name in self.demands(one)))
        if isinstance(term, Number):
            return ()
        if term.name == "hpa_score":
            return tuple(dict.fromkeys(name for _, name in self.hpa()))
        return term.demands[:1]

    def hpa(self) -> list[tuple[str, str]]:
        """The constraints of type hpa with each of their demands."""
        return [
            (each.name, name)
            for each in self.linked.constraints.values()
            if isinstance(each.properties, model.Hpa)
            for name in dict.fromkeys(each.demands)
            if name in self.linked.demands
        ]

    def weighted(self, term: Function | Operator) -> Expr:
        """The weight of a term; None if it is 1."""
        path = term.path[:-1] if isinstance(term, Operator) else term.path
        found = self.parameters.number((*path, "weight"), term.weight)
        return None if found == 1 else found

    def value(self, term: Term, pick: Callable[[str], Expr]) -> Expr:
        """The value of a term. `pick`: the id of a demand's candidate."""
        if isinstance(term, Number):
            return self.parameters.number(term.path, term.value)
        if isinstance(term, Operator):
            own = [self.value(one, pick) for one in term.operands]
            if term.name in FOLDS:
                found: Expr = Fn(FOLDS[term.name], tuple(own))
            else:
                found = joined("*" if term.name == "product" else "+", own, 1 if term.name == "product" else 0)
        else:
            found = self.function(term, pick)
        if term.normalization is not None:
            start, end = term.normalization.start, term.normalization.end
            found = Op("/", Op("-", found, plain(start)), plain(end - start))
        weight = self.weighted(term)
        return found if weight is None else Op("*", weight, found)

    def function(self, one: Function, pick: Callable[[str], Expr]) -> Expr:
        if one.name == "distance_between" and one.location is not None:
            name, location = one.demands[0], one.location
            self.places.distance(location)
            self.need(name, lambda own: self.places.distance(location, own))
            length = self.places.distance(location, pick(name))
            return Op("+", length, self.of(name, pick(name), "cost")) if self.old else length
        if one.name == "attribute" and one.attribute is not None:
            return self.attribute(one, pick)
        if one.name == "hpa_score":
            return self.hpa_score(pick)
        raise CannotSay(f"nothing in an inventory says {one.name}", one)

    def attribute(self, one: Function, pick: Callable[[str], Expr]) -> Expr:
        name = one.demands[0]
        assert one.attribute is not None
        if one.attribute == "cost":
            return self.of(name, pick(name), "cost")
        column, kind = self.columns.attribute(one.attribute, number=True)
        column_name = getattr(column, "name", None) or one.attribute
        number: Callable[[Expr], Expr] = (
            (lambda own: self.of(name, own, column_name))
            if kind == columns.NUMBER
            else lambda own: Fn("tonumber", (self.of(name, own, column_name),))
        )
        self.need(name, lambda own: Op("+", number(own), 0))
        return number(pick(name))

    def hpa_score(self, pick: Callable[[str], Expr]) -> Expr:
        """The score of HAS counts as less: the sum over all constraints and their demands, from a variable."""
        parts: list[Expr] = []
        for constraint, name in self.hpa():
            self.scored[constraint] = None
            score = attempt(Index(columns.lookup("scores", constraint), pick(name)), 0)
            parts.append(score)
        return Op("*", -1, joined("+", parts, 0))

    def of(self, demand: str, one: Expr, column: str) -> Expr:
        """A column of a demand's candidate."""
        return member(Index(member(local("drawn"), demand), one), column)

    def need(self, demand: str, known: Callable[[Expr], Expr]) -> None:
        found = self.needs.setdefault(demand, [])
        if all(str(known(var("x"))) != str(other(var("x"))) for other in found):
            found.append(known)


def known(values: list[Expr]) -> Expr:
    """Whether all values can be computed."""
    return joined("&&", [Fn("can", (one,)) for one in values])

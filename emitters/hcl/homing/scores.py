"""Decomposes the objective: the value that each candidate adds alone, and the terms of several demands.

Invariant: the parts add up to the value that `hot2tf home` reports, with lengths rounded as there.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple, final

from emitters.hcl.homing.expressions import IN_LOOP, ChosenCandidates, ExpressionPrinter
from emitters.hcl.homing.shorthand import ID, join_parts
from emitters.hcl.tree.nodes import Expr, Fn, Op
from transpile.homing import columns
from transpile.homing.expressions import Column, DistanceTo, Leaf, Sum, Term, Weighted, term_leaves

WITH_ID = ChosenCandidates(lambda demand: ID)
Around = Callable[[Expr], Expr]  # turns the value of a term into the amount that it adds to the objective


class JointTerm(NamedTuple):
    """A term of several demands. `write`: makes its value from the ids of the demands."""

    demands: tuple[str, ...]
    write: Callable[[Callable[[str], Expr]], Expr]


@final
class ObjectiveScores:
    """`alone`: by demand, the functions that write the amounts of its candidate `id`; `leaves`: by demand, the
    functions of its candidate whose value must be known.
    """

    def __init__(self, printer: ExpressionPrinter, term: Term | None, *, maximize: bool) -> None:
        self.printer, self.maximize = printer, maximize
        self.alone: dict[str, list[Callable[[], Expr]]] = {}
        self.together: list[JointTerm] = []
        self.constant: list[Expr] = []
        self.leaves: dict[str, dict[Leaf, None]] = {}
        if term is not None:
            self.add_term(term, lambda value: value)
            for leaf in term_leaves(term):
                if isinstance(leaf, DistanceTo) or (isinstance(leaf, Column) and leaf.name != columns.COST):
                    self.leaves.setdefault(str(leaf.of), {})[leaf] = None

    def add_term(self, term: Term, around: Around) -> None:
        """Decomposes a term."""
        printer = self.printer
        names = tuple(dict.fromkeys(str(leaf.of) for leaf in term_leaves(term)))
        inner = term.term if isinstance(term, Weighted) else term
        if isinstance(inner, Sum) and len(names) > 1:
            weight = printer.term(term.weight, IN_LOOP) if isinstance(term, Weighted) else None
            for operand in inner.terms:
                self.add_term(operand, around if weight is None else lambda value: around(Op("*", weight, value)))
        elif not names:
            self.constant.append(around(printer.term(term, IN_LOOP)))
        elif len(names) == 1:
            self.alone.setdefault(names[0], []).append(lambda: around(printer.term(term, WITH_ID)))
        else:
            self.together.append(JointTerm(names, lambda pick: around(printer.term(term, ChosenCandidates(pick)))))

    def known_test(self, demand: str) -> Expr | None:
        """The test whether the inventory has the facts about a candidate that the objective needs; None if it needs
        none.
        """
        for write in self.alone.get(demand, ()):
            write()  # declares the variables of its weights next to those of the demand's constraints
        tests: list[Expr] = []
        for leaf in self.leaves.get(demand, ()):
            value = self.printer.term(leaf, WITH_ID)
            tests.append(Fn("can", (Op("+", value, 0) if isinstance(leaf, Column) else value,)))
        return join_parts("&&", tests) if tests else None

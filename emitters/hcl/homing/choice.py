"""Writes the choice: the assignments of candidates to demands, and the best one, for each independent part of the
problem.

An assignment must meet all constraints. The best has the least value (or the largest), then the least total cost.
Among equals, the first in the order of the inventory wins, where the first demand counts most: the order of setproduct.

Invariant: setproduct is written only if it has at most LARGE elements, as far as this is known. A larger part has its
choice in the variable `chosen`; its default is computed by the solver, and HCL checks it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import NamedTuple, final

from emitters.hcl import namespace
from emitters.hcl.homing.expressions import ExpressionPrinter
from emitters.hcl.homing.scores import ObjectiveScores
from emitters.hcl.homing.shorthand import ID, join_parts, local_reference, member_of, round_to_grid, variable_reference
from emitters.hcl.tree.nodes import (
    Argument,
    Cond,
    Expr,
    Fn,
    ForObject,
    ForTuple,
    Index,
    Object,
    Op,
    Splat,
    Traversal,
    Tuple,
)
from transpile.homing.problem import PlacementConstraint

LARGE = 10_000  # assignments that Terraform lists
MANY = 4  # demands of a part whose size is not known, above which there is a warning
PICK, ONE = Traversal(("pick",)), Traversal(("one",))


class AssignmentPart(NamedTuple):
    """Demands that constraints or the objective connect. `label`: names its locals; `precomputed`: its choice is in the
    variable `chosen`.
    """

    demands: tuple[str, ...]
    label: str
    precomputed: bool = False


def split_parts(
    demands: Sequence[str], rows: Sequence[PlacementConstraint], scores: ObjectiveScores, too_large: Collection[str]
) -> list[AssignmentPart]:
    """The independent parts, in the order of the template. `too_large`: the first demands of those with more
    assignments than Terraform can list.
    """
    names = namespace.UniqueNames()
    groups = independent_groups(demands, rows, scores)
    labels = [names.reserve_name(namespace.snake_case(own[0])) if len(groups) > 1 else "all" for own in groups]
    return [AssignmentPart(own, label, own[0] in too_large) for own, label in zip(groups, labels, strict=True)]


def independent_groups(
    demands: Sequence[str], rows: Sequence[PlacementConstraint], scores: ObjectiveScores
) -> list[tuple[str, ...]]:
    """The sets of demands that neither constraints on pairs nor the objective connect."""
    part = {name: {name} for name in demands}
    related = [row.demands for row in rows if row.pair is not None]
    for names in [*related, *(term.demands for term in scores.together)]:
        for name in names[1:]:
            if part[name] is not part[names[0]]:
                part[names[0]] |= part[name]
                for other in part[name]:
                    part[other] = part[names[0]]
    unique = {id(own): own for own in part.values()}
    return [tuple([name for name in demands if name in own]) for own in unique.values()]


@final
class ChoiceLocals:
    """Writes the locals that make the choice. `rows`: the constraints that are to be met."""

    def __init__(
        self,
        printer: ExpressionPrinter,
        rows: Sequence[PlacementConstraint],
        scores: ObjectiveScores,
        parts: Sequence[AssignmentPart],
    ) -> None:
        self.printer, self.rows, self.scores, self.parts = printer, rows, scores, parts

    def score_expression(self) -> Expr:
        """The value that each remaining candidate adds to the objective."""
        entries: list[tuple[Expr, Expr]] = []
        for name, writers in self.scores.alone.items():
            value = join_parts("+", [write() for write in writers], 0)
            entries.append((name, ForObject(("id",), member_of(local_reference("left"), name), ID, value)))
        return Object(tuple(entries))

    def part_locals(self, part: AssignmentPart) -> Iterator[Argument]:
        """The locals of a part: its assignments, and the best of them."""
        numbers = {name: at for at, name in enumerate(part.demands)}

        def pick(name: str) -> Expr:
            return Index(PICK, numbers[name])

        tests: list[Expr] = []
        if part.precomputed:
            tests += [Fn("contains", (member_of(local_reference("left"), name), pick(name))) for name in part.demands]
        for row in self.rows:
            if row.demands[0] in numbers:
                tests += self.printer.pair_tests(row, pick)
        value: list[Expr] = [
            Index(member_of(local_reference("scores"), name), pick(name))
            for name in part.demands
            if name in self.scores.alone
        ]
        value += [term.write(pick) for term in self.scores.together if term.demands[0] in numbers]
        costs = [
            member_of(Index(member_of(local_reference("drawn"), name), pick(name)), "cost") for name in part.demands
        ]
        each = Object(
            (
                ("choice", Object(tuple([(name, pick(name)) for name in part.demands]))),
                ("value", round_to_grid(join_parts("+", value, 0)) if value else 0),
                ("cost", round_to_grid(join_parts("+", costs))),
            )
        )
        test = None if not tests else tests[0] if len(tests) == 1 else Fn("alltrue", (Tuple(tuple(tests)),))
        names, label = " and ".join(part.demands), part.label
        words = [f" Assignments of {names} that meet all constraints, and the best of them."]
        every = f"assignments_{label}"
        yield Argument(every, ForTuple(("pick",), self.part_product(part), each, test), comments=words)
        best = "max" if self.scores.maximize else "min"
        values = Splat(local_reference(every), ("value",))
        none = Op("==", Fn("length", (local_reference(every),)), 0)
        yield Argument(f"value_{label}", Cond(none, None, Fn(best, (values,), expand=True)))
        equal = Op("==", member_of(ONE, "value"), local_reference(f"value_{label}"))
        same = ForTuple(("one",), local_reference(every), ONE, equal)
        yield Argument(f"equals_{label}", same)
        least = Fn("min", (Splat(local_reference(f"equals_{label}"), ("cost",)),), expand=True)
        yield Argument(f"cost_{label}", Cond(none, None, least))
        cheapest = Op("==", member_of(ONE, "cost"), local_reference(f"cost_{label}"))
        first = Index(ForTuple(("one",), local_reference(f"equals_{label}"), member_of(ONE, "choice"), cheapest), 0)
        yield Argument(f"choice_{label}", Fn("try", (first, None)))

    def part_product(self, part: AssignmentPart) -> Expr:
        """All combinations of the remaining candidates of a part."""
        if part.precomputed:
            own = Tuple(tuple([member_of(variable_reference("chosen"), name) for name in part.demands]))
            return Tuple((own,))
        lists = [member_of(local_reference("left"), name) for name in part.demands]
        if len(lists) == 1:
            return ForTuple(("id",), lists[0], Tuple((ID,)))
        return Fn("setproduct", tuple(lists))

    def placement_expression(self) -> Iterator[Argument]:
        """The chosen candidate of each demand, and the value; null if there is no solution."""
        choices: list[Expr] = [local_reference(f"choice_{part.label}") for part in self.parts]
        values: list[Expr] = [local_reference(f"value_{part.label}") for part in self.parts]
        lacking = join_parts("||", [Op("==", choice, None) for choice in choices])
        merged = choices[0] if len(choices) == 1 else Fn("merge", tuple(choices))
        yield Argument("homed", merged if len(choices) == 1 else Cond(lacking, None, merged), comments=[" The answer."])
        total = join_parts("+", [*values, *self.scores.constant])
        yield Argument("value", total if total == values[0] else Fn("try", (total, None)))

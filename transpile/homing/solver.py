"""Solves a placement problem: filters the candidates of each demand, splits the demands into independent components,
and combines the best assignments of these.

Invariant: the result depends on the problem alone, unless it ran out of time, which it then says.
"""

from __future__ import annotations

import heapq
import time
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any, final

from transpile.homing import objective
from transpile.homing.component import RankedAssignment, SearchComponent
from transpile.homing.evaluation import RowEvaluator
from transpile.homing.expressions import SAME, Test, term_demands, term_leaves
from transpile.homing.narrowing import Assumption, DemandDomain, filter_candidates, undecided_pairs
from transpile.homing.network import BinaryRelation, ExclusiveGroups, SearchBudget, SearchStopped
from transpile.homing.problem import PlacementCandidate, PlacementProblem
from transpile.homing.relations import RelationBuilder, compared_column
from transpile.model.budget import Budget
from transpile.model.records import node, record

LAST, LAST_SECONDS = 100_000, 1.0  # work and seconds for finding any solution, after the search has stopped
ALIKE = 64  # demands of a component, beyond which finding interchangeable ones takes too long
MANY = 3  # demands that share a zone are searched zone by zone …
ZONES = 100  # … if there are not more


@final
@node
class PlacementSolution:
    """An assignment, its value (None without an objective), and the total cost of its candidates."""

    assignment: Mapping[str, PlacementCandidate]
    value: float | None
    cost: float


@final
@record
class PlacementAnswer:
    """The answer to a problem.

    `solutions`: the best first; `tie`: whether another assignment has the same value as the best one, None if that is
    not known; `proven`: whether the first solution is the best one (or whether there is none); `late`: whether the time
    limit was reached; `complete`: whether there are no more solutions than these, if they are fewer than asked for;
    `work`: units of work that the search took.
    """

    problem: PlacementProblem
    domains: Sequence[DemandDomain]
    assumptions: Sequence[Assumption]
    solutions: Sequence[PlacementSolution] = ()
    tie: bool | None = None
    proven: bool = True
    complete: bool = True
    late: bool = False
    work: int = 0

    @property
    def has_solution(self) -> bool:
        return bool(self.solutions)


@final
class PlacementSolver:
    """A problem that is being solved: the domain of each demand, and the components of the constraint graph."""

    def __init__(self, problem: PlacementProblem, work: SearchBudget, budget: Budget) -> None:
        self.problem, self.work = problem, work
        self.domains, self.assumptions = filter_candidates(problem, None, budget)
        self.evaluator = RowEvaluator(problem, budget)
        undecided = undecided_pairs(problem, problem.constraints, self.evaluator)
        self.pairs = [
            (constraint.pair, constraint.demands)
            for constraint in problem.constraints
            if constraint.pair is not None and constraint.name not in undecided
        ]
        self.impossible = False
        self.numbers = {domain.demand.name: at for at, domain in enumerate(self.domains)}
        self.components: list[tuple[list[int], SearchComponent]] = []
        self.optima: list[RankedAssignment] = []  # the best assignment of each component

    def prepare_components(self) -> None:
        """Builds the constraint graph and splits it into components, unless a demand has no candidate left. Raises
        SearchStopped.

        A constraint on many demands becomes one relation for each pair of them, in both directions. Terms of the
        objective with several demands connect these, too.
        """
        if self.impossible or not all(domain.candidates for domain in self.domains):
            self.impossible = True
            return
        candidates = {domain.demand.name: domain.candidates for domain in self.domains}
        related = RelationBuilder([domain.candidates for domain in self.domains], self.work, self.evaluator)
        total = len(self.domains)
        relations: list[dict[int, list[BinaryRelation]]] = [{} for _ in range(total)]
        groups: dict[Any, set[tuple[int, int]]] = {}
        makers: dict[Any, Test] = {}
        for test, demands in self.pairs:
            numbers = [self.numbers[name] for name in demands]
            kind = related.exclusive_groups(test, ())
            if kind is not None:
                makers.setdefault(kind[0], test)
            for at, variable in enumerate(numbers):
                for other in numbers[at + 1 :]:
                    for first, second, reverse in ((variable, other, False), (other, variable, True)):
                        rows = related.build_relation(test, first, second, reverse=reverse)
                        if rows not in relations[first].setdefault(second, []):
                            relations[first][second].append(rows)
                    if kind is not None:
                        groups.setdefault(kind[0], set()).add((min(variable, other), max(variable, other)))
        parts = objective.decompose_objective(self.problem, candidates, self.evaluator.budget, self.work)
        ties = [sorted({self.numbers[name] for name in term_demands(term)}) for _, term in parts.joint_terms]
        for members in connected_components(relations, ties):
            self.components.append((members, self.build_component(members, parts, relations, groups, makers, related)))

    def build_component(
        self,
        members: list[int],
        parts: objective.ObjectiveParts,
        relations: Sequence[Mapping[int, Sequence[BinaryRelation]]],
        groups: Mapping[Any, set[tuple[int, int]]],
        makers: Mapping[Any, Test],
        related: RelationBuilder,
    ) -> SearchComponent:
        """The component of some demands, in which they have the numbers from 0 on. `groups`: by kind of exclusive
        group, the pairs of demands that may not share one; `makers`: a test for each kind.
        """
        place = {number: at for at, number in enumerate(members)}
        values, costs = [], []
        for number in members:
            own = self.domains[number]
            costs.append([candidate.cost for candidate in own.candidates])
            values.append(parts.unary_values.get(own.demand.name) or [Fraction(0)] * len(own.candidates))
        inside = [{place[other]: rows for other, rows in relations[number].items()} for number in members]
        exclusive = []
        for kind, edges in groups.items():
            for clique in cover_by_cliques({edge for edge in edges if edge[0] in place}):
                made = related.exclusive_groups(makers[kind], clique)
                assert made is not None
                exclusive.append(ExclusiveGroups(tuple([place[number] for number in clique]), made[1]))
        terms = [(f, t) for f, t in parts.joint_terms if self.numbers[min(term_demands(t))] in place]
        tables = {
            leaf: (place[self.numbers[str(leaf.of)]], parts.tables[leaf])
            for _, term in terms
            for leaf in term_leaves(term)
        }
        alike = [] if terms else self.find_symmetric_demands(members, values, inside)
        shared = self.find_shared_zones(place, related)
        return SearchComponent(values, costs, inside, exclusive, self.work, terms, tables, alike, shared)

    def find_shared_zones(self, place: Mapping[int, int], related: RelationBuilder) -> ExclusiveGroups | None:
        """The largest set of demands that must share a zone, with the zones of their candidates, if these are not too
        many.
        """
        shared = []
        for test, demands in self.pairs:
            numbers = [self.numbers[name] for name in demands if self.numbers[name] in place]
            if (column := compared_column(test, SAME)) is not None and len(numbers) >= MANY:
                shared.append((numbers, column))
        if not shared:
            return None
        numbers, column = max(shared, key=lambda each: len(each[0]))
        zones = tuple([related.zone_numbers(column, number) for number in numbers])
        if len({zone for own in zones for zone in own}) > ZONES:
            return None
        return ExclusiveGroups(tuple([place[number] for number in numbers]), zones)

    def find_symmetric_demands(
        self,
        members: list[int],
        values: Sequence[Sequence[Fraction]],
        inside: Sequence[Mapping[int, Sequence[BinaryRelation]]],
    ) -> list[list[int]]:
        """Groups of interchangeable demands: they have the same candidates, values and relations to all others."""
        if len(members) > ALIKE:
            return []
        classes: list[list[int]] = []
        for at, number in enumerate(members):
            for group in classes:
                first = group[0]
                if (
                    self.domains[number].candidates == self.domains[members[first]].candidates
                    and values[at] == values[first]
                    and all(are_symmetric(inside, other, at) for other in group)
                ):
                    group.append(at)
                    break
            else:
                classes.append([at])
        return [group for group in classes if len(group) > 1]

    def enumerate_solutions(self) -> Iterator[tuple[RankedAssignment, ...]]:
        """All solutions, the best first, each as the assignments of the components. Raises SearchStopped.

        The components are independent, so a solution is one assignment of each. A heap goes through the combinations in
        the order of their sums: the successors of a solution take the next assignment in one component.
        """
        if self.impossible:
            return
        streams = [AssignmentStream(part) for _, part in self.components]
        heads = [stream.nth_assignment(0) for stream in streams]
        start = (0,) * len(streams)
        self.optima = [head for head in heads if head is not None]
        if len(self.optima) < len(heads):
            return
        heap = [(self.solution_key(streams, start), start)]
        seen = {start}
        while heap:
            _, at = heapq.heappop(heap)
            yield tuple([stream.assignments[i] for stream, i in zip(streams, at, strict=True)])
            for number, stream in enumerate(streams):
                following = (*at[:number], at[number] + 1, *at[number + 1 :])
                if following not in seen and stream.nth_assignment(at[number] + 1) is not None:
                    seen.add(following)
                    heapq.heappush(heap, (self.solution_key(streams, following), following))

    def solution_key(
        self, streams: Sequence[AssignmentStream], at: Sequence[int]
    ) -> tuple[Fraction, Fraction, tuple[int, ...]]:
        """Returns the key for comparing solutions: the sums of values and costs, then the order of the inventory."""
        value, cost, chosen = Fraction(0), Fraction(0), [0] * len(self.domains)
        for (members, _), stream, number in zip(self.components, streams, at, strict=True):
            ranked = stream.assignments[number]
            value += ranked.value
            cost += ranked.cost
            for member, choice in zip(members, ranked.choices, strict=True):
                chosen[member] = choice
        return value, cost, tuple(chosen)

    def build_solution(self, component_assignments: Sequence[RankedAssignment]) -> PlacementSolution:
        """The solution that consists of an assignment of each component."""
        chosen = {}
        for (members, _), ranked in zip(self.components, component_assignments, strict=True):
            for member, choice in zip(members, ranked.choices, strict=True):
                chosen[member] = self.domains[member].candidates[choice]
        assignment = {domain.demand.name: chosen[at] for at, domain in enumerate(self.domains)}
        return PlacementSolution(
            assignment,
            objective.assignment_value(self.problem, assignment, self.evaluator.budget),
            float(sum(candidate.cost for candidate in assignment.values())),
        )


@final
class AssignmentStream:
    """The assignments of a component, the best first, computed when they are asked for, and kept."""

    def __init__(self, part: SearchComponent) -> None:
        self.part, self.rest = part, part.enumerate_best()
        self.assignments: list[RankedAssignment] = []

    def nth_assignment(self, number: int) -> RankedAssignment | None:
        """An assignment by its rank, from 0; None if there are fewer."""
        while len(self.assignments) <= number:
            ranked = next(self.rest, None)
            if ranked is None:
                return None
            self.assignments.append(ranked)
        return self.assignments[number]


def solve_problem(
    problem: PlacementProblem,
    *,
    budget: Budget,
    top: int = 1,
    nodes: int = 2_000_000,
    seconds: float | None = None,
) -> PlacementAnswer:
    """The best `top` solutions of a problem. `nodes`: units of work for the search; `seconds`: how long it may take."""
    work = SearchBudget(nodes, None if seconds is None else time.monotonic() + seconds)
    solver = PlacementSolver(problem, work, budget)
    answer = PlacementAnswer(problem, solver.domains, solver.assumptions)
    solutions: list[PlacementSolution] = []
    used: dict[str, set[str]] = {demand.name: set() for demand in problem.demands if demand.unique}
    try:
        solver.prepare_components()
        for component_assignments in solver.enumerate_solutions():
            solution = solver.build_solution(component_assignments)
            if any(solution.assignment[name].id in ids for name, ids in used.items()):
                continue
            solutions.append(solution)
            for name, ids in used.items():
                ids.add(solution.assignment[name].id)
            if len(solutions) >= top:
                break
    except (SearchStopped, RecursionError):
        answer.proven, answer.late = bool(solutions), work.late
        answer.complete = False
        solutions = solutions or incumbent_solutions(solver)
    if answer.proven and solutions:
        try:
            answer.tie = any(
                part.has_tie(part_best) for (_, part), part_best in zip(solver.components, solver.optima, strict=True)
            )
        except (SearchStopped, RecursionError):
            answer.late = work.late
    answer.solutions = solutions
    answer.work = work.used
    return answer


def incumbent_solutions(solver: PlacementSolver) -> list[PlacementSolution]:
    """The best solution so far, if each component has one: its incumbent, or else any assignment that is found soon."""
    assignments = []
    for _, part in solver.components:
        if part.incumbent is None:
            part.work.left = LAST
            if part.work.deadline is not None:
                part.work.deadline = time.monotonic() + LAST_SECONDS
            try:
                part.incumbent = part.find_any()
            except (SearchStopped, RecursionError):
                return []
        if part.incumbent is None:
            return []
        assignments.append(part.incumbent)
    return [solver.build_solution(assignments)] if assignments else []


def are_symmetric(inside: Sequence[Mapping[int, Sequence[BinaryRelation]]], variable: int, other: int) -> bool:
    """Whether two demands have the same relations to all others, and to each other in both directions.
    `RelationBuilder` makes equal relations the same object, so identity is enough.
    """
    first, second = inside[variable], inside[other]
    if set(first) - {other} != set(second) - {variable}:
        return False
    if other in first and not same_relations(first[other], second[variable]):
        return False
    return all(same_relations(first[k], second[k]) for k in first if k != other)


def same_relations(relations: Sequence[BinaryRelation], other: Sequence[BinaryRelation]) -> bool:
    return {id(rows) for rows in relations} == {id(rows) for rows in other}


def connected_components(relations: Sequence[Mapping[int, object]], ties: Sequence[Sequence[int]]) -> list[list[int]]:
    """The connected components of a graph, in order. `relations`: its edges; `ties`: sets of nodes that belong
    together.
    """
    near: list[set[int]] = [set(neighbours) for neighbours in relations]
    for tie in ties:
        for member in tie:
            near[member].update(tie)
    left, components = dict.fromkeys(range(len(near))), []
    while left:
        stack, part = [next(iter(left))], []
        del left[stack[0]]
        while stack:
            member = stack.pop()
            part.append(member)
            for other in sorted(near[member]):
                if other in left:
                    del left[other]
                    stack.append(other)
        components.append(sorted(part))
    return components


def cover_by_cliques(edges: set[tuple[int, int]]) -> Iterator[tuple[int, ...]]:
    """Cliques of a graph such that each edge is in one of them. They are chosen greedily, so there may be fewer."""
    near: dict[int, set[int]] = {}
    for first, other in edges:
        near.setdefault(first, set()).add(other)
        near.setdefault(other, set()).add(first)
    left = set(edges)
    for edge in sorted(edges):
        if edge not in left:
            continue
        clique, common = list(edge), near[edge[0]] & near[edge[1]]
        while common:
            first = min(common)
            clique.append(first)
            common &= near[first]
        left -= {(min(a, b), max(a, b)) for a in clique for b in clique if a != b}
        yield tuple(sorted(clique))

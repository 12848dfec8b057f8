"""Finds the assignments of one connected component of the constraint graph, the best first.

Assignments are compared lexicographically: by their value, then by the total cost of their candidates, then by the
order of the inventory. If each demand adds to the value on its own, the three are combined into one integer cost for
each candidate, and `BranchAndBound` minimizes the sum. If the objective has terms of several demands (`distance(a) *
distance(b)`), no such costs exist: then `JointTermSearch` first minimizes the value, and then the tie breaks among the
assignments that have it.

Invariant: the order is total. No two assignments compare equal, so there is exactly one best assignment.
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import NamedTuple, final

from transpile.homing import bounds, objective
from transpile.homing.expressions import Leaf, Maximum, Minimum, Term, term_leaves
from transpile.homing.network import (
    BinaryRelation,
    ConstraintGraph,
    ExclusiveGroups,
    SearchBudget,
    SearchStopped,
    domain_choices,
)
from transpile.homing.relations import OrderRelation
from transpile.homing.search import BranchAndBound

GRID = 2**512  # values with larger denominators are rounded to this


class RankedAssignment(NamedTuple):
    """An assignment with the keys of its order. `choices`: for each variable the number of its candidate.

    The order of the fields is the order of comparison, so tuples compare as assignments do.
    """

    value: Fraction
    cost: Fraction
    choices: tuple[int, ...]


@final
class SearchComponent:
    """One component. Its variables are its demands, by number, and the domain of a variable is a bit mask of
    candidates.

    `values[i][c]`, `costs[i][c]`: the share of candidate c of variable i in the value and in the cost. `terms`: the
    terms of the objective that depend on several variables, each with its factor; `tables`: for each function in them
    its variable and its value for each candidate. `alike`: groups of variables that are interchangeable. `shared`:
    variables that must all be in the same zone.
    """

    def __init__(
        self,
        values: Sequence[Sequence[Fraction]],
        costs: Sequence[Sequence[Fraction]],
        relations: Sequence[Mapping[int, Sequence[BinaryRelation]]],
        exclusive: Sequence[ExclusiveGroups],
        work: SearchBudget,
        terms: Sequence[tuple[Fraction, Term]] = (),
        tables: Mapping[Leaf, tuple[int, Sequence[Fraction]]] | None = None,
        alike: Sequence[Sequence[int]] = (),
        shared: ExclusiveGroups | None = None,
    ) -> None:
        self.values, self.costs, self.work, self.terms, self.tables = values, costs, work, terms, tables or {}
        self.sizes = [len(row) for row in costs]
        self.domains = [(1 << size) - 1 for size in self.sizes]
        self.graph = ConstraintGraph(self.sizes, relations, exclusive, work)
        self.symmetric, self.shared_zones = alike, shared
        self.tie_breaks, self.unit = self.tie_break_costs()
        self.composite = self.composite_costs() if not terms else self.tie_breaks
        self.bottleneck = self.bottleneck_values()
        self.incumbent: RankedAssignment | None = None
        self.orders: dict[int, list[int]] = {}
        self.support_classes: dict[int, list[tuple[object, ...]]] = {}

    def tie_break_costs(self) -> tuple[list[list[int]], int]:
        """The cost and the order of the inventory as one integer for each candidate, and a number larger than any sum.

        Each position of the inventory order is a digit of a mixed-radix number, so comparing sums compares digits from
        the first variable on.
        """
        costs = scale_to_integers(self.costs)
        costs = [[cost - min(own) for cost in own] for own in costs]
        places, place = [], 1
        for size in reversed(self.sizes):
            places.append(place)
            place *= size
        places.reverse()
        combined = [
            [cost * place + at * rank for at, cost in enumerate(own)] for own, rank in zip(costs, places, strict=True)
        ]
        return combined, sum(max(own) for own in combined) + 1

    def composite_costs(self) -> list[list[int]]:
        """The value, the cost and the order of the inventory as one integer for each candidate: a sum is compared by
        all.
        """
        values = scale_to_integers(self.values)
        return [
            [value * self.unit + rest for value, rest in zip(*both, strict=True)]
            for both in zip(values, self.tie_breaks, strict=True)
        ]

    def rank_assignment(self, assignment: Sequence[int]) -> RankedAssignment:
        """The assignment with its exact value and cost."""
        value = sum((own[at] for own, at in zip(self.values, assignment, strict=True)), Fraction(0))
        for factor, term in self.terms:
            value += factor * objective.exact_value(
                term, lambda leaf: self.tables[leaf][1][assignment[self.tables[leaf][0]]]
            )
        cost = sum((own[at] for own, at in zip(self.costs, assignment, strict=True)), Fraction(0))
        return RankedAssignment(value, cost, tuple(assignment))

    def remove_dominated(self, variable: int, domain: int) -> int:
        """The domain without dominated candidates: those for which a cheaper candidate supports the same choices of
        every other variable (the same support class in each relation). The best assignment never needs them.
        """
        if variable not in self.orders:
            own = self.composite[variable]
            self.orders[variable] = sorted(range(len(own)), key=own.__getitem__)
            # the same relation object serves several neighbours: asking each once is enough
            rows = list(
                {
                    id(relation): relation for every in self.graph.relations[variable].values() for relation in every
                }.values()
            )
            self.support_classes[variable] = [
                tuple([relation.support_class(at) for relation in rows]) for at in range(len(own))
            ]
        seen, kept, kinds = set(), 0, self.support_classes[variable]
        for at in self.orders[variable]:
            if domain >> at & 1 and kinds[at] not in seen:
                seen.add(kinds[at])
                kept |= 1 << at
        return kept

    def find_best(self, domains: Sequence[int], below: int | None = None) -> RankedAssignment | None:
        """The best assignment within domains. Raises SearchStopped; then `incumbent` may have the best one so far."""
        if self.terms:
            return self.solve_joint_terms(list(domains))
        return self.branch_and_bound(self.graph, domains, below)

    def find_optimum(self) -> RankedAssignment | None:
        """The best assignment. Symmetry breaking: of interchangeable variables, each one may only have a candidate that
        is not before that of the previous one. The other orders are permutations of it, and equally good.
        """
        if self.terms or not self.symmetric:
            return self.find_best(self.domains)
        relations: list[dict[int, Sequence[BinaryRelation]]] = [dict(row) for row in self.graph.relations]
        for group in self.symmetric:
            for at, variable in enumerate(group):
                for other in group[at + 1 :]:
                    size = self.sizes[variable]
                    relations[variable][other] = [*relations[variable].get(other, ()), OrderRelation(size, later=True)]
                    relations[other][variable] = [*relations[other].get(variable, ()), OrderRelation(size, later=False)]
        net = ConstraintGraph(self.sizes, relations, self.graph.exclusive, self.work)
        return self.branch_and_bound(net, self.domains, None)

    def branch_and_bound(
        self, net: ConstraintGraph, domains: Sequence[int], below: int | None
    ) -> RankedAssignment | None:
        """The best assignment whose sum of costs is below a bound. If many demands share a zone, each zone is a search
        of its own, the most promising first: inside one zone the lower bounds are much tighter.
        """
        every = range(len(self.sizes))
        best: RankedAssignment | None = None
        for bound, own in self.split_by_zone(domains):
            if below is not None and bound >= below:
                break
            try:
                better = BranchAndBound(net, self.composite, own, every).find_best(below)
            except SearchStopped as e:
                rest = e.best[1] if e.best is not None else {}
                self.incumbent = self.rank_assignment([rest[i] for i in every]) if rest else best
                raise
            if better is not None:
                below, best = better[0], self.rank_assignment([better[1][i] for i in every])
        return best

    def split_by_zone(self, domains: Sequence[int]) -> list[tuple[int, list[int]]]:
        """Domains that partition the assignments, each with its lower bound, the lowest first."""
        split = [list(domains)]
        if self.shared_zones is not None:
            split = []
            for masks in self.zone_masks():
                split.append([domain & masks.get(i, domain) for i, domain in enumerate(domains)])
        pieces = []
        for number, piece in enumerate(split):
            if all(piece):
                own = [self.remove_dominated(i, domain) for i, domain in enumerate(piece)]
                bound = sum(
                    [min([self.composite[i][c] for c in domain_choices(domain)]) for i, domain in enumerate(own)]
                )
                pieces.append((bound, number, own))
        return [(bound, own) for bound, _, own in sorted(pieces)]

    def zone_masks(self) -> list[dict[int, int]]:
        """For each zone: by variable, the candidates that are in it."""
        assert self.shared_zones is not None
        masks: dict[int, dict[int, int]] = {}
        for i, zones in zip(self.shared_zones.variables, self.shared_zones.groups, strict=True):
            for at, zone in enumerate(zones):
                own = masks.setdefault(zone, {})
                own[i] = own.get(i, 0) | 1 << at
        return [{i: own.get(i, 0) for i in self.shared_zones.variables} for own in masks.values()]

    def enumerate_best(self, start: RankedAssignment | None = None) -> Iterator[RankedAssignment]:
        """All assignments, the best first (k-best by Lawler 1972). `start`: the best one, if the caller has it.

        After an assignment is yielded, those that are left in its subproblem are split by the first variable in which
        they differ from it, so that each of them is in exactly one new subproblem. Variables before `fixed` are the
        same in a whole subproblem.
        """
        start = start or self.find_optimum()
        heap = [(start, list(self.domains), 0)] if start is not None else []
        while heap:
            ranked, domains, fixed = heapq.heappop(heap)
            yield ranked
            for at in range(fixed, len(self.sizes)):
                rest = list(domains)
                for before in range(at):
                    rest[before] = 1 << ranked.choices[before]
                rest[at] &= ~(1 << ranked.choices[at])
                other = self.find_best(rest)
                if other is not None:
                    heapq.heappush(heap, (other, rest, at))

    def has_tie(self, best: RankedAssignment) -> bool:
        """Whether another assignment has the same value as the best one. Raises SearchStopped."""
        if self.has_equal_neighbour(best) or any(len({best.choices[i] for i in group}) > 1 for group in self.symmetric):
            return True
        if self.terms:
            return next((ranked.value == best.value for ranked in self.assignments_after(best)), False)
        # an integer division by the unit leaves the value alone, without the tie breaks
        below = sum(own[at] // self.unit for own, at in zip(self.composite, best.choices, strict=True)) + 1
        for at, choice in enumerate(best.choices):
            rest = [1 << earlier for earlier in best.choices[:at]] + self.domains[at:]
            rest[at] &= ~(1 << choice)
            if self.find_best(rest, below * self.unit) is not None:
                return True
        return False

    def assignments_after(self, best: RankedAssignment) -> Iterator[RankedAssignment]:
        """The assignments after the best one."""
        every = self.enumerate_best(best)
        next(every)
        return every

    def has_equal_neighbour(self, best: RankedAssignment) -> bool:
        """Whether changing one variable alone gives an allowed assignment of the same value: a cheap test before a
        search.
        """
        for i, choice in enumerate(best.choices):
            domain = self.domains[i] & ~(1 << choice)
            for j, other in enumerate(best.choices):
                if i in self.graph.relations[j]:
                    domain &= self.graph.supports(j, other, i)
            for at in domain_choices(domain):
                if self.values[i][at] == self.values[i][choice] and (
                    not self.terms
                    or self.rank_assignment([*best.choices[:i], at, *best.choices[i + 1 :]]).value == best.value
                ):
                    return True
        return False

    def find_any(self) -> RankedAssignment | None:
        """Any allowed assignment. Without prices of groups, which only an optimum needs. Raises SearchStopped."""
        if not self.groups_suffice():
            return None
        net = ConstraintGraph(self.sizes, self.graph.relations, (), self.work)
        assignment = BranchAndBound(net, self.tie_breaks, self.domains, range(len(self.sizes))).find_any()
        return None if assignment is None else self.rank_assignment([assignment[1][i] for i in range(len(self.sizes))])

    def groups_suffice(self) -> bool:
        """Whether exclusive groups allow an assignment: a matching that gives each of their variables a group of its
        own. A search would try all assignments of 19 groups to 20 variables before it knows.
        """
        free = {i: [0] * size for i, size in enumerate(self.sizes)}
        return all(
            bounds.compute_group_prices(each.variables, each.groups, free, self.domains, self.work) is not None
            for each in self.graph.exclusive
        )

    # objectives with terms of several variables

    def bottleneck_values(self) -> list[list[Fraction]] | None:
        """Returns the share of each candidate, if the objective is a bottleneck: the maximum of terms of one variable
        each (`minimize max(distance(a), distance(b))`). None for another objective.
        """
        if len(self.terms) != 1 or any(any(own) for own in self.values):
            return None
        factor, term = self.terms[0]
        if not isinstance(term, Maximum if factor > 0 else Minimum):
            return None
        values_by_variable: list[list[Fraction]] = [[] for _ in self.sizes]
        for operand in term.terms:
            own = {self.tables[leaf][0] for leaf in term_leaves(operand)}
            if len(own) != 1:
                return None
            (i,) = own
            brings = [factor * self.unary_term_value(operand, at) for at in range(self.sizes[i])]
            values_by_variable[i] = [max(both) for both in zip(brings, values_by_variable[i] or brings, strict=True)]
        return values_by_variable

    def unary_term_value(self, term: Term, choice: int) -> Fraction:
        """The value of a term that depends on one variable, for one of its candidates."""
        return objective.exact_value(term, lambda leaf: self.tables[leaf][1][choice])

    def solve_bottleneck(self, brings: Sequence[Sequence[Fraction]], domains: list[int]) -> RankedAssignment | None:
        """The best assignment for a bottleneck objective: a binary search for the least level at which some assignment
        exists, then the tie breaks among the candidates below that level.
        """
        levels = sorted({value for own in brings for value in own})
        low, high, best = 0, len(levels), None
        while low < high:
            middle = (low + high) // 2
            within = self.cap_domains(brings, levels[middle], domains)
            assignment = self.find_within(within)
            if assignment is None:
                low = middle + 1
            else:
                high, best = middle, within
                self.incumbent = self.rank_assignment(assignment)
        return None if best is None else self.branch_and_bound(self.graph, best, None)

    def cap_domains(self, brings: Sequence[Sequence[Fraction]], most: Fraction, domains: list[int]) -> list[int]:
        """The domains without the candidates that contribute more than a level."""
        return [
            domain & sum([1 << at for at, value in enumerate(own) if value <= most]) if own else domain
            for own, domain in zip(brings, domains, strict=True)
        ]

    def find_within(self, domains: Sequence[int]) -> list[int] | None:
        """Any allowed assignment within domains."""
        every = range(len(self.sizes))
        search = BranchAndBound(
            self.graph, self.tie_breaks, [self.remove_dominated(i, domains[i]) for i in every], every
        )
        assignment = search.find_any() if all(search.domains) and search.update_prices() else None
        return None if assignment is None else [assignment[1][i] for i in every]

    def solve_joint_terms(self, domains: list[int]) -> RankedAssignment | None:
        """The best assignment for an objective with terms of several variables. Raises SearchStopped."""
        if not all(domains):
            return None
        if self.bottleneck is not None:
            return self.solve_bottleneck(self.bottleneck, domains)
        search = JointTermSearch(self)
        try:
            search.minimize_value(list(range(len(self.sizes))), domains)
            if search.value is None:
                return None
            search.minimize_tie_break(list(range(len(self.sizes))), domains, 0)
        except SearchStopped:
            if search.assignment is not None:
                self.incumbent = self.rank_assignment(search.assignment)
            raise
        assert search.assignment is not None
        return self.rank_assignment(search.assignment)


@final
class JointTermSearch:
    """A depth-first branch and bound for terms of several variables. Its lower bounds come from interval arithmetic:
    each function of a term has the least and the largest value that its domain still allows.
    """

    def __init__(self, part: SearchComponent) -> None:
        self.part = part
        self.value: Fraction | None = None
        self.tie_break: int | None = None
        self.assignment: list[int] | None = None
        self.leaf_orders = {
            leaf: sorted(range(len(table)), key=table.__getitem__) for leaf, (_, table) in part.tables.items()
        }
        self.value_orders = [sorted(range(len(row)), key=row.__getitem__) for row in part.values]
        self.tie_break_orders = [sorted(range(len(row)), key=row.__getitem__) for row in part.tie_breaks]

    def lower_bound(self, domains: Sequence[int]) -> Fraction:
        """A value that no assignment within the domains is below."""
        part = self.part

        def ends(leaf: Leaf) -> tuple[Fraction, Fraction]:
            variable, table = part.tables[leaf]
            domain, order = domains[variable], self.leaf_orders[leaf]
            low = next(at for at in order if domain >> at & 1)
            return table[low], table[next(at for at in reversed(order) if domain >> at & 1)]

        total = Fraction(0)
        for variable, own in enumerate(part.values):
            total += own[next(at for at in self.value_orders[variable] if domains[variable] >> at & 1)]
        for factor, term in part.terms:
            least, most = objective.term_interval(term, ends)
            total += min(factor * least, factor * most)
        return total

    def tie_break_bound(self, domains: Sequence[int]) -> int:
        """A sum of tie breaks that no assignment within the domains is below."""
        return sum(
            own[next(at for at in self.tie_break_orders[variable] if domains[variable] >> at & 1)]
            for variable, own in enumerate(self.part.tie_breaks)
        )

    def minimize_value(self, todo: list[int], domains: list[int]) -> None:
        """Searches below a node for assignments of a lower value. `todo`: the variables without a choice."""
        if not todo:
            value = self.lower_bound(domains)
            if self.value is None or value < self.value:
                self.value, self.assignment = value, [domain.bit_length() - 1 for domain in domains]
            return
        for _, left, rest in self.branch_nodes(todo, domains, lambda left: (self.lower_bound(left), 0)):
            if self.value is None or self.lower_bound(left) < self.value:
                self.minimize_value(rest, left)

    def minimize_tie_break(self, todo: list[int], domains: list[int], depth: int) -> None:
        """Searches below a node for assignments that have the least value, and better tie breaks."""
        assert self.value is not None
        if not todo:
            rest = self.tie_break_bound(domains)
            if self.tie_break is None or rest < self.tie_break:
                self.tie_break, self.assignment = rest, [domain.bit_length() - 1 for domain in domains]
            return
        if depth == 0:  # most candidates cannot reach the least value; removing them once makes the search small
            domains = [self.choices_reaching_minimum(domains, variable) for variable in range(len(domains))]
        for key, left, rest_ in self.branch_nodes(
            todo, domains, lambda left: (Fraction(self.tie_break_bound(left)), 0)
        ):
            if self.lower_bound(left) <= self.value and (self.tie_break is None or key[0] < self.tie_break):
                self.minimize_tie_break(rest_, left, depth + 1)

    def choices_reaching_minimum(self, domains: list[int], variable: int) -> int:
        """The choices of a variable whose lower bound does not exceed the least value."""
        assert self.value is not None
        reachable = 0
        for choice in domain_choices(domains[variable]):
            self.part.work.spend_nodes()
            trial = list(domains)
            trial[variable] = 1 << choice
            if self.lower_bound(trial) <= self.value:
                reachable |= 1 << choice
        return reachable

    def branch_nodes(
        self, todo: list[int], domains: list[int], key: object
    ) -> Iterator[tuple[tuple[Fraction, int], list[int], list[int]]]:
        """The children that survive forward checking, the lowest key first: key, domains and open variables."""
        assert callable(key)
        chosen = min(todo, key=lambda i: (domains[i].bit_count(), i))
        rest = [i for i in todo if i != chosen]
        nodes = []
        for choice in domain_choices(domains[chosen]):
            self.part.work.spend_nodes()
            left = list(domains)
            left[chosen] = 1 << choice
            if self.part.graph.forward_check(left, chosen, choice, rest):
                nodes.append((key(left), choice, left))
        nodes.sort(key=lambda node: node[:2])
        for order, _, left in nodes:
            yield order, left, rest


def scale_to_integers(rows: Sequence[Sequence[Fraction]]) -> list[list[int]]:
    """Fractions as integers, scaled by their common denominator. If that is huge, by `GRID`, which rounds them."""
    scale = 1
    for row in rows:
        for denominator in {value.denominator for value in row}:
            scale = math.lcm(scale, denominator)
            if scale > GRID:
                return [[round(value * GRID) for value in row] for row in rows]
    return [[value.numerator * (scale // value.denominator) for value in row] for row in rows]

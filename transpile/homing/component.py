"""One independent part of a problem: its best assignment, and the next ones after it.

An assignment is better if its value is less, then if the total cost of its candidates is less, then if it comes first
in the order of the inventory. All three are one number if each demand adds to the value on its own. Else (products,
min and max of several demands) the least value is found first, and the rest among the assignments that have it.

Invariant: of two assignments one is better, so there is one best one.
"""

from __future__ import annotations

import heapq
import math
from fractions import Fraction
from typing import TYPE_CHECKING, NamedTuple, final

from transpile.homing import objective
from transpile.homing.network import ConstraintGraph, SearchStopped, domain_choices
from transpile.homing.problem import MaxTerm, MinTerm
from transpile.homing.relations import OrderRelation
from transpile.homing.search import BranchAndBound

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from transpile.homing.network import BinaryRelation, ExclusiveGroups, SearchBudget
    from transpile.homing.objective import Leaf
    from transpile.homing.problem import Term

GRID = 2**512  # values with larger denominators are rounded to this


class RankedAssignment(NamedTuple):
    """An assignment of a part and what it is compared by: `choices` has the number of a candidate for each demand."""

    value: Fraction
    cost: Fraction
    choices: tuple[int, ...]


@final
class SearchComponent:
    """`values[i]`, `costs[i]`: what each candidate of demand i adds; `terms`: the rest of the value, with the demand
    and the values of each of its functions in `tables`; `alike`: demands that could change places; `shared`: demands
    that all have the same zone.
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
        """Costs, then the order of the inventory, as one number for each candidate; and what exceeds their sum."""
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
        """Values, then costs, then the order of the inventory, as one number for each candidate."""
        values = scale_to_integers(self.values)
        return [
            [value * self.unit + rest for value, rest in zip(*both, strict=True)]
            for both in zip(values, self.tie_breaks, strict=True)
        ]

    def rank_assignment(self, assignment: Sequence[int]) -> RankedAssignment:
        """An assignment with what it is compared by."""
        value = sum((own[at] for own, at in zip(self.values, assignment, strict=True)), Fraction(0))
        for factor, term in self.terms:
            value += factor * objective.exact_value(
                term, lambda leaf: self.tables[leaf][1][assignment[self.tables[leaf][0]]]
            )
        cost = sum((own[at] for own, at in zip(self.costs, assignment, strict=True)), Fraction(0))
        return RankedAssignment(value, cost, tuple(assignment))

    def remove_dominated(self, variable: int, domain: int) -> int:
        """A domain without candidates that are related to others as a better one is."""
        if variable not in self.orders:
            own = self.composite[variable]
            self.orders[variable] = sorted(range(len(own)), key=own.__getitem__)
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
        """The best assignment within domains. Raises Stop; then `so_far` may have one."""
        if self.terms:
            return self.solve_joint_terms(list(domains))
        return self.branch_and_bound(self.graph, domains, below)

    def find_optimum(self) -> RankedAssignment | None:
        """The best assignment. It does not matter which of several demands that are alike has which candidate, so the
        search goes through one order of them only.
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
        """The best assignment whose costs are below a bound. If many demands share a zone, each zone is searched by
        itself, the most promising first, because bounds are better there.
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
        """Domains that together have all assignments, with the least that each can cost, in its order."""
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
        """For each zone, the candidates of the demands that share one which are in it."""
        assert self.shared_zones is not None
        masks: dict[int, dict[int, int]] = {}
        for i, zones in zip(self.shared_zones.variables, self.shared_zones.groups, strict=True):
            for at, zone in enumerate(zones):
                own = masks.setdefault(zone, {})
                own[i] = own.get(i, 0) | 1 << at
        return [{i: own.get(i, 0) for i in self.shared_zones.variables} for own in masks.values()]

    def enumerate_best(self, start: RankedAssignment | None = None) -> Iterator[RankedAssignment]:
        """All assignments, the best first. `start`: the best one, if it is known.

        Source: Lawler 1972: the others are split by the first demand that differs from one that was found.
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
        """Whether another assignment has the same value as the best one. Raises Stop."""
        if self.has_equal_neighbour(best) or any(len({best.choices[i] for i in group}) > 1 for group in self.symmetric):
            return True
        if self.terms:
            return next((ranked.value == best.value for ranked in self.assignments_after(best)), False)
        below = sum(own[at] // self.unit for own, at in zip(self.composite, best.choices, strict=True)) + 1
        for at, choice in enumerate(best.choices):
            rest = [1 << earlier for earlier in best.choices[:at]] + self.domains[at:]
            rest[at] &= ~(1 << choice)
            if self.find_best(rest, below * self.unit) is not None:
                return True
        return False

    def assignments_after(self, best: RankedAssignment) -> Iterator[RankedAssignment]:
        """What comes after the best assignment."""
        every = self.enumerate_best(best)
        next(every)
        return every

    def has_equal_neighbour(self, best: RankedAssignment) -> bool:
        """Whether one demand may have another candidate, with the same value."""
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
        """Some assignment, if one is found soon. Raises Stop."""
        net = ConstraintGraph(self.sizes, self.graph.relations, (), self.work)
        assignment = BranchAndBound(net, self.tie_breaks, self.domains, range(len(self.sizes))).find_any()
        return None if assignment is None else self.rank_assignment([assignment[1][i] for i in range(len(self.sizes))])

    # values of several demands together

    def bottleneck_values(self) -> list[list[Fraction]] | None:
        """What each candidate brings if the value is the largest of what single demands bring; None if it is not."""
        if len(self.terms) != 1 or any(any(own) for own in self.values):
            return None
        factor, term = self.terms[0]
        if not isinstance(term, MaxTerm if factor > 0 else MinTerm):
            return None
        values_by_variable: list[list[Fraction]] = [[] for _ in self.sizes]
        for operand in term.terms:
            own = {self.tables[leaf][0] for leaf in objective.term_leaves(operand)}
            if len(own) != 1:
                return None
            (i,) = own
            brings = [factor * self.unary_term_value(operand, at) for at in range(self.sizes[i])]
            values_by_variable[i] = [max(both) for both in zip(brings, values_by_variable[i] or brings, strict=True)]
        return values_by_variable

    def unary_term_value(self, term: Term, choice: int) -> Fraction:
        """What a term of one demand is for a candidate."""
        return objective.exact_value(term, lambda leaf: self.tables[leaf][1][choice])

    def solve_bottleneck(self, brings: Sequence[Sequence[Fraction]], domains: list[int]) -> RankedAssignment | None:
        """The best assignment where the largest counts: the least bound with which there is one, by halving."""
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
        """The domains without candidates that bring more."""
        return [
            domain & sum([1 << at for at, value in enumerate(own) if value <= most]) if own else domain
            for own, domain in zip(brings, domains, strict=True)
        ]

    def find_within(self, domains: Sequence[int]) -> list[int] | None:
        every = range(len(self.sizes))
        search = BranchAndBound(
            self.graph, self.tie_breaks, [self.remove_dominated(i, domains[i]) for i in every], every
        )
        assignment = search.find_any() if all(search.domains) and search.update_prices() else None
        return None if assignment is None else [assignment[1][i] for i in every]

    def solve_joint_terms(self, domains: list[int]) -> RankedAssignment | None:
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
    """The search where values depend on several demands together: bounds are those of intervals."""

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
        """The least value that assignments within domains can have."""
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
        return sum(
            own[next(at for at in self.tie_break_orders[variable] if domains[variable] >> at & 1)]
            for variable, own in enumerate(self.part.tie_breaks)
        )

    def minimize_value(self, todo: list[int], domains: list[int]) -> None:
        """Looks for a lower value."""
        if not todo:
            value = self.lower_bound(domains)
            if self.value is None or value < self.value:
                self.value, self.assignment = value, [domain.bit_length() - 1 for domain in domains]
            return
        for _, left, rest in self.branch_nodes(todo, domains, lambda left: (self.lower_bound(left), 0)):
            if self.value is None or self.lower_bound(left) < self.value:
                self.minimize_value(rest, left)

    def minimize_tie_break(self, todo: list[int], domains: list[int], depth: int) -> None:
        """Looks for a better assignment with the least value."""
        assert self.value is not None
        if not todo:
            rest = self.tie_break_bound(domains)
            if self.tie_break is None or rest < self.tie_break:
                self.tie_break, self.assignment = rest, [domain.bit_length() - 1 for domain in domains]
            return
        if depth == 0:
            domains = [self.choices_reaching_minimum(domains, variable) for variable in range(len(domains))]
        for key, left, rest_ in self.branch_nodes(
            todo, domains, lambda left: (Fraction(self.tie_break_bound(left)), 0)
        ):
            if self.lower_bound(left) <= self.value and (self.tie_break is None or key[0] < self.tie_break):
                self.minimize_tie_break(rest_, left, depth + 1)

    def choices_reaching_minimum(self, domains: list[int], variable: int) -> int:
        """The choices of a variable with which the least value can be reached."""
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
        """The nodes below a node, the most promising first: their key, domains and variables."""
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
    """Fractions as whole numbers, all multiplied by the same one."""
    scale = 1
    for row in rows:
        for denominator in {value.denominator for value in row}:
            scale = math.lcm(scale, denominator)
            if scale > GRID:
                return [[round(value * GRID) for value in row] for row in rows]
    return [[value.numerator * (scale // value.denominator) for value in row] for row in rows]

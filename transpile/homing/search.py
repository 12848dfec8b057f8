"""Branch and bound for a weighted constraint satisfaction problem: integer costs of choices, binary hard constraints.

The result is exact: the least sum of costs over all assignments in which each pair of choices is allowed. Variables and
their choices are numbers, and a domain is a bit mask of choices. At each node, the open variables are split into
connected components, which are solved separately. The lower bound of a node is the sum of the least cost of each
variable, after two reformulations of the costs that make it nearly tight: dual prices of exclusive groups (`bounds.py`)
and soft arc consistency (`messages.py`). Neither raises the sum of an allowed assignment. A node that has lost most of
its choices computes both anew.

Invariant: work is counted, never timed, except for the deadline that a caller sets.
"""

from __future__ import annotations

import bisect
from collections.abc import Sequence
from typing import TypeAlias, final

from transpile.homing import bounds, messages
from transpile.homing.network import ConstraintGraph, CostedAssignment, SearchStopped, domain_choices

Choices: TypeAlias = "list[tuple[int, int]]"  # of a variable: pairs (least cost, choice), in order
AGAIN = 2  # a node that has lost this part of the choices of the root may compute bounds of its own
ROUNDS = 3  # of messages before the first assignment is looked for
CHOICES = 2048  # that are looked at, for one unit of work
PAIRS = 1024  # of variables that are looked at, for one unit of work
PATIENCE = 40  # units of work below a node, after which bounds of its own are worth their price


@final
class BranchAndBound:
    """The search for the least sum of `costs[variable][choice]` within domains, over the open variables `todo`."""

    __slots__ = ("costs", "domains", "edges", "graph", "messages", "priced_costs", "prices", "total", "variables")

    def __init__(
        self, net: ConstraintGraph, costs: Sequence[Sequence[int]], domains: Sequence[int], todo: Sequence[int]
    ) -> None:
        self.graph, self.costs, self.domains, self.variables = net, costs, list(domains), list(todo)
        self.prices: list[tuple[int, dict[int, int]]] = []  # of a group, and the choices that are in it, by variable
        self.priced_costs: dict[int, list[int]] = {i: list(costs[i]) for i in todo}
        self.messages: dict[tuple[int, int], list[int]] = {}
        self.edges: dict[tuple[int, int], int] = {}
        self.total = sum(self.domains[i].bit_count() for i in todo)

    def find_best(self, below: int | None = None) -> CostedAssignment | None:
        """The best assignment whose sum is below a bound; None if there is none. Raises SearchStopped with the best one
        so far.
        """
        if not all(self.domains[i] for i in self.variables) or not self.update_prices():
            return None
        first = None
        try:
            if below is None:  # without an incumbent nothing is pruned, so a quick assignment comes first
                if not messages.exchange_messages(self, sum(max(self.costs[i]) for i in self.variables) + 1, ROUNDS):
                    return None
                first = self.find_any()
                if first is None:
                    return None
                below = first[0]
            return self.find_best_with_messages(below) or first
        except SearchStopped as e:
            e.best = e.best or first
            raise

    def find_any(self, below: int | None = None) -> CostedAssignment | None:
        """The first assignment below a bound, with the cheapest choices tried first: good, but not the best."""
        if not all(self.domains[i] for i in self.variables):
            return None
        if below is None:
            below = sum(max(self.costs[i]) for i in self.variables) + 1
        return self.solve_variables(self.variables, self.sorted_choices(), self.domains, below, first=True)

    def find_best_with_messages(self, below: int) -> CostedAssignment | None:
        """The best assignment whose sum is below a bound, after as many messages as pay."""
        if len(self.variables) > 1 and not messages.exchange_messages(self, below):
            return None
        return self.solve_variables(self.variables, self.sorted_choices(), self.domains, below)

    def sorted_choices(self) -> dict[int, Choices]:
        """By variable: its choices with their reformulated costs, the cheapest first."""
        ordered = {}
        for i in self.variables:
            own = messages.costs_with_messages(self, i)
            ordered[i] = sorted([(own[c], c) for c in domain_choices(self.domains[i])])
        return ordered

    def update_prices(self) -> bool:
        """Adds the dual prices of exclusive groups to the costs; False if the groups allow no assignment."""
        open_variables = set(self.variables)
        for exclusive in self.graph.exclusive:
            inside = [
                (i, own) for i, own in zip(exclusive.variables, exclusive.groups, strict=True) if i in open_variables
            ]
            if len(inside) < 2:
                continue
            variables, groups = [i for i, _ in inside], [own for _, own in inside]
            prices = bounds.compute_group_prices(variables, groups, self.priced_costs, self.domains, self.graph.work)
            if prices is None:
                return False
            members: dict[int, dict[int, int]] = {group: {} for group in prices}
            for i, own in inside:
                priced = self.priced_costs[i]
                for choice, group in enumerate(own):
                    if group in prices:
                        priced[choice] += prices[group]
                        members[group][i] = members[group].get(i, 0) | 1 << choice
            self.prices += [(prices[group], members[group]) for group in prices]
        return True

    def payable_prices(self, todo: Sequence[int], domains: Sequence[int]) -> int:
        """Returns the greatest possible excess of the reformulated costs: the price of each group that a variable may
        still choose from, which only one of them pays, less the amounts that messages hold back on the edges between
        them.
        """
        total = 0
        for price, masks in self.prices:
            for i in todo:
                if i in masks and domains[i] & masks[i]:
                    total += price
                    break
        if self.edges:
            for at, i in enumerate(todo):
                for j in todo[at + 1 :]:
                    total -= self.edges.get((i, j), 0)
        return total

    def solve_variables(
        self, todo: list[int], left: dict[int, Choices], domains: Sequence[int], below: int, *, first: bool = False
    ) -> CostedAssignment | None:
        """The best assignment of `todo` below a bound, or with `first` the first one; None if there is none. `left`:
        the choices that each variable has left.

        Variables with one choice are assigned at once, and choices whose cost exceeds the gap between the lower and the
        upper bound are cut, until neither changes anything.
        """
        self.graph.work.spend_nodes(1 + len(todo) ** 2 // PAIRS)
        done: dict[int, int] = {}
        spent = 0
        left, domains = dict(left), list(domains)
        while True:
            bound = sum([left[i][0][0] for i in todo]) - self.payable_prices(todo, domains)
            gap = below - spent - bound
            if gap <= 0:
                return None
            single = []
            for i in todo:
                own = left[i]
                if own[-1][0] >= own[0][0] + gap:
                    own = left[i] = own[: bisect.bisect_left(own, (own[0][0] + gap,))]
                if len(own) == 1:
                    single.append(i)
            if not single:
                break
            for i in single:
                if not left[i]:
                    return None
                choice = left[i][0][1]
                todo = [j for j in todo if j != i]
                if not self.assign_choice(i, choice, todo, left, domains):
                    return None
                done[i] = choice
                spent += self.costs[i][choice]
        if not todo:
            return (spent, done) if spent < below else None
        parts = self.split_components(todo)
        if len(parts) > 1:
            return self.solve_components(parts, left, domains, below - spent, (spent, done), first=first)
        if len(todo) == 1:
            (i,) = todo
            cost, choice = min((self.costs[i][c], c) for _, c in left[i])
            return (spent + cost, {**done, i: choice}) if spent + cost < below else None
        return self.branch_variable(todo, left, domains, below, (spent, done, bound), first=first)

    def assign_choice(
        self, variable: int, choice: int, todo: Sequence[int], left: dict[int, Choices], domains: list[int]
    ) -> bool:
        """Forward checking: takes from the other variables the choices that this one excludes; False if one has none
        left. The messages that the variable has sent are subtracted, because they anticipated this choice.
        """
        related = self.graph.relations[variable]
        for other in todo:
            if other not in related:
                continue
            mask = self.graph.supports(variable, choice, other)
            sent = self.messages.get((variable, other))
            if sent is None:
                rest = [option for option in left[other] if mask >> option[1] & 1]
            else:
                rest = [(cost - sent[c], c) for cost, c in left[other] if mask >> c & 1]
                rest.sort()
            if not rest:
                return False
            left[other] = rest
            domains[other] &= mask
        return True

    def solve_components(
        self,
        parts: list[list[int]],
        left: dict[int, Choices],
        domains: Sequence[int],
        below: int,
        state: tuple[int, dict[int, int]],
        *,
        first: bool,
    ) -> CostedAssignment | None:
        """The best assignment of independent components, the smallest first. The cost of each is bounded by the lower
        bounds of the components after it.
        """
        spent, done = state
        least = [sum([left[i][0][0] for i in part]) - self.payable_prices(part, domains) for part in parts]
        rest, total = sum(least), 0
        order = sorted(range(len(parts)), key=lambda number: (len(parts[number]), parts[number]))
        for number in order:
            rest -= least[number]
            try:
                solved = self.solve_variables(parts[number], left, domains, below - total - rest, first=first)
            except SearchStopped as e:
                if e.best is not None:
                    complete = number == order[-1]
                    e.best = (spent + total + e.best[0], {**done, **e.best[1]}) if complete else None
                raise
            if solved is None:
                return None
            total += solved[0]
            done.update(solved[1])
        return (spent + total, done) if total < below else None

    def branch_variable(
        self,
        todo: list[int],
        left: dict[int, Choices],
        domains: Sequence[int],
        below: int,
        state: tuple[int, dict[int, int], int],
        *,
        first: bool,
    ) -> CostedAssignment | None:
        """Branches on one variable, its cheapest choice first. The variable is the one with the fewest choices for its
        degree (dom/deg). A node that takes long is restarted with bounds of its own.
        """
        spent, done, bound = state
        chosen = min(todo, key=lambda i: (len(left[i]) / (1 + self.variable_degree(i, todo)), i))
        rest = [i for i in todo if i != chosen]
        best: CostedAssignment | None = None
        own = left[chosen]
        start = self.graph.work.used
        size = 1 + sum([len(left[i]) for i in rest]) // CHOICES
        fewer = not first and AGAIN * sum([len(left[i]) for i in todo]) <= self.total
        for number, (priced, choice) in enumerate(own):
            if spent + bound - own[0][0] + priced >= below:
                break
            cost = spent + self.costs[chosen][choice]
            try:
                if fewer and number and self.graph.work.used - start > PATIENCE:
                    solved = self.restart_node(todo, left, number, chosen, below - spent)
                    return (spent + solved[0], {**done, **solved[1]}) if solved is not None else best
                self.graph.work.spend_nodes(size)
                after, masks = dict(left), list(domains)
                if not self.assign_choice(chosen, choice, rest, after, masks):
                    continue
                solved = self.solve_variables(rest, after, masks, below - cost, first=first)
            except SearchStopped as e:
                if e.best is not None:
                    cost = spent if chosen in e.best[1] else cost
                    best = (cost + e.best[0], {**done, chosen: choice, **e.best[1]})
                e.best = best
                raise
            if solved is not None:
                below = cost + solved[0]
                best = (below, {**done, chosen: choice, **solved[1]})
                if first:
                    break
        return best

    def restart_node(
        self, todo: list[int], left: dict[int, Choices], number: int, chosen: int, below: int
    ) -> CostedAssignment | None:
        """The rest of a node as a search with bounds of its own: without the choices of a variable that were tried."""
        domains = [0] * len(self.costs)
        for i in todo:
            for _, choice in left[i] if i != chosen else left[i][number:]:
                domains[i] |= 1 << choice
        return BranchAndBound(self.graph, self.costs, domains, todo).find_best(below)

    def variable_degree(self, variable: int, todo: Sequence[int]) -> int:
        """How many open variables a variable is related to."""
        related = self.graph.relations[variable]
        return sum([i in related for i in todo])

    def split_components(self, todo: Sequence[int]) -> list[list[int]]:
        """The connected components of the open variables."""
        left, parts = dict.fromkeys(todo), []
        while left:
            part, stack = [], [next(iter(left))]
            del left[stack[0]]
            while stack:
                variable = stack.pop()
                part.append(variable)
                related = self.graph.relations[variable]
                for other in [i for i in left if i in related]:
                    del left[other]
                    stack.append(other)
            parts.append(sorted(part))
        return parts

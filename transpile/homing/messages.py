"""Soft arc consistency: moves costs between neighbouring variables until the sum of the cheapest choices is a tight
lower bound.

A message from j to i says, for each choice of i, the least cost that j then has. Each variable keeps its share of its
own costs, so that no cost is counted twice.

Source: sequential reweighted message passing (Kolmogorov 2014), for integers. On chains and trees the bound is the
optimum; on other graphs it is at most that.

Invariant: for any messages, this is a lower bound: the sum over variables of the least cost with the received messages,
plus the sum over edges of the least cost that both messages leave there.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Protocol

from transpile.homing.network import ConstraintGraph, domain_choices

ROUNDS = 24  # of messages in both directions
PAIR = 2  # variables of an exclusive group, for which prices say less than messages
MOST = 1_000_000  # choices of all senders and receivers: beyond that messages take longer than they save
GAIN = 50  # a round goes on to the next one if it gains this part of the missing amount, or more
LOOKS = 256  # at pairs of choices, for one unit of work


class MessageSearch(Protocol):
    """The interface of a search for its messages. `priced_costs`: the cost of each choice, with group prices;
    `messages`: those received, by sender and receiver; `edges`: the least cost that is left on each edge.
    """

    graph: ConstraintGraph
    variables: list[int]
    domains: list[int]
    messages: dict[tuple[int, int], list[int]]
    edges: dict[tuple[int, int], int]

    @property
    def priced_costs(self) -> Mapping[int, list[int]]: ...

    def payable_prices(self, todo: Sequence[int], domains: Sequence[int]) -> int: ...


def costs_with_messages(search: MessageSearch, variable: int) -> list[int]:
    """The cost of each choice of a variable, with the messages that it has received."""
    own = search.priced_costs[variable]
    sent = [search.messages[other, variable] for other in search.variables if (other, variable) in search.messages]
    return [sum(costs) for costs in zip(own, *sent, strict=True)] if sent else own


def exchange_messages(search: MessageSearch, below: int, rounds: int = ROUNDS) -> bool:
    """Sends messages in rounds while they gain enough. Returns False if they prove that no assignment is below a bound.
    Choices that no assignment below the bound contains are removed from the domains.
    """
    near = {i: [j for j in search.variables if j != i and j in search.graph.relations[i]] for i in search.variables}
    priced = {
        (i, j)
        for groups in search.graph.exclusive
        if len(groups.variables) > PAIR
        for i in groups.variables
        for j in groups.variables
    }
    for i in search.variables:
        near[i] = [j for j in near[i] if (i, j) not in priced or not search.graph.is_weak_edge(i, j)]
    edges = [(i, j) for i in search.variables for j in near[i] if i < j]
    if not edges or sum([search.graph.sizes[i] + search.graph.sizes[j] for i, j in edges]) > MOST:
        return True
    for i, j in edges:
        search.messages.setdefault((i, j), [0] * search.graph.sizes[j])
        search.messages.setdefault((j, i), [0] * search.graph.sizes[i])
    before = None
    for _ in range(rounds):
        for order in (search.variables, search.variables[::-1]):
            place = {i: at for at, i in enumerate(order)}
            for i in order:
                later = [j for j in near[i] if place[j] > place[i]]
                if not all(update_message(search, i, j) for j in near[i]):
                    return False
                # a variable divides its costs among the edges of its busier side, so that no part is sent twice
                share = max(len(later), len(near[i]) - len(later))
                own = costs_with_messages(search, i)
                for j in later:
                    search.messages[j, i] = [
                        at - cost // share for at, cost in zip(search.messages[j, i], own, strict=True)
                    ]
        bound = compute_message_bound(search, edges)
        if bound is None or bound >= below:
            return False
        gap = below - bound
        for i in search.variables:
            own = costs_with_messages(search, i)
            kept = domain_choices(search.domains[i])
            # reduced-cost fixing: a choice that costs the gap more than the best one cannot be in a better assignment
            limit = min([own[c] for c in kept]) + gap
            search.domains[i] = sum([1 << c for c in kept if own[c] < limit])
        if before is not None and (bound - before) * GAIN < gap:
            break
        before = bound
    return True


def update_message(search: MessageSearch, i: int, j: int) -> bool:
    """Computes the message from j to i. A choice of i that excludes all choices of j is removed from the domain; False
    if none is left.
    """
    other = search.messages[i, j]
    values = sorted([(-other[c], c) for c in domain_choices(search.domains[j])])
    message, looks = [0] * search.graph.sizes[i], 0
    for c in domain_choices(search.domains[i]):
        row = search.graph.supports(i, c, j)
        for value, at in values:
            looks += 1
            if row >> at & 1:
                message[c] = value
                break
        else:
            search.domains[i] &= ~(1 << c)
    search.graph.work.spend_nodes(1 + looks // LOOKS)
    search.messages[j, i] = message
    return bool(search.domains[i])


def compute_message_bound(search: MessageSearch, edges: Iterable[tuple[int, int]]) -> int | None:
    """Returns the lower bound of the messages; None if a variable has no choice left. Stores the rest on each edge."""
    search.edges = {}
    if not all(search.domains[i] for i in search.variables):
        return None
    bound = 0
    for i, j in edges:
        to, back = search.messages[i, j], search.messages[j, i]
        values = sorted([(-to[c], c) for c in domain_choices(search.domains[j])])
        least = None
        looks = 0
        for c in sorted(domain_choices(search.domains[i]), key=lambda c: -back[c]):
            if least is not None and -back[c] + values[0][0] >= least:
                break
            row = search.graph.supports(i, c, j)
            for value, other in values:
                looks += 1
                if row >> other & 1:
                    if least is None or value - back[c] < least:
                        least = value - back[c]
                    break
        search.graph.work.spend_nodes(1 + looks // LOOKS)
        if least is None:
            return None
        search.edges[i, j] = least
    bound = sum(
        [
            min([own[c] for c in domain_choices(search.domains[i])])
            for i in search.variables
            for own in [costs_with_messages(search, i)]
        ]
    )
    return bound - search.payable_prices(search.variables, search.domains)

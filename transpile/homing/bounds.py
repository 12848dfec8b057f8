"""Dual prices for exclusive groups: the linear-programming dual of the assignment problem "each variable takes a group,
and no two take the same one".

The solver adds the price of a group to every choice in it, and subtracts each price once from the sum. An allowed
assignment never gets dearer, since it uses each group at most once, while the sum of the cheapest choices rises to the
cost of the best assignment of groups.

Source: the Hungarian method with potentials (Kuhn 1955, Jonker and Volgenant 1987), for integers.

Invariant: each price is positive. For any choice of different groups, the costs are at least the sum of the least costs
with prices added, less the sum of the prices.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from transpile.homing.network import SearchBudget

CELLS = 256  # of a table, for one unit of work


def compute_group_prices(
    variables: Sequence[int],
    groups: Sequence[Sequence[int]],
    costs: Mapping[int, Sequence[int]],
    domains: Sequence[int],
    work: SearchBudget,
) -> Mapping[int, int] | None:
    """The prices of groups, for those that have one. None if no assignment of different groups to the variables
    exists.
    """
    cheapest: list[dict[int, int]] = []
    for variable, own in zip(variables, groups, strict=True):
        domain, cost = domains[variable], costs[variable]
        least: dict[int, int] = {}
        for choice, group in enumerate(own):
            if domain >> choice & 1 and (group not in least or cost[choice] < least[group]):
                least[group] = cost[choice]
        cheapest.append(least)
    columns = sorted({group for least in cheapest for group in least})
    if len(columns) < len(variables):
        return None
    number = {group: at for at, group in enumerate(columns)}
    table = [{number[group]: cost for group, cost in least.items()} for least in cheapest]
    column_prices = solve_assignment_dual(table, len(columns), work)
    return (
        None if column_prices is None else {columns[at]: price for at, price in enumerate(column_prices) if price > 0}
    )


def solve_assignment_dual(table: Sequence[Mapping[int, int]], width: int, work: SearchBudget) -> list[int] | None:
    """The price of each column in the cheapest assignment of a column to each row; None if there is none.

    `table`: the costs of each row, by column. Rows are assigned one after the other, each along a shortest augmenting
    path from the row to a free column.
    """
    rows, prices_ = [0] * len(table), [0] * width  # potentials: cost >= row - price
    taken: list[int] = [-1] * width  # by column: the row that has it
    for start in range(len(table)):
        # the shortest way from a free row to a free column, by costs less potentials
        nearest: dict[int, int] = {}
        before: dict[int, int] = {}
        settled: dict[int, int] = {}
        if not table[start]:
            return None
        rows[start] = min(cost + prices_[column] for column, cost in table[start].items())
        row, distance = start, 0
        while True:
            work.spend_nodes(1 + len(table[row]) // CELLS)
            own = rows[row]
            via = column_of_row(settled, row, taken)
            for column, cost in table[row].items():
                if column in settled:
                    continue
                length = distance + cost + prices_[column] - own
                if column not in nearest or length < nearest[column]:
                    nearest[column] = length
                    before[column] = via
            if not nearest:
                return None
            column = min(nearest, key=lambda column_number: (nearest[column_number], column_number))
            distance = nearest.pop(column)
            settled[column] = distance
            if taken[column] < 0:
                break
            row = taken[column]
        rows[start] += distance
        for other, length in settled.items():
            if other != column:
                prices_[other] += distance - length
                rows[taken[other]] += distance - length
        while True:
            previous = before[column]
            taken[column] = start if previous < 0 else taken[previous]
            if previous < 0:
                break
            column = previous
    return prices_


def column_of_row(settled: Mapping[int, int], row: int, taken: Sequence[int]) -> int:
    """The column through which a path came to a row; -1 for the first row of the path, which has none."""
    return next((column for column in reversed(settled) if taken[column] == row), -1)

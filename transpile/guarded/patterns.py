"""Compares texts with patterns of strangers, without waiting for those that never end.

Most patterns cannot take long, whatever the text: `[a-z]+` has as many ways to match a text as it has characters. Such
a pattern runs here. `(a|a)*` has two ways for each character, so 2^n for all: it runs in another process.

Invariant: a comparison in this process has at most STEPS steps, by a bound that holds for any text of that length. The
bound counts nothing that depends on the machine. Each pair of a pattern and a text is paid for once in a run.
"""

from __future__ import annotations

import functools
import importlib
import math
import re
import warnings
from collections.abc import Iterable
from typing import Any, NamedTuple

from transpile.guarded.matching import run_pattern
from transpile.model.budget import Budget

SERVICE = "transpile.guarded.matching"
PART = 3  # one comparison may take a third of the limit
STEPS = 1_000_000  # of a comparison in this process, a few milliseconds
FREE, SHARE = 10_000, 200_000  # steps that cost nothing; steps for a millisecond
LONGEST = 2_000  # characters of a pattern that is read in this process
DEPTH = 20  # repeats of a part with two ways already have more ways than STEPS
ZERO_WIDTH = ("AT", "SUBPATTERN", "BRANCH", "ATOMIC_GROUP", "ASSERT", "ASSERT_NOT")


class InvalidPattern(ValueError):
    """This is no regular expression of Python."""


class NotCompared(Exception):
    """The comparison takes too long, or the run can afford no more. The budget remembers it."""


class PatternMatch(NamedTuple):
    """A match of a pattern: its start and end, and the texts of its groups."""

    start: int
    end: int
    groups: tuple[str | None, ...]
    names: dict[str, str | None]


def match_pattern(
    pattern: str, text: str, budget: Budget, *, flags: int = 0, search: bool = False
) -> PatternMatch | None:
    """The match at the start of a text, or anywhere in it; None if none. Raises InvalidPattern, NotCompared."""
    result = run_within_budget(pattern, text, budget, flags, search=search)
    if "wrong" in result:
        raise InvalidPattern(result["wrong"])
    if "span" not in result:
        return None
    start, end = result["span"]
    return PatternMatch(start, end, tuple(result["groups"]), result["names"])


def explain_wrong_pattern(pattern: str, budget: Budget) -> str:
    """Why Python cannot read a pattern; empty if it can, or if that takes too long."""
    try:
        return str(run_within_budget(pattern, None, budget, 0, search=False).get("wrong", ""))
    except NotCompared:
        return ""


def run_within_budget(pattern: str, text: str | None, budget: Budget, flags: int, *, search: bool) -> dict[str, Any]:
    key = "pattern", pattern, text, flags, search
    if key in budget.results:
        result: dict[str, Any] | None = budget.results[key]
    else:
        try:
            result = pay_and_run(pattern, text, budget, flags, search=search)
        except NotCompared:
            result = None
        budget.results[key] = result
    if result is None:
        raise NotCompared
    return result


def pay_and_run(pattern: str, text: str | None, budget: Budget, flags: int, *, search: bool) -> dict[str, Any]:
    steps = count_steps(pattern, flags, len(text or ""), search=search)
    if steps <= STEPS:
        if steps > FREE and not budget.spend_if_affordable("patterns", math.ceil(steps / SHARE)):
            raise NotCompared
        return run_pattern(pattern, text, flags, search=search)
    from transpile.guarded.process import GuardExceeded, ask  # few need it

    if not budget.spend_if_affordable("patterns", 1):
        raise NotCompared
    left = min(budget.limits["patterns"] / PART, max(1, budget.limits["patterns"] - budget.spent["patterns"]))
    request = {"pattern": pattern, "text": text, "flags": flags, "search": search}
    try:
        answer = ask(SERVICE, request, left / 1000)
    except GuardExceeded as e:
        budget.spent["patterns"] += e.milliseconds
        budget.exceeded_optional_limits["patterns"] = None
        raise NotCompared from None
    budget.spent["patterns"] += answer.milliseconds
    result: dict[str, Any] = answer.content
    return result


# the bound


def count_steps(pattern: str, flags: int, length: int, *, search: bool) -> float:
    """At least as many steps as reading a pattern and comparing it with a text of that length can take."""
    if len(pattern) > LONGEST:
        return math.inf
    tree = parse_pattern(pattern, flags)
    if tree is None:  # not valid, which reading it once more will say at once
        return 0
    size, zero_width, ranges = measure_pattern(pattern, flags)
    path = length * (1 + zero_width) + size  # from the start to one way to match, or to fail
    return ranges + count_ways(tree, length) * path * (length + 1 if search else 1)


@functools.lru_cache(maxsize=512)
def parse_pattern(pattern: str, flags: int) -> Any:
    """The tree of a pattern as Python's own parser makes it; None if the pattern is not valid."""
    parser: Any = importlib.import_module("re._parser")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return parser.parse(pattern, flags)
        except (re.error, ValueError, OverflowError, RecursionError):
            return None


@functools.lru_cache(maxsize=512)
def measure_pattern(pattern: str, flags: int) -> tuple[int, int, int]:
    return measure_tree(parse_pattern(pattern, flags))


def inner_trees(operator: str, operand: Any) -> Iterable[Any]:
    """The patterns inside an item of a pattern."""
    if operator == "BRANCH":
        return list(operand[1])
    if operator in ("SUBPATTERN", "ASSERT", "ASSERT_NOT") or operator.endswith("_REPEAT"):
        return (operand[-1],)
    return (operand,) if operator == "ATOMIC_GROUP" else ()


def measure_tree(tree: Any) -> tuple[int, int, int]:
    """The items of a pattern, those of them that match no character, and the characters in ranges, all of which Python
    visits when it reads a pattern.
    """
    size = zero_width = ranges = 0
    for item, operand in tree:
        operator = str(item)
        size += 1
        zero_width += operator in ZERO_WIDTH
        if operator == "IN":
            size += len(operand)
            ranges += sum(part[1][1] - part[1][0] for part in operand if str(part[0]) == "RANGE")
        for inner in inner_trees(operator, operand):
            more = measure_tree(inner)
            size, zero_width, ranges = size + more[0], zero_width + more[1], ranges + more[2]
    return size, zero_width, ranges


def count_ways(tree: Any, length: int) -> float:
    """At least as many ways as a pattern has to match the beginning of a text of that length."""
    ways = 1.0
    for operator, operand in tree:
        ways *= count_ways_of_item(str(operator), operand, length)
        if ways > STEPS:
            return math.inf
    return ways


def count_ways_of_item(operator: str, operand: Any, length: int) -> float:
    if operator in ("LITERAL", "NOT_LITERAL", "ANY", "AT", "IN"):
        return 1
    if operator in ("SUBPATTERN", "BRANCH", "ATOMIC_GROUP"):
        return sum(count_ways(inner, length) for inner in inner_trees(operator, operand))
    if operator in ("ASSERT", "ASSERT_NOT"):  # it may read the text to its end each time
        return count_ways(operand[-1], length) * (length + 1)
    if operator not in ("MAX_REPEAT", "MIN_REPEAT", "POSSESSIVE_REPEAT"):
        return math.inf  # back references, and new constructs of later versions of Python
    low, high, inner = operand
    ways = count_ways(inner, length)
    if int(high) > 1 and inner.getwidth()[0] == 0:
        return math.inf
    times = min(int(high), length)
    if ways <= 1:
        return max(1, times - int(low) + 1)
    return math.inf if times > DEPTH else sum(ways**n for n in range(times + 1))

"""A pattern of a stranger's never keeps a run waiting, and an ordinary one costs no process."""

from __future__ import annotations

import itertools
import re
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.support import conversions
from tests.support.examples import examples
from transpile.guarded import matching, patterns, process
from transpile.model.budget import Budget
from transpile.schema.constraints import matches_pattern

ORDINARY = [
    ("[a-z]+", "abc"),
    ("^[a-zA-Z0-9][a-zA-Z0-9_.-]*$", "web-01.example.org"),
    (r"^(\d{1,3}\.){3}\d{1,3}$", "192.168.100.200"),
    ("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", "8977e24c-32c6-4fb1-ae9f-6f70c16ecf0d"),
    ("^(dev|test|prod)$", "test"),
    ("^[a-z]+-[a-z]+-[0-9]+$", "web-server-12"),
    ("[[:alpha:]]+", "abc"),
]
ENDLESS = ["^(a|a)*$", "(a+)+$", "(a*)*$", "(a|aa)+$", "((a?){20}){20}b", "(.*)*x", "^(?:a+b?)+$", "(a)*\\1*!a"]


@pytest.fixture
def starts(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The services whose processes are started; there is none at the beginning."""
    process.close_idle_processes()
    services: list[str] = []
    start = process.GuardedProcess.__init__

    def record(self: process.GuardedProcess, service: str) -> None:
        services.append(service)
        start(self, service)

    monkeypatch.setattr(process.GuardedProcess, "__init__", record)
    return services


@pytest.mark.parametrize(("pattern", "text"), ORDINARY)
def test_an_ordinary_pattern_needs_no_process(pattern: str, text: str, starts: list[str]) -> None:
    budget = Budget()
    match = re.match(pattern.replace("[[", "[\\["), text)
    assert matches_pattern(pattern, text, budget) is (match is not None and match.end() == len(text))
    assert starts == []


@pytest.mark.parametrize("pattern", ENDLESS)
def test_an_endless_pattern_is_not_run_here(pattern: str) -> None:
    assert patterns.count_steps(pattern, 0, 64, search=False) > patterns.STEPS


@pytest.mark.parametrize("pattern", ["(?i)" + "[\0-\uffff]" * 300, "[\0-\uffffa-z]" * 300, "a" * 3_000])
def test_a_pattern_that_is_slow_to_read_is_not_read_here(pattern: str) -> None:
    """Python visits each character of a range."""
    assert patterns.count_steps(pattern, 0, 1, search=False) > patterns.STEPS


def count_visits(pattern: str, text: str) -> int:
    """The places that a backtracking matcher reads: it tries each way, and remembers nothing. Stops at 100,000."""
    tree = patterns.parse_pattern(pattern, 0)
    visits = itertools.count()

    def follow(items: list[Any], at: int) -> bool:
        if next(visits) > 100_000:
            return True
        if not items:
            return False  # go on with the next way
        operator, operand = items[0]
        rest = items[1:]
        match str(operator):
            case "LITERAL":
                return at < len(text) and ord(text[at]) == operand and follow(rest, at + 1)
            case "IN":
                letters = [literal for _, literal in operand]
                return at < len(text) and ord(text[at]) in letters and follow(rest, at + 1)
            case "SUBPATTERN":
                return follow([*operand[-1], *rest], at)
            case "BRANCH":
                return any(follow([*branch, *rest], at) for branch in operand[1])
            case "MAX_REPEAT":
                low, high, inner = operand
                more = ("MAX_REPEAT", (max(0, low - 1), min(int(high), len(text) + 1) - 1, inner))
                return (high > 0 and follow([*inner, more, *rest], at)) or (low == 0 and follow(rest, at))
        raise AssertionError(operator)

    follow(list(tree), 0)
    return next(visits) - 1


PIECES = st.recursive(
    st.sampled_from(["a", "b", "ab"]),
    lambda inner: st.one_of(
        st.builds("({}|{})".format, inner, inner),
        st.builds("({}){}".format, inner, st.sampled_from(["*", "+", "?", "{2}", "{0,3}", "{1,2}"])),
        st.builds("{}{}".format, inner, inner),
    ),
    max_leaves=5,
)


@settings(max_examples=examples(300), deadline=None)
@given(PIECES, st.text("ab", max_size=12))
def test_the_bound_is_above_the_steps_of_backtracking(pattern: str, text: str) -> None:
    """For all patterns that may run here, of letters, groups, alternatives and repeats."""
    bound = patterns.count_steps(pattern, 0, len(text), search=False)
    if bound <= patterns.STEPS:
        assert count_visits(pattern, text) <= 4 * bound + 4  # each step is a few visits: of an item, a group, a repeat


@pytest.mark.parametrize(("pattern", "text"), [*ORDINARY, ("(a|b)+c", "ababc"), ("(x)?(?P<y>a)", "a"), ("*", "a")])
def test_a_process_agrees_with_python(pattern: str, text: str) -> None:
    request = {"pattern": pattern, "text": text, "flags": 0, "search": True}
    answer = process.ask(patterns.SERVICE, request, 10.0)
    assert answer.content == matching.run_pattern(pattern, text, 0, search=True)


def test_all_comparisons_of_a_run_have_one_limit(starts: list[str]) -> None:
    """Three take a third each, and more are not begun. The run goes on as if the values matched."""
    budget = Budget({"patterns": 300})
    assert [matches_pattern("^(a|a)*$", "a" * (64 + n) + "!", budget) for n in range(20)] == [True] * 20
    assert "patterns" in budget.exceeded_optional_limits
    assert len(starts) <= 4


def test_a_pattern_that_took_too_long_is_not_tried_again(starts: list[str]) -> None:
    budget = Budget({"patterns": 3_000_000})
    budget.limits["patterns"] = 300
    assert [matches_pattern("^(a|a)*$", "a" * 64 + "!", budget) for _ in range(20)] == [True] * 20
    assert len(starts) == 1


def test_a_comparison_is_paid_once() -> None:
    budget = Budget()
    for _ in range(10):
        matches_pattern("a*b*c*$", "a" * 40 + "!", budget)
    spent = Budget()
    matches_pattern("a*b*c*$", "a" * 40 + "!", spent)
    assert budget.spent["patterns"] == spent.spent["patterns"] > 0


def test_a_conversion_with_an_endless_pattern_ends_and_says_so() -> None:
    """The judge evaluates the condition of the variable, too."""
    done = conversions.convert(
        "heat_template_version: 2021-04-16\n"
        f"parameters: {{p: {{type: string, default: {'a' * 64}!, constraints: [{{allowed_pattern: '^(a|a)*$'}}]}}}}\n"
        "outputs: {o: {value: {get_param: p}}}\nresources: {}\n",
        limits={"patterns": 300},
    )
    assert "HOT119" in [d.code for d in done.diagnostics]


def test_a_conversion_with_ordinary_patterns_starts_no_process(starts: list[str]) -> None:
    conversions.convert(
        "heat_template_version: 2021-04-16\n"
        "parameters: {p: {type: string, default: abc, constraints: [{allowed_pattern: '[a-z]+'}]}}\n"
        "resources: {s: {type: OS::Nova::Server, properties: {image: i, flavor: f, name: {get_param: p},\n"
        "  networks: [{network: 8977e24c-32c6-4fb1-ae9f-6f70c16ecf0d}]}}}\n"
    )
    assert starts == []

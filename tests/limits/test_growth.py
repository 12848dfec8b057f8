"""Each of many equal parts of a template costs as much as a single one: counted in calls of functions, not timed."""

from __future__ import annotations

import cProfile
import functools
import gc
import json
import os
from collections.abc import Callable

import pytest

import transpile
from tests.limits.multiplied import COVERING, MULTIPLIED
from tests.support import running
from tests.support.examples import sampled
from transpile.checking.request import CheckRequest
from transpile.checking.template import check_text
from transpile.format import canonical
from transpile.model.budget import Budget
from transpile.model.source import Source

GROWTH = 1.4  # the allowed cost of one of 4 N, where one of N costs 1
NUMBER = 24
SLACK = 150  # calls for each: a threshold that only many reach
# Names that Heat does not know are compared with those that it knows, for hints, up to the limit `suggestions`.
HINTED = frozenset(name for name in MULTIPLIED if name == "unknown names" or "BGPVPN" in name)
# Without `terraform_data`, which an adoption cannot import, each port waits for each subnet; comments are no JSON.
NOT_ADOPTED = frozenset({"ports and subnets", "comments"})
# Each copy is compared with up to `search.SHAPES` others that are not like it: more than are measured.
NOT_ROLLED_UP = "chain of "
COMMANDS: dict[str, Callable[[str], object]] = {
    "hcl": lambda text: transpile.convert(text, to="hcl"),
    "tosca": lambda text: transpile.convert(text, to="tosca"),
    "rolled up": lambda text: transpile.convert(text, options={"roll_up": True}),
    "adopt": lambda text: transpile.adopt(json.dumps(running.stack(json.loads(text)))),
    "hot": lambda text: transpile.convert(text, to="hot"),
    "graph": lambda text: transpile.convert(text, to="graph"),
    "check": lambda text: check_text(Source("t.yaml", text, budget=Budget()), CheckRequest(), None),
    "fmt": lambda text: canonical.format_text(Source("t.yaml", text, budget=Budget())),
}


def count_calls(work: Callable[[], object]) -> int:
    """The calls of functions of Python and C, which the profiler of C counts fast."""
    profile = cProfile.Profile()
    gc.disable()
    profile.enable()
    try:
        work()
    finally:
        profile.disable()
        gc.enable()
    return sum(entry.callcount for entry in profile.getstats())


def measure_growth(name: str, command: str) -> tuple[float, float]:
    """The cost of one part among N parts, and among 4 N."""
    make, run = MULTIPLIED[name], COMMANDS[command]
    run(make(2))  # loads all that a process loads once
    few, some, many = (count_calls(functools.partial(run, make(n))) for n in (2, NUMBER, 4 * NUMBER))
    return (some - few) / (NUMBER - 2), (many - some) / (3 * NUMBER)


def grows_too_fast(name: str, command: str) -> str:
    if (command == "adopt" and name in NOT_ADOPTED) or (command == "rolled up" and name.startswith(NOT_ROLLED_UP)):
        return ""
    first, second = measure_growth(name, command)
    return f"{name}: {first:.0f} to {second:.0f} calls" if second > GROWTH * first + SLACK else ""


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("name", sampled(sorted({*COVERING} - HINTED), 8))
def test_one_of_many_costs_as_much_as_one_of_few(name: str, command: str) -> None:
    assert grows_too_fast(name, command) == ""


@pytest.mark.long
@pytest.mark.skipif("HOT2TF_SWEEP" not in os.environ, reason="HOT2TF_SWEEP=1 measures all shapes with all commands")
@pytest.mark.parametrize("command", COMMANDS)
def test_one_of_many_of_anything_costs_as_much_as_one_of_few(command: str) -> None:
    assert [problem for name in MULTIPLIED.keys() - HINTED if (problem := grows_too_fast(name, command))] == []


CONSTRAINTS = ("allowed_values: [abc, b]", "length: {min: 1, max: 9}", "allowed_pattern: '[a-z]+'")


@pytest.mark.parametrize("constraint", CONSTRAINTS)
@pytest.mark.parametrize("number", [10, 50, 100])
def test_tests_cost_at_most_three_conversions(number: int, constraint: str) -> None:
    """Each constrained parameter adds assignments, which are compared only where they change something."""
    parameters = "".join(
        f"  p{n}: {{type: string, default: abc, constraints: [{constraint}]}}\n" for n in range(number)
    )
    nets = "".join(
        f"  n{n}: {{type: OS::Neutron::Net, properties: {{name: {{get_param: p{n}}}}}}}\n" for n in range(number)
    )
    text = f"heat_template_version: 2018-08-31\nparameters:\n{parameters}resources:\n{nets}"

    def convert(*, tests: bool) -> object:
        return transpile.convert(text, options={"tests": tests})

    convert(tests=True)  # loads all that a process loads once
    assert count_calls(lambda: convert(tests=True)) <= 3 * count_calls(lambda: convert(tests=False))

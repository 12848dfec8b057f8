"""Values that Heat refuses, also if `check` only warns of them, break no target: each converts them or reports why not,
and never fails itself.
"""

from __future__ import annotations

import itertools

import pytest

import transpile
from tests.limits import refused
from transpile.model.intrinsics import INTRINSICS
from transpile.schema.catalog import read_openstack_catalog

TARGETS = ("hcl", "tosca", "hot", "graph")
INTERNAL = "HOT90"  # how the codes of hot2tf's own failures begin
SHARE = 12  # of so many calls, the short run makes one


def internal_failures(text: str, targets: tuple[str, ...] = TARGETS) -> list[str]:
    """The internal errors of a conversion to each target."""
    failures = []
    for to in targets:
        done = transpile.convert(text, to=to)
        failures += [f"{to}: {d.code} {d.message}" for d in done.diagnostics if d.code.startswith(INTERNAL)]
    return failures


@pytest.mark.parametrize("kind", read_openstack_catalog().type_names())
def test_a_value_that_breaks_a_constraint(kind: str) -> None:
    turns = itertools.cycle(TARGETS[1:])
    failures = [(text, internal_failures(text, ("hcl", next(turns)))) for text in refused.refused_values(kind)]
    assert [failure for failure in failures if failure[1]] == []


def check_calls(name: str, share: int) -> None:
    row = INTRINSICS[name]
    for version in refused.versions_of(row):
        texts = itertools.islice(refused.refused_calls(row, version), 0, None, share)
        assert [failure for failure in ((text, internal_failures(text)) for text in texts) if failure[1]] == []


@pytest.mark.parametrize("name", refused.NAMES)
def test_some_calls_with_a_wrong_part(name: str) -> None:
    check_calls(name, SHARE)


@pytest.mark.long
@pytest.mark.parametrize("name", refused.NAMES)
def test_calls_with_a_wrong_part(name: str) -> None:
    check_calls(name, 1)

"""An `if` of literal lists is a list of optional items: no JSON in between, no Heat, and the values are Heat's.

The judge of each conversion compares the values; with `--tests` it does so for both states of the condition.
"""

from __future__ import annotations

import itertools
import json
from typing import Any

import pytest

from tests.support import conversions

BRANCHES: dict[str, list[str] | None] = {"none": [], "null": None, "a": ["a"], "b": ["b"], "ab": ["a", "b"]}
PLACES: dict[str, tuple[str, dict[str, Any], str, Any]] = {  # type, other properties, property, how an item is written
    "networks": (
        "OS::Nova::Server",
        {"image": "i", "flavor": {"if": ["on", "big", "small"]}},
        "networks",
        lambda word: {"network": word},
    ),
    "fixed_ips": ("OS::Neutron::Port", {"network": "n"}, "fixed_ips", lambda word: {"subnet": word}),
    "pairs": (
        "OS::Neutron::Port",
        {"network": "n"},
        "allowed_address_pairs",
        lambda word: {"ip_address": f"10.0.0.{ord(word)}"},
    ),
}


@pytest.mark.parametrize("default", [True, False])
@pytest.mark.parametrize(("first", "second"), list(itertools.permutations(BRANCHES, 2)))
@pytest.mark.parametrize("place", PLACES)
def test_each_branch_becomes_optional_items(place: str, first: str, second: str, default: bool) -> None:
    kind, others, name, write = PLACES[place]
    then, orelse = (None if (words := BRANCHES[key]) is None else [write(w) for w in words] for key in (first, second))
    template = {
        "heat_template_version": "2018-08-31",
        "parameters": {"on": {"type": "boolean", "default": default}},
        "conditions": {"on": {"get_param": "on"}},
        "resources": {"r": {"type": kind, "properties": {**others, name: {"if": ["on", then, orelse]}}}},
    }
    done = conversions.convert(json.dumps(template), options={"tests": True})
    text = "".join(str(done.files[path]) for path in done.files if path.endswith(".tf"))
    assert not [word for word in ("jsondecode", "orchestration_stack", "try(", "_is_id") if word in text]


@pytest.mark.parametrize("branches", [[{"network": "n", "enable_snat": False}, None], [None, {"network": "n"}]])
@pytest.mark.parametrize("default", [True, False])
def test_a_gateway_under_a_condition(branches: list[Any], default: bool) -> None:
    properties = {"external_gateway_info": {"if": ["used", *branches]}}
    template = {
        "heat_template_version": "2018-08-31",
        "parameters": {"used": {"type": "boolean", "default": default}},
        "conditions": {"used": {"get_param": "used"}},
        "resources": {"r": {"type": "OS::Neutron::Router", "properties": properties}},
    }
    done = conversions.convert(json.dumps(template), options={"tests": True})
    assert done.report["resources"]["r"]["treatment"] == "native"
    otherwise = "local.used ? null : " if branches[0] is None else " : null"
    assert otherwise in str(done.files["main.tf"])

"""The facts read from plug-ins, and from Heat's own resources, are those of real Heat: none is wrong, and a diagnostic
names each part that was not read.
"""

from __future__ import annotations

import json
import pathlib
import time
from typing import Any

import pytest

from tests.plugins.comparison import compare, heat_resources
from tests.plugins.support import SETS, unpacked
from tests.support import oracles
from transpile.model.budget import Budget
from transpile.plugins import read_plugins
from transpile.plugins.dump import dump_type
from transpile.schema import catalog

RESOURCES = heat_resources()
needs_resources = pytest.mark.skipif(
    RESOURCES is None or not (oracles.SHARED / "heat" / "heat_schema.json").is_file(),
    reason="HOT2TF_HEAT_PYTHON or HOT2TF_SHARED does not lead to real Heat",
)


@pytest.mark.parametrize(
    ("name", "directories", "types", "unread"),
    [("shop", ["shop"], 21, 3), ("three", ["shop", "later", "override"], 22, 3), ("py2", ["py2"], 1, 0)],
)
def test_own_sets_are_read_as_heat_reads_them(
    name: str, directories: list[str], types: int, unread: int, tmp_path: pathlib.Path
) -> None:
    truth = json.loads((SETS / f"truth_{name}.json").read_text(encoding="utf-8"))
    plugin_set = read_plugins(
        [unpacked(directory, tmp_path) for directory in directories], cache=False, budget=Budget()
    )
    count, wrong = compare({kind: dump_type(type_) for kind, type_ in plugin_set.types.items()}, truth["types"])
    assert wrong == []
    assert (count["types"], count["said"]) == (types, unread)
    assert sorted(plugin_set.constraints) == truth["constraints"]
    for kind, expected in truth["types"].items():
        if "invented" not in expected:
            assert plugin_set.types[kind].module == expected["module"]
            at = plugin_set.types[kind].source.text[plugin_set.types[kind].at :]
            assert at.startswith(f"class {expected['class']}")


@needs_resources
def test_heats_own_resources_are_read_as_heat_describes_them() -> None:
    """The source of Heat is the largest plug-in there is."""
    begin = time.process_time()
    plugin_set = read_plugins([str(RESOURCES)], cache=False, budget=Budget())
    assert time.process_time() - begin < 20  # five seconds are the aim
    truth = json.loads((oracles.SHARED / "heat" / "heat_schema.json").read_text(encoding="utf-8"))["types"]
    count, wrong = compare({kind: dump_type(type_) for kind, type_ in plugin_set.types.items()}, truth)
    assert wrong == []
    assert count["types"] == 201
    assert count["same"] / (count["same"] + count["said"]) > 0.998


def as_in_catalog(facts: Any) -> Any:
    """A property's facts without those that the catalog leaves out."""
    out = {key: value for key, value in facts.items() if key not in ("doc", "unread", "support")}
    if "constraints" in out:
        out["constraints"] = [constraint[:2] for constraint in out["constraints"]]  # without the description
    if "fields" in out:
        out["fields"] = {name: as_in_catalog(field) for name, field in out["fields"].items()}
    if "items" in out:
        out["items"] = as_in_catalog(out["items"])
    return out


@needs_resources
def test_facts_are_those_of_the_catalog() -> None:
    """Notes of translation rules, statuses and all: the source gives the facts of the catalog, which are from real
    Heat.
    """
    plugin_set = read_plugins([str(RESOURCES)], cache=False, budget=Budget())
    differences = set()
    for kind, type_ in plugin_set.types.items():
        expected = catalog.HEAT.find_type(kind)
        assert expected is not None
        if "retired" in expected:
            continue
        ours = {name: as_in_catalog(facts) for name, facts in type_.facts["properties"].items()}
        assert set(ours) == set(expected["properties"])
        differences |= {(kind, name) for name, facts in ours.items() if facts != expected["properties"][name]}
        for key in ("attributes", "any", "any_attribute", "status", "name_limit"):
            assert type_.facts.get(key) == expected.get(key), (kind, key)
    libraries = {("OS::Neutron::IKEPolicy", "pfs"), ("OS::Neutron::IPsecPolicy", "pfs")}  # neutron-lib's constants
    libraries |= {(kind, f"{name}_algorithm") for kind, _ in libraries for name in ("auth", "encryption")}
    peculiar = {  # facts that the plug-in decides from values
        ("OS::Heat::RandomString", "character_classes"), ("OS::Heat::RandomString", "sequence"),
        ("OS::Heat::Value", "value"), ("OS::Neutron::Router", "l3_agent_id"), ("OS::Neutron::Router", "l3_agent_ids"),
    }  # fmt: skip
    assert differences == libraries | peculiar

"""The report tells the truth: each argument that it names for a property is written in the block that it names."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

import pytest

import transpile
from tests.support.cases import Case, all_cases

BLOCK = re.compile(r'^(resource|data|module) ((?:"[^"]+" ?)+)\{\n(.*?)^\}', re.M | re.S)


def read_blocks(files: Mapping[str, str], folder: str) -> dict[str, str]:
    """The texts of the blocks in a directory, by their addresses."""
    blocks = {}
    for path, text in files.items():
        if path.rpartition("/")[0] == folder and path.endswith(".tf"):
            for kind, labels, body in BLOCK.findall(text):
                words = re.findall(r'"([^"]+)"', labels)
                blocks[".".join(words if kind == "resource" else (kind, *words))] = body
    return blocks


def untrue_fates(files: Mapping[str, str], report: Mapping[str, Any], folder: str = "") -> Iterator[str]:
    blocks = read_blocks(files, folder)
    for name, resource in report["resources"].items():
        for path, fate in resource["properties"].items():
            first = re.split(r"[.\[]", fate.get("argument", ""))[0]
            body = blocks.get(fate.get("to", ""))
            if first and body is not None and not re.search(rf'^ *(dynamic "{first}"|{first}\b)', body, re.M):
                yield f"{name}.{path}: {fate}"
    for module, inner in report.get("modules", {}).items():
        yield from untrue_fates(files, inner["report"], f"modules/{module}")


@pytest.mark.parametrize("case", all_cases(), ids=lambda case: case.name)
def test_each_argument_of_a_golden_exists(case: Case) -> None:
    root = case.folder / "hcl"
    files = {path.relative_to(root).as_posix(): path.read_text() for path in root.rglob("*.tf")}
    report = json.loads((case.folder / "hcl.report.json").read_text())
    assert list(untrue_fates(files, report)) == []


SPECS: dict[str, Any] = {
    "an argument": {"provider:network_type": "vlan"},
    "a block": {"segments": [{"provider:segmentation_id": 5}]},
    "a text": {"other": "x"},
    "both": {"mtu": 1400, "other": "x"},
    "nothing": {},
}


@pytest.mark.parametrize("specs", SPECS)
@pytest.mark.parametrize("form", ["literal", "value", "parameter", "branches"])
def test_keys_of_a_map_that_become_arguments(specs: str, form: str) -> None:
    value = SPECS[specs]
    template: dict[str, Any] = {
        "heat_template_version": "2018-08-31",
        "parameters": {"map": {"type": "json", "default": value}, "on": {"type": "boolean", "default": True}},
        "conditions": {"on": {"get_param": "on"}},
        "resources": {"held": {"type": "OS::Heat::Value", "properties": {"value": value}}},
    }
    forms = {
        "literal": value,
        "value": {"get_attr": ["held", "value"]},
        "parameter": {"get_param": "map"},
        "branches": {"if": ["on", value, {"mtu": 9000}]},
    }
    template["resources"]["net"] = {"type": "OS::Neutron::Net", "properties": {"value_specs": forms[form]}}
    done = transpile.convert(json.dumps(template))
    assert done.ok
    assert list(untrue_fates({path: str(text) for path, text in done.files.items()}, done.report)) == []

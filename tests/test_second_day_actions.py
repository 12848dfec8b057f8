"""Actions of the second day on a real cloud: expectations keep the rules, and configurations change as intended."""

from __future__ import annotations

import pathlib
from typing import Any

import pytest

import transpile
from tests.support import second_day
from tests.support.live_stacks import ADOPT, ManifestError, read_stacks
from transpile.adoption.kinds import API_KINDS
from transpile.report import template_reports

ROOT = """variable "n" {
  type = number
}

resource "openstack_blockstorage_volume_v3" "data" {
  count = var.n
  size  = 1
}

resource "openstack_blockstorage_volume_v3" "data_2" {
  size = openstack_blockstorage_volume_v3.data[0].size
}

module "nodes" {
  source = "./modules/node"
}
"""


def test_every_action_is_of_a_stack_that_is_adopted() -> None:
    adopted = {stack.name for stack in read_stacks() if ADOPT in stack.plans and not stack.refused}
    assert set(second_day.read_actions()) == adopted


def test_expectations_name_kinds_and_parameters_that_exist() -> None:
    """A misspelt parameter would change nothing, and Terraform only warns of it."""
    stacks = {stack.name: stack for stack in read_stacks()}
    for name, actions in second_day.read_actions().items():
        stack = stacks[name]
        done = transpile.convert(stack.template, environments=stack.environments, parameters=stack.parameters)
        (report, *_) = template_reports(done.report)
        for action in actions:
            assert set(action.api) <= set(API_KINDS), name
            if action.way == "set":
                assert set(action.what) <= set(report["parameters"]), name


@pytest.mark.parametrize(
    ("entry", "reason"),
    [
        ({"do": "bend", "set": {}}, "an action is one of"),
        ({"do": "grow"}, "made by one of"),
        ({"do": "grow", "set": {}, "edit": {}}, "made by one of"),
        ({"do": "grow", "set": {}, "plan": "2 more"}, "not as Terraform writes"),
        ({"do": "grow", "set": {}, "colour": 1}, "unknown keys: colour"),
        ({"do": "destroy a member", "destroy": "a.b"}, "only a destroyed member"),
    ],
)
def test_a_manifest_that_breaks_the_rules_is_refused(entry: dict[str, Any], reason: str) -> None:
    with pytest.raises(ManifestError, match=reason):
        second_day.read_action("web", entry)


@pytest.fixture
def configuration(tmp_path: pathlib.Path) -> pathlib.Path:
    (tmp_path / "main.tf").write_text(ROOT)
    (tmp_path / "versions.tf").write_text('terraform {\n  required_version = ">= 1.5"\n}\n')
    (tmp_path / "modules" / "node").mkdir(parents=True)
    (tmp_path / ".terraform").mkdir()
    return tmp_path


def test_a_text_is_edited_with_any_alignment(configuration: pathlib.Path) -> None:
    second_day.edit(configuration, {"main.tf": {"size = 1": "size = 2"}})
    assert "size = 2" in (configuration / "main.tf").read_text()
    with pytest.raises(ManifestError, match="has no"):
        second_day.edit(configuration, {"main.tf": {"size = 3": "size = 4"}})


def test_a_resource_gets_another_name_and_others_keep_theirs(configuration: pathlib.Path) -> None:
    second_day.rename(configuration, {"openstack_blockstorage_volume_v3.data": "openstack_blockstorage_volume_v3.disk"})
    text = (configuration / "main.tf").read_text()
    assert '"openstack_blockstorage_volume_v3" "disk"' in text
    assert '"openstack_blockstorage_volume_v3" "data_2"' in text
    assert "openstack_blockstorage_volume_v3.disk[0].size" in text
    moved = (configuration / second_day.WRITTEN).read_text()
    assert "from = openstack_blockstorage_volume_v3.data\n" in moved


def test_everything_moves_into_a_module(configuration: pathlib.Path) -> None:
    second_day.append(configuration, second_day.write_moved("a.b", "a.c"))  # of an earlier move
    addresses = ["data.x.y", "openstack_blockstorage_volume_v3.data[0]", "openstack_blockstorage_volume_v3.data[1]",
                 "module.nodes.openstack_networking_port_v2.port"]  # fmt: skip
    second_day.wrap(configuration, addresses)
    assert (configuration / "main.tf").read_text() == 'module "whole" {\n  source = "./whole"\n  n = var.n\n}\n'
    assert 'variable "n"' in (configuration / "variables.tf").read_text()
    assert (configuration / "whole" / "modules" / "node").is_dir()
    assert (configuration / ".terraform").is_dir()
    moved = (configuration / second_day.WRITTEN).read_text()
    assert moved.count("moved {") == 2
    assert "to   = module.whole.module.nodes\n" in moved
    assert "moved" not in (configuration / "whole" / second_day.WRITTEN).read_text()


def test_objects_are_compared_with_the_expectation() -> None:
    objects = {"volume": [{"id": "1", "size": 1, "metadata": {"a": "b"}}, {"id": "2", "size": 2}]}
    expected = {"volume": {"count": 3, "size": 1, "metadata.a": "b"}}
    assert list(second_day.compare_objects(expected, objects)) == [
        "volume: 2 objects, and not 3",
        "volume 2: size is 2, and not 1",
        "volume 2: metadata.a is None, and not 'b'",
    ]

"""An adoption with `--roll-up`: running copies are imported into one block, and Terraform changes nothing."""

from __future__ import annotations

import json
import pathlib
import shutil
import subprocess
from typing import Any

import pytest

import transpile
from emitters.hcl.emitter import TARGET
from tests.adoption.test_environments import Root, follow_removal
from tests.adoption.test_second_day import apply, count_actions
from tests.support import oracles
from tests.support.fake_stacks import NET, PORT, VOLUME, Named, Stack
from tests.support.files import write_files
from transpile.adopting.environments import adopted_environments
from transpile.adopting.run import Adoptee
from transpile.settings.table import Request
from transpile.text.output import has_marker, update_directory

COPIES: dict[str, Any] = {
    "resources": {
        "net": {"type": NET, "properties": {"name": "front"}},
        **{f"port_{n}": {"type": PORT, "properties": {"network": {"get_resource": "net"}}} for n in range(3)},
        **{f"disk_{n}": {"type": VOLUME, "properties": {"size": n * n}} for n in (1, 2, 3)},
        **{f"node_{n}": {"type": "node.yaml", "properties": {"net": {"get_resource": "net"}}} for n in (1, 2, 3)},
    },
}
NUMBER = 1 + 3 + 3 + 3 * 2  # imported objects


def run_copies(name: str) -> Stack:
    """Ports, disks and nested stacks, each three times."""
    stack = Stack(name, COPIES, {})
    stack.export["resources"] = {
        "net": stack.add(NET, "net", name="front"),
        **{f"port_{n}": stack.add(PORT, f"port-{n}") for n in range(3)},
        **{f"disk_{n}": stack.add(VOLUME, f"disk-{n}", size=n * n) for n in (1, 2, 3)},
        **{f"node_{n}": {**stack.node(f"node-{n}"), "type": "node.yaml"} for n in (1, 2, 3)},
    }
    return stack


def adopt(stack: Stack, **options: Any) -> transpile.Conversion:
    done = transpile.adopt(json.dumps(stack.export), cloud=Named(), options={"roll_up": True, **options})
    assert done.ok, done.diagnostics
    return done


def test_imports_have_the_written_addresses() -> None:
    """The addresses are equal in imports.tf, in the report, and in the report of a module."""
    done = adopt(run_copies("web"))
    assert done.report["imports"]["openstack_networking_port_v2.port[1]"] == "web-port-1"
    assert done.report["imports"]['module.node["2"].openstack_blockstorage_volume_v3.disk'] == "web-node-2-disk"
    assert 'to = openstack_blockstorage_volume_v3.disk["3"]' in str(done.files["imports.tf"])
    assert done.report["resources"]["port_1"]["import"] == {"openstack_networking_port_v2.port[1]": "web-port-1"}
    (module,) = done.report["modules"].values()
    assert 'module.node["1"].openstack_networking_port_v2.port' in module["report"]["resources"]["port"]["import"]


@oracles.needs_providers
def test_the_tests_of_an_adoption_pass(tmp_path: pathlib.Path) -> None:
    """The tests override imported objects: each instance for Terraform, whole blocks for OpenTofu."""
    done = adopt(run_copies("web"), tests=True, test_runs="all")
    write_files(tmp_path, done.files)
    assert 'target = openstack_blockstorage_volume_v3.disk["2"]\n' in str(done.files["tests/heat.tftest.hcl"])
    for_opentofu = str(done.files["tests/heat.tofutest.hcl"])
    assert for_opentofu.count("target = openstack_blockstorage_volume_v3.disk\n") == 1
    assert "target = module.node.openstack_networking_port_v2.port\n" in for_opentofu
    assert oracles.invalid(tmp_path) == []
    oracles.run(tmp_path, "test")


@oracles.needs_providers
@pytest.mark.skipif(shutil.which("patch") is None, reason="there is no patch on PATH")
def test_nothing_is_added_or_changed(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The steps of ADOPT.md are the import, the removal of imports.tf, and the patch that compares the rest."""
    stack = run_copies("web")
    done = adopt(stack)
    write_files(tmp_path, {**done.files, "cloud.json": json.dumps(stack.cloud)})
    monkeypatch.setenv("HOT2TF_FAKE_CLOUD", str(tmp_path / "cloud.json"))
    assert oracles.unformatted(tmp_path) == ""
    assert oracles.invalid(tmp_path) == []
    assert count_actions(tmp_path) == {}
    assert f"{NUMBER} to import" in oracles.terraform(tmp_path, "plan", "-input=false").stdout
    apply(tmp_path)
    (tmp_path / "imports.tf").unlink()
    assert count_actions(tmp_path) == {}
    for patch in sorted(tmp_path.glob("release/*compare.patch")):
        subprocess.run(["patch", "-p1", "-i", str(patch)], cwd=tmp_path, check=True, capture_output=True)
        assert oracles.invalid(tmp_path) == []
    assert set(count_actions(tmp_path)) <= {"update"}  # as ADOPT.md says of the last step


@oracles.needs_providers
def test_an_adopted_directory_is_rolled_up_later(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The state of an adoption without the option follows."""
    stack = run_copies("web")
    write_files(tmp_path, {"cloud.json": json.dumps(stack.cloud)})
    monkeypatch.setenv("HOT2TF_FAKE_CLOUD", str(tmp_path / "cloud.json"))
    for roll_up in (False, True):
        files = adopt(stack, roll_up=roll_up).files
        assert update_directory(tmp_path, files, owns=TARGET.owns or has_marker, follow=TARGET.follow).changed
        assert oracles.invalid(tmp_path) == []
        assert count_actions(tmp_path) == {}
        apply(tmp_path)
    assert 'module.node["1"]' in oracles.terraform(tmp_path, "state", "list").stdout


@oracles.needs_providers
@pytest.mark.long
def test_environments_share_rolled_up_code(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each imports its own objects into the same blocks, and keeps them when the IDs are removed."""
    stacks = {"production": run_copies("prod"), "staging": run_copies("stage")}

    adoptees = {name: Adoptee(json.dumps(stack.export), f"{name}.json") for name, stack in stacks.items()}
    done = adopted_environments(adoptees, Request(to="hcl", roll_up=True), Named())
    assert done.conversion.ok, done.conversion.diagnostics
    monkeypatch.setattr("tests.adoption.test_environments.adopt", lambda *_: done)
    root = Root(tmp_path, stacks, monkeypatch)
    for name in stacks:
        assert root.plan(name) == {"import": NUMBER}
        root.apply()
        assert root.plan(name) == {}
        follow_removal(tmp_path, name)
        assert root.plan(name) == {}

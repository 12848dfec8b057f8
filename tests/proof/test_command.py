"""`--tests` of the commands: which files it writes, and that a second run knows them as its own."""

from __future__ import annotations

import pathlib

import pytest

import transpile
from tests.conftest import Run
from tests.proof.stacks import FILE, SHOP, failures
from tests.support import oracles

INNER = """\
heat_template_version: 2018-08-31
parameters:
  name: {type: string}
resources:
  net: {type: OS::Neutron::Net, properties: {name: {get_param: name}}}
"""
OUTER = "heat_template_version: 2018-08-31\nresources:\n  inner: {type: inner.yaml, properties: {name: %s}}\n"


@pytest.fixture
def folder(tmp_path: pathlib.Path) -> pathlib.Path:
    (tmp_path / "shop.yaml").write_text(SHOP)
    return tmp_path


def test_convert_writes_tests_only_if_asked(command: Run, folder: pathlib.Path) -> None:
    assert command("convert", "shop.yaml", "-o", "out").status == 0
    assert not pathlib.Path("out/tests").exists()
    assert command("convert", "shop.yaml", "-o", "out", "--tests").status == 0
    first = pathlib.Path("out", FILE).read_text().partition("\n")[0]
    assert first == "# Made by hot2tf from shop.yaml"
    assert command("convert", "shop.yaml", "-o", "out").status == 0
    assert not pathlib.Path("out", FILE).exists()


def test_an_edited_test_is_not_overwritten(command: Run, folder: pathlib.Path) -> None:
    command("convert", "shop.yaml", "-o", "out", "--tests", "--option", "test_runs=all")
    mine = pathlib.Path("out", FILE)
    mine.write_text(mine.read_text() + "# mine\n")
    ended = command("convert", "shop.yaml", "-o", "out", "--tests", "--option", "test_runs=all")
    assert ended.status == 0
    assert f"Left as you edited or removed them: {FILE}." in ended.err
    assert mine.read_text().endswith("# mine\n")


def test_a_configuration_may_ask_for_tests(command: Run, folder: pathlib.Path) -> None:
    (folder / "hot2tf.toml").write_text("tests = true\n")
    assert command("convert", "shop.yaml", "-o", "out").status == 0
    assert pathlib.Path("out", FILE).exists()


def test_another_target_has_no_tests(command: Run, folder: pathlib.Path) -> None:
    ended = command("convert", "shop.yaml", "--to", "tosca", "--tests")
    assert (ended.status, ended.out) == (2, "")
    assert "--tests requires --to hcl" in ended.err


def test_a_migration_tests_shared_modules_in_each_stack(command: Run, tmp_path: pathlib.Path) -> None:
    """The tests of a shared module find it by the path from their stack, and its provider by its name."""
    (tmp_path / "src").mkdir()
    for name, text in (("inner.yaml", INNER), ("one.yaml", OUTER % "one"), ("two.yaml", OUTER % "two")):
        (tmp_path / "src" / name).write_text(text)
    assert command("migrate", "src", "dest", "--tests", "--option", "test_runs=all", "--jobs", "1").status == 0
    for stack in ("one", "two"):
        text = (tmp_path / "dest" / stack / "tests" / "heat_inner.tftest.hcl").read_text()
        assert 'source = "../modules/inner"' in text
        assert f'net.name == "{stack}"' in text
        assert "terraform-provider-openstack/openstack" in (tmp_path / "dest" / stack / "versions.tf").read_text()


@oracles.needs_providers
def test_the_tests_of_a_migration_pass(command: Run, tmp_path: pathlib.Path) -> None:
    (tmp_path / "src").mkdir()
    for name, text in (("inner.yaml", INNER), ("one.yaml", OUTER % "one"), ("two.yaml", OUTER % "two")):
        (tmp_path / "src" / name).write_text(text)
    assert command("migrate", "src", "dest", "--tests", "--option", "test_runs=all", "--jobs", "1").status == 0
    assert failures({}, tmp_path / "dest" / "one") == ""


KEPT = """\
heat_template_version: 2018-08-31
parameters:
  size: {type: number, default: 1, constraints: [range: {min: 1, max: 9}]}
  device: {type: string, default: /dev/vdb, constraints: [length: {min: 3}]}
resources:
  queue: {type: OS::Zaqar::Queue}
  disk: {type: OS::Cinder::Volume, properties: {size: {get_param: size}}}
  use:
    type: OS::Cinder::VolumeAttachment
    properties:
      instance_uuid: {get_attr: [queue, href]}
      volume_id: {get_resource: disk}
      mountpoint: {get_param: device}
  ports:
    type: OS::Heat::ResourceGroup
    properties: {count: 2, resource_def: {type: OS::Neutron::Port, properties: {network: inner}}}
outputs:
  ports: {value: {get_attr: [ports, refs]}}
"""


def test_a_resource_that_no_mock_can_plan_is_left_out_alone(command: Run, tmp_path: pathlib.Path) -> None:
    """The attachment needs an output of a Heat stack, which a mock has none of; the volume does not."""
    (tmp_path / "kept.yaml").write_text(KEPT)
    assert command("convert", "kept.yaml", "-o", "out", "--tests", "--option", "test_runs=all").status == 0
    text = pathlib.Path("out", FILE).read_text()
    assert "# Left out: openstack_compute_volume_attach_v2.use: instance_id is null." in text
    assert "openstack_blockstorage_volume_v3.disk.size == 1" in text
    assert "condition     = openstack_compute_volume_attach_v2.use" not in text


def test_a_constraint_is_violated_only_where_terraform_checks_it(command: Run, tmp_path: pathlib.Path) -> None:
    """If a part is planned, Terraform does not look at a variable that only the left-out part uses."""
    (tmp_path / "kept.yaml").write_text(KEPT)
    assert command("convert", "kept.yaml", "-o", "out", "--tests", "--option", "test_runs=all").status == 0
    text = pathlib.Path("out", FILE).read_text()
    assert "expect_failures = [var.size]" in text
    assert "expect_failures = [var.device]" not in text


@oracles.needs_providers
def test_the_tests_pass_although_something_is_left_out(command: Run, tmp_path: pathlib.Path) -> None:
    (tmp_path / "kept.yaml").write_text(KEPT)
    assert command("convert", "kept.yaml", "-o", "out", "--tests", "--option", "test_runs=all").status == 0
    assert failures({}, tmp_path / "out") == ""


def test_opentofu_has_a_file_without_instance_keys(command: Run, tmp_path: pathlib.Path) -> None:
    """OpenTofu refuses instance keys, and reads its own file in place of the other."""
    (tmp_path / "ports.yaml").write_text(KEPT.replace("{get_attr: [queue, href]}", "a-server"))
    assert command("convert", "ports.yaml", "-o", "out", "--tests", "--option", "test_runs=all").status == 0
    assert "target = openstack_networking_port_v2.ports[1]" in pathlib.Path("out", FILE).read_text()
    other = pathlib.Path("out", FILE.replace("tftest", "tofutest")).read_text()
    assert "target = openstack_networking_port_v2.ports\n" in other
    assert "target = openstack_networking_port_v2.ports[" not in other


def test_only_the_converted_values_and_conditions_are_tested_by_default(command: Run, folder: pathlib.Path) -> None:
    def read_runs(*more: str) -> list[str]:
        assert command("convert", "shop.yaml", "-o", "out", "--tests", *more, "--force").status == 0
        text = pathlib.Path("out", FILE).read_text()
        return [line.split('"')[1] for line in text.splitlines() if line.startswith("run ")]

    few = read_runs()
    assert sorted(few) == ["as_converted", "refused", "with_is_large", "with_is_public"]
    text = pathlib.Path("out", FILE).read_text()
    assert text.count("assert {") == 3, "one for each run that Terraform must accept"
    assert "expect_failures = [var.size, var.flavor]" in text
    lines = len(text.splitlines())
    assert set(few) - {"refused"} <= set(read_runs("--option", "test_runs=all"))
    assert 4 * lines < len(pathlib.Path("out", FILE).read_text().splitlines())


def test_no_run_violates_the_checks_of_the_output() -> None:
    """The range of the minimum allows 10 members, and the maximum is 6: a check block refuses that run."""
    template = """\
heat_template_version: 2018-08-31
parameters:
  min_size: {type: number, default: 2, constraints: [{range: {min: 1, max: 10}}]}
  max_size: {type: number, default: 6}
resources:
  g:
    type: OS::Heat::AutoScalingGroup
    properties:
      min_size: {get_param: min_size}
      max_size: {get_param: max_size}
      desired_capacity: {get_param: min_size}
      resource: {type: OS::Neutron::Net}
"""
    done = transpile.convert(template, prefer="native", options={"tests": True, "test_runs": "all"})
    assert 'run "min_size_smallest"' in done.files[FILE]
    assert 'run "min_size_largest"' not in done.files[FILE]

"""The stacks that are run on a real cloud: their manifests keep the rules, and their templates are right without it."""

from __future__ import annotations

import pathlib

import pytest

import transpile
from tests.support.live_plans import count_plan, read_guide
from tests.support.live_stacks import ADOPT, CONVERT, STACKS, LiveStack, ManifestError, read_stack, read_stacks
from transpile.report import template_reports

ALL = read_stacks()
MANIFEST = "proves: A test.\nadopt: 1 to import, 0 to add, 0 to change, 0 to destroy\n"


@pytest.mark.parametrize("stack", [pytest.param(stack, id=stack.name) for stack in ALL])
def test_a_stack_converts_as_its_manifest_says(stack: LiveStack) -> None:
    """No errors; and where Terraform makes the stack, exactly the resources of the manifest stay with Heat."""
    done = transpile.convert(
        stack.template, environments=stack.environments, parameters=stack.parameters, prefer=stack.prefer
    )
    assert [d.message for d in done.diagnostics if d.severity == "error"] == []
    kept = sorted(
        name
        for report in template_reports(done.report)
        for name, resource in report["resources"].items()
        if resource["treatment"] == "embedded"
    )
    if CONVERT in stack.plans:
        assert kept == stack.heat[CONVERT]


def test_every_folder_has_a_manifest() -> None:
    assert [path.name for path in sorted(STACKS.iterdir()) if path.is_dir()] == [stack.name for stack in ALL]


def test_no_parameter_of_a_step_is_unknown() -> None:
    """A misspelt parameter would change nothing, and Terraform only warns of it."""
    for stack in ALL:
        done = transpile.convert(stack.template, environments=stack.environments, parameters=stack.parameters)
        (report, *_) = template_reports(done.report)
        changed = {name for step in stack.steps for name in step.values} | set(stack.update)
        assert changed <= set(report["parameters"]), stack.name


def write(folder: pathlib.Path, manifest: str) -> pathlib.Path:
    (folder / "template.yaml").write_text("heat_template_version: 2018-08-31\n")
    path = folder / "manifest.yaml"
    path.write_text(manifest)
    return path


def test_a_manifest_is_read(tmp_path: pathlib.Path) -> None:
    step = "steps:\n  - grow: {n: 3}\n    plan: 1 to add, 0 to change, 0 to destroy\n"
    stack = read_stack(write(tmp_path, MANIFEST + step))
    assert stack.plans == {ADOPT: "1 to import, 0 to add, 0 to change, 0 to destroy"}
    assert [(step.name, step.values, step.plan) for step in stack.steps] == [
        ("grow", {"n": 3}, "1 to add, 0 to change, 0 to destroy")
    ]


@pytest.mark.parametrize(
    ("manifest", "reason"),
    [
        ("adopt: 1 to import, 0 to add, 0 to change, 0 to destroy\n", "no proves"),
        ("proves: A test.\n", "no plan"),
        ("proves: A test.\nadopt: 1 import\n", "not as Terraform writes"),
        (MANIFEST + "colour: red\n", "unknown keys: colour"),
        (MANIFEST + "environments: [other.yaml]\n", "there is no"),
        (MANIFEST + "steps:\n  - bend: {n: 1}\n    plan: 1 to add, 0 to change, 0 to destroy\n", "a step is one of"),
        (MANIFEST + "steps:\n  - grow: {n: 1}\n    plan: 0 to add, 1 to change, 0 to destroy\n", "is no plan of"),
        (MANIFEST + "steps:\n  - shrink: {n: 1}\n    plan: 1 to add, 0 to change, 1 to destroy\n", "is no plan of"),
        (MANIFEST + "steps:\n  - change: {n: 1}\n", "not as Terraform writes"),
    ],
)
def test_a_manifest_that_breaks_the_rules_is_refused(tmp_path: pathlib.Path, manifest: str, reason: str) -> None:
    with pytest.raises(ManifestError, match=reason):
        read_stack(write(tmp_path, manifest))


def test_a_stack_that_is_not_there_is_said() -> None:
    with pytest.raises(ManifestError, match=r"there is no stack nix; there are .*unnamed_volumes"):
        read_stacks(only=["nix"])


def test_the_commands_of_a_guide_have_their_promises() -> None:
    guide = """## 1. Import
```sh
terraform init
terraform plan -out=a
```
You should see: `Plan: 2 to import, 0 to add, 0 to change, 0 to destroy.` If it wants more, stop.
To go back, give Heat the template:
```sh
openstack stack update
```
## 2. Update
```sh
openstack stack update --dry-run
```
"""
    assert [tuple(command) for command in read_guide(guide)] == [
        ("1. Import", "terraform init", False, ""),
        ("1. Import", "terraform plan -out=a", False, "2 to import, 0 to add, 0 to change, 0 to destroy"),
        ("2. Update", "openstack stack update --dry-run", True, ""),
    ]


@pytest.mark.parametrize(
    ("out", "counts"),
    [
        ("\nPlan: 1 to add, 0 to change, 2 to destroy.\n", "1 to add, 0 to change, 2 to destroy"),
        ("\nNo changes. Your infrastructure matches the configuration.\n", "No changes"),
        ("Error: Invalid index\n", "?"),
    ],
)
def test_the_counts_of_a_plan_are_read(out: str, counts: str) -> None:
    assert count_plan(out) == counts

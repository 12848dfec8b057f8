"""When the size of a group changes, the plan touches only the members that must change.

The test asks terraform for a plan on an applied state. It never looks at the text of a file.
"""

from __future__ import annotations

import pathlib

import pytest

import transpile
from tests.support import oracles
from transpile.text import output

HEAD = "heat_template_version: 2021-04-16\nparameters: {n: {type: number, default: 2}}\nresources:\n"
MEMBER = """\
heat_template_version: 2021-04-16
parameters: {name: {type: string}}
resources:
  volume: {type: OS::Cinder::Volume, properties: {name: {get_param: name}, size: 1}}
  copy: {type: OS::Cinder::Volume, properties: {size: {get_attr: [volume, size]}}}
outputs: {id: {value: {get_resource: volume}}}
"""
PLAIN = """\
  group:
    type: OS::Heat::ResourceGroup
    properties:
      count: {get_param: n}
      resource_def: {type: OS::Cinder::Volume, properties: {name: disk-%index%, size: 1}}
"""
NESTED = PLAIN.replace("OS::Cinder::Volume", "member.yaml").replace(", size: 1", "")
SKIPPING = PLAIN.replace("      resource_def", "      removal_policies: [{resource_list: ['1']}]\n      resource_def")
SCALING = """\
  group:
    type: OS::Heat::AutoScalingGroup
    properties:
      desired_capacity: {get_param: n}
      min_size: 1
      max_size: 9
      resource: {type: OS::Cinder::Volume, properties: {size: 1}}
"""


def changes(where: pathlib.Path, size: int) -> dict[str, list[str]]:
    """The planned changes for another size, by address, without unchanged resources."""
    plan = oracles.plan(where, "-var", f"n={size}")
    return {
        c["address"]: c["change"]["actions"] for c in plan["resource_changes"] if c["change"]["actions"] != ["no-op"]
    }


@pytest.mark.long
@oracles.needs_providers
@pytest.mark.parametrize(
    ("group", "prefer", "more", "fewer"),
    [
        (PLAIN, "faithful", ["{r}.group[2]"], ["{r}.group[1]"]),
        (SKIPPING, "faithful", ['{r}.group["3"]'], ['{r}.group["2"]']),
        (
            NESTED,
            "faithful",
            ["module.group[2].{r}.copy", "module.group[2].{r}.volume"],
            ["module.group[1].{r}.copy", "module.group[1].{r}.volume"],
        ),
        (SCALING, "native", ["{r}.group[2]"], ["{r}.group[1]"]),
    ],
    ids=["plain", "skipping", "nested", "scaling"],
)
def test_only_members_that_must_change(
    group: str, prefer: str, more: list[str], fewer: list[str], tmp_path: pathlib.Path
) -> None:
    """Two members are applied. Three create one more, one deletes one, and two change nothing."""
    (tmp_path / "member.yaml").write_text(MEMBER)
    (tmp_path / "stack.yaml").write_text(HEAD + group)
    done = transpile.convert(tmp_path / "stack.yaml", prefer=prefer)
    where = tmp_path / "hcl"
    assert output.write_directory(where, dict(done.files)) == []
    (where / "name.auto.tfvars").write_text(
        'stack_name = "stack"\n' if "stack_name" in str(done.files["variables.tf"]) else ""
    )
    assert oracles.invalid(where) == []
    oracles.run(where, "apply", "-auto-approve", "-input=false", "-no-color", "-var", "n=2")
    resource = "openstack_blockstorage_volume_v3"
    assert changes(where, 2) == {}
    assert changes(where, 3) == {a.format(r=resource): ["create"] for a in more}
    assert changes(where, 1) == {a.format(r=resource): ["delete"] for a in fewer}


@pytest.mark.parametrize("removed", ["", "0", "1,7", "0,0,2"])
@pytest.mark.parametrize("nested", [False, True])
def test_a_parameter_lists_the_removed_members(removed: str, nested: bool, tmp_path: pathlib.Path) -> None:
    """The judge compares the members with those that Heat makes. Nothing stays with Heat."""
    head = "heat_template_version: 2018-08-31\n"
    (tmp_path / "member.yaml").write_text(
        head + "parameters: {name: {type: string}}\n"
        "resources: {net: {type: OS::Neutron::Net, properties: {name: {get_param: name}}}}\n"
    )
    kind = "member.yaml" if nested else "OS::Neutron::Net"
    (tmp_path / "t.yaml").write_text(
        head + f"parameters: {{gone: {{type: comma_delimited_list, default: '{removed}'}}}}\n"
        "resources:\n  g:\n    type: OS::Heat::ResourceGroup\n    properties:\n      count: 3\n"
        "      removal_policies: [{resource_list: {get_param: gone}}]\n"
        f"      resource_def: {{type: {kind}, properties: {{name: 'n%index%'}}}}\n"
    )
    done = transpile.convert(tmp_path / "t.yaml", options={"tests": True})
    assert done.ok, [d.message for d in done.diagnostics]
    assert "openstack_orchestration_stack_v1" not in str(done.files["main.tf"])
    names = [name for name in map(str, range(9)) if name not in removed.split(",")][:3]
    tests = str(next(text for path, text in done.files.items() if path.endswith(".tftest.hcl")))
    for name in names if not nested else ():
        assert f'["{name}"].name == "n{name}"' in tests

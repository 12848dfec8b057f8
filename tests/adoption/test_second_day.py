"""The time after an adoption: groups grow and shrink, parameters change, and all is destroyed.

Terraform does this with the fake cloud. Without terraform, the evaluator of HCL computes the plan.
"""

from __future__ import annotations

import functools
import json
import pathlib
import shutil
import subprocess
from collections.abc import Mapping
from typing import Any

import pytest
import yaml

import transpile
from emitters.hcl.adoption import takeover
from emitters.hcl.attempt import Attempt
from emitters.hcl.evaluation.instances import BlockInstance, InstancePlan
from tests.support import oracles
from tests.support.fake_stacks import NET, PORT, SECURITY_GROUP, SUBNET, VOLUME, Named, Stack
from tests.support.files import write_files
from transpile.adoption.adoption import Adoption

TEMPLATE = yaml.safe_load("""
heat_template_version: "2018-08-31"
parameters:
  n: {type: number, default: 2}
  idle: {type: number, default: 0}
  strict: {type: boolean, default: false}
  extra: {type: boolean, default: false}
conditions: {more: {get_param: extra}, closed: {get_param: strict}}
resources:
  wide: {type: OS::Neutron::SecurityGroup, properties: {name: wide, rules: []}}
  tight: {type: OS::Neutron::SecurityGroup, properties: {name: tight, rules: []}}
  net: {type: OS::Neutron::Net, properties: {name: front}}
  sub: {type: OS::Neutron::Subnet, properties: {name: sub, network: {get_resource: net}, cidr: 10.0.0.0/24}}
  disks:
    type: OS::Heat::ResourceGroup
    properties: {count: {get_param: n}, resource_def: {type: OS::Cinder::Volume, properties: {size: 1}}}
  nodes:
    type: OS::Heat::ResourceGroup
    properties:
      count: {get_param: n}
      resource_def: {type: node.yaml, properties: {net: {get_resource: net}, extra: {get_param: extra}}}
  idle:
    type: OS::Heat::ResourceGroup
    properties:
      count: {get_param: idle}
      resource_def: {type: node.yaml, properties: {net: {get_resource: net}}}
  spare: {type: OS::Cinder::Volume, condition: more, properties: {size: 1}}
  entry:
    type: OS::Neutron::Port
    properties:
      name: entry
      network: {get_resource: net}
      security_groups: {if: [closed, [{get_resource: tight}], [{get_resource: wide}]]}
      fixed_ips: [{ip_address: 10.0.0.9, subnet_id: {get_resource: sub}}]
  plain:
    type: OS::Neutron::Port
    properties: {name: plain, network: {get_resource: net}, fixed_ips: [{subnet_id: {get_resource: sub}}]}
""")


def run_stack(nodes: list[str]) -> Stack:
    """The stack with the members of `nodes` that run. Two disks run."""
    stack = Stack("web", TEMPLATE, {})
    subnet = {"network_id": "web-net", "cidr": "10.0.0.0/24", "enable_dhcp": True, "ip_version": 4, "no_gateway": False}
    stack.export["resources"] = {
        "wide": stack.add(SECURITY_GROUP, "wide", name="wide"),
        "tight": stack.add(SECURITY_GROUP, "tight", name="tight"),
        "net": stack.add(NET, "net", name="front"),
        "sub": stack.add(SUBNET, "sub", name="sub", **subnet),
        "disks": stack.group("disks", VOLUME, {name: stack.add(VOLUME, f"plain-{name}") for name in "01"}),
        "nodes": stack.group("nodes", "node.yaml", {name: stack.node(f"nodes-{name}") for name in nodes}),
        "idle": {},
        "entry": stack.add(PORT, "entry", name="entry"),
        "plain": stack.add(PORT, "plain", name="plain"),
    }
    return stack


def adopt(stack: Stack) -> transpile.Conversion:
    done = transpile.adopt(json.dumps(stack.export), cloud=Named())
    assert done.ok, done.diagnostics
    return done


def count_actions(where: pathlib.Path, *variables: str) -> dict[str, int]:
    """The numbers of resources that a plan changes, by action. The test fails if terraform does."""
    actions = [action for _, action in oracles.list_changes(oracles.plan(where, *variables))]
    return {action: actions.count(action) for action in actions if action != "import"}


def apply(where: pathlib.Path) -> None:
    oracles.run(where, "apply", "-input=false", "plan")


def import_stack(where: pathlib.Path, monkeypatch: pytest.MonkeyPatch, nodes: list[str]) -> transpile.Conversion:
    """The steps of ADOPT.md up to the removal of imports.tf."""
    stack = run_stack(nodes)
    done = adopt(stack)
    write_files(where, {**done.files, "cloud.json": json.dumps(stack.cloud)})
    monkeypatch.setenv("HOT2TF_FAKE_CLOUD", str(where / "cloud.json"))
    assert oracles.invalid(where) == []
    assert count_actions(where) == {}
    apply(where)
    (where / "imports.tf").unlink()
    assert count_actions(where) == {}
    return done


def evaluate_names(monkeypatch: pytest.MonkeyPatch, nodes: list[str], **variables: object) -> set[str]:
    """The names of the volumes that Terraform plans with other values of the variables."""
    attempts: list[tuple[Attempt, Mapping[str, Attempt]]] = []
    write_imports = takeover.write_imports

    def keep_attempts(adoption: Adoption, root: Attempt, modules: Mapping[str, Attempt]) -> Any:
        attempts.append((root, modules))
        return write_imports(adoption, root, modules)

    def identify(instance: BlockInstance, name: str) -> str:
        return f"{name} of {instance.address_text}"

    with monkeypatch.context() as patched:
        patched.setattr(takeover, "write_imports", keep_attempts)
        adopt(run_stack(nodes))
    ((root, modules),) = attempts
    values: dict[str, object] = {"stack_name": "web", "n": 2, "idle": 0, "extra": False, "strict": False, **variables}
    arguments = {label: functools.partial(lambda value: value, value) for label, value in values.items()}
    instances = InstancePlan(root, modules, identify, arguments).root.walk_instances()
    volumes = [i for i in instances if i.block.labels[0] == "openstack_blockstorage_volume_v3"]
    return {i.argument_value("name") for i in volumes}


RUNNING = {"heat-web-plain-0", "heat-web-plain-1", "heat-web-nodes-0-disk", "heat-web-nodes-1-disk"}


@pytest.mark.parametrize(
    ("variables", "names"),
    [
        ({}, RUNNING),
        ({"n": 3}, {*RUNNING, "web-disks-2", "web-nodes-2-disk"}),
        ({"n": 1}, {"heat-web-plain-0", "heat-web-nodes-0-disk"}),
        ({"n": 0}, set()),
        ({"idle": 2}, {*RUNNING, "web-idle-0-disk", "web-idle-1-disk"}),
        ({"extra": True}, {*RUNNING, "web-spare"}),
    ],
)
def test_running_members_keep_their_names_and_new_ones_are_named_as_converted(
    variables: dict[str, object], names: set[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert evaluate_names(monkeypatch, ["0", "1"], **variables) == names


def test_a_new_member_takes_no_number_of_a_removed_one(monkeypatch: pytest.MonkeyPatch) -> None:
    names = evaluate_names(monkeypatch, ["0", "2"], n=3)
    running = {*RUNNING, "heat-web-nodes-2-disk"} - {"heat-web-nodes-1-disk"}
    assert names == {*running, "web-disks-2", "web-nodes-3-disk"}


@pytest.mark.long
@oracles.needs_providers
def test_a_group_grows_and_shrinks(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One disk, one port and one more disk for each member. An empty group grows as well."""
    import_stack(tmp_path, monkeypatch, ["0", "1"])
    assert count_actions(tmp_path, "-var=n=3", "-var=idle=1") == {"create": 5}
    apply(tmp_path)
    assert count_actions(tmp_path, "-var=n=3", "-var=idle=1") == {}
    assert count_actions(tmp_path, "-var=n=1") == {"delete": 8}
    apply(tmp_path)
    assert count_actions(tmp_path, "-var=n=1") == {}
    assert count_actions(tmp_path, "-var=n=1", "-destroy") == {"delete": 9}
    apply(tmp_path)


@pytest.mark.long
@oracles.needs_providers
def test_a_group_with_a_gap_grows(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import_stack(tmp_path, monkeypatch, ["0", "2"])
    assert count_actions(tmp_path, "-var=n=3") == {"create": 3}
    apply(tmp_path)
    assert count_actions(tmp_path, "-var=n=3") == {}
    assert count_actions(tmp_path, "-var=n=3", "-destroy") == {"delete": 15}


@pytest.mark.long
@oracles.needs_providers
def test_a_condition_becomes_true(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The new resources have no names in Heat yet, neither in the root nor in the modules of running stacks."""
    import_stack(tmp_path, monkeypatch, ["0", "1"])
    assert count_actions(tmp_path, "-var=extra=true") == {"create": 3}


@pytest.mark.long
@oracles.needs_providers
@pytest.mark.skipif(shutil.which("patch") is None, reason="there is no patch on PATH")
def test_security_groups_are_compared_after_the_last_step(
    tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    done = import_stack(tmp_path, monkeypatch, ["0", "1"])
    change = "-var=strict=true"
    assert count_actions(tmp_path, change) == {}  # this is why there is a last step
    guide = str(done.files["ADOPT.md"])
    assert "patch -p1 < release/4-compare.patch" in guide
    subprocess.run(["patch", "-p1", "-i", "release/4-compare.patch"], cwd=tmp_path, check=True, capture_output=True)
    assert "0 to add, 1 to change, 0 to destroy" in guide
    assert count_actions(tmp_path) == {"update": 1}
    apply(tmp_path)
    assert count_actions(tmp_path) == {}
    assert count_actions(tmp_path, change) == {"update": 1}


def test_an_address_that_the_template_leaves_open_is_not_compared() -> None:
    """Neutron refuses to change it while a floating IP is on the port."""
    patch = str(adopt(run_stack(["0", "1"])).files["release/4-compare.patch"])
    removed = [line for line in patch.splitlines() if line.startswith("-    ignore_changes")]
    assert removed == ["-    ignore_changes = [fixed_ip, security_group_ids]"]
    text = str(adopt(run_stack(["0", "1"])).files["main.tf"])
    assert text.count("ignore_changes = [fixed_ip]") == 1


def test_the_import_blocks_go_directly_after_the_import() -> None:
    guide = str(adopt(run_stack(["0", "1"])).files["ADOPT.md"])
    place = guide.index("rm imports.tf")
    assert guide.index("terraform apply adopt.tfplan") < place < guide.index("## 2. Update 1")

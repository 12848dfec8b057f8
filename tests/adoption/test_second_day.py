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
from tests.support.files import write_files
from transpile.adoption.adoption import Adoption
from transpile.adoption.lookups import CloudLookup

NODE, TEMPLATE = yaml.safe_load_all("""
heat_template_version: "2018-08-31"
parameters: {net: {type: string}, extra: {type: boolean, default: false}}
conditions: {more: {get_param: extra}}
resources:
  port: {type: OS::Neutron::Port, properties: {network: {get_param: net}}}
  spare: {type: OS::Neutron::Port, condition: more, properties: {network: {get_param: net}}}
  disk: {type: OS::Cinder::Volume, properties: {size: 1, metadata: {stack: {get_param: "OS::stack_id"}}}}
outputs: {disk: {value: {get_resource: disk}}}
---
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
COMPLETE = {"action": "CREATE", "status": "COMPLETE"}


def live(kind: str, id: str) -> dict[str, Any]:
    return {"type": kind, "resource_id": id, "metadata": {}, "resource_data": {}, **COMPLETE}


def nested(name: str, template: dict[str, Any], resources: dict[str, Any]) -> dict[str, Any]:
    """A stack in an export."""
    return {
        **{"name": name, "id": f"stack-{name}", "template": template, "resources": resources, **COMPLETE},
        **{"environment": {"parameters": {}}, "files": {"node.yaml": json.dumps(NODE)}, "tags": []},
        **{"project_id": "p-1", "stack_user_project_id": "u-1"},
    }


def node(index: str) -> dict[str, Any]:
    resources = {
        "port": live("OS::Neutron::Port", f"port-{index}"),
        "disk": live("OS::Cinder::Volume", f"disk-{index}"),
    }
    return nested(f"web-nodes-{index}", NODE, resources)


def group_template(members: list[str], kind: str) -> dict[str, Any]:
    return {"heat_template_version": "2018-08-31", "resources": {name: {"type": kind} for name in members}}


def export(nodes: list[str]) -> dict[str, Any]:
    """The export of the stack with the members of `nodes` that run. Two disks run."""
    disks = {str(i): live("OS::Cinder::Volume", f"plain-{i}") for i in range(2)}
    return nested(
        "web",
        TEMPLATE,
        {
            "wide": live("OS::Neutron::SecurityGroup", "sg-1"),
            "tight": live("OS::Neutron::SecurityGroup", "sg-2"),
            "net": live("OS::Neutron::Net", "net-1"),
            "sub": live("OS::Neutron::Subnet", "sub-1"),
            "disks": nested("web-disks", group_template(list(disks), "OS::Cinder::Volume"), disks),
            "nodes": nested("web-nodes", group_template(nodes, "node.yaml"), {name: node(name) for name in nodes}),
            "idle": {},
            "entry": live("OS::Neutron::Port", "entry-1"),
            "plain": live("OS::Neutron::Port", "plain-port"),
        },
    )


class Named:
    """A cloud in which each object has a name that Heat made up, with its ID in it."""

    def ask(self, lookup: CloudLookup) -> list[dict[str, Any]]:
        id_ = dict(lookup.filter)["id"]
        return [{"id": id_, "name": f"heat-{id_}"}]


def adopt(nodes: list[str]) -> transpile.Conversion:
    done = transpile.adopt(json.dumps(export(nodes)), cloud=Named())
    assert done.ok, done.diagnostics
    return done


def make_cloud(nodes: list[str]) -> dict[str, Any]:
    """The objects of the fake cloud, as the provider reads them."""
    default = {"size": 1, "volume_retype_policy": "never"}
    volumes: dict[str, Any] = {f"plain-{i}": {"name": f"heat-plain-{i}", **default} for i in range(2)}
    for i in nodes:
        volumes[f"disk-{i}"] = {"name": f"heat-disk-{i}", "metadata": {"stack": f"stack-web-nodes-{i}"}, **default}
    ports = {f"port-{i}": {"name": f"heat-port-{i}", "network_id": "net-1"} for i in nodes}
    ports |= {
        "entry-1": {"name": "entry", "network_id": "net-1"},
        "plain-port": {"name": "plain", "network_id": "net-1"},
    }
    subnet = {"name": "sub", "network_id": "net-1", "cidr": "10.0.0.0/24", "enable_dhcp": True, "ip_version": 4}
    subnet["no_gateway"] = False
    return {
        "openstack_networking_secgroup_v2": {"sg-1": {"name": "wide"}, "sg-2": {"name": "tight"}},
        "openstack_networking_network_v2": {"net-1": {"name": "front"}},
        "openstack_networking_subnet_v2": {"sub-1": subnet},
        "openstack_blockstorage_volume_v3": volumes,
        "openstack_networking_port_v2": ports,
    }


def count_actions(where: pathlib.Path, *variables: str) -> dict[str, int]:
    """The numbers of resources that a plan changes, by action. The test fails if terraform does."""
    done = oracles.terraform(where, "plan", "-input=false", "-out=plan", *variables)
    assert done.returncode == 0, done.stdout + done.stderr
    plan = json.loads(oracles.terraform(where, "show", "-json", "plan").stdout)
    counts: dict[str, int] = {}
    for row in plan.get("resource_changes", []):
        for action in row["change"]["actions"]:
            if row["mode"] == "managed" and action != "no-op":
                counts[action] = counts.get(action, 0) + 1
    return counts


def apply(where: pathlib.Path) -> None:
    done = oracles.terraform(where, "apply", "-input=false", "plan")
    assert done.returncode == 0, done.stdout + done.stderr


def import_stack(where: pathlib.Path, monkeypatch: pytest.MonkeyPatch, nodes: list[str]) -> transpile.Conversion:
    """The steps of ADOPT.md up to the removal of imports.tf."""
    done = adopt(nodes)
    write_files(where, done.files)
    (where / "cloud.json").write_text(json.dumps(make_cloud(nodes)), encoding="utf-8")
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
        adopt(nodes)
    ((root, modules),) = attempts
    values: dict[str, object] = {"stack_name": "web", "n": 2, "idle": 0, "extra": False, "strict": False, **variables}
    arguments = {label: functools.partial(lambda value: value, value) for label, value in values.items()}
    instances = InstancePlan(root, modules, identify, arguments).root.walk_instances()
    volumes = [i for i in instances if i.block.labels[0] == "openstack_blockstorage_volume_v3"]
    return {i.argument_value("name") for i in volumes}


RUNNING = {"heat-plain-0", "heat-plain-1", "heat-disk-0", "heat-disk-1"}


@pytest.mark.parametrize(
    ("variables", "names"),
    [
        ({}, RUNNING),
        ({"n": 3}, {*RUNNING, "web-disks-2", "web-nodes-2-disk"}),
        ({"n": 1}, {"heat-plain-0", "heat-disk-0"}),
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
    assert names == {"heat-plain-0", "heat-plain-1", "web-disks-2", "heat-disk-0", "heat-disk-2", "web-nodes-3-disk"}


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
    patch = str(adopt(["0", "1"]).files["release/4-compare.patch"])
    removed = [line for line in patch.splitlines() if line.startswith("-    ignore_changes")]
    assert removed == ["-    ignore_changes = [fixed_ip, security_group_ids]"]
    text = str(adopt(["0", "1"]).files["main.tf"])
    assert text.count("ignore_changes = [fixed_ip]") == 1


def test_the_import_blocks_go_directly_after_the_import() -> None:
    guide = str(adopt(["0", "1"]).files["ADOPT.md"])
    place = guide.index("rm imports.tf")
    assert guide.index("terraform apply adopt.tfplan") < place < guide.index("## 2. Update 1")

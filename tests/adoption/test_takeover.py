"""The fate of single resources of a running stack: an import, a place in the old stack, or an error."""

from __future__ import annotations

import json
import pathlib
import re
from typing import Any

import pytest

import transpile
from transpile.adoption.lookups import CloudLookup, NoAnswer

VERSION = "2018-08-31"


def live(kind: str, id: str | None, **more: Any) -> dict[str, Any]:
    return {"type": kind, "resource_id": id, "action": "CREATE", "status": "COMPLETE", "metadata": {}, **more}


def stack(template: dict[str, Any], resources: dict[str, Any], **more: Any) -> dict[str, Any]:
    stack_resources = {
        name: resource if "template" in resource else {"name": name, **resource} for name, resource in resources.items()
    }
    return {
        **{"name": "web", "id": "5e3f", "action": "CREATE", "status": "COMPLETE", "project_id": "9d1c", "tags": []},
        **{"environment": {"parameters": {}}, "files": {}, "stack_user_project_id": "7e2f"},
        **{"template": {"heat_template_version": VERSION, **template}, "resources": stack_resources},
        **more,
    }


def group(name: str, id: str, members: dict[str, dict[str, Any]]) -> dict[str, Any]:
    kinds = {member: {"type": resource["type"]} for member, resource in members.items()}
    return stack({"resources": kinds}, members, name=name, id=id)


def adopt(exported: dict[str, Any], prefer: str = "faithful") -> transpile.Conversion:
    return transpile.adopt(json.dumps(exported, indent=1) + "\n", prefer=prefer)


def codes(done: transpile.Conversion) -> set[str]:
    return {d.code for d in done.diagnostics if d.severity != "info"}


NET = {"type": "OS::Neutron::Net", "properties": {"name": "n"}}
PORT = {"type": "OS::Neutron::Port", "properties": {"name": "p", "network": {"get_resource": "net"}}}


def test_resources_that_cannot_be_imported_stay_in_the_old_stack() -> None:
    trunk = {"type": "OS::Neutron::Trunk", "properties": {"name": "t", "port": {"get_resource": "port"}}}
    exported = stack(
        {"resources": {"net": NET, "port": PORT, "trunk": trunk}},
        {
            "net": live("OS::Neutron::Net", "n-1"),
            "port": live("OS::Neutron::Port", "p-1"),
            "trunk": live("OS::Neutron::Trunk", "t-1"),
        },
    )
    done = adopt(exported)
    assert done.ok, done.diagnostics
    assert done.report["imports"] == {
        "openstack_networking_network_v2.net": "n-1",
        "openstack_networking_port_v2.port": "p-1",
        "openstack_orchestration_stack_v1.trunk": "5e3f",
    }
    assert done.report["resources"]["trunk"]["treatment"] == "embedded"
    assert 'resource "openstack_networking_trunk_v2"' not in str(done.files["main.tf"])


def test_all_that_stays_is_one_stack_with_the_name_that_it_has() -> None:
    """Two parts without any connection, each a stack of its own in a conversion."""
    handle = {"type": "OS::Heat::WaitConditionHandle"}
    exported = stack(
        {"resources": {"one": handle, "two": handle, "net": NET}},
        {
            "one": live("OS::Heat::WaitConditionHandle", "h-1"),
            "two": live("OS::Heat::WaitConditionHandle", "h-2"),
            "net": live("OS::Neutron::Net", "n-1"),
        },
    )
    done = adopt(exported)
    assert done.ok
    text = str(done.files["main.tf"])
    assert text.count('resource "openstack_orchestration_stack_v1"') == 1
    assert "name             = var.stack_name" in text
    assert 'stack_name = "web"' in str(done.files["terraform.tfvars"])


def test_a_stack_with_nothing_left_in_heat_has_no_stack() -> None:
    done = adopt(stack({"resources": {"net": NET}}, {"net": live("OS::Neutron::Net", "n-1")}))
    assert "openstack_orchestration_stack_v1" not in "".join(map(str, done.files.values()))
    assert list(done.report["imports"]) == ["openstack_networking_network_v2.net"]


def test_readers_of_unknown_values_stay_in_heat_too() -> None:
    """Until the old stack is reduced, it has no output with the value, and a plan would show a change."""
    resources = {
        "handle": {"type": "OS::Heat::WaitConditionHandle"},
        "disk": {
            "type": "OS::Cinder::Volume",
            "properties": {"name": "d", "size": 1, "metadata": {"url": {"get_attr": ["handle", "endpoint"]}}},
        },
        "free": {"type": "OS::Cinder::Volume", "properties": {"name": "f", "size": 1}},
    }
    running = {
        "handle": live("OS::Heat::WaitConditionHandle", "h-1"),
        "disk": live("OS::Cinder::Volume", "v-1"),
        "free": live("OS::Cinder::Volume", "v-2"),
    }
    done = adopt(stack({"resources": resources}, running))
    assert done.ok
    assert done.report["resources"]["disk"]["treatment"] == "embedded"
    assert done.report["imports"]["openstack_blockstorage_volume_v3.free"] == "v-2"


def scaled(desired: object, members: list[str], parameters: object = None) -> dict[str, Any]:
    volume = {"type": "OS::Cinder::Volume", "properties": {"name": "v", "size": 1}}
    properties = {"min_size": 0, "max_size": 9, "desired_capacity": desired, "resource": volume}
    running = {member: live("OS::Cinder::Volume", f"id-{member}") for member in members}
    template = {
        "parameters": parameters or {},
        "resources": {"group": {"type": "OS::Heat::AutoScalingGroup", "properties": properties}},
    }
    return stack(template, {"group": group("web-group-a1b2c3d4e5f6", "9a0b", running)})


def test_a_scaling_group_has_the_size_that_it_runs_with() -> None:
    """Heat has scaled it from 2 to 3. The next size is a variable's value, too."""
    done = adopt(scaled(2, ["xyz", "abc", "mno"]), "native")
    assert done.ok, done.diagnostics
    assert count_and_default(done, "group_size") == ("var.group_size", "3")
    ids = [f"id-{member}" for member in ("abc", "mno", "xyz")]
    assert done.report["imports"] == {f"openstack_blockstorage_volume_v3.group[{i}]": id for i, id in enumerate(ids)}


SIZE = {"n": {"type": "number", "default": 2}}


@pytest.mark.parametrize(
    ("members", "variable", "default"),
    [
        (["abc", "xyz"], "n", "2"),  # as the parameter says, which sets the size from now on
        (["abc", "mno", "xyz"], "group_size", "3"),  # Heat has scaled it
        ([], "group_size", "0"),  # down to nothing
    ],
)
def test_a_variable_sets_the_size_of_a_scaling_group_that_runs(members: list[str], variable: str, default: str) -> None:
    done = adopt(scaled({"get_param": "n"}, members, SIZE), "native")
    assert done.ok, done.diagnostics
    assert count_and_default(done, variable) == (f"var.{variable}", default)
    assert [d.message for d in done.diagnostics if d.code == "HOT560"] == [
        f"group no longer scales by itself: var.{variable} sets its size."
    ]


def count_and_default(done: transpile.Conversion, variable: str) -> tuple[str, str]:
    """The argument count of the group, and the default of a variable."""
    count = re.search(r"(?m)^  count = (.*)$", str(done.files["main.tf"]))
    block = re.search(rf'(?ms)^variable "{variable}" {{(.*?)^}}', str(done.files["variables.tf"]))
    assert count is not None
    assert block is not None
    default = re.search(r"(?m)^  default +(?:= )(.*)$", block[1])
    assert default is not None
    return count[1], default[1]


def members(count: int, names: list[str]) -> dict[str, Any]:
    volume = {"type": "OS::Cinder::Volume", "properties": {"name": "v-%index%", "size": 1}}
    properties = {"count": count, "resource_def": volume}
    running = {name: live("OS::Cinder::Volume", f"id-{name}") for name in names}
    return stack(
        {"resources": {"group": {"type": "OS::Heat::ResourceGroup", "properties": properties}}},
        {"group": group("web-group-a1b2c3d4e5f6", "9a0b", running)},
    )


@pytest.mark.parametrize(
    ("names", "keys"),
    [
        (["0", "1", "2"], ["0", "1", "2"]),
        (["10", "2", "0"], ['"0"', '"10"', '"2"']),
        (["0", "2", "3"], ['"0"', '"2"', '"3"']),
        (["3", "4", "5"], ['"3"', '"4"', '"5"']),
    ],
)
def test_members_keep_the_names_that_they_have(names: list[str], keys: list[str]) -> None:
    done = adopt(members(3, names))
    assert done.ok, done.diagnostics
    imports = done.report["imports"]
    assert list(imports) == [f"openstack_blockstorage_volume_v3.group[{key}]" for key in keys]
    assert {key.strip('"'): f"id-{key.strip(chr(34))}" for key in keys} == dict(
        zip((key.strip('"') for key in keys), imports.values(), strict=True)
    )


@pytest.mark.parametrize(("count", "code"), [(2, "HOT712"), (4, "HOT714")])
def test_a_group_of_another_size_is_an_error(count: int, code: str) -> None:
    done = adopt(members(count, ["0", "1", "2"]))
    assert not done.ok
    assert code in codes(done)
    assert done.files == {}


def test_the_private_key_of_a_generated_pair_is_null() -> None:
    pair = {"type": "OS::Nova::KeyPair", "properties": {"name": "k", "save_private_key": True}}
    outputs = {"key": {"value": {"get_attr": ["pair", "private_key"]}}}
    done = adopt(stack({"resources": {"pair": pair}, "outputs": outputs}, {"pair": live("OS::Nova::KeyPair", "k")}))
    assert done.ok
    assert "HOT718" in codes(done)
    assert "private_key" not in str(done.files["outputs.tf"])
    assert done.report["imports"] == {"openstack_compute_keypair_v2.pair": "k"}


def test_resources_of_the_state_alone_are_announced_as_added() -> None:
    delay = {"type": "OS::Heat::Delay", "properties": {"min_wait": 3}}
    done = adopt(stack({"resources": {"pause": delay}}, {"pause": live("OS::Heat::Delay", "d-1")}))
    assert done.ok, done.diagnostics
    assert [d.severity for d in done.diagnostics if d.code == "HOT714"] == ["warning"]


def test_two_runs_give_the_same_bytes() -> None:
    exported = members(3, ["2", "0", "5"])
    assert adopt(exported).files == adopt(exported).files


def test_nothing_reads_an_argument_that_an_import_leaves_empty() -> None:
    """`fixed_ip` of a port is not read back, so its first item would be an error in every plan."""
    port = {
        "type": "OS::Neutron::Port",
        "properties": {"name": "p", "network": {"get_resource": "net"}, "fixed_ips": [{"ip_address": "10.0.0.9"}]},
    }
    outputs = {
        "subnet": {"value": {"get_attr": ["port", "fixed_ips", 0]}},
        "address": {"value": {"get_attr": ["port", "fixed_ips", 0, "ip_address"]}},
    }
    running = {"net": live("OS::Neutron::Net", "n-1"), "port": live("OS::Neutron::Port", "p-1")}
    done = adopt(stack({"resources": {"net": NET, "port": port}, "outputs": outputs}, running))
    assert done.ok
    assert "HOT718" in codes(done)
    text = str(done.files["outputs.tf"])
    assert ".fixed_ip[" not in text
    assert "all_fixed_ips[0]" in text


class Generous:
    """A cloud that answers each question with all objects of the kind."""

    def ask(self, lookup: CloudLookup) -> list[dict[str, Any]]:
        if lookup.kind != "security group rule":
            return [{"id": "g-1", "name": "g"}]
        filters = {"security_group_id": "g-1", "direction": "ingress", "ethertype": "IPv4", "remote_ip_prefix": None}
        rule = {**filters, "protocol": "tcp", "remote_group_id": None}
        return [{**rule, "id": f"r-{n}", "port_range_min": n, "port_range_max": n} for n in (22, 80)]


def test_a_cloud_may_answer_with_more_than_was_asked_for() -> None:
    """Services ignore filters that they do not know; the object that is taken still has to match."""
    rules = [{"protocol": "tcp", "port_range_min": port, "port_range_max": port} for port in (22, 80)]
    kind = "OS::Neutron::SecurityGroup"
    exported = stack(
        {"resources": {"g": {"type": kind, "properties": {"name": "g", "rules": rules}}}}, {"g": live(kind, "g-1")}
    )
    done = transpile.adopt(json.dumps(exported), cloud=Generous())
    assert done.ok, done.diagnostics
    assert {"r-22", "r-80"} <= set(done.report["imports"].values())


@pytest.mark.parametrize("other", ["none", "native", "kept", "hidden"])
def test_terraform_sends_the_template_of_a_stack_that_stays_once(other: str) -> None:
    """While it ignores the template, it sends an empty one with every change.

    Another parameter is used by native resources, so the stack loses it in the second update, or by those that stay. If
    it is hidden, the provider would send the asterisks that Heat returns, so nothing is compared.
    """
    size: dict[str, Any] = {"get_param": "n"}
    exported = scaled(size, ["abc", "xyz"], SIZE)
    template, running = exported["template"], exported["resources"]
    template["resources"]["disk"] = {"type": "OS::Cinder::Volume", "properties": {"name": "d", "size": 1}}
    running["disk"] = {"name": "disk", **live("OS::Cinder::Volume", "v-1")}
    if other != "none":
        user, key = ("disk", "size") if other == "native" else ("group", "max_size")
        template["parameters"]["m"] = {"type": "number", "default": 9, "hidden": other == "hidden"}
        template["resources"][user]["properties"][key] = {"get_param": "m"}
    done = adopt(exported)
    assert done.ok, done.diagnostics
    ignored = re.search(r"ignore_changes = \[.*template_opts\]", str(done.files["main.tf"]))
    assert ignored is not None
    assert (f"-    {ignored[0]}\n" in str(done.files.get("release/4-compare.patch", ""))) is (other != "hidden")
    assert ("parameters" in ignored[0]) is (other in ("native", "hidden"))
    sent = re.search(r"\n  parameters +=\s(\{.*?\})\n", str(done.files["main.tf"]), re.S)
    assert sent is not None
    assert ("m = var.m" in sent[1]) is (other in ("kept", "hidden"))


@pytest.mark.parametrize("count", [2, 3])
def test_each_member_of_a_chain_keeps_its_names(count: int) -> None:
    step = {
        "heat_template_version": VERSION,
        "resources": {"data": {"type": "OS::Cinder::Volume", "properties": {"size": 1}}},
    }
    chain = {"type": "OS::Heat::ResourceChain", "properties": {"resources": ["step.yaml"] * count}}
    inner = {
        str(i): {
            **stack(step, {"data": live("OS::Cinder::Volume", f"v-{i}")}, name=f"web-chain-x-{i}-y", id=f"s-{i}"),
            "type": "step.yaml",
        }
        for i in range(count)
    }
    outer = {"chain": stack({"resources": {}}, inner, name="web-chain-x", id="c-1")}
    names = {f"v-{i}": f"web-chain-x-{i}-y-data-z" for i in range(count)}
    files = {"step.yaml": json.dumps(step)}
    exported = stack({"resources": {"chain": chain}}, outer, files=files)
    done = transpile.adopt(json.dumps(exported), cloud=Names(names))
    assert done.ok, done.diagnostics
    main = str(done.files["main.tf"])
    for i, name in enumerate(names.values()):
        assert re.search(rf'stack_name += "web-chain-x-{i}-y"', main)
        assert main.count(f'data = "{name}"') == 1


class Names:
    """A cloud that knows the names of volumes."""

    def __init__(self, names: dict[str, str]) -> None:
        self.names = names

    def ask(self, lookup: CloudLookup) -> list[dict[str, Any]]:
        id = dict(lookup.filter).get("id", "")
        if lookup.kind != "volume" or id not in self.names:
            raise NoAnswer
        return [{"id": id, "name": self.names[id]}]


def test_no_file_that_is_committed_has_a_made_up_secret(tmp_path: pathlib.Path) -> None:
    """In stacks of old Heat, the ID of a random string is its value."""
    string: dict[str, Any] = {"status": "COMPLETE", "action": "CREATE", "name": "s", "type": "OS::Heat::RandomString"}
    string |= {"resource_id": "Made1Up2", "resource_data": {"value": "Made1Up2"}, "metadata": {}}
    template = {"heat_template_version": "2018-08-31", "resources": {"s": {"type": "OS::Heat::RandomString"}}}
    export = tmp_path / "export.json"
    export.write_text(
        json.dumps(
            {
                **{"status": "COMPLETE", "action": "CREATE", "name": "a", "id": "b10bfa80-e495-40d7-bb5a-f663f514c804"},
                **{"project_id": "p", "environment": {"parameters": {}}, "template": template},
                "resources": {"s": string},
            }
        )
    )
    done = transpile.adopt(export)
    assert done.ok, [d.message for d in done.diagnostics]
    committed = {path: text for path, text in done.files.items() if path != "imports.tf"}
    assert "ADOPT.md" in committed
    assert [path for path, text in committed.items() if "Made1Up2" in str(text)] == []

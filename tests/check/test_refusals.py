"""Refusals of Heat beyond names and schemas: `check` has an error at the same level, and no other.

The expected level of each case is Heat's; where real Heat is installed, it is asked again.
"""

from __future__ import annotations

import json
import pathlib
from typing import Any

import pytest

import transpile
from tests.support import oracles
from transpile import checking
from transpile.model.budget import Budget
from transpile.model.source import Source
from transpile.settings.table import Request

SALT = {"type": "OS::Heat::RandomString"}
NUMBER = {"n": {"type": "number", "default": 1}}
NEVER, CREATE, TEMPLATE = "never", "create", "template"


def resource(kind: str, version: str = "2021-04-16", **properties: Any) -> dict[str, Any]:
    return {"heat_template_version": version, "resources": {"r": {"type": kind, "properties": properties}}}


def salted(salt: Any, version: str = "2021-04-16", **sections: Any) -> dict[str, Any]:
    return {**resource("OS::Heat::RandomString", version, salt=salt), **sections}


def server(**properties: Any) -> dict[str, Any]:
    return resource("OS::Nova::Server", flavor="f", **properties)


def external(external_id: Any, condition: bool = True, needed: bool = True) -> dict[str, Any]:
    volume = {"type": "OS::Cinder::Volume", "external_id": external_id, "depends_on": "n", "condition": condition}
    other = {"type": "OS::Heat::None", "condition": needed}
    return {"heat_template_version": "2016-10-14", "resources": {"n": other, "r": volume}}


def dual_stack(waits: bool, condition: bool = True, network: Any = None) -> dict[str, Any]:
    """A port, to which Heat adds that it waits for each subnet of its network, and a subnet that may wait for it."""
    net = {"get_resource": "net"}
    subnet = {"type": "OS::Neutron::Subnet", "properties": {"network": net, "cidr": "2001:db8::/64", "ip_version": 6}}
    port = {"type": "OS::Neutron::Port", "properties": {"network": network or net}}
    first = {"type": "OS::Neutron::Subnet", "properties": {"network": net, "cidr": "192.0.2.0/24"}}
    late = {**subnet, "condition": condition, **({"depends_on": "gateway"} if waits else {})}
    return {
        "heat_template_version": "2021-04-16",
        "resources": {"net": {"type": "OS::Neutron::Net"}, "v4": first, "gateway": port, "v6": late},
    }


CASES: dict[str, tuple[dict[str, Any], str]] = {
    # additions of plug-ins
    "a subnet that waits for a port in its network": (dual_stack(waits=True), CREATE),
    "a subnet that waits for nothing": (dual_stack(waits=False), NEVER),
    "a subnet that waits for a port and does not exist": (dual_stack(waits=True, condition=False), NEVER),
    "a subnet that waits for a port in another network": (dual_stack(waits=True, network="other"), NEVER),
    # forms of calls
    "several lists in 2014": (salted({"list_join": [",", ["a"], ["b"]]}, "2014-10-16"), TEMPLATE),
    "several lists in 2015": (salted({"list_join": [",", ["a"], ["b"]]}, "2015-10-15"), NEVER),
    "map in list_join in 2014": (salted({"list_join": [",", [{"a": "b"}]]}, "2014-10-16"), CREATE),
    "map in list_join in 2015": (salted({"list_join": [",", [{"a": "b"}]]}, "2015-10-15"), NEVER),
    "list in str_replace in 2014": (
        salted({"str_replace": {"template": "a", "params": {"a": ["b"]}}}, "2014-10-16"),
        CREATE,
    ),
    "params of str_replace as a list": (salted({"str_replace": {"template": "a", "params": ["a"]}}), TEMPLATE),
    "params of str_replace of a group": (
        resource(
            "OS::Heat::ResourceGroup",
            count=1,
            resource_def={**SALT, "properties": {"salt": {"str_replace": {"template": "a", "params": ["a"]}}}},
        ),
        TEMPLATE,
    ),
    "map in for_each in 2016-04": (
        resource(
            "OS::Neutron::Net",
            "2016-04-08",
            name="x",
            tags={"repeat": {"template": "%k%", "for_each": {"%k%": {"a": 1}}}},
        ),
        CREATE,
    ),
    "map in for_each in 2016-10": (
        resource(
            "OS::Neutron::Net",
            "2016-10-14",
            name="x",
            tags={"repeat": {"template": "%k%", "for_each": {"%k%": {"a": 1}}}},
        ),
        NEVER,
    ),
    # values of the wrong type, with a value beside them that only a stack has
    "numbers in repeat": (
        {
            "heat_template_version": "2018-08-31",
            "resources": {
                "g": {"type": "OS::Neutron::SecurityGroup"},
                "r": {
                    "type": "OS::Neutron::SecurityGroup",
                    "properties": {
                        "rules": {
                            "repeat": {
                                "for_each": {"%p%": [80]},
                                "template": {"protocol": "%p%", "remote_group_id": {"get_resource": "g"}},
                            }
                        }
                    },
                },
            },
        },
        CREATE,
    ),
    "no numbers in repeat": (
        resource("OS::Neutron::Net", tags={"repeat": {"template": "%k%", "for_each": {"%k%": []}}}),
        NEVER,
    ),
    "number in list_join": (salted({"list_join": ["-", ["a", {"get_param": "n"}]]}, parameters=NUMBER), CREATE),
    # external resources
    "external with depends_on": (external("abc"), TEMPLATE),
    "disabled external with depends_on": (external("abc", condition=False), NEVER),
    "external that depends on a disabled resource": (external("abc", needed=False), TEMPLATE),
    # plug-ins
    "value_specs of a network": (resource("OS::Neutron::Net", value_specs={"port_security_enabled": False}), CREATE),
    "hints in value_specs": (resource("OS::Neutron::Net", value_specs={"availability_zone_hints": ["a"]}), CREATE),
    "tenant in value_specs": (resource("OS::Neutron::Net", value_specs={"tenant_id": "a"}), CREATE),
    "mtu in value_specs": (resource("OS::Neutron::Net", value_specs={"mtu": 1400}), NEVER),
    "value_specs of a port": (resource("OS::Neutron::Port", network="n", value_specs={"name": "a"}), NEVER),
    "server without a disk": (server(), CREATE),
    "server with a null image": (server(image=None), NEVER),
    "device without a source": (server(image="i", block_device_mapping_v2=[{"volume_size": 1}]), CREATE),
    "device with two sources": (server(block_device_mapping_v2=[{"volume_id": "v", "image": "i"}]), CREATE),
    "device with one source": (server(block_device_mapping_v2=[{"volume_id": "v"}]), NEVER),
    "two devices to boot from": (server(image="i", block_device_mapping_v2=[{"volume_id": "v"}]), CREATE),
    "second device": (server(image="i", block_device_mapping_v2=[{"volume_id": "v", "boot_index": 1}]), NEVER),
    "only a second device": (server(block_device_mapping_v2=[{"volume_id": "v", "boot_index": 1}]), CREATE),
    "old device without a source": (server(image="i", block_device_mapping=[{"device_name": "vdb"}]), CREATE),
    "old device": (server(block_device_mapping=[{"device_name": "vda", "volume_id": "v"}]), NEVER),
    "interface of nothing": (server(image="i", networks=[{"fixed_ip": "10.0.0.1"}]), CREATE),
    "address beside a port": (server(image="i", networks=[{"port": "p", "fixed_ip": "10.0.0.1"}]), CREATE),
    "groups beside a port": (server(image="i", networks=[{"port": "p"}], security_groups=["a"]), CREATE),
    "groups beside a network": (server(image="i", networks=[{"network": "p"}], security_groups=["a"]), NEVER),
    "volume of nothing": (resource("OS::Cinder::Volume"), CREATE),
    "volume of an image without size": (resource("OS::Cinder::Volume", image="i"), CREATE),
    "volume of a volume": (resource("OS::Cinder::Volume", source_volid="v"), NEVER),
    "volume of two sources": (resource("OS::Cinder::Volume", size=1, source_volid="v", image="i"), CREATE),
    "groups beside interfaces": (
        resource("AWS::EC2::Instance", ImageId="i", InstanceType="t", SecurityGroups=["a"], NetworkInterfaces=["b"]),
        CREATE,
    ),
    "security group default": (resource("OS::Neutron::SecurityGroup", name="default"), CREATE),
    "security group defaults": (resource("OS::Neutron::SecurityGroup", name="defaults"), NEVER),
    **{
        f"load balancer checked every {interval} s for {timeout} s": (
            resource(
                "AWS::ElasticLoadBalancing::LoadBalancer",
                AvailabilityZones=["nova"],
                Listeners=[{"LoadBalancerPort": "80", "InstancePort": "80", "Protocol": "HTTP"}],
                HealthCheck={
                    **{"Target": "HTTP:80/", "HealthyThreshold": "3", "UnhealthyThreshold": "5"},
                    **{"Interval": interval, "Timeout": timeout},
                },
            ),
            level,
        )
        for interval, timeout, level in (("10", "60", CREATE), ("60", "60", NEVER), ("60", "10", NEVER))
    },
    "no groups beside interfaces": (
        resource("AWS::EC2::Instance", ImageId="i", InstanceType="t", SecurityGroups=[], NetworkInterfaces=["b"]),
        NEVER,
    ),
}


def by_reference(value: Any) -> Any:
    """Properties with a reference to a resource in place of each text: that it has a value is just as certain."""
    if isinstance(value, dict):
        return {key: item if key == "device_name" else by_reference(item) for key, item in value.items()}
    if isinstance(value, list):
        return [by_reference(item) for item in value]
    return {"get_resource": "other"} if isinstance(value, str) else value


PLUGINS = (
    *("interface", "address beside", "groups beside", "no groups", "device", "second device", "volume of", "two dev"),
)
for case, (template, level) in [(name, CASES[name]) for name in CASES if name.startswith(PLUGINS)]:
    body = {**template["resources"]["r"], "properties": by_reference(template["resources"]["r"]["properties"])}
    CASES[f"{case}, by reference"] = (
        {**template, "resources": {"r": body, "other": {"type": "OS::Heat::RandomString"}}},
        level,
    )


def errors(template: dict[str, Any], level: str, folder: pathlib.Path) -> list[str]:
    """The errors of `check` at a level."""
    request = checking.CheckRequest(Request(level=level))
    diagnostics = checking.check_text(Source("t.yaml", json.dumps(template), budget=Budget()), request, str(folder))
    return [f"{d.code} {d.message}" for d in diagnostics if d.severity == "error"]


@pytest.mark.parametrize("name", CASES)
def test_check_refuses_when_heat_does(name: str, tmp_path: pathlib.Path) -> None:
    template, level = CASES[name]
    assert bool(errors(template, "template", tmp_path)) is (level == TEMPLATE)
    assert bool(errors(template, "create", tmp_path)) is (level != NEVER)


@pytest.mark.parametrize("name", [name for name in CASES if CASES[name][1] == CREATE])
def test_a_conversion_reports_refusals_of_heat(name: str, tmp_path: pathlib.Path) -> None:
    """The conversion to every target has the code of `check`."""
    template, _ = CASES[name]
    done = transpile.convert(json.dumps(template))
    expected = {error.partition(" ")[0] for error in errors(template, "create", tmp_path)}
    assert expected <= {diagnostic.code for diagnostic in done.diagnostics}


@oracles.needs_heat
@pytest.mark.parametrize("name", CASES)
def test_heat_does(name: str) -> None:
    """The expected levels are those of real Heat."""
    template, level = CASES[name]
    accepted = [oracles.ask(op="validate", body=template, level=asked)["ok"] for asked in ("template", "create")]
    assert accepted == [level != TEMPLATE, level == NEVER]


def test_a_route_with_host_bits_is_a_warning(tmp_path: pathlib.Path) -> None:
    """Heat accepts it at any level, and Neutron refuses it."""
    routes = [{"destination": d, "nexthop": "10.0.0.2"} for d in ("10.42.42.1/24", "10.43.0.0/16", "2001:db8:0::/48")]
    template = resource("OS::Neutron::Subnet", network="n", cidr="10.0.0.0/24", host_routes=routes)
    request = checking.CheckRequest(Request(level="create"))
    diagnostics = checking.check_text(Source("t.yaml", json.dumps(template), budget=Budget()), request, str(tmp_path))
    assert [(d.code, d.severity) for d in diagnostics] == [("HOT312", "warning")]
    assert "recommends 10.42.42.0/24" in diagnostics[0].message


def test_an_empty_external_id_makes_no_external_resource(tmp_path: pathlib.Path) -> None:
    assert not [e for e in errors(external(""), "template", tmp_path) if "external" in e]


def test_a_failing_output_is_a_warning(tmp_path: pathlib.Path) -> None:
    """Heat creates the stack, and the output is null."""
    template = {"heat_template_version": "2016-10-14", "outputs": {"o": {"value": {"str_split": [",", "a,b", 5]}}}}
    diagnostics = checking.check_text(
        Source("t.yaml", json.dumps(template), budget=Budget()),
        checking.CheckRequest(Request(level="create")),
        str(tmp_path),
    )
    assert [(d.code, d.severity) for d in diagnostics] == [("HOT314", "warning")]


def test_a_template_for_one_resource_must_match_the_one_for_others(tmp_path: pathlib.Path) -> None:
    """An environment may have a template for one resource only. Heat compares it with the type's usual template."""
    head = "heat_template_version: 2018-08-31\n"
    (tmp_path / "usual.yaml").write_text(head + "outputs: {a: {value: x}, b: {value: x}}\n")
    (tmp_path / "small.yaml").write_text(head + "outputs: {a: {value: x}}\n")
    (tmp_path / "large.yaml").write_text(head + "outputs: {a: {value: x}, b: {value: x}, c: {value: x}}\n")
    stack = tmp_path / "stack.yaml"
    stack.write_text(head + "resources: {one: {type: My::Type}, two: {type: My::Type}}\n")
    environment = tmp_path / "env.yaml"
    for own, expected in (("small.yaml", ["HOT220"]), ("large.yaml", [])):
        environment.write_text(
            f"resource_registry: {{My::Type: usual.yaml, resources: {{one: {{'My::Type': {own}}}}}}}\n"
        )
        request = checking.CheckRequest(Request(environments=(str(environment),), level="create"))
        error_codes = [d.code for d in checking.check_file(str(stack), request).diagnostics if d.severity == "error"]
        assert error_codes == expected


@pytest.mark.parametrize(
    ("names", "refused"), [(["a", "b"], False), (["a", 1], True), ([1.5], True), (["a", None], False), ([], False)]
)
def test_heat_passes_only_texts_in_lists_to_nested_stacks(
    names: list[Any], refused: bool, tmp_path: pathlib.Path
) -> None:
    """Heat joins the items with commas when it creates the nested stack."""
    part = {"heat_template_version": "2018-08-31", "parameters": {"names": {"type": "comma_delimited_list"}}}
    (tmp_path / "part.yaml").write_text(json.dumps({**part, "resources": {"r": SALT}}))
    refusals = [e for e in errors(resource("part.yaml", names=names), "create", tmp_path) if "as strings" in e]
    assert len(refusals) == refused

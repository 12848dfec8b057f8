"""`--option order=references`: a reference to a nested stack waits for the resource behind it and for those that belong
to this one, and resources that the template orders with `depends_on` stay ordered.
"""

from __future__ import annotations

import json
import pathlib
from collections.abc import Mapping
from typing import Any

import pytest

from tests.hcl.test_order import depends_on
from tests.support import conversions, oracles, order, random_stacks
from tests.support.files import write_files
from transpile import Conversion

HOT = "heat_template_version: 2021-04-16\n"
NET = (
    HOT
    + """
resources:
  net: {type: OS::Neutron::Net, properties: {name: inside}}
  subnet: {type: OS::Neutron::Subnet, properties: {network: {get_resource: net}, cidr: 10.0.0.0/24}}
  router: {type: OS::Neutron::Router}
  interface:
    type: OS::Neutron::RouterInterface
    properties: {router: {get_resource: router}, subnet: {get_resource: subnet}}
  group:
    type: OS::Neutron::SecurityGroup
    properties: {rules: [{protocol: tcp, port_range_min: 22, port_range_max: 22}, {protocol: icmp}]}
  port: {type: OS::Neutron::Port, properties: {network: {get_resource: net}}}
  volume: {type: OS::Cinder::Volume, properties: {size: 1}}
outputs:
  net: {value: {get_resource: net}}
  group: {value: {get_resource: group}}
"""
)
SERVER = (
    HOT
    + """
parameters: {network: {type: string}}
resources:
  port: {type: OS::Neutron::Port, properties: {network: {get_param: network}}}
  disk: {type: OS::Cinder::Volume, properties: {size: 1}}
"""
)
STACK = (
    HOT
    + """
resources:
  net: {type: net.yaml}
  server: {type: server.yaml%s, properties: {network: {get_attr: [net, net]}}}
"""
)


def convert(where: pathlib.Path, server: str = SERVER, **options: Any) -> Conversion:
    write_files(where, {"net.yaml": NET, "server.yaml": server})
    return conversions.convert(where / "stack.yaml", **options)


def codes_of(done: Conversion) -> list[str]:
    return [diagnostic.message for diagnostic in done.diagnostics if diagnostic.code == "HOT569"]


def test_a_reference_waits_for_the_parts_of_its_object(tmp_path: pathlib.Path) -> None:
    """A server on a network needs its subnets and their router, but neither a volume beside it nor rules."""
    (tmp_path / "stack.yaml").write_text(STACK % "")
    done = convert(tmp_path, prefer="native")
    assert depends_on(done, "modules/net/outputs.tf") == {"net": ["openstack_networking_router_interface_v2.interface"]}
    assert "wait_for" not in "".join(text for text in done.files.values() if isinstance(text, str))
    assert codes_of(done) == [
        "Ordered by references alone: server after net. In Heat the first waits for all of the other."
    ]


def test_depends_on_keeps_its_order(tmp_path: pathlib.Path) -> None:
    (tmp_path / "stack.yaml").write_text(STACK % ", depends_on: net")
    done = convert(tmp_path, prefer="native")
    assert depends_on(done, "main.tf") == {"server": ["module.net"]}
    assert depends_on(done, "modules/net/outputs.tf") == {}
    assert codes_of(done) == []


def test_a_module_with_data_sources_does_not_wait_for_rules(tmp_path: pathlib.Path) -> None:
    """The module's caller cannot depend on it as a whole, and a diagnostic names the resources that it does not wait
    for.
    """
    (tmp_path / "stack.yaml").write_text(STACK % ", depends_on: net")
    done = convert(
        tmp_path,
        SERVER + "  other: {type: OS::Neutron::Port, properties: {network: outside, name: {get_param: network}}}\n",
        prefer="native",
    )
    assert depends_on(done, "modules/net/outputs.tf") == {
        "net": [
            "openstack_networking_router_interface_v2.interface",
            "openstack_networking_secgroup_v2.group",
            "openstack_networking_port_v2.port",
            "openstack_blockstorage_volume_v3.volume",
        ]
    }
    assert depends_on(done, "modules/server/main.tf") == {"disk": ["var.wait_for"]}
    assert codes_of(done) == [
        "Not ordered after rules of security groups: server after net. In Heat the first waits for all of the other."
    ]


def test_a_server_does_not_wait_for_each_rule(tmp_path: pathlib.Path) -> None:
    text = NET.replace("port: {type: OS::Neutron::Port", "port: {type: OS::Neutron::Port, depends_on: group")
    (tmp_path / "stack.yaml").write_text(text)
    assert depends_on(convert(tmp_path, prefer="native"), "main.tf")["port"] == [
        "openstack_networking_secgroup_v2.group"
    ]
    exact = depends_on(convert(tmp_path), "main.tf")["port"]
    assert exact == [f"openstack_networking_secgroup_rule_v2.group_{rule}" for rule in ("tcp_22", "icmp")]
    assert depends_on(convert(tmp_path, prefer="native", options={"order": "heat"}), "main.tf")["port"] == exact


@pytest.mark.parametrize("options", [{}, {"order": "heat", "prefer": "native"}, {"prefer": "provisioners"}])
def test_other_choices_keep_the_order_of_heat(options: dict[str, str], tmp_path: pathlib.Path) -> None:
    """A provisioner reaches its server through all that the template makes for it."""
    (tmp_path / "stack.yaml").write_text(STACK % "")
    done = convert(
        tmp_path,
        prefer=options.get("prefer", "faithful"),
        options={name: value for name, value in options.items() if name != "prefer"},
    )
    assert codes_of(done) == []
    assert order.Order(order.linked(tmp_path / "stack.yaml"), done.files, done.report).unordered == []


@pytest.mark.parametrize("seed", range(60))
def test_only_references_lose_order_in_random_trees(seed: int, tmp_path: pathlib.Path) -> None:
    """No wait is lost that the template states with `depends_on`, and each lost one is reported."""
    write_files(tmp_path, random_stacks.Tree(seed).files)
    done = conversions.convert(tmp_path / "stack.yaml", options={"order": "references"})
    compared = order.Order(order.linked(tmp_path / "stack.yaml"), done.files, done.report)
    assert not compared.unordered or codes_of(done)
    for lost in compared.unordered:
        report: Mapping[str, Any] = done.report
        file = "stack.yaml"
        for end in range(1, len(lost.path) + 1):
            file, report = compared.file(lost.path[:end], report), compared.inner(lost.path[:end], report)
        resource = json.loads((tmp_path / file).read_text())["resources"][lost.resource]
        assert lost.need not in resource.get("depends_on", ())


@oracles.needs_providers
def test_terraform_accepts_it(tmp_path: pathlib.Path) -> None:
    (tmp_path / "stack.yaml").write_text(STACK % "")
    done = convert(tmp_path, prefer="native")
    out = tmp_path / "out"
    write_files(out, done.files)
    assert oracles.invalid(out) == []

"""A resource that reads the port of a running server gets its ID: both are imported, and neither stays with Heat."""

from __future__ import annotations

import json
from typing import Any

import pytest
import yaml

import transpile
from tests.support import running
from transpile.adoption.lookups import CloudLookup, NoAnswer

NICS = {"one": "[{network: private}]", "two": "[{network: private}, {network: other}]"}
ASSOCIATION = """\
  address: {type: OS::Neutron::FloatingIP, properties: {floating_network: public}}
  association:
    type: OS::Neutron::FloatingIPAssociation
    properties: {floatingip_id: {get_resource: address}, port_id: {get_attr: [server, addresses, private, 0, port]}}
"""
DIRECT = """\
  address:
    type: OS::Neutron::FloatingIP
    properties: {floating_network: public, port_id: {get_attr: [server, addresses, private, 0, port]}}
"""


class Ports:
    """A cloud that knows the ports of servers, and nothing else."""

    def __init__(self, ids: list[str]) -> None:
        self.ids = ids

    def ask(self, lookup: CloudLookup) -> list[dict[str, Any]]:
        if lookup.kind != "port" or [name for name, _ in lookup.filter] != ["device_id"]:
            raise NoAnswer
        return [{"id": id, "device_id": dict(lookup.filter)["device_id"]} for id in self.ids]


def template(readers: str, nics: str) -> str:
    server = "heat_template_version: 2018-08-31\nresources:\n  server:\n    type: OS::Nova::Server\n"
    return f"{server}    properties: {{name: s, image: i, flavor: f, networks: {NICS[nics]}}}\n{readers}"


def adopt(readers: str, nics: str, data: dict[str, str], cloud: Ports | None = None) -> transpile.Conversion:
    exported = running.stack(template(readers, nics))
    exported["resources"]["server"]["resource_data"] = data
    done = transpile.adopt(json.dumps(exported), cloud=cloud)
    assert done.ok, done.diagnostics
    assert {r["treatment"] for r in done.report["resources"].values()} == {"native"}
    assert "openstack_orchestration_stack_v1" not in str(done.files["main.tf"])
    assert "port_id = var.server_port" in " ".join(str(done.files["main.tf"]).split())
    return done


@pytest.mark.parametrize("readers", [ASSOCIATION, DIRECT])
@pytest.mark.parametrize("key", ["external_ports", "internal_ports"])
def test_heat_has_stored_the_port(readers: str, key: str) -> None:
    done = adopt(readers, "one", {key: json.dumps([{"id": "p-1"}])})
    assert 'default     = "p-1"' in str(done.files["variables.tf"])
    assert not done.report.get("asks")


def test_the_cloud_shows_the_only_port() -> None:
    assert 'default     = "p-1"' in str(adopt(DIRECT, "one", {}, Ports(["p-1"])).files["variables.tf"])


@pytest.mark.parametrize(
    ("nics", "data", "cloud"),
    [
        ("two", {"external_ports": json.dumps([{"id": "p-1"}, {"id": "p-2"}])}, None),  # nothing says which one
        ("two", {}, Ports(["p-1", "p-2"])),
        ("one", {}, None),
        ("one", {"external_ports": "[broken"}, None),
    ],
)
def test_an_unknown_port_is_to_be_filled_in(nics: str, data: dict[str, str], cloud: Ports | None) -> None:
    done = adopt(DIRECT, nics, data, cloud)
    assert done.report["asks"] == ["server_port"]
    assert "`server_port`" in str(done.files["ADOPT.md"])


def test_a_module_gets_the_port_of_its_server() -> None:
    inner = template(DIRECT, "one")
    nested = {"inner": running.stack(inner, name="web-inner-x")}
    nested["inner"]["resources"]["server"]["resource_data"] = {"external_ports": json.dumps([{"id": "p-1"}])}
    outer = "heat_template_version: 2018-08-31\nresources:\n  inner: {type: inner.yaml}\n"
    done = transpile.adopt(json.dumps(running.stack(outer, files={"inner.yaml": inner}, nested=nested)))
    assert done.ok, done.diagnostics
    assert "port_id = var.server_port" in " ".join(str(done.files["modules/inner/main.tf"]).split())
    assert "p-1" in str(done.files["variables.tf"]) + str(done.files["main.tf"])
    assert not done.report.get("asks")


READ = "{ get_attr: [server, addresses, private, 0, port] }"


@pytest.mark.parametrize("step", ["release/0-original/template.yaml", "release/1-retain/template.yaml"])
def test_updates_by_which_heat_lets_go_have_the_id_of_the_port(step: str) -> None:
    """Since the floating IP exists, Heat lists it before the address that has the port, and the read is empty."""
    done = adopt(DIRECT, "one", {"external_ports": json.dumps([{"id": "p-1"}])})
    written = yaml.safe_load(str(done.files[step]))["resources"]
    assert written["address"]["properties"] == {"floating_network": "public", "port_id": "p-1"}
    assert "The ID of the port replaces" in str(done.files["ADOPT.md"])


def test_guide_says_where_an_unknown_port_belongs() -> None:
    done = adopt(DIRECT, "one", {})
    assert READ in str(done.files["release/1-retain/template.yaml"])
    (line,) = [line for line in str(done.files["ADOPT.md"]).splitlines() if line.startswith("First replace")]
    server = running.identity("web", "server")
    assert "release/0-original" in line
    assert f"openstack port list --server {server}" in line


def test_guide_of_a_stack_without_such_a_read_does_not_mention_ports() -> None:
    done = transpile.adopt(json.dumps(running.stack(template("", "one"))))
    assert done.ok, done.diagnostics
    assert "the ID of the port" not in str(done.files["ADOPT.md"])
    assert "The ID of the port" not in str(done.files["ADOPT.md"])

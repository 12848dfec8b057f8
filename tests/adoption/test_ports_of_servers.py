"""A resource that reads the port of a running server gets its ID: both are imported, and neither stays with Heat."""

from __future__ import annotations

import json
import pathlib
from typing import Any

import pytest
import yaml

import transpile
from tests.support import oracles, running
from transpile.adoption import server_ports
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


def adopt_nested(ports: list[str], version: str = "2018-08-31", index: int = 0) -> transpile.Conversion:
    """The adoption of a stack whose nested template reads a port of its server, which has these."""
    inner = template(DIRECT, "one").replace("2018-08-31", version).replace("private, 0", f"private, {index}")
    nested = {"inner": running.stack(inner, name="web-inner-x")}
    data = {"external_ports": json.dumps([{"id": port} for port in ports])}
    nested["inner"]["resources"]["server"]["resource_data"] = data
    outer = "heat_template_version: 2018-08-31\nresources:\n  inner: {type: inner.yaml}\n"
    done = transpile.adopt(json.dumps(running.stack(outer, files={"inner.yaml": inner}, nested=nested)))
    assert done.ok, done.diagnostics
    assert done.report["resources"]["inner"]["treatment"] == "module"
    return done


def port_read_in(done: transpile.Conversion, step: str) -> Any:
    """The port of the address in the nested template of an update."""
    return yaml.safe_load(str(done.files[step]))["resources"]["address"]["properties"]["port_id"]


STEPS_OF_NESTED = ("release/0-original/inner.yaml", "release/1-retain/inner.yaml")


@pytest.mark.parametrize("step", STEPS_OF_NESTED)
def test_a_nested_template_has_the_id_of_the_port(step: str) -> None:
    assert port_read_in(adopt_nested(["p-1"]), step) == "p-1"


@pytest.mark.parametrize("step", STEPS_OF_NESTED)
def test_a_nested_template_searches_for_an_unknown_port(step: str) -> None:
    """Heat lists the floating IP first, which has no port."""
    done = adopt_nested([])
    assert port_read_in(done, step) == {
        "yaql": {"expression": server_ports.FIRST_PORT, "data": {"get_attr": ["server", "addresses", "private"]}}
    }
    assert "The nested template" not in str(done.files["ADOPT.md"])


@oracles.needs_heat
def test_heat_finds_the_port_with_a_floating_ip_on_it(tmp_path: pathlib.Path) -> None:
    read = server_ports.make_search({"get_attr": ["server", "addresses", "private", 0, "port"]})
    document = yaml.safe_load(template("", "one")) | {"outputs": {"port": {"value": read}}}
    (tmp_path / "t.yaml").write_text(json.dumps(document, default=str))
    addresses = {"private": [{"addr": "203.0.113.5", "port": None}, {"addr": "10.0.0.4", "port": "p-1"}]}
    answer = oracles.ask(op="eval", template=str(tmp_path / "t.yaml"), attrs={"server": {"addresses": addresses}})
    assert answer["outputs"]["port"]["value"] == "p-1"


@pytest.mark.parametrize(("version", "index"), [("2016-04-08", 0), ("2018-08-31", 1)])
def test_guide_says_what_a_nested_template_still_reads(version: str, index: int) -> None:
    """Without YAQL in that version, or with another address than the first, nothing can stand in its place."""
    done = adopt_nested([], version, index)
    assert port_read_in(done, STEPS_OF_NESTED[1]) == {"get_attr": ["server", "addresses", "private", index, "port"]}
    assert "The nested template `inner.yaml` has" in str(done.files["ADOPT.md"])


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

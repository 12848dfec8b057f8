"""A fact of the cloud that makes an import fail is a warning at the resource."""

from __future__ import annotations

import json
import pathlib
from typing import Any

import transpile
from tests.support import running
from transpile.adoption.lookups import CloudLookup, NoAnswer

TEMPLATE = """\
heat_template_version: 2018-08-31
resources:
  port: {type: OS::Neutron::Port, properties: {network: net-id}}
  server: {type: OS::Nova::Server, properties: {name: s, image: i, flavor: f, networks: [{port: {get_resource: port}}]}}
"""


class Project:
    """A cloud with a server, networks with some IDs, and perhaps the port."""

    def __init__(self, networks: list[str], *, port: bool) -> None:
        self.networks, self.port = networks, port

    def ask(self, lookup: CloudLookup) -> list[dict[str, Any]]:
        match lookup.kind:
            case "server":
                return [{"id": running.identity("web", "server"), "name": "s", "addresses": {"inner": []}}]
            case "network":
                return [{"id": id, "name": "inner"} for id in self.networks]
            case "port":
                return [{"id": running.identity("web", "port"), "name": "p"}] if self.port else []
        raise NoAnswer


def warnings(networks: list[str], *, port: bool) -> list[tuple[str, str, str]]:
    text = json.dumps(running.stack(TEMPLATE), indent=1)
    done = transpile.adopt(text, cloud=Project(networks, port=port))
    assert done.ok, done.diagnostics
    both = [d for d in done.diagnostics if d.code in ("HOT774", "HOT775") and d.severity == "warning"]
    return [(d.code, d.message, text[d.at :].partition('"')[2].partition('"')[0]) for d in both]


def test_nothing_is_said_of_a_project_that_has_all() -> None:
    assert warnings(["n-1"], port=True) == []


def test_a_missing_object_is_a_warning_at_its_resource() -> None:
    id = running.identity("web", "port")
    assert warnings(["n-1"], port=False) == [("HOT774", f"The cloud shows no port {id}, which is port.", "port")]


def test_two_networks_of_one_name_are_a_warning_at_the_server() -> None:
    message = "server is on the network inner, and 2 networks have this name: n-1, n-2."
    assert warnings(["n-1", "n-2"], port=True) == [("HOT775", message, "server")]


def test_an_export_alone_says_nothing_of_either(tmp_path: pathlib.Path) -> None:
    (tmp_path / "web.json").write_text(json.dumps(running.stack(TEMPLATE)))
    done = transpile.adopt(tmp_path / "web.json")
    assert not {"HOT774", "HOT775"} & {d.code for d in done.diagnostics}

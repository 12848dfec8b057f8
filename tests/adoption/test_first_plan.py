"""ADOPT.md, README.md, imports.tf and the closing line agree on the actions of the first plan and on its needs."""

from __future__ import annotations

import json
import pathlib
from typing import Any

import pytest

import transpile
from tests.conftest import Run
from tests.support import running

ROUTING = """\
heat_template_version: 2021-04-16
parameters:
  secret: {type: string, hidden: true}
  unused: {type: string, hidden: true}
resources:
  net: {type: OS::Neutron::Net, properties: {name: n}}
  v4: {type: OS::Neutron::Subnet, properties: {name: four, network: {get_resource: net}, cidr: 10.0.0.0/24}}
  v6:
    type: OS::Neutron::Subnet
    properties: {name: six, network: {get_resource: net}, ip_version: 6, cidr: "2001:db8::/64"}
  router: {type: OS::Neutron::Router, properties: {name: r}}
  port: {type: OS::Neutron::Port, properties: {name: p, network: {get_resource: net}}}
  if4: {type: OS::Neutron::RouterInterface, properties: {router: {get_resource: router}, port: {get_resource: port}}}
  if6: {type: OS::Neutron::RouterInterface, properties: {router: {get_resource: router}, subnet: {get_resource: v6}}}
  pause: {type: OS::Heat::Delay, properties: {min_wait: 5}}
  disk:
    type: OS::Cinder::Volume
    depends_on: pause
    properties: {name: d, size: 1, metadata: {a: {get_param: secret}}}
"""
INTERFACE = "openstack_networking_router_interface_v2.if6"
PARAMETERS = {"parameters": {"secret": "s", "unused": "u"}}


def export_text() -> str:
    return json.dumps(running.stack(ROUTING, environment=PARAMETERS), indent=1)


def answers(*ports: dict[str, Any]) -> str:
    where = {"device_id": running.identity("web", "router"), "fixed_ips.subnet_id": running.identity("web", "v6")}
    return json.dumps({"format": 1, "answers": [{"kind": "port", "filter": where, "objects": list(ports)}]})


def port(id: str, owner: str, *subnets: str) -> dict[str, Any]:
    addresses = [{"subnet_id": running.identity("web", subnet)} for subnet in subnets]
    return {"id": id, "device_owner": owner, "fixed_ips": addresses}


OWN_PORT = port(running.identity("web", "port"), "network:router_interface", "v4", "v6")
ASKED = port("interface", "network:router_interface", "v6")
DISTRIBUTED = port("interface", "network:router_interface_distributed", "v6")


@pytest.mark.parametrize(
    ("ports", "id"),
    [
        ([OWN_PORT, ASKED], "interface"),  # the stack has the other port as a resource of its own
        ([ASKED, port("gateway", "network:router_gateway", "v6")], "interface"),
        ([DISTRIBUTED, port("ha", "network:router_ha_interface", "v6")], "interface"),
        ([ASKED, port("other", "network:router_interface", "v4", "v6")], "interface"),
        ([ASKED, port("other", "network:router_interface", "v6")], None),  # nothing says which one
        ([OWN_PORT, ASKED, port("other", "network:router_interface", "v6")], None),
        (
            [OWN_PORT, port(running.identity("web", "router"), "network:router_interface", "v6")],
            None,
        ),  # both are others
        ([], None),
    ],
)
def test_the_port_of_a_router_interface_is_found_among_several(
    ports: list[dict[str, Any]], id: str | None, tmp_path: pathlib.Path
) -> None:
    (tmp_path / "answers.json").write_text(answers(*ports))
    done = transpile.adopt(export_text(), answers=tmp_path / "answers.json")
    assert done.report["imports"].get(INTERFACE) == id
    assert list(done.report.get("unknown_ids", ())) == ([] if id else [INTERFACE])


def test_every_place_has_the_same_numbers(command: Run) -> None:
    pathlib.Path("web.json").write_text(export_text())
    closing = command("adopt", "web.json", "-o", "web").err
    read = {name: pathlib.Path("web", name).read_text() for name in ("imports.tf", "ADOPT.md", "README.md")}
    # network, two subnets, router, port, two interfaces, volume; the delay exists only in Terraform
    assert read["imports.tf"].count("\nimport {") == 8
    assert read["imports.tf"].count('id = ""') == 1
    assert "`Plan: 8 to import, 1 to add, 0 to change, 0 to destroy.`" in read["ADOPT.md"]
    assert "| `time_sleep.pause` | the delay passes once more, at the first apply |" in read["ADOPT.md"]
    assert "First fill in the ID in imports.tf and give secret a value" in read["ADOPT.md"]
    assert f"| `{INTERFACE}` | `openstack port list --device-id" in read["ADOPT.md"]
    assert "`TF_VAR_secret`" in read["ADOPT.md"]
    assert "unused" not in read["ADOPT.md"]
    assert "One `import` block of imports.tf has no ID" in read["README.md"]
    assert "8 imports, 1 without an ID; 1 to add; " in closing
    assert "Next: fill in 1 ID in imports.tf (ADOPT.md), then cd web" in closing.replace("Next:\n  ", "Next: ")


def test_a_plan_without_needs_says_so(command: Run) -> None:
    plain = "heat_template_version: 2021-04-16\nresources:\n  net: {type: OS::Neutron::Net, properties: {name: n}}\n"
    pathlib.Path("web.json").write_text(json.dumps(running.stack(plain)))
    closing = command("adopt", "web.json", "-o", "web").err
    guide = pathlib.Path("web/ADOPT.md").read_text()
    assert "`Plan: 1 to import, 0 to add, 0 to change, 0 to destroy.`" in guide
    assert "## Values to fill in\n\nNone." in guide
    assert "First " not in guide.partition("## 1.")[2].partition("```")[0]
    assert "1 import; 1 resource" in closing
    assert "Next: cd web" in closing.replace("Next:\n  ", "Next: ")


def test_a_hidden_value_that_differs_from_the_default_is_to_be_filled_in() -> None:
    text = ROUTING.replace("secret: {type: string, hidden: true}", "secret: {type: string, hidden: true, default: d}")
    for parameters, named in (({"unused": "u"}, False), ({"unused": "u", "secret": "s"}, True)):
        done = transpile.adopt(json.dumps(running.stack(text, environment={"parameters": parameters})))
        assert ("`TF_VAR_secret`" in str(done.files["ADOPT.md"])) is named

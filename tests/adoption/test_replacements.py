"""Changes for which Terraform replaces a resource and Heat updates it: the table, and an adoption's warnings."""

from __future__ import annotations

import json
import pathlib
import re
from typing import Any

import pytest

import transpile
from emitters.hcl.tables import forced_new, replacements
from emitters.hcl.tables.provider import load_built_in_providers
from emitters.hcl.tables.tables import load_built_in_tables
from tests.support import provider_source
from transpile.diagnostics import codes

ROOT = pathlib.Path(__file__).parents[2]
PAGE = ROOT / "docs" / "replaced-arguments.md"
GO = """
func resourceThingV1() *schema.Resource {
	return &schema.Resource{
		Schema: map[string]*schema.Schema{
			// "comment": { ForceNew: true },
			"name": {
				Type:     schema.TypeString,
				ForceNew: false,
			},
			"size": {
				Type:     schema.TypeInt,
				ForceNew: true,
			},
			"nic": {
				Type: schema.TypeList,
				Elem: &schema.Resource{
					Schema: map[string]*schema.Schema{
						"port": {
							ForceNew: true,
						},
						"label": {
							Type: schema.TypeString,
						},
					},
				},
			},
			"disk": {
				ForceNew: true,
				Elem: &schema.Resource{
					Schema: map[string]*schema.Schema{
						"bus": {
							Type: schema.TypeString,
						},
					},
				},
			},
		},
	}
}
"""
SERVER = "OS::Nova::Server"
INSTANCE = "openstack_compute_instance_v2"


def test_arguments_are_read_off_the_source() -> None:
    """Arguments of nested blocks are read, too: each by itself, or all if the block is replaced as a whole."""
    assert [path for path, forced in forced_new.walk_arguments(GO, {}) if forced] == [
        "size",
        "nic.port",
        "disk",
        "disk.bus",
    ]


@pytest.mark.skipif(
    provider_source.root() is None, reason=f"{provider_source.VARIABLE} names no source of the provider"
)
def test_the_file_agrees_with_the_source() -> None:
    checkout = provider_source.root()
    assert checkout is not None
    version = json.loads(forced_new.FILE.read_text(encoding="utf-8"))["version"]
    assert forced_new.FILE.read_text(encoding="utf-8") == forced_new.format_file(checkout, version)


def test_every_argument_exists_in_the_schema_of_the_provider() -> None:
    providers = load_built_in_providers()
    for kind, paths in forced_new.load_forced_arguments().items():
        if providers.find_schema(kind) is not None:
            for path in paths:
                known = providers.find_argument(kind, path) or providers.find_block(kind, path)
                assert known is not None or path == "id", f"{kind}.{path}"


def test_handwritten_rows_are_used() -> None:
    """Every hook, type and property of replacements.yaml exists, and the hooks do not repeat a rule."""
    tables, facts = load_built_in_tables(), replacements.load_facts()
    hooks = {
        getattr(rule, "hook", "")
        for kind in tables.catalog.type_names()
        for rule in tables.find_mapping(kind).properties.values()
    }
    assert set(facts["hooks"]) <= hooks
    for kind, names in facts["replaced_by_heat"].items():
        properties = (tables.catalog.find_type(kind) or {})["properties"]
        assert all(properties[name]["update"] for name in names)
    assert set(facts["connections"]) <= set(forced_new.load_forced_arguments())


def test_the_page_is_the_output_of_the_program() -> None:
    """After changing a table: python -m emitters.hcl.tables.replacements > docs/replaced-arguments.md"""
    assert PAGE.read_text(encoding="utf-8") == replacements.print_page()


@pytest.mark.parametrize(
    ("kind", "name", "resource", "argument", "replaced"),
    [
        (SERVER, "networks", INSTANCE, "network.0.port", True),
        (SERVER, "flavor", INSTANCE, "flavor_name", False),  # resized in place
        (SERVER, "image", INSTANCE, "image_name", False),  # rebuilt in place
        (SERVER, "key_name", INSTANCE, "key_pair", False),  # Heat replaces the server, too
        (SERVER, "user_data", INSTANCE, "user_data", False),  # its update policy is REPLACE
        ("OS::Neutron::Port", "value_specs", "openstack_networking_port_v2", "value_specs", True),
        ("OS::Neutron::Port", "network", "openstack_networking_port_v2", "network_id", False),
        ("OS::Cinder::VolumeAttachment", "volume_id", "openstack_compute_volume_attach_v2", "volume_id", False),
    ],
)
def test_replaced_arguments(kind: str, name: str, resource: str, argument: str, *, replaced: bool) -> None:
    assert replacements.is_replaced(load_built_in_tables().catalog, kind, name, resource, argument) is replaced


# an adoption


def make_export(resources: dict[str, dict[str, Any]], files: dict[str, str] | None = None) -> dict[str, Any]:
    """An export of a stack without nested ones. resources: type and properties by name."""
    live = {
        name: {
            "name": name, "resource_id": f"0000{number}", "type": resource["type"], "status": "COMPLETE",
            "action": "CREATE", "resource_data": {}, "metadata": {},
        }
        for number, (name, resource) in enumerate(resources.items())
    }  # fmt: skip
    return {
        "name": "web", "id": "7a1e3b1c-6b0f-4c0e-8a53-2f4b2f3c0001", "action": "CREATE", "status": "COMPLETE",
        "template": {"heat_template_version": "2018-08-31", "resources": resources},
        "environment": {"parameters": {}}, "files": files or {}, "resources": live, "project_id": "1",
        "stack_user_project_id": "2",
    }  # fmt: skip


def adopt(folder: pathlib.Path, resources: dict[str, dict[str, Any]]) -> transpile.Conversion:
    path = folder / "web.json"
    path.write_text(json.dumps(make_export(resources)))
    return transpile.adopt(path)


def find_messages(done: transpile.Conversion) -> list[str]:
    return [d.message for d in done.diagnostics if d.code == codes.REPLACED_INSTEAD_OF_UPDATED]


def server(**nic: str) -> dict[str, Any]:
    properties = {"name": "web", "image": "cirros", "flavor": "m1.tiny", "networks": [nic]}
    return {"type": SERVER, "properties": properties}


def test_an_adoption_names_the_arguments_of_the_stack(tmp_path: pathlib.Path) -> None:
    done = adopt(tmp_path, {"server": server(network="private")})
    assert find_messages(done) == [
        "Terraform replaces where Heat would update: openstack_compute_instance_v2.server (network from networks)."
    ]
    section = str(done.files["ADOPT.md"]).partition("## What Terraform replaces")[2].partition("\n## ")[0]
    assert "| `openstack_compute_instance_v2.server` | `network` | `networks` | replaces it |" in section


def test_ignored_arguments_are_only_in_the_guide(tmp_path: pathlib.Path) -> None:
    """A NIC with a port is in ignore_changes, so that a change of it does nothing at all."""
    port = {"type": "OS::Neutron::Port", "properties": {"name": "web", "network": "private"}}
    done = adopt(tmp_path, {"port": port, "server": server(port="{get_resource: port}")})
    assert find_messages(done) == []
    assert re.search(r"server` \| `network` \| `networks` \| does nothing", str(done.files["ADOPT.md"]))


def test_nothing_is_said_of_a_stack_without_such_arguments(tmp_path: pathlib.Path) -> None:
    """The rules of a group are resources of their own, which Heat makes anew, too."""
    volume = {"type": "OS::Cinder::Volume", "properties": {"name": "data", "size": 1}}
    group = {
        "type": "OS::Neutron::SecurityGroup",
        "properties": {"name": "web", "rules": [{"protocol": "tcp", "port_range_min": 80, "port_range_max": 80}]},
    }
    done = adopt(tmp_path, {"data": volume, "group": group})
    assert find_messages(done) == []
    assert "What Terraform replaces" not in str(done.files["ADOPT.md"])


def test_the_property_of_a_member_is_named_and_its_own_type_decides(tmp_path: pathlib.Path) -> None:
    """Heat replaces a member whose port gets another network, and updates one with other `value_specs`."""
    definition = {
        "type": "OS::Neutron::Port",
        "properties": {"name": "p-%index%", "network": "private", "value_specs": {"a": "b"}},
    }
    group = {"type": "OS::Heat::ResourceGroup", "properties": {"count": 0, "resource_def": definition}}
    done = adopt(tmp_path, {"ports": group})
    text = "\n".join(find_messages(done)) + str(done.files["ADOPT.md"])
    assert "`value_specs` | `value_specs`" in text
    assert "network_id" not in text.partition("## What Terraform replaces")[2].partition("\n## ")[0]

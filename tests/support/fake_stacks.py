"""Running stacks as exports, with their objects in the fake cloud, for tests in which Terraform imports them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import yaml

from transpile.adoption.lookups import CloudLookup

VERSION = "2018-08-31"
COMPLETE = {"action": "CREATE", "status": "COMPLETE"}
RUNNING = {"metadata": {}, "resource_data": {}, **COMPLETE}
NET, SUBNET, PORT, VOLUME = "OS::Neutron::Net", "OS::Neutron::Subnet", "OS::Neutron::Port", "OS::Cinder::Volume"
SECURITY_GROUP = "OS::Neutron::SecurityGroup"
PROVIDER_TYPES = {
    NET: "openstack_networking_network_v2",
    SUBNET: "openstack_networking_subnet_v2",
    PORT: "openstack_networking_port_v2",
    SECURITY_GROUP: "openstack_networking_secgroup_v2",
    VOLUME: "openstack_blockstorage_volume_v3",
}
NODE = yaml.safe_load("""
heat_template_version: "2018-08-31"
parameters: {net: {type: string}, extra: {type: boolean, default: false}}
conditions: {more: {get_param: extra}}
resources:
  port: {type: OS::Neutron::Port, properties: {network: {get_param: net}}}
  spare: {type: OS::Neutron::Port, condition: more, properties: {network: {get_param: net}}}
  disk: {type: OS::Cinder::Volume, properties: {size: 1, metadata: {stack: {get_param: "OS::stack_id"}}}}
outputs: {disk: {value: {get_resource: disk}}}
""")


class Named:
    """A cloud in which each object has a name that Heat made up, with its ID in it."""

    def ask(self, lookup: CloudLookup) -> list[dict[str, Any]]:
        id_ = dict(lookup.filter)["id"]
        return [{"id": id_, "name": f"heat-{id_}"}]


class Stack:
    """A running stack as an export, and its objects in the cloud, whose IDs begin with the stack's name."""

    def __init__(self, name: str, template: Mapping[str, Any], parameters: Mapping[str, Any]) -> None:
        self.name, self.cloud = name, dict[str, dict[str, Any]]()
        self.export = self.nested(name, {"heat_template_version": VERSION, **template}, {})
        self.export["environment"]["parameters"] = dict(parameters)

    def nested(self, name: str, template: Mapping[str, Any], resources: Mapping[str, Any]) -> dict[str, Any]:
        return {
            **{"name": name, "id": f"stack-{name}", "template": template, "resources": dict(resources), **COMPLETE},
            **{"environment": {"parameters": {}}, "files": {"node.yaml": json.dumps(NODE)}, "tags": []},
            **{"project_id": "p-1", "stack_user_project_id": "u-1"},
        }

    def add(self, kind: str, id_: str, **values: Any) -> dict[str, Any]:
        """A running resource, whose object has these values."""
        own: dict[str, dict[str, Any]] = {
            VOLUME: {"size": 1, "volume_retype_policy": "never"},
            PORT: {"network_id": f"{self.name}-net"},
        }
        values = {"name": f"heat-{self.name}-{id_}", **own.get(kind, {}), **values}
        self.cloud.setdefault(PROVIDER_TYPES[kind], {})[f"{self.name}-{id_}"] = values
        return {"type": kind, "resource_id": f"{self.name}-{id_}", **RUNNING}

    def node(self, id_: str) -> dict[str, Any]:
        inner = f"{self.name}-{id_}"
        resources = {
            "port": self.add(PORT, f"{id_}-port"),
            "disk": self.add(VOLUME, f"{id_}-disk", metadata={"stack": f"stack-{inner}"}),
        }
        return self.nested(inner, NODE, resources)

    def group(self, name: str, kind: str, members: Mapping[str, Any]) -> dict[str, Any]:
        template = {"heat_template_version": VERSION, "resources": {member: {"type": kind} for member in members}}
        return self.nested(f"{self.name}-{name}", template, members)

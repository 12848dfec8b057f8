"""Measures the time of offline adoption, compared with converting the same templates.

    python benchmarks/adoption.py [--count 1000]

Prints the seconds of both and their ratio (target: 2 or less). The stacks are made up here: no cloud is asked.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import time
import uuid
from pathlib import Path
from typing import Any

import transpile
from transpile.adopting import run as adopting

SIZES = (1, 3, 10, 30)  # servers of a stack, each with a port and a volume


def template(servers: int) -> dict[str, Any]:
    """A template such as people write: a network with a router, a group with rules, and servers."""
    resources: dict[str, Any] = {
        "net": {"type": "OS::Neutron::Net", "properties": {"name": "net"}},
        "subnet": {
            "type": "OS::Neutron::Subnet",
            "properties": {"name": "subnet", "network": {"get_resource": "net"}, "cidr": {"get_param": "cidr"}},
        },
        "router": {
            "type": "OS::Neutron::Router",
            "properties": {"name": "router", "external_gateway_info": {"network": {"get_param": "public"}}},
        },
        "interface": {
            "type": "OS::Neutron::RouterInterface",
            "properties": {"router": {"get_resource": "router"}, "subnet": {"get_resource": "subnet"}},
        },
        "group": {
            "type": "OS::Neutron::SecurityGroup",
            "properties": {
                "name": "group",
                "rules": [{"protocol": "tcp", "port_range_min": n, "port_range_max": n} for n in (22, 80, 443)],
            },
        },
    }
    for n in range(servers):
        resources[f"port_{n}"] = {
            "type": "OS::Neutron::Port",
            "properties": {
                "name": f"port-{n}",
                "network": {"get_resource": "net"},
                "fixed_ips": [{"subnet": {"get_resource": "subnet"}}],
                "security_groups": [{"get_resource": "group"}],
            },
        }
        resources[f"server_{n}"] = {
            "type": "OS::Nova::Server",
            "properties": {
                "name": f"server-{n}",
                "image": {"get_param": "image"},
                "flavor": "m1.small",
                "networks": [{"port": {"get_resource": f"port_{n}"}}],
                "user_data_format": "RAW",
                "user_data": {"str_replace": {"template": "#!/bin/sh\necho $N\n", "params": {"$N": n}}},
            },
        }
        resources[f"volume_{n}"] = {"type": "OS::Cinder::Volume", "properties": {"name": f"volume-{n}", "size": 1 + n}}
        resources[f"attachment_{n}"] = {
            "type": "OS::Cinder::VolumeAttachment",
            "properties": {
                "volume_id": {"get_resource": f"volume_{n}"},
                "instance_uuid": {"get_resource": f"server_{n}"},
            },
        }
    return {
        "heat_template_version": "2018-08-31",
        "parameters": {
            "cidr": {"type": "string", "default": "10.0.0.0/24"},
            "public": {"type": "string", "default": "public"},
            "image": {"type": "string", "default": "cirros"},
        },
        "resources": resources,
        "outputs": {"net": {"value": {"get_resource": "net"}}},
    }


def export(number: int, body: dict[str, Any]) -> dict[str, Any]:
    """The export of a stack of a template."""

    def physical(name: str) -> str:
        return str(uuid.uuid5(uuid.NAMESPACE_OID, f"{number} {name}"))

    rows = {}
    for name, resource in body["resources"].items():
        id_ = physical(name)
        if name == "interface":
            id_ = f"{physical('router')}:subnet_id={physical('subnet')}"
        rows[name] = {
            "name": name,
            "type": resource["type"],
            "resource_id": id_,
            "action": "CREATE",
            "status": "COMPLETE",
            "metadata": {},
            "resource_data": {},
        }
    return {
        "name": f"stack-{number}",
        "id": physical("stack"),
        "action": "CREATE",
        "status": "COMPLETE",
        "template": body,
        "environment": {"parameters": {}, "resource_registry": {"resources": {}}},
        "files": {},
        "resources": rows,
        "project_id": "p",
        "stack_user_project_id": "",
        "tags": [],
    }


def main(argv: list[str]) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--count", type=int, default=1000)
    args = parser.parse_args(argv)
    with tempfile.TemporaryDirectory() as folder:
        pairs = []
        for number in range(args.count + len(SIZES)):
            body = template(SIZES[number % len(SIZES)])
            template_path, export_path = Path(folder, f"{number}.yaml"), Path(folder, f"{number}.json")
            template_path.write_text(json.dumps(body, indent=2))
            export_path.write_text(json.dumps(export(number, body), indent=2))
            pairs.append((template_path, export_path))
        for template_path, export_path in pairs[: len(SIZES)]:  # warm up, and look whether it works at all
            assert transpile.convert(template_path).files
            assert adopting.adopt(export_path).files
        rest, spent = pairs[len(SIZES) :], [0.0, 0.0]
        for template_path, export_path in rest:  # in turns, so that a busy machine slows both down
            start = time.process_time()
            transpile.convert(template_path)
            between = time.process_time()
            adopting.adopt(export_path)
            spent[0], spent[1] = spent[0] + between - start, spent[1] + time.process_time() - between
    print(f"{len(rest)} stacks: converted in {spent[0]:.1f} s, adopted in {spent[1]:.1f} s of processor time")
    print(f"ratio {spent[1] / spent[0]:.2f} (target: 2 or less)")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

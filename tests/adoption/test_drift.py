"""Drift is found where the API shows something else than the template says, and nowhere else.

The objects are written as Neutron, Nova, Cinder and Octavia show them; the values that Heat itself would compare are
known from its schema (the properties that can be updated).
"""

from __future__ import annotations

import json
import pathlib
from collections.abc import Mapping, Sequence
from typing import Any

import pytest
import yaml

from emitters.hcl.tables import imports
from tests.support import probes
from transpile.adoption import drift
from transpile.adoption.api_comparisons import VALUE_COMPARISONS, are_equal
from transpile.adoption.by_hand import RESOURCE_COMPARISONS
from transpile.adoption.drift import Drift
from transpile.adoption.live import LiveResource, LiveStack
from transpile.adoption.live_fields import COMPARED_TYPES
from transpile.adoption.lookups import Answers, CloudLookup
from transpile.model.budget import Budget
from transpile.model.source import Source
from transpile.schema.catalog import read_openstack_catalog

HEAD = "heat_template_version: 2021-04-16\n"


class World:
    """A cloud with these objects, by their kinds in the `openstack` client."""

    def __init__(self, objects: Mapping[str, Sequence[Mapping[str, Any]]]) -> None:
        self.objects = objects

    def ask(self, lookup: CloudLookup) -> Sequence[Mapping[str, Any]]:
        return [row for row in self.objects.get(lookup.kind, ()) if lookup.matches(row)]


def made(name: str, kind: str, id: str | None, **more: Any) -> LiveResource:
    return LiveResource(name, kind, id, "CREATE", "COMPLETE", **more)


def live(*resources: LiveResource, name: str = "shop") -> LiveStack:
    return LiveStack(
        name,
        "stack-id",
        Source("export.json", "", budget=Budget()),
        resources={resource.name: resource for resource in resources},
    )


def compared(
    folder: pathlib.Path,
    body: str,
    stack: LiveStack,
    objects: Mapping[str, Sequence[Mapping[str, Any]]] | None,
    files: Mapping[str, str] | None = None,
) -> Drift:
    request = {"body": HEAD + body, "files": {name: HEAD + text for name, text in (files or {}).items()}}
    linked, diagnostics = probes.linked(request, folder)
    assert linked is not None, diagnostics
    return drift.find_drift(stack, linked, World(objects) if objects is not None else Answers())


def summarize_drift(comparison: Drift) -> list[str]:
    """Each difference as a text: the property, its sort, and the shown value: `name changed: n`."""
    rows = [difference.as_json() for difference in comparison.differences]
    return [f"{row['property']} {row['difference']}: {row.get('live', row.get('template', ''))}" for row in rows]


# one resource


def find_resource_drift(
    folder: pathlib.Path, kind: str, properties: Mapping[str, Any], shows: Mapping[str, Any], **related_objects: Any
) -> Drift:
    """The drift of a resource whose object is shown so."""
    body = json.dumps({"resources": {"it": {"type": kind, "properties": properties}}})[1:-1]
    objects = {noun: [*rows] for noun, rows in related_objects.items()}
    objects.setdefault(COMPARED_TYPES[kind].noun, []).append({"id": "id-1", **shows})
    text = f'{{"heat_template_version": "2021-04-16", {body}}}'
    linked, diagnostics = probes.linked({"body": text, "files": {}}, folder)
    assert linked is not None, diagnostics
    return drift.find_drift(live(made("it", kind, "id-1")), linked, World(objects))


PRIVATE = "11111111-2222-4333-8444-555555555555"
PUBLIC = "21111111-2222-4333-8444-555555555555"
IMAGE = "31111111-2222-4333-8444-555555555555"


def read_yaml(text: str) -> Any:
    """The data of a text in which the IDs above, and the properties of a server, have names."""
    nics = '{flavor: "2", networks: [{network: private}], security_groups: [default]}'
    for name, value in (("PRIVATE", PRIVATE), ("PUBLIC", PUBLIC), ("IMAGE", IMAGE), ("NICS", nics)):
        text = text.replace(name, value)
    return yaml.safe_load(text)


# the objects of the cloud, if a case does not name others
SHOWN = read_yaml("""
OS::Neutron::Net:
  {name: n, admin_state_up: true, shared: false, port_security_enabled: true, dns_domain: "", qos_policy_id: null,
   tags: [], availability_zone_hints: []}
OS::Neutron::Subnet:
  {name: s, network_id: PRIVATE, cidr: 10.0.0.0/24, enable_dhcp: true, gateway_ip: 10.0.0.1, dns_nameservers: [],
   allocation_pools: [{start: 10.0.0.2, end: 10.0.0.254}], host_routes: [], segment_id: null, tags: []}
OS::Neutron::Port:
  {name: p, network_id: PRIVATE, admin_state_up: true, mac_address: "fa:16:3e:00:00:01",
   fixed_ips: [{subnet_id: s-1, ip_address: 10.0.0.5}], security_groups: [g-1], allowed_address_pairs: [],
   port_security_enabled: true, qos_policy_id: null, "binding:vnic_type": normal, tags: []}
OS::Neutron::Router:
  {name: r, admin_state_up: true, external_gateway_info: {network_id: PUBLIC, enable_snat: true},
   routes: [{destination: 172.16.0.0/24, nexthop: 10.0.0.9}], tags: []}
OS::Neutron::SecurityGroup: {name: g, tags: []}
OS::Nova::Server: {name: w, flavor: {id: "2"}, image: "", status: ACTIVE}
OS::Cinder::Volume: {name: v, description: null}
OS::Neutron::FloatingIP: {floating_network_id: PUBLIC, port_id: p-1, fixed_ip_address: 10.0.0.5, tags: []}
OS::Neutron::Trunk:
  {name: t, port_id: p-1, admin_state_up: true, tags: [],
   sub_ports: [{port_id: p-2, segmentation_type: vlan, segmentation_id: 10}]}
OS::Octavia::HealthMonitor:
  {admin_state_up: true, type: HTTP, delay: 9, timeout: 3, max_retries: 3, url_path: /}
OS::Designate::RecordSet: {zone_id: z, type: A, ttl: null, description: null}
""")
BESIDE = read_yaml("""
network: [{id: PRIVATE, name: private}, {id: PUBLIC, name: public}]
flavor: [{id: "2", name: m1.small}, {id: "3", name: m1.medium}]
image: [{id: IMAGE, name: debian}]
security group: [{id: g-1, name: default}, {id: g-2, name: hand}]
port: [{id: p-1, device_id: id-1, network_id: PRIVATE, fixed_ips: [], security_groups: [g-1]}]
""")
NETWORKS = {"network": BESIDE["network"]}
NET, PORT, ROUTER = (SHOWN[f"OS::Neutron::{name}"] for name in ("Net", "Port", "Router"))
DEFAULTS = [
    {"id": f"default-{version}", "direction": "egress", "ethertype": version, "protocol": None}
    for version in ("IPv4", "IPv6")
]
# template: the properties. shows: the objects in the cloud. beside: the other objects, some of them changed. drift:
# the differences.
CASES = read_yaml("""
OS::Neutron::Net:
- {}
- {template: {name: other}, drift: ["name changed: n"]}
- {template: {admin_state_up: "true", shared: "False"}}
- {shows: {admin_state_up: false}, drift: ["admin_state_up changed: false"]}
- {template: {tags: [b, a]}, shows: {tags: [a, b]}}
- {template: {tags: [a]}, shows: {tags: [b]}, drift: ["tags missing: a", "tags added: b"]}
- {template: {tags: [10]}, shows: {tags: ["10"]}}
OS::Neutron::Subnet:
- {template: {network: private, cidr: 10.0.0.9/24}, beside: [network]}
- {template: {network_id: PRIVATE, cidr: 10.0.0.0/24}}
- {template: {network: public, cidr: 10.0.0.0/24}, beside: [network], drift: ["network changed: PRIVATE (private)"]}
- {template: {network: PRIVATE, cidr: 10.0.0.0/24, dns_nameservers: ["2001:DB8:0::1"]},
   shows: {dns_nameservers: ["2001:db8::1"]}}
- {template: {network: PRIVATE, cidr: 10.0.0.0/24, dns_nameservers: [10.9.0.1, 10.9.0.2]},
   shows: {dns_nameservers: [10.9.0.2, 10.9.0.1]}, drift: ['dns_nameservers changed: ["10.9.0.2", "10.9.0.1"]']}
- {template: {network: PRIVATE, cidr: 10.0.0.0/24, gateway_ip: null}, drift: ["gateway_ip changed: 10.0.0.1"]}
- {template: {network: PRIVATE, cidr: 10.0.0.0/24},
   shows: {host_routes: [{destination: 10.8.0.0/16, nexthop: 10.0.0.5}]},
   drift: ['host_routes added: {"destination": "10.8.0.0/16", "nexthop": "10.0.0.5"}']}
- {template: {network: PRIVATE, cidr: 10.0.0.0/24, allocation_pools: [{start: 10.0.0.2, end: 10.0.0.254}]}}
- {template: {network: PRIVATE, cidr: 10.0.0.0/24, allocation_pools: [{start: 10.0.0.9, end: 10.0.0.254}]},
   drift: ['allocation_pools missing: {"end": "10.0.0.254", "start": "10.0.0.9"}',
           'allocation_pools added: {"end": "10.0.0.254", "start": "10.0.0.2"}']}
OS::Neutron::Trunk:
- {template: {port: p-1, sub_ports: [{port: p-2, segmentation_type: vlan, segmentation_id: "10"}]}}
- {template: {port: p-1, sub_ports: [{port: p-2, segmentation_type: vlan, segmentation_id: 11}]},
   drift: ["sub_ports missing: the port p-2 as 11", "sub_ports added: the port p-2 as 10"]}
OS::Cinder::Volume:
- {template: {size: "2", metadata: {use: db, count: 3}},
   shows: {size: 2, metadata: {use: db, count: "3", readonly: "False"}}}
- {template: {size: 2, metadata: {use: db, gone: x}},
   shows: {description: kept, size: 4, metadata: {use: web, more: x}},
   drift: ["description changed: kept", "size changed: 4", "metadata missing: the key gone",
           "metadata added: the key more", "metadata changed: a value for the key use"]}
OS::Neutron::FloatingIP:
- {template: {floating_network: public, port_id: p-1}, beside: [network]}
- {template: {floating_network: public, port_id: p-2}, beside: [network, port],
   drift: ["port_id changed: p-1"]}
OS::Octavia::HealthMonitor:
- {template: {pool: p, type: HTTP, delay: 5, timeout: 3, max_retries: 3}, drift: ["delay changed: 9"]}
OS::Designate::RecordSet:
- {template: {zone: z, name: www.example.org., type: A, records: [192.0.2.1, 192.0.2.2]},
   shows: {records: [192.0.2.2, 192.0.2.9]}, drift: ["records missing: 192.0.2.1", "records added: 192.0.2.9"]}
OS::Nova::Server:  # Nova shows the ID of a flavor, or since version 2.47 of its API the name
- {template: {flavor: m1.small}, shows: {flavor: {original_name: m1.small}}, beside: [flavor]}
- {template: {flavor: "2"}, shows: {flavor: {original_name: m1.small}}, beside: [flavor]}
- {template: {flavor: m1.small}, beside: [flavor]}
- {template: {flavor: "2"}, beside: [flavor]}
- {template: {flavor: m1.small}, shows: {flavor: {original_name: m1.medium}}, beside: [flavor],
   drift: ["flavor changed: m1.medium"]}
- {template: {flavor: "2"}, shows: {flavor: {original_name: m1.medium}}, beside: [flavor],
   drift: ["flavor changed: m1.medium"]}
- {template: {flavor: m1.small}, shows: {flavor: {id: "3"}}, beside: [flavor],
   drift: ["flavor changed: 3 (m1.medium)"]}
- {template: {flavor: "2", image: debian}, shows: {image: {id: IMAGE}, status: SHUTOFF}, beside: [image],
   drift: ["status changed: SHUTOFF"]}
- {template: {flavor: "2", image: cirros}, shows: {image: {id: IMAGE}}, beside: [image],
   drift: ["image changed: IMAGE (debian)"]}
- {template: NICS, beside: [network, security group, port]}
- {template: NICS, beside: [network, security group, port, {port: {id: p-2, network_id: PUBLIC}}],
   drift: ["networks added: the port p-2 on the network PUBLIC"]}
- {template: NICS, beside: [network, security group, {port: {security_groups: [g-1, g-2]}}],
   drift: ["security_groups added: g-2 (hand)"]}
- {template: NICS, beside: [network, security group, {port: {security_groups: []}}],
   drift: ["security_groups missing: default"]}
- {template: {flavor: "2", networks: [{port: p-1}]}, beside: [port]}
- {template: {flavor: "2", networks: [{port: p-2}]}, beside: [port],
   drift: ['networks missing: a NIC with {"port": "p-2"}', "networks added: the port p-1 on the network PRIVATE"]}
- {template: {flavor: "2", networks: [{network: private, fixed_ip: 10.0.0.7}]}, beside: [network, security group, port],
   drift: ['networks missing: a NIC with {"fixed_ip": "10.0.0.7", "network": "private"}',
           "networks added: the port p-1 on the network PRIVATE"]}
- {template: NICS, beside: [network, security group], drift: ['networks missing: a NIC with {"network": "private"}']}
OS::Neutron::Port:
- {}  # Neutron chose the group default and the address
- {shows: {security_groups: [g-1, g-2]}, drift: ["security_groups added: g-2 (hand)"]}
- {template: {security_groups: [hand]},
   drift: ["security_groups missing: hand", "security_groups added: g-1 (default)"]}
- {template: {security_groups: []}, shows: {security_groups: []}}
- {template: {mac_address: FA-16-3E-00-00-01}}
- {template: {fixed_ips: [{subnet_id: s-1}]}}
- {template: {fixed_ips: [{subnet_id: PUBLIC}]},
   drift: ['fixed_ips missing: {"subnet_id": "PUBLIC"}', "fixed_ips added: 10.0.0.5"]}
- {template: {fixed_ips: [{ip_address: 10.0.0.6}]},
   drift: ['fixed_ips missing: {"ip_address": "10.0.0.6"}', "fixed_ips added: 10.0.0.5"]}
- {template: {fixed_ips: [{subnet_id: s-1}]},
   shows: {fixed_ips: [{subnet_id: s-1, ip_address: 10.0.0.5}, {ip_address: "2001:db8::5"}]}}
- {template: {allowed_address_pairs: [{ip_address: 10.0.0.9}]},
   shows: {allowed_address_pairs: [{ip_address: 10.0.0.9, mac_address: "fa:16:3e:00:00:01"}]}}
- {shows: {allowed_address_pairs: [{ip_address: 10.0.0.9}]},
   drift: ['allowed_address_pairs added: {"ip_address": "10.0.0.9"}']}
OS::Neutron::Router:
- {shows: {routes: []}, beside: [network], drift: ["external_gateway_info added: a gateway to the network PUBLIC"]}
""")
# The rules of the template, those that Neutron shows beside its two defaults, and the differences.
RULES = read_yaml("""
- [[], [], []]
- [[{protocol: TCP, port_range_min: "22", port_range_max: 22}],
   [{protocol: tcp, port_range_min: 22, port_range_max: 22}], []]
- [[{protocol: tcp, port_range_min: 1, port_range_max: 65535}], [{protocol: tcp}], []]
- [[{protocol: icmp, ethertype: IPv6}], [{protocol: ipv6-icmp, ethertype: IPv6}], []]
- [[{protocol: any, remote_ip_prefix: 10.0.0.7}], [{remote_ip_prefix: 10.0.0.7/32}], []]
- [[{remote_mode: remote_group_id}], [{remote_group_id: id-1}], []]
- [[{remote_mode: remote_group_id, remote_group_id: hand}], [{remote_group_id: g-2}], []]
- [[], [{protocol: tcp, port_range_min: 80, port_range_max: 81}], ["rules added: ingress IPv4 tcp 80-81"]]
- [[], [{protocol: tcp, remote_ip_prefix: 10.0.0.0/8}], ["rules added: ingress IPv4 tcp 10.0.0.0/8"]]
- [[{protocol: udp}], [], ["rules missing: ingress udp"]]
""")


@pytest.mark.parametrize(("kind", "case"), [(kind, case) for kind, cases in CASES.items() for case in cases])
def test_a_resource(kind: str, case: Mapping[str, Any], tmp_path: pathlib.Path) -> None:
    properties, shows = case.get("template", {}), {**SHOWN[kind], **case.get("shows", {})}
    beside: dict[str, list[Any]] = {}
    if kind == "OS::Neutron::Port":
        properties, beside = {"network": PRIVATE, **properties}, {"security group": BESIDE["security group"]}
    for name in case.get("beside", ()):
        if isinstance(name, str):
            beside[name] = list(BESIDE[name])
        else:
            ((noun, changed),) = name.items()
            beside.setdefault(noun, []).append({**BESIDE[noun][0], **changed})
    assert summarize_drift(find_resource_drift(tmp_path, kind, properties, shows, **beside)) == case.get("drift", [])


def rule(id: str, **values: Any) -> dict[str, Any]:
    return {"id": id, "direction": "ingress", "ethertype": "IPv4", "protocol": None, **values}


def find_rule_drift(folder: pathlib.Path, rules: list[Any], listed: list[Any]) -> list[str]:
    kind = "OS::Neutron::SecurityGroup"
    shows = {**SHOWN[kind], "security_group_rules": listed}
    others = {"security group": BESIDE["security group"]}
    return summarize_drift(find_resource_drift(folder, kind, {"rules": rules}, shows, **others))


@pytest.mark.parametrize(("rules", "listed", "expected"), RULES)
def test_rules(rules: list[Any], listed: list[Any], expected: list[str], tmp_path: pathlib.Path) -> None:
    assert find_rule_drift(tmp_path, rules, [*(rule("a", **values) for values in listed), *DEFAULTS]) == expected


def test_the_rules_that_neutron_makes_itself(tmp_path: pathlib.Path) -> None:
    assert find_rule_drift(tmp_path, [], []) == ["rules missing: egress IPv4", "rules missing: egress IPv6"]
    egress = {"direction": "egress", "protocol": "tcp"}
    assert find_rule_drift(tmp_path, [egress], [rule("a", **egress)]) == []


def test_values_of_metadata_are_not_shown(tmp_path: pathlib.Path) -> None:
    shows = {"size": 1, "metadata": {"key": "live secret"}}
    properties = {"size": 1, "metadata": {"key": "template secret"}}
    comparison = find_resource_drift(tmp_path, "OS::Cinder::Volume", properties, shows)
    messages = [diagnostic.message for diagnostic in comparison.make_diagnostics(Source("e", "", budget=Budget()))]
    assert len(comparison.differences) == 1
    assert "secret" not in json.dumps(comparison.as_json()) + "".join(messages)


def test_rules_that_are_resources_of_the_stack_are_no_drift(tmp_path: pathlib.Path) -> None:
    body = """
resources:
  group: {type: OS::Neutron::SecurityGroup}
  rule: {type: OS::Neutron::SecurityGroupRule, properties: {security_group: {get_resource: group}, protocol: tcp}}
"""
    mine = rule("r-1", protocol="tcp")
    group = {"id": "g-1", "name": "g", "security_group_rules": [mine, *DEFAULTS], "tags": []}
    stack = live(
        made("group", "OS::Neutron::SecurityGroup", "g-1"), made("rule", "OS::Neutron::SecurityGroupRule", "r-1")
    )
    objects = {"security group": [group], "security group rule": [{**mine, "description": ""}]}
    assert summarize_drift(compared(tmp_path, body, stack, objects)) == []
    gone = live(
        made("group", "OS::Neutron::SecurityGroup", "g-1"), made("rule", "OS::Neutron::SecurityGroupRule", "r-2")
    )
    comparison = compared(tmp_path, body, gone, objects)
    assert summarize_drift(comparison) == ["rules added: ingress IPv4 tcp"]
    assert comparison.skipped["the object is gone, or cannot be seen"] == 1


# objects that belong together

ROUTED = """
resources:
  router: {type: OS::Neutron::Router}
  gateway: {type: OS::Neutron::RouterGateway, properties: {router_id: {get_resource: router}, network: public}}
  leg: {type: OS::Neutron::RouterInterface, properties: {router: {get_resource: router}, subnet: s-1}}
  route:
    type: OS::Neutron::ExtraRoute
    properties: {router_id: {get_resource: router}, destination: 172.16.0.0/24, nexthop: 10.0.0.9}
"""
LEG = {"id": "p-1", "device_id": "r-1", "device_owner": "network:router_interface", "fixed_ips": [{"subnet_id": "s-1"}]}
OTHER_LEG = {**LEG, "id": "p-2", "fixed_ips": [{"subnet_id": "s-2"}]}
ROUTES = ROUTER["routes"]


@pytest.mark.parametrize(
    ("changed", "ports", "expected"),
    [
        ({}, [], []),  # objects of other resources of the stack
        (
            {"routes": [*ROUTES, {"destination": "172.17.0.0/24", "nexthop": "10.0.0.8"}]},
            [],
            ["routes added: 172.17.0.0/24 via 10.0.0.8"],
        ),
        ({"routes": []}, [], ["routes missing: 172.16.0.0/24 via 10.0.0.9"]),
        ({}, [OTHER_LEG], ["interfaces added: an interface on the subnet s-2"]),
        ({}, [{**OTHER_LEG, "device_owner": "network:router_centralized_snat"}], []),
        ({"external_gateway_info": None}, [], ["external_gateway_info changed: nothing"]),
    ],
)
def test_a_router(changed: dict[str, Any], ports: list[Any], expected: list[str], tmp_path: pathlib.Path) -> None:
    stack = live(
        made("router", "OS::Neutron::Router", "r-1"),
        made("gateway", "OS::Neutron::RouterGateway", f"r-1:{PUBLIC}"),
        made("leg", "OS::Neutron::RouterInterface", "r-1:subnet_id=s-1"),
        made("route", "OS::Neutron::ExtraRoute", "r-1:172.16.0.0/24:10.0.0.9"),
    )
    objects = {"router": [{**ROUTER, "id": "r-1", **changed}], "port": [LEG, *ports], **NETWORKS}
    assert summarize_drift(compared(tmp_path, ROUTED, stack, objects)) == expected


def test_the_port_of_a_floating_ip(tmp_path: pathlib.Path) -> None:
    body = """
resources:
  fip: {type: OS::Neutron::FloatingIP, properties: {floating_network: public}}
  free: {type: OS::Neutron::FloatingIP, properties: {floating_network: public}}
  to: {type: OS::Neutron::FloatingIPAssociation, properties: {floatingip_id: {get_resource: fip}, port_id: p-1}}
"""
    stack = live(
        made("fip", "OS::Neutron::FloatingIP", "f-1"),
        made("free", "OS::Neutron::FloatingIP", "f-2"),
        made("to", "OS::Neutron::FloatingIPAssociation", "146"),
    )

    def floating(used: str | None, free: str | None) -> list[str]:
        ips: list[Mapping[str, Any]] = [
            {"id": id, "floating_network_id": PUBLIC, "port_id": port, "tags": []}
            for id, port in (("f-1", used), ("f-2", free))
        ]
        return summarize_drift(compared(tmp_path, body, stack, {"floating ip": ips, **NETWORKS}))

    assert floating("p-1", None) == []
    assert floating("p-1", "p-9") == ["port_id added: an association with the port p-9"]
    assert floating(None, None) == ["port_id changed: nothing"]


def test_the_port_of_a_floating_ip_that_nova_has_chosen(tmp_path: pathlib.Path) -> None:
    body = """
resources:
  fip: {type: OS::Neutron::FloatingIP, properties: {floating_network: public}}
  free: {type: OS::Neutron::FloatingIP, properties: {floating_network: public}}
  to: {type: OS::Nova::FloatingIPAssociation, properties: {floating_ip: {get_resource: fip}, server_id: s-1}}
"""
    stack = live(
        made("fip", "OS::Neutron::FloatingIP", "f-1"),
        made("free", "OS::Neutron::FloatingIP", "f-2"),
        made("to", "OS::Nova::FloatingIPAssociation", "f-1"),
    )
    ips: list[Mapping[str, Any]]
    ips = [{"id": id, "floating_network_id": PUBLIC, "port_id": "p-9", "tags": []} for id in ("f-1", "f-2")]
    comparison = compared(tmp_path, body, stack, {"floating ip": ips, **NETWORKS})
    assert [difference.address for difference in comparison.differences] == ["free"]
    assert comparison.skipped["Nova has chosen the port"] == 1


def test_pools_and_their_members(tmp_path: pathlib.Path) -> None:
    body = """
resources:
  listener: {type: OS::Octavia::Listener, properties: {loadbalancer: lb, protocol: HTTP, protocol_port: 80}}
  pool:
    type: OS::Octavia::Pool
    properties: {listener: {get_resource: listener}, protocol: HTTP, lb_algorithm: ROUND_ROBIN}
  member:
    type: OS::Octavia::PoolMember
    properties: {pool: {get_resource: pool}, address: 10.0.0.5, protocol_port: 80}
"""
    stack = live(
        made("listener", "OS::Octavia::Listener", "l-1"),
        made("pool", "OS::Octavia::Pool", "pool-1"),
        made("member", "OS::Octavia::PoolMember", "m-1"),
    )
    common = {"admin_state_up": True, "protocol": "HTTP", "tags": [], "description": ""}
    listener = {"id": "l-1", "protocol_port": 80, "connection_limit": -1, "default_pool_id": "pool-1", **common}
    pool = {"id": "pool-1", "lb_algorithm": "ROUND_ROBIN", "tls_enabled": False, "members": [{"id": "m-1"}], **common}
    member = {
        "id": "m-1",
        "pool_id": "pool-1",
        "address": "10.0.0.5",
        "protocol_port": 80,
        "weight": 1,
        "admin_state_up": True,
        "tags": [],
    }
    objects: dict[str, Sequence[Mapping[str, Any]]]
    objects = {"loadbalancer listener": [listener], "loadbalancer pool": [pool], "loadbalancer member": [member]}
    assert summarize_drift(compared(tmp_path, body, stack, objects)) == []
    objects["loadbalancer pool"] = [{**pool, "members": [{"id": "m-1"}, {"id": "m-2"}]}]
    objects["loadbalancer member"] = [{**member, "weight": 5}]
    assert summarize_drift(compared(tmp_path, body, stack, objects)) == [
        "members added: the member m-2",
        "weight changed: 5",
    ]


# the whole


def test_nested_stacks_and_groups(tmp_path: pathlib.Path) -> None:
    body = """
resources:
  nested: {type: inner.yaml, properties: {label: a}}
  group:
    type: OS::Heat::ResourceGroup
    properties:
      count: 2
      removal_policies: [{resource_list: ["0"]}]
      resource_def: {type: OS::Neutron::Net, properties: {name: "net-%index%"}}
"""
    inner = """
parameters: {label: {type: string}}
resources: {net: {type: OS::Neutron::Net, properties: {name: {get_param: label}}}}
"""
    inside = live(made("net", "OS::Neutron::Net", "n-1"))
    members = live(made("1", "OS::Neutron::Net", "n-2"), made("2", "OS::Neutron::Net", "n-3"))
    stack = live(
        LiveResource("nested", "inner.yaml", "x", stack=inside),
        LiveResource("group", "OS::Heat::ResourceGroup", "y", stack=members),
    )
    networks = [{**NET, "id": id, "name": name} for id, name in (("n-1", "a"), ("n-2", "net-1"), ("n-3", "renamed"))]
    comparison = compared(tmp_path, body, stack, {"network": networks}, {"inner.yaml": inner})
    assert [(difference.address, difference.live) for difference in comparison.differences] == [("group.2", "renamed")]


@pytest.mark.parametrize(
    ("resource", "kind"),
    [
        ("{type: inner.yaml, properties: {label: UNKNOWN}}", "inner.yaml"),
        ("{type: OS::Heat::ResourceGroup, properties: {count: UNKNOWN, resource_def: {type: OS::Neutron::Net}}}",) * 2,
    ],
)
def test_a_nested_stack_with_unknown_resources(resource: str, kind: str, tmp_path: pathlib.Path) -> None:
    """A condition, or the number of members, depends on an address that the API does not show."""
    body = f"""
resources:
  server: {{type: OS::Nova::Server, properties: {{flavor: "2"}}}}
  nested: {resource.replace("UNKNOWN", "{get_attr: [server, first_address]}")}
"""
    inner = """
parameters: {label: {type: string}}
conditions: {chosen: {equals: [{get_param: label}, a]}}
resources: {net: {type: OS::Neutron::Net, condition: chosen}}
"""
    members = live(made("net", "OS::Neutron::Net", "n-1"), made("0", "OS::Neutron::Net", "n-2"))
    stack = live(made("server", "OS::Nova::Server", "s-1"), LiveResource("nested", kind, "x", stack=members))
    comparison = compared(tmp_path, body, stack, {}, {"inner.yaml": inner})
    assert comparison.differences == []
    assert comparison.skipped["the resources of a nested stack are not known"] == 1


def test_unknown_values_are_not_compared(tmp_path: pathlib.Path) -> None:
    body = """
resources:
  server: {type: OS::Nova::Server, properties: {flavor: "2"}}
  net: {type: OS::Neutron::Net, properties: {name: {get_attr: [server, first_address]}}}
"""
    stack = live(made("server", "OS::Nova::Server", "s-1"), made("net", "OS::Neutron::Net", "n-1"))
    server = {"id": "s-1", "flavor": {"id": "2"}, "image": "", "status": "ACTIVE"}
    comparison = compared(tmp_path, body, stack, {"server": [server], "network": [{**NET, "id": "n-1"}]})
    assert comparison.differences == []
    assert comparison.skipped["a value of the template is not known"] == 1
    (diagnostic,) = comparison.make_diagnostics(stack.source)
    assert (diagnostic.code, "1: a value of the template is not known" in diagnostic.message) == ("HOT772", True)


def test_attributes_are_those_that_the_api_shows(tmp_path: pathlib.Path) -> None:
    body = """
resources:
  port: {type: OS::Neutron::Port, properties: {network: private}}
  text: {type: OS::Heat::RandomString}
  net: {type: OS::Neutron::Net, properties: {name: {get_attr: [port, fixed_ips, 0, ip_address]}}}
  other: {type: OS::Neutron::Net, properties: {name: {get_attr: [text, value]}}}
"""
    stack = live(
        made("port", "OS::Neutron::Port", "p-1"),
        made("text", "OS::Heat::RandomString", "t-1", data={"value": "drawn"}),
        made("net", "OS::Neutron::Net", "n-1"),
        made("other", "OS::Neutron::Net", "n-2"),
    )
    objects: dict[str, Sequence[Mapping[str, Any]]]
    objects = {
        "port": [{**PORT, "id": "p-1"}],
        "security group": BESIDE["security group"],
        "network": [{**NET, "id": "n-1"}, {**NET, "id": "n-2"}, *NETWORKS["network"]],
    }
    comparison = compared(tmp_path, body, stack, objects)
    assert [(difference.address, difference.expected, difference.live) for difference in comparison.differences] == [
        ("net", "10.0.0.5", "n"),
        ("other", "drawn", "n"),
    ]


def test_without_a_cloud_it_says_what_to_ask(tmp_path: pathlib.Path) -> None:
    stack = live(made("net", "OS::Neutron::Net", "n-1"))
    comparison = compared(tmp_path, "resources: {net: {type: OS::Neutron::Net}}", stack, None)
    assert comparison.compared == 0
    diagnostics = comparison.make_diagnostics(stack.source)
    assert [diagnostic.code for diagnostic in diagnostics] == ["HOT773"]
    assert "openstack network show n-1" in diagnostics[0].message


def test_added_objects_have_their_own_code(tmp_path: pathlib.Path) -> None:
    comparison = find_resource_drift(tmp_path, "OS::Neutron::Net", {"tags": ["a"]}, {**NET, "tags": ["b"]})
    diagnostics = comparison.make_diagnostics(Source("e", "", budget=Budget()))
    assert [(diagnostic.code, diagnostic.message) for diagnostic in diagnostics] == [
        ("HOT770", "it lacks a in tags, which the template has."),
        ("HOT771", "it has b in tags, which the template does not have."),
    ]


def test_diagnostics_stand_at_the_property(tmp_path: pathlib.Path) -> None:
    body = "resources: {net: {type: OS::Neutron::Net, properties: {name: other}}}"
    comparison = compared(
        tmp_path, body, live(made("net", "OS::Neutron::Net", "n-1")), {"network": [{**NET, "id": "n-1"}]}
    )
    (diagnostic,) = comparison.make_diagnostics(Source("e", "", budget=Budget()))
    assert diagnostic.code == "HOT770"
    assert diagnostic.source is not None
    assert diagnostic.source.text[diagnostic.at : diagnostic.end] == "name: other"
    assert diagnostic.message == "name of net is n in the cloud and other in the template."


JUNK: tuple[Any, ...] = (None, 1, "x", "", [], {}, [1], ["x"], [{}], [None], {"a": [1]}, [{"id": {}}], True)


@pytest.mark.parametrize("name", sorted(COMPARED_TYPES))
def test_answers_of_another_form_are_no_error_of_the_program(name: str, tmp_path: pathlib.Path) -> None:
    """Each value of a file of answers, of any type, is compared, or is counted as not compared."""
    table = COMPARED_TYPES[name]
    names = {field.path[0] for field in table.fields} | {"security_group_rules", "fixed_ips", "external_gateway_info"}
    nouns = {field.noun for field in table.fields} | {"port", "security group", "network", "subnet", "flavor"}
    candidate_properties = {
        "name": "n",
        "tags": ["a"],
        "metadata": {"a": "b"},
        "networks": [{"network": "n", "subnet": "s"}],
    }
    known_properties = read_openstack_catalog().find_type(name)
    assert known_properties is not None
    properties = {key: value for key, value in candidate_properties.items() if key in known_properties["properties"]}
    for junk in JUNK:
        objects: dict[str, Any] = {
            noun: [{"id": "x", "device_id": "id-1", "fixed_ips": junk}] for noun in nouns if noun
        }
        comparison = find_resource_drift(tmp_path, name, properties, dict.fromkeys(names, junk), **objects)
        assert comparison.compared + sum(comparison.skipped.values()) > 0


@pytest.mark.parametrize(
    ("given", "shown", "same"),
    [
        ("", None, True),
        ("true", True, True),
        ("no", False, False),
        ("5", 5, True),
        ("nan", "nan", True),
        ("1e1", "10", False),
        ("x", 5, False),
        (0, False, True),
    ],
)
def test_spellings_of_a_value(given: Any, shown: Any, same: bool) -> None:
    assert are_equal(given, shown) == same
    assert are_equal(shown, given) == same


# the table

SHOWN_ONLY = {  # fields that the API shows next to Heat's properties
    "OS::Neutron::Router": {"interfaces", "routes"},
    "OS::Neutron::SecurityGroup": {"tags"},
    "OS::Neutron::FloatingIP": {"tags"},
    "OS::Nova::FloatingIP": {"port_id"},
    "OS::Nova::Server": {"status"},
    "OS::Octavia::L7Policy": {"tags"},
    "OS::Octavia::Listener": {"tags"},
    "OS::Octavia::LoadBalancer": {"tags"},
    "OS::Octavia::Pool": {"members", "tags"},
}
LEFT = {  # properties that could be updated and are not compared, and why
    "OS::Nova::Server": {
        "admin_pass": "Nova does not show it",
        "user_data": "Nova does not show it",
        "deployment_swift_data": "only Heat knows it",
        "software_config_transport": "only Heat knows it",
        "flavor_update_policy": "only Heat knows it",
        "image_update_policy": "only Heat knows it",
        "user_data_update_policy": "only Heat knows it",
    },
    "OS::Neutron::Net": {"dhcp_agent_ids": "the network does not show it", "value_specs": "any field of the API"},
    "OS::Neutron::Subnet": {"value_specs": "any field of the API"},
    "OS::Neutron::Port": {
        "device_id": "Nova changes it",
        "device_owner": "Nova changes it",
        "no_fixed_ips": "it only counts at creation",
        "replacement_policy": "only Heat knows it",
        "value_specs": "any field of the API",
    },
    "OS::Neutron::Router": {
        "l3_agent_id": "the router does not show it",
        "l3_agent_ids": "the router does not show it",
        "value_specs": "any field of the API",
    },
    "OS::Neutron::FloatingIP": {"dns_domain": "not every cloud shows it", "dns_name": "not every cloud shows it"},
    "OS::Neutron::SubnetPool": {"default_quota": "Neutron shows 0 as null", "prefixes": "Neutron merges them"},
    "OS::Cinder::Volume": {"backup_id": "it only counts at creation", "read_only": "Cinder shows it in the metadata"},
    "OS::Cinder::VolumeType": {"projects": "the type does not show it"},
    "OS::Glance::WebImage": {
        "active": "it is a state",
        "owner": "the project has another form",
        "members": "the image does not show it",
        **dict.fromkeys(
            ("architecture", "extra_properties", "kernel_id", "os_distro", "os_version", "ramdisk_id"),
            "Glance shows properties of an image beside its own fields",
        ),
    },
    "OS::Keystone::Project": {"domain": "it cannot be changed"},
    "OS::Keystone::User": {
        "domain": "it cannot be changed",
        "groups": "the user does not show it",
        "password": "Keystone does not show it",
        "roles": "the user does not show it",
    },
    "OS::Keystone::Group": {"domain": "it cannot be changed", "roles": "the group does not show it"},
}


@pytest.mark.parametrize("name", sorted(COMPARED_TYPES))
def test_every_property_that_can_be_updated_is_compared_or_has_a_reason(name: str) -> None:
    facts = read_openstack_catalog().find_type(name)
    assert facts is not None
    fields = [field.name for field in COMPARED_TYPES[name].fields]
    assert len(set(fields)) == len(fields)
    assert set(fields) - set(facts["properties"]) == SHOWN_ONLY.get(name, set())
    updated = {key for key, schema in facts["properties"].items() if schema.get("update") and "alias" not in schema}
    assert updated - set(fields) == set(LEFT.get(name, {}))


@pytest.mark.parametrize("name", sorted(COMPARED_TYPES))
def test_every_comparison_exists(name: str) -> None:
    nouns = {row.kind for row in imports.load_rows().values()}
    for field in COMPARED_TYPES[name].fields:
        assert (field.how in VALUE_COMPARISONS) != (field.how in RESOURCE_COMPARISONS)
        assert not field.noun or field.noun in nouns
    assert COMPARED_TYPES[name].noun in nouns

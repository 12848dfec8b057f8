"""Where the APIs of OpenStack have the objects that are asked for.

Invariant: every path here is one to read from. What an object is called in an answer stands in its row, not in code.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping


class Kind(NamedTuple):
    """One kind of object. `service`: as openstacksdk calls it. `path`: of the list; `{zone_id}` stands for an attribute
    that a question must name, and that the objects do not repeat. `many`, `one`: the keys of a list and of one object;
    `one` is empty if an object stands in its answer without a key. `details`: what follows the path for whole objects.
    `key`: the attribute that the API takes for an object's ID.
    """

    service: str
    path: str
    many: str
    one: str = ""
    details: str = ""
    key: str = "id"


def network(path: str, many: str, one: str) -> Kind:
    return Kind("network", path, many, one)


def balancer(path: str, many: str, one: str) -> Kind:
    return Kind("load_balancer", f"/lbaas{path}", many, one)


KINDS: Mapping[str, Kind] = {
    "address group": network("/address-groups", "address_groups", "address_group"),
    "address scope": network("/address-scopes", "address_scopes", "address_scope"),
    "aggregate": Kind("compute", "/os-aggregates", "aggregates", "aggregate"),
    "bgpvpn": network("/bgpvpn/bgpvpns", "bgpvpns", "bgpvpn"),
    "coe cluster": Kind("container_infrastructure_management", "/clusters", "clusters", key="uuid"),
    "coe cluster template": Kind(
        "container_infrastructure_management", "/clustertemplates", "clustertemplates", key="uuid"
    ),
    "database instance": Kind("database", "/instances", "instances", "instance"),
    "domain": Kind("identity", "/domains", "domains", "domain"),
    "endpoint": Kind("identity", "/endpoints", "endpoints", "endpoint"),
    "firewall group": network("/fwaas/firewall_groups", "firewall_groups", "firewall_group"),
    "firewall group policy": network("/fwaas/firewall_policies", "firewall_policies", "firewall_policy"),
    "firewall group rule": network("/fwaas/firewall_rules", "firewall_rules", "firewall_rule"),
    "flavor": Kind("compute", "/flavors", "flavors", "flavor", "/detail"),
    "floating ip": network("/floatingips", "floatingips", "floatingip"),
    "group": Kind("identity", "/groups", "groups", "group"),
    "image": Kind("image", "/images", "images"),
    "keypair": Kind("compute", "/os-keypairs", "keypairs", "keypair", key="name"),
    "loadbalancer": balancer("/loadbalancers", "loadbalancers", "loadbalancer"),
    "loadbalancer flavor": balancer("/flavors", "flavors", "flavor"),
    "loadbalancer flavorprofile": balancer("/flavorprofiles", "flavorprofiles", "flavorprofile"),
    "loadbalancer healthmonitor": balancer("/healthmonitors", "healthmonitors", "healthmonitor"),
    "loadbalancer l7policy": balancer("/l7policies", "l7policies", "l7policy"),
    "loadbalancer l7rule": balancer("/l7policies/{l7policy_id}/rules", "rules", "rule"),
    "loadbalancer listener": balancer("/listeners", "listeners", "listener"),
    "loadbalancer member": balancer("/pools/{pool_id}/members", "members", "member"),
    "loadbalancer pool": balancer("/pools", "pools", "pool"),
    "network": network("/networks", "networks", "network"),
    "network qos policy": network("/qos/policies", "policies", "policy"),
    "network rbac": network("/rbac-policies", "rbac_policies", "rbac_policy"),
    "network segment": network("/segments", "segments", "segment"),
    "network trunk": network("/trunks", "trunks", "trunk"),
    "port": network("/ports", "ports", "port"),
    "project": Kind("identity", "/projects", "projects", "project"),
    "recordset": Kind("dns", "/zones/{zone_id}/recordsets", "recordsets"),
    "region": Kind("identity", "/regions", "regions", "region"),
    "role": Kind("identity", "/roles", "roles", "role"),
    "router": network("/routers", "routers", "router"),
    "secret": Kind("key_manager", "/secrets", "secrets"),
    "secret container": Kind("key_manager", "/containers", "containers"),
    "secret order": Kind("key_manager", "/orders", "orders"),
    "security group": network("/security-groups", "security_groups", "security_group"),
    "security group rule": network("/security-group-rules", "security_group_rules", "security_group_rule"),
    "server": Kind("compute", "/servers", "servers", "server", "/detail"),
    "server group": Kind("compute", "/os-server-groups", "server_groups", "server_group"),
    "server volume": Kind("compute", "/servers/{serverId}/os-volume_attachments", "volumeAttachments"),
    "service": Kind("identity", "/services", "services", "service"),
    "share": Kind("shared_file_system", "/shares", "shares", "share", "/detail"),
    "share network": Kind("shared_file_system", "/share-networks", "share_networks", "share_network", "/detail"),
    "share security service": Kind(
        "shared_file_system", "/security-services", "security_services", "security_service", "/detail"
    ),
    "stack": Kind("orchestration", "/stacks", "stacks", "stack"),
    "subnet": network("/subnets", "subnets", "subnet"),
    "subnet pool": network("/subnetpools", "subnetpools", "subnetpool"),
    "user": Kind("identity", "/users", "users", "user"),
    "volume": Kind("block_storage", "/volumes", "volumes", "volume", "/detail"),
    "volume qos": Kind("block_storage", "/qos-specs", "qos_specs", "qos_specs"),
    "volume type": Kind("block_storage", "/types", "volume_types", "volume_type"),
    "vpn ike policy": network("/vpn/ikepolicies", "ikepolicies", "ikepolicy"),
    "vpn ipsec policy": network("/vpn/ipsecpolicies", "ipsecpolicies", "ipsecpolicy"),
    "vpn ipsec site connection": network(
        "/vpn/ipsec-site-connections", "ipsec_site_connections", "ipsec_site_connection"
    ),
    "vpn service": network("/vpn/vpnservices", "vpnservices", "vpnservice"),
    "zone": Kind("dns", "/zones", "zones"),
}

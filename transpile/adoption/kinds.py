"""The paths of the APIs of OpenStack at which each kind of object is read.

Invariant: every path is only read. How a service names an object in its answers is a column of the table, not code.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple


class ApiKind(NamedTuple):
    """One kind of object. `service`: as openstacksdk calls it. `path`: of the list; `{zone_id}` stands for an attribute
    that a question must name, and that the objects do not repeat. `list_key`, `object_key`: the keys of a list
    and of one object in an answer: `{"ports": […]}`, `{"port": {…}}`; `object_key` is empty if the answer is the object
    itself. `details`: the end of the path for whole objects. `id_attribute`: the attribute that the API takes as ID.
    """

    service: str
    path: str
    list_key: str
    object_key: str = ""
    details: str = ""
    id_attribute: str = "id"


def network_kind(path: str, list_key: str, object_key: str) -> ApiKind:
    return ApiKind("network", path, list_key, object_key)


def load_balancer_kind(path: str, list_key: str, object_key: str) -> ApiKind:
    return ApiKind("load_balancer", f"/lbaas{path}", list_key, object_key)


API_KINDS: Mapping[str, ApiKind] = {
    "address group": network_kind("/address-groups", "address_groups", "address_group"),
    "address scope": network_kind("/address-scopes", "address_scopes", "address_scope"),
    "aggregate": ApiKind("compute", "/os-aggregates", "aggregates", "aggregate"),
    "bgpvpn": network_kind("/bgpvpn/bgpvpns", "bgpvpns", "bgpvpn"),
    "coe cluster": ApiKind("container_infrastructure_management", "/clusters", "clusters", id_attribute="uuid"),
    "coe cluster template": ApiKind(
        "container_infrastructure_management", "/clustertemplates", "clustertemplates", id_attribute="uuid"
    ),
    "database instance": ApiKind("database", "/instances", "instances", "instance"),
    "domain": ApiKind("identity", "/domains", "domains", "domain"),
    "endpoint": ApiKind("identity", "/endpoints", "endpoints", "endpoint"),
    "firewall group": network_kind("/fwaas/firewall_groups", "firewall_groups", "firewall_group"),
    "firewall group policy": network_kind("/fwaas/firewall_policies", "firewall_policies", "firewall_policy"),
    "firewall group rule": network_kind("/fwaas/firewall_rules", "firewall_rules", "firewall_rule"),
    "flavor": ApiKind("compute", "/flavors", "flavors", "flavor", "/detail"),
    "floating ip": network_kind("/floatingips", "floatingips", "floatingip"),
    "group": ApiKind("identity", "/groups", "groups", "group"),
    "image": ApiKind("image", "/images", "images"),
    "keypair": ApiKind("compute", "/os-keypairs", "keypairs", "keypair", id_attribute="name"),
    "loadbalancer": load_balancer_kind("/loadbalancers", "loadbalancers", "loadbalancer"),
    "loadbalancer flavor": load_balancer_kind("/flavors", "flavors", "flavor"),
    "loadbalancer flavorprofile": load_balancer_kind("/flavorprofiles", "flavorprofiles", "flavorprofile"),
    "loadbalancer healthmonitor": load_balancer_kind("/healthmonitors", "healthmonitors", "healthmonitor"),
    "loadbalancer l7policy": load_balancer_kind("/l7policies", "l7policies", "l7policy"),
    "loadbalancer l7rule": load_balancer_kind("/l7policies/{l7policy_id}/rules", "rules", "rule"),
    "loadbalancer listener": load_balancer_kind("/listeners", "listeners", "listener"),
    "loadbalancer member": load_balancer_kind("/pools/{pool_id}/members", "members", "member"),
    "loadbalancer pool": load_balancer_kind("/pools", "pools", "pool"),
    "network": network_kind("/networks", "networks", "network"),
    "network qos policy": network_kind("/qos/policies", "policies", "policy"),
    "network rbac": network_kind("/rbac-policies", "rbac_policies", "rbac_policy"),
    "network segment": network_kind("/segments", "segments", "segment"),
    "network trunk": network_kind("/trunks", "trunks", "trunk"),
    "port": network_kind("/ports", "ports", "port"),
    "project": ApiKind("identity", "/projects", "projects", "project"),
    "recordset": ApiKind("dns", "/zones/{zone_id}/recordsets", "recordsets"),
    "region": ApiKind("identity", "/regions", "regions", "region"),
    "role": ApiKind("identity", "/roles", "roles", "role"),
    "router": network_kind("/routers", "routers", "router"),
    "secret": ApiKind("key_manager", "/secrets", "secrets"),
    "secret container": ApiKind("key_manager", "/containers", "containers"),
    "secret order": ApiKind("key_manager", "/orders", "orders"),
    "security group": network_kind("/security-groups", "security_groups", "security_group"),
    "security group rule": network_kind("/security-group-rules", "security_group_rules", "security_group_rule"),
    "server": ApiKind("compute", "/servers", "servers", "server", "/detail"),
    "server group": ApiKind("compute", "/os-server-groups", "server_groups", "server_group"),
    "server volume": ApiKind("compute", "/servers/{serverId}/os-volume_attachments", "volumeAttachments"),
    "service": ApiKind("identity", "/services", "services", "service"),
    "share": ApiKind("shared_file_system", "/shares", "shares", "share", "/detail"),
    "share network": ApiKind("shared_file_system", "/share-networks", "share_networks", "share_network", "/detail"),
    "share security service": ApiKind(
        "shared_file_system", "/security-services", "security_services", "security_service", "/detail"
    ),
    "stack": ApiKind("orchestration", "/stacks", "stacks", "stack"),
    "subnet": network_kind("/subnets", "subnets", "subnet"),
    "subnet pool": network_kind("/subnetpools", "subnetpools", "subnetpool"),
    "user": ApiKind("identity", "/users", "users", "user"),
    "volume": ApiKind("block_storage", "/volumes", "volumes", "volume", "/detail"),
    "volume qos": ApiKind("block_storage", "/qos-specs", "qos_specs", "qos_specs"),
    "volume type": ApiKind("block_storage", "/types", "volume_types", "volume_type"),
    "vpn ike policy": network_kind("/vpn/ikepolicies", "ikepolicies", "ikepolicy"),
    "vpn ipsec policy": network_kind("/vpn/ipsecpolicies", "ipsecpolicies", "ipsecpolicy"),
    "vpn ipsec site connection": network_kind(
        "/vpn/ipsec-site-connections", "ipsec_site_connections", "ipsec_site_connection"
    ),
    "vpn service": network_kind("/vpn/vpnservices", "vpnservices", "vpnservice"),
    "zone": ApiKind("dns", "/zones", "zones"),
}

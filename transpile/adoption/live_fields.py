"""The API's field for each property of Heat, by type: the table of the drift report.

Invariant: a field is in the table only if its value follows from the property. There is no row for a property that
counts only at creation, that the service replaces by a value of its own, or that no API shows.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, final

from transpile.evaluate.interpreter import ABSENT
from transpile.model import heat_types
from transpile.model.records import node


@final
@node
class ComparedField:
    """A property and its field in the API.

    `name`: the property. `at`: the path of the field, steps separated by dots. `how`: the comparison, by its name in
    api_comparisons.py or by_hand.py. `unset`: the field's value if the template does not set the property and Heat's
    schema has no default; ABSENT if the service chooses. `noun`: the `openstack` client's word for the object whose
    name the property may be.
    """

    name: str
    at: str = ""
    how: str = "same"
    unset: Any = ABSENT
    noun: str = ""

    @property
    def path(self) -> tuple[str, ...]:
        return tuple((self.at or self.name).split("."))


@final
@node
class ComparedType:
    """How a type is compared. `noun`: the `openstack` client's word for its objects. `inside`: the attribute of the API
    for their owner, and the property with its ID, if the API has them only below the owner (pool members).
    """

    noun: str
    fields: tuple[ComparedField, ...]
    inside: tuple[str, str] | None = None


NAME, UP = ComparedField("name"), ComparedField("admin_state_up")
TAGS = ComparedField("tags", how="set", unset=())
DESCRIPTION = ComparedField("description", unset="")
QOS = ComparedField("qos_policy", "qos_policy_id", "named", None, "network qos policy")

NETWORK = (
    NAME,
    UP,
    ComparedField("shared"),
    ComparedField("port_security_enabled"),
    ComparedField("dns_domain", unset=""),
    ComparedField("availability_zone_hints", how="set"),
    TAGS,
)
IMAGE = ComparedType(
    "image",
    (
        NAME,
        ComparedField("protected"),
        ComparedField("visibility"),
        ComparedField("min_disk"),
        ComparedField("min_ram"),
        TAGS,
    ),
)
LOAD_BALANCER = (
    NAME,
    UP,
    DESCRIPTION,
    TAGS,
)

COMPARED_TYPES: Mapping[str, ComparedType] = {
    heat_types.NOVA_SERVER: ComparedType(
        "server",
        (
            NAME,
            ComparedField("flavor", how="flavor"),
            ComparedField("image", how="image"),
            ComparedField("key_name", unset=None),
            ComparedField("availability_zone", "OS-EXT-AZ:availability_zone", "zone"),
            ComparedField("metadata", how="texts"),
            TAGS,
            ComparedField("networks", how="nics"),
            ComparedField("security_groups", how="server_groups"),
            ComparedField("status", how="running", unset="ACTIVE"),
        ),
    ),
    heat_types.NEUTRON_NET: ComparedType("network", (*NETWORK, QOS)),
    heat_types.NEUTRON_PROVIDER_NET: ComparedType(
        "network",
        (
            *NETWORK,
            ComparedField("router_external", "router:external"),
            ComparedField("network_type", "provider:network_type"),
            ComparedField("physical_network", "provider:physical_network"),
            ComparedField("segmentation_id", "provider:segmentation_id"),
        ),
    ),
    heat_types.NEUTRON_SUBNET: ComparedType(
        "subnet",
        (
            NAME,
            ComparedField("network", "network_id", "named", noun="network"),
            ComparedField("cidr", how="cidr"),
            ComparedField("enable_dhcp"),
            ComparedField("gateway_ip", how="address"),
            ComparedField("dns_nameservers", how="addresses"),
            ComparedField("allocation_pools", how="pools"),
            ComparedField("host_routes", how="routes", unset=()),
            ComparedField("segment", "segment_id", "named", noun="network segment"),
            TAGS,
        ),
    ),
    heat_types.NEUTRON_PORT: ComparedType(
        "port",
        (
            NAME,
            ComparedField("network", "network_id", "named", noun="network"),
            UP,
            ComparedField("mac_address", how="mac"),
            ComparedField("fixed_ips", how="fixed_ips"),
            ComparedField("security_groups", how="port_groups"),
            ComparedField("allowed_address_pairs", how="pairs", unset=()),
            ComparedField("port_security_enabled"),
            QOS,
            ComparedField("dns_name"),
            ComparedField("binding:vnic_type"),
            ComparedField("propagate_uplink_status"),
            TAGS,
        ),
    ),
    heat_types.NEUTRON_ROUTER: ComparedType(
        "router",
        (
            NAME,
            UP,
            ComparedField("external_gateway_info", how="gateway"),
            ComparedField("routes", how="router_routes"),
            ComparedField("interfaces", how="interfaces"),
            ComparedField("availability_zone_hints", how="set"),
            TAGS,
        ),
    ),
    heat_types.NEUTRON_SECURITY_GROUP: ComparedType(
        "security group",
        (
            NAME,
            ComparedField("description"),
            ComparedField("stateful"),
            ComparedField("rules", how="rules"),
            TAGS,
        ),
    ),
    heat_types.NEUTRON_SECURITY_GROUP_RULE: ComparedType("security group rule", (DESCRIPTION,)),
    heat_types.NEUTRON_FLOATING_IP: ComparedType(
        "floating ip",
        (
            ComparedField("floating_network", "floating_network_id", "named", noun="network"),
            ComparedField("port_id", how="floating_port"),
            ComparedField("fixed_ip_address", how="address"),
            TAGS,
        ),
    ),
    heat_types.NOVA_FLOATING_IP: ComparedType("floating ip", (ComparedField("port_id", how="floating_port"),)),
    heat_types.NEUTRON_QOS_POLICY: ComparedType("network qos policy", (NAME, ComparedField("shared"), DESCRIPTION)),
    heat_types.NEUTRON_SUBNET_POOL: ComparedType(
        "subnet pool",
        (
            NAME,
            ComparedField("is_default"),
            ComparedField("address_scope", "address_scope_id", "named", None, "address scope"),
            ComparedField("default_prefixlen"),
            ComparedField("min_prefixlen"),
            ComparedField("max_prefixlen"),
            TAGS,
        ),
    ),
    heat_types.NEUTRON_ADDRESS_SCOPE: ComparedType("address scope", (NAME, ComparedField("shared"))),
    heat_types.NEUTRON_SEGMENT: ComparedType("network segment", (NAME, DESCRIPTION)),
    heat_types.NEUTRON_TRUNK: ComparedType(
        "network trunk", (NAME, UP, DESCRIPTION, ComparedField("sub_ports", how="sub_ports"))
    ),
    heat_types.CINDER_VOLUME: ComparedType(
        "volume",
        (
            NAME,
            DESCRIPTION,
            ComparedField("size"),
            ComparedField("volume_type", how="named", noun="volume type"),
            ComparedField("availability_zone"),
            ComparedField("metadata", how="volume_metadata"),
        ),
    ),
    heat_types.CINDER_VOLUME_TYPE: ComparedType(
        "volume type",
        (NAME, DESCRIPTION, ComparedField("is_public"), ComparedField("metadata", "extra_specs", "texts")),
    ),
    heat_types.GLANCE_WEB_IMAGE: IMAGE,
    heat_types.OCTAVIA_LOAD_BALANCER: ComparedType(
        "loadbalancer",
        (
            *LOAD_BALANCER,
            ComparedField("vip_subnet", "vip_subnet_id", "named", noun="subnet"),
            ComparedField("vip_address", how="address"),
            ComparedField("provider"),
        ),
    ),
    heat_types.OCTAVIA_LISTENER: ComparedType(
        "loadbalancer listener",
        (
            *LOAD_BALANCER,
            ComparedField("protocol"),
            ComparedField("protocol_port"),
            ComparedField("connection_limit"),
            ComparedField("default_pool", how="default_pool"),
            ComparedField("default_tls_container_ref", unset=None),
            ComparedField("sni_container_refs", how="set", unset=()),
            ComparedField("allowed_cidrs", how="set", unset=()),
        ),
    ),
    heat_types.OCTAVIA_POOL: ComparedType(
        "loadbalancer pool",
        (
            *LOAD_BALANCER,
            ComparedField("protocol"),
            ComparedField("lb_algorithm"),
            ComparedField("tls_enabled"),
            ComparedField("session_persistence", how="persistence", unset=None),
            ComparedField("members", how="members"),
        ),
    ),
    heat_types.OCTAVIA_POOL_MEMBER: ComparedType(
        "loadbalancer member",
        (
            UP,
            ComparedField("address", how="address"),
            ComparedField("protocol_port"),
            ComparedField("weight"),
            ComparedField("monitor_address", how="address", unset=None),
            ComparedField("monitor_port", unset=None),
            TAGS,
        ),
        ("pool_id", "pool"),
    ),
    heat_types.OCTAVIA_HEALTH_MONITOR: ComparedType(
        "loadbalancer healthmonitor",
        (
            UP,
            ComparedField("type"),
            ComparedField("delay"),
            ComparedField("timeout"),
            ComparedField("max_retries"),
            ComparedField("url_path"),
            ComparedField("http_method"),
            ComparedField("expected_codes"),
        ),
    ),
    heat_types.OCTAVIA_L7_POLICY: ComparedType(
        "loadbalancer l7policy",
        (
            *LOAD_BALANCER,
            ComparedField("action"),
            ComparedField("position"),
            ComparedField("redirect_pool", "redirect_pool_id", "named", None, "loadbalancer pool"),
            ComparedField("redirect_url", unset=None),
        ),
    ),
    heat_types.OCTAVIA_L7_RULE: ComparedType(
        "loadbalancer l7rule",
        (
            UP,
            ComparedField("type"),
            ComparedField("compare_type"),
            ComparedField("value"),
            ComparedField("key", unset=None),
            ComparedField("invert"),
        ),
        ("l7policy_id", "l7policy"),
    ),
    heat_types.DESIGNATE_ZONE: ComparedType(
        "zone",
        (ComparedField("email"), ComparedField("ttl"), DESCRIPTION, ComparedField("masters", how="set", unset=())),
    ),
    heat_types.DESIGNATE_RECORD_SET: ComparedType(
        "recordset",
        (ComparedField("type"), ComparedField("records", how="set"), ComparedField("ttl", unset=None), DESCRIPTION),
        ("zone_id", "zone"),
    ),
    heat_types.KEYSTONE_PROJECT: ComparedType("project", (NAME, DESCRIPTION, ComparedField("enabled"), TAGS)),
    heat_types.KEYSTONE_USER: ComparedType(
        "user",
        (
            NAME,
            DESCRIPTION,
            ComparedField("enabled"),
            ComparedField("email"),
            ComparedField("default_project", "default_project_id", "named", noun="project"),
        ),
    ),
    heat_types.KEYSTONE_GROUP: ComparedType("group", (NAME, DESCRIPTION)),
    heat_types.KEYSTONE_ROLE: ComparedType("role", (NAME,)),
}

# Types that cannot drift: they have nothing but their ID, or their owner is compared with them.
TYPES_WITHOUT_DRIFT = frozenset(
    {
        heat_types.CINDER_VOLUME_ATTACHMENT,
        heat_types.NEUTRON_EXTRA_ROUTE,
        heat_types.NEUTRON_EXTRA_ROUTE_SET,
        heat_types.NEUTRON_FLOATING_IP_ASSOCIATION,
        heat_types.NEUTRON_ROUTER_GATEWAY,
        heat_types.NEUTRON_ROUTER_INTERFACE,
        heat_types.NOVA_FLOATING_IP_ASSOCIATION,
        heat_types.NOVA_KEY_PAIR,
        heat_types.NOVA_SERVER_GROUP,
    }
)

"""Where the API shows what a property of Heat sets, by type: the table of the drift report.

Invariant: a field is compared only if its value tells what the property would have to be. Properties that only count at
creation, that services replace by values of their own, or that no API shows have no row.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, final

from transpile.evaluate.interpreter import ABSENT
from transpile.model import heat_types
from transpile.model.records import node

if TYPE_CHECKING:
    from collections.abc import Mapping


@final
@node
class Field:
    """A property and its field in the API.

    `name`: the property. `at`: the path of the field, steps separated by dots. `how`: the comparison, by its name in
    api_comparisons.py or by_hand.py. `unset`: what the field is if the template does not set the property and Heat's
    schema has no default; ABSENT if the service chooses. `noun`: what the `openstack` client calls the object whose
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
class Live:
    """How a type is compared. `noun`: what the `openstack` client calls its objects. `inside`: the attribute of the API
    for what they belong to, and the property with its ID, if the API has them only inside of it.
    """

    noun: str
    fields: tuple[Field, ...]
    inside: tuple[str, str] | None = None


NAME, UP = Field("name"), Field("admin_state_up")
TAGS = Field("tags", how="set", unset=())
DESCRIPTION = Field("description", unset="")
QOS = Field("qos_policy", "qos_policy_id", "named", None, "network qos policy")

NETWORK = (
    NAME,
    UP,
    Field("shared"),
    Field("port_security_enabled"),
    Field("dns_domain", unset=""),
    Field("availability_zone_hints", how="set"),
    TAGS,
)
IMAGE = Live(
    "image",
    (
        NAME,
        Field("protected"),
        Field("visibility"),
        Field("min_disk"),
        Field("min_ram"),
        TAGS,
    ),
)
LOAD_BALANCER = (
    NAME,
    UP,
    DESCRIPTION,
    TAGS,
)

FIELDS: Mapping[str, Live] = {
    heat_types.NOVA_SERVER: Live(
        "server",
        (
            NAME,
            Field("flavor", how="flavor"),
            Field("image", how="image"),
            Field("key_name", unset=None),
            Field("availability_zone", "OS-EXT-AZ:availability_zone", "zone"),
            Field("metadata", how="texts"),
            TAGS,
            Field("networks", how="nics"),
            Field("security_groups", how="server_groups"),
            Field("status", how="running", unset="ACTIVE"),
        ),
    ),
    heat_types.NEUTRON_NET: Live("network", (*NETWORK, QOS)),
    heat_types.NEUTRON_PROVIDER_NET: Live(
        "network",
        (
            *NETWORK,
            Field("router_external", "router:external"),
            Field("network_type", "provider:network_type"),
            Field("physical_network", "provider:physical_network"),
            Field("segmentation_id", "provider:segmentation_id"),
        ),
    ),
    heat_types.NEUTRON_SUBNET: Live(
        "subnet",
        (
            NAME,
            Field("network", "network_id", "named", noun="network"),
            Field("cidr", how="cidr"),
            Field("enable_dhcp"),
            Field("gateway_ip", how="address"),
            Field("dns_nameservers", how="addresses"),
            Field("allocation_pools", how="pools"),
            Field("host_routes", how="routes", unset=()),
            Field("segment", "segment_id", "named", noun="network segment"),
            TAGS,
        ),
    ),
    heat_types.NEUTRON_PORT: Live(
        "port",
        (
            NAME,
            Field("network", "network_id", "named", noun="network"),
            UP,
            Field("mac_address", how="mac"),
            Field("fixed_ips", how="fixed_ips"),
            Field("security_groups", how="port_groups"),
            Field("allowed_address_pairs", how="pairs", unset=()),
            Field("port_security_enabled"),
            QOS,
            Field("dns_name"),
            Field("binding:vnic_type"),
            Field("propagate_uplink_status"),
            TAGS,
        ),
    ),
    heat_types.NEUTRON_ROUTER: Live(
        "router",
        (
            NAME,
            UP,
            Field("external_gateway_info", how="gateway"),
            Field("routes", how="router_routes"),
            Field("interfaces", how="interfaces"),
            Field("availability_zone_hints", how="set"),
            TAGS,
        ),
    ),
    heat_types.NEUTRON_SECURITY_GROUP: Live(
        "security group",
        (
            NAME,
            Field("description"),
            Field("stateful"),
            Field("rules", how="rules"),
            TAGS,
        ),
    ),
    heat_types.NEUTRON_SECURITY_GROUP_RULE: Live("security group rule", (DESCRIPTION,)),
    heat_types.NEUTRON_FLOATING_IP: Live(
        "floating ip",
        (
            Field("floating_network", "floating_network_id", "named", noun="network"),
            Field("port_id", how="floating_port"),
            Field("fixed_ip_address", how="address"),
            TAGS,
        ),
    ),
    heat_types.NOVA_FLOATING_IP: Live("floating ip", (Field("port_id", how="floating_port"),)),
    heat_types.NEUTRON_QOS_POLICY: Live("network qos policy", (NAME, Field("shared"), DESCRIPTION)),
    heat_types.NEUTRON_SUBNET_POOL: Live(
        "subnet pool",
        (
            NAME,
            Field("is_default"),
            Field("address_scope", "address_scope_id", "named", None, "address scope"),
            Field("default_prefixlen"),
            Field("min_prefixlen"),
            Field("max_prefixlen"),
            TAGS,
        ),
    ),
    heat_types.NEUTRON_ADDRESS_SCOPE: Live("address scope", (NAME, Field("shared"))),
    heat_types.NEUTRON_SEGMENT: Live("network segment", (NAME, DESCRIPTION)),
    heat_types.NEUTRON_TRUNK: Live("network trunk", (NAME, UP, DESCRIPTION, Field("sub_ports", how="sub_ports"))),
    heat_types.CINDER_VOLUME: Live(
        "volume",
        (
            NAME,
            DESCRIPTION,
            Field("size"),
            Field("volume_type", how="named", noun="volume type"),
            Field("availability_zone"),
            Field("metadata", how="volume_metadata"),
        ),
    ),
    heat_types.CINDER_VOLUME_TYPE: Live(
        "volume type", (NAME, DESCRIPTION, Field("is_public"), Field("metadata", "extra_specs", "texts"))
    ),
    heat_types.GLANCE_WEB_IMAGE: IMAGE,
    heat_types.OCTAVIA_LOAD_BALANCER: Live(
        "loadbalancer",
        (
            *LOAD_BALANCER,
            Field("vip_subnet", "vip_subnet_id", "named", noun="subnet"),
            Field("vip_address", how="address"),
            Field("provider"),
        ),
    ),
    heat_types.OCTAVIA_LISTENER: Live(
        "loadbalancer listener",
        (
            *LOAD_BALANCER,
            Field("protocol"),
            Field("protocol_port"),
            Field("connection_limit"),
            Field("default_pool", how="default_pool"),
            Field("default_tls_container_ref", unset=None),
            Field("sni_container_refs", how="set", unset=()),
            Field("allowed_cidrs", how="set", unset=()),
        ),
    ),
    heat_types.OCTAVIA_POOL: Live(
        "loadbalancer pool",
        (
            *LOAD_BALANCER,
            Field("protocol"),
            Field("lb_algorithm"),
            Field("tls_enabled"),
            Field("session_persistence", how="persistence", unset=None),
            Field("members", how="members"),
        ),
    ),
    heat_types.OCTAVIA_POOL_MEMBER: Live(
        "loadbalancer member",
        (
            UP,
            Field("address", how="address"),
            Field("protocol_port"),
            Field("weight"),
            Field("monitor_address", how="address", unset=None),
            Field("monitor_port", unset=None),
            TAGS,
        ),
        ("pool_id", "pool"),
    ),
    heat_types.OCTAVIA_HEALTH_MONITOR: Live(
        "loadbalancer healthmonitor",
        (
            UP,
            Field("type"),
            Field("delay"),
            Field("timeout"),
            Field("max_retries"),
            Field("url_path"),
            Field("http_method"),
            Field("expected_codes"),
        ),
    ),
    heat_types.OCTAVIA_L7_POLICY: Live(
        "loadbalancer l7policy",
        (
            *LOAD_BALANCER,
            Field("action"),
            Field("position"),
            Field("redirect_pool", "redirect_pool_id", "named", None, "loadbalancer pool"),
            Field("redirect_url", unset=None),
        ),
    ),
    heat_types.OCTAVIA_L7_RULE: Live(
        "loadbalancer l7rule",
        (UP, Field("type"), Field("compare_type"), Field("value"), Field("key", unset=None), Field("invert")),
        ("l7policy_id", "l7policy"),
    ),
    heat_types.DESIGNATE_ZONE: Live(
        "zone",
        (Field("email"), Field("ttl"), DESCRIPTION, Field("masters", how="set", unset=())),
    ),
    heat_types.DESIGNATE_RECORD_SET: Live(
        "recordset",
        (Field("type"), Field("records", how="set"), Field("ttl", unset=None), DESCRIPTION),
        ("zone_id", "zone"),
    ),
    heat_types.KEYSTONE_PROJECT: Live("project", (NAME, DESCRIPTION, Field("enabled"), TAGS)),
    heat_types.KEYSTONE_USER: Live(
        "user",
        (
            NAME,
            DESCRIPTION,
            Field("enabled"),
            Field("email"),
            Field("default_project", "default_project_id", "named", noun="project"),
        ),
    ),
    heat_types.KEYSTONE_GROUP: Live("group", (NAME, DESCRIPTION)),
    heat_types.KEYSTONE_ROLE: Live("role", (NAME,)),
}

# Types of which nothing can drift: the ID is all there is, or it is compared with what it belongs to.
WHOLE = frozenset(
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

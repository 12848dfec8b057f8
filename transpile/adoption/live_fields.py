"""Where the API shows what a property of Heat sets, by type: the table of the drift report.

Invariant: a field is compared only if its value tells what the property would have to be. Properties that only count at
creation, that services replace by values of their own, or that no API shows have no row.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, final

from transpile.evaluate.interpreter import ABSENT
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
    "OS::Nova::Server": Live(
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
    "OS::Neutron::Net": Live("network", (*NETWORK, QOS)),
    "OS::Neutron::ProviderNet": Live(
        "network",
        (
            *NETWORK,
            Field("router_external", "router:external"),
            Field("network_type", "provider:network_type"),
            Field("physical_network", "provider:physical_network"),
            Field("segmentation_id", "provider:segmentation_id"),
        ),
    ),
    "OS::Neutron::Subnet": Live(
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
    "OS::Neutron::Port": Live(
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
    "OS::Neutron::Router": Live(
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
    "OS::Neutron::SecurityGroup": Live(
        "security group",
        (
            NAME,
            Field("description"),
            Field("stateful"),
            Field("rules", how="rules"),
            TAGS,
        ),
    ),
    "OS::Neutron::SecurityGroupRule": Live("security group rule", (DESCRIPTION,)),
    "OS::Neutron::FloatingIP": Live(
        "floating ip",
        (
            Field("floating_network", "floating_network_id", "named", noun="network"),
            Field("port_id", how="floating_port"),
            Field("fixed_ip_address", how="address"),
            TAGS,
        ),
    ),
    "OS::Nova::FloatingIP": Live("floating ip", (Field("port_id", how="floating_port"),)),
    "OS::Neutron::QoSPolicy": Live("network qos policy", (NAME, Field("shared"), DESCRIPTION)),
    "OS::Neutron::SubnetPool": Live(
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
    "OS::Neutron::AddressScope": Live("address scope", (NAME, Field("shared"))),
    "OS::Neutron::Segment": Live("network segment", (NAME, DESCRIPTION)),
    "OS::Neutron::Trunk": Live("network trunk", (NAME, UP, DESCRIPTION, Field("sub_ports", how="sub_ports"))),
    "OS::Cinder::Volume": Live(
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
    "OS::Cinder::VolumeType": Live(
        "volume type", (NAME, DESCRIPTION, Field("is_public"), Field("metadata", "extra_specs", "texts"))
    ),
    "OS::Glance::WebImage": IMAGE,
    "OS::Octavia::LoadBalancer": Live(
        "loadbalancer",
        (
            *LOAD_BALANCER,
            Field("vip_subnet", "vip_subnet_id", "named", noun="subnet"),
            Field("vip_address", how="address"),
            Field("provider"),
        ),
    ),
    "OS::Octavia::Listener": Live(
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
    "OS::Octavia::Pool": Live(
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
    "OS::Octavia::PoolMember": Live(
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
    "OS::Octavia::HealthMonitor": Live(
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
    "OS::Octavia::L7Policy": Live(
        "loadbalancer l7policy",
        (
            *LOAD_BALANCER,
            Field("action"),
            Field("position"),
            Field("redirect_pool", "redirect_pool_id", "named", None, "loadbalancer pool"),
            Field("redirect_url", unset=None),
        ),
    ),
    "OS::Octavia::L7Rule": Live(
        "loadbalancer l7rule",
        (UP, Field("type"), Field("compare_type"), Field("value"), Field("key", unset=None), Field("invert")),
        ("l7policy_id", "l7policy"),
    ),
    "OS::Designate::Zone": Live(
        "zone",
        (Field("email"), Field("ttl"), DESCRIPTION, Field("masters", how="set", unset=())),
    ),
    "OS::Designate::RecordSet": Live(
        "recordset",
        (Field("type"), Field("records", how="set"), Field("ttl", unset=None), DESCRIPTION),
        ("zone_id", "zone"),
    ),
    "OS::Keystone::Project": Live("project", (NAME, DESCRIPTION, Field("enabled"), TAGS)),
    "OS::Keystone::User": Live(
        "user",
        (
            NAME,
            DESCRIPTION,
            Field("enabled"),
            Field("email"),
            Field("default_project", "default_project_id", "named", noun="project"),
        ),
    ),
    "OS::Keystone::Group": Live("group", (NAME, DESCRIPTION)),
    "OS::Keystone::Role": Live("role", (NAME,)),
}

# Types of which nothing can drift: the ID is all there is, or it is compared with what it belongs to.
WHOLE = frozenset(
    {
        "OS::Cinder::VolumeAttachment",
        "OS::Neutron::ExtraRoute",
        "OS::Neutron::ExtraRouteSet",
        "OS::Neutron::FloatingIPAssociation",
        "OS::Neutron::RouterGateway",
        "OS::Neutron::RouterInterface",
        "OS::Nova::FloatingIPAssociation",
        "OS::Nova::KeyPair",
        "OS::Nova::ServerGroup",
    }
)

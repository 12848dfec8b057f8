"""One adoption: a running stack, whoever answers questions about it, and what came of it.

Invariant: an emitter that gets one fills it in, once for each attempt that it writes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, final

from transpile.adoption.lookups import Answers, Lookup, NoAnswer
from transpile.model.records import field, record

if TYPE_CHECKING:
    from collections.abc import Mapping

    from transpile.adoption.live import LiveResource, LiveStack
    from transpile.adoption.lookups import Cloud
    from transpile.model.ir import Template
    from transpile.resolve.stack import Stack

NATIVE, HEAT, GONE = "native", "heat", "gone"  # fates of resources: what has them from now on, or that nothing has

# What the client calls the objects whose names Heat makes up, by Heat's type. Of others, the ID is the name.
NOUNS: Mapping[str, str] = {
    "OS::Barbican::GenericContainer": "secret container",
    "OS::Barbican::Order": "secret order",
    "OS::Barbican::Secret": "secret",
    "OS::Cinder::Volume": "volume",
    "OS::Cinder::VolumeType": "volume type",
    "OS::Cinder::QoSSpecs": "volume qos",
    "OS::Glance::WebImage": "image",
    "OS::Glance::Image": "image",
    "OS::Keystone::Domain": "domain",
    "OS::Keystone::Group": "group",
    "OS::Keystone::Project": "project",
    "OS::Keystone::Role": "role",
    "OS::Keystone::Service": "service",
    "OS::Keystone::User": "user",
    "OS::Manila::Share": "share",
    "OS::Manila::ShareNetwork": "share network",
    "OS::Magnum::Cluster": "coe cluster",
    "OS::Magnum::ClusterTemplate": "coe cluster template",
    "OS::Neutron::AddressScope": "address scope",
    "OS::Neutron::FirewallRule": "firewall group rule",
    "OS::Neutron::FirewallPolicy": "firewall group policy",
    "OS::Neutron::IKEPolicy": "vpn ike policy",
    "OS::Neutron::IPsecPolicy": "vpn ipsec policy",
    "OS::Neutron::IPsecSiteConnection": "vpn ipsec site connection",
    "OS::Neutron::Net": "network",
    "OS::Neutron::Port": "port",
    "OS::Neutron::ProviderNet": "network",
    "OS::Neutron::QoSPolicy": "network qos policy",
    "OS::Neutron::Router": "router",
    "OS::Neutron::SecurityGroup": "security group",
    "OS::Neutron::Segment": "network segment",
    "OS::Neutron::Subnet": "subnet",
    "OS::Neutron::SubnetPool": "subnet pool",
    "OS::Neutron::Trunk": "network trunk",
    "OS::Neutron::VPNService": "vpn service",
    "OS::Nova::Flavor": "flavor",
    "OS::Nova::Server": "server",
    "OS::Nova::ServerGroup": "server group",
    "OS::Octavia::HealthMonitor": "loadbalancer healthmonitor",
    "OS::Octavia::L7Policy": "loadbalancer l7policy",
    "OS::Octavia::Listener": "loadbalancer listener",
    "OS::Octavia::LoadBalancer": "loadbalancer",
    "OS::Octavia::Pool": "loadbalancer pool",
    "AWS::EC2::Instance": "server",
    "AWS::EC2::NetworkInterface": "port",
    "AWS::EC2::SecurityGroup": "security group",
    "AWS::EC2::Subnet": "subnet",
    "AWS::EC2::Volume": "volume",
    "AWS::EC2::VPC": "network",
}
NAMES = ("OS::Swift::Container", "AWS::S3::Bucket", "OS::Nova::KeyPair")  # types whose physical IDs are names


@final
@record
class Reduced:
    """What remains of the stack with Heat.

    `template`: the old stack's new one; `text`: as it is written, with values in place, or None if one of them is not
    known; `file`: the name of the file with it. `environment`: the values of its parameters; None for one that is not
    known. `files`: its nested templates, by the names of their files; `registry`: these names by the types that stand
    for them.
    """

    template: Template
    text: str | None
    file: str
    environment: Mapping[str, Any]
    files: Mapping[str, str]
    registry: Mapping[str, str]


@final
@record
class Adoption:
    """`stack`: the linked template. `fates`: NATIVE, HEAT or GONE, by the path of names that `LiveStack.walk` gives.
    `imports`: IDs by the address of the Terraform resource, secret ones as asterisks. `reduced`: None if nothing
    remains with Heat. `private`: files that nobody but their owner should read.
    """

    live: LiveStack
    cloud: Cloud = field(default_factory=Answers)
    stack: Stack | None = None
    fates: dict[tuple[str, ...], str] = field(default_factory=dict)
    imports: dict[str, str] = field(default_factory=dict)
    reduced: Reduced | None = None
    private: set[str] = field(default_factory=set)

    def name(self, resource: LiveResource) -> str | None:
        """The name of what a resource made, in the cloud; None if nobody knows it."""
        if resource.stack is not None:
            return resource.stack.name
        if resource.type in NAMES:
            return resource.physical_id
        known = resource.attributes.get("name")
        if isinstance(known, str):
            return known
        question = self.question(resource)
        if question is None:
            return None
        try:
            found = self.cloud.ask(question)
        except NoAnswer:
            return None
        named = found[0].get("name") if len(found) == 1 else None
        return named if isinstance(named, str) else None

    def question(self, resource: LiveResource) -> Lookup | None:
        """The question for the name of what a resource made."""
        noun = NOUNS.get(resource.type)
        if noun is None or resource.physical_id is None:
            return None
        return Lookup(noun, (("id", resource.physical_id),), "name")

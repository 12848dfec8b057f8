"""One adoption: a running stack, the cloud that answers questions about it, and the result.

Invariant: the emitter that gets an `Adoption` fills in all fields from `fates` to `private`, once for each attempt that
it writes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import TYPE_CHECKING, Any, NamedTuple, final

from transpile.adoption.environments import AdoptedEnvironment
from transpile.adoption.lookups import Answers, Cloud, CloudLookup, NoAnswer
from transpile.model import heat_types
from transpile.model.ir import Template
from transpile.model.records import field, record
from transpile.resolve.stack import Stack

if TYPE_CHECKING:
    from transpile.adoption.live import LiveResource, LiveStack

NATIVE, HEAT, GONE = "native", "heat", "gone"  # fates of resources: Terraform has it, Heat has it, or nothing

# By type of Heat, the noun of the `openstack` client for objects whose names Heat makes up. Other types have no name.
OBJECT_NOUNS: Mapping[str, str] = {
    heat_types.BARBICAN_GENERIC_CONTAINER: "secret container",
    heat_types.BARBICAN_ORDER: "secret order",
    heat_types.BARBICAN_SECRET: "secret",
    heat_types.CINDER_VOLUME: "volume",
    heat_types.CINDER_VOLUME_TYPE: "volume type",
    heat_types.CINDER_QOS_SPECS: "volume qos",
    heat_types.GLANCE_WEB_IMAGE: "image",
    heat_types.GLANCE_IMAGE: "image",
    heat_types.KEYSTONE_DOMAIN: "domain",
    heat_types.KEYSTONE_GROUP: "group",
    heat_types.KEYSTONE_PROJECT: "project",
    heat_types.KEYSTONE_ROLE: "role",
    heat_types.KEYSTONE_SERVICE: "service",
    heat_types.KEYSTONE_USER: "user",
    heat_types.MANILA_SHARE: "share",
    heat_types.MANILA_SHARE_NETWORK: "share network",
    heat_types.MAGNUM_CLUSTER: "coe cluster",
    heat_types.MAGNUM_CLUSTER_TEMPLATE: "coe cluster template",
    heat_types.NEUTRON_ADDRESS_SCOPE: "address scope",
    heat_types.NEUTRON_FIREWALL_RULE: "firewall group rule",
    heat_types.NEUTRON_FIREWALL_POLICY: "firewall group policy",
    heat_types.NEUTRON_IKE_POLICY: "vpn ike policy",
    heat_types.NEUTRON_IPSEC_POLICY: "vpn ipsec policy",
    heat_types.NEUTRON_IPSEC_SITE_CONNECTION: "vpn ipsec site connection",
    heat_types.NEUTRON_NET: "network",
    heat_types.NEUTRON_PORT: "port",
    heat_types.NEUTRON_PROVIDER_NET: "network",
    heat_types.NEUTRON_QOS_POLICY: "network qos policy",
    heat_types.NEUTRON_ROUTER: "router",
    heat_types.NEUTRON_SECURITY_GROUP: "security group",
    heat_types.NEUTRON_SEGMENT: "network segment",
    heat_types.NEUTRON_SUBNET: "subnet",
    heat_types.NEUTRON_SUBNET_POOL: "subnet pool",
    heat_types.NEUTRON_TRUNK: "network trunk",
    heat_types.NEUTRON_VPN_SERVICE: "vpn service",
    heat_types.NOVA_FLAVOR: "flavor",
    heat_types.NOVA_SERVER: "server",
    heat_types.NOVA_SERVER_GROUP: "server group",
    heat_types.OCTAVIA_HEALTH_MONITOR: "loadbalancer healthmonitor",
    heat_types.OCTAVIA_L7_POLICY: "loadbalancer l7policy",
    heat_types.OCTAVIA_LISTENER: "loadbalancer listener",
    heat_types.OCTAVIA_LOAD_BALANCER: "loadbalancer",
    heat_types.OCTAVIA_POOL: "loadbalancer pool",
    heat_types.AWS_INSTANCE: "server",
    heat_types.AWS_NETWORK_INTERFACE: "port",
    heat_types.AWS_SECURITY_GROUP: "security group",
    heat_types.AWS_SUBNET: "subnet",
    heat_types.AWS_VOLUME: "volume",
    heat_types.AWS_VPC: "network",
}
TYPES_WITH_NAME_IDS = (
    heat_types.SWIFT_CONTAINER,
    heat_types.AWS_BUCKET,
    heat_types.NOVA_KEY_PAIR,
)  # types whose physical IDs are names


@final
@record
class Reduced:
    """The part of the stack that remains with Heat.

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


class ReplacedArgument(NamedTuple):
    """An argument whose change makes Terraform replace an object that Heat would update. where: the folder of its
    module; empty for the root. ignored: `ignore_changes` has it, so that Terraform does nothing.
    """

    where: str
    address: str
    property: str
    argument: str
    ignored: bool


class UnseenArguments(NamedTuple):
    """The arguments of a block that stay in `ignore_changes`, with the reasons. where: as in `ReplacedArgument`."""

    where: str
    address: str
    reasons: Mapping[str, str]


@final
@record
class Adoption:
    """`stack`: the linked template. `masked`: the parameters of which the input has only asterisks. `environment`: the
    environment that the stack is. `fates`: NATIVE,
    HEAT or GONE, by the path of names that `LiveStack.walk` gives.
    `imports`: IDs by the address of the Terraform resource, secret ones as asterisks. `unknown_ids`: the command that
    shows the ID to fill in, by that address. `additions`: the resources that the first plan makes anew, by that
    address, each with its consequence. `asks`: the variables without a value, and whether they are hidden. `reduced`:
    None if nothing remains with Heat. `private`: files that only their owner should read. `settled`: by file, its
    text without the `ignore_changes` that only the import needs; `settling`: the addresses of resources that Terraform
    then updates. `replaced`: the arguments whose change replaces an object that Heat would update; `unseen`: those
    whose change never has an effect. `backend_settings`: the file with the settings of the backend; empty if there is
    none.
    `in_tree`: whether the directory is one of a tree, whose directories share modules.
    """

    live: LiveStack
    cloud: Cloud = field(default_factory=Answers)
    stack: Stack | None = None
    masked: AbstractSet[str] = frozenset()
    environment: AdoptedEnvironment = field(default_factory=AdoptedEnvironment)
    fates: dict[tuple[str, ...], str] = field(default_factory=dict)
    imports: dict[str, str] = field(default_factory=dict)
    unknown_ids: dict[str, str] = field(default_factory=dict)
    additions: dict[str, str] = field(default_factory=dict)
    asks: dict[str, bool] = field(default_factory=dict)
    reduced: Reduced | None = None
    private: set[str] = field(default_factory=set)
    settled: dict[str, str] = field(default_factory=dict)
    settling: list[str] = field(default_factory=list)
    replaced: list[ReplacedArgument] = field(default_factory=list)
    unseen: list[UnseenArguments] = field(default_factory=list)
    backend_settings: str = ""
    in_tree: bool = False

    @property
    def init_command(self) -> str:
        return f"terraform init{f' -backend-config={self.backend_settings}' * bool(self.backend_settings)}"

    def find_cloud_name(self, resource: LiveResource) -> str | None:
        """The name that the resource's object has in the cloud; None if it is not known.

        Heat makes up a name (`stack-web-x3k7`) if the template sets none, and the export does not contain it.
        """
        if resource.stack is not None:
            return resource.stack.name
        if resource.type in TYPES_WITH_NAME_IDS:
            return resource.physical_id
        attribute = resource.attributes.get("name")
        if isinstance(attribute, str):
            return attribute
        lookup = self.make_name_lookup(resource)
        if lookup is None:
            return None
        for cloud in self.clouds:
            try:
                rows = cloud.ask(lookup)
            except NoAnswer:
                continue
            name = rows[0].get("name") if len(rows) == 1 else None
            if isinstance(name, str):
                return name
        return None

    @property
    def lives(self) -> Sequence[LiveStack]:
        """The running stacks that the configuration is for."""
        return self.environment.lives or (self.live,)

    @property
    def clouds(self) -> Sequence[Cloud]:
        """The sources of answers that may know an object of these stacks."""
        return [self.cloud, *self.environment.clouds]

    def make_name_lookup(self, resource: LiveResource) -> CloudLookup | None:
        """The question for that name; None for a type without one."""
        noun = OBJECT_NOUNS.get(resource.type)
        if noun is None or resource.physical_id is None:
            return None
        return CloudLookup(noun, (("id", resource.physical_id),), "name")

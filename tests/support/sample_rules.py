"""Rules for the sample generator beyond the schemas: values with a meaning, and properties that depend on each other.

Paths are those of schemas (`OS::Nova::Server.networks.*` are the items of `networks`). A rule states a check of
Heat's plug-ins or of the provider. It must never hide a finding.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final


class _Word:
    """A placeholder value with a special meaning."""


ANY: Final = _Word()  # overrides the value of the sample
NONE: Final = _Word()  # omitted

# the resource type that a custom constraint requires
MAKES: Mapping[str, str] = {
    "barbican.container": "OS::Barbican::GenericContainer",
    "barbican.secret": "OS::Barbican::Secret",
    "cinder.qos_specs": "OS::Cinder::QoSSpecs",
    "cinder.volume": "OS::Cinder::Volume",
    "cinder.vtype": "OS::Cinder::VolumeType",
    "designate.domain": "OS::Designate::Domain",
    "designate.zone": "OS::Designate::Zone",
    "glance.image": "OS::Glance::WebImage",
    "keystone.domain": "OS::Keystone::Domain",
    "keystone.group": "OS::Keystone::Group",
    "keystone.project": "OS::Keystone::Project",
    "keystone.region": "OS::Keystone::Region",
    "keystone.role": "OS::Keystone::Role",
    "keystone.service": "OS::Keystone::Service",
    "keystone.user": "OS::Keystone::User",
    "magnum.cluster_template": "OS::Magnum::ClusterTemplate",
    "manila.share_network": "OS::Manila::ShareNetwork",
    "manila.share_type": "OS::Manila::ShareType",
    "neutron.address_scope": "OS::Neutron::AddressScope",
    "neutron.flow_classifier": "OS::Neutron::FlowClassifier",
    "neutron.lbaas.listener": "OS::Neutron::LBaaS::Listener",
    "neutron.lbaas.loadbalancer": "OS::Neutron::LBaaS::LoadBalancer",
    "neutron.lbaas.pool": "OS::Neutron::LBaaS::Pool",
    "neutron.network": "OS::Neutron::Net",
    "neutron.port": "OS::Neutron::Port",
    "neutron.port_pair": "OS::Neutron::PortPair",
    "neutron.port_pair_group": "OS::Neutron::PortPairGroup",
    "neutron.qos_policy": "OS::Neutron::QoSPolicy",
    "neutron.router": "OS::Neutron::Router",
    "neutron.security_group": "OS::Neutron::SecurityGroup",
    "neutron.segment": "OS::Neutron::Segment",
    "neutron.subnet": "OS::Neutron::Subnet",
    "neutron.subnetpool": "OS::Neutron::SubnetPool",
    "neutron.taas.tap_service": "OS::Neutron::TaaS::TapService",
    "nova.flavor": "OS::Nova::Flavor",
    "nova.keypair": "OS::Nova::KeyPair",
    "nova.server": "OS::Nova::Server",
    "octavia.availabilityzone": "OS::Octavia::AvailabilityZone",
    "octavia.availabilityzoneprofile": "OS::Octavia::AvailabilityZoneProfile",
    "octavia.flavor": "OS::Octavia::Flavor",
    "octavia.flavorprofile": "OS::Octavia::FlavorProfile",
    "octavia.l7policy": "OS::Octavia::L7Policy",
    "octavia.listener": "OS::Octavia::Listener",
    "octavia.loadbalancer": "OS::Octavia::LoadBalancer",
    "octavia.pool": "OS::Octavia::Pool",
    "zaqar.queue": "OS::Zaqar::Queue",
}

# objects without an ID, or that a table accepts by name without a look-up
ALWAYS_NAMES = ("nova.keypair", "nova.host", "cinder.vtype", "keystone.region", "zaqar.queue")
THINGS: Mapping[str, str] = {"glance.image": "ubuntu-22.04", "nova.flavor": "m1.small", "neutron.network": "private"}

# the target of properties without such a constraint
REFERS: Mapping[str, str] = {
    "AWS::EC2::EIPAssociation.AllocationId": "AWS::EC2::EIP",
    "AWS::EC2::EIPAssociation.EIP": "AWS::EC2::EIP",
    "AWS::EC2::EIPAssociation.NetworkInterfaceId": "AWS::EC2::NetworkInterface",
    "AWS::EC2::RouteTable.VpcId": "AWS::EC2::VPC",
    "AWS::EC2::Subnet.VpcId": "AWS::EC2::VPC",
    "AWS::EC2::SubnetRouteTableAssociation.RouteTableId": "AWS::EC2::RouteTable",
    "AWS::EC2::VPCGatewayAttachment.InternetGatewayId": "AWS::EC2::InternetGateway",
    "AWS::EC2::VPCGatewayAttachment.VpcId": "AWS::EC2::VPC",
    "OS::Neutron::FloatingIPAssociation.floatingip_id": "OS::Neutron::FloatingIP",
    "OS::Nova::FloatingIPAssociation.floating_ip": "OS::Neutron::FloatingIP",
    "OS::Neutron::LBaaS::L7Rule.l7policy": "OS::Neutron::LBaaS::L7Policy",
    "OS::Neutron::Router.external_gateway_info.network": "OS::Neutron::Net",
    "OS::Neutron::Port.security_groups": "OS::Neutron::SecurityGroup",
    "OS::Nova::Server.networks.*.floating_ip": "OS::Neutron::FloatingIP",
    "OS::Nova::Server.security_groups": "OS::Neutron::SecurityGroup",
    "OS::Nova::FloatingIP.pool": "OS::Neutron::Net",
}

# objects that Heat accepts only by ID, unless a table looks them up
BY_ID = ("cinder.volume", "cinder.snapshot", "cinder.backup", "cinder.qos_specs", "neutron.port")

# properties with a separate sample, because they keep the whole resource with Heat
BY_ITSELF: Mapping[str, tuple[str, ...]] = {
    "OS::Nova::Server": ("networks.*.floating_ip", "networks.*.port_extra_properties.no_fixed_ips"),
}

# types for which each reference gets a separate resource, because Heat rejects duplicates
APART = ("OS::Barbican::Secret",)

# values for constraints that need no cloud
CONSTRAINED: Mapping[str, Any] = {
    "cron_expression": "0 3 * * *",
    "dns_domain": "example.com.",
    "dns_name": "www.example.com",
    "expiration": "2099-12-31T23:59:59",
    "ip_addr": "10.0.0.5",
    "ip_or_cidr": "10.0.0.0/24",
    "iso_8601": "2030-01-01T00:00:00",
    "json_string": '{"key": "value"}',
    "mac_addr": "fa:16:3e:00:00:01",
    "net_cidr": "10.0.0.0/24",
    "rel_dns_name": "www",
    "timezone": "Europe/Berlin",
}
FORMATS: Mapping[str, str] = {
    "cidr": "10.0.0.0/24",
    "fqdn-with-dot": "example.com.",
    "json-object": '{"key": "value"}',
    "uuid": "5b2f8a1e-0c55-4f6e-8a5e-2f7f8f3a1b00",
}

# values by property name, for strings without constraint
NAMED: Mapping[str, str] = {
    "location": "https://example.com/image.qcow2",
    "url": "https://example.com/",
    "start": "10.0.0.10",
    "end": "10.0.0.20",
    "vlan_filter": "100-200",
    "restart_policy": "always",
}

_TEMPLATE = "heat_template_version: 2021-04-16\nresources: {inner: {type: OS::Heat::None}}\n"
_KEY = "ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAAAgQC7 sample@example.com"

# values by path
_IDS = ("0ea8b5b4-6c2f-4f0b-9d3b-1f5f5d0c7afd", "0ea8b5b4-6c2f-4f0b-9d3b-1f5f5d0c7afe")
VALUES: Mapping[str, Any] = {
    **{
        f"AWS::EC2::SecurityGroup.SecurityGroup{way}.*.{name}": value
        for way in ("Ingress", "Egress")
        for name, value in (("CidrIp", "10.0.0.0/24"), ("IpProtocol", "tcp"), ("FromPort", "80"), ("ToPort", "81"))
    },
    "AWS::AutoScaling::AutoScalingGroup.LaunchConfigurationName": {"get_resource": "launch"},
    "AWS::CloudFormation::Stack.TemplateURL": "https://example.com/inner.yaml",
    "AWS::EC2::VolumeAttachment.Device": "/dev/vdb",
    "AWS::EC2::Instance.BlockDeviceMappings.*.DeviceName": "vdb",
    "AWS::EC2::Instance.BlockDeviceMappings.*.Ebs.VolumeSize": "8",
    "OS::Neutron::LBaaS::L7Policy.redirect_url": "https://example.com/",
    "OS::Octavia::L7Policy.redirect_url": "https://example.com/",
    "OS::Barbican::Secret.payload": "c2FtcGxl",
    "OS::Blazar::Lease.before_end_date": "2030-01-02 00:00",
    "OS::Blazar::Lease.end_date": "2030-01-03 00:00",
    "OS::Blazar::Lease.start_date": "2030-01-01 00:00",
    "OS::Heat::AccessPolicy.AllowedResources": ["other"],
    "OS::Heat::AutoScalingGroup.resource": {"type": "OS::Heat::None"},
    "OS::Heat::CloudConfig.cloud_config": {"packages": ["nginx"]},
    "OS::Heat::InstanceGroup.LaunchConfigurationName": {"get_resource": "launch"},
    "OS::Heat::ResourceChain.resources": ["OS::Heat::None"],
    "OS::Heat::ResourceGroup.resource_def.type": "OS::Neutron::Net",
    "OS::Heat::ResourceGroup.resource_def.properties": {"name": "sample-%index%"},
    "OS::Heat::Stack.template": _TEMPLATE,
    "OS::Cinder::QoSAssociation.volume_types": list(_IDS),
    "OS::Neutron::LBaaS::L7Rule.l7policy": _IDS[0],
    "OS::Manila::ShareNetwork.security_services": list(_IDS[:1]),
    "OS::Neutron::ProviderNet.segmentation_id": "100",
    "OS::Neutron::SecurityGroup.rules.*.remote_group_id": "0ea8b5b4-6c2f-4f0b-9d3b-1f5f5d0c7aff",
    "OS::Neutron::Subnet.gateway_ip": "10.0.0.1",
    "OS::Nova::Server.block_device_mapping_v2.*.boot_index": -1,
    "OS::Heat::RandomString.length": 24,
    "OS::Heat::RandomString.character_sequences.*.sequence": "#%",
    "OS::Nova::KeyPair.public_key": _KEY,
    "OS::Trove::Instance.databases.*.name": "shop",
    "OS::Trove::Instance.users.*.databases": ["shop"],
    "OS::Trove::Instance.users.*.name": "clerk",
    "OS::Trove::Instance.users.*.password": "secret",
    "OS::Zaqar::Subscription.subscriber": "https://example.com/",
}
_IPV4 = ("gateway_ip", "allocation_pools", "host_routes", "dns_nameservers")
_IPV6 = ("ipv6_ra_mode", "ipv6_address_mode")
_OF_CERTIFICATES = ("ca_id", "profile", "request_data", "request_type", "source_container_ref", "subject_dn")

# exactly one of each must be set, although the schema does not require it
ONE_OF: Mapping[str, list[tuple[str, ...]]] = {
    "AWS::AutoScaling::AutoScalingGroup": [("LaunchConfigurationName", "InstanceId")],
    "AWS::EC2::EIPAssociation": [("AllocationId", "EIP"), ("InstanceId", "NetworkInterfaceId")],
    "OS::Designate::Zone": [("email", "masters")],
    "OS::Keystone::GroupRoleAssignment.roles.*": [("project", "domain")],
    "OS::Keystone::UserRoleAssignment.roles.*": [("project", "domain")],
    "OS::Mistral::Workflow.tasks.*": [("action", "workflow")],
    "OS::Neutron::RouterInterface": [("subnet", "port")],
    "OS::Neutron::Subnet": [("cidr", "subnetpool")],
    "OS::Nova::Server.block_device_mapping.*": [("volume_id", "snapshot_id")],
    "OS::Nova::Server.block_device_mapping_v2.*": [
        ("volume_id", "snapshot_id", "image", "swap_size", "ephemeral_size"),
    ],
    "OS::Trove::Instance.networks.*": [("network", "port")],
    "OS::Trove::Cluster.instances.*.networks.*": [("network", "port")],
    "OS::Zun::Container.networks.*": [("network", "port")],
    "OS::Zun::Container.mounts.*": [("volume_id", "volume_size")],
}
_ALLOCATED = ("network", "port", "subnet", "fixed_ip", "floating_ip", "tag", "port_extra_properties")
_SOURCES: list[tuple[str, ...]] = [("CidrIp", "SourceSecurityGroupId", "SourceSecurityGroupName")]
AT_MOST_ONE: Mapping[str, list[tuple[str, ...]]] = {
    "AWS::EC2::SecurityGroup.SecurityGroupIngress.*": _SOURCES,
    "AWS::EC2::SecurityGroup.SecurityGroupEgress.*": _SOURCES,
    "AWS::EC2::Instance": [("NetworkInterfaces", "SecurityGroups"), ("NetworkInterfaces", "SecurityGroupIds")],
    "OS::Barbican::Order": [(a, c) for a in ("algorithm", "pass_phrase", "mode") for c in _OF_CERTIFICATES],
    "OS::Cinder::Volume": [("image", "snapshot_id", "source_volid", "backup_id")],
    "OS::Keystone::Group.roles.*": [("project", "domain")],
    "OS::Keystone::User.roles.*": [("project", "domain")],
    "OS::Neutron::Port": [("fixed_ips", "no_fixed_ips")],
    "OS::Neutron::Router": [("distributed", "l3_agent_id"), ("distributed", "l3_agent_ids"), ("distributed", "ha")],
    "OS::Neutron::SecurityGroup.rules.*": [("remote_ip_prefix", "remote_group_id")],
    "OS::Neutron::Subnet": [(six, four) for six in _IPV6 for four in (*_IPV4, "subnetpool")],
    "OS::Nova::Server": [("block_device_mapping", "block_device_mapping_v2"), ("networks", "security_groups")],
    "OS::Nova::Server.networks.*": [("port", "fixed_ip"), *(("allocate_network", other) for other in _ALLOCATED)],
    "OS::Octavia::L7Policy": [("redirect_pool", "redirect_url")],
}
AT_LEAST_ONE: Mapping[str, list[tuple[str, ...]]] = {
    "AWS::AutoScaling::LaunchConfiguration": [("ImageId", "InstanceId")],
    "OS::Barbican::Order": [("algorithm", "subject_dn")],
    "OS::Cinder::Quota": [("gigabytes",)],
    "OS::Cinder::Volume": [("size",)],
    "OS::Mistral::CronTrigger": [("pattern", "first_time")],
    "OS::Neutron::Quota": [("network",)],
    "OS::Neutron::LBaaS::Listener": [("loadbalancer",)],
    "OS::Neutron::LBaaS::Pool": [("loadbalancer", "listener")],
    "OS::Nova::KeyPair": [("public_key",)],
    "OS::Nova::Quota": [("cores",)],
    "OS::Nova::Server": [("image", "block_device_mapping")],
    "OS::Nova::Server.networks.*": [("network", "port", "subnet", "allocate_network")],
    "OS::Octavia::Pool": [("loadbalancer", "listener")],
    "OS::Octavia::Quota": [("pool",)],
}

# required by the provider but not by Heat: set with everything else, but not in samples with only required properties
WANTED: Mapping[str, tuple[str, ...]] = {
    "AWS::EC2::Volume": ("Size",),
    "OS::Keystone::Endpoint": ("region",),
    "OS::Neutron::FloatingIPPortForward": ("internal_port_number",),
    "OS::Octavia::FlavorProfile": ("provider_name",),
    "OS::Trove::Instance": ("datastore_type", "datastore_version"),
}

# fields that make a list item unique
ALONE: Mapping[str, tuple[str, ...]] = {"OS::Nova::Server.networks.*": ("allocate_network",)}

# properties that another property requires, with their values
_CERTIFICATE = {"type": "certificate"}
_HTTP = {"type": "HTTP"}
_TLS = {"protocol": "TERMINATED_HTTPS", "default_tls_container_ref": ANY}
_VLAN = {"network_type": "vlan", "physical_network": ANY, "segmentation_id": ANY}
_WITH_KEY = {"algorithm": ANY, "bit_length": ANY}
_BALANCING: Mapping[str, Mapping[str, Mapping[str, Any]]] = {
    "HealthMonitor": {"http_method": _HTTP, "url_path": _HTTP, "expected_codes": _HTTP},
    "L7Policy": {"redirect_pool": {"action": "REDIRECT_TO_POOL"}, "redirect_url": {"action": "REDIRECT_TO_URL"}},
    "L7Rule": {"key": {"type": "HEADER"}},
    "Listener": {"default_tls_container_ref": _TLS, "sni_container_refs": _TLS},
    "Pool.session_persistence": {"cookie_name": {"type": "APP_COOKIE"}},
}
NEEDS: Mapping[str, Mapping[str, Mapping[str, Any]]] = {
    **{f"OS::Octavia::{path}": needs for path, needs in _BALANCING.items()},
    **{f"OS::Neutron::LBaaS::{path}": needs for path, needs in _BALANCING.items()},
    "AWS::AutoScaling::LaunchConfiguration": {"ImageId": {"InstanceType": ANY}, "InstanceType": {"ImageId": ANY}},
    "AWS::AutoScaling::ScalingPolicy": {"MinAdjustmentStep": {"AdjustmentType": "PercentChangeInCapacity"}},
    "AWS::EC2::EIPAssociation": {"EIP": {"InstanceId": ANY}},
    "OS::Barbican::Order": {
        **dict.fromkeys(("algorithm", "bit_length", "expiration", "mode", "payload_content_type"), _WITH_KEY),
        **dict.fromkeys(_OF_CERTIFICATES, _CERTIFICATE),
        "pass_phrase": {**_WITH_KEY, "type": "asymmetric"},
        "profile": {**_CERTIFICATE, "ca_id": ANY},
    },
    "OS::Barbican::Secret": {
        "payload_content_encoding": {"payload_content_type": "application/octet-stream", "payload": ANY},
    },
    "OS::Cinder::Volume": {source: {"size": ANY} for source in ("snapshot_id", "source_volid", "backup_id")},
    "OS::Cinder::VolumeType": {"projects": {"is_public": False}},
    "OS::Designate::Zone": {"masters": {"type": "SECONDARY"}, "email": {"type": "PRIMARY"}, "ttl": {"type": "PRIMARY"}},
    "OS::Glance::WebImage": {"members": {"visibility": "shared"}},
    "OS::Heat::ScalingPolicy": {"min_adjustment_step": {"adjustment_type": "percent_change_in_capacity"}},
    "OS::Manila::ShareNetwork": {"neutron_network": {"neutron_subnet": ANY}},
    "OS::Mistral::Workflow.tasks.*": {"concurrency": {"with_items": ANY}},
    "OS::Neutron::NetworkGateway.connections.*": {"segmentation_id": {"segmentation_type": "vlan"}},
    "OS::Neutron::ProviderNet": {"segmentation_id": _VLAN, "physical_network": _VLAN},
    "OS::Neutron::Segment": {"segmentation_id": _VLAN, "physical_network": _VLAN},
    "OS::Neutron::Subnet": {mode: {"ip_version": 6, "cidr": "2001:db8::/64"} for mode in _IPV6},
    "OS::Nova::Server": {"block_device_mapping_v2": {"image": ANY}},
    "OS::Nova::Server.block_device_mapping_v2.*": {
        **{source: {"boot_index": ANY} for source in ("volume_id", "snapshot_id", "image")},
        "ephemeral_format": {"ephemeral_size": ANY},
    },
    "OS::Nova::Server.networks.*": {"floating_ip": {"port": ANY}},
}

# properties that no sample sets, and why
NEVER: Mapping[str, Mapping[str, str]] = {
    **{
        f"AWS::EC2::{kind}": {f"Tags{more}": "Heat does not implement it" for more in ("", ".*.Key", ".*.Value")}
        for kind in ("InternetGateway", "NetworkInterface", "RouteTable", "Subnet", "VPC")
    },
    "OS::Mistral::Workflow": {
        "tasks.*.requires": "only a reverse workflow has it",
        "tasks.*.policies": "they stand twice",
    },
    "OS::Manila::ShareNetwork": {"nova_network": "Heat refuses it: nova-network is no longer supported"},
}

# additional resources for the sample
_LAUNCH: Mapping[str, Any] = {
    "launch": {
        "type": "AWS::AutoScaling::LaunchConfiguration",
        "properties": {"ImageId": "ubuntu-22.04", "InstanceType": "m1.small"},
    }
}
BESIDE: Mapping[str, Mapping[str, Any]] = {
    "AWS::AutoScaling::AutoScalingGroup": _LAUNCH,
    "OS::Heat::AccessPolicy": {"other": {"type": "OS::Heat::None"}},
    "OS::Heat::InstanceGroup": _LAUNCH,
}

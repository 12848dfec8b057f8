"""Hooks: functions for what the mapping tables cannot express, which refer to a hook by its name.

Invariant: a hook of a property returns what the property becomes, and its fate, as a rule of a table does; the engine
writes it. A hook raises CannotSay for what it cannot express, and never omits anything.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, TypeVar

from emitters.hcl.emission import Emission
from emitters.hcl.lowering.lowering import Handle
from emitters.hcl.resources.handles import ATTRIBUTES
from emitters.hcl.resources.registry import HookRegistry
from emitters.hcl.resources.rules import FINISH, PROPERTIES
from emitters.hcl.tables.mapping import TypeMapping
from transpile.model import ir

if TYPE_CHECKING:
    Prepare = Callable[[Emission, ir.Resource, TypeMapping], Handle]
    Write = Callable[[Emission, ir.Resource, TypeMapping], None]

NAMES: Mapping[str, str] = {  # the hooks of each module: a module is imported when one of them is needed
    "aws_address": "elastic_ip elastic_ip_allocation elastic_ip_association elastic_ip_instance elastic_ip_port",
    "aws_bucket": "bucket bucket_access bucket_tags bucket_website",
    "aws_instance": (
        "instance_address instance_block_devices instance_hints instance_network_interfaces "
        "instance_security_groups instance_subnet instance_user_data instance_volumes"
    ),
    "aws_network": (
        "association_subnet internet_gateway route_table_vpc subnet_vpc subnet_zone vpc "
        "vpc_gateway_attachment vpc_subnet"
    ),
    "aws_port": "interface interface_address interface_groups interface_private_address interface_subnet",
    "aws_security": "aws_rules",
    "cfn_init": "unused_key",
    "chain": "resource_chain",
    "clusters": "cluster",
    "configuration": "chosen_provider provider_configuration",
    "configs": "cloud_config multipart software_config structured_config",
    "dropped": "dropped_resource",
    "databases": "database",
    "elastic_load_balancer": "elastic_load_balancer",
    "firewall": "firewall firewall_policy firewall_routers",
    "first_boot": "component first_boot",
    "floating_ips": (
        "floating_ip floating_ip_address floating_network_id nova_floating_ip nova_floating_ip_pool server_port"
    ),
    "group": "resource_group",
    "identity": "assigned_roles group_roles role_assignment user_email user_roles",
    "instance_group": "instance_group launch_configuration",
    "left_out": "left_out",
    "load_balancing": "pool_load_balancer",
    "members": "image_members user_groups volume_type_projects",
    "module": "module",
    "network": "net_subnets subnet_cidr subnet_gateway subnet_host_routes",
    "object_store": "object_store_container object_store_domain object_store_root",
    "old_load_balancing": "old_lb_provider old_monitor",
    "oldest_load_balancing": "oldest_monitor oldest_monitors oldest_pool oldest_provider oldest_subnet oldest_vip",
    "oldest_members": "oldest_member oldest_members",
    "port_attributes": "port_fixed_ips port_network port_security_groups_attribute port_subnets",
    "ports": "port port_no_fixed_ips port_security_groups port_uplink_status port_vnic_type",
    "provisioned": "provisioned",
    "random_string": "random_string",
    "rbac": "rbac_object shared_by_rbac",
    "routers": ("router router_admin_state router_gateway router_gateway_attribute router_gateway_info router_ha"),
    "routes": "route_set",
    "secrets": "container container_consumers container_secret container_secrets decrypted_payload moment secret",
    "security": "rule_port security_group_rule security_group_rules",
    "server": (
        "scheduler_hints server server_flavor server_image server_personality server_security_groups "
        "server_update_policy server_user_data server_user_data_format"
    ),
    "server_addresses": "server_addresses server_first_address server_networks_attribute server_status",
    "server_disks": "server_block_device_mapping server_block_device_mapping_v2",
    "server_networks": "server_networks",
    "shares": "share_access_rules share_export_locations share_network_services share_network_subnet share_type",
    "signals": "unheard unwaited wait_over_ssh",
    "stack": "stack",
    "storage": (
        "flavor flavor_id flavor_tenants image image_is_public image_property keypair_private_key keypair_type "
        "qos_association qos_specs qos_specs_id qos_volume_types volume volume_metadata_text volume_type"
    ),
    "tags": "tags_as_metadata",
    "unscaled": "unscaled",
    "value_specs": "value_specs",
    "values": "none value",
    "vpn": "vpn_dpd vpn_lifetime",
    "waits": "delay test_fail test_value test_waits",
    "zones": "record zone_serial",
}
MODULE_OF = {name: module for module, names in NAMES.items() for name in names.split()}
PREPARE: HookRegistry[Prepare] = HookRegistry()  # makes the handle of a resource that a hook writes as a whole
WRITE: HookRegistry[Write] = HookRegistry()  # writes it
F = TypeVar("F", bound=Callable[..., Any])


def make_registrar(table: dict[str, Any]) -> Callable[..., Callable[[F], F]]:
    """Makes a decorator that enters a function into a table: after `@property_hook("port")`, `PROPERTIES["port"]`."""

    def register_names(*names: str) -> Callable[[F], F]:
        def add_function(function: F) -> F:
            for name in names or (function.__name__,):
                table[name] = function
            return function

        return add_function

    return register_names


property_hook = make_registrar(PROPERTIES)
attribute_hook = make_registrar(ATTRIBUTES)
finish_hook = make_registrar(FINISH)
prepare_hook = make_registrar(PREPARE)
write_hook = make_registrar(WRITE)


def load_hooks() -> None:
    """Imports the modules of all hooks, for tests and listings. A conversion imports only those that it needs."""
    for name in MODULE_OF:
        load_hook(name)


def load_hook(name: str) -> None:
    """Imports the module of a hook."""
    importlib.import_module(f"{__name__}.{MODULE_OF[name]}")


HookRegistry.load = load_hook  # set from here, since `resources` must not import this package

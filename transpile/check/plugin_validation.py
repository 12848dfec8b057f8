"""The checks in the method `validate` of Heat's own plug-ins, beyond their schemas.

Invariant: a rule reports only values that Heat certainly refuses. It sees the properties as the plug-in does, and a
value that only a running stack has, UNKNOWN, never decides. Heat calls the method when it creates a stack, not when it
validates a template.
"""

from __future__ import annotations

import ipaddress
from collections.abc import Callable, Iterator, Mapping
from typing import Any, TypeAlias

from transpile.model import heat_types
from transpile.schema.properties import UNKNOWN, Step

Properties: TypeAlias = Mapping[str, Any]
Refusal: TypeAlias = tuple[tuple[Step, ...], str]  # the path of the property, and the problem
Rule: TypeAlias = Callable[[Properties], Iterator[Refusal]]

RESERVED = ("shared", "tenant_id")  # keys that value_specs never may have
SOURCES = ("volume_id", "snapshot_id", "image", "swap_size")
EPHEMERAL = ("ephemeral_size", "ephemeral_format")
VOLUME_SOURCES = ("source_volid", "snapshot_id", "image", "imageRef")


def list_maps(properties: Properties, name: str) -> Iterator[tuple[int, Properties]]:
    """The maps in a property that is a list, with their indices."""
    value = properties.get(name)
    for index, item in enumerate(value if isinstance(value, list) else ()):
        if isinstance(item, Mapping):
            yield index, item


def refuse_keys_of_value_specs(properties: Properties) -> Iterator[Refusal]:
    """`value_specs` must not have a key that is a property. Other types with `value_specs` ignore Heat's finding."""
    specs = properties.get("value_specs")
    for key in specs if isinstance(specs, Mapping) else ():
        if key in properties or key in RESERVED:
            advice = f"use the property {key}" if key in properties else "Heat allows it to nobody"
            yield ("value_specs", key), f"{key} is not allowed in value_specs: {advice}"


def refuse_server(properties: Properties) -> Iterator[Refusal]:
    """Yields Heat's objections to a server: its block devices and its networks."""
    yield from refuse_block_devices(properties)
    yield from refuse_networks(properties)


def is_set(value: Any) -> bool:
    """Whether a property certainly has a value."""
    return value is not None and value is not UNKNOWN


def refuse_networks(properties: Properties) -> Iterator[Refusal]:
    """An interface of a server has a network, a subnet or a port, and a port has its address and its groups itself."""
    for index, network in list_maps(properties, "networks"):
        where = ("networks", index)
        if all(network.get(name) is None for name in ("network", "port", "subnet", "allocate_network")):
            yield where, "an interface needs one of network, port, subnet, allocate_network"
        elif is_set(network.get("port")) and is_set(network.get("fixed_ip")):
            yield where, "fixed_ip and port exclude each other"
        if is_set(network.get("port")) and properties.get("security_groups") not in (None, [], UNKNOWN):
            yield ("security_groups",), "security_groups and networks.port exclude each other"


def refuse_block_devices(properties: Properties) -> Iterator[Refusal]:
    """Block devices need one source each, and a server needs something to boot from."""
    devices, old_devices = properties.get("block_device_mapping_v2"), properties.get("block_device_mapping")
    if UNKNOWN in (devices, old_devices, properties.get("image")):
        return
    if devices and old_devices:
        yield ("block_device_mapping_v2",), "block_device_mapping and block_device_mapping_v2 exclude each other"
        return
    is_bootable = properties.get("image") is not None
    for index, device in list_maps(properties, "block_device_mapping"):
        sources = [name for name in SOURCES[:2] if device.get(name) is not None]
        if len(sources) != 1:
            yield ("block_device_mapping", index), "a block device needs either a volume_id or a snapshot_id"
        is_bootable |= device.get("device_name") in ("vda", UNKNOWN)
    certain = True
    boot_devices = int(is_bootable and not old_devices)
    for index, device in list_maps(properties, "block_device_mapping_v2"):
        sources = [name for name in SOURCES if device.get(name) is not None]
        sources += ["ephemeral"] * any(device.get(name) for name in EPHEMERAL)
        if not sources and UNKNOWN not in device.values():
            yield (
                ("block_device_mapping_v2", index),
                (f"a block device needs one of {', '.join((*SOURCES, *EPHEMERAL))}"),
            )
        elif len(sources) > 1:
            yield ("block_device_mapping_v2", index), f"{' and '.join(sources)} exclude each other"
        certain &= UNKNOWN not in device.values()
        if device.get("boot_index") in (None, 0) and {*SOURCES[:3]} & {*sources}:
            is_bootable, boot_devices = True, boot_devices + 1
    if certain and not is_bootable and all(isinstance(item, Mapping) for item in devices or ()):
        yield (), "a server needs an image or a volume to boot from"
    elif certain and devices and boot_devices > 1:
        yield ("block_device_mapping_v2",), "only one block device can be the first to boot from, or the image"


def refuse_aws_instance(properties: Properties) -> Iterator[Refusal]:
    """Security groups belong to the instance or to its interfaces."""
    groups = [
        name for name in ("SecurityGroups", "SecurityGroupIds") if properties.get(name) not in (None, [], UNKNOWN)
    ]
    if groups and properties.get("NetworkInterfaces") not in (None, [], UNKNOWN):
        yield ("NetworkInterfaces",), f"{groups[0]} and NetworkInterfaces exclude each other"
    for index, device in list_maps(properties, "BlockDeviceMappings"):
        ebs = device.get("Ebs")
        if not ebs or (isinstance(ebs, Mapping) and not ebs.get("SnapshotId")):
            yield ("BlockDeviceMappings", index), "a block device needs Ebs with a SnapshotId"


def refuse_volume(properties: Properties) -> Iterator[Refusal]:
    """A volume has a size or a source, and at most one source."""
    if UNKNOWN in (properties.get("backup_id"), properties.get("size")) or properties.get("backup_id"):
        return
    if any(properties.get(name) is UNKNOWN for name in VOLUME_SOURCES):
        return
    sources = [name for name in VOLUME_SOURCES if properties.get(name)]
    if properties.get("image") and properties.get("imageRef"):
        yield ("imageRef",), "image and imageRef exclude each other"
    elif properties.get("size") is None and (len(sources) != 1 or sources[0] not in VOLUME_SOURCES[:2]):
        yield (), "without size or backup_id, a volume needs either source_volid or snapshot_id"
    elif properties.get("size") and len(sources) > 1:
        yield (sources[1],), f"{' and '.join(sources)} exclude each other"


def refuse_security_group(properties: Properties) -> Iterator[Refusal]:
    """Each project has a security group `default`, which nobody may make."""
    if properties.get("name") == "default":
        yield ("name",), "Heat refuses this name: each project has a group default already"


def refuse_elastic_load_balancer(properties: Properties) -> Iterator[Refusal]:
    """A check of health ends before the next one."""
    check = properties.get("HealthCheck")
    interval, timeout = (check.get(key) if isinstance(check, Mapping) else None for key in ("Interval", "Timeout"))
    try:
        if float(str(interval)) < float(str(timeout)):
            yield ("HealthCheck", "Interval"), "Interval must not be less than Timeout"
    except ValueError:
        return  # not known, or no number


RULES: Mapping[str, Rule] = {
    heat_types.AWS_LOAD_BALANCER: refuse_elastic_load_balancer,
    heat_types.AWS_INSTANCE: refuse_aws_instance,
    heat_types.CINDER_VOLUME: refuse_volume,
    heat_types.NEUTRON_FIREWALL: refuse_keys_of_value_specs,
    heat_types.NEUTRON_NET: refuse_keys_of_value_specs,
    heat_types.NEUTRON_SECURITY_GROUP: refuse_security_group,
    heat_types.NOVA_SERVER: refuse_server,
}


def find_refusals(kind: str, properties: Properties) -> Iterator[Refusal]:
    """Yields the objections of a type's plug-in to its properties."""
    if kind in RULES:
        yield from RULES[kind](properties)


# values that Heat accepts and the service refuses

ROUTES: Mapping[str, str] = {
    heat_types.NEUTRON_SUBNET: "host_routes",
    heat_types.NEUTRON_EXTRA_ROUTE_SET: "routes",
}
SERVICES = frozenset((*ROUTES, heat_types.NEUTRON_EXTRA_ROUTE))


def find_refused_routes(kind: str, properties: Properties) -> Iterator[Refusal]:
    """Destinations of routes with bits of a host, which Neutron refuses: `10.42.42.1/24` instead of `10.42.42.0/24`."""
    routes: list[tuple[tuple[Step, ...], Properties]] = []
    if kind == heat_types.NEUTRON_EXTRA_ROUTE:
        routes.append(((), properties))
    elif kind in ROUTES:
        routes += [((ROUTES[kind], index), route) for index, route in list_maps(properties, ROUTES[kind])]
    for path, route in routes:
        destination = route.get("destination")
        if not isinstance(destination, str) or "/" not in destination:
            continue
        try:
            interface = ipaddress.ip_interface(destination)
        except ValueError:
            continue
        if interface.ip != interface.network.network_address:
            yield (*path, "destination"), f"Neutron refuses {destination}, and recommends {interface.network}"

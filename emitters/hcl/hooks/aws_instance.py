"""Hooks of AWS::EC2::Instance, for properties that a Nova server does not have.

Network interfaces take precedence over a subnet. For a subnet, Heat creates the port, and the security groups are
those of the port.
"""

from __future__ import annotations

from emitters.hcl.errors import CannotSay, only_at_run_time
from emitters.hcl.hooks import (
    attribute_hook,
    aws_network,
    aws_port,
    cfn_init,
    property_hook,
    server_disks,
    signals,
    tags,
)
from emitters.hcl.hooks.encoded_user_data import ENCODED, encode_user_data
from emitters.hcl.hooks.server import write_hint_arguments
from emitters.hcl.namespace import snake_case
from emitters.hcl.resources.arguments import how_written
from emitters.hcl.resources.handles import AttributeRead, Selector
from emitters.hcl.resources.writer import Writer
from emitters.hcl.resources.written import NOTHING, Written, join_written
from emitters.hcl.tree.nodes import Attr, Block
from emitters.hcl.tree.types import BOOL, NUMBER, STRING, TypedValue
from transpile.diagnostics import codes
from transpile.model import ir
from transpile.report import NOT_IMPLEMENTED

EMPTY = (ir.NULL, ir.Lit(""), ir.Seq(()))
PORT = "openstack_networking_port_v2"
GROUPS = ("SecurityGroups", "SecurityGroupIds")


# security groups


@property_hook("instance_security_groups")
def write_instance_security_groups(writer: Writer, entry: ir.Entry) -> Written:
    """Writes names on the server if Nova creates its port. Both properties form one list."""
    if writer.find_set("NetworkInterfaces"):
        why = "Heat rejects security groups together with network interfaces"
        raise CannotSay(codes.WRONG_PROPERTY_TYPE, why, entry.value)
    if writer.find_set("SubnetId") or entry is not group_entries(writer)[0]:
        return NOTHING
    return write_joined_groups(writer, "security_groups", "name")


def group_entries(writer: Writer) -> list[ir.Entry]:
    """The properties with security groups that are set."""
    return [entry for name in GROUPS if (entry := writer.find_set(name)) is not None]


def write_joined_groups(writer: Writer, argument: str, result: str) -> Written:
    """Writes the groups of both properties."""
    entries = group_entries(writer)
    if not entries:
        return NOTHING
    expr = entries[0].value
    if len(entries) > 1:
        if not all(isinstance(entry.value, ir.Seq) for entry in entries):
            raise only_at_run_time(f"the security groups of {writer.resource.name} are", expr)
        items = tuple(i for entry in entries if isinstance(entry.value, ir.Seq) for i in entry.value.items)
        expr = ir.Seq(items, expr.span)
    lookup = writer.lookups["security_group"]
    value, hows = writer.emission.data.resolve_list(writer.lowering, expr, lookup, result, "security_group")
    written, index = Written.argument(argument, value.expr, entries[0]), 0
    for entry in entries:
        if isinstance(entry.value, ir.Seq) and isinstance(expr, ir.Seq) and len(hows) == len(expr.items):
            for i in range(len(entry.value.items)):
                how = hows[index] if result == "id" or hows[index] != "lookup" else "derived"
                why = "the name of the group, which the provider requires" if how == "derived" else ""
                written += Written.fate(f"{entry.key}.{i}", f"{argument}.{index}", how, why)
                index += 1
        else:
            written += Written.fate(entry.key, argument, hows[0])
    return written


# NICs


def interface_ports(expr: ir.Expr) -> list[tuple[int, ir.Expr]]:
    """The ports of a list of network interfaces in device order, each with its index in the list."""
    items = expr.items if isinstance(expr, ir.Seq) else ()
    devices: list[tuple[int, int, ir.Expr]] = []
    for i, item in enumerate(items):
        if not isinstance(item, ir.Map):
            devices.append((i, i, item))
            continue
        port, index = item.get("NetworkInterfaceId"), item.get("DeviceIndex")
        if port is None or not isinstance(index, ir.Lit) or not str(index.value).isdecimal():
            raise only_at_run_time("the order of the network interfaces is", item)
        devices.append((int(str(index.value)), i, port))
    if not devices:
        raise only_at_run_time("the network interfaces are", expr)
    return [(place, port) for _, place, port in sorted(devices, key=lambda device: device[0])]


@property_hook("instance_network_interfaces")
def write_network_interfaces(writer: Writer, entry: ir.Entry) -> Written:
    written = NOTHING
    for index, (place, port) in enumerate(interface_ports(entry.value)):
        item = entry.value.items[place] if isinstance(entry.value, ir.Seq) else port
        part = Written.argument("port", writer.lowering.lower_expression(port, STRING), port)
        path, where, how = f"{entry.key}.{place}", f"network.{index}", how_written(port)
        if isinstance(item, ir.Map):
            part += Written.fate(f"{path}.NetworkInterfaceId", f"{where}.port", how)
            part += Written.fate(f"{path}.DeviceIndex", where, "derived", "it determines the order of the blocks")
        else:
            part += Written.fate(path, f"{where}.port", how)
        written += part.in_block(Block("network", span=port.span))
    return written


@property_hook("instance_subnet")
def write_instance_subnet(writer: Writer, entry: ir.Entry) -> Written:
    """Writes the port that Heat would create in the subnet. The groups of the instance are those of the port."""
    if writer.find_set("NetworkInterfaces"):
        why = "network interfaces take precedence over a subnet"
        writer.emission.log.add_diagnostic(codes.PROPERTY_IGNORED_BY_HEAT, f"Heat ignores SubnetId here: {why}.", entry)
        return Written.implied(entry.key, why)
    subnet_id = writer.lowering.lower_value(entry.value, STRING)
    unset = isinstance(entry.value, ir.ParamRef) and writer.emission.unit.unset_values(entry.value)
    if subnet_id.null or unset:
        raise only_at_run_time(f"whether {writer.resource.name} is in a subnet is", entry.value)
    port = aws_network.make_extra_block(writer, PORT)
    port.span = entry.span
    written = Written.argument("network_id", aws_port.network_of_subnet_id(writer, entry.value))
    written += write_joined_groups(writer, "security_group_ids", "id")
    subnet = Written.argument("subnet_id", subnet_id.expr, entry)
    written += subnet.in_block(Block("fixed_ip"))
    written += Written.fate(entry.key, "fixed_ip.0.subnet_id", how_written(entry.value))
    network = Written.argument("port", writer.self_reference("id", port)).in_block(Block("network"))
    return written.in_resource(port) + network


@attribute_hook("instance_address")
def read_instance_address(read: AttributeRead) -> Selector:
    """Reads any of the four address attributes: the first address of the network whose name sorts last, in Heat."""
    interface_list = read.resource.find_value("NetworkInterfaces")
    if isinstance(interface_list, ir.Seq) and len(interface_list.items) > 1:
        difference = f"Heat takes the address of {read.resource.name} from the network whose name sorts last"
        read.emission.log.report_difference(
            codes.SIMILAR_ATTRIBUTE, f"{difference}; Terraform takes it from the first NIC.", read.ref
        )
    return lambda base: TypedValue(Attr(base, "access_ip_v4"), STRING)


# disks


@property_hook("instance_block_devices")
def write_instance_block_devices(writer: Writer, entry: ir.Entry) -> Written:
    """Writes disks made from snapshots, after the image's disk unless one of them is the root disk."""
    maps = ir.maps_of(entry.value)
    if not all(isinstance(item.get("Ebs"), ir.Map) for item in maps):
        raise only_at_run_time(f"the disks of {writer.resource.name} are", entry.value)
    names = [item.get("DeviceName") for item in maps]
    roots = [isinstance(n, ir.Lit) and str(n.value).removeprefix("/dev/") in server_disks.ROOTS for n in names]
    boot = NOTHING
    if not any(roots):
        image, _ = writer.emission.data.resolve_name(
            writer.lowering, writer.entries["ImageId"].value, writer.lookups["image"]
        )
        boot = Written((server_disks.make_image_disk(image.expr),))
    return boot + join_written(
        write_snapshot_disk(writer, f"{entry.key}.{i}", item, i + len(boot.parts), root=roots[i])
        for i, item in enumerate(maps)
    )


EBS = {
    "SnapshotId": ("uuid", STRING),
    "VolumeSize": ("volume_size", NUMBER),
    "DeleteOnTermination": ("delete_on_termination", BOOL),
}


def write_snapshot_disk(writer: Writer, path: str, item: ir.Map, index: int, *, root: bool) -> Written:
    """Writes a disk made from a snapshot. index: of its block. root: whether the server boots from it."""
    written, ebs = NOTHING, item.get("Ebs")
    assert isinstance(ebs, ir.Map)
    fields = {e.key: e for e in ebs.entries if e.value not in (ir.NULL, ir.Lit(""))}
    if "SnapshotId" not in fields:
        raise CannotSay(codes.WRONG_PROPERTY_TYPE, "Heat rejects a disk without a snapshot", item)
    for name, (argument, kind) in EBS.items():
        if (field := fields.get(name)) is not None:
            written += Written.argument(argument, writer.lowering.lower_expression(field.value, kind), field)
            where = f"block_device.{index}.{argument}"
            written += Written.fate(f"{path}.Ebs.{name}", where, how_written(field.value))
        if name == "SnapshotId":
            written += Written.argument("source_type", "snapshot") + Written.argument("destination_type", "volume")
            written += Written.argument("boot_index", 0 if root else -1)
    if "DeleteOnTermination" not in fields:
        written += Written.argument("delete_on_termination", True)
    for field in ebs.entries:
        if field.key not in fields:
            written += Written.default(f"{path}.Ebs.{field.key}")
        elif field.key not in EBS:
            written += writer.drop_property(field, codes.PROPERTY_WITHOUT_COUNTERPART, NOT_IMPLEMENTED, f"{path}.Ebs")
    for field in item.entries:
        if field.key == "DeviceName":
            why = "the device name determines the root disk"
            written += Written.fate(f"{path}.{field.key}", f"block_device.{index}.boot_index", "derived", why)
        elif field.key != "Ebs":
            written += writer.drop_property(field, codes.PROPERTY_WITHOUT_COUNTERPART, NOT_IMPLEMENTED, path)
    return written.in_block(Block("block_device", span=item.span))


@property_hook("instance_volumes")
def write_volume_attachments(writer: Writer, entry: ir.Entry) -> Written:
    """Writes an attachment for each volume."""
    maps = ir.maps_of(entry.value)
    return join_written(
        write_attachment(writer, f"{entry.key}.{i}", item, f"_{i}" if len(maps) > 1 else "")
        for i, item in enumerate(maps)
    )


def write_attachment(writer: Writer, path: str, item: ir.Map, suffix: str) -> Written:
    """Writes the attachment of a volume. suffix: of its label."""
    block = writer.new_block(
        "openstack_compute_volume_attach_v2", snake_case(f"{writer.block.labels[1]}{suffix}"), item
    )
    written = Written.argument("instance_id", writer.self_reference("id"))
    for name, argument in (("VolumeId", "volume_id"), ("Device", "device")):
        value = item.get(name)
        if value is not None and value != ir.NULL:
            written += Written.argument(argument, writer.lowering.lower_expression(value, STRING), value)
            written += Written.fate(f"{path}.{name}", argument, how_written(value))
    return written.in_resource(block)


# the rest


@property_hook("instance_hints")
def write_instance_hints(writer: Writer, entry: ir.Entry) -> Written:
    """Writes a list of keys and values. Values of a repeated key become a list."""
    gathered: dict[str, list[ir.Expr]] = {}
    fates = NOTHING
    for path, item in tags.read_tag_items(writer, entry):
        key, value = item.get("Key"), item.get("Value") or ir.NULL
        if not isinstance(key, ir.Lit):
            raise only_at_run_time("the key of a hint is", item)
        gathered.setdefault(str(key.value), []).append(value)
        why = "the key is the name of the argument"
        fates += join_written(
            Written.fate(f"{path}.{field.key}", "scheduler_hints", "derived", why) for field in item.entries
        )
    entries = tuple(
        ir.Entry(key, items[0] if len(items) == 1 else ir.Seq(tuple(items)), entry.at)
        for key, items in gathered.items()
    )
    hints = write_hint_arguments(writer, entry.key, ir.Map(entries, entry.value.span)).without_fates()
    return fates + hints.in_block(Block("scheduler_hints", span=entry.span))


@property_hook("instance_user_data")
def write_instance_user_data(writer: Writer, entry: ir.Entry) -> Written:
    """Writes the text itself. Heat would always wrap it."""
    text = signals.silence_signals(writer.emission, writer.resource, entry.value)
    value = writer.lowering.lower_value(text, STRING)
    archive = cfn_init.extend_user_data(writer, text, value, cfn_init.USER)
    if archive is not None:
        return Written.value(entry, "user_data", archive.expr, "derived", cfn_init.PART)
    encoded = encode_user_data(writer.emission.unit, text, value)
    if encoded is not None:
        written = Written.value(entry, "user_data", encoded, "derived", ENCODED)
    elif signals.is_unchanged(writer.emission, entry.value, text):
        written = Written.value(entry, "user_data", value.expr, how_written(entry.value))
    else:
        written = Written.value(entry, "user_data", value.expr, "derived", signals.DIFFERENT)
    difference = "in parts for cfn-init and adds the user ec2-user; Terraform passes it unchanged"
    writer.emission.log.add_diagnostic(
        codes.USER_DATA_WITHOUT_MIME,
        f"Heat wraps the user data of {writer.resource.name} {difference}.",
        entry,
        note=f"Heat wraps this {difference}.",
        once=writer.resource.name,
    )
    return written

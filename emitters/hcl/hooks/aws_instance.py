"""Hooks of AWS::EC2::Instance, for properties that a Nova server does not have.

Network interfaces take precedence over a subnet. For a subnet, Heat creates the port, and the security groups are
those of the port.
"""

from __future__ import annotations

from emitters.hcl.errors import CannotSay
from emitters.hcl.hooks import attribute_hook, aws_network, aws_port, cfn_init, property_hook, signals, tags
from emitters.hcl.hooks.encoded_user_data import ENCODED, encode_user_data
from emitters.hcl.hooks.server import write_hint_arguments
from emitters.hcl.lowering.lowering import HclLowering
from emitters.hcl.namespace import snake_case
from emitters.hcl.resources.arguments import how_written
from emitters.hcl.resources.handles import NativeHandle, Selector
from emitters.hcl.resources.writer import Writer
from emitters.hcl.tables.mapping import Rule
from emitters.hcl.tree.nodes import Attr, Block
from emitters.hcl.tree.types import BOOL, NUMBER, STRING, TypedValue
from transpile.diagnostics import codes
from transpile.model import ir
from transpile.report import NOT_IMPLEMENTED, make_fate

EMPTY = (ir.NULL, ir.Lit(""), ir.Seq(()))
PORT = "openstack_networking_port_v2"
GROUPS = ("SecurityGroups", "SecurityGroupIds")


def find_nonempty_property(writer: Writer, name: str) -> ir.Entry | None:
    """A property that is set to a non-empty value."""
    entry = writer.entries.get(name)
    return entry if entry is not None and entry.value not in EMPTY else None


# security groups


@property_hook("instance_security_groups")
def write_instance_security_groups(writer: Writer, rule: Rule, entry: ir.Entry) -> None:
    """Writes names on the server if Nova creates its port. Both properties form one list."""
    if entry.value in EMPTY:
        writer.record_fate(
            entry.key, make_fate("implied", why="the default is the default group, in Heat and in Terraform")
        )
    elif find_nonempty_property(writer, "NetworkInterfaces") is not None:
        why = "Heat rejects security groups together with network interfaces"
        raise CannotSay(codes.WRONG_PROPERTY_TYPE, why, entry.value)
    elif find_nonempty_property(writer, "SubnetId") is None and entry is next(
        e for g in GROUPS if (e := find_nonempty_property(writer, g)) is not None
    ):
        write_joined_groups(writer, writer.block, "security_groups", "name")


def write_joined_groups(writer: Writer, block: Block, argument: str, result: str) -> None:
    """Writes the groups of both properties, and records their fates."""
    entries = [entry for name in GROUPS if (entry := find_nonempty_property(writer, name)) is not None]
    if not entries:
        return
    expr, to = entries[0].value, ".".join(block.labels)
    if len(entries) > 1:
        if not all(isinstance(entry.value, ir.Seq) for entry in entries):
            why = f"the security groups of {writer.resource.name} are known only at run time"
            raise CannotSay(codes.ONLY_AT_RUN_TIME, why, expr)
        items = tuple(i for entry in entries if isinstance(entry.value, ir.Seq) for i in entry.value.items)
        expr = ir.Seq(items, expr.span)
    lookup = writer.lookups["security_group"]
    value, hows = writer.emission.data.resolve_list(writer.lowering, expr, lookup, result, "security_group")
    block.add_argument(argument, value.expr, entries[0])
    index = 0
    for entry in entries:
        if isinstance(entry.value, ir.Seq) and isinstance(expr, ir.Seq) and len(hows) == len(expr.items):
            for i in range(len(entry.value.items)):
                how = hows[index] if result == "id" or hows[index] != "lookup" else "derived"
                why = "the name of the group, which the provider requires" if how == "derived" else ""
                writer.record_value(f"{entry.key}.{i}", f"{argument}.{index}", how, to, why)
                index += 1
        else:
            writer.record_value(entry.key, argument, hows[0], to)


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
            raise CannotSay(
                codes.ONLY_AT_RUN_TIME, "the order of the network interfaces is known only at run time", item
            )
        devices.append((int(str(index.value)), i, port))
    if not devices:
        raise CannotSay(codes.ONLY_AT_RUN_TIME, "the network interfaces are known only at run time", expr)
    return [(place, port) for _, place, port in sorted(devices, key=lambda device: device[0])]


@property_hook("instance_network_interfaces")
def write_network_interfaces(writer: Writer, rule: Rule, entry: ir.Entry) -> None:
    assert isinstance(entry.value, ir.Seq) or interface_ports(entry.value)
    for index, (place, port) in enumerate(interface_ports(entry.value)):
        block = writer.block.add_block("network", where=port)
        block.add_argument("port", writer.lowering.lower_expression(port, STRING), port)
        item = entry.value.items[place] if isinstance(entry.value, ir.Seq) else port
        path = f"{entry.key}.{place}"
        if isinstance(item, ir.Map):
            writer.record_value(f"{path}.NetworkInterfaceId", f"network.{index}.port", how_written(port))
            writer.record_value(
                f"{path}.DeviceIndex", f"network.{index}", "derived", why="it determines the order of the blocks"
            )
        else:
            writer.record_value(path, f"network.{index}.port", how_written(port))


@property_hook("instance_subnet")
def write_instance_subnet(writer: Writer, rule: Rule, entry: ir.Entry) -> None:
    """Writes the port that Heat would create in the subnet. The groups of the instance are those of the port."""
    if find_nonempty_property(writer, "NetworkInterfaces") is not None:
        why = "network interfaces take precedence over a subnet"
        writer.emission.log.add_diagnostic(codes.PROPERTY_IGNORED_BY_HEAT, f"Heat ignores SubnetId here: {why}.", entry)
        writer.record_fate(entry.key, make_fate("implied", why=why))
        return
    port = aws_network.add_extra_block(writer, PORT)
    port.span = entry.span
    port.add_argument("network_id", aws_port.network_of_subnet_id(writer, entry.value))
    write_joined_groups(writer, port, "security_group_ids", "id")
    port.add_block("fixed_ip").add_argument("subnet_id", writer.lowering.lower_expression(entry.value, STRING), entry)
    writer.record_value(entry.key, "fixed_ip.0.subnet_id", how_written(entry.value), ".".join(port.labels))
    writer.block.add_block("network").add_argument("port", writer.self_reference("id", port))


@attribute_hook("instance_address")
def read_instance_address(
    lowering: HclLowering, native: NativeHandle, ref: ir.AttrRef, rest: tuple[ir.Expr, ...]
) -> Selector:
    """Reads any of the four address attributes: the first address of the network whose name sorts last, in Heat."""
    interface_list = native.resource.find_value("NetworkInterfaces")
    if isinstance(interface_list, ir.Seq) and len(interface_list.items) > 1:
        what = f"Heat takes the address of {native.resource.name} from the network whose name sorts last"
        native.emission.log.report_difference(
            codes.SIMILAR_ATTRIBUTE, f"{what}; Terraform takes it from the first NIC.", ref
        )
    return lambda base: TypedValue(Attr(base, "access_ip_v4"), STRING)


# disks


@property_hook("instance_block_devices")
def write_instance_block_devices(writer: Writer, rule: Rule, entry: ir.Entry) -> None:
    """Writes disks made from snapshots, after the image's disk unless one of them is the root disk."""
    items = entry.value.items if isinstance(entry.value, ir.Seq) else ()
    if not items or not all(isinstance(i, ir.Map) and isinstance(i.get("Ebs"), ir.Map) for i in items):
        why = f"the disks of {writer.resource.name} are known only at run time"
        raise CannotSay(codes.ONLY_AT_RUN_TIME, why, entry.value)
    maps = [item for item in items if isinstance(item, ir.Map)]
    names = [item.get("DeviceName") for item in maps]
    roots = [isinstance(n, ir.Lit) and str(n.value).removeprefix("/dev/") in ROOTS for n in names]
    if not any(roots):
        image, _ = writer.emission.data.resolve_name(
            writer.lowering, writer.entries["ImageId"].value, writer.lookups["image"]
        )
        first = writer.block.add_block("block_device")
        first.add_argument("uuid", image.expr)
        first.add_argument("source_type", "image")
        first.add_argument("destination_type", "local")
        first.add_argument("boot_index", 0)
        first.add_argument("delete_on_termination", True)
    for i, item in enumerate(maps):
        write_snapshot_disk(writer, f"{entry.key}.{i}", item, i + (not any(roots)), root=roots[i])


EBS = {
    "SnapshotId": ("uuid", STRING),
    "VolumeSize": ("volume_size", NUMBER),
    "DeleteOnTermination": ("delete_on_termination", BOOL),
}
ROOTS = ("vda", "sda", "xvda", "hda")


def write_snapshot_disk(writer: Writer, path: str, item: ir.Map, index: int, *, root: bool) -> None:
    """Writes a disk made from a snapshot. index: of its block. root: whether the server boots from it."""
    block = writer.block.add_block("block_device", where=item)
    ebs = item.get("Ebs")
    assert isinstance(ebs, ir.Map)
    fields = {e.key: e for e in ebs.entries if e.value not in (ir.NULL, ir.Lit(""))}
    if "SnapshotId" not in fields:
        raise CannotSay(codes.WRONG_PROPERTY_TYPE, "Heat rejects a disk without a snapshot", item)
    for name, (argument, kind) in EBS.items():
        if (field := fields.get(name)) is not None:
            block.add_argument(argument, writer.lowering.lower_expression(field.value, kind), field)
            writer.record_value(f"{path}.Ebs.{name}", f"block_device.{index}.{argument}", how_written(field.value))
        if name == "SnapshotId":
            block.add_argument("source_type", "snapshot")
            block.add_argument("destination_type", "volume")
            block.add_argument("boot_index", 0 if root else -1)
    if "DeleteOnTermination" not in fields:
        block.add_argument("delete_on_termination", True)
    for field in ebs.entries:
        if field.key not in fields:
            writer.record_default(f"{path}.Ebs.{field.key}")
        elif field.key not in EBS:
            writer.drop_property(field, codes.PROPERTY_WITHOUT_COUNTERPART, NOT_IMPLEMENTED, f"{path}.Ebs")
    for field in item.entries:
        if field.key == "DeviceName":
            why = "the device name determines the root disk"
            writer.record_value(f"{path}.{field.key}", f"block_device.{index}.boot_index", "derived", why=why)
        elif field.key != "Ebs":
            writer.drop_property(field, codes.PROPERTY_WITHOUT_COUNTERPART, NOT_IMPLEMENTED, path)


@property_hook("instance_volumes")
def write_volume_attachments(writer: Writer, rule: Rule, entry: ir.Entry) -> None:
    """Writes one attachment for each volume."""
    items = entry.value.items if isinstance(entry.value, ir.Seq) else ()
    if not items or not all(isinstance(i, ir.Map) for i in items):
        why = f"the volumes of {writer.resource.name} are known only at run time"
        raise CannotSay(codes.ONLY_AT_RUN_TIME, why, entry.value)
    for i, item in enumerate(items):
        assert isinstance(item, ir.Map)
        label = snake_case(writer.block.labels[1] + (f"_{i}" if len(items) > 1 else ""))
        block = writer.add_block("openstack_compute_volume_attach_v2", label, item)
        block.add_argument("instance_id", writer.self_reference("id"))
        for name, argument in (("VolumeId", "volume_id"), ("Device", "device")):
            value = item.get(name)
            if value is not None and value != ir.NULL:
                block.add_argument(argument, writer.lowering.lower_expression(value, STRING), value)
                writer.record_value(f"{entry.key}.{i}.{name}", argument, how_written(value), ".".join(block.labels))


# the rest


@property_hook("instance_hints")
def write_instance_hints(writer: Writer, rule: Rule, entry: ir.Entry) -> None:
    """Writes a list of keys and values. Values of a repeated key become a list."""
    gathered: dict[str, list[ir.Expr]] = {}
    for path, item in tags.read_tag_items(writer, entry):
        key, value = item.get("Key"), item.get("Value") or ir.NULL
        if not isinstance(key, ir.Lit):
            raise CannotSay(codes.ONLY_AT_RUN_TIME, "the key of a hint is known only at run time", item)
        gathered.setdefault(str(key.value), []).append(value)
        for field in item.entries:
            writer.record_value(
                f"{path}.{field.key}", "scheduler_hints", "derived", why="the key is the name of the argument"
            )
    if gathered:
        entries = tuple(
            ir.Entry(key, items[0] if len(items) == 1 else ir.Seq(tuple(items)), entry.at)
            for key, items in gathered.items()
        )
        block = writer.block.add_block("scheduler_hints", where=entry)
        write_hint_arguments(writer.without_fates(), block, entry.key, ir.Map(entries, entry.value.span))


@property_hook("instance_user_data")
def write_instance_user_data(writer: Writer, rule: Rule, entry: ir.Entry) -> None:
    """Writes the text itself. Heat would always wrap it."""
    text = signals.silence_signals(writer.emission, writer.resource, entry.value)
    value = writer.lowering.lower_value(text, STRING)
    archive = cfn_init.extend_user_data(writer, text, value, cfn_init.USER)
    if archive is not None:
        writer.write_value(entry, "user_data", archive.expr, "derived", why=cfn_init.PART)
        return
    encoded = encode_user_data(writer.emission.unit, text, value.expr)
    writer.block.add_argument("user_data", value.expr if encoded is None else encoded, entry)
    if encoded is not None:
        writer.record_value(entry.key, "user_data", "derived", why=ENCODED)
    elif signals.is_unchanged(writer.emission, entry.value, text):
        writer.record_value(entry.key, "user_data", how_written(entry.value))
    else:
        writer.record_value(entry.key, "user_data", "derived", why=signals.DIFFERENT)
    what = "in parts for cfn-init and adds the user ec2-user; Terraform passes it unchanged"
    writer.emission.log.add_diagnostic(
        codes.USER_DATA_WITHOUT_MIME,
        f"Heat wraps the user data of {writer.resource.name} {what}.",
        entry,
        note=f"Heat wraps this {what}.",
        once=writer.resource.name,
    )

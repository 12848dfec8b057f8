"""Hooks of AWS::EC2::Instance, for properties that a Nova server does not have.

Network interfaces take precedence over a subnet. For a subnet, Heat creates the port, and the security groups are
those of the port.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from emitters.hcl.errors import CannotSay
from emitters.hcl.hooks import attribute_hook, aws_network, aws_port, cfn_init, property_hook, signals, tags
from emitters.hcl.hooks.aws_port import how_of
from emitters.hcl.hooks.server import hints
from emitters.hcl.namespace import snake
from emitters.hcl.tree.nodes import Attr, Block
from emitters.hcl.tree.types import BOOL, NUMBER, STRING, Value
from transpile.diagnostics import codes
from transpile.model import ir
from transpile.report import NOT_IMPLEMENTED, fate

if TYPE_CHECKING:
    from emitters.hcl.lowering.lowering import Lowering
    from emitters.hcl.resources.handles import Native, Select
    from emitters.hcl.resources.writer import Writer
    from emitters.hcl.tables.mapping import Rule

EMPTY = (ir.NULL, ir.Lit(""), ir.Seq(()))
PORT = "openstack_networking_port_v2"
GROUPS = ("SecurityGroups", "SecurityGroupIds")


def has(writer: Writer, name: str) -> ir.Entry | None:
    """A property that is set to a non-empty value."""
    entry = writer.given.get(name)
    return entry if entry is not None and entry.value not in EMPTY else None


# security groups


@property_hook("instance_security_groups")
def security_groups(writer: Writer, rule: Rule, entry: ir.Entry) -> None:
    """Writes names on the server if Nova creates its port. Both properties form one list."""
    if entry.value in EMPTY:
        writer.fate(entry.key, fate("implied", why="the default is the default group, in Heat and in Terraform"))
    elif has(writer, "NetworkInterfaces") is not None:
        why = "Heat rejects security groups together with network interfaces"
        raise CannotSay(codes.WRONG_PROPERTY_TYPE, why, entry.value)
    elif has(writer, "SubnetId") is None and entry is next(e for g in GROUPS if (e := has(writer, g)) is not None):
        put_groups(writer, writer.block, "security_groups", "name")


def put_groups(writer: Writer, block: Block, argument: str, result: str) -> None:
    """Writes the groups of both properties, and records their fates."""
    given = [entry for name in GROUPS if (entry := has(writer, name)) is not None]
    if not given:
        return
    expr, to = given[0].value, ".".join(block.labels)
    if len(given) > 1:
        if not all(isinstance(entry.value, ir.Seq) for entry in given):
            why = f"the security groups of {writer.resource.name} are known only at run time"
            raise CannotSay(codes.ONLY_AT_RUN_TIME, why, expr)
        items = tuple(i for entry in given if isinstance(entry.value, ir.Seq) for i in entry.value.items)
        expr = ir.Seq(items, expr.span)
    lookup = writer.lookups["security_group"]
    value, hows = writer.emission.data.many(writer.lowering, expr, lookup, result, "security_group")
    block.set(argument, value.expr, given[0])
    index = 0
    for entry in given:
        if isinstance(entry.value, ir.Seq) and isinstance(expr, ir.Seq) and len(hows) == len(expr.items):
            for i in range(len(entry.value.items)):
                how = hows[index] if result == "id" or hows[index] != "lookup" else "derived"
                why = "the name of the group, which the provider requires" if how == "derived" else ""
                writer.is_value(f"{entry.key}.{i}", f"{argument}.{index}", how, to, why)
                index += 1
        else:
            writer.is_value(entry.key, argument, hows[0], to)


# NICs


def interfaces(expr: ir.Expr) -> list[tuple[int, ir.Expr]]:
    """The ports of a list of network interfaces in device order, each with its index in the list."""
    items = expr.items if isinstance(expr, ir.Seq) else ()
    found: list[tuple[int, int, ir.Expr]] = []
    for i, item in enumerate(items):
        if not isinstance(item, ir.Map):
            found.append((i, i, item))
            continue
        port, index = item.get("NetworkInterfaceId"), item.get("DeviceIndex")
        if port is None or not isinstance(index, ir.Lit) or not str(index.value).isdecimal():
            raise CannotSay(
                codes.ONLY_AT_RUN_TIME, "the order of the network interfaces is known only at run time", item
            )
        found.append((int(str(index.value)), i, port))
    if not found:
        raise CannotSay(codes.ONLY_AT_RUN_TIME, "the network interfaces are known only at run time", expr)
    return [(place, port) for _, place, port in sorted(found, key=lambda one: one[0])]


@property_hook("instance_network_interfaces")
def network_interfaces(writer: Writer, rule: Rule, entry: ir.Entry) -> None:
    if entry.value in EMPTY:
        writer.fate(entry.key, fate("implied", why="the list is empty"))
        return
    assert isinstance(entry.value, ir.Seq) or interfaces(entry.value)
    for index, (place, port) in enumerate(interfaces(entry.value)):
        block = writer.block.block("network", where=port)
        block.set("port", writer.lowering.expr(port, STRING), port)
        item = entry.value.items[place] if isinstance(entry.value, ir.Seq) else port
        path = f"{entry.key}.{place}"
        if isinstance(item, ir.Map):
            writer.is_value(f"{path}.NetworkInterfaceId", f"network.{index}.port", how_of(port))
            writer.is_value(
                f"{path}.DeviceIndex", f"network.{index}", "derived", why="it determines the order of the blocks"
            )
        else:
            writer.is_value(path, f"network.{index}.port", how_of(port))


@property_hook("instance_subnet")
def subnet(writer: Writer, rule: Rule, entry: ir.Entry) -> None:
    """Writes the port that Heat would create in the subnet. The groups of the instance are those of the port."""
    if entry.value in EMPTY:
        writer.fate(entry.key, fate("implied", why="without a subnet, Nova chooses one"))
        return
    if has(writer, "NetworkInterfaces") is not None:
        why = "network interfaces take precedence over a subnet"
        writer.emission.log.say(codes.PROPERTY_IGNORED_BY_HEAT, f"Heat ignores SubnetId here: {why}.", entry)
        writer.fate(entry.key, fate("implied", why=why))
        return
    port = aws_network.beside(writer, PORT)
    port.span = entry.span
    port.set("network_id", aws_port.network_of_subnet(writer, entry.value))
    put_groups(writer, port, "security_group_ids", "id")
    port.block("fixed_ip").set("subnet_id", writer.lowering.expr(entry.value, STRING), entry)
    writer.is_value(entry.key, "fixed_ip.0.subnet_id", how_of(entry.value), ".".join(port.labels))
    writer.block.block("network").set("port", writer.self_reference("id", port))


@attribute_hook("instance_address")
def address(lowering: Lowering, native: Native, ref: ir.AttrRef, rest: tuple[ir.Expr, ...]) -> Select:
    """Reads any of the four address attributes: the first address of the network whose name sorts last, in Heat."""
    listed = aws_network.value_of(native.resource, "NetworkInterfaces")
    if isinstance(listed, ir.Seq) and len(listed.items) > 1:
        what = f"Heat takes the address of {native.resource.name} from the network whose name sorts last"
        native.emission.log.differs(codes.SIMILAR_ATTRIBUTE, f"{what}; Terraform takes it from the first NIC.", ref)
    return lambda base: Value(Attr(base, "access_ip_v4"), STRING)


# disks


@property_hook("instance_block_devices")
def block_devices(writer: Writer, rule: Rule, entry: ir.Entry) -> None:
    """Writes disks made from snapshots, after the image's disk unless one of them is the root disk."""
    if entry.value in EMPTY:
        writer.fate(entry.key, fate("implied", why="no disks are set"))
        return
    items = entry.value.items if isinstance(entry.value, ir.Seq) else ()
    if not items or not all(isinstance(i, ir.Map) and isinstance(i.get("Ebs"), ir.Map) for i in items):
        why = f"the disks of {writer.resource.name} are known only at run time"
        raise CannotSay(codes.ONLY_AT_RUN_TIME, why, entry.value)
    maps = [item for item in items if isinstance(item, ir.Map)]
    names = [item.get("DeviceName") for item in maps]
    roots = [isinstance(n, ir.Lit) and str(n.value).removeprefix("/dev/") in ROOTS for n in names]
    if not any(roots):
        image, _ = writer.emission.data.one(writer.lowering, writer.given["ImageId"].value, writer.lookups["image"])
        first = writer.block.block("block_device")
        first.set("uuid", image.expr)
        first.set("source_type", "image")
        first.set("destination_type", "local")
        first.set("boot_index", 0)
        first.set("delete_on_termination", True)
    for i, item in enumerate(maps):
        disk(writer, f"{entry.key}.{i}", item, i + (not any(roots)), root=roots[i])


EBS = {
    "SnapshotId": ("uuid", STRING),
    "VolumeSize": ("volume_size", NUMBER),
    "DeleteOnTermination": ("delete_on_termination", BOOL),
}
ROOTS = ("vda", "sda", "xvda", "hda")


def disk(writer: Writer, path: str, item: ir.Map, index: int, *, root: bool) -> None:
    """Writes a disk made from a snapshot. index: of its block. root: whether the server boots from it."""
    block = writer.block.block("block_device", where=item)
    ebs = item.get("Ebs")
    assert isinstance(ebs, ir.Map)
    given = {e.key: e for e in ebs.entries if e.value not in (ir.NULL, ir.Lit(""))}
    if "SnapshotId" not in given:
        raise CannotSay(codes.WRONG_PROPERTY_TYPE, "Heat rejects a disk without a snapshot", item)
    for name, (argument, kind) in EBS.items():
        if (field := given.get(name)) is not None:
            block.set(argument, writer.lowering.expr(field.value, kind), field)
            writer.is_value(f"{path}.Ebs.{name}", f"block_device.{index}.{argument}", how_of(field.value))
        if name == "SnapshotId":
            block.set("source_type", "snapshot")
            block.set("destination_type", "volume")
            block.set("boot_index", 0 if root else -1)
    if "DeleteOnTermination" not in given:
        block.set("delete_on_termination", True)
    for field in ebs.entries:
        if field.key not in given:
            writer.default(f"{path}.Ebs.{field.key}")
        elif field.key not in EBS:
            writer.drop(field, codes.PROPERTY_WITHOUT_COUNTERPART, NOT_IMPLEMENTED, f"{path}.Ebs")
    for field in item.entries:
        if field.key == "DeviceName":
            why = "the device name determines the root disk"
            writer.is_value(f"{path}.{field.key}", f"block_device.{index}.boot_index", "derived", why=why)
        elif field.key != "Ebs":
            writer.drop(field, codes.PROPERTY_WITHOUT_COUNTERPART, NOT_IMPLEMENTED, path)


@property_hook("instance_volumes")
def volumes(writer: Writer, rule: Rule, entry: ir.Entry) -> None:
    """Writes one attachment for each volume."""
    if entry.value in EMPTY:
        writer.fate(entry.key, fate("implied", why="no volumes are set"))
        return
    items = entry.value.items if isinstance(entry.value, ir.Seq) else ()
    if not items or not all(isinstance(i, ir.Map) for i in items):
        why = f"the volumes of {writer.resource.name} are known only at run time"
        raise CannotSay(codes.ONLY_AT_RUN_TIME, why, entry.value)
    for i, item in enumerate(items):
        assert isinstance(item, ir.Map)
        label = snake(writer.block.labels[1] + (f"_{i}" if len(items) > 1 else ""))
        block = writer.beside("openstack_compute_volume_attach_v2", label, item)
        block.set("instance_id", writer.self_reference("id"))
        for name, argument in (("VolumeId", "volume_id"), ("Device", "device")):
            value = item.get(name)
            if value is not None and value != ir.NULL:
                block.set(argument, writer.lowering.expr(value, STRING), value)
                writer.is_value(f"{entry.key}.{i}.{name}", argument, how_of(value), ".".join(block.labels))


# the rest


@property_hook("instance_hints")
def scheduler_hints(writer: Writer, rule: Rule, entry: ir.Entry) -> None:
    """Writes a list of keys and values. Values of a repeated key become a list."""
    gathered: dict[str, list[ir.Expr]] = {}
    for path, item in tags.pairs(writer, entry):
        key, value = item.get("Key"), item.get("Value") or ir.NULL
        if not isinstance(key, ir.Lit):
            raise CannotSay(codes.ONLY_AT_RUN_TIME, "the key of a hint is known only at run time", item)
        gathered.setdefault(str(key.value), []).append(value)
        for field in item.entries:
            writer.is_value(
                f"{path}.{field.key}", "scheduler_hints", "derived", why="the key is the name of the argument"
            )
    if gathered:
        found = tuple(
            ir.Entry(key, items[0] if len(items) == 1 else ir.Seq(tuple(items)), entry.at)
            for key, items in gathered.items()
        )
        block = writer.block.block("scheduler_hints", where=entry)
        hints(writer.silent(), block, entry.key, ir.Map(found, entry.value.span))


@property_hook("instance_user_data")
def user_data(writer: Writer, rule: Rule, entry: ir.Entry) -> None:
    """Writes the text itself. Heat would always wrap it."""
    if entry.value in EMPTY:
        writer.fate(entry.key, fate("implied", why="no user data is set"))
        return
    text = signals.quiet(writer.emission, writer.resource, entry.value)
    value = writer.lowering.value(text, STRING)
    found = cfn_init.user_data(writer, text, value, cfn_init.USER)
    if found is not None:
        writer.block.set("user_data", found.expr, entry)
        writer.is_value(entry.key, "user_data", "derived", why=cfn_init.PART)
        return
    writer.block.set("user_data", value.expr, entry)
    if signals.as_given(writer.emission, entry.value, text):
        writer.is_value(entry.key, "user_data", how_of(entry.value))
    else:
        writer.is_value(entry.key, "user_data", "derived", why=signals.DIFFERENT)
    what = "in parts for cfn-init and adds the user ec2-user; Terraform passes it unchanged"
    writer.emission.log.say(
        codes.USER_DATA_WITHOUT_MIME,
        f"Heat wraps the user data of {writer.resource.name} {what}.",
        entry,
        note=f"Heat wraps this {what}.",
        once=writer.resource.name,
    )

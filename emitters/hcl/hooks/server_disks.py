"""The block devices of servers, in both of Heat's forms.

A server with an image and block devices boots from the image. The provider needs an explicit block device for it.
"""

from __future__ import annotations

from emitters.hcl.errors import CannotSay
from emitters.hcl.hooks import property_hook
from emitters.hcl.resources.arguments import how_written
from emitters.hcl.resources.writer import Writer
from emitters.hcl.resources.written import NOTHING, Written, join_written
from emitters.hcl.tree.nodes import Block, Expr
from emitters.hcl.tree.types import BOOL, NUMBER, STRING
from transpile.diagnostics import codes
from transpile.model import ir


@property_hook("server_block_device_mapping_v2")
def write_disks(writer: Writer, entry: ir.Entry) -> Written:
    """Writes disks in Nova's second form, after the image's disk if Nova's client would add it."""
    items, boot = ir.maps_of(entry.value), write_boot_disk(writer)
    shift = len(boot.parts)
    return boot + join_written(write_disk(writer, f"{entry.key}.{i}", item, i + shift) for i, item in enumerate(items))


def write_boot_disk(writer: Writer) -> Written:
    """Writes the disk of the image, which Nova's client adds first; nothing without an image."""
    image_entry = writer.find_set("image")
    if image_entry is None:
        return NOTHING
    image_id, _ = writer.emission.data.resolve_name(
        writer.lowering, image_entry.value, writer.lookups["image"], "id", "image"
    )
    return Written((make_image_disk(image_id.expr),))


def make_image_disk(image_id: Expr) -> Block:
    """Makes the block of the disk with the image."""
    block = Block("block_device")
    block.add_argument("uuid", image_id)
    block.add_argument("source_type", "image")
    block.add_argument("destination_type", "local")
    block.add_argument("boot_index", 0)
    block.add_argument("delete_on_termination", True)
    return block


SOURCES = {"volume_id": "volume", "snapshot_id": "snapshot", "image": "image", "image_id": "image"}
BLANK = {"swap_size": "volume_size", "ephemeral_size": "volume_size", "ephemeral_format": "guest_format"}
ROOTS = ("vda", "sda", "xvda", "hda")
PLAIN = {
    "device_type": STRING,
    "disk_bus": STRING,
    "boot_index": NUMBER,
    "volume_size": NUMBER,
    "delete_on_termination": BOOL,
    "volume_type": STRING,
}


def write_disk(writer: Writer, path: str, item: ir.Map, index: int) -> Written:
    """Writes a disk in Nova's second form. index: of its block. Each field is taken out of the map as it is written."""
    where = f"block_device.{index}"
    fields = {e.key: e for e in item.entries if e.value not in (ir.NULL, ir.Lit(""))}
    written = join_written(Written.default(f"{path}.{e.key}") for e in item.entries if e.key not in fields)
    source = next((k for k in SOURCES if k in fields), None)
    defaults: dict[str, Expr] = {"boot_index": 0} if source else {"boot_index": -1, "delete_on_termination": True}
    written += write_source(writer, path, where, fields, source) if source else write_blank(writer, path, where, fields)
    for name, kind in PLAIN.items():
        if (entry := fields.pop(name, None)) is not None:
            written += Written.argument(name, writer.lowering.lower_expression(entry.value, kind), entry)
            written += Written.fate(f"{path}.{name}", f"{where}.{name}", how_written(entry.value))
        elif name in defaults:
            written += Written.argument(name, defaults[name])
    for name, entry in fields.items():
        if name not in SOURCES and name not in ("device_name", *BLANK):
            raise CannotSay(codes.UNKNOWN_PROPERTY, f"a disk has no {name}", entry.key_span, writer.resource.name)
        if name != "device_name":
            why = f"a disk of {writer.resource.name} has both {name} and another source"
            raise CannotSay(codes.ONLY_AT_RUN_TIME, why, entry)
        why = "the provider has no argument for the device name"
        written += writer.drop_property(entry, codes.PROPERTY_WITHOUT_COUNTERPART, why, path)
    return written.in_block(Block("block_device", span=item.span))


def write_source(writer: Writer, path: str, where: str, fields: dict[str, ir.Entry], source: str) -> Written:
    """Writes the source of a disk: a volume, a snapshot or an image."""
    entry = fields.pop(source)
    if SOURCES[source] == "image":
        source_id, how = writer.emission.data.resolve_name(
            writer.lowering, entry.value, writer.lookups["image"], "id", "image"
        )
    else:
        source_id, how = writer.lowering.lower_value(entry.value, STRING), how_written(entry.value)
    uuid = Written.argument("uuid", source_id.expr, entry) + Written.fate(f"{path}.{source}", f"{where}.uuid", how)
    kind = Written.argument("source_type", SOURCES[source])
    return uuid + kind + Written.argument("destination_type", "volume")


def write_blank(writer: Writer, path: str, where: str, fields: dict[str, ir.Entry]) -> Written:
    """Writes an empty disk, or a swap disk."""
    written = Written.argument("source_type", "blank") + Written.argument("destination_type", "local")
    for name, argument in BLANK.items():
        if (entry := fields.pop(name, None)) is None:
            continue
        if argument in fields:
            written += Written.implied(f"{path}.{name}", f"Heat uses {argument} instead")
        else:
            kind = NUMBER if argument == "volume_size" else STRING
            written += Written.argument(argument, writer.lowering.lower_expression(entry.value, kind), entry)
            written += Written.fate(f"{path}.{name}", f"{where}.{argument}")
        if name == "swap_size":
            written += Written.argument("guest_format", "swap")
    return written


@property_hook("server_block_device_mapping")
def write_old_disks(writer: Writer, entry: ir.Entry) -> Written:
    """Writes disks in Nova's first form. The device name only determines the root disk."""
    items = ir.maps_of(entry.value)
    names = [item.get("device_name") for item in items]
    device_names = [str(n.value) if isinstance(n, ir.Lit) else "" for n in names]
    roots = [n.removeprefix("/dev/") in ROOTS for n in device_names]
    boot = NOTHING if any(roots) else write_boot_disk(writer)
    shift = len(boot.parts)
    return boot + join_written(
        write_old_disk(writer, f"{entry.key}.{i}", item, i + shift, root=roots[i]) for i, item in enumerate(items)
    )


def write_old_disk(writer: Writer, path: str, item: ir.Map, index: int, *, root: bool) -> Written:
    """Writes a disk in Nova's first form. index: of its block. root: whether the server boots from it."""
    written, where = NOTHING, f"block_device.{index}"
    for field in item.entries:
        key, value = field.key, field.value
        if value in (ir.NULL, ir.Lit("")):
            written += Written.default(f"{path}.{key}")
        elif key in ("volume_id", "snapshot_id"):
            written += Written.argument("uuid", writer.lowering.lower_expression(value, STRING), field)
            written += Written.argument("source_type", SOURCES[key])
            written += Written.fate(f"{path}.{key}", f"{where}.uuid", how_written(value))
        elif key in ("volume_size", "delete_on_termination"):
            written += Written.argument(key, writer.lowering.lower_expression(value, PLAIN[key]), field)
            written += Written.fate(f"{path}.{key}", f"{where}.{key}")
        elif key == "device_name":
            why = "the device name determines the root disk"
            written += Written.fate(f"{path}.device_name", f"{where}.boot_index", "derived", why)
        else:
            raise CannotSay(codes.UNKNOWN_PROPERTY, f"a disk has no {key}", field.key_span, writer.resource.name)
    written += Written.argument("destination_type", "volume") + Written.argument("boot_index", 0 if root else -1)
    return written.in_block(Block("block_device", span=item.span))

"""The block devices of servers, in both of Heat's forms.

A server with an image and block devices boots from the image. The provider needs an explicit block device for it.
"""

from __future__ import annotations

from emitters.hcl.errors import CannotSay
from emitters.hcl.hooks import property_hook
from emitters.hcl.resources.arguments import how_written
from emitters.hcl.resources.writer import Writer
from emitters.hcl.tables.mapping import Rule
from emitters.hcl.tree.nodes import Expr
from emitters.hcl.tree.types import BOOL, NUMBER, STRING
from transpile.diagnostics import codes
from transpile.model import ir
from transpile.report import make_fate


def read_literal_disks(writer: Writer, entry: ir.Entry) -> list[ir.Map]:
    """The disks of a literal list. Raises CannotSay if the disks are known only at run time."""
    if entry.value in (ir.NULL, ir.Seq(())):
        writer.record_fate(entry.key, make_fate("implied", why="no disks are set"))
        return []
    items = entry.value.items if isinstance(entry.value, ir.Seq) else ()
    disks = [item for item in items if isinstance(item, ir.Map)]
    if not disks or len(disks) < len(items):
        why = f"the disks of {writer.resource.name} are known only at run time"
        raise CannotSay(codes.ONLY_AT_RUN_TIME, why, entry.value)
    return disks


@property_hook("server_block_device_mapping_v2")
def write_disks(writer: Writer, rule: Rule, entry: ir.Entry) -> None:
    """Writes disks in Nova's second form, after the image's disk if Nova's client would add it."""
    items = read_literal_disks(writer, entry)
    shift = write_boot_disk(writer) if items else 0
    for i, item in enumerate(items):
        write_disk(writer, f"{entry.key}.{i}", item, i + shift)


def write_boot_disk(writer: Writer) -> int:
    """Writes the disk of the image, which Nova's client adds first, and returns how many disks that is."""
    image_entry = writer.entries.get("image")
    if image_entry is None or image_entry.value in (ir.NULL, ir.Lit("")):
        return 0
    block = writer.block.add_block("block_device")
    image_id, _ = writer.emission.data.resolve_name(
        writer.lowering, image_entry.value, writer.lookups["image"], "id", "image"
    )
    block.add_argument("uuid", image_id.expr)
    block.add_argument("source_type", "image")
    block.add_argument("destination_type", "local")
    block.add_argument("boot_index", 0)
    block.add_argument("delete_on_termination", True)
    return 1


SOURCES = {"volume_id": "volume", "snapshot_id": "snapshot", "image": "image", "image_id": "image"}
PLAIN = {
    "device_type": STRING,
    "disk_bus": STRING,
    "boot_index": NUMBER,
    "volume_size": NUMBER,
    "delete_on_termination": BOOL,
    "volume_type": STRING,
}


def write_disk(writer: Writer, path: str, item: ir.Map, index: int) -> None:
    """Writes a disk in Nova's second form. index: of its block. Each field is taken out of the map as it is written."""
    where = f"block_device.{index}"
    fields = {e.key: e for e in item.entries if e.value not in (ir.NULL, ir.Lit(""))}
    for entry in item.entries:
        if entry.key not in fields:
            writer.record_default(f"{path}.{entry.key}")
    block = writer.block.add_block("block_device", where=item)
    source = next((k for k in SOURCES if k in fields), None)
    if source is not None:
        entry = fields.pop(source)
        source_id, how = (
            (writer.lowering.lower_value(entry.value, STRING), "reference")
            if SOURCES[source] != "image"
            else writer.emission.data.resolve_name(writer.lowering, entry.value, writer.lookups["image"], "id", "image")
        )
        if SOURCES[source] != "image" and not isinstance(entry.value, (ir.ResourceRef, ir.AttrRef)):
            how = "value"
        block.add_argument("uuid", source_id.expr, entry)
        writer.record_value(f"{path}.{source}", f"{where}.uuid", how)
        block.add_argument("source_type", SOURCES[source])
        block.add_argument("destination_type", "volume")
        defaults: dict[str, Expr] = {"boot_index": 0}
    else:
        block.add_argument("source_type", "blank")
        block.add_argument("destination_type", "local")
        defaults = {"boot_index": -1, "delete_on_termination": True}
        for name, argument in (
            ("swap_size", "volume_size"),
            ("ephemeral_size", "volume_size"),
            ("ephemeral_format", "guest_format"),
        ):
            if (blank := fields.pop(name, None)) is not None:
                if argument in fields:
                    why = f"Heat uses {argument} instead"
                    writer.record_fate(f"{path}.{name}", make_fate("implied", why=why))
                else:
                    block.add_argument(
                        argument,
                        writer.lowering.lower_expression(blank.value, NUMBER if argument == "volume_size" else STRING),
                        blank,
                    )
                    writer.record_value(f"{path}.{name}", f"{where}.{argument}")
                if name == "swap_size":
                    block.add_argument("guest_format", "swap")
    for name, kind in PLAIN.items():
        if (entry_ := fields.pop(name, None)) is not None:
            block.add_argument(name, writer.lowering.lower_expression(entry_.value, kind), entry_)
            writer.record_value(f"{path}.{name}", f"{where}.{name}", how_written(entry_.value))
        elif name in defaults:
            block.add_argument(name, defaults[name])
    for name, entry_ in fields.items():
        if name not in SOURCES and name not in ("device_name", "swap_size", "ephemeral_size", "ephemeral_format"):
            raise CannotSay(codes.UNKNOWN_PROPERTY, f"a disk has no {name}", entry_.key_span, writer.resource.name)
        if name != "device_name":
            raise CannotSay(
                codes.ONLY_AT_RUN_TIME,
                f"a disk of {writer.resource.name} has both {name} and another source",
                entry_,
            )
        writer.drop_property(
            entry_, codes.PROPERTY_WITHOUT_COUNTERPART, "the provider has no argument for the device name", path
        )


@property_hook("server_block_device_mapping")
def write_old_disks(writer: Writer, rule: Rule, entry: ir.Entry) -> None:
    """Writes disks in Nova's first form. The device name only determines the root disk."""
    items = read_literal_disks(writer, entry)
    names = [item.get("device_name") for item in items]
    device_names = [str(n.value) if isinstance(n, ir.Lit) else "" for n in names]
    roots = [n for n in device_names if n.removeprefix("/dev/") in ("vda", "sda", "xvda", "hda")]
    shift = write_boot_disk(writer) if items and not roots else 0
    for i, item in enumerate(items):
        path, where = f"{entry.key}.{i}", f"block_device.{i + shift}"
        block = writer.block.add_block("block_device", where=item)
        for field in item.entries:
            value = field.value
            if value in (ir.NULL, ir.Lit("")):
                writer.record_default(f"{path}.{field.key}")
            elif field.key in ("volume_id", "snapshot_id"):
                block.add_argument("uuid", writer.lowering.lower_expression(value, STRING), field)
                block.add_argument("source_type", SOURCES[field.key])
                writer.record_value(f"{path}.{field.key}", f"{where}.uuid", how_written(value))
            elif field.key in ("volume_size", "delete_on_termination"):
                block.add_argument(field.key, writer.lowering.lower_expression(value, PLAIN[field.key]), field)
                writer.record_value(f"{path}.{field.key}", f"{where}.{field.key}")
            elif field.key == "device_name":
                writer.record_fate(
                    f"{path}.device_name",
                    make_fate(
                        "derived",
                        writer.to,
                        f"{where}.boot_index",
                        why="the device name determines the root disk",
                    ),
                )
            else:
                raise CannotSay(
                    codes.UNKNOWN_PROPERTY, f"a disk has no {field.key}", field.key_span, writer.resource.name
                )
        block.add_argument("destination_type", "volume")
        block.add_argument("boot_index", 0 if device_names[i] in roots else -1)

"""Tags of AWS types, which become metadata of OpenStack resources."""

from __future__ import annotations

from emitters.hcl.errors import CannotSay
from emitters.hcl.hooks import property_hook
from emitters.hcl.resources.arguments import how_written
from emitters.hcl.resources.writer import Writer
from emitters.hcl.tables.mapping import Rule
from emitters.hcl.tree.nodes import Expr, Object
from emitters.hcl.tree.types import STRING
from transpile.diagnostics import codes
from transpile.model import ir
from transpile.report import make_fate


def read_tag_items(writer: Writer, entry: ir.Entry) -> list[tuple[str, ir.Map]]:
    """The items of a list of keys and values, each with its path."""
    if entry.value in (ir.NULL, ir.Seq(())):
        writer.record_fate(entry.key, make_fate("implied", why="the list is empty"))
        return []
    items = entry.value.items if isinstance(entry.value, ir.Seq) else ()
    if not items or not all(isinstance(i, ir.Map) and i.get("Key") is not None for i in items):
        why = f"{entry.key} of {writer.resource.name} are known only at run time"
        raise CannotSay(codes.ONLY_AT_RUN_TIME, why, entry.value)
    return [(f"{entry.key}.{i}", item) for i, item in enumerate(items) if isinstance(item, ir.Map)]


def lower_tags(writer: Writer, entry: ir.Entry, prefix: str = "") -> list[tuple[Expr, Expr]]:
    """The metadata entries for tags, whose fates it records. The last of several tags with the same key wins."""
    out: list[tuple[Expr, Expr]] = []
    items = read_tag_items(writer, entry)
    for i, (path, item) in enumerate(items):
        if any(item.get("Key") == later.get("Key") for _, later in items[i + 1 :]):
            for field in item.entries:
                writer.record_fate(f"{path}.{field.key}", make_fate("implied", why="a later tag has the same key"))
            continue
        key, value = item.get("Key") or ir.NULL, item.get("Value") or ir.NULL
        name = writer.lowering.lower_expression(key, STRING)
        if not isinstance(name, str):
            raise CannotSay(codes.ONLY_AT_RUN_TIME, "the key of a tag is known only at run time", key)
        name = prefix + name
        out.append((name, writer.lowering.lower_expression(value, STRING) if value != ir.NULL else ""))
        writer.record_value(f"{path}.Key", "metadata", "derived", why="a key of the metadata, as in Heat")
        if item.get("Value") is not None:
            how = how_written(value)
            writer.record_value(f"{path}.Value", f"metadata.{name}", how)
    return out


@property_hook("tags_as_metadata")
def write_tags_as_metadata(writer: Writer, rule: Rule, entry: ir.Entry) -> None:
    """Writes tags as the argument `metadata`."""
    if metadata := lower_tags(writer, entry):
        writer.block.add_argument("metadata", Object(tuple(metadata)), entry)

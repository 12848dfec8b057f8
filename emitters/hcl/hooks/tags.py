"""Tags of AWS types, which become metadata of OpenStack resources."""

from __future__ import annotations

from emitters.hcl.errors import only_at_run_time
from emitters.hcl.hooks import property_hook
from emitters.hcl.resources.arguments import how_written
from emitters.hcl.resources.writer import Writer
from emitters.hcl.resources.written import Written, join_written
from emitters.hcl.tree.types import STRING
from transpile.model import ir


def read_tag_items(writer: Writer, entry: ir.Entry) -> list[tuple[str, ir.Map]]:
    """The items of a list of keys and values, each with its path."""
    items = entry.value.items if isinstance(entry.value, ir.Seq) else ()
    if not items or not all(isinstance(i, ir.Map) and "Key" in i for i in items):
        raise only_at_run_time(f"{entry.key} of {writer.resource.name} are", entry.value)
    return [(f"{entry.key}.{i}", item) for i, item in enumerate(items) if isinstance(item, ir.Map)]


def write_tags(writer: Writer, entry: ir.Entry, prefix: str = "") -> Written:
    """Writes tags as entries of the metadata. The last of several tags with the same key wins."""
    written = []
    items = read_tag_items(writer, entry)
    for i, (path, item) in enumerate(items):
        if any(item.get("Key") == later.get("Key") for _, later in items[i + 1 :]):
            why = "a later tag has the same key"
            written += [Written.implied(f"{path}.{field.key}", why) for field in item.entries]
            continue
        key, value = item.get("Key") or ir.NULL, item.get("Value") or ir.NULL
        name = writer.lowering.lower_expression(key, STRING)
        if not isinstance(name, str):
            raise only_at_run_time("the key of a tag is", key)
        name = prefix + name
        text = writer.lowering.lower_expression(value, STRING) if value != ir.NULL else ""
        written.append(Written.entry("metadata", name, text))
        written.append(Written.fate(f"{path}.Key", "metadata", "derived", "a key of the metadata, as in Heat"))
        if "Value" in item:
            written.append(Written.fate(f"{path}.Value", f"metadata.{name}", how_written(value)))
    return join_written(written)


@property_hook("tags_as_metadata")
def write_tags_as_metadata(writer: Writer, entry: ir.Entry) -> Written:
    """Writes tags as the argument `metadata`."""
    return write_tags(writer, entry).as_map("metadata", entry)

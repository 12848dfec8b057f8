"""Hooks of key pairs, flavors, volumes and images.

The easy rule to break: a volume needs a size here even where Heat takes it from a snapshot, and a flavor that is not
public belongs to the project that made it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from emitters.hcl.hooks import attribute_hook, finish_hook, property_hook
from emitters.hcl.lower import CannotSay, Lowering
from emitters.hcl.tree import Argument, Attr, Expr, Fn, Object
from emitters.hcl.types import MAP_OF_STRINGS, STRING, Value
from transpile import ir
from transpile.report import fate

if TYPE_CHECKING:
    from emitters.hcl.handles import Native, Select
    from emitters.hcl.mapping import Rule
    from emitters.hcl.resources import Writer

NULL = ir.Lit(None)


@property_hook("keypair_type")
def keypair_type(writer: Writer, rule: Rule, entry: ir.Entry) -> None:
    if entry.value in (NULL, ir.Lit("ssh")):
        writer.fate(entry.key, fate("implied", why="ssh is the default"))
        return
    writer.block.set(
        "value_specs", Object((("type", writer.lowering.expr(entry.value, STRING)),)), entry.at, entry.value.end
    )
    writer.is_value(entry.key, "value_specs.type")


@property_hook("flavor_id")
def flavor_id(writer: Writer, rule: Rule, entry: ir.Entry) -> None:
    if entry.value in (NULL, ir.Lit(""), ir.Lit("auto")):
        writer.fate(entry.key, fate("implied", why="Nova makes an ID up, as it does when none is given"))
        return
    writer.block.set("flavor_id", writer.lowering.expr(entry.value, STRING), entry.at, entry.value.end)
    writer.is_value(entry.key, "flavor_id")


@property_hook("volume_type")
def volume_type(writer: Writer, rule: Rule, entry: ir.Entry) -> None:
    if entry.value in (NULL, ir.Lit("")):
        writer.fate(entry.key, fate("implied", why="none given is the default type in both"))
        return
    value = writer.lowering.value(entry.value, STRING)
    writer.block.set("volume_type", value.expr, entry.at, entry.value.end)
    writer.is_value(
        entry.key, "volume_type", "reference" if isinstance(entry.value, (ir.ResourceRef, ir.AttrRef)) else "value"
    )


@finish_hook("volume")
def finish_volume(writer: Writer) -> None:
    """A size, where the template leaves it to the source."""
    given = {item.name for item in writer.block.body if isinstance(item, Argument)}
    source = writer.given.get("source_volid")
    if "size" not in given and source is not None and isinstance(source.value, ir.ResourceRef):
        writer.block.set(
            "size",
            writer.lowering.expr(ir.AttrRef(source.value.name, (ir.Lit("size"),), at=source.at, end=source.value.end)),
        )


@attribute_hook("volume_metadata_text")
def volume_metadata(lowering: Lowering, native: Native, ref: ir.AttrRef, rest: tuple[ir.Expr, ...]) -> Select:
    """Heat answers with JSON text."""
    if rest:
        raise CannotSay(
            "HOT550",
            f"a path into a text, the metadata of {native.resource.name}",
            ref.at,
            ref.end,
            native.resource.name,
        )
    return lambda base: Value(Fn("jsonencode", (Attr(base, "metadata"),)), STRING)


# images


@property_hook("image_property")
def image_property(writer: Writer, rule: Rule, entry: ir.Entry) -> None:
    """What the provider has as entries of `properties`; written with the last of them."""
    gathered = writer.extra.setdefault("properties", [])
    if entry.key == "extra_properties":
        if isinstance(entry.value, ir.Map):
            for one in entry.value.entries:
                gathered.append((one.key, writer.lowering.member(one.value, True)))
                writer.is_value(f"{entry.key}.{one.key}", f"properties.{one.key}")
        elif entry.value != NULL:
            writer.extra["all_properties"] = [("", writer.lowering.expr(entry.value, MAP_OF_STRINGS))]
            writer.is_value(entry.key, "properties")
    elif entry.value in (NULL, ir.Lit("")):
        writer.fate(entry.key, fate("implied", why="null and empty ask for the default"))
    else:
        gathered.append((entry.key, writer.lowering.expr(entry.value, STRING)))
        writer.is_value(entry.key, f"properties.{entry.key}")
    if writer.extra.get("properties_written") is None:
        writer.extra["properties_written"] = []
        writer.block.body.append(Argument("properties", Object(()), entry.at, entry.value.end))
    whole: Expr = Object(tuple(gathered))
    if "all_properties" in writer.extra:
        everything = writer.extra["all_properties"][0][1]
        whole = Fn("merge", (whole, everything)) if gathered else everything
    for item in writer.block.body:
        if isinstance(item, Argument) and item.name == "properties":
            item.value = whole

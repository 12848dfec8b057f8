"""Hooks of key pairs, flavors, volumes and images.

The easy rule to break: a volume needs a size here even where Heat takes it from a snapshot, and a flavor that is not
public belongs to the project that made it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from emitters.hcl.hooks import attribute_hook, finish_hook, property_hook
from emitters.hcl.lower import CannotSay, Lowering
from emitters.hcl.mapping import Rule, lookups
from emitters.hcl.tree import Argument, Attr, Expr, Fn, Name, Object
from emitters.hcl.types import MAP_OF_STRINGS, STRING, Value
from transpile import ir
from transpile.report import fate

if TYPE_CHECKING:
    from emitters.hcl.handles import Native, Select
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


@property_hook("flavor_tenants")
def flavor_tenants(writer: Writer, rule: Rule, entry: ir.Entry) -> None:
    """One access for each project."""
    if entry.value in (NULL, ir.Seq(())):
        writer.fate(entry.key, fate("implied", why="no projects given"))
        return
    if not isinstance(entry.value, ir.Seq):
        raise CannotSay(
            "HOT404",
            f"the projects of {writer.resource.name} are known only at run time",
            entry.value.at,
            entry.value.end,
        )
    for i, item in enumerate(entry.value.items):
        block = writer.beside("openstack_compute_flavor_access_v2", f"{writer.block.labels[1]}_{i}", item.at, item.end)
        found, how = writer.directory.lookups.one(writer.lowering, item, lookups()["project"], "id", f"project_{i}")
        block.set("flavor_id", writer.self_reference("id"))
        block.set("tenant_id", found.expr)
        writer.is_value(f"{entry.key}.{i}", "tenant_id", how, ".".join(block.labels))


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


@property_hook("image_members")
def image_members(writer: Writer, rule: Rule, entry: ir.Entry) -> None:
    """One access for each project that may use the image."""
    if entry.value in (NULL, ir.Seq(())):
        writer.fate(entry.key, fate("implied", why="no members given"))
        return
    kind, label = "openstack_images_image_access_v2", writer.block.labels[1]
    if isinstance(entry.value, ir.Seq):
        for i, item in enumerate(entry.value.items):
            block = writer.beside(kind, f"{label}_{i}", item.at, item.end)
            block.set("image_id", writer.self_reference("id"))
            block.set("member_id", writer.lowering.expr(item, STRING))
            writer.is_value(f"{entry.key}.{i}", "member_id", to=".".join(block.labels))
        return
    if writer.directory.repeated is not None:
        raise CannotSay(
            "HOT404",
            f"the members of {writer.resource.name} are known only at run time",
            entry.value.at,
            entry.value.end,
        )
    block = writer.beside(kind, label, entry.at, entry.value.end)
    block.set("for_each", Fn("toset", (writer.lowering.expr(entry.value),)))
    block.set("image_id", writer.self_reference("id"))
    block.set("member_id", Name(("each", "value")))
    writer.is_value(entry.key, "for_each", "derived", ".".join(block.labels), "one access for each item of the list")

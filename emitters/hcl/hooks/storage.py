"""Hooks of key pairs, flavors, volumes and images."""

from __future__ import annotations

import re

from emitters.hcl.errors import CannotSay
from emitters.hcl.hooks import attribute_hook, finish_hook, members, property_hook
from emitters.hcl.lowering import lookup_variables
from emitters.hcl.lowering.rewrites import negate_expression
from emitters.hcl.namespace import snake_case
from emitters.hcl.resources.arguments import how_written, map_value
from emitters.hcl.resources.handles import AttributeRead, Selector
from emitters.hcl.resources.writer import Writer
from emitters.hcl.resources.written import NOTHING, Written
from emitters.hcl.tables import provider
from emitters.hcl.tables.mapping import UUID
from emitters.hcl.tree.nodes import Argument, Attr, Cond, Expr, Fn, Object, Traversal
from emitters.hcl.tree.types import BOOL, MAP_OF_STRINGS, STRING, TypedValue
from emitters.hcl.unit import dotted_path
from transpile.diagnostics import codes
from transpile.model import heat_types, ir


@property_hook("keypair_type")
def write_keypair_type(writer: Writer, entry: ir.Entry) -> Written:
    if entry.value in (ir.NULL, ir.Lit("ssh")):
        return Written.implied(entry.key, "ssh is the default")
    specs = Object((("type", writer.lowering.lower_expression(entry.value, STRING)),))
    return Written.argument("value_specs", specs, entry) + Written.fate(entry.key, "value_specs.type")


@property_hook("flavor_id")
def write_flavor_id(writer: Writer, entry: ir.Entry) -> Written:
    if entry.value in (ir.NULL, ir.Lit(""), ir.Lit("auto")):
        return Written.implied(entry.key, "Nova generates an ID, as it does by default")
    return Written.value(entry, "flavor_id", writer.lowering.lower_expression(entry.value, STRING))


def lower_is_public(writer: Writer) -> Expr:
    """Whether a flavor is public: a bool, or an expression if only Terraform knows it."""
    return writer.written_value("is_public", "is_public")


@property_hook("flavor_tenants")
def write_flavor_tenants(writer: Writer, entry: ir.Entry) -> Written:
    if lower_is_public(writer) is not True or entry.value in (ir.NULL, ir.Seq(())):
        access = ("openstack_compute_flavor_access_v2", "tenant_id", "flavor_id", "project")
        return members.write_list_members(writer, entry, *access)
    why = "a public flavor is available to every project"
    writer.emission.log.add_diagnostic(codes.PROPERTY_IGNORED_BY_HEAT, f"Heat ignores these projects: {why}.", entry)
    return Written.implied(entry.key, why)


@finish_hook("flavor")
def finish_flavor(writer: Writer) -> None:
    """Gives access to a private flavor: to the listed projects, or else to the current project."""
    if lower_is_public(writer) is True:
        return
    entry = writer.entries["is_public"]
    if len(writer.blocks) == 1:
        block = writer.add_block("openstack_compute_flavor_access_v2", writer.block.labels[1], entry)
        block.add_argument("flavor_id", writer.self_reference("id"))
        block.add_argument("tenant_id", Traversal(("data", *writer.emission.shared.current_project(), "project_id")))
    if lower_is_public(writer) is not False:
        members.restrict_blocks(writer, writer.blocks[1:], negate_expression(lower_is_public(writer)))


@attribute_hook("keypair_private_key")
def read_private_key(read: AttributeRead) -> Selector:
    """The private key, or an empty string: Heat keeps the key only if `save_private_key` is true."""
    save_private_key = read.resource.find_property("save_private_key")
    if save_private_key in (None, ir.NULL, ir.Lit(False)):
        return lambda base: TypedValue("", STRING)
    if read.emission.unit.running.exists:
        name = read.resource.name
        why = f"nobody has the private key of {name} but Heat: the provider does not import it"
        raise read.impossible(why)
    return lambda base: TypedValue(Attr(base, "private_key"), STRING)


# volumes


@property_hook("volume_type")
def write_volume_type(writer: Writer, entry: ir.Entry) -> Written:
    writer.lowering.lower_value(entry.value, STRING)  # records the reference in the report
    named = replace_type_ids(writer, entry.value)
    value = writer.lowering.lower_expression(named, STRING)
    if named == entry.value or isinstance(entry.value, (ir.ResourceRef, ir.AttrRef)):
        written = Written.value(entry, "volume_type", value, how_written(entry.value))
    else:
        written = Written.value(entry, "volume_type", value, "derived", "the name of a volume type of the template")
    if not may_be_type_id(writer, named):
        return written
    why = "volume_type may be an ID, but the provider reads back a name, so later changes are ignored"
    writer.emission.log.report_difference(codes.DIFFERENT_BEHAVIOUR, f"{why}.", entry)
    return written + Written(ignored=("volume_type",))


def may_be_type_id(writer: Writer, expr: ir.Expr) -> bool:
    """Whether a volume type is given by ID, as far as that is known. A parameter without a known value is a name."""
    if isinstance(expr, ir.If):
        return any(may_be_type_id(writer, branch) for branch in (expr.then, expr.orelse) if branch is not None)
    if isinstance(expr, ir.ResourceRef):  # a volume type that stays with Heat
        return True
    unit = writer.emission.unit
    values = unit.values_at_path(expr) if isinstance(expr, ir.ParamRef) else unit.traced_values(expr) or []
    if isinstance(expr, ir.ParamRef) and not any(values):
        message = "Taken as names, not IDs: {}. Heat accepts both."
        writer.emission.log.gather_name(codes.LOOKED_UP_BY_NAME, message, dotted_path(expr), "volume type", expr)
    return any(re.search(UUID, str(value).lower()) for value in values)


def replace_type_ids(writer: Writer, expr: ir.Expr) -> ir.Expr:
    """Replaces the IDs of the template's volume types by their names: the provider reads names back, so an ID would
    be a change in every plan.
    """
    if isinstance(expr, ir.If):
        return expr.with_branches(lambda branch: replace_type_ids(writer, branch))
    emission, own = writer.emission, ""
    if isinstance(expr, ir.ResourceRef) and emission.unit.plan.is_native(expr.name):
        own = expr.name if emission.unit.stack.types.get(expr.name) == heat_types.CINDER_VOLUME_TYPE else ""
    elif isinstance(expr, ir.Lit) and isinstance(expr.value, str):
        own = emission.data.resource_with_name((heat_types.CINDER_VOLUME_TYPE,), expr.value)
    return ir.AttrRef(own, (ir.Lit("show"), ir.Lit("name")), span=expr.span) if own else expr


@property_hook("qos_specs")
def write_qos_specs(writer: Writer, entry: ir.Entry) -> Written:
    """Writes the consumer as a separate argument. Cinder's default is written too, as the provider reads it back."""
    assert isinstance(entry.value, ir.Map)
    consumer = next((e for e in entry.value.entries if e.key == "consumer"), None)
    written = Written.argument("consumer", "back-end") if consumer is None else write_consumer(writer, entry, consumer)
    others = tuple(e for e in entry.value.entries if e is not consumer)
    if others:
        specs_map = ir.Map(others, entry.value.span)
        specs, fates = map_value(writer, writer.rule.argument_rule, specs_map, entry.key, "specs")
        written += Written((Argument("specs", specs, entry.span),), fates)
    return written


def write_consumer(writer: Writer, entry: ir.Entry, consumer: ir.Entry) -> Written:
    """Writes the consumer of QoS specifications: the service that applies them."""
    chosen = writer.lowering.lower_expression(consumer.value, STRING)
    facts = writer.emission.unit.tables.providers.find_argument(writer.address[0], "consumer")
    if isinstance(chosen, str) and (refused := provider.find_refusal(facts, chosen)):
        why = f"the provider rejects {chosen!r} for consumer: {refused}"
        raise CannotSay(codes.VALUE_REJECTED_BY_PROVIDER, why, consumer)
    return Written.argument("consumer", chosen, consumer) + Written.fate(f"{entry.key}.consumer", "consumer")


def lower_object_id(writer: Writer, expr: ir.Expr, noun: str) -> tuple[Expr, str]:
    """An ID. A literal name works only if the template creates the object: there is no data source. With a
    preference, a variable has the IDs by name.
    """
    preferred = writer.emission.unit.policy.accepts_differences
    if isinstance(expr, ir.Lit) and isinstance(expr.value, str) and not re.search(UUID, expr.value.lower()):
        kind = {"volume type": heat_types.CINDER_VOLUME_TYPE, "QoS specification": heat_types.CINDER_QOS_SPECS}[noun]
        own = writer.emission.data.resource_with_name((kind,), expr.value)
        if not own and preferred:
            return lookup_variables.id_by_name(writer.lowering, noun, expr.value, surely=True), "lookup"
        if not own:
            why = f"no data source finds the {noun} {expr.value} by its name"
            raise CannotSay(codes.ONLY_AT_RUN_TIME, why, expr, avoidable=True)
        return writer.lowering.lower_expression(ir.ResourceRef(own, span=expr.span), STRING), "lookup"
    if isinstance(expr, ir.ParamRef) and any(
        not re.search(UUID, str(v).lower()) for v in writer.emission.unit.values_of_parameter(expr.name)
    ):
        if preferred:
            return lookup_variables.id_by_name(
                writer.lowering, noun, writer.lowering.lower_expression(expr, STRING), surely=False
            ), "lookup"
        raise CannotSay(codes.ONLY_AT_RUN_TIME, f"no data source finds a {noun} by its name", expr, avoidable=True)
    how = how_written(expr)
    if how == "value" and not isinstance(expr, ir.Lit):
        name = expr.name if isinstance(expr, ir.ParamRef) else writer.resource.name
        message = "Taken as IDs, not names: {}. Heat accepts both."
        writer.emission.log.gather_name(codes.LOOKED_UP_BY_NAME, message, name, noun, expr)
    return writer.lowering.lower_expression(expr, STRING), how


@property_hook("qos_specs_id")
def write_qos_specs_id(writer: Writer, entry: ir.Entry) -> Written:
    value, how = lower_object_id(writer, entry.value, "QoS specification")
    return Written.value(entry, "qos_id", value, how)


@property_hook("qos_volume_types")
def write_qos_volume_types(writer: Writer, entry: ir.Entry) -> Written:
    """Writes an association for each volume type. The resource itself is the first."""
    specs, written = writer.written_value("qos_specs", "qos_id"), NOTHING
    for i, item in enumerate(ir.items_of(entry.value)):
        value, how = lower_object_id(writer, item, "volume type")
        part = Written.argument("volume_type_id", value, item) + Written.fate(f"{entry.key}.{i}", "volume_type_id", how)
        if i:
            item_label = members.item_label(item, None, i, writer.emission.unit.budget)
            label = snake_case(f"{writer.block.labels[1]}_{item_label}")
            block = writer.new_block("openstack_blockstorage_qos_association_v3", label, item)
            part = (Written.argument("qos_id", specs) + part).in_resource(block)
        written += part
    return written


@finish_hook("volume")
def finish_volume(writer: Writer) -> None:
    """Writes the size, which the provider requires, if the template takes it from the source volume."""
    names = {item.name for item in writer.block.body if isinstance(item, Argument)}
    source = writer.entries.get("source_volid")
    if "size" not in names and source is not None and isinstance(source.value, ir.ResourceRef):
        writer.block.add_argument(
            "size", writer.lowering.lower_expression(ir.AttrRef(source.value.name, (ir.Lit("size"),), span=source.span))
        )


@attribute_hook("volume_metadata_text")
def read_volume_metadata(read: AttributeRead) -> Selector:
    """Heat returns the metadata as JSON text."""
    if read.rest:
        raise read.impossible(f"the path goes into the metadata of {read.resource.name}, which is a string")
    return lambda base: TypedValue(Fn("jsonencode", (Attr(base, "metadata"),)), STRING)


# images


@property_hook("image_is_public")
def write_image_visibility(writer: Writer, entry: ir.Entry) -> Written:
    value = writer.lowering.lower_expression(entry.value, BOOL)
    seen: Expr = Cond(value, "public", "private") if not isinstance(value, bool) else "public" if value else "private"
    return Written.value(entry, "visibility", seen, "derived", "Glance v2 has visibility instead of the flag")


@property_hook("image_property")
def write_image_property(writer: Writer, entry: ir.Entry) -> Written:
    """Writes entries of the argument `properties`, which several properties of the template share."""
    if entry.value in (ir.NULL, ir.Lit(""), ir.Map(())):
        return Written.default(entry.key)
    if entry.key != "extra_properties":
        text = writer.lowering.lower_expression(entry.value, STRING)
        return Written.entry("properties", entry.key, text) + Written.fate(entry.key, f"properties.{entry.key}")
    if not isinstance(entry.value, ir.Map):
        whole = writer.lowering.lower_expression(entry.value, MAP_OF_STRINGS)
        return Written.entry("properties", None, whole) + Written.fate(entry.key, "properties")
    written = NOTHING
    for extra in entry.value.entries:
        written += Written.entry("properties", extra.key, writer.lowering.lower_map_value(extra.value, True))
        written += Written.fate(f"{entry.key}.{extra.key}", f"properties.{extra.key}")
    return written

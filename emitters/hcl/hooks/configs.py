"""Hooks of stored texts: software configs, cloud-configs, MIME messages.

Heat replaces the ID of a stored text with the text in user data and in MIME parts, and only there. Anywhere else the
resource stays with Heat. Inputs, outputs and group matter only to deployments.
"""

from __future__ import annotations

import os.path
from typing import final

from emitters.hcl.emission import Emission
from emitters.hcl.errors import CannotSay, only_at_run_time
from emitters.hcl.hooks import Prepared, first_boot, mime_parts, resource_hook, signals
from emitters.hcl.hooks.values import existence_facts
from emitters.hcl.lowering.lowering import HclLowering
from emitters.hcl.namespace import snake_case
from emitters.hcl.resources.arguments import how_written
from emitters.hcl.resources.handles import LocalHandle
from emitters.hcl.tree.nodes import Argument, Attr, Block, Cond, Expr, Fn, Index, Traversal, count_if, prepend_line
from emitters.hcl.tree.types import ANY, STRING, HclType, TypedValue
from transpile.diagnostics import codes
from transpile.model import ir
from transpile.model.meter import spend_budget
from transpile.report import NO_VALUE, Fate, make_fate

BOUNDARY = "===============0=="
EMPTY = f'Content-Type: multipart/mixed; boundary="{BOUNDARY}"\nMIME-Version: 1.0\n\n--{BOUNDARY}\n\n--{BOUNDARY}--\n'
IMPLIED = {
    "group": "only deployments use the group",
    "inputs": "only deployments use inputs",
    "outputs": "only deployments use outputs",
    "options": "only deployments use options",
}


def write_text_local(
    emission: Emission,
    resource: ir.Resource,
    lowering: HclLowering,
    expr: Expr,
    of: HclType = STRING,
    how: str = "value",
    why: str = "",
) -> None:
    """Writes a stored text as a local, and records the fates of the properties."""
    report = emission.log.resource_report(resource)
    report.treatment = "folded"
    label = emission.names.locals.reserve_name(snake_case(resource.name))
    if lowering.decide_condition(resource.condition) is None:
        expr = Cond(lowering.with_owner(label).lower_condition(resource.condition), expr, None)
    emission.symbols.folded[resource.name] = (Traversal(("local", label)), of)
    emission.blocks.add_local(label, expr, resource)
    report.addresses = [f"local.{label}"]
    record_text_fates(emission, resource, f"local.{label}", label, how, why)


def text_lowering(lowering: HclLowering, resource: ir.Resource, *, in_text: bool = False) -> HclLowering:
    """The lowering for the properties of a stored text."""
    owned = lowering.with_owner(snake_case(resource.name), facts=existence_facts(resource), resource=resource.name)
    return owned.with_changes(in_text=in_text)


def record_text_fates(emission: Emission, resource: ir.Resource, to: str, argument: str, how: str, why: str) -> None:
    """Records the fates of the properties of a stored text."""
    report = emission.log.resource_report(resource)
    for entry in resource.entries:
        if entry.key in IMPLIED:
            report.properties[entry.key] = make_fate("implied", to, why=IMPLIED[entry.key])
        else:
            report.properties[entry.key] = make_fate(how, to, argument, why)


def write_text_once(emission: Emission, resource: ir.Resource, lowering: HclLowering) -> None:
    """Writes a stored text, unless an earlier reference has."""
    if resource.name not in emission.symbols.folded:
        WRITERS[emission.mapping_of(resource).hook](emission, resource, lowering)


@resource_hook("software_config", "structured_config", "cloud_config", "multipart")
def prepare_stored_text(emission: Emission, resource: ir.Resource) -> Prepared:
    """The handle of a stored text. The first reference writes the text."""

    def read_local(lowering: HclLowering) -> TypedValue:
        write_text_once(emission, resource, lowering)
        expr, of = emission.symbols.folded[resource.name]
        return TypedValue(expr, of)

    handle = LocalHandle(emission, resource, ("config",), read_local, text=True)
    return Prepared(handle, lambda: write_stored_text(emission, resource))


def write_stored_text(emission: Emission, resource: ir.Resource) -> None:
    """Writes a stored text, unless it only gives its parts to other messages, which write them."""
    hook = emission.mapping_of(resource).hook
    if hook != "multipart" or not emission.unit.plan.get_index(mime_parts.nested_messages).get(resource.name):
        write_text_once(emission, resource, emission.lowering)


def write_software_config(emission: Emission, resource: ir.Resource, lowering: HclLowering) -> None:
    """Writes the text itself, unless it is only part of the user data of servers."""
    if emission.unit.plan.deployments_of_config(resource.name):
        first_boot.record_configuration_fates(emission, resource)
        return
    emission.symbols.folded[resource.name] = (None, STRING)  # begun, before its references are lowered
    entry = resource.find_entry("config")
    expr: Expr = ""
    as_given = True
    if entry is not None:
        text = signals.silence_signals(emission, resource, entry.value)
        expr, as_given = (
            text_lowering(lowering, resource).lower_expression(text, STRING),
            signals.is_unchanged(emission, entry.value, text),
        )
    how, why = ("value", "") if as_given else ("derived", signals.DIFFERENT)
    write_text_local(emission, resource, lowering, expr, how=how, why=why)


def write_structured_config(emission: Emission, resource: ir.Resource, lowering: HclLowering) -> None:
    """Writes a map. Nothing reads it without a deployment."""
    if emission.unit.plan.deployments_of_config(resource.name):
        first_boot.record_configuration_fates(emission, resource)
        return
    emission.symbols.folded[resource.name] = (None, ANY)
    expr = text_lowering(lowering, resource).lower_expression(resource.value_of("config"))
    write_text_local(emission, resource, lowering, expr, ANY)


def write_cloud_config(emission: Emission, resource: ir.Resource, lowering: HclLowering) -> None:
    """Writes `#cloud-config` followed by YAML."""
    emission.symbols.folded[resource.name] = (None, STRING)
    config = signals.silence_signals(emission, resource, resource.value_of("cloud_config"))
    expr = text_lowering(lowering, resource).lower_expression(config)
    text = prepend_line("#cloud-config", Fn("yamlencode", (expr,)))
    write_text_local(
        emission,
        resource,
        lowering,
        text,
        how="derived",
        why="equivalent YAML: keys are sorted, and strings are quoted",
    )


def write_multipart(emission: Emission, resource: ir.Resource, lowering: HclLowering) -> None:
    """Writes a `cloudinit_config` data source with the same parts."""
    address = emission.names.reserve_data_source("cloudinit_config", snake_case(resource.name))
    name = Traversal(("data", *address))
    counted = lowering.decide_condition(resource.condition) is None
    emission.symbols.folded[resource.name] = (
        Attr(Index(name, 0), "rendered") if counted else Attr(name, "rendered"),
        STRING,
    )
    block = Block("data", address, span=resource.span)
    report = emission.log.resource_report(resource)
    to = f"data.{'.'.join(address)}"
    report.treatment, report.addresses = "folded", [to]
    if counted:
        owned = lowering.with_owner(snake_case(resource.name))
        block.add_argument("count", count_if(owned.lower_condition(resource.condition)))
    block.add_argument("gzip", False)
    block.add_argument("base64_encode", False)
    entry = resource.find_entry("parts")
    if entry is not None:
        in_text = text_lowering(lowering, resource, in_text=True)
        MessageWriter(emission, resource, in_text, block, to).write_parts(entry, report.properties)
    if boots := emission.unit.plan.first_boot_deployments(resource.name):
        first_boot.write_deployment_part(emission, block, to, boots)
    record_label_fates(resource, to, report.properties)
    if any(isinstance(item, Block) for item in block.body):
        emission.blocks.data.append(block)
    else:  # the provider refuses a message without parts
        write_text_local(
            emission, resource, lowering, EMPTY, how="derived", why="the message without parts that Heat makes"
        )


def record_label_fates(resource: ir.Resource, to: str, fates: dict[str, Fate]) -> None:
    """Records the fates of values that are no part of a message."""
    for entry in resource.entries:
        if entry.key in IMPLIED:
            fates[entry.key] = make_fate("implied", to, why="it is only a label")
    if resource.find_entry("parts") is None and any(entry.key == "parts" for entry in resource.entries):
        fates["parts"] = make_fate("implied", to, why="no parts are set")


LONGEST_BOUNDARY = 70  # characters (RFC 2046)


@final
class MessageWriter:
    """Writes the parts of a message into its block, and records their fates. `to`: the address of the block."""

    def __init__(self, emission: Emission, resource: ir.Resource, lowering: HclLowering, block: Block, to: str) -> None:
        self.emission, self.resource, self.lowering, self.block, self.to = emission, resource, lowering, block, to

    def write_parts(self, entry: ir.Entry, fates: dict[str, Fate]) -> None:
        items = ir.maps_of(entry.value)
        if not isinstance(entry.value, ir.Seq) or len(items) < len(entry.value.items):
            raise only_at_run_time(f"the parts of {self.resource.name} are", entry.value, self.resource.name)
        for i, item in enumerate(items):
            if item.get("type") != ir.Lit("multipart"):
                self.write_part(item, f"parts.{i}", fates)
            elif (inner := mime_parts.nested_message(self.emission.unit.plan, item)) is not None:
                self.write_inner_parts(inner, item, f"parts.{i}", fates)
            else:
                self.write_unknown_message(item, f"parts.{i}", fates)

    def write_part(self, item: ir.Map, path: str, fates: dict[str, Fate]) -> None:
        index = self.block.count_blocks()  # not that of the item: a nested message becomes as many parts as it has
        part = self.block.add_block("part", where=item)
        fields = {e.key: e for e in item.entries if e.value not in (ir.NULL, ir.Lit(""))}
        for field in item.entries:
            if field.key not in fields:
                fates[f"{path}.{field.key}"] = make_fate("implied", why=NO_VALUE)
        if (filename := fields.get("filename")) is not None:
            part.add_argument("filename", self.lowering.lower_expression(filename.value, STRING), filename)
            fates[f"{path}.filename"] = make_fate("value", self.to, f"part.{index}.filename")
        self.write_content_type(part, fields.get("subtype"), filename)
        if "subtype" in fields:
            why = "text/ followed by the subtype"
            fates[f"{path}.subtype"] = make_fate("derived", self.to, f"part.{index}.content_type", why)
        if "type" in fields:
            fates[f"{path}.type"] = make_fate("implied", why="a part is text by default")
        if (config := fields.get("config")) is not None:
            part.add_argument("content", self.lowering.lower_expression(config.value, STRING), config)
            how, why = how_written(config.value), ""
            if mime_parts.encode_part_if_needed(self.emission, part):
                how, why = "derived", mime_parts.WHY
                for key in ("filename", "subtype"):
                    if key in fields:
                        fates[f"{path}.{key}"] = make_fate("derived", self.to, f"part.{index}.content", why)
            fates[f"{path}.config"] = make_fate(how, self.to, f"part.{index}.content", why)
        elif "config" in item:
            part.add_argument("content", "")  # the provider requires it
        else:
            name = self.resource.name
            why = f"{path}.config of {name} is required, and Heat rejects the template without it"
            raise CannotSay(codes.WRONG_PROPERTY_TYPE, why, item, name)

    def write_content_type(self, part: Block, subtype: ir.Entry | None, filename: ir.Entry | None) -> None:
        """Writes `text/<subtype>`. The default is the stem of the file name, or `text/plain` if there is none."""
        if subtype is not None:
            pieces = ["text/", *self.lowering.lower_text_parts(subtype.value)]
            part.add_argument("content_type", self.lowering.compose_text(pieces).expr, subtype)
        elif filename is None:
            part.add_argument("content_type", "text/plain")
        elif isinstance(filename.value, ir.Lit):
            part.add_argument("content_type", f"text/{os.path.splitext(str(filename.value.value))[0]}")
        else:
            raise CannotSay(
                codes.ONLY_AT_RUN_TIME,
                "the type of a part depends on a file name that is known only at run time",
                filename.value,
                self.resource.name,
            )

    def write_inner_parts(self, inner: ir.Resource, item: ir.Map, path: str, fates: dict[str, Fate]) -> None:
        """Replaces a part that is itself a message with the parts of that message, which is paid for each time."""
        entry = inner.find_entry("parts")
        inner_fates: dict[str, Fate] = {}  # the paths of the inner parts are those of another resource
        if self.emission.unit.plan.get_index(mime_parts.nested_messages).get(inner.name):
            report = self.emission.log.resource_report(inner)
            report.treatment, report.addresses, inner_fates = "folded", [self.to], report.properties
            record_label_fates(inner, self.to, inner_fates)
        if entry is not None:
            spend_budget("expansions", 1 + len(ir.items_of(entry.value)), self.emission.unit.template.source, item)
            self.write_parts(entry, inner_fates)
        for field in item.entries:
            why = "replaced by the parts of the nested message"
            fates[f"{path}.{field.key}"] = make_fate("derived", self.to, "part", why)

    def write_unknown_message(self, item: ir.Map, path: str, fates: dict[str, Fate]) -> None:
        """Writes a nested message whose parts are known only at run time as one part, which cloud-init takes apart."""
        name, config, block = self.resource.name, item.get("config"), self.block
        if config is None or not self.emission.unit.policy.accepts_differences:
            raise only_at_run_time("the parts of a nested message are", item, name)
        if not block.has_argument("boundary"):  # a message inside must not end this one
            first = next((at for at, inner in enumerate(block.body) if isinstance(inner, Block)), len(block.body))
            block.body.insert(first, Argument("boundary", f"HOT2TF-{block.labels[1]}"[:LONGEST_BOUNDARY]))
        index = block.count_blocks()
        part = block.add_block("part", where=item)
        value = self.lowering.with_changes(in_text=True).lower_expression(config, STRING)
        part.add_argument("content_type", first_boot.user_data_type(value, None))
        part.add_argument("content", value, item)
        message = f"Heat takes the parts out of a message in {name}; here, cloud-init does. It also runs other texts."
        self.lowering.differs(codes.USER_DATA_WITHOUT_MIME, message, item, severity="info")
        for field in item.entries:
            why = "cloud-init takes it apart"
            fates[f"{path}.{field.key}"] = make_fate("derived", self.to, f"part.{index}.content", why)


WRITERS = {
    "software_config": write_software_config,
    "structured_config": write_structured_config,
    "cloud_config": write_cloud_config,
    "multipart": write_multipart,
}

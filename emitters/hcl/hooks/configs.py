"""Hooks of stored texts: software configs, cloud-configs, MIME messages.

Heat replaces the ID of a stored text with the text in user data and in MIME parts, and only there. Anywhere else the
resource stays with Heat. Inputs, outputs and group matter only to deployments.
"""

from __future__ import annotations

import os.path
from typing import TYPE_CHECKING

from emitters.hcl.errors import CannotSay
from emitters.hcl.hooks import first_boot, prepare_hook, signals, write_hook
from emitters.hcl.hooks.values import facts, prop
from emitters.hcl.namespace import snake
from emitters.hcl.resources.arguments import how_written
from emitters.hcl.resources.handles import Local
from emitters.hcl.tree.nodes import Attr, Block, Cond, Expr, Fn, Index, Name, Text, one_if
from emitters.hcl.tree.types import ANY, STRING, Type, Value
from transpile.diagnostics import codes
from transpile.model import heat_types, ir
from transpile.report import NO_VALUE, fate

if TYPE_CHECKING:
    from emitters.hcl.emission import Emission
    from emitters.hcl.lowering.lowering import Handle, Lowering
    from emitters.hcl.tables.mapping import Kind

BOUNDARY = "===============0=="
EMPTY = f'Content-Type: multipart/mixed; boundary="{BOUNDARY}"\nMIME-Version: 1.0\n\n--{BOUNDARY}\n\n--{BOUNDARY}--\n'
IMPLIED = {
    "group": "only deployments use the group",
    "inputs": "only deployments use inputs",
    "outputs": "only deployments use outputs",
    "options": "only deployments use options",
}


def local_of(
    emission: Emission,
    resource: ir.Resource,
    lowering: Lowering,
    expr: Expr,
    of: Type = STRING,
    how: str = "value",
    why: str = "",
) -> None:
    """Writes a stored text as a local, and records the fates of the properties."""
    report = emission.log.resource_report(resource)
    report.treatment = "folded"
    label = emission.names.locals.take(snake(resource.name))
    if resource.condition is not None and lowering.known(resource.condition) is None:
        expr = Cond(lowering.owned(label).condition(resource.condition), expr, None)
    emission.symbols.folded[resource.name] = (Name(("local", label)), of)
    emission.blocks.add_local(label, expr, resource)
    report.addresses = [f"local.{label}"]
    tell(emission, resource, f"local.{label}", label, how, why)


def inside(lowering: Lowering, resource: ir.Resource, *, in_text: bool = False) -> Lowering:
    """The lowering for the properties of a stored text."""
    owned = lowering.owned(snake(resource.name), facts=facts(resource), resource=resource.name)
    return owned.changed(in_text=in_text)


def tell(emission: Emission, resource: ir.Resource, to: str, argument: str, how: str, why: str) -> None:
    """Records the fates of the properties of a stored text."""
    report = emission.log.resource_report(resource)
    for entry in resource.properties.entries if resource.properties is not None else ():
        if entry.key in IMPLIED:
            report.properties[entry.key] = fate("implied", to, why=IMPLIED[entry.key])
        else:
            report.properties[entry.key] = fate(how, to, argument, why)


def written(emission: Emission, resource: ir.Resource, kind: Kind, lowering: Lowering) -> None:
    """Writes a stored text, unless an earlier reference has."""
    if resource.name not in emission.symbols.folded:
        WRITERS[kind.hook](emission, resource, lowering)


@prepare_hook("software_config", "structured_config", "cloud_config", "multipart")
def prepare(emission: Emission, resource: ir.Resource, kind: Kind) -> Handle:
    """The handle of a stored text. The first reference writes the text."""

    def get(lowering: Lowering) -> Value:
        written(emission, resource, kind, lowering)
        expr, of = emission.symbols.folded[resource.name]
        return Value(expr, of)

    return Local(emission, resource, ("config",), get, text=True)


@write_hook("software_config", "structured_config", "cloud_config", "multipart")
def write(emission: Emission, resource: ir.Resource, kind: Kind) -> None:
    written(emission, resource, kind, emission.lowering)


def software_config(emission: Emission, resource: ir.Resource, lowering: Lowering) -> None:
    """Writes the text itself, unless it is only part of the user data of servers."""
    if emission.unit.plan.only_boots(resource.name):
        first_boot.stored(emission, resource)
        return
    emission.symbols.folded[resource.name] = (None, STRING)  # begun, before its references are lowered
    entry = prop(resource, "config")
    expr: Expr = ""
    as_given = True
    if entry is not None:
        text = signals.quiet(emission, resource, entry.value)
        expr, as_given = inside(lowering, resource).expr(text, STRING), signals.as_given(emission, entry.value, text)
    how, why = ("value", "") if as_given else ("derived", signals.DIFFERENT)
    local_of(emission, resource, lowering, expr, how=how, why=why)


def structured_config(emission: Emission, resource: ir.Resource, lowering: Lowering) -> None:
    """Writes a map. Nothing reads it without a deployment."""
    if emission.unit.plan.only_boots(resource.name):
        first_boot.stored(emission, resource)
        return
    emission.symbols.folded[resource.name] = (None, ANY)
    entry = prop(resource, "config")
    expr = inside(lowering, resource).expr(entry.value) if entry is not None else None
    local_of(emission, resource, lowering, expr, ANY)


def cloud_config(emission: Emission, resource: ir.Resource, lowering: Lowering) -> None:
    """Writes `#cloud-config` followed by YAML."""
    emission.symbols.folded[resource.name] = (None, STRING)
    entry = prop(resource, "cloud_config")
    given = signals.quiet(emission, resource, entry.value) if entry is not None else None
    expr = inside(lowering, resource).expr(given) if given is not None else None
    text = Text(("#cloud-config\n", Fn("yamlencode", (expr,))))
    local_of(
        emission,
        resource,
        lowering,
        text,
        how="derived",
        why="equivalent YAML: keys are sorted, and strings are quoted",
    )


def multipart(emission: Emission, resource: ir.Resource, lowering: Lowering) -> None:
    """Writes a `cloudinit_config` data source with the same parts."""
    address = emission.names.data_source("cloudinit_config", snake(resource.name))
    name = Name(("data", *address))
    counted = resource.condition is not None and lowering.known(resource.condition) is None
    emission.symbols.folded[resource.name] = (
        Attr(Index(name, 0), "rendered") if counted else Attr(name, "rendered"),
        STRING,
    )
    block = Block("data", address, span=resource.span)
    report = emission.log.resource_report(resource)
    to = f"data.{'.'.join(address)}"
    report.treatment, report.addresses = "folded", [to]
    if counted and resource.condition is not None:
        owned = lowering.owned(snake(resource.name))
        block.set("count", one_if(owned.condition(resource.condition)))
    block.set("gzip", False)
    block.set("base64_encode", False)
    entry = prop(resource, "parts")
    if entry is not None:
        parts(emission, resource, inside(lowering, resource, in_text=True), block, to, entry, "parts")
    if boots := emission.unit.plan.boots(resource.name):
        first_boot.parts(emission, block, to, boots)
    for other in resource.properties.entries if resource.properties is not None else ():
        if other.key in IMPLIED:
            report.properties[other.key] = fate("implied", to, why="it is only a label")
        elif other.key == "parts" and entry is None:
            report.properties["parts"] = fate("implied", to, why="no parts are set")
    if any(isinstance(item, Block) for item in block.body):
        emission.blocks.providers.add("cloudinit")
        emission.blocks.data.append(block)
    else:  # the provider refuses a message without parts
        local_of(emission, resource, lowering, EMPTY, how="derived", why="the message without parts that Heat makes")


def parts(
    emission: Emission,
    resource: ir.Resource,
    lowering: Lowering,
    block: Block,
    to: str,
    entry: ir.Entry,
    prefix: str,
) -> None:
    """Writes the parts of a message. prefix: of their paths in the report."""
    if not isinstance(entry.value, ir.Seq) or not all(isinstance(i, ir.Map) for i in entry.value.items):
        raise CannotSay(
            codes.ONLY_AT_RUN_TIME,
            f"the parts of {resource.name} are known only at run time",
            entry.value,
            resource.name,
        )
    report = emission.log.resource_report(resource)
    index = seen = 0  # of the next block, which is not `i`: a nested message becomes as many parts as it has
    for i, item in enumerate(entry.value.items):
        assert isinstance(item, ir.Map)
        index += sum(isinstance(b, Block) for b in block.body[seen:])
        path, seen = f"{prefix}.{i}", len(block.body)
        if item.get("type") == ir.Lit("multipart"):
            inner_parts(emission, resource, lowering, block, to, item, path)
            continue
        part = block.block("part", where=item)
        given = {e.key: e for e in item.entries if e.value not in (ir.NULL, ir.Lit(""))}
        for one in item.entries:
            if one.key not in given:
                report.properties[f"{path}.{one.key}"] = fate("implied", why=NO_VALUE)
        if (filename := given.get("filename")) is not None:
            part.set("filename", lowering.expr(filename.value, STRING), filename)
            report.properties[f"{path}.filename"] = fate("value", to, f"part.{index}.filename")
        content_type(emission, lowering, part, given, path, to, index, resource)
        if "type" in given:
            report.properties[f"{path}.type"] = fate("implied", why="a part is text by default")
        if (config := given.get("config")) is not None:
            value = lowering.expr(config.value, STRING)
            part.set("content", value, config)
            how = how_written(config.value)
            report.properties[f"{path}.config"] = fate(how, to, f"part.{index}.content")


def content_type(
    emission: Emission,
    lowering: Lowering,
    part: Block,
    given: dict[str, ir.Entry],
    path: str,
    to: str,
    index: int,
    resource: ir.Resource,
) -> None:
    """Writes `text/<subtype>`. The default is the stem of the file name, or `text/plain` if there is no file name."""
    report = emission.log.resource_report(resource)
    subtype, filename = given.get("subtype"), given.get("filename")
    if subtype is not None:
        parts_ = ["text/", *lowering.text(subtype.value)]
        part.set("content_type", lowering.compose(parts_).expr, subtype)
        report.properties[f"{path}.subtype"] = fate(
            "derived", to, f"part.{index}.content_type", "text/ followed by the subtype"
        )
    elif filename is None:
        part.set("content_type", "text/plain")
    elif isinstance(filename.value, ir.Lit):
        part.set("content_type", f"text/{os.path.splitext(str(filename.value.value))[0]}")
    else:
        raise CannotSay(
            codes.ONLY_AT_RUN_TIME,
            "the type of a part depends on a file name that is known only at run time",
            filename.value,
            resource.name,
        )


def inner_parts(
    emission: Emission, resource: ir.Resource, lowering: Lowering, block: Block, to: str, item: ir.Map, path: str
) -> None:
    """Replaces a part that is itself a message with the parts of that message."""
    config = item.get("config")
    template = emission.unit.template
    inner = template.resources.get(config.name) if isinstance(config, ir.ResourceRef) else None
    if (
        inner is None
        or inner.kind != heat_types.MULTIPART_MIME
        or inner.condition is not None
        or emission.unit.plan.embeds(inner.name)
    ):
        raise CannotSay(
            codes.ONLY_AT_RUN_TIME,
            "the parts of a nested message are known only at run time",
            item,
            resource.name,
        )
    report = emission.log.resource_report(resource)
    entry = prop(inner, "parts")
    if entry is not None:
        saved = dict(report.properties)  # the paths of the inner parts are those of another resource
        parts(emission, resource, lowering, block, to, entry, "parts")
        report.properties = saved
    for one in item.entries:
        report.properties[f"{path}.{one.key}"] = fate(
            "derived", to, "part", "replaced by the parts of the nested message"
        )


WRITERS = {
    "software_config": software_config,
    "structured_config": structured_config,
    "cloud_config": cloud_config,
    "multipart": multipart,
}

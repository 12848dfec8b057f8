"""Deployments as parts of their server's user data, if the user prefers native resources.

Invariant: every value that a shell reads is quoted for the shell. User data runs once, when the server is created, and
a new input value replaces the server: every such deployment gets a diagnostic that says so.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from emitters.hcl.errors import CannotSay
from emitters.hcl.hooks import prepare_hook, write_hook
from emitters.hcl.hooks.shell import quoted
from emitters.hcl.namespace import snake
from emitters.hcl.plan import deployments, referrals
from emitters.hcl.resources.handles import GivenUp
from emitters.hcl.tree.nodes import Attr, Block, Expr, Name
from emitters.hcl.tree.types import STRING, Value
from transpile.model import ir
from transpile.report import fate

if TYPE_CHECKING:
    from emitters.hcl.emission import Emission
    from emitters.hcl.lowering.lowering import Handle, Lowering
    from emitters.hcl.resources.writer import Writer
    from emitters.hcl.tables.mapping import Kind

ONCE = "the script is part of this server's user data, which runs when the server is created"


@prepare_hook("first_boot")
def prepare(emission: Emission, resource: ir.Resource, kind: Kind) -> Handle:
    return GivenUp(resource, "HOT560")


@write_hook("first_boot")
def write(emission: Emission, resource: ir.Resource, kind: Kind) -> None:
    """Writes nothing: the script is written with the user data."""
    emission.log.resource_report(resource).treatment = "folded"


def message(writer: Writer, boots: list[str], given: Expr | None) -> Expr:
    """The user data of a server with deployments: a MIME message whose first part is the original user data."""
    emission = writer.emission
    address = emission.names.data_source("cloudinit_config", snake(f"{writer.resource.name}_user_data"))
    emission.blocks.providers.add("cloudinit")
    block = Block("data", address)
    if writer.lowering.scope.repeated is not None:
        raise CannotSay(
            "HOT404", "the server has deployments and is in a group", writer.resource.at, writer.resource.at
        )
    block.set("gzip", False)
    block.set("base64_encode", False)
    if given is not None:
        part = block.block("part")
        part.set("content_type", "text/plain")  # cloud-init determines the real type from the first line
        part.set("content", given)
    parts(emission, block, f"data.{'.'.join(address)}", boots)
    emission.blocks.data.append(block)
    return Attr(Name(("data", *address)), "rendered")


def parts(emission: Emission, block: Block, to: str, boots: list[str]) -> None:
    """Writes a part for each deployment, and records the deployment's fates."""
    template, stack = emission.unit.template, emission.unit.stack
    index = seen = 0
    for name in boots:
        deployment = template.resources[name]
        config = template.resources[referrals.refers(stack, name, "config") or ""]
        index += sum(isinstance(b, Block) for b in block.body[seen:])
        seen = len(block.body)
        part = block.block("part", at=deployment.at, end=deployment.end)
        part.set("filename", config.name)
        part.set("content_type", "text/x-shellscript")
        lowering = emission.lowering.owned(snake(name), resource=name)
        part.set("content", content(lowering, deployment, config))
        emission.log.differs(
            "HOT561",
            f"{name} is part of the user data: it runs only at first boot, and a new input value replaces the server.",
            deployment.type_at,
            deployment.type_at + len(deployment.type),
        )
        told(emission, deployment, config, to, f"part.{index}")


def content(lowering: Lowering, deployment: ir.Resource, config: ir.Resource) -> Expr:
    """The script, with its inputs exported below the interpreter line."""
    text = deployments.script(lowering.unit.stack, config)
    given = deployments.inputs(lowering.unit.stack, deployment, config)
    assert text is not None
    assert given is not None
    first, newline, rest = text.partition("\n")
    pieces: list[str | Value] = [first, newline or "\n"]
    for name, expr in given.items():
        value = lowering.value(expr, STRING)
        if value.type.kind not in ("string", "number"):
            why = f"only Heat's hook knows how {deployment.name} exports {name} to the environment"
            raise CannotSay("HOT404", why, expr.at, expr.end, deployment.name)
        pieces += [f"export {name}=", *quoted(value.expr), "\n"]
    return lowering.compose([*pieces, rest]).expr


def told(emission: Emission, deployment: ir.Resource, config: ir.Resource, to: str, part: str) -> None:
    report = emission.log.resource_report(deployment)
    report.treatment, report.addresses = "folded", [to]
    inside = f"{part}.content"
    for entry in deployment.properties.entries if deployment.properties is not None else ():
        if entry.key == "input_values" and isinstance(entry.value, ir.Map):
            for item in entry.value.entries:
                report.properties[f"input_values.{item.key}"] = fate(
                    "derived", to, inside, "quoted for the shell, and exported after the first line of the script"
                )
        elif entry.key == "signal_transport":
            report.properties[entry.key] = fate("implied", to, inside, "user data sends no signal")
        elif entry.key == "name":
            report.properties[entry.key] = fate("implied", to, inside, "it is only a label")
        else:
            report.properties[entry.key] = fate("derived", to, inside, ONCE)
    for key in deployment.keys:
        if key not in ("type", "properties", "Type", "Properties"):
            report.keys.setdefault(key, fate("implied", to, inside, "the parts run in the order of the deployments"))
    if emission.unit.plan.only_boots(config.name):
        stored = emission.log.resource_report(config)
        stored.treatment, stored.addresses = "folded", [to]
        for path in listed(config):
            stored.properties[path] = fate("derived", to, inside, "the script, with its inputs exported")


def listed(config: ir.Resource) -> list[str]:
    """The properties of a stored text, by path."""
    found = []
    for entry in config.properties.entries if config.properties is not None else ():
        if isinstance(entry.value, ir.Seq):
            for i, item in enumerate(entry.value.items):
                words = [e.key for e in item.entries] if isinstance(item, ir.Map) else []
                found += [f"{entry.key}.{i}.{word}" for word in words] or [f"{entry.key}.{i}"]
        else:
            found.append(entry.key)
    return found

"""Writes the blocks of resources that become the configuration of a provider."""

from __future__ import annotations

from typing import TYPE_CHECKING

from emitters.hcl.errors import CannotSay
from emitters.hcl.resources.configuration import Configured
from emitters.hcl.resources.keys import keys_of
from emitters.hcl.resources.writer import Writer
from emitters.hcl.tree.nodes import Block

if TYPE_CHECKING:
    from emitters.hcl.emission import Emission
    from emitters.hcl.tables.mapping import Kind
    from transpile.model import ir


def write(emission: Emission, resource: ir.Resource, kind: Kind) -> None:
    """Writes the block, and the fates of the resource."""
    handle = emission.handles[resource.name]
    assert isinstance(handle, Configured)
    for entry in resource.properties.entries if resource.properties is not None else ():
        if emission.unit.unknown(entry.value):
            why = f"{entry.key} of {resource.name} is known only after apply, and a provider is configured before"
            raise CannotSay("HOT404", why, entry.value.at, entry.value.end, resource.name)
    local, alias = handle.parts
    lowering = emission.lowering.owned(alias, resource=resource.name)
    writer = Writer(emission, resource, kind, (kind.resource, alias), resource.properties, lowering)
    writer.block = Block("provider", (local,), at=resource.at, end=resource.end)
    writer.blocks = [writer.block]
    writer.block.set("alias", alias)
    writer.write()
    report = writer.report
    report.treatment, report.addresses = "folded", []
    report.why = f"it became the configuration {writer.to}"
    keys_of(emission, resource, [], nothing=True)
    emission.blocks.configurations.append(writer.block)
    emission.blocks.providers.add(local)

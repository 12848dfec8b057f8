"""Resources that become the configuration of a provider, and resources that choose one.

Invariant: a configuration is static. Terraform reads it before it knows anything else, so what depends on a condition,
on other resources or on a caller stays with Heat, and so does whatever uses it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, final

from emitters.hcl.errors import CannotSay
from emitters.hcl.hooks import finish_hook, prepare_hook, write_hook
from emitters.hcl.namespace import snake
from emitters.hcl.resources.keys import keys_of
from emitters.hcl.resources.rules import write_properties
from emitters.hcl.resources.writer import Writer
from emitters.hcl.tables.provider import CONFIGURATION
from emitters.hcl.tree.nodes import Block, Name
from transpile.diagnostics import codes
from transpile.model import ir

if TYPE_CHECKING:
    from emitters.hcl.emission import Emission
    from emitters.hcl.lowering.lowering import Lowering
    from emitters.hcl.tables.mapping import Kind
    from emitters.hcl.tree.types import Value


@final
class Configured:
    """The handle of a provider's configuration. parts: the provider's name and the alias."""

    def __init__(self, emission: Emission, resource: ir.Resource, kind: Kind) -> None:
        self.resource = resource
        alias = emission.names.label(kind.resource, snake(resource.name))
        self.parts = (kind.resource.removeprefix(CONFIGURATION), alias)

    def reference(self, lowering: Lowering, ref: ir.Expr) -> Value:
        name = self.resource.name
        why = f"{name} would be the configuration of a provider, to which nothing else can refer"
        raise CannotSay(codes.GROUP_WITHOUT_ID, why, ref, name)

    def attribute(self, lowering: Lowering, ref: ir.AttrRef) -> Value:
        return self.reference(lowering, ref)


@prepare_hook("provider_configuration")
def prepare(emission: Emission, resource: ir.Resource, kind: Kind) -> Configured:
    """The handle of a resource that becomes a configuration. Raises CannotSay if it cannot."""
    if emission.unit.module is not None:
        why = f"{resource.name} would be the configuration of a provider, and a module cannot have one"
        raise CannotSay(codes.KEPT_IN_HEAT, why, resource.name_span, resource.name)
    if resource.condition is not None and not isinstance(emission.unit.settled(resource.condition), ir.Lit):
        why = f"{resource.name} has a condition, and the configuration of a provider cannot"
        raise CannotSay(codes.ONLY_AT_RUN_TIME, why, resource.condition, resource.name)
    return Configured(emission, resource, kind)


@write_hook("provider_configuration")
def write(emission: Emission, resource: ir.Resource, kind: Kind) -> None:
    """Writes the block, and the fates of the resource."""
    handle = emission.handles[resource.name]
    assert isinstance(handle, Configured)
    for entry in resource.properties.entries if resource.properties is not None else ():
        if emission.unit.unknown(entry.value):
            why = f"{entry.key} of {resource.name} is known only after apply, and a provider is configured before"
            raise CannotSay(codes.ONLY_AT_RUN_TIME, why, entry.value, resource.name)
    local, alias = handle.parts
    lowering = emission.lowering.owned(alias, resource=resource.name)
    writer = Writer(emission, resource, kind, (kind.resource, alias), resource.properties, lowering)
    writer.block = Block("provider", (local,), span=resource.span)
    writer.blocks = [writer.block]
    writer.block.set("alias", alias)
    write_properties(writer)
    report = writer.report
    report.treatment, report.addresses = "folded", []
    report.why = f"it became the configuration {writer.to}"
    keys_of(emission, resource, [], nothing=True)
    emission.blocks.configurations.append(writer.block)
    emission.blocks.providers.add(local)


@finish_hook("chosen_provider")
def choose(writer: Writer) -> None:
    """Writes the meta-argument `provider`, for the property that says which configuration a resource uses."""
    entry = writer.given.get(writer.kind.provider)
    if entry is None or entry.value == ir.NULL:
        if entry is not None:
            writer.default(entry.key)
        return
    expr, name = entry.value, writer.resource.name
    handle = writer.emission.handles.get(expr.name) if isinstance(expr, ir.ResourceRef) else None
    if not isinstance(handle, Configured):
        why = f"{entry.key} of {name} is no resource here that becomes the configuration of a provider"
        raise CannotSay(codes.KEPT_IN_HEAT, why, expr, name)
    if not writer.address[0].startswith(f"{handle.parts[0]}_"):
        why = f"{entry.key} of {name} is the configuration of {handle.parts[0]}, and {writer.address[0]} is not of it"
        raise CannotSay(codes.KEPT_IN_HEAT, why, expr, name)
    writer.configuration = handle.parts
    writer.block.set("provider", Name(handle.parts), entry)
    writer.is_value(entry.key, "provider", "derived", why="the configuration that the resource became")

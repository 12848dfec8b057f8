"""Resources that become the configuration of a provider, and resources that choose one.

Invariant: a configuration is static. Terraform reads it before it knows anything else. So a configuration that depends
on a condition, on other resources or on a caller stays with Heat, with the resources that use it.
"""

from __future__ import annotations

from typing import final

from emitters.hcl.emission import Emission
from emitters.hcl.errors import CannotSay
from emitters.hcl.hooks import Prepared, finish_hook, resource_hook
from emitters.hcl.lowering.lowering import HclLowering
from emitters.hcl.namespace import snake_case
from emitters.hcl.resources.keys import write_resource_keys
from emitters.hcl.resources.rules import write_properties
from emitters.hcl.resources.writer import Writer
from emitters.hcl.resources.written import Written
from emitters.hcl.tables.provider import CONFIGURATION
from emitters.hcl.tree.nodes import Block, Traversal
from emitters.hcl.tree.types import TypedValue
from transpile.diagnostics import codes
from transpile.model import ir


@final
class ProviderHandle:
    """The handle of a provider's configuration. parts: the provider's name and the alias."""

    def __init__(self, emission: Emission, resource: ir.Resource) -> None:
        self.resource, self.kind = resource, emission.mapping_of(resource)
        alias = emission.names.reserve_label(self.kind.resource, snake_case(resource.name))
        self.parts = (self.kind.resource.removeprefix(CONFIGURATION), alias)

    def lower_reference(self, lowering: HclLowering, ref: ir.Expr) -> TypedValue:
        name = self.resource.name
        why = f"{name} would be the configuration of a provider, to which nothing else can refer"
        raise CannotSay(codes.GROUP_WITHOUT_ID, why, ref, name)

    def lower_attribute(self, lowering: HclLowering, ref: ir.AttrRef) -> TypedValue:
        return self.lower_reference(lowering, ref)


@resource_hook("provider_configuration")
def prepare_provider_configuration(emission: Emission, resource: ir.Resource) -> Prepared:
    """The handle of a resource that becomes a configuration. Raises CannotSay if it cannot."""
    if not emission.unit.module.is_root:
        why = f"{resource.name} would be the configuration of a provider, and a module cannot have one"
        raise CannotSay(codes.KEPT_IN_HEAT, why, resource.name_span, resource.name)
    if resource.is_conditional and not isinstance(emission.unit.settle_condition(resource.condition), ir.Lit):
        why = f"{resource.name} has a condition, and the configuration of a provider cannot"
        raise CannotSay(codes.ONLY_AT_RUN_TIME, why, resource.condition, resource.name)
    handle = ProviderHandle(emission, resource)
    return Prepared(handle, lambda: write_provider_configuration(emission, handle))


def write_provider_configuration(emission: Emission, handle: ProviderHandle) -> None:
    """Writes the block, and the fates of the resource."""
    resource, kind = handle.resource, handle.kind
    for entry in resource.entries:
        if emission.unit.is_unknown_before_apply(entry.value):
            why = f"{entry.key} of {resource.name} is known only after apply, and a provider is configured before"
            raise CannotSay(codes.ONLY_AT_RUN_TIME, why, entry.value, resource.name)
    local, alias = handle.parts
    lowering = emission.lowering.with_owner(alias, resource=resource.name)
    writer = Writer(emission, resource, kind, (kind.resource, alias), resource.properties, lowering)
    writer.block = Block("provider", (local,), span=resource.span)
    writer.blocks = [writer.block]
    writer.block.add_argument("alias", alias)
    write_properties(writer)
    report = writer.report
    report.treatment, report.addresses = "folded", []
    report.why = f"it became the configuration {writer.to}"
    write_resource_keys(emission, resource, [], nothing=True)
    emission.blocks.configurations.append(writer.block)


@finish_hook("chosen_provider")
def write_provider_argument(writer: Writer) -> None:
    """Writes the meta-argument `provider`, for the property that says which configuration a resource uses."""
    entry = writer.entries.get(writer.kind.provider)
    if entry is None:
        return
    if entry.value == ir.NULL:
        writer.add(Written.default(entry.key))
        return
    expr, name = entry.value, writer.resource.name
    handle = writer.emission.handles.get(expr.name) if isinstance(expr, ir.ResourceRef) else None
    if not isinstance(handle, ProviderHandle):
        why = f"{entry.key} of {name} is no resource here that becomes the configuration of a provider"
        raise CannotSay(codes.KEPT_IN_HEAT, why, expr, name)
    if not writer.address[0].startswith(f"{handle.parts[0]}_"):
        why = f"{entry.key} of {name} is the configuration of {handle.parts[0]}, and {writer.address[0]} is not of it"
        raise CannotSay(codes.KEPT_IN_HEAT, why, expr, name)
    writer.configuration = handle.parts
    why = "the configuration that the resource became"
    writer.add(Written.value(entry, "provider", Traversal(handle.parts), "derived", why))

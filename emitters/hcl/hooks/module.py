"""Nested templates as `module` blocks.

Invariant: if a module could not be written, its caller stays with Heat.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from emitters.hcl.errors import CannotSay
from emitters.hcl.hooks import prepare_hook, write_hook
from emitters.hcl.namespace import snake
from emitters.hcl.nested.calls import Call, Called
from transpile.diagnostics import codes

if TYPE_CHECKING:
    from emitters.hcl.emission import Emission
    from emitters.hcl.lowering.lowering import Handle
    from emitters.hcl.tables.mapping import Kind
    from transpile.model import ir


@prepare_hook("module")
def prepare(emission: Emission, resource: ir.Resource, kind: Kind) -> Handle:
    return called(emission, resource, resource.type, counted=emission.unit.counted(resource))


def called(
    emission: Emission, resource: ir.Resource, written: str, *, counted: bool = False, label: str = ""
) -> Called:
    """The handle of a module call. Raises CannotSay if the nested template could not become a module."""
    assert emission.unit.modules is not None
    module = emission.unit.modules.of(emission.unit.stack.nested[resource.name, written])
    if module.interface is None:
        why = f"{module.file} cannot be a module: {module.why}"
        raise CannotSay(codes.KEPT_IN_HEAT, why, resource.type_span, resource.name)
    label = emission.names.label("module", label or snake(resource.name))
    emission.modules[label] = module
    return Called(emission, resource, module, label, counted=counted)


@write_hook("module")
def write(emission: Emission, resource: ir.Resource, kind: Kind) -> None:
    handle = emission.handles[resource.name]
    assert isinstance(handle, Called)
    lowering = emission.lowering.of_resource(resource, handle.address[1])
    Call(emission, handle, resource.properties, lowering).write()

"""Nested templates as `module` blocks.

Invariant: if a module could not be written, its caller stays with Heat.
"""

from __future__ import annotations

from emitters.hcl.emission import Emission
from emitters.hcl.errors import CannotSay
from emitters.hcl.hooks import Prepared, resource_hook
from emitters.hcl.namespace import snake_case
from emitters.hcl.nested.calls import CallWriter, ModuleHandle
from transpile.diagnostics import codes
from transpile.model import ir


@resource_hook("module")
def prepare_module(emission: Emission, resource: ir.Resource) -> Prepared:
    handle = prepare_call(emission, resource, resource.type, counted=emission.unit.has_count(resource))
    return Prepared(handle, lambda: write_module(emission, resource, handle))


def prepare_call(
    emission: Emission, resource: ir.Resource, written: str, *, counted: bool = False, label: str = ""
) -> ModuleHandle:
    """The handle of a module call. Raises CannotSay if the nested template could not become a module."""
    module = emission.unit.modules.module_of_nested(emission.unit.stack.nested[resource.name, written])
    if module.interface is None:
        why = f"{module.file} cannot be a module: {module.why}"
        raise CannotSay(codes.KEPT_IN_HEAT, why, resource.type_span, resource.name)
    label = emission.names.reserve_label("module", label or snake_case(resource.name))
    emission.modules[label] = module
    return ModuleHandle(emission, resource, module, label, counted=counted)


def write_module(emission: Emission, resource: ir.Resource, handle: ModuleHandle) -> None:
    lowering = emission.lowering.with_resource(resource, handle.address[1])
    CallWriter(emission, handle, resource.properties, lowering).write_module_block()

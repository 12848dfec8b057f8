"""Nested templates as `module` blocks.

The easy rule to break: a module that could not be written makes what calls it stay with Heat.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from emitters.hcl.errors import CannotSay
from emitters.hcl.namespace import snake
from emitters.hcl.nested.calls import Call, Called
from emitters.hcl.resources.hooks import prepare_hook, write_hook

if TYPE_CHECKING:
    from emitters.hcl.directory import Directory
    from emitters.hcl.resources.handles import Handle
    from emitters.hcl.tables.mapping import Kind
    from transpile.model import ir


@prepare_hook("module")
def prepare(directory: Directory, resource: ir.Resource, kind: Kind) -> Handle:
    return called(directory, resource, resource.type, counted=directory.counted(resource))


def called(
    directory: Directory, resource: ir.Resource, written: str, *, counted: bool = False, label: str = ""
) -> Called:
    """The handle of a call; raises CannotSay if there is no such module."""
    assert directory.modules is not None
    module = directory.modules.of(directory.stack.nested[resource.name, written])
    if module.directory is None:
        why = f"{module.file} cannot be a module: {module.why}"
        raise CannotSay("HOT450", why, resource.type_at, resource.type_at + len(resource.type), resource.name)
    label = directory.label("module", label or snake(resource.name))
    directory.calls[label] = module
    return Called(directory, resource, module, label, counted=counted)


@write_hook("module")
def write(directory: Directory, resource: ir.Resource, kind: Kind) -> None:
    handle = directory.handles[resource.name]
    assert isinstance(handle, Called)
    with directory.writing(resource, handle.address[1]):
        Call(directory, handle, resource.properties).write()

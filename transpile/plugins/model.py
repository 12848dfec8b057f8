"""What is known of plug-ins."""

from __future__ import annotations

from typing import TYPE_CHECKING, final

from transpile.model.records import node, record
from transpile.model.span import Placed, Span

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from transpile.diagnostics.model import Diagnostic
    from transpile.model.source import Source
    from transpile.schema.catalog import Type


@final
@node
class Place(Placed):
    """Where something stands in a plug-in's file. `name`: of the class there, if it is one."""

    source: Source
    span: Span
    name: str = ""


@final
@record
class PluginType(Placed):
    """A resource type of a plug-in.

    `span`: where its class stands in `source`; `module`: the class's module, as below heat.engine.plugins;
    `requires`: the library without which the type is not registered ("?" for another condition); `replaces`: it is a
    type of Heat's own; `checks_itself`: it has checks of its own, which only Heat can make; `unread`: what could not
    be read, "base class" among it.
    """

    name: str
    facts: Type
    source: Source
    span: Span
    module: str
    requires: str = ""
    replaces: bool = False
    handlers: tuple[str, ...] = ()
    checks_itself: bool = False
    unread: tuple[str, ...] = ()


@final
@record
class Directory:
    """A plug-in directory. `path`: as given; `modules`: files that were read; `types`: names that it registers, in
    order; `unread`: files that could not be read, as diagnostics name them.
    """

    path: str
    modules: int
    types: Sequence[str]
    unread: Sequence[str]


@final
@record
class Plugins:
    """All plug-ins of a run. `types`: by name, the later registration wins; `constraints`: custom constraints that the
    plug-ins register, with the place of their class.
    """

    types: Mapping[str, PluginType]
    constraints: Mapping[str, Place]
    diagnostics: Sequence[Diagnostic]
    directories: Sequence[Directory]

"""Holds the facts about plug-ins that a reading returns."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, final

from transpile.diagnostics.model import Diagnostic
from transpile.model.records import node, record
from transpile.model.source import Source
from transpile.model.span import Span, WithSpan

if TYPE_CHECKING:
    from transpile.schema.catalog import TypeFacts


@final
@node
class PluginPlace(WithSpan):
    """A place in a plug-in's file. `name`: that of the class at this place, if it is the place of a class."""

    source: Source
    span: Span
    name: str = ""


@final
@record
class PluginType(WithSpan):
    """A resource type of a plug-in.

    `span`: the place of its class in `source`; `module`: the module of the class, without heat.engine.plugins;
    `requires`: the library without which the type is not registered ("?" for another condition); `replaces`: whether
    Heat has a type of this name; `checks_itself`: whether it has checks of its own, which only Heat can run; `unread`:
    the names of facts that could not be read, such as "base class".
    """

    name: str
    facts: TypeFacts
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
class PluginDirectory:
    """A plug-in directory. `path`: as the user wrote it; `modules`: the number of files that were read; `types`: the
    names of types that it registers, in order; `unread`: paths of files that could not be read, as in diagnostics.
    """

    path: str
    modules: int
    types: Sequence[str]
    unread: Sequence[str]


@final
@record
class Plugins:
    """All plug-ins of a run. `types`: by name; if two plug-ins register a name, the later one counts; `constraints`:
    the custom constraints that plug-ins register, with the places of their classes.
    """

    types: Mapping[str, PluginType]
    constraints: Mapping[str, PluginPlace]
    diagnostics: Sequence[Diagnostic]
    directories: Sequence[PluginDirectory]

"""The plan of a migration: the stacks of a source tree, and the reason why each other file makes none.

Invariant: paths are relative to the source tree, with forward slashes. A plan depends on the tree's content alone, and
its parts come in a fixed order.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, final

from transpile.diagnostics.model import Diagnostic
from transpile.model.records import field, node

MODULES, STATE = "modules", ".hot2tf"  # directories at the top of the result that belong to no stack


@final
@node
class JoinedTemplates:
    """Templates that are equal but for literals, and share a directory. values: the dotted paths of these literals."""

    output: str
    templates: tuple[str, ...]
    values: tuple[str, ...] = ()


@final
@node
class JoinedStack:
    """The data of a stack whose template is one of several in a directory. template: the template that all are
    converted from; output: the directory that it would have alone; variables: the name and type of a parameter by the
    dotted path of the literal in whose place it stands; note: the description in its own template.
    """

    template: str
    output: str
    variables: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    note: str = ""


@final
@node
class StackPlan:
    """One stack. `environments`: the later wins; `parameters`, `render` (values for a Jinja2 source) and `options` (of
    the target) come from the plan file alone. `name`: unique, for people; `output`: its directory in the result; `why`:
    how it was found, in words. `environment`: the name of its environment, the last part of `output`, if it may share
    the directory around `output` with other environments of its template; empty if it has a directory of its own.
    `joined`: set if it shares that directory with stacks of other templates.
    """

    template: str
    environments: tuple[str, ...] = ()
    parameters: Mapping[str, str] = field(default_factory=dict)
    render: Mapping[str, Any] = field(default_factory=dict)
    options: Mapping[str, str] = field(default_factory=dict)
    name: str = ""
    output: str = ""
    why: str = ""
    environment: str = ""
    joined: JoinedStack | None = None


@final
@node
class MigrationPlan:
    """`stacks`: by output; `nested`: the templates and environments that refer to a template; `others`: the kind of
    each remaining file of Heat's, and why it makes no stack; `undecided`: the environments among them that the user has
    to pair; `ignored`: patterns of files that were left out; `joins`: the templates that share a directory.
    """

    stacks: tuple[StackPlan, ...] = ()
    nested: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    others: Mapping[str, str] = field(default_factory=dict)
    undecided: tuple[str, ...] = ()
    ignored: tuple[str, ...] = ()
    diagnostics: tuple[Diagnostic, ...] = ()
    joins: tuple[JoinedTemplates, ...] = ()

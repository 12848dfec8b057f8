"""A running stack as Heat has stored it: from an export, from the output of the client, or from a cloud.

Invariant: it contains only data of the input. The linker interprets the template; missing values stay missing.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, final

from transpile.diagnostics.model import MASK
from transpile.model import heat_types
from transpile.model.records import EMPTY, record
from transpile.model.source import Source
from transpile.model.span import START, Span, WithSpan


@final
@record
class LiveResource(WithSpan):
    """One resource of a running stack.

    `type`: as its template spells it. `physical_id`: None if nothing was made, or if the input lacks it. `metadata`,
    `data`: as Heat stores them, the latter its `resource_data`; both may hold secrets. `stack`: the nested stack that
    it stands for. `attributes`: its attributes in the input, often none. `span`: where the input
    names it, in the text of `LiveStack.source`.
    """

    name: str
    type: str
    physical_id: str | None = None
    action: str = ""
    status: str = ""
    metadata: Mapping[str, Any] = EMPTY
    data: Mapping[str, Any] = EMPTY
    stack: LiveStack | None = None
    attributes: Mapping[str, Any] = EMPTY
    span: Span = START

    @property
    def members(self) -> Mapping[str, LiveResource]:
        """The resources of its nested stack, by name; none if it has no such stack."""
        return self.stack.resources if self.stack else EMPTY

    @property
    def state(self) -> str:
        """The action and its status, as Heat prints them: CREATE_COMPLETE."""
        return f"{self.action}_{self.status}" if self.status else ""

    @property
    def shown_id(self) -> str:
        """The ID as files may show it: asterisks if it is a secret, such as a random string of old Heat."""
        own_value = self.data.get("value")
        is_secret = self.physical_id == own_value or (own_value is None and self.type == heat_types.RANDOM_STRING)
        return MASK if self.physical_id and is_secret else self.physical_id or ""

    def is_empty_stack(self) -> bool:
        """Whether it stands for a nested stack in which nothing is, such as a group without members."""
        return self.stack is not None and not self.stack.resources


@final
@record
class LiveStack(WithSpan):
    """A running stack.

    `template`, `environment`: their texts, whose places lead back into `source`; None if the input has none. `files`:
    the texts that the template names, by the names that Heat knows them by. `parameters`: the values of all parameters,
    if the input has them; those of the environment are not repeated here. `resources`: by name, in the order of the
    input. `source`: the text that diagnostics point into; `span`: the stack in it. `deleted`: it no longer exists.
    `parent`: the ID of the stack that it is part of, of the outermost one that was read.
    """

    name: str
    id: str
    source: Source
    action: str = ""
    status: str = ""
    template: Source | None = None
    environment: Source | None = None
    files: Mapping[str, str] = EMPTY
    parameters: Mapping[str, Any] = EMPTY
    resources: Mapping[str, LiveResource] = EMPTY
    project: str = ""
    user_project: str = ""
    tags: tuple[str, ...] = ()
    outputs: Mapping[str, Any] = EMPTY
    deleted: bool = False
    parent: str = ""
    span: Span = START

    @property
    def state(self) -> str:
        return f"{self.action}_{self.status}" if self.status else ""

    def walk_resources(self, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], LiveResource]]:
        """All resources with the names that lead to them, those of nested stacks after their owners."""
        for name, resource in self.resources.items():
            yield (*path, name), resource
            if resource.stack is not None:
                yield from resource.stack.walk_resources((*path, name))

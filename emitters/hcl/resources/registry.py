"""Hooks by the names that the mapping tables use."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar, TypeVar, final

F = TypeVar("F")


@final
class HookRegistry(dict[str, F]):
    """The hooks of one kind. The module of a hook is imported when the hook is first asked for, because a template
    needs few of them. `load` imports it; the package of the hooks, which this room does not know, sets it.
    """

    load: ClassVar[Callable[[str], object]]

    def __missing__(self, name: str) -> F:
        HookRegistry.load(name)
        if name not in self:
            raise KeyError(name)
        return self[name]

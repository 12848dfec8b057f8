"""Runs branches whose test is unknown: each branch's changes are recorded and undone, and the results are joined.

Invariant: `record_change` is called before each change of a name, a table, a list, a set or an instance.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar, final

from transpile.plugins.values import MISSING, Maybe, NodePlace, OpaqueValue, TableValue, Value, are_same, is_opaque

T = TypeVar("T")
WHOLE = object()  # the key for a list or a set as a whole
UNKNOWN = object()  # the key for the reason why a table may have more keys


@final
class Frame:
    """A branch that is being tried. `changed`: the state before each change; `made`: the containers that the branch
    made itself. Their changes are not recorded, and need not be undone: only a recorded change can make such a
    container visible outside the branch.
    """

    __slots__ = ("changed", "made")

    def __init__(self) -> None:
        self.changed: dict[tuple[int, Any], tuple[Any, Any, Value]] = {}
        self.made: dict[int, Any] = {}


@final
class Journal:
    """The changes of the branches that are being tried, innermost last."""

    __slots__ = ("frames",)

    def __init__(self) -> None:
        self.frames: list[Frame] = []

    def track_new(self, container: T) -> T:
        """Notes that the innermost branch made a container, and returns it."""
        if self.frames:
            self.frames[-1].made[id(container)] = container
        return container

    def record_change(self, container: Any, key: Any) -> None:
        """Records the value of a container's key before it changes."""
        if not self.frames:
            return
        frame = self.frames[-1]
        if id(container) in frame.made:
            return
        at = (id(container), id(key) if key is WHOLE or key is UNKNOWN else (type(key), key))
        if at not in frame.changed:
            frame.changed[at] = (container, key, read_state(container, key))

    def set_key(self, container: dict[Any, Any], key: Any, value: Value) -> None:
        """Sets a key of a table or a scope; MISSING removes it."""
        self.record_change(container, key)
        restore_state(container, key, value)

    def doubt(self, table: TableValue, why: OpaqueValue) -> None:
        """Marks a table: it may have more keys than are known."""
        if table.unknown is None:
            self.record_change(table, UNKNOWN)
            table.unknown = why

    def try_all(self, branches: list[Callable[[], bool]], place: NodePlace) -> None:
        """Runs each branch from the same state, and joins the changes of those that return True. The changes of the
        others are undone.
        """
        outcomes: list[dict[tuple[int, Any], tuple[Any, Any, Value, Value]]] = []
        for branch in branches:
            frame = Frame()
            depth = len(self.frames)
            self.frames.append(frame)
            counts = False
            try:
                counts = branch()
            finally:
                del self.frames[depth:]
                after = {at: (c, k, old, read_state(c, k)) for at, (c, k, old) in frame.changed.items()}
                for container, key, old in frame.changed.values():
                    restore_state(container, key, old)
                if self.frames:
                    self.frames[-1].made.update(frame.made)
            if counts:
                outcomes.append(after)
        if not outcomes:
            return
        for at in dict.fromkeys(at for after in outcomes for at in after):
            container, key, old, _ = next(after[at] for after in outcomes if at in after)
            values = [after[at][3] if at in after else old for after in outcomes]
            merged = values[0]
            for value in values[1:]:
                merged = join_states(container, merged, value, place)
            self.record_change(container, key)
            restore_state(container, key, merged)


def read_state(container: Any, key: Any) -> Value:
    if key is UNKNOWN:
        return container.unknown
    if key is WHOLE:
        return container.copy()
    return container.get(key, MISSING)


def restore_state(container: Any, key: Any, value: Value) -> None:
    if key is UNKNOWN:
        container.unknown = value
    elif key is WHOLE:
        if isinstance(container, list):
            container[:] = value if isinstance(value, list) else [value]
        else:
            container.clear()
            container.update(value)
    elif value is MISSING:
        container.pop(key, None)
    else:
        container[key] = value


def join_states(container: Any, a: Value, b: Value, place: NodePlace) -> Value:
    """The value of a key that has one of two values, and it is unknown which. MISSING and a value become a Maybe."""
    if are_same(a, b):
        return a
    if a is None and isinstance(b, OpaqueValue) and not isinstance(container, list):
        return b  # the reason why a table may have more keys, or a name that is None or unknown
    if b is None and isinstance(a, OpaqueValue):
        return a
    if isinstance(a, list) and isinstance(b, list) and a[: len(b)] == b:
        return [*b, *(Maybe(item) for item in a[len(b) :])]
    if isinstance(a, list) and isinstance(b, list) and b[: len(a)] == a:
        return [*a, *(Maybe(item) for item in b[len(a) :])]
    if a is MISSING or b is MISSING:
        value = b if a is MISSING else a
        return Maybe(value) if isinstance(container, TableValue) and not isinstance(value, Maybe) else value
    if isinstance(container, TableValue) and (isinstance(a, Maybe) or isinstance(b, Maybe)):
        a, b = (side.value if isinstance(side, Maybe) else side for side in (a, b))
        return Maybe(join_values(a, b, place))
    return join_values(a, b, place)


def join_values(a: Value, b: Value, place: NodePlace) -> Value:
    """The join of two values: equal values stay, tables and lists are joined by keys and items, others become an
    Opaque.
    """
    if are_same(a, b):
        return a
    for value in (a, b):
        if is_opaque(value):
            return value
    if isinstance(a, TableValue) and isinstance(b, TableValue):
        both = TableValue()
        both.unknown = a.unknown or b.unknown
        for key in dict.fromkeys([*a, *b]):
            both[key] = join_states(both, a.get(key, MISSING), b.get(key, MISSING), place)
        return both
    if isinstance(a, list) and isinstance(b, list):
        common = [x for x, y in zip(a, b, strict=False) if are_same(x, y)]
        if len(common) == min(len(a), len(b)):
            return join_states(None, a, b, place)
    return OpaqueValue("it depends on a test that only running it decides", place)

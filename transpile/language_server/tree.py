"""Places in a document, as paths of keys and indices that lead to its nodes.

Invariant: a path is what a reader of the text would say (`resources`, `server`, `properties`, `networks`, 0), and a
node that an alias stands for is found where it is written.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias, final

from yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode

from transpile.front.nodes import MAX_DEPTH
from transpile.model.records import node

if TYPE_CHECKING:
    from collections.abc import Iterator

Path: TypeAlias = tuple[str | int, ...]


@final
@node
class Spot:
    """A scalar in a document: the path to it, and whether it is the key at the end of the path or the value there."""

    path: Path
    key: bool
    text: str
    at: int
    end: int


def start(one: Node) -> int:
    return int(one.start_mark.index)


def end(one: Node) -> int:
    return int(one.end_mark.index)


def spot(root: Node | None, offset: int) -> Spot | None:
    """The scalar at an offset; its end counts as inside."""
    path: list[str | int] = []
    here = root
    for _ in range(2 * MAX_DEPTH):
        if isinstance(here, ScalarNode):
            inside = start(here) <= offset <= end(here)
            return Spot(tuple(path), False, str(here.value), start(here), end(here)) if inside else None
        found = step(here, offset)
        if found is None:
            return None
        word, inner, key = found
        path.append(word)
        if key is not None and start(key) <= offset <= end(key):
            return Spot(tuple(path), True, str(key.value), start(key), end(key))
        here = inner
    return None


def step(here: Node | None, offset: int) -> tuple[str | int, Node, ScalarNode | None] | None:
    """The pair or item of a collection that an offset lies in: its key or index, its value, and the key's node."""
    if isinstance(here, MappingNode):
        for key, value in here.value:
            if isinstance(key, ScalarNode) and (
                start(key) <= offset <= end(key) or (start(value) >= end(key) and start(value) <= offset <= end(value))
            ):
                return str(key.value), value, key
    elif isinstance(here, SequenceNode):
        for index, item in enumerate(here.value):
            if start(item) <= offset <= end(item):
                return index, item, None
    return None


def node_at(root: Node | None, path: Path) -> Node | None:
    """The node that a path leads to. Of equal keys the last counts, as in Heat."""
    here = root
    for one in path:
        if isinstance(here, MappingNode) and isinstance(one, str):
            here = next((v for k, v in reversed(here.value) if isinstance(k, ScalarNode) and k.value == one), None)
        elif isinstance(here, SequenceNode) and isinstance(one, int) and one < len(here.value):
            here = here.value[one]
        else:
            return None
    return here


def text_at(root: Node | None, path: Path) -> str | None:
    """The text of the scalar that a path leads to."""
    found = node_at(root, path)
    return str(found.value) if isinstance(found, ScalarNode) else None


def key_at(root: Node | None, path: Path) -> ScalarNode | None:
    """The node of the key at the end of a path."""
    if not path:
        return None
    return next((key for key, _ in pairs(node_at(root, path[:-1])) if key.value == path[-1]), None)


def pairs(found: Node | None) -> list[tuple[ScalarNode, Node]]:
    """The keys and values of a map; nothing for anything else."""
    if not isinstance(found, MappingNode):
        return []
    return [(key, value) for key, value in found.value if isinstance(key, ScalarNode)]


def spots(root: Node | None, text: str) -> Iterator[Spot]:
    """All scalars with a text, keys included, each once, in the order of the document."""
    todo: list[tuple[Node, Any, int]] = [(root, None, 0)] if root is not None else []
    seen: set[int] = set()
    while todo:
        here, trail, depth = todo.pop()
        kind = type(here)
        if kind is ScalarNode:
            if here.value == text and id(here) not in seen:
                seen.add(id(here))
                yield Spot(unwound(trail), False, text, start(here), end(here))
            continue
        if depth > 2 * MAX_DEPTH or id(here) in seen:
            continue
        seen.add(id(here))
        if kind is MappingNode:
            for key, value in reversed(here.value):
                if type(key) is ScalarNode:
                    todo.append((value, (trail, key.value), depth + 1))
            for key, _ in here.value:
                if type(key) is ScalarNode and key.value == text:
                    yield Spot((*unwound(trail), text), True, text, start(key), end(key))
        elif kind is SequenceNode:
            todo += [(item, (trail, index), depth + 1) for index, item in reversed(list(enumerate(here.value)))]


def unwound(trail: Any) -> Path:
    """A path that was collected from its end."""
    out: list[str | int] = []
    while trail is not None:
        trail, word = trail
        out.append(word)
    return tuple(reversed(out))

"""Places in a document, as paths of keys and indices that lead to its nodes.

Invariant: a path is what a reader of the text would say (`resources`, `server`, `properties`, `networks`, 0), and a
node that an alias stands for is found where it is written.
"""

from __future__ import annotations

import bisect
import itertools
import re
from typing import TYPE_CHECKING, Any, TypeAlias, final

from yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode

from transpile.front.nodes import MAX_DEPTH
from transpile.model.records import node

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

Path: TypeAlias = tuple[str | int, ...]
FEW = 16  # children that are looked at one by one


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
        for key, value in near(here.value, offset, lambda pair: start(pair[0])):
            if isinstance(key, ScalarNode) and (
                start(key) <= offset <= end(key) or (start(value) >= end(key) and start(value) <= offset <= end(value))
            ):
                return str(key.value), value, key
    elif isinstance(here, SequenceNode):
        for index, item in enumerate(here.value):
            if start(item) <= offset <= end(item):
                return index, item, None
    return None


def near(children: list[Any], offset: int, begins: Callable[[Any], int]) -> Iterable[Any]:
    """The children of a node, the one that is most likely at an offset first."""
    if len(children) < FEW:
        return children
    at = bisect.bisect_right(children, offset, key=begins)  # an alias for a key is out of order
    return itertools.chain(children[max(at - 2, 0) : at][::-1], children)


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


def spots(root: Node | None, text: str, word: str) -> Iterator[Spot]:
    """All scalars of a document that are a word, keys included, each once, where they are written. `text`: that of the
    document. A word that is written with escapes is not found.
    """
    seen: set[int] = set()
    for found in re.finditer(re.escape(word), text) if word else ():
        one = spot(root, found.start())
        if one is not None and one.text == word and one.at not in seen:
            seen.add(one.at)
            yield one

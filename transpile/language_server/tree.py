"""Finds nodes and scalars of a YAML tree by path and by offset.

Invariant: a path has the keys and indices as they are written: (`resources`, `server`, `properties`, `networks`, 0).
A node with an alias is found where the anchor is.
"""

from __future__ import annotations

import bisect
import re
import weakref
from typing import TYPE_CHECKING, Any, TypeAlias, final

from yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode

from transpile.front.nodes import MAX_DEPTH, span_of
from transpile.language_server.positions import LINE_END
from transpile.model.records import node
from transpile.model.span import Placed, Span

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, MutableMapping

Path: TypeAlias = tuple[str | int, ...]
COMMENT = re.compile(r"(?:^|(?<=[ \t\r\n]))#")
KNOWN: MutableMapping[MappingNode, Mapping[str, Node]] = weakref.WeakKeyDictionary()  # values of maps with many keys
FEW = 16  # a collection with fewer children is searched one by one


@final
@node
class Spot(Placed):
    """A scalar in a document: the path to it, and whether it is the key at the end of the path or the value there."""

    path: Path
    key: bool
    text: str
    span: Span


def start(one: Node) -> int:
    return int(one.start_mark.index)


def end(one: Node) -> int:
    return int(one.end_mark.index)


def spot(root: Node | None, offset: int) -> Spot | None:
    """The scalar at an offset, which may be its end; None if there is none."""
    path: list[str | int] = []
    here = root
    for _ in range(2 * MAX_DEPTH):
        if isinstance(here, ScalarNode):
            inside = start(here) <= offset <= end(here)
            return Spot(tuple(path), False, str(here.value), span_of(here)) if inside else None
        found = step(here, offset)
        if found is None:
            return None
        word, inner, key = found
        path.append(word)
        if key is not None and start(key) <= offset <= end(key):
            return Spot(tuple(path), True, str(key.value), span_of(key))
        here = inner
    return None


def step(here: Node | None, offset: int) -> tuple[str | int, Node, ScalarNode | None] | None:
    """The child of a collection that contains an offset: its key or index, its value, and the node of its key."""
    if isinstance(here, MappingNode):
        for index in near(here.value, offset, lambda pair: start(pair[0])):
            key, value = here.value[index]
            if isinstance(key, ScalarNode) and (
                start(key) <= offset <= end(key) or (start(value) >= end(key) and start(value) <= offset <= end(value))
            ):
                return str(key.value), value, key
    elif isinstance(here, SequenceNode):
        for index in near(here.value, offset, start):
            if start(here.value[index]) <= offset <= end(here.value[index]):
                return index, here.value[index], None
    return None


def near(children: list[Any], offset: int, begins: Callable[[Any], int]) -> Iterable[int]:
    """The indices of the children of a node that may contain an offset. In a large collection they are searched by
    bisection, which gives two candidates: an alias has the offset of its anchor, so it is out of order and may hide
    one.
    """
    if len(children) < FEW:
        return range(len(children))
    at = bisect.bisect_right(children, offset, key=begins)
    return range(at - 1, max(at - 3, -1), -1)


def node_at(root: Node | None, path: Path) -> Node | None:
    """The node that a path leads to. Of equal keys the last counts, as in Heat."""
    here = root
    for one in path:
        if isinstance(here, MappingNode) and isinstance(one, str):
            here = by_key(here).get(one)
        elif isinstance(here, SequenceNode) and isinstance(one, int) and one < len(here.value):
            here = here.value[one]
        else:
            return None
    return here


def by_key(found: MappingNode) -> Mapping[str, Node]:
    """The values of a map by key. For a large map the result is kept as long as the node is."""
    if len(found.value) < FEW:
        return {key.value: value for key, value in found.value if isinstance(key, ScalarNode)}
    if found not in KNOWN:
        KNOWN[found] = {key.value: value for key, value in found.value if isinstance(key, ScalarNode)}
    return KNOWN[found]


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
    """The keys and values of a map; empty for any other node."""
    if not isinstance(found, MappingNode):
        return []
    return [(key, value) for key, value in found.value if isinstance(key, ScalarNode)]


def spots(root: Node | None, text: str, word: str) -> Iterator[Spot]:
    """All scalars and keys of a document whose text is a word, each once. `text`: that of the document. A scalar with
    escapes is not found.
    """
    if not word:
        return
    pattern = re.compile(
        rf"(?<!\w){re.escape(word)}(?!\w)" if word[0].isalnum() and word[-1].isalnum() else re.escape(word)
    )
    seen: set[int] = set()
    at = mark = line_end = 0
    while (found := pattern.search(text, at)) is not None:
        one = spot(root, found.start())
        at = found.end()
        if one is None:
            if found.start() >= line_end:
                mark, line_end = comment(root, text, found.start())
            at = max(at, line_end if mark <= found.start() else 0)
        elif one.text != word:
            at = max(at, one.end)  # so that a long scalar with many occurrences of the word is skipped at once
        elif one.at not in seen:
            seen.add(one.at)
            yield one


def comment(root: Node | None, text: str, offset: int) -> tuple[int, int]:
    """The offset at which the comment of a line begins (the end of the line without one), and the end of the line."""
    begin = max(text.rfind("\n", 0, offset), text.rfind("\r", 0, offset)) + 1
    found = LINE_END.search(text, offset)
    stop = found.start() if found is not None else len(text)
    mark = COMMENT.search(text, begin, stop)
    return (mark.start() if mark is not None and spot(root, mark.end()) is None else stop), stop

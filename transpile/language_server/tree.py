"""Finds nodes and scalars of a YAML tree by path and by offset.

Invariant: a path has the keys and indices as they are written: (`resources`, `server`, `properties`, `networks`, 0).
A node with an alias is found where the anchor is.
"""

from __future__ import annotations

import bisect
import re
import weakref
from collections.abc import Callable, Iterable, Iterator, Mapping, MutableMapping
from typing import Any, TypeAlias, final

from yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode

from transpile.front.nodes import MAX_DEPTH, span_of
from transpile.language_server.positions import LINE_END
from transpile.model.lazy_patterns import compile_lazily
from transpile.model.records import node
from transpile.model.span import Span, WithSpan

Path: TypeAlias = tuple[str | int, ...]
COMMENT = compile_lazily(r"(?:^|(?<=[ \t\r\n]))#")
KNOWN: MutableMapping[MappingNode, Mapping[str, Node]] = weakref.WeakKeyDictionary()  # values of maps with many keys
FEW = 16  # a collection with fewer children is searched one by one


@final
@node
class Spot(WithSpan):
    """A scalar in a document: the path to it, and whether it is the key at the end of the path or the value there."""

    path: Path
    is_key: bool
    text: str
    span: Span


def start_offset(yaml_node: Node) -> int:
    return int(yaml_node.start_mark.index)


def end_offset(yaml_node: Node) -> int:
    return int(yaml_node.end_mark.index)


def find_spot(root: Node | None, offset: int) -> Spot | None:
    """The scalar at an offset, which may be its end; None if there is none."""
    path: list[str | int] = []
    here = root
    for _ in range(2 * MAX_DEPTH):
        if isinstance(here, ScalarNode):
            inside = start_offset(here) <= offset <= end_offset(here)
            return Spot(tuple(path), False, str(here.value), span_of(here)) if inside else None
        child = find_child(here, offset)
        if child is None:
            return None
        word, inner, key = child
        path.append(word)
        if key is not None and start_offset(key) <= offset <= end_offset(key):
            return Spot(tuple(path), True, str(key.value), span_of(key))
        here = inner
    return None


def find_child(here: Node | None, offset: int) -> tuple[str | int, Node, ScalarNode | None] | None:
    """The child of a collection that contains an offset: its key or index, its value, and the node of its key."""
    if isinstance(here, MappingNode):
        for index in candidate_indices(here.value, offset, lambda pair: start_offset(pair[0])):
            key, value = here.value[index]
            if isinstance(key, ScalarNode) and (
                start_offset(key) <= offset <= end_offset(key)
                or (start_offset(value) >= end_offset(key) and start_offset(value) <= offset <= end_offset(value))
            ):
                return str(key.value), value, key
    elif isinstance(here, SequenceNode):
        for index in candidate_indices(here.value, offset, start_offset):
            if start_offset(here.value[index]) <= offset <= end_offset(here.value[index]):
                return index, here.value[index], None
    return None


def candidate_indices(children: list[Any], offset: int, begins: Callable[[Any], int]) -> Iterable[int]:
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
    for step in path:
        if isinstance(here, MappingNode) and isinstance(step, str):
            here = children_by_key(here).get(step)
        elif isinstance(here, SequenceNode) and isinstance(step, int) and step < len(here.value):
            here = here.value[step]
        else:
            return None
    return here


def children_by_key(mapping: MappingNode) -> Mapping[str, Node]:
    """The values of a map by key. For a large map the result is kept as long as the node is."""
    if len(mapping.value) < FEW:
        return {key.value: value for key, value in mapping.value if isinstance(key, ScalarNode)}
    if mapping not in KNOWN:
        KNOWN[mapping] = {key.value: value for key, value in mapping.value if isinstance(key, ScalarNode)}
    return KNOWN[mapping]


def text_at(root: Node | None, path: Path) -> str | None:
    """The text of the scalar that a path leads to."""
    scalar = node_at(root, path)
    return str(scalar.value) if isinstance(scalar, ScalarNode) else None


def key_at(root: Node | None, path: Path) -> ScalarNode | None:
    """The node of the key at the end of a path."""
    if not path:
        return None
    return next((key for key, _ in key_value_pairs(node_at(root, path[:-1])) if key.value == path[-1]), None)


def key_value_pairs(yaml_node: Node | None) -> list[tuple[ScalarNode, Node]]:
    """The keys and values of a map; empty for any other node."""
    if not isinstance(yaml_node, MappingNode):
        return []
    return [(key, value) for key, value in yaml_node.value if isinstance(key, ScalarNode)]


def find_spots(root: Node | None, text: str, word: str) -> Iterator[Spot]:
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
    while (match := pattern.search(text, at)) is not None:
        spot = find_spot(root, match.start())
        at = match.end()
        if spot is None:
            if match.start() >= line_end:
                mark, line_end = find_comment(root, text, match.start())
            at = max(at, line_end if mark <= match.start() else 0)
        elif spot.text != word:
            at = max(at, spot.end)  # so that a long scalar with many occurrences of the word is skipped at once
        elif spot.at not in seen:
            seen.add(spot.at)
            yield spot


def find_comment(root: Node | None, text: str, offset: int) -> tuple[int, int]:
    """The offset at which the comment of a line begins (the end of the line without one), and the end of the line."""
    begin = max(text.rfind("\n", 0, offset), text.rfind("\r", 0, offset)) + 1
    line_end = LINE_END.search(text, offset)
    stop = line_end.start() if line_end is not None else len(text)
    mark = COMMENT.search(text, begin, stop)
    return (mark.start() if mark is not None and find_spot(root, mark.end()) is None else stop), stop

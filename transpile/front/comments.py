"""Finds the comments of a YAML text, and the key or item that each belongs to.

Invariant: a `#` inside a scalar is not a comment, but one after the header of a block scalar is. A comment belongs to
the key or list item below it or on its line (the first on a line that closes all that it opens, else the last). A
comment below everything else at its depth belongs to the item before it.
"""

from __future__ import annotations

import bisect

from yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode

from transpile.model.ir import Comment
from transpile.model.lazy_patterns import compile_lazily

CANDIDATE = compile_lazily(
    r"#(?<!\S#)[^\r\n\x85\u2028\u2029]*"
)  # up to a line end of YAML; it begins with the literal #, which the engine finds fast, and then looks behind


def read_comments(text: str, root: Node) -> tuple[Comment, ...]:
    """All comments in the order of the text."""
    match = CANDIDATE.search(text)
    if match is None or text.lstrip("\ufeff \t\r\n").startswith("{"):
        return ()
    spans, anchors = _locate_scalars_and_anchors(text, root)
    starts = [start for start, _ in spans]
    offsets = [offset for offset, _ in anchors]
    comments = []
    while match is not None:
        at, end = match.span()
        index = bisect.bisect_right(starts, at) - 1
        if index >= 0 and at < spans[index][1]:
            end = spans[index][1]  # this # is inside a scalar, but a comment may follow the scalar on its line
        else:
            comments.append(_attach_comment(text, at, match[0][1:], anchors, offsets))
        match = CANDIDATE.search(text, end)
    return tuple(comments)


def _attach_comment(text: str, at: int, words: str, anchors: list[tuple[int, int]], offsets: list[int]) -> Comment:
    begin = text.rfind("\n", 0, at) + 1
    after = bisect.bisect_right(offsets, at)
    previous = offsets[after - 1] if after else -1
    text_before = text[begin:at].strip()
    column = at - begin
    if text_before.strip("- "):
        if previous < begin:
            return Comment(words, previous, "after", at)
        whole = text_before.count("[") + text_before.count("{") == text_before.count("]") + text_before.count("}")
        owner = offsets[bisect.bisect_left(offsets, begin)] if whole else previous
        return Comment(words, owner, "end", at)
    if after < len(anchors) and (text_before or anchors[after][1] >= column or previous < 0):
        return Comment(words, anchors[after][0], "before", at)
    while after > 1 and anchors[after - 1][1] > column:
        after -= 1
    return Comment(words, offsets[after - 1], "after", at)


def _locate_scalars_and_anchors(text: str, root: Node) -> tuple[list[tuple[int, int]], list[tuple[int, int]]]:
    """The spans of all scalars; and the offsets of all keys and list items, with their columns. Both sorted."""
    spans: list[tuple[int, int]] = []
    anchors: list[tuple[int, int]] = []
    seen: set[int] = set()
    stack: list[Node] = [root]
    while stack:
        node = stack.pop()
        if type(node) is ScalarNode:
            if "#" not in node.value:
                continue
            start, end = node.start_mark.index, node.end_mark.index
            if node.style in ("|", ">"):  # its header may be followed by a comment
                start = text.find("\n", start, end)
            if 0 <= start < end:
                spans.append((start, end))
        elif id(node) in seen:
            continue
        elif type(node) is MappingNode:
            seen.add(id(node))
            for key, value in node.value:
                mark = key.start_mark
                anchors.append((mark.index, mark.column))
                if type(value) is not ScalarNode or "#" in value.value:
                    stack.append(value)
                if type(key) is not ScalarNode or "#" in key.value:
                    stack.append(key)
        elif type(node) is SequenceNode:
            seen.add(id(node))
            flow = node.flow_style
            for item in node.value:
                mark = item.start_mark
                start = mark.index
                if flow:
                    anchors.append((start, mark.column))
                else:
                    begin = start - mark.column
                    dash = text.rfind("-", begin, start)
                    anchors.append((start, (dash if dash >= 0 else start) - begin))
                if type(item) is not ScalarNode or "#" in item.value:
                    stack.append(item)
    spans.sort()
    anchors.sort()
    return spans, anchors

"""Comments in a text that ignore findings: `# hot2tf: ignore HOT601 -- reason`.

Invariant: a `#` inside a string does not begin a comment. The nodes of the document determine the scope of a comment: a
line, the block below the comment, or the file.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import final

from yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode

from transpile.diagnostics import codes
from transpile.diagnostics.model import Diagnostic, Sink, TooManyErrors
from transpile.diagnostics.registry import CODE as OF_PLUGIN
from transpile.diagnostics.registry import list_codes as known_codes
from transpile.front import comments, documents, nodes
from transpile.front.nodes import span_of
from transpile.model.ir import Comment
from transpile.model.lazy_patterns import compile_lazily
from transpile.model.records import node
from transpile.model.source import Source
from transpile.model.span import Span, WithSpan, word_at
from transpile.settings.table import ALWAYS

SPOKEN = compile_lazily(r"[ \t]*hot2tf:[ \t]*(?P<verb>[\w-]*)(?P<rest>.*)", re.DOTALL)
REASON = "--"
WORD = compile_lazily(r"[^\s,]+")
LINE, BLOCK, FILE, NOTHING = "line", "block", "file", "nothing"
MOST = 1000  # codes in the comments of one file; the limit exists because each finding is compared with the comments
VERBS = ("ignore", "ignore-file")


@final
@node
class IgnoreComment(WithSpan):
    """A code that a comment ignores.

    `span`: the place of the code in the comment. `scope`: LINE, BLOCK or FILE, or NOTHING if no key or item follows the
    comment. `spans`: the places where findings with this code are ignored.
    """

    code: str
    span: Span
    scope: str
    spans: tuple[Span, ...] = ()

    def covers(self, at: int) -> bool:
        return self.scope == FILE or any(first <= at < last for first, last in self.spans)


def read_ignore_comments(source: Source) -> tuple[list[IgnoreComment], list[Diagnostic]]:
    """Returns the codes that the comments of a text ignore, and findings about mistakes in the comments.

    If the text is not valid YAML, both lists are empty.
    """
    try:
        scratch = Sink(source.with_name(source.name))
        root = documents.compose_document(scratch, source.name, trimmed=True)
    except (nodes.UnreadableDocument, TooManyErrors):
        return [], []
    ignore_comments: list[IgnoreComment] = []
    sink = Sink(source)
    blocks: dict[int, int] | None = None
    texts: list[Span] = []
    for comment in comments.read_comments(source.text, root):
        spoken = SPOKEN.fullmatch(comment.text)
        if spoken is None:
            continue
        if blocks is None:
            blocks, texts = measure_blocks(root)
        scope, spans = covered_span(source.text, comment, blocks, texts)
        if spoken["verb"] == VERBS[1]:
            scope, spans = FILE, ()
        for code, at in ignored_codes(sink, comment, spoken):
            ignore_comments.append(IgnoreComment(code, word_at(at, code), scope, spans))
            if len(ignore_comments) + len(sink.diagnostics) > MOST:
                break
        if len(ignore_comments) + len(sink.diagnostics) > MOST:
            hint = "Use ignore-file, or per-file-ignores in a configuration."
            sink.add(
                codes.MALFORMED_COMMENT,
                f"More than {MOST} codes are ignored here; the rest was not read.",
                Span(comment.at),
                hint=hint,
            )
            break
    return ignore_comments, sink.diagnostics


def ignores_code(source: Source, span: Span, code: str) -> bool:
    """Whether a comment in a text ignores a code at a place."""
    if code not in source.text:
        return False
    return any(comment.code == code and comment.covers(span.at) for comment in read_ignore_comments(source)[0])


def ignored_codes(sink: Sink, comment: Comment, spoken: re.Match[str]) -> Iterator[tuple[str, int]]:
    """Yields the codes in a comment, each with its offset. Mistakes are reported to `sink`."""
    begin = comment.at + 1  # behind the #
    whole = Span(comment.at, begin + len(comment.text.rstrip()))
    form = "Write # hot2tf: ignore HOT601 -- why, or ignore-file for the whole file."
    if spoken["verb"] not in VERBS:
        hint = sink.guess_name(spoken["verb"], VERBS) or form
        sink.add(codes.MALFORMED_COMMENT, f"hot2tf does not know the comment {spoken['verb'][:40]!r}.", whole, hint)
        return
    rest, _, _ = spoken["rest"].partition(REASON)
    words = list(WORD.finditer(rest))
    if not words:
        sink.add(codes.MALFORMED_COMMENT, "The comment does not say which codes it ignores.", whole, form)
    code_names = known_codes()
    for word in words:
        at = begin + spoken.start("rest") + word.start()
        if word[0] in code_names or OF_PLUGIN.fullmatch(word[0]):
            yield word[0], at
        else:
            hint = (
                sink.guess_name(word[0], [code for code in code_names if code not in ALWAYS])
                or f"A reason stands behind {REASON}."
            )
            sink.add(codes.MALFORMED_COMMENT, f"There is no code {word[0][:40]}.", word_at(at, word[0]), hint)
            if not re.match("[A-Z]+[0-9]", word[0]) or len(sink.diagnostics) > MOST:
                return  # the rest is a sentence, and the mistake in it was already reported


def covered_span(
    text: str, comment: Comment, blocks: dict[int, int], texts: list[Span]
) -> tuple[str, tuple[Span, ...]]:
    """Returns the scope of a comment and the places that it applies to.

    A comment at the end of a line applies to that line. If a string of several lines begins or ends on that line, the
    comment also applies to the whole string and its key. A comment on its own line applies to the key or item below it,
    with everything inside.
    """
    begin = text.rfind("\n", 0, comment.at) + 1
    if not text[begin : comment.at].strip():
        if comment.where != "before":
            return NOTHING, ()
        return BLOCK, (Span(comment.anchor, blocks.get(comment.anchor, comment.anchor)),)
    end = text.find("\n", comment.at)
    line = Span(begin, len(text) if end < 0 else end + 1)
    longer = [
        Span(text.rfind("\n", 0, at) + 1, last)
        for at, last in texts
        if begin <= at < line.end or begin < last <= line.end
    ]
    return LINE, (line, *longer)


def measure_blocks(root: Node) -> tuple[dict[int, int], list[Span]]:
    """Returns the end of each key or item by its beginning, and the places of strings of several lines."""
    ends: dict[int, int] = {}
    texts: list[Span] = []
    seen: set[int] = set()
    todo: list[Node] = [root]
    while todo:
        node = todo.pop()
        if id(node) in seen:
            continue
        seen.add(id(node))
        if isinstance(node, ScalarNode):
            if node.start_mark.line != node.end_mark.line:
                texts.append(span_of(node))
        elif isinstance(node, MappingNode):
            for key, value in node.value:
                at, end = key.start_mark.index, max(key.end_mark.index, value.end_mark.index)
                if value.start_mark.index < at:  # an alias: its node has the place of the anchor, earlier in the text
                    end = key.end_mark.index
                ends[at] = max(ends.get(at, 0), end)
                todo += [key, value]
        elif isinstance(node, SequenceNode):
            for item in node.value:
                at = item.start_mark.index
                ends[at] = max(ends.get(at, 0), item.end_mark.index)
                todo.append(item)
    return ends, texts

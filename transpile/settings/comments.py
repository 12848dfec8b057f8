"""Comments in a text that ignore findings: `# hot2tf: ignore HOT601 -- reason`.

Invariant: a `#` in a text is no comment. What a comment holds for comes from the nodes of the document: a line, the
block below it, or the file.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, final

from yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode

from transpile.diagnostics import codes
from transpile.diagnostics.model import Diagnostic, Sink, TooMany
from transpile.diagnostics.registry import CODE as OF_PLUGIN
from transpile.diagnostics.registry import codes as known_codes
from transpile.front import comments, documents, nodes
from transpile.front.nodes import span_of
from transpile.model.records import node
from transpile.model.span import Placed, Span, word_at
from transpile.settings.table import ALWAYS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from transpile.model.ir import Comment
    from transpile.model.source import Source

SPOKEN = re.compile(r"[ \t]*hot2tf:[ \t]*(?P<verb>[\w-]*)(?P<rest>.*)", re.DOTALL)
REASON = "--"
WORD = re.compile(r"[^\s,]+")
LINE, BLOCK, FILE, NOTHING = "line", "block", "file", "nothing"
MOST = 1000  # codes in the comments of one file; each finding is compared with all of its code
VERBS = ("ignore", "ignore-file")


@final
@node
class Ignoring(Placed):
    """A code that a comment ignores. `span`: where the code stands; `scope`: LINE, BLOCK, FILE or NOTHING, if
    the comment belongs to nothing; `spans`: where it holds.
    """

    code: str
    span: Span
    scope: str
    spans: tuple[Span, ...] = ()

    def holds(self, at: int) -> bool:
        return self.scope == FILE or any(first <= at < last for first, last in self.spans)


def read(source: Source) -> tuple[list[Ignoring], list[Diagnostic]]:
    """What the comments of a text ignore, and what is wrong with them. A text that is no YAML has no comments."""
    try:
        scratch = Sink(source.renamed(source.name))
        root = documents.compose(scratch, source.name, trimmed=True)
    except (nodes.Unreadable, TooMany):
        return [], []
    found: list[Ignoring] = []
    sink = Sink(source)
    blocks: dict[int, int] | None = None
    texts: list[Span] = []
    for one in comments.read(source.text, root):
        spoken = SPOKEN.fullmatch(one.text)
        if spoken is None:
            continue
        if blocks is None:
            blocks, texts = measured(root)
        scope, spans = reaches(source.text, one, blocks, texts)
        if spoken["verb"] == VERBS[1]:
            scope, spans = FILE, ()
        for code, at in ignored_codes(sink, one, spoken):
            found.append(Ignoring(code, word_at(at, code), scope, spans))
            if len(found) + len(sink.found) > MOST:
                break
        if len(found) + len(sink.found) > MOST:
            hint = "Use ignore-file, or per-file-ignores in a configuration."
            sink.say(
                codes.MALFORMED_COMMENT,
                f"More than {MOST} codes are ignored here; the rest was not read.",
                Span(one.at),
                hint=hint,
            )
            break
    return found, sink.found


def ignored_codes(sink: Sink, comment: Comment, spoken: re.Match[str]) -> Iterator[tuple[str, int]]:
    """The codes that a comment names, each with its place."""
    begin = comment.at + 1  # behind the #
    whole = Span(comment.at, begin + len(comment.text.rstrip()))
    form = "Write # hot2tf: ignore HOT601 -- why, or ignore-file for the whole file."
    if spoken["verb"] not in VERBS:
        hint = sink.guess(spoken["verb"], VERBS) or form
        sink.say(codes.MALFORMED_COMMENT, f"hot2tf does not know the comment {spoken['verb'][:40]!r}.", whole, hint)
        return
    rest, _, _ = spoken["rest"].partition(REASON)
    words = list(WORD.finditer(rest))
    if not words:
        sink.say(codes.MALFORMED_COMMENT, "The comment does not say which codes it ignores.", whole, form)
    known = known_codes()
    for word in words:
        at = begin + spoken.start("rest") + word.start()
        if word[0] in known or OF_PLUGIN.fullmatch(word[0]):
            yield word[0], at
        else:
            hint = (
                sink.guess(word[0], [one for one in known if one not in ALWAYS]) or f"A reason stands behind {REASON}."
            )
            sink.say(codes.MALFORMED_COMMENT, f"There is no code {word[0][:40]}.", word_at(at, word[0]), hint)
            if not re.match("[A-Z]+[0-9]", word[0]) or len(sink.found) > MOST:
                return  # a sentence: what is wrong with it was said


def reaches(text: str, comment: Comment, blocks: dict[int, int], texts: list[Span]) -> tuple[str, tuple[Span, ...]]:
    """What a comment holds for: at the end of a line for that line, and for texts of several lines that begin or end
    there, with the key before them; on a line of its own for the key or item below it, with all that is in it.
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


def measured(root: Node) -> tuple[dict[int, int], list[Span]]:
    """Where each key or item ends, by where it begins; and the places of texts of several lines."""
    ends: dict[int, int] = {}
    texts: list[Span] = []
    seen: set[int] = set()
    todo: list[Node] = [root]
    while todo:
        one = todo.pop()
        if id(one) in seen:
            continue
        seen.add(id(one))
        if isinstance(one, ScalarNode):
            if one.start_mark.line != one.end_mark.line:
                texts.append(span_of(one))
        elif isinstance(one, MappingNode):
            for key, value in one.value:
                at, end = key.start_mark.index, max(key.end_mark.index, value.end_mark.index)
                if value.start_mark.index < at:  # an alias: its node stands elsewhere
                    end = key.end_mark.index
                ends[at] = max(ends.get(at, 0), end)
                todo += [key, value]
        elif isinstance(one, SequenceNode):
            for item in one.value:
                at = item.start_mark.index
                ends[at] = max(ends.get(at, 0), item.end_mark.index)
                todo.append(item)
    return ends, texts

"""YAML text as a tree of nodes.

Invariant: a tree that could exhaust time or memory, by its size, its depth or its aliases, is refused before anything
walks it.
"""

from __future__ import annotations

import functools
import operator
import re
from collections.abc import Callable, Mapping
from typing import final

import yaml
from yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode

from transpile.diagnostics import codes
from transpile.diagnostics.model import Sink
from transpile.front.foreign import name_foreign_text, refuse_foreign
from transpile.front.nodes import (
    BOOL,
    BOOLS,
    FLOAT,
    INT,
    MAP,
    MERGE,
    NULL,
    SEQ,
    STR,
    TAG,
    TIMESTAMP,
    UnreadableDocument,
    budget_limit,
    find_jinja,
    refuse_deep_nesting,
    refuse_large_document,
    report_unrendered,
)
from transpile.model.span import Span
from transpile.text.yaml_loader import FastLoader, PureLoader

MAX_STACK = 10_000  # collections that libyaml, which recurses in C, may have to compose inside one another
ANCHOR = r"&(?<![^\s\ufeff\[{,:]&)[\w-]"  # it begins with the literal &, which the engine finds fast


def compose_yaml(sink: Sink, text: str) -> Node:
    """The root node of a text. Raises UnreadableDocument, with the reason in the sink."""
    root = _compose_nodes(sink, text)
    if root is None:
        sink.add(codes.NOT_A_TEMPLATE, "The text is empty.")
        raise UnreadableDocument
    if "&" in text and re.search(ANCHOR, text):
        _check_aliases(sink, root)
    return root


def _most_nested(text: str) -> int:
    """An estimate of the depth of a text, which is at most twice as deep. Each bracket opens one collection, or two as
    in `[a: b]`. In block style an inner collection is indented more than the outer one, except for a list below its
    key, so the longest line limits the depth. With few brackets and dashes only block maps could be deeper than
    MAX_STACK, and their indentation would take megabytes.
    """
    flow = text.count("[") + text.count("{")
    opened = flow + text.count("- ") + text.count("? ")
    return opened if opened < MAX_STACK else flow + 1 + max(map(len, text.split("\n")))


def _most_nodes(text: str) -> int:
    """An upper bound for the number of nodes: punctuation comes before each item, and in or before each pair."""
    pairs = sum(map(text.count, (":", ",", "[", "{", "? ", "?\n")))
    items = text.count("- ") + text.count("-\n")
    rare = sum(map(text.count, "\t\r\x85\u2028\u2029"))  # these may follow a dash or a question mark, too
    return 2 + items + 2 * (pairs + rare)


def _check_text_size(sink: Sink, text: str) -> None:
    """Refuses texts that would overflow the stack of libyaml, which recurses in C, or exhaust the memory. Counting
    punctuation is enough to accept most texts.
    """
    if len(text) < MAX_STACK:
        return
    limit = budget_limit(sink, "values")
    if _most_nested(text) < MAX_STACK and _most_nodes(text) < limit:
        return
    loader = FastLoader(text)
    depth = count = 0
    try:
        while (event := loader.get_event()) is not None and not isinstance(event, yaml.StreamEndEvent):
            at = event.start_mark.index if event.start_mark is not None else 0
            if isinstance(event, yaml.CollectionStartEvent):
                depth += 1
                if depth > MAX_STACK:
                    refuse_deep_nesting(sink, at)
            elif isinstance(event, yaml.CollectionEndEvent):
                depth -= 1
                continue
            count += 1
            if count > limit:
                refuse_large_document(sink, "values", at)
    finally:
        loader.dispose()


WORDS = {"~": NULL, "": NULL, "<<": MERGE, "=": TAG + "value"} | {
    spelled: tag
    for word, tag in [*((word, BOOL) for word in BOOLS), ("null", NULL)]
    for spelled in (word, word.capitalize(), word.upper())
}
NUMERIC: Mapping[str, Callable[[str], bool]] = {  # cheap checks before the patterns
    FLOAT: lambda text: text.count(".") == 1,
    INT: lambda text: "-" not in text[1:] and "." not in text,
    TIMESTAMP: lambda text: text[4:5] == "-",
}


@functools.lru_cache(maxsize=4096)
def plain_tag(text: str) -> str:
    """The tag of an unquoted scalar, as in PyYAML; its patterns are tried only on texts that may be a number or
    date.
    """
    if not text or text[0] not in "+-.0123456789":
        return WORDS.get(text, STR)
    if text.isdecimal() and text.isascii() and text[0] != "0":
        return INT
    candidates = FastLoader.yaml_implicit_resolvers[text[0]]
    return next((tag for tag, pattern in candidates if NUMERIC[tag](text) and pattern.match(text)), STR)


@final
class Loader(FastLoader):
    """PyYAML's loader, with the tags of unquoted scalars cached, which is its slowest part.

    PyYAML also calls two methods around each node for path resolvers. There are none here, so both are replaced by
    built-in functions without effect.
    """

    descend_resolver = staticmethod(operator.is_)  # type: ignore[assignment]
    ascend_resolver = bool  # type: ignore[assignment]

    def resolve(self, kind: type[Node], value: str, implicit: tuple[bool, bool]) -> str:
        if kind is ScalarNode:
            return plain_tag(value) if implicit[0] else STR
        return MAP if kind is MappingNode else SEQ


def _clocked(resolve: Callable[..., str], clock: Callable[[], None]) -> Callable[..., str]:
    """A resolver that looks at the clock: libyaml calls nothing else of ours while it composes a long text."""

    def resolve_in_time(kind: type[Node], value: str, implicit: tuple[bool, bool]) -> str:
        clock()
        return resolve(kind, value, implicit)

    return resolve_in_time


def _compose_nodes(sink: Sink, text: str) -> Node | None:
    loader = None
    try:
        _check_text_size(sink, text)
        loader = Loader(text)
        if (clock := sink.budget.clock) is not None:
            loader.resolve = _clocked(loader.resolve, clock)  # type: ignore[method-assign]
        root: Node | None = loader.get_single_node()
        if root is not None and (shift := uncounted_mark(text)):
            move_marks(root, shift)
        return root
    except yaml.MarkedYAMLError as e:
        mark = e.problem_mark or e.context_mark
        place = Span(mark.index + uncounted_mark(text) if mark else 0)
        if e.context == "expected a single document in the stream":
            sink.add(codes.SEVERAL_YAML_DOCUMENTS, "The file contains several YAML documents. Heat reads one.", place)
        elif (source := find_jinja(text)) is not None:
            report_unrendered(sink, source, is_wrong_yaml=True)
        elif e.problem and "recursive" in e.problem:
            refuse_recursive_alias(sink, place)
        elif e.problem and "nesting depth" in e.problem:  # libyaml gives up at 1,000 levels, since PyYAML 6.0.4
            refuse_deep_nesting(sink, place.at)
        elif foreign := name_foreign_text(text):
            refuse_foreign(sink, foreign)
        else:
            from transpile.front.yaml_mistakes import describe_yaml_mistake  # most have none

            mistake, hint, mark = describe_yaml_mistake(e, text)
            place = Span(mark.index + uncounted_mark(text) if mark else 0)
            sink.add(codes.NOT_YAML_OR_JSON, f"This is not valid YAML: {mistake}.", place, hint=hint)
    except yaml.reader.ReaderError as e:
        sink.add(
            codes.INVALID_CHARACTER,
            f"The text contains a character that YAML does not allow: {e.reason}.",
            Span(
                len(text.encode("utf-8", "surrogatepass")[: max(e.position, 0)].decode("utf-8", "ignore"))
                if isinstance(e.position, int)
                else 0
            ),
        )
    except UnicodeEncodeError as e:  # libyaml's; a caller may have decoded bytes that are not UTF-8
        sink.add(codes.INVALID_CHARACTER, "The text contains a character that is not UTF-8.", Span(e.start))
    except (RecursionError, MemoryError):
        refuse_deep_nesting(sink)
    finally:
        if loader is not None:
            loader.dispose()
    raise UnreadableDocument


def uncounted_mark(text: str) -> int:
    """How many characters at the beginning of a text have no offset in libyaml: it drops a byte order mark."""
    return int(text.startswith("\ufeff") and not issubclass(FastLoader, PureLoader))


def move_marks(root: Node, shift: int) -> None:
    """Adds to the offsets of all nodes."""
    seen, todo = set[int](), [root]
    while todo:
        node = todo.pop()
        if id(node) in seen:
            continue
        seen.add(id(node))
        for name in ("start_mark", "end_mark"):
            mark = getattr(node, name)
            setattr(node, name, yaml.Mark(mark.name, mark.index + shift, mark.line, mark.column, None, 0))
        if isinstance(node, MappingNode):
            todo += [each for pair in node.value for each in pair]
        elif isinstance(node, SequenceNode):
            todo += node.value


def refuse_recursive_alias(sink: Sink, place: Span) -> None:
    sink.add(codes.RECURSIVE_ALIAS, "An alias refers to a collection that contains it.", place)


def _check_aliases(sink: Sink, root: Node) -> None:
    """Refuses documents that are recursive, or too large once their aliases are expanded.

    Iterative, because the depth is not known yet.
    """
    values, characters = budget_limit(sink, "values"), budget_limit(sink, "characters")
    sizes: dict[int, int] = {}
    lengths: dict[int, int] = {}
    within: set[int] = set()
    stack: list[tuple[Node, bool]] = [(root, False)]
    while stack:
        node, done = stack.pop()
        if type(node) is MappingNode:
            members = [n for pair in node.value for n in pair]
        elif type(node) is SequenceNode:
            members = node.value
        else:
            continue
        inside = [n for n in members if type(n) is not ScalarNode]
        if done:
            within.discard(id(node))
            sizes[id(node)] = 1 + len(node.value) + sum(sizes[id(n)] for n in inside)
            texts = sum(len(n.value) for n in members if type(n) is ScalarNode)
            lengths[id(node)] = texts + sum(lengths[id(n)] for n in inside)
            if sizes[id(node)] > values:
                refuse_large_document(sink, "values", node.start_mark.index, aliases=True)
            if lengths[id(node)] > characters:
                refuse_large_document(sink, "characters", node.start_mark.index, aliases=True)
        elif id(node) in within:
            refuse_recursive_alias(sink, Span(node.start_mark.index))
            raise UnreadableDocument
        elif id(node) not in sizes:
            within.add(id(node))
            stack.append((node, True))
            stack.extend((n, False) for n in inside)

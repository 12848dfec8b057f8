"""Places in a text: a range of characters is one value.

Invariant: a place without a text is NOWHERE; every class with a place has it as `span`.
"""

from __future__ import annotations

from typing import NamedTuple, Protocol


class Located(Protocol):
    """The base of all classes with a place in a text: a span itself, a node, an entry, a name."""

    @property
    def span(self) -> Span: ...
    @property
    def at(self) -> int: ...
    @property
    def end(self) -> int: ...


class Span(NamedTuple):
    """A place in a text: the offset of its first character, and the offset after its last one."""

    at: int = -1
    end: int = -1

    @property
    def span(self) -> Span:
        return self

    @property
    def in_text(self) -> Span:
        """The same place, or the beginning of the text if this is NOWHERE."""
        return self if self.at >= 0 else Span(0, self.end)


NOWHERE = Span()
START = Span(0)  # the place of findings about a text as a whole


class WithSpan:
    """A base of classes with a field `span`. It adds `at` and `end`, the offsets of that span."""

    __slots__ = ()
    span: Span

    @property
    def at(self) -> int:
        """The offset of the first character; -1 if it comes from no text."""
        return self.span.at

    @property
    def end(self) -> int:
        """The offset after the last character."""
        return self.span.end


def word_at(at: int, word: str) -> Span:
    """The place of a word that begins at an offset."""
    return Span(at, at + len(word))

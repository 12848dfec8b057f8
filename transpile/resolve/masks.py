"""Messages without the values of hidden parameters.

Invariant: no message shows a hidden value of SHORT characters or more. A shorter one, or a boolean, is too common to be
replaced everywhere: it is replaced only in messages about a hidden parameter, by their place or by their words.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, final

from transpile.diagnostics.model import MASK, Diagnostic
from transpile.model.lazy_patterns import compile_lazily
from transpile.model.records import replace

START = 8  # characters by which a value is recognised, because messages shorten quoted values
MANY = 32  # values; so many are not searched for one by one
SHORT = 4  # characters: a value of this length or more is replaced in all messages


@final
class Mask:
    """Replaces hidden values in messages. `public`: names that templates use; `hidden`: those of hidden parameters."""

    def __init__(self, values: Iterable[Any], public: Iterable[str], hidden: Iterable[str] = ()) -> None:
        public_text = "\n".join(public)
        hidden_texts = {text for value in values for text in scalar_texts(value)}
        ordered = sorted(hidden_texts, key=lambda text: (-len(text), text))
        starts = [(build_start_pattern(text, public_text), text) for text in ordered]
        self.long = [pair for pair in starts if len(pair[1]) >= SHORT and pair[1] not in BOOLEANS]
        self.short = [pair for pair in starts if len(pair[1]) < SHORT or pair[1] in BOOLEANS]
        self.beginnings = BeginningIndex([text for _, text in self.long])
        words = "|".join(map(re.escape, sorted(hidden)))
        self.hidden_names = re.compile(rf"(?<!\w)(?:{words})(?!\w)") if words and self.short else None

    @property
    def is_empty(self) -> bool:
        return not (self.long or self.short)

    def mask_diagnostic(self, diagnostic: Diagnostic, *, about: bool = False) -> Diagnostic:
        """The diagnostic without hidden values. `about`: its place is that of a hidden value, or of an expression that
        depends on it.
        """
        about = about or (
            self.hidden_names is not None
            and self.hidden_names.search(f"{diagnostic.message} {diagnostic.hint}") is not None
        )
        message, hint = self.mask_text(diagnostic.message, about=about), self.mask_text(diagnostic.hint, about=about)
        fix = (
            diagnostic.fix
            if diagnostic.fix is not None and self.mask_text(diagnostic.fix.title, about=about) == diagnostic.fix.title
            else None
        )
        if (message, hint) == (diagnostic.message, diagnostic.hint) and fix is diagnostic.fix:
            return diagnostic
        return replace(diagnostic, message=message, hint=hint, fix=fix)

    def mask_text(self, text: str, *, about: bool = False) -> str:
        if not about and self.hidden_names is not None:
            about = self.hidden_names.search(text) is not None
        counted = COUNT.match(text) if about else None
        count = counted[0] if counted is not None else ""
        text = text[len(count) :]
        for pattern, value in [*self.long_values_in(text), *(self.short if about else ())]:
            begins = re.compile(pattern)
            if begins.search(text) is not None:
                text = begins.sub(MASK, text) if len(value) < START else mask_long_value(text, begins, value)
        return count + text

    def long_values_in(self, text: str) -> list[tuple[str, str]]:
        """The long values that may be in a text, each with the pattern that recognises it."""
        if len(self.long) < MANY:
            return self.long
        return [self.long[number] for number in self.beginnings.find_candidates(text)]


@final
class BeginningIndex:
    """Finds which of many values may begin somewhere in a text, in one pass over it. Messages may put backslashes
    between the characters of a value, so these do not count.
    """

    def __init__(self, values: Sequence[str]) -> None:
        self.anywhere: list[int] = []  # values that messages may write with other characters, or that a mask contains
        self.by_beginning: dict[str, list[int]] = {}
        for number, value in enumerate(values):
            beginning = value[:START].replace("\\", "")
            if not beginning or not beginning.isascii() or not beginning.isprintable() or MASK[0] in beginning:
                self.anywhere.append(number)
            else:
                self.by_beginning.setdefault(beginning, []).append(number)
        self.lengths = sorted({len(beginning) for beginning in self.by_beginning})

    def find_candidates(self, text: str) -> list[int]:
        """The numbers of the values that may be in a text, in order."""
        plain, numbers = text.replace("\\", ""), {*self.anywhere}
        for length in self.lengths:
            for at in range(len(plain) - length + 1):
                if (beginning := self.by_beginning.get(plain[at : at + length])) is not None:
                    numbers.update(beginning)
        return sorted(numbers)


# How many things a message is about, which is no value: a sentence goes on with their name, not with a verb.
COUNT = compile_lazily(r"\d+ (?!(?:is|are|was|does|do|has|must|can|cannot|may|will|would)\b)[a-z]", re.ASCII)
BOOLEANS = ("True", "true", "False", "false")


def mask_long_value(message: str, begins: re.Pattern[str], value: str) -> str:
    """A message with a mask in place of a long value, even if the message quotes only its beginning."""
    pieces: list[str] = []
    at = 0
    while (match := begins.search(message, at)) is not None:
        pieces += [message[at : match.start()], MASK]
        at = match.end()
        for char in value[START:]:
            if (more := re.compile(build_character_pattern(char)).match(message, at)) is None:
                break
            at = more.end()
    return "".join([*pieces, message[at:]])


def build_start_pattern(text: str, public: str) -> str:
    """A pattern that recognises a value. A value that is also a name in the template is only replaced in quotes."""
    form = "".join(map(build_character_pattern, text[:START]))
    if text in public:
        return rf"(?<=['\"]){form}(?=['\"])"
    if len(text) >= START:
        return form
    before = r"(?<![\w.])" if text[0].isalnum() else ""
    after = r"(?!\w|\.\d)" if text[-1].isalnum() else ""
    return f"{before}{form}{after}"


def build_character_pattern(char: str) -> str:
    """A character as messages may write it, with the escapes of Python or JSON, or of both."""
    if char == "\\":
        return r"\\*"  # none, if the pattern of the character before has matched them all
    if char.isascii() and char.isprintable():
        return rf"\\*{re.escape(char)}"
    return rf"(?:{re.escape(char)}|\\*(?:[abfnrtv]|x[0-9a-f]{{2}}|u[0-9a-f]{{4}}|U[0-9a-f]{{8}}))"


def conceal_ranges(line: str, ranges: Sequence[tuple[int, int]]) -> str:
    """A line with MASK in place of hidden values. The ranges are replaced from the last, so that offsets stay right."""
    for first, last in reversed(ranges):
        line = line[:first] + MASK + line[last:]
    return line


def scalar_texts(value: Any) -> Iterator[str]:
    """The scalars in a value, as Python, YAML or JSON spell them: True -> "True", "true". Empty texts are left out."""
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, list):
        for inner in value:
            yield from scalar_texts(inner)
    elif isinstance(value, bool):
        yield from (str(value), str(value).lower())
    elif value is not None:
        if isinstance(value, float) and value.is_integer():
            yield str(int(value))
        text = str(value)
        if text.strip():
            yield text
            yield from (part for part in text.split(",") if "," in text and len(part) >= START)

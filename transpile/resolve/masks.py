"""Messages without the values of hidden parameters.

Invariant: no message shows a hidden value of SHORT characters or more. A shorter one, or a boolean, is too common to be
replaced everywhere: it is replaced only in messages about a hidden parameter, by their place or by their words.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, final

from transpile.diagnostics.model import MASK
from transpile.model.records import replace

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from transpile.diagnostics.model import Diagnostic

START = 8  # characters by which a value is recognised, because messages shorten what they quote
SHORT = 4  # characters: a value of this length or more is replaced in all messages


@final
class Mask:
    """Replaces hidden values in messages. `public`: names that templates use; `hidden`: those of hidden parameters."""

    def __init__(self, values: Iterable[Any], public: Iterable[str], hidden: Iterable[str] = ()) -> None:
        known = "\n".join(public)
        found = {text for value in values for text in texts(value)}
        ordered = sorted(found, key=lambda text: (-len(text), text))
        starts = [(re.compile(start(text, known)), text) for text in ordered]
        self.long = [one for one in starts if len(one[1]) >= SHORT and one[1] not in BOOLEANS]
        self.short = [one for one in starts if len(one[1]) < SHORT or one[1] in BOOLEANS]
        words = "|".join(map(re.escape, sorted(hidden)))
        self.named = re.compile(rf"(?<!\w)(?:{words})(?!\w)") if words and self.short else None

    @property
    def empty(self) -> bool:
        return not (self.long or self.short)

    def diagnostic(self, one: Diagnostic, *, about: bool = False) -> Diagnostic:
        """The diagnostic without hidden values. `about`: its place is that of a hidden value, or what depends on it."""
        about = about or (self.named is not None and self.named.search(f"{one.message} {one.hint}") is not None)
        message, hint = self.text(one.message, about=about), self.text(one.hint, about=about)
        fix = one.fix if one.fix is not None and self.text(one.fix.title, about=about) == one.fix.title else None
        if (message, hint) == (one.message, one.hint) and fix is one.fix:
            return one
        return replace(one, message=message, hint=hint, fix=fix)

    def text(self, shown: str, *, about: bool = False) -> str:
        if not about and self.named is not None:
            about = self.named.search(shown) is not None
        counted = COUNT.match(shown) if about else None
        count = counted[0] if counted is not None else ""
        shown = shown[len(count) :]
        for begins, text in [*self.long, *self.short] if about else self.long:
            if begins.search(shown) is not None:
                shown = begins.sub(MASK, shown) if len(text) < START else without(shown, begins, text)
        return count + shown


# How many things a message is about, which is no value: a sentence goes on with their name, not with a verb.
COUNT = re.compile(r"\d+ (?!(?:is|are|was|does|do|has|must|can|cannot|may|will|would)\b)[a-z]", re.ASCII)
BOOLEANS = ("True", "true", "False", "false")


def without(shown: str, begins: re.Pattern[str], text: str) -> str:
    """A message with a mask in place of a long value, even if the message quotes only its beginning."""
    pieces: list[str] = []
    at = 0
    while (found := begins.search(shown, at)) is not None:
        pieces += [shown[at : found.start()], MASK]
        at = found.end()
        for char in text[START:]:
            if (more := re.compile(spelled(char)).match(shown, at)) is None:
                break
            at = more.end()
    return "".join([*pieces, shown[at:]])


def start(text: str, public: str) -> str:
    """A pattern that recognises a value. A value that is also a name in the template is only replaced in quotes."""
    form = "".join(map(spelled, text[:START]))
    if text in public:
        return rf"(?<=['\"]){form}(?=['\"])"
    if len(text) >= START:
        return form
    before = r"(?<![\w.])" if text[0].isalnum() else ""
    after = r"(?!\w|\.\d)" if text[-1].isalnum() else ""
    return f"{before}{form}{after}"


def spelled(char: str) -> str:
    """A character as messages may write it, with the escapes of Python or JSON, or of both."""
    if char == "\\":
        return r"\\*"  # none, if the pattern of the character before has matched them all
    if char.isascii() and char.isprintable():
        return rf"\\*{re.escape(char)}"
    return rf"(?:{re.escape(char)}|\\*(?:[abfnrtv]|x[0-9a-f]{{2}}|u[0-9a-f]{{4}}|U[0-9a-f]{{8}}))"


def texts(value: Any) -> Iterator[str]:
    """The scalars in a value, as Python, YAML or JSON spell them: True -> "True", "true". Empty texts are left out."""
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, list):
        for inner in value:
            yield from texts(inner)
    elif isinstance(value, bool):
        yield from (str(value), str(value).lower())
    elif value is not None:
        if isinstance(value, float) and value.is_integer():
            yield str(int(value))
        text = str(value)
        if text.strip():
            yield text
            yield from (part for part in text.split(",") if "," in text and len(part) >= START)

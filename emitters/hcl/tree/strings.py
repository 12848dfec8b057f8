"""Prints string literals, heredocs and template files; all escaping is here.

Invariant: a printed string evaluates to the same text. A heredoc has no backslash escapes and `<<-` strips common
indentation, so the form depends on the text. Terraform normalises every string to NFC; that cannot be avoided.
"""

from __future__ import annotations

import functools
import re
from typing import TYPE_CHECKING

from emitters.hcl.tree.nodes import Expr, Name
from transpile.model.printable import UNSEEN

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

Part = Expr
PLAIN = re.compile(rf'[^{UNSEEN}"\\$%]*')
ESCAPED = re.compile(rf'[{UNSEEN}"\\]|\$\{{|%\{{')
PIECES = re.compile(r"\$\{|%\{|.", re.S)
BLOCKS = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t", "${": "$${", "%{": "%%{"}
NO_HEREDOC = re.compile(rf"(?![\t\n])[{UNSEEN}]")
MARKERS = re.compile(r"([$%])\{")
TEMPLATE = re.compile(r'(\$\$\{|%%\{)|\$\{(?:"(\$+)"|(\w+)\((\w+)\))\}|[$%]\{')
TERMINATOR = "EOT"
# Characters that surely begin a grapheme: those outside the blocks of combining characters. The end of a text counts.
ALONE = re.compile(
    r"[\x00-\u02ff\u2010-\u2027\u2030-\u205f\u2190-\u22ff\u3041-\u3096\u30a1-\u30fa\u4e00-\u9fff\uac00-\ud7a3]|\Z"
)


def escape(text: str) -> str:
    """Escapes a text, or a part of one, for a quoted string."""
    if PLAIN.fullmatch(text) and (text.isascii() or not clings(text)):
        return text
    if text.isascii():
        return ESCAPED.sub(_replace, text)
    out = []
    loose = True  # after a quote, a bracket or an escape, with which Terraform would merge a combining character
    for piece in PIECES.findall(text):
        if ESCAPED.fullmatch(piece):
            out.append(_replace_text(piece))
            loose = True
        else:
            out.append(unicode_escape(piece) if loose and clings(piece) else piece)
            loose = loose and clings(piece)
    return "".join(out)


def _replace(match: re.Match[str]) -> str:
    return _replace_text(match[0])


def _replace_text(text: str) -> str:
    return BLOCKS.get(text) or unicode_escape(text)


def unicode_escape(char: str) -> str:
    return f"\\u{ord(char):04x}" if ord(char) < 0x10000 else f"\\U{ord(char):08x}"


def clings(text: str) -> bool:
    """Whether the first character is one grapheme with the character before it. Terraform's scanner counts graphemes,
    and loses such a character after the indentation of a heredoc and, in some versions, after a quote or an escape.
    """
    return ALONE.match(text) is None and extender().match(text) is not None


@functools.cache
def extender() -> re.Pattern[str]:
    """Any character that never begins a grapheme (UAX #29)."""
    import regex  # slow to import, and most texts have no such characters

    found: re.Pattern[str] = regex.compile(r"[\p{GCB=Extend}\p{GCB=SpacingMark}\p{GCB=ZWJ}]")
    return found


def quote(text: str) -> str:
    """A quoted string without interpolation."""
    return f'"{escape(text)}"'


def merged(parts: Sequence[Part]) -> list[Part]:
    """Joins adjacent literal parts, so that `$` and `{` at a boundary are seen as `${` and escaped."""
    out: list[Part] = []
    for part in parts:
        if isinstance(part, str) and out and isinstance(out[-1], str):
            out[-1] += part
        elif part != "":
            out.append(part)
    return out


def interpolation(shown: str) -> str:
    """`${…}` in the layout of terraform fmt: with spaces around braces, and in parentheses if the expression begins
    with a minus, which fmt would treat as a binary operator.
    """
    shown = f"({shown})" if shown.startswith("-") else shown
    return f"${{{' ' * shown.startswith('{')}{shown}{' ' * shown.endswith('}')}}}"


def quoted(parts: Sequence[Part], show: Callable[[Expr], str]) -> str:
    """A quoted string; `show` prints an interpolated expression on one line."""
    out, parts = [], merged(parts)
    for i, part in enumerate(parts):
        if not isinstance(part, str):
            out.append(interpolation(show(part)))
        elif part.endswith("$") and i + 1 < len(parts):  # `$${` would be an escape
            out.append(escape(part[:-1]) + "\\u0024")
        else:
            out.append(escape(part))
    return '"' + "".join(out) + '"'


def fits_heredoc(parts: Sequence[Part]) -> bool:
    """Whether the text has several lines and a heredoc can represent it."""
    literal = [p for p in merged(parts) if isinstance(p, str)]
    return any("\n" in p for p in literal) and not any(NO_HEREDOC.search(p) or loose(p) for p in literal)


def loose(text: str) -> bool:
    """Whether a line begins with a combining character, which a heredoc would lose."""
    return not text.isascii() and (clings(text) or any(clings(line.lstrip()) for line in text.split("\n")))


def heredoc(parts: Sequence[Part], indent: int, show: Callable[[Expr], str]) -> str:
    """A heredoc as the value of an argument. indent: the indentation of the argument."""
    pieces, parts = [], merged(parts)
    for i, part in enumerate(parts):
        if not isinstance(part, str):
            pieces.append(interpolation(show(part)))
            continue
        text = MARKERS.sub(r"\1\1{", part)
        if part.endswith("$") and i + 1 < len(parts):
            kept = text.rstrip("$")
            text = kept + '${"' + "$" * (len(text) - len(kept)) + '"}'
        pieces.append(text)
    text = "".join(pieces)
    ended = isinstance(parts[-1], str) and text.endswith("\n")
    lines = (text[:-1] if ended else text).split("\n")
    word = TERMINATOR
    while any(line.strip() == word for line in lines):  # a line of the text would end the heredoc
        word += "_"
    if any(line.strip() and not line[0].isspace() for line in lines):
        pad = " " * (indent + 2)
        shown = [pad + line if line.strip() else line for line in lines]
        opening, closing = f"<<-{word}", " " * indent + word
    else:
        shown, opening, closing = lines, f"<<{word}", word
    body = "\n".join([opening, *shown, closing])
    return body if ended else f'trimsuffix({body}\n{" " * indent}, "\\n")'


def rendered(text: str, function: str, values: Mapping[str, str]) -> str | None:
    """The text that templatefile() makes of a file from `print_template_file`. function: the one that is called with
    each name. values: its results, by name. None if the file contains anything but literal text and such calls.
    """
    out: list[str] = []
    at = 0
    for found in TEMPLATE.finditer(text):
        out.append(text[at : found.start()])
        at = found.end()
        escape, dollars, called, name = found.groups()
        if escape is not None:
            out.append(escape[1:])
        elif dollars is not None:
            out.append(dollars)
        elif called == function and name in values:
            out.append(values[name])
        else:
            return None
    return "".join([*out, text[at:]])


def template(parts: Sequence[str | Name], function: str = "") -> str:
    """A file for templatefile(): literal parts escaped, names interpolated as arguments of a function, if any."""
    out: list[str] = []
    for i, part in enumerate(parts):
        if not isinstance(part, str):
            name = ".".join(part.parts)
            out.append("${" + (f"{function}({name})" if function else name) + "}")
            continue
        text = MARKERS.sub(r"\1\1{", part)
        if part.endswith("$") and i + 1 < len(parts):
            kept = text.rstrip("$")
            text = kept + '${"' + "$" * (len(text) - len(kept)) + '"}'
        out.append(text)
    return "".join(out)

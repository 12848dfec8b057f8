"""Prints string literals, heredocs and template files; all escaping is here.

Invariant: a printed string evaluates to the same text. A heredoc has no backslash escapes and `<<-` strips common
indentation, so the form depends on the text. Terraform normalises every string to NFC; that cannot be avoided.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Mapping, Sequence

from emitters.hcl.tree.nodes import Expr, Traversal
from transpile.model.lazy_patterns import compile_lazily
from transpile.model.printable import UNSEEN

TemplatePart = Expr
PLAIN_TEXT = compile_lazily(rf'[^{UNSEEN}"\\$%]*')
ESCAPED = compile_lazily(rf'[{UNSEEN}"\\]|\$\{{|%\{{')
PIECES = compile_lazily(r"\$\{|%\{|.", re.S)
ESCAPES = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t", "${": "$${", "%{": "%%{"}
NO_HEREDOC = compile_lazily(rf"(?![\t\n])[{UNSEEN}]")
MARKERS = compile_lazily(r"([$%])\{")
TEMPLATE = compile_lazily(r'(\$\$\{|%%\{)|\$\{(?:"(\$+)"|(\w+)\((\w+)\))\}|[$%]\{')
TERMINATOR = "EOT"
# Characters that surely begin a grapheme: those outside the blocks of combining characters. The end of a text counts.
OWN_GRAPHEME = compile_lazily(
    r"[\x00-\u02ff\u2010-\u2027\u2030-\u205f\u2190-\u22ff\u3041-\u3096\u30a1-\u30fa\u4e00-\u9fff\uac00-\ud7a3]|\Z"
)


def escape_text(text: str) -> str:
    """Escapes a text, or a part of one, for a quoted string."""
    if PLAIN_TEXT.fullmatch(text) and (text.isascii() or not joins_previous_character(text)):
        return text
    if text.isascii():
        return ESCAPED.sub(_escape_match, text)
    out = []
    may_join = True  # after a quote, a bracket or an escape, with which Terraform would merge a combining character
    for piece in PIECES.findall(text):
        if ESCAPED.fullmatch(piece):
            out.append(_escape_piece(piece))
            may_join = True
        else:
            out.append(escape_code_point(piece) if may_join and joins_previous_character(piece) else piece)
            may_join = may_join and joins_previous_character(piece)
    return "".join(out)


def _escape_match(match: re.Match[str]) -> str:
    return _escape_piece(match[0])


def _escape_piece(text: str) -> str:
    return ESCAPES.get(text) or escape_code_point(text)


def escape_code_point(char: str) -> str:
    return f"\\u{ord(char):04x}" if ord(char) < 0x10000 else f"\\U{ord(char):08x}"


def joins_previous_character(text: str) -> bool:
    """Whether the first character is one grapheme with the character before it. Terraform's scanner counts graphemes,
    and loses such a character after the indentation of a heredoc and, in some versions, after a quote or an escape.
    """
    return OWN_GRAPHEME.match(text) is None and compile_extender_pattern().match(text) is not None


@functools.cache
def compile_extender_pattern() -> re.Pattern[str]:
    """Any character that never begins a grapheme (UAX #29)."""
    from emitters.hcl.tree.grapheme_extenders import character_class  # slow, and most texts have no such characters

    return re.compile(character_class())


def quote_text(text: str) -> str:
    """A quoted string without interpolation."""
    return f'"{escape_text(text)}"'


def merge_literals(parts: Sequence[TemplatePart]) -> list[TemplatePart]:
    """Joins adjacent literal parts, so that `$` and `{` at a boundary are seen as `${` and escaped."""
    out: list[TemplatePart] = []
    for part in parts:
        if type(part) is str and out and isinstance(out[-1], str):
            out[-1] += part
        elif part != "":
            out.append(part)
    return out


def print_interpolation(printed: str) -> str:
    """`${…}` in the layout of terraform fmt: with spaces around braces, and in parentheses if the expression begins
    with a minus, which fmt would treat as a binary operator.
    """
    printed = f"({printed})" if printed.startswith("-") else printed
    return f"${{{' ' * printed.startswith('{')}{printed}{' ' * printed.endswith('}')}}}"


def print_quoted(parts: Sequence[TemplatePart], show: Callable[[Expr], str]) -> str:
    """A quoted string; `show` prints an interpolated expression on one line."""
    out, parts = [], merge_literals(parts)
    for i, part in enumerate(parts):
        if type(part) is not str:
            out.append(print_interpolation(show(part)))
        elif part.endswith("$") and i + 1 < len(parts):  # `$${` would be an escape
            out.append(escape_text(part[:-1]) + "\\u0024")
        else:
            out.append(escape_text(part))
    return '"' + "".join(out) + '"'


def fits_heredoc(parts: Sequence[TemplatePart]) -> bool:
    """Whether the text has several lines and a heredoc can represent it."""
    literal = [p for p in merge_literals(parts) if isinstance(p, str)]
    return any("\n" in p for p in literal) and not any(
        NO_HEREDOC.search(p) or has_line_joining_indent(p) for p in literal
    )


def has_line_joining_indent(text: str) -> bool:
    """Whether a line begins with a combining character, which a heredoc would lose."""
    return not text.isascii() and (
        joins_previous_character(text) or any(joins_previous_character(line.lstrip()) for line in text.split("\n"))
    )


def print_heredoc(parts: Sequence[TemplatePart], indent: int, show: Callable[[Expr], str]) -> str:
    """A heredoc as the value of an argument. indent: the indentation of the argument."""
    pieces, parts = [], merge_literals(parts)
    for i, part in enumerate(parts):
        if not isinstance(part, str):
            pieces.append(print_interpolation(show(part)))
            continue
        text = MARKERS.sub(r"\1\1{", part)
        if part.endswith("$") and i + 1 < len(parts):
            kept = text.rstrip("$")
            text = kept + '${"' + "$" * (len(text) - len(kept)) + '"}'
        pieces.append(text)
    text = "".join(pieces)
    ends_line = isinstance(parts[-1], str) and text.endswith("\n")
    lines = (text[:-1] if ends_line else text).split("\n")
    word = TERMINATOR
    while any(line.strip() == word for line in lines):  # a line of the text would end the heredoc
        word += "_"
    if any(line.strip() and not line[0].isspace() for line in lines):
        pad = " " * (indent + 2)
        printed_lines = [pad + line if line.strip() else line for line in lines]
        opening, closing = f"<<-{word}", " " * indent + word
    else:
        printed_lines, opening, closing = lines, f"<<{word}", word
    body = "\n".join([opening, *printed_lines, closing])
    if ends_line:
        return body
    if isinstance(parts[-1], str) and not parts[-1].endswith("\r"):  # the value of an expression may end in line ends
        return f"chomp({body}\n{' ' * indent})"
    return f'trimsuffix({body}\n{" " * indent}, "\\n")'


def render_template_file(text: str, function: str, values: Mapping[str, str]) -> str | None:
    """The text that templatefile() returns for a file from `print_template_file`. function: the one that is called with
    each name. values: its results, by name. None if the file contains anything but literal text and such calls.
    """
    out: list[str] = []
    at = 0
    for match in TEMPLATE.finditer(text):
        out.append(text[at : match.start()])
        at = match.end()
        escape, dollars, called_function, name = match.groups()
        if escape is not None:
            out.append(escape[1:])
        elif dollars is not None:
            out.append(dollars)
        elif called_function == function and name in values:
            out.append(values[name])
        else:
            return None
    return "".join([*out, text[at:]])


def print_template_file(parts: Sequence[str | Traversal], function: str = "") -> str:
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

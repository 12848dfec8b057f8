"""Texts of other people on a line of ours: in a terminal, a log, a comment.

Invariant: each function returns one line of visible characters. Nothing in it moves the cursor, begins a line or an
escape sequence, or changes the direction of the text around it.
"""

from __future__ import annotations

import re

from transpile.model.lazy_patterns import compile_lazily

# Control characters (C0, DEL, C1), line ends of Unicode, characters that change the direction of text (Bidi_Control),
# surrogates, and invisible characters: byte order mark, annotations, tags.
UNSEEN = (
    r"\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff\ufeff\ufff9-\ufffb"
    r"\U000e0000-\U000e007f"
)
UNSEEN_CHARACTER = compile_lazily(f"[{UNSEEN}]")
DOT = "·"
LOGGED = compile_lazily(r"##(?=\w*\[)")  # the logs of GitHub, Azure and TeamCity take this for a command
COMMAND = compile_lazily(rf"^\s*(?=::)|{LOGGED.pattern}")


def make_printable(text: str) -> str:
    """A text on one line, with a dot for each invisible character: `"a\x1b[2J"` -> `"a·[2J"`."""
    return text if text.isprintable() else UNSEEN_CHARACTER.sub(visible_substitute, text)


def make_comment_printable(text: str) -> str:
    """A text as one line of a comment. Like `make_printable`, but tabs stay."""
    return "\t".join(map(make_printable, text.split("\t")))


def make_log_line(text: str) -> str:
    """A text as one line of a terminal or log. Build servers execute some lines of a log, such as `::error::x`, so a
    dot is written into such a command.
    """
    return COMMAND.sub(rf"\g<0>{DOT}", make_printable(text)) if "::" in text or "##" in text else make_printable(text)


def visible_substitute(match: re.Match[str]) -> str:
    return " " if match[0] == "\t" else DOT


def escape_json_text(text: str) -> str:
    """A JSON text with escapes in place of invisible characters and of commands to a log. Line feeds stay, because JSON
    has them only between values, as part of its layout.
    """
    text = text if text.isprintable() else UNSEEN_CHARACTER.sub(escape_unseen_character, text)
    return LOGGED.sub(r"#\\u0023", text) if "##" in text else text


def escape_unseen_character(match: re.Match[str]) -> str:
    if match[0] == "\n":
        return "\n"
    units = match[0].encode("utf-16-be", "surrogatepass")
    return "".join(f"\\u{units[i : i + 2].hex()}" for i in range(0, len(units), 2))

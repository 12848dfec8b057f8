"""Texts of other people on a line of ours: in a terminal, a log, a comment.

Invariant: what comes out is one line, and each of its characters can be seen where it stands. Nothing in it moves the
cursor, begins a line or an escape sequence, or changes the direction of what is around it.
"""

from __future__ import annotations

import re

# Control characters (C0, DEL, C1), what ends a line in Unicode, what changes the direction of text (Bidi_Control),
# surrogates, and characters that nobody sees: byte order mark, annotations, tags.
UNSEEN = (
    r"\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff\ufeff\ufff9-\ufffb"
    r"\U000e0000-\U000e007f"
)
FOUND = re.compile(f"[{UNSEEN}]")
DOT = "·"
LOGGED = re.compile(r"##(?=\w*\[)")  # what the logs of GitHub, Azure and TeamCity take for a command
COMMAND = re.compile(rf"^\s*(?=::)|{LOGGED.pattern}")


def printable(text: str) -> str:
    """A text on one line, with a dot for each character that cannot be seen."""
    return text if text.isprintable() else FOUND.sub(shown, text)


def comment(text: str) -> str:
    """The same for a comment, in which tabs stay."""
    return "\t".join(map(printable, text.split("\t")))


def line(text: str) -> str:
    """The same for a line of a terminal or log, which is no command to whoever reads the log."""
    return COMMAND.sub(rf"\g<0>{DOT}", printable(text)) if "::" in text or "##" in text else printable(text)


def shown(found: re.Match[str]) -> str:
    return " " if found[0] == "\t" else DOT


def escaped(text: str) -> str:
    """JSON in which such characters, and what a log takes for a command, are escapes; those between values are line
    ends of its layout.
    """
    text = text if text.isprintable() else FOUND.sub(escape, text)
    return LOGGED.sub(r"#\\u0023", text) if "##" in text else text


def escape(found: re.Match[str]) -> str:
    if found[0] == "\n":
        return "\n"
    units = found[0].encode("utf-16-be", "surrogatepass")
    return "".join(f"\\u{units[i : i + 2].hex()}" for i in range(0, len(units), 2))

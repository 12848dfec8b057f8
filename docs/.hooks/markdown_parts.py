"""Markdown for the generated pages: prose, table cells, code blocks, and links to diagnostics.

Invariant: text of rules and tables is escaped here; it never becomes markup.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from transpile.diagnostics.rules import RULES
from transpile.text.markdown import escape_prose, format_table

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

CODE = re.compile(r"\bHOT\d{3}\b")
SPECIAL = frozenset("&<>\"'|{}`*_[]\\")  # in HTML or Markdown
BREAK = re.compile(r"(?<=::)|(?<=&#95;)(?!$)|(?<=&#124;)|(?<=[./])(?!$)")  # after the parts of a name
PAGE = re.compile(r"\bdocs/([a-z-]+)\.md\b(#[a-z-]+)?")


def prose(text: str, up: str = "", own: str = "") -> str:
    """Prose as Markdown. Codes become links to their pages, except `own`, and so do names of pages. `up`: the way to
    the top directory.
    """
    # Braces at the end of a paragraph or a cell would be attributes.
    safe = escape_prose(text).replace("_", r"\_").replace("{", "&#123;")

    def link(match: re.Match[str]) -> str:
        code = match.group()
        return f"[{code}]({up}diagnostics/{code}.md)" if code in RULES and code != own else code

    return PAGE.sub(lambda match: f"[{match[1]}]({up}{match[1]}.md{match[2] or ''})", CODE.sub(link, safe))


def code(text: str) -> str:
    """A name as code, also in a table. A long one breaks between its words."""
    return f"<code>{BREAK.sub('<wbr>', escaped(text))}</code>"


def named(words: str, up: str) -> str:
    """What a mapping says, with the name of an argument at its beginning as code."""
    name, rest = re.fullmatch(r"([a-z0-9_.]+(?= \(|,|;|$))?(.*)", words, re.DOTALL).groups("")  # type: ignore[union-attr]
    return (code(name) if name else "") + prose(rest, up)


def escaped(text: str) -> str:
    """A text in HTML."""
    return "".join(f"&#{ord(c)};" if c in SPECIAL else c for c in text)


def aside(text: str) -> str:
    """A paragraph that a search does not show."""
    return f"{text}\n{{ data-search-exclude }}"


def table(head: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> str:
    return "\n".join(format_table(head, rows))


def joined(parts: Iterable[str]) -> str:
    return "\n\n".join(parts) + "\n"


def listed(items: Iterable[str]) -> Iterator[str]:
    """A list, or nothing if there are no items."""
    if lines := [f"- {item}" for item in items]:
        yield "\n".join(lines)

"""Mutations of text: of characters, of YAML's own tokens, and of bytes."""

from __future__ import annotations

import random
import re
from collections.abc import Callable

from tests.fuzz import values

TOKENS = (
    *(
        *("&a ", "*a", "<<: *a\n", "- ", "? ", ": ", "|\n", ">-\n", "---\n", "...\n", "%YAML 1.1\n", "\t"),
        *("# x\n", "!!str "),
    ),
    *(
        *("!!binary ", "!!set ", "!!int ", "!!float ", "!!omap ", "!x ", "!Ref ", "[", "]", "{", "}", ",", '"', "'"),
        *("`", "@"),
    ),
    *("{{ x }}", "{% if x %}", "{% endif %}", ".inf", "-.nan", "0b1", "1:30:00", "2001-01-01", "yes", "=", "<<", "~"),
    *("\r", "\r\n", "\n\n", "\x0b", "\x0c", " " * 300, "\\ud800", "\\u0000", "\\x1b", "\\N", "\\\n"),
)
DEEP = ("[", "{", "[{a: ", "{a: ", "- ", "? ", "[[", "&a [", "{list_join: ['', [")
DEPTHS = (10, 79, 90, 1000, 20_000, 100_000)


def insert(rng: random.Random, text: str) -> str:
    at = rng.randint(0, len(text))
    return text[:at] + rng.choice(TOKENS if rng.random() < 0.6 else values.TEXTS) + text[at:]


def delete(rng: random.Random, text: str) -> str:
    at = rng.randint(0, len(text))
    return text[:at] + text[at + rng.choice((1, 1, 2, 10, 100)) :]


def repeat(rng: random.Random, text: str) -> str:
    at = rng.randint(0, len(text))
    part = text[at : at + rng.choice((1, 10, 100, 1000))]
    return text[:at] + part * rng.choice((2, 2, 10, 50)) + text[at:]


def lines(rng: random.Random, text: str) -> str:
    """A line is moved, dropped, repeated or indented."""
    rows = text.split("\n")
    i, j = rng.randrange(len(rows)), rng.randrange(len(rows))
    how = rng.randrange(4)
    if how == 0:
        rows[i], rows[j] = rows[j], rows[i]
    elif how == 1:
        del rows[i]
    elif how == 2:
        rows.insert(j, rows[i])
    else:
        rows[i] = rng.choice(("  ", " ", "\t", "- ")) + rows[i]
    return "\n".join(rows)


def cut(rng: random.Random, text: str) -> str:
    return text[: rng.randint(0, len(text))]


def number(rng: random.Random, text: str) -> str:
    """A number in the text becomes another one."""
    matches = list(re.finditer(r"\d+", text))
    if not matches:
        return text
    match = rng.choice(matches)
    odd = rng.choice((str(rng.choice(values.COUNTS)), "9" * 400, "9" * 5000, "1e999", "0x" + "f" * 400, ".inf", "1_0"))
    return text[: match.start()] + odd + text[match.end() :]


def word(rng: random.Random, text: str) -> str:
    """A word in the text becomes another one that stands there, or an odd text."""
    matches = list(re.finditer(r"\w+", text))
    if not matches:
        return text
    match, other = rng.choice(matches), rng.choice(matches)
    new = other[0] if rng.random() < 0.6 else rng.choice(values.TEXTS)
    return text[: match.start()] + new + text[match.end() :]


def deep(rng: random.Random, text: str) -> str:
    at = rng.randint(0, len(text))
    return text[:at] + rng.choice(DEEP) * rng.choice(DEPTHS) + text[at:]


def ends(rng: random.Random, text: str) -> str:
    return text.replace("\n", rng.choice(("\r\n", "\r", "\u2028", "\x85")))


def mark(rng: random.Random, text: str) -> str:
    return "\ufeff" + text


# Those that stand here twice are done more often.
OPERATIONS: tuple[Callable[[random.Random, str], str], ...] = (
    *(insert, insert, insert, delete, delete, repeat, lines, lines, word, word, word, number, number, cut, deep),
    *(ends, mark),
)


def mutate(rng: random.Random, text: str, times: int) -> str:
    for _ in range(times):
        text = rng.choice(OPERATIONS)(rng, text)
    return text


def in_bytes(rng: random.Random, data: bytes) -> bytes:
    """Some bytes become others."""
    changed = bytearray(data)
    for _ in range(rng.randint(1, 4) if changed else 0):
        changed[rng.randrange(len(changed))] = rng.choice((0, 7, 0x0A, 0x22, 0x27, 0x7F, 0x80, 0xC3, 0xED, 0xFF))
    return bytes(changed)

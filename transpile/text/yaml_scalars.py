"""Scalars as YAML text, quoted where necessary; all targets that write YAML use these functions.

Invariant: YAML 1.1 and 1.2 read the same value. A text that either would read as another type is quoted, keys, too.
"""

from __future__ import annotations

import functools
import unicodedata
from typing import Any

from transpile.model.ir import Scalar
from transpile.model.lazy_patterns import compile_lazily
from transpile.model.printable import UNSEEN

# Texts that YAML 1.1 or 1.2 reads as a boolean, null, number, date or merge key.
AMBIGUOUS = compile_lazily(
    r"(?ix) (?: y|n|yes|no|on|off|true|false|null|~|<<|= "
    r"| [-+]?(\.inf|\.nan) | [-+]?[0-9][0-9_]*(\.[0-9_]*)?(e[-+]?[0-9]+)? | [-+]?\.[0-9_]+(e[-+]?[0-9]+)? "
    r"| [-+]?0b[01_]+ | [-+]?0x[0-9a-f_]+ | [-+]?0o[0-7_]+ | [-+]?[0-9][0-9_]*(:[0-5]?[0-9])+(\.[0-9_]*)? "
    r"| \d{4}-\d\d?-\d\d?(([tT]|[ \t]+)[0-9:.]+([ \t]*(Z|[-+]\d\d?(:?\d\d)?))?)? )"
)
SPECIAL = compile_lazily(r"[-?:,\[\]{}#&*!|>'\"%@`\s]")
# Characters that YAML does not allow unescaped, that either version reads as the end of a line, or that are invisible.
# The complement, a class of nearly all characters, would take 3 ms to compile.
CONTROLS = rf"{UNSEEN}\ufffe\uffff"
ESCAPED = compile_lazily(f"[{CONTROLS}]")
UNSAFE = compile_lazily(rf"[{CONTROLS}]|: |:$| #|\s$|^\s")
FLOW = compile_lazily(r"[,\[\]{}?]")  # some readers fail at a question mark in flow style
BLOCK_BREAKERS = compile_lazily(rf"(?![\t\n])[{CONTROLS}]")
LONG_KEY = 1000  # characters; YAML's limit is 1024
ESCAPES = {
    "\\": "\\\\",
    '"': '\\"',
    "\n": "\\n",
    "\r": "\\r",
    "\t": "\\t",
    "\0": "\\0",
    "\x07": "\\a",
    "\x08": "\\b",
    "\x1b": "\\e",
}


def is_plain_scalar(text: str, flow: bool) -> bool:
    """Whether a text needs no quotes."""
    if not text or AMBIGUOUS.fullmatch(text) or UNSAFE.search(text) or text.startswith(("---", "...")):
        return False
    if SPECIAL.match(text) and not (text[0] in "-?:" and len(text) > 1 and not text[1].isspace() and not flow):
        return False
    return not (flow and (FLOW.search(text) or text.endswith(":")))


@functools.lru_cache(maxsize=1 << 14)
def quote_if_needed(value: str, flow: bool = False) -> str:
    """A text on one line, in quotes if it needs them: `web`, `"true"`, `'a "b"'`."""
    if is_plain_scalar(value, flow):
        return value
    if not ESCAPED.search(value):
        if '"' not in value and "\\" not in value:
            return f'"{value}"'
        if "'" not in value:
            return f"'{value}'"
    return quote_with_escapes(value)


def quote_with_escapes(value: str) -> str:
    """A text in double quotes, with escapes. A combining character behind an escape is escaped, too: Terraform
    normalizes files to NFC, which would combine it with the last character of the escape.
    """
    pieces = ['"']
    for c in value:
        if c in ESCAPES:
            pieces.append(ESCAPES[c])
        elif not c.isprintable() or (pieces[-1][0] == "\\" and unicodedata.combining(c)):
            pieces.append(escape_character(c))
        else:
            pieces.append(c)
    return "".join([*pieces, '"'])


def escape_character(char: str) -> str:
    code = ord(char)
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def print_scalar(value: Scalar, flow: bool = False) -> str:
    """A scalar of any type on one line."""
    if isinstance(value, str):
        return quote_if_needed(value, flow)
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    if value != value:
        return ".nan"
    if value in (float("inf"), float("-inf")):
        return ".inf" if value > 0 else "-.inf"
    text = repr(value)
    if "e" in text:  # YAML 1.1 wants a point and a signed exponent
        mantissa, _, exponent = text.partition("e")
        text = (
            f"{mantissa if '.' in mantissa else mantissa + '.0'}e{exponent if exponent[0] in '+-' else '+' + exponent}"
        )
    return text


def print_flow(value: Any) -> str:
    """Maps, lists and scalars on one line."""
    if isinstance(value, dict):
        return (
            f"{{{', '.join([f'{quote_if_needed(key, True)}: {print_flow(inner)}' for key, inner in value.items()])}}}"
        )
    if isinstance(value, list):
        return f"[{', '.join(map(print_flow, value))}]"
    return print_scalar(value, True)


def print_key(name: str, pad: str) -> str:
    """A key in block style, with its colon. A key of more than 1024 characters must have the form `? key`."""
    key = quote_if_needed(name)
    return f"{pad}{key}:" if len(key) < LONG_KEY else f"{pad}? {key}\n{pad}:"


def print_block_scalar(value: str, indent: int) -> str | None:
    """A literal block scalar with indented lines; None if it could be read as another text."""
    if "\n" not in value or BLOCK_BREAKERS.search(value) or not value.strip("\n "):
        return None
    body = value.rstrip("\n")
    tail = len(value) - len(body)
    chomp = "-" if tail == 0 else "" if tail == 1 else "+"
    lines = body.split("\n")
    first = next(line for line in lines if line.strip(" "))
    lead = next((line for line in lines if line), "")
    hint = "2" if lead.startswith((" ", "\t")) or first.startswith((" ", "\t")) else ""
    pad = " " * indent
    indented = [pad + line if line else "" for line in lines]
    return "\n".join([f"|{hint}{chomp}", *indented]) + "\n" * max(tail - 1, 0)


def print_folded_scalar(value: str, indent: int, width: int) -> str | None:
    """A folded block scalar for one long line of prose; None if it could be read as another text."""
    body = value.removesuffix("\n")
    if not body or BLOCK_BREAKERS.search(body) or "\n" in body or "\t" in body:
        return None
    words = body.split(" ")
    if len(words) < 2 or not all(words):  # two blanks, or blanks at an end
        return None
    pad = " " * indent
    lines = [pad + words[0]]
    for word in words[1:]:
        if len(lines[-1]) + 1 + len(word) > width:
            lines.append(pad + word)
        else:
            lines[-1] += f" {word}"
    return "\n".join([">" if value.endswith("\n") else ">-", *lines])

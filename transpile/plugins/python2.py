"""Translates the syntax of Python 2 in the modules of plug-ins: `print x`, `except A, e`, `raise A, b`, and tabs.

Invariant: each translation is as long as what it replaces, so that places stay; tabs alone move columns (`shifts`).
Only statements that handlers have are translated, and they keep their shape, not their meaning.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from transpile.model.lazy_patterns import compile_lazily

TOKEN = compile_lazily(
    r"""(?P<comment>\#[^\n]*)
    |(?P<string>[uUbBrR]{0,2}(?:'''(?:[^\\]|\\.)*?'''|\"\"\"(?:[^\\]|\\.)*?\"\"\"
        |'(?:[^\\\n']|\\.)*'|"(?:[^\\\n"]|\\.)*"))
    |(?P<name>[^\W\d]\w*)
    |(?P<newline>\n)
    |(?P<space>[ \t\f\r]+|\\\r?\n)
    |(?P<op>>>|.)""",
    re.VERBOSE | re.DOTALL,
)


class Translated(NamedTuple):
    """The text for Python 3; `shifts`: columns added to a line."""

    text: str
    shifts: dict[int, int]


class Token(NamedTuple):
    kind: str
    text: str


def translate_module(text: str) -> Translated:
    """The text of a module for Python 3. It may still not parse, if the module is not Python 2 either."""
    tokens = [Token(m.lastgroup or "", m[0]) for m in TOKEN.finditer(text)]
    out = [token.text for token in tokens]
    significant = [i for i, token in enumerate(tokens) if token.kind not in ("space", "comment")]
    depth, begins = 0, True
    for at, i in enumerate(significant):
        token = tokens[i]
        if begins and token.kind == "name":
            translate_statement(tokens, out, significant[at:])
        depth = max(depth + (token.text in "([{") - (token.text in ")]}"), 0) if token.kind == "op" else depth
        begins = token.text == ";" or (depth == 0 and (token.kind == "newline" or token.text == ":"))
    lines, shifts = [], {}
    for row, line in enumerate("".join(out).split("\n"), 1):
        blank = line[: len(line) - len(line.lstrip(" \t\f"))]
        if "\t" in blank:
            wide = blank.expandtabs(8)
            shifts[row] = len(wide) - len(blank)
            line = wide + line[len(blank) :]
        lines.append(line)
    return Translated("\n".join(lines), shifts)


def translate_statement(tokens: list[Token], out: list[str], significant: list[int]) -> None:
    """Translates the start of a statement: its keyword, and what follows it in `except A, e` and `raise A, b`."""
    word, *rest = significant
    if tokens[word].text == "print" and rest and tokens[rest[0]].text not in ("=", ".", "(", ",", ")", ">>", ";", "\n"):
        out[word] = "not  "
    elif tokens[word].text in ("except", "raise"):
        depth = 0
        for i in rest:
            token = tokens[i]
            depth += (token.text in ("(", "[", "{")) - (token.text in (")", "]", "}"))
            if depth == 0 and (token.kind == "newline" or token.text in (":", ";")):
                break
            if depth == 0 and token.text == ",":
                out[i] = "|"

"""Translates the syntax of Python 2 that Python 3 does not parse: `print x`, `except A, e`, `raise A, b`, backticks,
`<>`, `0777`, `10L`, `ur''`, `exec`, tabs, parameters that are tuples.

Invariant: each translation is as long as what it replaces, so that places stay; tabs alone move columns (`shifts`). A
statement that only handlers have keeps its shape, not its meaning; what could be part of a schema keeps its value, and
backticks are noted as unknown (`quoted`).
"""

from __future__ import annotations

import re
from typing import NamedTuple

from transpile.model.lazy_patterns import compile_lazily

TOKEN = compile_lazily(
    r"""(?P<comment>\#[^\n]*)
    |(?P<string>(?P<prefix>[uUbBrR]{0,2})(?:'''(?:[^\\]|\\.)*?'''|\"\"\"(?:[^\\]|\\.)*?\"\"\"
        |'(?:[^\\\n']|\\.)*'|"(?:[^\\\n"]|\\.)*"))
    |(?P<number>0[xX][0-9a-fA-F]+[lL]?|\d+[lL](?![\w.])|0[0-7]+(?![\w.])|(?:\d[\d_]*)?\.?\d[\w.]*)
    |(?P<name>[^\W\d]\w*)
    |(?P<newline>\n)
    |(?P<space>[ \t\f\r]+|\\\r?\n)
    |(?P<op><>|>>|.)""",
    re.VERBOSE | re.DOTALL,
)
NAMES = {"async": "asynk", "await": "awayt", "nonlocal": "nonlokal"}


class Translated(NamedTuple):
    """The text for Python 3; `quoted`: line and byte column of backticks; `shifts`: columns added to a line."""

    text: str
    quoted: set[tuple[int, int]]
    shifts: dict[int, int]


class Token(NamedTuple):
    kind: str
    text: str
    at: int


def translate_module(text: str) -> Translated | None:
    """The text of a module for Python 3. It may still not parse, if the module is not Python 2 either."""
    tokens = [Token(m.lastgroup or "", m[0], m.start()) for m in TOKEN.finditer(text)]
    out = [token.text for token in tokens]
    quoted: list[int] = []
    significant = [i for i, token in enumerate(tokens) if token.kind not in ("space", "comment")]
    depth, begins, back = 0, True, False
    for at, i in enumerate(significant):
        token = tokens[i]
        if begins and token.kind == "name":
            translate_statement(tokens, out, significant, at)
        elif token.kind == "name" and token.text in NAMES:
            out[i] = NAMES[token.text]
        elif token.kind == "number":
            out[i] = translate_number(token.text)
        elif token.kind in ("string", "prefix"):
            out[i] = re.sub("^[uU](?=[rR])", " ", token.text)
        elif token.text == "<>":
            out[i] = "!="
        elif token.text == "`":
            if not back:
                quoted.append(token.at)
            out[i], back = "}" if back else "{", not back
        depth = max(depth + (token.text in "([{") - (token.text in ")]}"), 0) if token.kind == "op" else depth
        begins = (token.kind == "newline" and depth == 0) or token.text == ";" or (token.text == ":" and depth == 0)
        begins = begins or (begins is False and token.kind == "newline" and depth == 0)
    lines, shifts = [], {}
    for row, line in enumerate("".join(out).split("\n"), 1):
        blank = line[: len(line) - len(line.lstrip(" \t\f"))]
        if "\t" in blank:
            wide = blank.expandtabs(8)
            shifts[row] = len(wide) - len(blank)
            line = wide + line[len(blank) :]
        lines.append(line)
    places = set()
    for place in quoted:
        row = text.count("\n", 0, place) + 1
        column = len(text[text.rfind("\n", 0, place) + 1 : place].encode())
        places.add((row, column + shifts.get(row, 0)))
    return Translated("\n".join(lines), places, shifts)


def translate_number(text: str) -> str:
    """A number for Python 3, as long as before: `0777` -> ` 511`, `10L` -> `10 `."""
    if text[-1] in "lL":
        text = text[:-1] + " "
    if re.fullmatch("0[0-7]+ ?", text) and text.strip("0 "):
        return str(int(text.strip(), 8)).rjust(len(text))
    return "0".rjust(len(text)) if re.fullmatch("0[0 ]+", text) else text


def translate_statement(tokens: list[Token], out: list[str], significant: list[int], at: int) -> None:
    """Translates the start of a statement: its keyword, and what follows it in `except A, e` and `raise A, b`."""
    word = tokens[significant[at]].text
    after = tokens[significant[at + 1]] if at + 1 < len(significant) else Token("newline", "\n", 0)
    if word == "print":
        if after.kind == "newline" or after.text == ";":
            out[significant[at]] = "pass "
        elif after.text not in ("=", ".", "(", ",", ")"):
            out[significant[at]] = "not  "
            if after.text == ">>":
                out[significant[at + 1]] = "  "
    elif word == "exec" and after.text not in ("=", ".", "("):
        out[significant[at]] = "not "
    elif word in ("except", "raise"):
        depth = 0
        for i in significant[at + 1 :]:
            token = tokens[i]
            depth += (token.text in ("(", "[", "{")) - (token.text in (")", "]", "}"))
            if depth == 0 and (token.kind == "newline" or token.text in (":", ";")):
                break
            if depth == 0 and token.text == ",":
                out[i] = "|"
    elif word == "def":
        translate_parameters(tokens, out, significant, at)
    elif word in NAMES and after.text != "def":
        out[significant[at]] = NAMES[word]


def translate_parameters(tokens: list[Token], out: list[str], significant: list[int], at: int) -> None:
    """Replaces each parameter that is a tuple by one name: `def f((a, b)):` -> `def f(_a__b_):`."""
    depth = 0
    for k in range(at + 2, len(significant)):
        token = tokens[significant[k]]
        if token.text == "(":
            depth += 1
            if depth == 2 and tokens[significant[k - 1]].text in ("(", ","):
                end = next((j for j in range(k, len(significant)) if tokens[significant[j]].text == ")"), k)
                if all(
                    tokens[significant[j]].kind == "name" or tokens[significant[j]].text in "(,)"
                    for j in range(k, end + 1)
                ):
                    for i in range(significant[k], significant[end] + 1):
                        out[i] = re.sub(r"\W", "_", tokens[i].text)
        elif token.text == ")":
            depth -= 1
            if depth == 0:
                return
        elif token.kind == "newline" and depth == 0:
            return

"""Translates the syntax of Python 2 that Python 3 does not parse: `print x`, `except A, e`, `raise A, b`, backticks,
`<>`, `0777`, `10L`, `ur''`, `exec`, tabs, parameters that are tuples.

Invariant: each translation is as long as what it replaces, so that places stay; tabs alone move columns (`shifts`). A
statement that only handlers have keeps its shape, not its meaning; what could be part of a schema keeps its value, and
backticks are noted as unknown (`quoted`).
"""

from __future__ import annotations

import re
from typing import NamedTuple

TOKEN = re.compile(
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


def translate(text: str) -> Translated | None:
    """The text of a module for Python 3. It may still not parse, if the module is not Python 2 either."""
    found = [Token(m.lastgroup or "", m[0], m.start()) for m in TOKEN.finditer(text)]
    out = [one.text for one in found]
    quoted: list[int] = []
    real = [i for i, one in enumerate(found) if one.kind not in ("space", "comment")]
    depth, begins, back = 0, True, False
    for at, i in enumerate(real):
        one = found[i]
        if begins and one.kind == "name":
            statement(found, out, real, at)
        elif one.kind == "name" and one.text in NAMES:
            out[i] = NAMES[one.text]
        elif one.kind == "number":
            out[i] = number(one.text)
        elif one.kind in ("string", "prefix"):
            out[i] = re.sub("^[uU](?=[rR])", " ", one.text)
        elif one.text == "<>":
            out[i] = "!="
        elif one.text == "`":
            if not back:
                quoted.append(one.at)
            out[i], back = "}" if back else "{", not back
        depth = max(depth + (one.text in "([{") - (one.text in ")]}"), 0) if one.kind == "op" else depth
        begins = (one.kind == "newline" and depth == 0) or one.text == ";" or (one.text == ":" and depth == 0)
        begins = begins or (begins is False and one.kind == "newline" and depth == 0)
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


def number(text: str) -> str:
    """A number for Python 3, as long as before: `0777` -> ` 511`, `10L` -> `10 `."""
    if text[-1] in "lL":
        text = text[:-1] + " "
    if re.fullmatch("0[0-7]+ ?", text) and text.strip("0 "):
        return str(int(text.strip(), 8)).rjust(len(text))
    return "0".rjust(len(text)) if re.fullmatch("0[0 ]+", text) else text


def statement(found: list[Token], out: list[str], real: list[int], at: int) -> None:
    """Translates the start of a statement: its keyword, and what follows it in `except A, e` and `raise A, b`."""
    word = found[real[at]].text
    after = found[real[at + 1]] if at + 1 < len(real) else Token("newline", "\n", 0)
    if word == "print":
        if after.kind == "newline" or after.text == ";":
            out[real[at]] = "pass "
        elif after.text not in ("=", ".", "(", ",", ")"):
            out[real[at]] = "not  "
            if after.text == ">>":
                out[real[at + 1]] = "  "
    elif word == "exec" and after.text not in ("=", ".", "("):
        out[real[at]] = "not "
    elif word in ("except", "raise"):
        depth = 0
        for i in real[at + 1 :]:
            one = found[i]
            depth += (one.text in ("(", "[", "{")) - (one.text in (")", "]", "}"))
            if depth == 0 and (one.kind == "newline" or one.text in (":", ";")):
                break
            if depth == 0 and one.text == ",":
                out[i] = "|"
    elif word == "def":
        parameters(found, out, real, at)
    elif word in NAMES and after.text != "def":
        out[real[at]] = NAMES[word]


def parameters(found: list[Token], out: list[str], real: list[int], at: int) -> None:
    """Replaces each parameter that is a tuple by one name: `def f((a, b)):` -> `def f(_a__b_):`."""
    depth = 0
    for k in range(at + 2, len(real)):
        one = found[real[k]]
        if one.text == "(":
            depth += 1
            if depth == 2 and found[real[k - 1]].text in ("(", ","):
                end = next((j for j in range(k, len(real)) if found[real[j]].text == ")"), k)
                if all(found[real[j]].kind == "name" or found[real[j]].text in "(,)" for j in range(k, end + 1)):
                    for i in range(real[k], real[end] + 1):
                        out[i] = re.sub(r"\W", "_", found[i].text)
        elif one.text == ")":
            depth -= 1
            if depth == 0:
                return
        elif one.kind == "newline" and depth == 0:
            return

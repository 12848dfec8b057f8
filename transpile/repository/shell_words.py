"""The words and commands of shell text, as `shell_syntax` reads them.

Invariant: a word keeps its place; its value is the shell's text before any expansion.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import final

from transpile.model.records import node, record

SHELL, MAKE = "shell", "make"  # dialects: in a recipe of make, `$$` is the shell's `$`, and `$( )` is make's
CONDITIONS = ("if", "elif", "while", "until", "!")
NAME = re.compile(r"[A-Za-z_]\w*")
ASSIGNMENT = re.compile(r"([A-Za-z_]\w*)\+?=")


@final
@node
class ShellWord:
    """A word from `start` to `end`. `value`: without quotes, variables as `${NAME}` (make's as `$(NAME)`), and `$( )`
    as written. `is_literal`: nothing in it is expanded.
    """

    start: int
    end: int
    value: str
    is_literal: bool = True
    is_quoted: bool = False


@final
@node
class ShellCommand:
    """A simple command. `before`: the operator or reserved word in front of it, empty at the beginning of a
    statement; `after`: the operator behind it, empty at the end. `is_captured`: another command reads its output.
    `redirections`, `texts`: the places of redirections and here-documents. `is_closed`: all quotes up to here are
    closed.
    """

    words: tuple[ShellWord, ...]
    start: int
    end: int
    before: str
    after: str
    is_captured: bool
    redirections: tuple[tuple[int, int], ...] = ()
    texts: tuple[tuple[int, int], ...] = ()
    is_closed: bool = True


@record
class OpenText:
    """A here-document whose body begins on the next line. `command`: the index of the command that reads it."""

    delimiter: str
    command: int


def read_assignments(commands: list[ShellCommand]) -> Iterator[tuple[str, ShellWord, ShellCommand]]:
    """The variables that commands set, each with its word: `A=b`, `export A=b`, `local A=b`, `for A in`, `read A`."""
    for command in commands:
        words = command.words
        first = words[0].value if words else ""
        if first in ("export", "local", "declare", "typeset", "readonly", "env"):
            words = words[1:]
        elif first in ("for", "read", "select", "mapfile", "readarray", "getopts"):
            for word in words[1:]:
                if NAME.fullmatch(word.value):
                    yield word.value, word, command
            continue
        for word in words:
            match = ASSIGNMENT.match(word.value)
            if match is None:
                if first in ("export", "local", "declare", "typeset", "readonly"):
                    continue
                break
            yield match[1], word, command

"""Commands for a shell with words of the input.

Invariant: a word of the input is one argument of the command, never an option and never something that the shell runs:
`--os-auth-url=https://other.example` as the name of a resource would send the password there.
"""

from __future__ import annotations

import shlex
from collections.abc import Sequence

ARGUMENTS = "--"  # the words after it are not options


def quote_word(word: str) -> str:
    """A word of the input as the last argument of a command."""
    return f"{ARGUMENTS} {shlex.quote(word)}" if word.startswith("-") else shlex.quote(word)


def join_command(words: Sequence[str], argument: str, *options: str) -> str:
    """A command with a word of the input, and options that follow it."""
    if argument.startswith("-"):
        return shlex.join([*words, *options, ARGUMENTS, argument])
    return shlex.join([*words, argument, *options])


def set_option(option: str, value: str) -> list[str]:
    """An option with a word of the input as its value."""
    return [f"{option}={value}"] if value.startswith("-") else [option, value]

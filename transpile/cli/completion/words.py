"""What the last word of a command line may be.

Invariant: a line that makes no sense has no candidates; nothing here fails, reads a template or writes.
"""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

from transpile.cli.completion import values
from transpile.cli.completion.values import NOTHING, Candidates

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from transpile.cli.command_tree import Command, Parameter

END = "\N{NULL}"  # stands at the cursor, so that an empty word is one, too


def split(line: str) -> list[str]:
    """The words of a line up to the cursor, without quotes; the last one is being written, and may be empty."""
    lexer = shlex.shlex(line + END, posix=True)
    lexer.whitespace_split, lexer.commenters = True, ""
    found: list[str] = []
    try:
        found.extend(lexer)
    except ValueError:  # a quote is open
        found.append(lexer.token or "")
    return [one.removesuffix(END) for one in found]


def complete(root: Command, words: Sequence[str]) -> Candidates:
    """The candidates for the last of the words, which follow the name of the program."""
    *before, current = words or [""]
    command, place, only_arguments = root, 0, False
    pending: Parameter | None = None
    given: dict[str, str] = {}
    for word in before:
        if pending is not None:
            given[pending.key] = word
            pending = None
        elif word == "--" and not only_arguments:
            only_arguments = True
        elif word.startswith("-") and word != "-" and not only_arguments:
            name, equals, value = word.partition("=")
            option = command.option(name)
            if option is None:
                continue  # unknown, or several letters in one word
            given[option.key] = value
            pending = option if option.takes and not equals else None
        elif command.commands:
            below = command.command(word)
            if below is None:
                return NOTHING
            command, place = below, 0
        else:
            place += 1
    if pending is not None:
        return values.of(command, pending, current, given)
    if current.startswith("-") and not only_arguments:
        name, equals, value = current.partition("=")
        if not equals:
            return options(command, current, given)
        option = command.option(name)
        return values.of(command, option, value, given).behind(f"{name}=") if option is not None else NOTHING
    if command.commands:
        return values.matching([(one.name, one.help) for one in command.commands], current)
    if not command.arguments:
        return options(command, current, given) if not current else NOTHING
    last = command.arguments[-1]
    if place < len(command.arguments):
        return values.of(command, command.arguments[place], current, given)
    return values.of(command, last, current, given) if last.many else NOTHING


def options(command: Command, current: str, given: Mapping[str, str]) -> Candidates:
    """The names of the options that can still be given; the long ones, unless only a hyphen is there."""
    left = [one for one in command.options if one.many or one.key not in given]
    named = [(name, one.help) for one in left for name in (*one.names, *one.off)]
    return values.matching([one for one in named if one[0].startswith("--") or current == "-"], current)

"""The candidates for the last word of a command line.

Invariant: a command line with mistakes has no candidates. Nothing here fails, reads a template or writes.
"""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence

from transpile.cli.command_tree import CommandNode, Parameter
from transpile.cli.completion import values
from transpile.cli.completion.values import NOTHING, Candidates

END = "\N{NULL}"  # marks the cursor, so that an empty word counts as a word


def split_line(line: str) -> list[str]:
    """The words of a line up to the cursor, without quotes. The last word is the one being typed, and may be empty."""
    lexer = shlex.shlex(line + END, posix=True)
    lexer.whitespace_split, lexer.commenters = True, ""
    words: list[str] = []
    try:
        words.extend(lexer)
    except ValueError:  # a quote is open
        words.append(lexer.token or "")
    return [word.removesuffix(END) for word in words]


def complete_line(root: CommandNode, words: Sequence[str]) -> Candidates:
    """The candidates for the last of the words, which follow the name of the program."""
    *before, current = words or [""]
    command, place, only_arguments = root, 0, False
    pending: Parameter | None = None
    options: dict[str, str] = {}
    for word in before:
        if pending is not None:
            options[pending.key] = word
            pending = None
        elif word == "--" and not only_arguments:
            only_arguments = True
        elif word.startswith("-") and word != "-" and not only_arguments:
            name, equals, value = word.partition("=")
            option = command.find_option(name)
            if option is None:
                continue  # unknown, or several letters in one word
            options[option.key] = value
            pending = option if option.takes and not equals else None
        elif command.commands:
            below = command.find_command(word)
            if below is None:
                return NOTHING
            command, place = below, 0
        else:
            place += 1
    if pending is not None:
        return values.value_candidates(command, pending, current, options)
    if current.startswith("-") and not only_arguments:
        name, equals, value = current.partition("=")
        if not equals:
            return option_candidates(command, current, options)
        option = command.find_option(name)
        return (
            values.value_candidates(command, option, value, options).with_prefix(f"{name}=")
            if option is not None
            else NOTHING
        )
    if command.commands:
        return values.matching_words([(subcommand.name, subcommand.help) for subcommand in command.commands], current)
    if not command.arguments:
        return option_candidates(command, current, options) if not current else NOTHING
    last = command.arguments[-1]
    if place < len(command.arguments):
        return values.value_candidates(command, command.arguments[place], current, options)
    return values.value_candidates(command, last, current, options) if last.many else NOTHING


def option_candidates(command: CommandNode, current: str, options_so_far: Mapping[str, str]) -> Candidates:
    """The names of the options that can still be given. Short names are offered only after a single hyphen."""
    left = [option for option in command.options if option.many or option.key not in options_so_far]
    named = [(name, option.help) for option in left for name in (*option.names, *option.off)]
    return values.matching_words(
        [candidate for candidate in named if candidate[0].startswith("--") or current == "-"], current
    )

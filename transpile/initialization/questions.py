"""Numbered questions on a terminal.

Invariant: questions go to standard error, and a person is asked only if both standard input and standard error are a
terminal. Enter takes the default.
"""

from __future__ import annotations

import sys
import textwrap
from collections.abc import Iterable, Sequence
from typing import TextIO

from transpile.cli import findings, options
from transpile.model import printable

UNLIMITED = 1000  # columns where nothing is wrapped


class EndOfInput(Exception):
    """The user has closed the input in place of an answer."""


def can_ask() -> bool:
    """Whether a person reads the questions and can answer."""
    return is_open_terminal(sys.stdin) and is_open_terminal(sys.stderr)


def is_open_terminal(stream: TextIO | None) -> bool:
    try:
        return stream is not None and stream.isatty()
    except ValueError:  # it is closed
        return False


def ask_choice(question: str, choices: Sequence[str], default: int) -> int:
    """The number of a choice, from 1. The question is repeated until the answer is a number that is listed."""
    show_question(question, enumerate(choices, 1))
    while True:
        answer = read_answer(str(default))
        if not answer:
            return default
        if answer.isascii() and answer.isdigit() and 1 <= int(answer[:9]) <= len(choices):
            return int(answer)
        options.tell_user(f"Answer with a number from 1 to {len(choices)}, or press Enter for {default}.")


def ask_choices(question: str, nothing: str, choices: Sequence[str]) -> list[int]:
    """The numbers of several choices, from 1. `nothing`: the choice 0, which is the default."""
    show_question(question, enumerate((nothing, *choices)))
    while True:
        words = read_answer("0").replace(",", " ").split()
        numbers = [int(word[:9]) for word in words if word.isascii() and word.isdigit()]
        if len(numbers) == len(words) and all(number <= len(choices) for number in numbers):
            return sorted({number for number in numbers if number})
        options.tell_user(f"Answer with numbers up to {len(choices)}, for example 1,2, or press Enter for 0.")


def show_question(question: str, choices: Iterable[tuple[int, str]]) -> None:
    sys.stderr.write("\n")
    options.tell_user(question)
    width = findings.terminal_width(sys.stderr) or UNLIMITED
    for number, choice in choices:
        line = printable.make_log_line(choice)
        text = textwrap.fill(line, width, initial_indent=f"  {number}  ", subsequent_indent=" " * 5)
        sys.stderr.write(f"{text}\n")


def read_answer(default: str) -> str:
    """One line of the terminal. Raises EndOfInput."""
    sys.stderr.write(f"Answer [{default}]: ")
    sys.stderr.flush()
    try:
        line = sys.stdin.readline()
    except UnicodeDecodeError:
        return "?"
    except OSError:  # the terminal is gone
        line = ""
    if not line:
        sys.stderr.write("\n")
        raise EndOfInput
    return line.strip()

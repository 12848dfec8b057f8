"""The variables with which stacks are created, because `terraform destroy` asks for them, too.

Invariant: values are passed on only where they are the same: literals everywhere, variables of make in their makefile.
"""

from __future__ import annotations

import re
from typing import final

from transpile.call_sites.finder import MAKEFILE, FileCalls

MAKE_VARIABLE = re.compile(r"(?<!\$)\$(?:\([\w.-]+\)|\{[\w.-]+\})")
EXPANDED = re.compile(r"[$`]|\{\{")


@final
class Creations:
    """By directory and file, the arguments of each command line that creates or updates a stack."""

    def __init__(self) -> None:
        self.arguments: dict[str, dict[str, list[list[str]]]] = {}

    def add(self, directory: str, file: FileCalls, arguments: list[str]) -> None:
        self.arguments.setdefault(directory, {}).setdefault(file.path, []).append(arguments)

    def find_arguments(self, directory: str, file: FileCalls) -> list[str] | None:
        """The arguments for a command about a stack in a file; None if they are not known there."""
        by_file = self.arguments.get(directory, {})
        own = by_file.get(file.path)
        if own is not None and all(each == own[0] for each in own):
            text = " ".join(own[0])
            if not EXPANDED.search(MAKE_VARIABLE.sub("", text) if file.kind == MAKEFILE else text):
                return own[0]
        every = [each for several in by_file.values() for each in several]
        if every and all(each == every[0] for each in every) and not EXPANDED.search(" ".join(every[0])):
            return every[0]
        return None

"""Makes a failing input small: parts are removed as long as it fails with the same key.

Invariant: the result fails as the input did.
"""

from __future__ import annotations

import dataclasses
import functools
import re
import time
from collections.abc import Callable, Iterator
from typing import Any

from tests.fuzz.case import Case, File
from tests.fuzz.mutations import copied, places
from tests.support.option_values import read_commands

SECONDS = 60.0
Fails = Callable[[Case], bool]


def smallest(case: Case, fails: Fails, seconds: float = SECONDS) -> Case:
    """A smaller input that still fails."""
    ends = time.monotonic() + seconds
    again = True
    while again and time.monotonic() < ends:
        again = False
        for smaller in proposals(case):
            if time.monotonic() > ends:
                break
            if fails(smaller):
                case, again = smaller, True
                break
    return case


def proposals(case: Case) -> Iterator[Case]:
    """Inputs that are a bit smaller, the smallest first."""
    yield from without_arguments(case)
    for name, file in case.files.items():
        if name != case.argv[-1] and name not in case.argv:
            yield replaced(case, name, None)
        for smaller in smaller_files(file):
            yield replaced(case, name, smaller)


def without_arguments(case: Case) -> Iterator[Case]:
    for i, word in enumerate(case.argv[:-1]):
        if word.startswith("-"):
            yield dataclasses.replace(case, argv=case.argv[:i] + case.argv[i + (1 if word in flags() else 2) :])


@functools.cache
def flags() -> frozenset[str]:
    """The options that take no value."""
    options = [option for command in read_commands().values() for option in command.options if not option.takes]
    return frozenset(("--", *(name for option in options for name in (*option.names, *option.off))))


def replaced(case: Case, name: str, file: File | None) -> Case:
    files = {n: f for n, f in case.files.items() if n != name}
    return dataclasses.replace(case, files=files if file is None else {**files, name: file})


def smaller_files(file: File) -> Iterator[File]:
    if file.data is not None:
        try:
            yield File(text=file.data.decode("utf-8"))
        except UnicodeDecodeError:
            for text in shorter(file.data.decode("latin-1")):
                yield File(data=text.encode("latin-1"))
        return
    if file.spelling:
        if file.spelling != "lines":
            yield dataclasses.replace(file, spelling="lines")
        for tree in smaller_trees(file.tree):
            yield dataclasses.replace(file, tree=tree)
    else:
        yield from (File(text=text) for text in shorter(file.text))


def smaller_trees(tree: Any) -> Iterator[Any]:
    """Trees without one part, or with a part in the place of its container; parts near the root come first."""
    for i, (holder, key) in enumerate(places(tree)):
        value = holder[key]
        yield edited(tree, i, None)
        if isinstance(value, dict) and value:
            yield from (edited(tree, i, [inner]) for inner in list(value.values())[:8])
        elif isinstance(value, list) and value:
            yield from (edited(tree, i, [inner]) for inner in value[:8])
            if len(value) > 3:
                yield edited(tree, i, [value[: len(value) // 2]])
                yield edited(tree, i, [value[len(value) // 2 :]])
        elif isinstance(value, str) and len(value) > 8 and not re.fullmatch(r"[\w:.-]{1,60}", value):
            yield from (edited(tree, i, [text]) for text in shorter(value))


def edited(tree: Any, number: int, new: list[Any] | None) -> Any:
    """A copy in which the place of that number is gone, or has another value."""
    made = copied(tree)
    holder, key = places(made)[number]
    if new is None:
        del holder[key]
    else:
        holder[key] = new[0]
    return made


def shorter(text: str) -> Iterator[str]:
    """A text without some of its lines, or, if there are few, of its characters."""
    parts = text.splitlines(keepends=True)
    if len(parts) < 3:
        parts = list(text)
    size = max(len(parts) // 2, 1)
    while True:
        for at in range(0, len(parts), size):
            yield "".join(parts[:at] + parts[at + size :])
        if size == 1 or len(parts) // size > 64:
            return
        size = max(size // 2, 1)

"""Shared modules: which names they get, and how files that refer to them are changed.

A unit names its modules by their content (`targets.Shared`), so equal modules of different stacks have equal names.
When all units are converted, each gets a plain name, and the paths in the files are changed to it. Nobody can write a
content name by chance: it contains the SHA-256 of the module's files.

Invariant: the names depend on the set of stacks alone.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Collection, Iterable, Mapping

from transpile.migrate.unit import CONTENT_NAME

# The look-behind lets a match begin only at the start of a word. Without it, a long word would be searched again from
# each of its letters, which takes quadratic time.
MENTION = re.compile(rb"(\"(?:\./[a-z]+|\.\.)/)?(?<![a-z0-9_])(" + CONTENT_NAME.pattern.encode() + rb")")


def choose_plain_names(modules: Iterable[tuple[str, int, str]], taken: Collection[str] = ()) -> dict[str, str]:
    """A plain name for each content name. The variant that most stacks use comes first. `modules`: the content name,
    the number of users, the first of them; `taken`: names in use, without regard to case.
    """
    names = {name.casefold() for name in taken}
    plain_names = {}
    for content_name, _, _ in sorted(
        modules, key=lambda module: (content_name_stem(module[0]), -module[1], module[2], module[0])
    ):
        name, number = content_name_stem(content_name), 1
        while name.casefold() in names:
            number += 1
            name = f"{content_name_stem(content_name)}_{number}"
        names.add(name.casefold())
        plain_names[content_name] = name
    return plain_names


def content_name_stem(content_name: str) -> str:
    return content_name.rpartition("-")[0]


def find_mentions(data: bytes) -> set[str]:
    """The content names in a text."""
    return {match[2].decode() for match in MENTION.finditer(data)}


def replace_content_names(files: Mapping[str, bytes], names: Mapping[str, str], modules_path: str) -> dict[str, bytes]:
    """The files with plain names. `modules_path`: the path from their directory to that of all modules."""

    def replace_mention(match: re.Match[bytes]) -> bytes:
        name = names.get(match[2].decode())
        if name is None:
            return match[0]
        return f'"{modules_path}/{name}'.encode() if match[1] is not None else name.encode()

    return {name: MENTION.sub(replace_mention, data) for name, data in files.items()}


def path_to_modules(output: str, folder: str) -> str:
    """The path from a stack's directory to the directory of all modules, both below the destination."""
    path = posixpath.relpath(folder, output or ".")
    return path if path.startswith(".") else f"./{path}"

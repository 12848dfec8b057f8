"""The files that a stack reads, for a machine that does not have them.

Which files a conversion reads is only known when it ran. What a template seems to name is sent at once; what the
conversion asked for besides is sent in another round.

Invariant: a file is read by the rules that hold for a conversion here (`Root`), so a worker cannot ask for others.
"""

from __future__ import annotations

import posixpath
import re
from typing import TYPE_CHECKING, final

from transpile.text.source import Root, Unreadable

if TYPE_CHECKING:
    from collections.abc import Iterable

    from transpile.migrate.unit import Unit

NAMED = re.compile(rb"[\w./+@-]*[./][\w./+@-]*\w")  # what may be the name of a file
YAML = (".yaml", ".yml", ".template", ".hot", ".json", ".env", ".j2")  # files that may name others
DEPTH = 8  # of files that name files
MOST = 512  # files that are sent because they seem to be named
LARGEST = 1 << 20  # bytes of a file that is sent because it seems to be named
KNOWN = 4096  # files whose content is kept, for the stacks that come next


@final
class Shipping:
    """The files below a root, by path from it. allow: other places that may be read."""

    def __init__(self, root: str, allow: tuple[str, ...] = ()) -> None:
        self.root, self.allow = root, allow
        self.known: dict[str, bytes | None] = {}
        self.names: dict[str, list[str]] = {}  # that a file seems to name

    def content(self, name: str) -> bytes | None:
        """The content of a file; None if it cannot be read."""
        if name not in self.known:
            if len(self.known) >= KNOWN:
                self.known.clear()
                self.names.clear()
            try:
                self.known[name] = Root(self.root, self.root, self.allow).read(name).data
            except Unreadable:
                self.known[name] = None
        return self.known[name]

    def seeming(self, units: Iterable[Unit]) -> dict[str, bytes]:
        """The files that units seem to read, by path from the root."""
        found: dict[str, bytes] = {}
        waiting = [(name, 0) for unit in units for name in (unit.template, *unit.environments)]
        seen = {name for name, _ in waiting}
        while waiting:
            name, depth = waiting.pop()
            data = self.content(name)
            if data is None or (depth and len(data) > LARGEST):
                continue
            found[name] = data
            if depth < DEPTH and len(found) < MOST and name.endswith(YAML):
                if name not in self.names:
                    self.names[name] = mentioned(name, data)
                for one in self.names[name]:
                    if one not in seen:
                        seen.add(one)
                        waiting.append((one, depth + 1))
        return found

    def contents(self, asked: Iterable[str]) -> dict[str, bytes]:
        """Those files that can be read."""
        return {name: data for name in asked if (data := self.content(name)) is not None}


def mentioned(name: str, data: bytes) -> list[str]:
    """Paths that a file seems to name, relative to itself."""
    here = posixpath.dirname(name)
    words = dict.fromkeys(match[0].decode("utf-8", "replace") for match in NAMED.finditer(data[:LARGEST]))
    paths = (posixpath.normpath(posixpath.join(here, word)) for word in words if not word.startswith("/"))
    return [path for path in paths if not path.startswith("..")]

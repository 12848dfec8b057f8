"""The files that a stack reads, for a machine that does not have them.

Only the conversion itself knows which files it reads. Files that a template seems to name are sent at once; if the
conversion misses others, they are sent in another round.

Invariant: a file is read by the rules of a local conversion (`Root`), so a worker cannot get any other file.
"""

from __future__ import annotations

import functools
import posixpath
import re
from collections.abc import Iterable
from typing import final

from transpile.migrate.unit import MigrationUnit
from transpile.text.source import Root, UnreadableFile

LIKELY_PATH = re.compile(rb"[\w./+@-]*[./][\w./+@-]*\w")  # texts that may be the name of a file
YAML_ENDINGS = (".yaml", ".yml", ".template", ".hot", ".json", ".env", ".j2")  # files that may name others
DEPTH = 8  # of files that name files
MOST_FILES = 512  # files that are sent because they seem to be named
LARGEST_FILE = 1 << 20  # bytes of a file that is sent because it seems to be named
MOST_CACHED = 4096  # files whose content is kept, for the stacks that come next


@final
class FileShipping:
    """The files below a root, by path from it. allow: other places that may be read."""

    def __init__(self, root: str, allow: tuple[str, ...] = ()) -> None:
        self.root, self.allow = root, allow
        self.read_content = functools.lru_cache(MOST_CACHED)(self.read_file)

    def read_file(self, name: str) -> bytes | None:
        """The content of a file; None if it cannot be read."""
        try:
            return Root(self.root, self.root, self.allow).read_file(name).data
        except UnreadableFile:
            return None

    def collect_likely_files(self, units: Iterable[MigrationUnit]) -> dict[str, bytes]:
        """The files that units seem to read, by path from the root."""
        files: dict[str, bytes] = {}
        waiting = [(name, 0) for unit in units for name in unit.named_files]
        seen = {name for name, _ in waiting}
        while waiting:
            name, depth = waiting.pop()
            data = self.read_content(name)
            if data is None or (depth and len(data) > LARGEST_FILE):
                continue
            files[name] = data
            if depth < DEPTH and len(files) < MOST_FILES and name.endswith(YAML_ENDINGS):
                for path in find_likely_paths(name, data):
                    if path not in seen:
                        seen.add(path)
                        waiting.append((path, depth + 1))
        return files

    def read_contents(self, names: Iterable[str]) -> dict[str, bytes]:
        """Those files that can be read."""
        return {name: data for name in names if (data := self.read_content(name)) is not None}


@functools.lru_cache(MOST_CACHED)
def find_likely_paths(name: str, data: bytes) -> list[str]:
    """Paths that a file seems to name, relative to itself."""
    here = posixpath.dirname(name)
    words = dict.fromkeys(match[0].decode("utf-8", "replace") for match in LIKELY_PATH.finditer(data[:LARGEST_FILE]))
    paths = (posixpath.normpath(posixpath.join(here, word)) for word in words if not word.startswith("/"))
    return [path for path in paths if not path.startswith("..")]

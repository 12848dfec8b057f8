"""Finds the configuration that holds for a file.

Invariant: the nearest directory that has one decides, and of two in a directory `hot2tf.toml`. Nothing above the
repository around the file is looked at, and nothing that another user has put there is used.
"""

from __future__ import annotations

import os
import re
import stat
from typing import TYPE_CHECKING, Any, final

from transpile.diagnostics import codes
from transpile.diagnostics.model import Diagnostic, Stopped
from transpile.model.records import EMPTY
from transpile.model.source import Source
from transpile.settings import reach
from transpile.settings.model import Configuration, Settings, below, near, resolved
from transpile.text.source import REPOSITORY, USER, Unreadable, from_bytes, read_bytes, unreadable

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

OWN, SHARED = "hot2tf.toml", "pyproject.toml"
INSIDE = ("tool", "hot2tf")  # of a pyproject.toml
MENTION = (
    rb"""(?m)tool[\s"']*\.[\s"']*hot2tf|(?:^|[{,])[\s"']*hot2tf[\s"']*[.=]"""  # all that tool.hot2tf can look like
)
LIMIT = 1 << 20  # bytes of a configuration


@final
class Finder:
    """Finds configurations, and reads each once. `named`: the one that the user names, which then holds for all files;
    `isolated`: there is none; `said`: what others say of options, by where that comes from, and which wins.
    """

    def __init__(
        self,
        named: str | None = None,
        *,
        isolated: bool = False,
        said: Mapping[str, Mapping[str, Any]] = EMPTY,
    ) -> None:
        self.isolated, self.said = isolated, said
        self.named = named
        self.given = self.read(named, trusted=True) if named is not None else None
        self.known: dict[str, Configuration | None] = {}
        self.owners: dict[str, int] = {}

    def for_file(self, path: str | os.PathLike[str]) -> Settings:
        """What holds for a file."""
        name = os.fspath(path)
        return self.settings(os.path.dirname(name) or ".", name)

    def for_directory(self, directory: str | os.PathLike[str]) -> Settings:
        """What holds in a directory, whatever the names of the files are."""
        return self.settings(os.fspath(directory) or ".", None)

    def settings(self, directory: str, path: str | None) -> Settings:
        return self.found(directory, path).over(self.said)

    def found(self, directory: str, path: str | None) -> Settings:
        if self.isolated:
            return Settings(path)
        if self.named is not None:
            return resolved(self.given, path)
        try:
            start = os.path.abspath(directory)
            found = self.around(start)
        except (OSError, ValueError):
            return Settings(path)
        if found is not None and found.owner not in (USER, self.owner(start)):
            message = "This configuration belongs to another user, so it is not used."
            hint = "Name it with --config if you trust it."
            return Settings(
                path,
                said=(Diagnostic(codes.CONFIGURATION_OF_ANOTHER_USER, message, Source(found.path, ""), hint=hint),),
            )
        return resolved(found, path)

    def environments_in(self, directory: str) -> Callable[[str], tuple[tuple[str, ...], str] | None]:
        """What configurations say of the templates below a directory, by their paths from it: their environments, also
        from it, and where that stands; None for nothing, or for environments elsewhere. Raises Stopped for a
        configuration with a mistake.
        """
        start = os.path.abspath(directory)

        def told(path: str) -> tuple[tuple[str, ...], str] | None:
            held = self.for_file(os.path.join(directory, path))
            if not held.ok:
                raise Stopped(held.diagnostics)
            one, used = held.found("environments"), held.configuration
            if one.source is None or used is None:
                return None
            found = [below(each, start) for each in one.value]
            where = os.path.relpath(os.path.join(used.directory, os.path.basename(used.path)), start).replace(
                os.sep, "/"
            )
            line, _ = one.source.position(one.at)
            return (tuple(filter(None, found)), f"{where}:{line}") if all(found) else None

        return told

    def owner(self, directory: str) -> int:
        if directory not in self.owners:
            try:
                self.owners[directory] = os.stat(directory).st_uid
            except OSError:
                self.owners[directory] = USER
        return self.owners[directory]

    def around(self, directory: str) -> Configuration | None:
        """The configuration of a directory, or of the nearest one above it that has one."""
        passed = []
        found = None
        while directory not in self.known:
            passed.append(directory)
            if (found := self.of(directory)) is not None or os.path.lexists(os.path.join(directory, REPOSITORY)):
                break
            above = os.path.dirname(directory)
            if above == directory:
                break
            directory = above
        else:
            found = self.known[directory]
        self.known.update(dict.fromkeys(passed, found))
        return found

    def of(self, directory: str) -> Configuration | None:
        """The configuration in a directory itself."""
        for name in (OWN, SHARED):
            path = os.path.join(directory, name)
            if exists(path) and (found := self.read(path, trusted=False)) is not None:
                return found
        return None

    def read(self, path: str, *, trusted: bool) -> Configuration | None:
        """What a file says; None if it is a pyproject.toml that says nothing."""
        directory = os.path.dirname(os.path.abspath(path))
        name = near(path)
        shared = os.path.basename(path) == SHARED
        try:
            if not trusted and (why := reach.outside(path, reach.around(directory))):
                message = f"This configuration is a link to what {why}, so it is not read."
                return failing(
                    Diagnostic(codes.CONFIGURATION_REACHES_TOO_FAR, message, Source(name, "")), name, directory
                )
            owner = os.lstat(path).st_uid
            data = read_bytes(path, LIMIT)
            if shared and not trusted and re.search(MENTION, data) is None:
                return None
            source = from_bytes(data, name)
        except Unreadable as e:
            return failing(unreadable(e, name), name, directory)
        except (OSError, ValueError) as e:
            return failing(unreadable(Unreadable("denied", str(e)), name), name, directory)
        from transpile.settings import reading  # most files have no configuration

        found = reading.read(source, name, directory, INSIDE if shared else (), trusted=trusted, owner=owner)
        if found is None and trusted:
            message = f"{SHARED} has no table tool.hot2tf."
            return failing(Diagnostic(codes.MALFORMED_CONFIGURATION, message, source), name, directory)
        return found


def failing(why: Diagnostic, name: str, directory: str) -> Configuration:
    """A configuration that cannot be read."""
    return Configuration(name, directory, owner=USER, diagnostics=(why,))


def exists(path: str) -> bool:
    try:
        return not stat.S_ISDIR(os.lstat(path).st_mode)
    except (OSError, ValueError):
        return False

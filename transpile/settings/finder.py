"""Finds the configuration that applies to a file.

Invariant: the configuration in the nearest directory is used. In a directory, `hot2tf.toml` comes before
`pyproject.toml`. The search ends at the root of the repository, and a configuration of another user is not used.
"""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Callable, Mapping
from typing import Any, final

from transpile.diagnostics import codes
from transpile.diagnostics.model import Diagnostic, Stopped
from transpile.model.budget import Budget
from transpile.model.records import EMPTY
from transpile.model.source import name_file
from transpile.settings import reach
from transpile.settings.model import NO_CONFIGURATION, Configuration, Settings, path_below, resolve_settings, short_path
from transpile.text.source import REPOSITORY, USER, UnreadableFile, diagnose_unreadable, from_bytes, read_bytes

OWN, SHARED = "hot2tf.toml", "pyproject.toml"
INSIDE = ("tool", "hot2tf")  # the path of our table in a pyproject.toml
MENTION = (
    rb"""(?m)tool[\s"']*\.[\s"']*hot2tf|(?:^|[{,])[\s"']*hot2tf[\s"']*[.=]"""  # every spelling of tool.hot2tf in TOML
)
LIMIT = 1 << 20  # the largest configuration, in bytes


@final
class Finder:
    """Finds configurations, and reads each only once.

    `named`: the configuration that the user chose with `--config`; it applies to all files. `isolated`: no
    configuration is used. `values_by_origin`: values that replace those of configurations, for example
    `{"command line": {"level": "create"}}`.
    """

    def __init__(
        self,
        named: str | None = None,
        *,
        isolated: bool = False,
        values_by_origin: Mapping[str, Mapping[str, Any]] = EMPTY,
    ) -> None:
        self.isolated, self.overrides = isolated, values_by_origin
        self.named = named
        self.named_configuration = (
            self.read_configuration(named, trusted=True) if named is not None else NO_CONFIGURATION
        )
        self.configurations: dict[str, Configuration] = {}
        self.owners: dict[str, int] = {}

    def for_file(self, path: str | os.PathLike[str]) -> Settings:
        """Returns the settings of a file."""
        name = os.fspath(path)
        return self.cached_settings(os.path.dirname(name) or ".", name)

    def for_directory(self, directory: str | os.PathLike[str]) -> Settings:
        """Returns the settings of a directory. Sections for some paths do not count, because there is no file name."""
        return self.cached_settings(os.fspath(directory) or ".", None)

    def cached_settings(self, directory: str, path: str | None) -> Settings:
        return self.compute_settings(directory, path).overridden_by(self.overrides)

    def compute_settings(self, directory: str, path: str | None) -> Settings:
        if self.isolated:
            return Settings(path)
        if self.named is not None:
            return resolve_settings(self.named_configuration, path)
        try:
            start = os.path.abspath(directory)
            configuration = self.configuration_around(start)
        except (OSError, ValueError):
            return Settings(path)
        if configuration.owner not in (USER, self.owner_of_directory(start)):
            message = "This configuration belongs to another user, so it is not used."
            hint = "Name it with --config if you trust it."
            return Settings(
                path,
                diagnostics=(
                    Diagnostic(codes.CONFIGURATION_OF_ANOTHER_USER, message, name_file(configuration.path), hint=hint),
                ),
            )
        return resolve_settings(configuration, path)

    def environments_in(self, directory: str) -> Callable[[str], tuple[tuple[str, ...], str] | None]:
        """Returns a function that looks up which environments a configuration sets for a template.

        All paths are relative to `directory`. For example, `"app/stack.yaml"` →
        `(("app/prod.yaml",), "hot2tf.toml:3")`: the environments, and the file and line that set them. The function
        returns None if no configuration sets environments, or if one of them is outside the directory. It raises
        Stopped if the configuration has an error.
        """
        start = os.path.abspath(directory)

        def configured_environments(path: str) -> tuple[tuple[str, ...], str] | None:
            settings = self.for_file(os.path.join(directory, path))
            if not settings.ok:
                raise Stopped(settings.diagnostics)
            value, used = settings.value_of("environments"), settings.configuration
            if value.source is None:
                return None
            paths = [path_below(each, start) for each in value.value]
            where = os.path.relpath(os.path.join(used.directory, os.path.basename(used.path)), start).replace(
                os.sep, "/"
            )
            line, _ = value.source.line_and_column(value.at)
            return (tuple(filter(None, paths)), f"{where}:{line}") if all(paths) else None

        return configured_environments

    def owner_of_directory(self, directory: str) -> int:
        if directory not in self.owners:
            try:
                self.owners[directory] = os.stat(directory).st_uid
            except OSError:
                self.owners[directory] = USER
        return self.owners[directory]

    def configuration_around(self, directory: str) -> Configuration:
        """Returns the configuration of a directory, or of the nearest directory above it that has a configuration."""
        passed = []
        configuration = NO_CONFIGURATION
        while directory not in self.configurations:
            passed.append(directory)
            configuration = self.configuration_in(directory)
            if configuration.path or os.path.lexists(os.path.join(directory, REPOSITORY)):
                break
            above = os.path.dirname(directory)
            if above == directory:
                break
            directory = above
        else:
            configuration = self.configurations[directory]
        self.configurations.update(dict.fromkeys(passed, configuration))
        return configuration

    def configuration_in(self, directory: str) -> Configuration:
        """Returns the configuration in this directory, without a look at the directories above."""
        for name in (OWN, SHARED):
            path = os.path.join(directory, name)
            if file_exists(path) and (configuration := self.read_configuration(path, trusted=False)).path:
                return configuration
        return NO_CONFIGURATION

    def read_configuration(self, path: str, *, trusted: bool) -> Configuration:
        """Reads a configuration. Returns NO_CONFIGURATION for a pyproject.toml without a table for hot2tf."""
        directory = os.path.dirname(os.path.abspath(path))
        name = short_path(path)
        shared = os.path.basename(path) == SHARED
        try:
            if not trusted and (why := reach.outside_message(path, reach.repository_around(directory))):
                message = f"This configuration is a link to a file that {why}, so it is not read."
                return failed_configuration(
                    Diagnostic(codes.CONFIGURATION_REACHES_TOO_FAR, message, name_file(name)), name, directory
                )
            owner = os.lstat(path).st_uid
            data = read_bytes(path, LIMIT)
            if shared and not trusted and re.search(MENTION, data) is None:
                return NO_CONFIGURATION
            source = from_bytes(data, name, Budget())
        except UnreadableFile as e:
            return failed_configuration(diagnose_unreadable(e, name), name, directory)
        except (OSError, ValueError) as e:
            return failed_configuration(diagnose_unreadable(UnreadableFile("denied", str(e)), name), name, directory)
        from transpile.settings import reading  # imported here because most runs have no configuration

        configuration = reading.read_configuration_file(
            source, name, directory, INSIDE if shared else (), trusted=trusted, owner=owner
        )
        if not configuration.path and trusted:
            message = f"{SHARED} has no table tool.hot2tf."
            return failed_configuration(Diagnostic(codes.MALFORMED_CONFIGURATION, message, source), name, directory)
        return configuration


def failed_configuration(why: Diagnostic, name: str, directory: str) -> Configuration:
    """Returns a configuration that holds only the reason why the file cannot be used."""
    return Configuration(name, directory, owner=USER, diagnostics=(why,))


def file_exists(path: str) -> bool:
    try:
        return not stat.S_ISDIR(os.lstat(path).st_mode)
    except (OSError, ValueError):
        return False

"""Configurations as data, and the settings that result for one file or for a walk that begins in some directory.

Invariant: each value has its origin, so a message can name the file or option that set it.
"""

from __future__ import annotations

import functools
import os
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, final

from transpile.diagnostics.model import Diagnostic, has_errors
from transpile.model.records import EMPTY, node, record
from transpile.model.source import Source
from transpile.model.span import START, Span, WithSpan
from transpile.settings import table
from transpile.settings.all_options import BY_NAME, CONTRIBUTED
from transpile.settings.table import MAPS, Request
from transpile.text.source import USER

if TYPE_CHECKING:
    from pathspec import GitIgnoreSpec


import fnmatch
from collections.abc import Iterable, Iterator

DEFAULT = "default"
DEEP = "**"


@node
class SettingValue(WithSpan):
    """The value of an option. `origin`: a name for the place that set it, for example "hot2tf.toml"; `source` and
    `span`: the exact place, if it is in a file.
    """

    value: Any
    origin: str = DEFAULT
    source: Source | None = None
    span: Span = START


@final
@node
class Pattern:
    """Patterns of paths as in `.gitignore`. `words`: the patterns as written; `rules`: their compiled form."""

    words: tuple[str, ...]
    rules: GitIgnoreSpec

    def matches_path(self, path: str) -> bool:
        """Whether a pattern matches a path, which is relative to the file with the patterns and has forward slashes."""
        return bool(self.rules.check_file(path).include)


@functools.cache
def of_words(words: tuple[str, ...]) -> Pattern | None:
    """Compiles patterns that were checked before."""
    from transpile.repository import ignoring  # imported here because only patterns of a command line need it

    rules = ignoring.compile_patterns(words)
    return Pattern(words, rules) if rules is not None else None


def path_below(path: str, directory: str) -> str | None:
    """Returns a path relative to a directory, with forward slashes; None if the path is outside the directory."""
    try:
        name = os.path.relpath(os.path.abspath(path), directory)
    except ValueError:  # the path is on another drive of Windows, or is not a valid path
        return None
    name = name.replace(os.sep, "/")
    return None if name == ".." or name.startswith("../") else name


@record
class SettingsSection:
    """A section of a configuration that sets options for some paths only."""

    paths: Pattern
    values: Mapping[str, SettingValue]


@record
class Configuration:
    """The content of one configuration file.

    `path`: the path of the file for messages. `directory`: its paths are relative to this directory. `trusted`: the
    user named the file with `--config`. `owner`: the ID of the user who owns the file. If `diagnostics` has an error,
    none of the values are used.
    """

    path: str
    directory: str
    trusted: bool = False
    owner: int = 0
    values: Mapping[str, SettingValue] = EMPTY
    sections: Sequence[SettingsSection] = ()
    ignored_by_path: Sequence[tuple[Pattern, SettingValue]] = ()
    excluded: Pattern | None = None
    diagnostics: Sequence[Diagnostic] = ()

    def path_inside(self, path: str) -> str | None:
        """Returns a path relative to the configuration's directory; None if the path is outside it."""
        return path_below(path, self.directory)


NO_CONFIGURATION = Configuration("", "", owner=USER)


@final
class Settings:
    """The options that apply to one file, or to an input without a file name.

    `path`: the path of the file. `configuration`: the configuration that was used. An option that was not set has its
    default in `get`, and None in `explicit_value`.
    """

    __slots__ = ("configuration", "own_diagnostics", "path", "values")

    def __init__(
        self,
        path: str | None = None,
        configuration: Configuration = NO_CONFIGURATION,
        values: Mapping[str, SettingValue] = EMPTY,
        diagnostics: Sequence[Diagnostic] = (),
    ) -> None:
        self.path, self.configuration, self.values, self.own_diagnostics = path, configuration, values, diagnostics

    @property
    def diagnostics(self) -> list[Diagnostic]:
        """The findings about the configuration."""
        return [*self.own_diagnostics, *self.configuration.diagnostics]

    @property
    def ok(self) -> bool:
        return not has_errors(self.diagnostics)

    def value_of(self, name: str) -> SettingValue:
        """Returns the value of an option with its origin."""
        return self.values.get(name) or SettingValue(BY_NAME[name].default)

    def explicit_value(self, name: str) -> Any:
        """Returns the value of an option; None if it was not set."""
        setting = self.values.get(name)
        return None if setting is None else setting.value

    def get(self, name: str) -> Any:
        """Returns the value of an option, or its default. A map is copied, so the caller may change it."""
        value = self.value_of(name).value
        return dict(value) if BY_NAME[name].kind in MAPS and value is not None else value

    def text_values(self, name: str) -> tuple[str, ...]:
        """The value of an option that is a list."""
        return tuple(self.get(name) or ())

    def make_request(self, command: str) -> Request:
        """Returns a `Request` with the options that a command reads. Other options keep the default of `Request`."""

        def value(row: table.ConfiguredOption) -> Any:
            return self.explicit_value(row.name) if row.of_target else self.get(row.name)

        values = {row.field: value(row) for row in table.OPTIONS if command in row.users}
        contributed = {row.field: value(row) for row in CONTRIBUTED if command in row.users}
        contributed = {name: value for name, value in contributed.items() if value is not None}
        return Request(**values, contributed=contributed)

    def overridden_by(self, values_by_origin: Mapping[str, Mapping[str, Any]]) -> Settings:
        """Returns these settings with the values in `values_by_origin` on top.

        Later origins win, and a value of None changes nothing. Maps are merged by their keys.
        """
        values = dict(self.values)
        for origin, option_values in values_by_origin.items():
            for name, value in option_values.items():
                if value is not None:
                    inner, outer = SettingValue(value, origin), values.get(name)
                    keep = outer is not None and BY_NAME[name].kind in MAPS and outer.value and value
                    values[name] = merge_values(name, outer, inner) if keep else inner
        return Settings(self.path, self.configuration, values, self.own_diagnostics)

    def excludes_path(self, path: str) -> bool:
        """Whether a path is excluded. The path of a directory ends with a slash: `build/`."""
        pattern, base = self.exclusion_pattern()
        if pattern is None or (name := path_below(path, base)) is None:
            return False
        return pattern.matches_path(f"{name}/" if path.endswith("/") else name)

    def excluded_below(self, directory: str) -> tuple[str, ...]:
        """Returns the patterns of the option `exclude`, relative to a directory."""
        pattern, base = self.exclusion_pattern()
        if pattern is None or (name := path_below(directory, base)) is None:
            return ()

        return tuple(patterns_below(pattern.words, name))

    def exclusion_pattern(self) -> tuple[Pattern | None, str]:
        """Returns the patterns of the option `exclude`, and the directory that they are relative to.

        Patterns from a command line are relative to the working directory.
        """
        value = self.values.get("exclude")
        if value is None:
            return None, ""
        if value.source is not None:
            return self.configuration.excluded, self.configuration.directory
        return of_words(value.value), os.getcwd()


def resolve_settings(
    configuration: Configuration, path: str | None, diagnostics: Sequence[Diagnostic] = ()
) -> Settings:
    """Returns the settings that a configuration has for a file. Later sections win."""
    if has_errors(configuration.diagnostics):
        return Settings(path, configuration, diagnostics=diagnostics)
    values = dict(configuration.values)
    name = configuration.path_inside(path) if path is not None and configuration.sections else None
    for section in configuration.sections if name is not None else ():
        if name is not None and section.paths.matches_path(name):
            for option, value in section.values.items():
                values[option] = merge_values(option, values.get(option), value)
    return Settings(path, configuration, values, diagnostics)


def merge_values(option: str, outer: SettingValue | None, inner: SettingValue) -> SettingValue:
    """Returns the value of an option after a section: `inner` alone, or merged into `outer` if the option is a map or
    is `ignore`.
    """
    if outer is None or not BY_NAME[option].merged:
        return inner
    if BY_NAME[option].kind in MAPS:
        value: Any = {**outer.value, **inner.value}
    else:
        value = tuple(dict.fromkeys((*outer.value, *inner.value)))
    return SettingValue(value, f"{outer.origin}, {inner.origin}", inner.source, inner.span)


def short_path(path: str) -> str:
    """Returns a path for messages: relative to the working directory, if that is near."""
    try:
        relative = os.path.relpath(path)
    except ValueError:  # on another drive of Windows
        return path
    return relative if not relative.startswith(os.path.join(*[os.pardir] * 4)) else os.path.abspath(path)


def patterns_below(patterns: Iterable[str], directory: str) -> Iterator[str]:
    """Yields patterns, as in `.gitignore`, that are relative to an inner directory.

    For example, below `app` the pattern `app/old/*.yaml` becomes `/old/*.yaml`. A pattern is left out if it cannot
    match anything inside the directory, or matches the directory itself. `directory`: the path of the inner directory
    with forward slashes; "." changes nothing.
    """
    inside = [part for part in directory.split("/") if part not in ("", ".")]
    for pattern in patterns:
        sign, body = ("!", pattern[1:]) if pattern.startswith("!") else ("", pattern)
        parts = body.rstrip("/").split("/")
        if len(parts) == 1 or not inside:
            yield pattern
            continue
        if parts[0] == "":
            parts = parts[1:]
        rest = remaining_pattern(parts, inside)
        if rest:
            yield f"{sign}/{'/'.join(rest)}{'/' * body.endswith('/')}"


def remaining_pattern(parts: list[str], inside: list[str]) -> list[str]:
    """Returns the parts of a pattern without those that match the directory; [] if the pattern cannot match inside.

    For example, `["app", "old", "*.yaml"]` inside `["app"]` → `["old", "*.yaml"]`.
    """
    for number, name in enumerate(inside):
        if len(parts) <= number:
            return []
        if parts[number] == DEEP:
            return parts[number:]
        if not fnmatch.fnmatchcase(name, parts[number]):
            return []
    return parts[len(inside) :]

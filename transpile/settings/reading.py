"""The text of a configuration → a `Configuration`, checked strictly.

Invariant: a file with an error is used for nothing, because half a configuration would surprise. Each error has its
place in the text.
"""

from __future__ import annotations

import json
import os
import re
from typing import TYPE_CHECKING, Any, final

from transpile.diagnostics import codes, registry
from transpile.diagnostics.model import Sink, TooMany
from transpile.model.budget import LIMITS
from transpile.model.records import EMPTY
from transpile.model.span import START
from transpile.repository import ignoring
from transpile.settings import all_options, reach, table, toml_places
from transpile.settings.model import Configuration, Pattern, Section, Value, near
from transpile.settings.toml_text import Unparsed, parsed
from transpile.text.urls import is_url

if TYPE_CHECKING:
    from collections.abc import Mapping

    from transpile.diagnostics.spelling import Guess
    from transpile.model.source import Source
    from transpile.settings.table import Option
    from transpile.settings.toml_places import Path

OF_PLUGIN = re.compile(r"(?!HOT)[A-Z]{2,}[0-9]*")
MOST_PATTERNS = 1000  # each path is compared with all of them
NAMED = "a configuration that you name with --config"


def read(source: Source, path: str, directory: str, inside: Path, *, trusted: bool, owner: int) -> Configuration | None:
    """The configuration in a file. `inside`: the tables that it is in; None if there are none. `trusted`: see
    Configuration.
    """
    sink = Sink(source)
    try:
        tree = parsed(sink)
        for name in inside:
            if not isinstance(tree, dict) or name not in tree:
                return None
            tree = tree[name]
        reader = Reader(sink, directory, inside, trusted=trusted)
        values, sections = reader.document(tree)
        by_path, excluded = reader.by_path, reader.excluded
    except (TooMany, Unparsed):
        return Configuration(path, directory, trusted, owner, diagnostics=tuple(sink.found))
    return Configuration(path, directory, trusted, owner, values, sections, by_path, excluded, tuple(sink.found))


@final
class Reader:
    """Checks the values of one file."""

    def __init__(self, sink: Sink, directory: str, inside: Path, *, trusted: bool) -> None:
        assert sink.source is not None
        self.sink, self.source, self.directory, self.inside = sink, sink.source, directory, inside
        self.trusted = trusted
        self.reach = "" if trusted else reach.around(directory)
        try:
            self.places = toml_places.find(sink.source.text)
        except (RecursionError, IndexError, ValueError):
            self.places = EMPTY
        self.patterns = 0
        self.by_path: list[tuple[Pattern, Value]] = []
        self.excluded: Pattern | None = None

    def say(self, code: str, message: str, path: Path, hint: str | Guess = "", *, key: bool = False) -> None:
        """`key`: the finding is about the key, and not about its value."""
        place = self.places.get((*self.inside, *path))
        span = START if place is None else place.key if key else place.value
        self.sink.say(code, message, span, hint)

    def document(self, tree: Any) -> tuple[dict[str, Value], list[Section]]:
        if not isinstance(tree, dict):
            self.say(codes.MALFORMED_CONFIGURATION, "The configuration must be a table.", ())
            return {}, []
        known = (*all_options.BY_NAME, table.SECTIONS)
        values = self.values({k: v for k, v in tree.items() if k != table.SECTIONS}, (), known)
        sections: list[Section] = []
        given = tree.get(table.SECTIONS, [])
        if not isinstance(given, list) or not all(isinstance(one, dict) for one in given):
            self.say(
                codes.MALFORMED_CONFIGURATION,
                f"Sections for some paths are written as [[{table.SECTIONS}]].",
                (table.SECTIONS,),
            )
            return values, sections
        for number, one in enumerate(given):
            if (section := self.section(one, (table.SECTIONS, number))) is not None:
                sections.append(section)
        return values, sections

    def section(self, given: Mapping[str, Any], path: Path) -> Section | None:
        known = (table.PATHS_OF_SECTION, *(one.name for one in all_options.OPTIONS if one.per_path))
        words = given.get(table.PATHS_OF_SECTION)
        if words is None:
            self.say(
                codes.MALFORMED_CONFIGURATION,
                "A section must say for which paths it is.",
                path,
                'For example paths = ["web/*.yaml"].',
            )
            return None
        at = (*path, table.PATHS_OF_SECTION)
        patterns = self.pattern(self.texts(words, at), at)
        rest = {key: value for key, value in given.items() if key != table.PATHS_OF_SECTION}
        values = self.values(rest, path, known)
        return Section(patterns, values) if patterns is not None else None

    def values(self, given: Mapping[str, Any], path: Path, known: tuple[str, ...]) -> dict[str, Value]:
        """The options in a table. Unknown ones are reported."""
        found = {}
        for key, raw in given.items():
            at = (*path, key)
            option = all_options.BY_NAME.get(key)
            if option is None or key not in known:
                self.unknown(key, at, known)
                continue
            if option.trusted and not self.trusted:
                self.say(
                    codes.CONFIGURATION_REACHES_TOO_FAR,
                    f"{key} can only stand in {NAMED}.",
                    at,
                    self.instead(option),
                    key=True,
                )
                continue
            value = self.value(option, raw, at)
            if value is not None:
                place = self.places.get((*self.inside, *at))
                span = START if place is None else place.value
                line, _ = self.source.position(span.at)
                found[key] = Value(value, f"{self.source.name}:{line}", self.source, span)
        return found

    def instead(self, option: Option) -> str:
        return f"Use {option.flag} on the command line, or --config." if option.flag else "Use --config."

    def unknown(self, key: str, at: Path, known: tuple[str, ...]) -> None:
        if key in all_options.BY_NAME:
            where = "A section for some paths"
            hint: str | Guess = "It holds for whole runs, so write it above all sections."
        else:
            where = "A section for some paths" if table.PATHS_OF_SECTION in known else "A configuration"
            hint = self.sink.guess(key, known) or "docs/configuration.md lists the options."
        self.say(codes.UNKNOWN_OPTION, f"{where} has no option {shown(key)}.", at, hint, key=True)

    # values by kind

    def value(self, option: Option, raw: Any, at: Path) -> Any:
        """The value of an option, or None if it is wrong."""
        kind = option.kind
        if kind == table.FLAG:
            return raw if isinstance(raw, bool) else self.wrong(option, "true or false", at)
        if kind == table.NUMBER:
            if isinstance(raw, int) and not isinstance(raw, bool) and raw >= 0:
                return min(raw, 1 << 20) if self.trusted else min(raw, os.cpu_count() or 1)
            return self.wrong(option, "a number from 0", at)
        if kind in (table.TEXT, table.CHOICE, table.PATH):
            if not isinstance(raw, str) or not raw or "\0" in raw:
                return self.wrong(option, "a text", at)
            if kind == table.CHOICE and raw not in option.choices:
                hint = self.sink.guess(raw, option.choices)
                return self.wrong(option, one_of(option.choices), at, hint)
            return self.path(raw, at) if kind == table.PATH else raw
        if kind == table.VALUES:
            return self.words(option, raw, at)
        if kind == table.LIMIT:
            return self.limits(option, raw, at)
        if kind == table.SEVERITY:
            return self.severities(option, raw, at)
        if kind == table.CODES_BY_PATH:
            return self.codes_by_path(option, raw, at)
        texts = self.texts(raw, at, option.name)
        if texts is None:
            return None
        if kind in (table.PATHS, table.PLACES):
            return tuple(
                found
                for number, one in enumerate(texts)
                if (found := self.path(one, (*at, number), place=kind == table.PLACES)) is not None
            )
        if kind == table.CODES:
            return tuple(one for number, one in enumerate(texts) if self.code(one, (*at, number)))
        if kind == table.PATTERNS:
            self.excluded = self.pattern(texts, at)
        return texts

    def wrong(self, option: Option, takes: str, at: Path, hint: str | Guess = "") -> None:
        self.say(codes.MALFORMED_CONFIGURATION, f"{option.name} takes {takes}.", at, hint)

    def texts(self, raw: Any, at: Path, name: str = table.PATHS_OF_SECTION) -> tuple[str, ...] | None:
        if isinstance(raw, list) and all(isinstance(one, str) and one and "\0" not in one for one in raw):
            return tuple(raw)
        hint = f"Write it in brackets: [{json.dumps(raw)}]." if isinstance(raw, str) and len(raw) < 80 else ""
        self.say(codes.MALFORMED_CONFIGURATION, f"{name} takes a list of texts.", at, hint)
        return None

    def path(self, given: str, at: Path, *, place: bool = False) -> str | None:
        """A path from the directory of the configuration, absolute; a URL if `place`."""
        if is_url(given):
            if not place:
                self.say(codes.MALFORMED_CONFIGURATION, "A path is needed here, not a URL.", at)
            elif self.trusted:
                return given
            else:
                hint = "Use --allow on the command line, or --config."
                self.say(codes.CONFIGURATION_REACHES_TOO_FAR, f"URLs can only be allowed in {NAMED}.", at, hint)
            return None
        path = os.path.normpath(os.path.join(self.directory, given))
        if self.reach and (why := reach.outside(path, self.reach)):
            hint = "A configuration can only name what is in its repository. Use the command line, or --config."
            self.say(codes.CONFIGURATION_REACHES_TOO_FAR, f"{shown(given)} {why}.", at, hint)
            return None
        if not os.path.exists(path):
            self.say(
                codes.MALFORMED_CONFIGURATION,
                f"{shown(given)} does not exist.",
                at,
                "Paths are relative to the configuration.",
            )
            return None
        return near(path)

    def pattern(self, words: tuple[str, ...] | None, at: Path) -> Pattern | None:
        """Patterns as in `.gitignore`."""
        if not words:
            return None
        self.patterns += len(words)
        if self.patterns > MOST_PATTERNS:
            self.say(codes.MALFORMED_CONFIGURATION, f"There are more than {MOST_PATTERNS:,} patterns.", at)
            raise TooMany(self.sink)
        wrong: list[str] = []
        rules = ignoring.spec(ignoring.patterns(words, wrong))
        for one in wrong:
            place = (*at, words.index(one))
            hint = "Patterns are those of .gitignore, with few stars."
            self.say(
                codes.MALFORMED_CONFIGURATION,
                f"{shown(one)} cannot be used as a pattern.",
                place if place in self else at,
                hint,
            )
        return Pattern(words, rules) if rules is not None else None

    def __contains__(self, path: Path) -> bool:
        return (*self.inside, *path) in self.places

    def code(self, given: str, at: Path, *, key: bool = False) -> bool:
        """Whether this is a code or the beginning of one, which is said otherwise."""
        if known_prefix(given):
            return True
        listed_codes = [one for one in registry.codes() if one not in table.ALWAYS]
        hint = self.sink.guess(given, listed_codes, 0.6) or "`hot2tf explain CODE` explains a code."
        self.say(codes.UNKNOWN_CODE, f"There is no code {shown(given)}.", at, hint, key=key)
        return False

    def codes_by_path(self, option: Option, raw: Any, at: Path) -> Any:
        if not isinstance(raw, dict):
            return self.wrong(option, "a table: patterns, and for each a list of codes", at)
        found = {}
        for key, given in raw.items():
            place = (*at, key)
            listed_codes = self.texts(given, place, shown(key))
            pattern = self.pattern((key,), place)
            if listed_codes is None or pattern is None:
                continue
            listed_codes = tuple(one for number, one in enumerate(listed_codes) if self.code(one, (*place, number)))
            spot = self.places.get((*self.inside, *place))
            span = spot.key if spot is not None else START
            line, _ = self.source.position(span.at)
            self.by_path.append((pattern, Value(listed_codes, f"{self.source.name}:{line}", self.source, span)))
            found[key] = listed_codes
        return found

    def severities(self, option: Option, raw: Any, at: Path) -> Any:
        if not isinstance(raw, dict):
            return self.wrong(option, "a table: codes, and for each a severity", at)
        found = {}
        for key, given in raw.items():
            place = (*at, key)
            if given not in option.choices:
                self.say(
                    codes.MALFORMED_CONFIGURATION, f"The severity of {shown(key)} is {one_of(option.choices)}.", place
                )
            elif self.code(key, place, key=True):
                found[key] = given
        return found

    def limits(self, option: Option, raw: Any, at: Path) -> Any:
        if not isinstance(raw, dict):
            return self.wrong(option, "a table: limits, and for each a number", at)
        found = {}
        for key, given in raw.items():
            place = (*at, key)
            if key not in LIMITS:
                hint = self.sink.guess(key, LIMITS) or f"The limits are {', '.join(LIMITS)}."
                self.say(codes.MALFORMED_CONFIGURATION, f"There is no limit {shown(key)}.", place, hint, key=True)
            elif not isinstance(given, int) or isinstance(given, bool) or given < 1:
                self.say(codes.MALFORMED_CONFIGURATION, f"The limit {key} takes a number above 0.", place)
            elif given > LIMITS[key].default and not self.trusted:
                message = f"The limit {key} can only be raised above {LIMITS[key].default:,} in {NAMED}."
                self.say(
                    codes.CONFIGURATION_REACHES_TOO_FAR, message, place, "Use --limit on the command line, or --config."
                )
            else:
                found[key] = given
        return found

    def words(self, option: Option, raw: Any, at: Path) -> Any:
        """A map of values. Those of parameters and of options of a target are texts, as on a command line."""
        if not isinstance(raw, dict):
            return self.wrong(option, "a table", at)
        if option.name == "render":
            return self.data(option, raw, at)
        found = {}
        for key, given in raw.items():
            if option.name == "options" and key in all_options.ELSEWHERE:
                own = all_options.ELSEWHERE[key]
                hint = f"Write {own} outside of options." if own else "It can only stand on a command line."
                self.say(codes.MALFORMED_CONFIGURATION, f"{key} cannot stand in options.", (*at, key), hint, key=True)
            elif (text := spelled(given)) is None:
                self.say(codes.MALFORMED_CONFIGURATION, f"The value of {shown(key)} cannot be a text.", (*at, key))
            else:
                found[key] = text
        return found

    def data(self, option: Option, raw: dict[str, Any], at: Path) -> Any:
        try:
            json.dumps(raw, allow_nan=False)
        except (TypeError, ValueError):
            return self.wrong(option, "texts, numbers, true, false, lists and tables", at)
        return raw


def spelled(value: Any) -> str | None:
    """A value as it would be written on a command line; None for one that cannot be."""
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "true" if value else "false"
    try:
        return json.dumps(value, ensure_ascii=False, allow_nan=False)
    except (TypeError, ValueError):
        return None


def known_prefix(code: str) -> bool:
    """Whether a code, or the beginning of one, can mean something. Codes of targets that are not loaded are unknown, so
    any word that could be one counts.
    """
    if code == table.ALL or OF_PLUGIN.fullmatch(code):
        return True
    return bool(re.fullmatch("HOT[0-9]{0,3}", code)) and any(one.startswith(code) for one in registry.codes())


def one_of(choices: tuple[str, ...]) -> str:
    *rest, last = choices
    return f"{', '.join(rest)} or {last}" if rest else last


def shown(word: str) -> str:
    """A word of a file, in a message."""
    return word if len(word) < 100 else f"{word[:100]}…"

"""Reads the text of a configuration into a `Configuration`, with strict checks.

Invariant: if a file has an error, none of its values are used, because half a configuration would surprise. Each error
has its place in the text.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Mapping
from typing import Any, final

from transpile.diagnostics import codes, registry
from transpile.diagnostics.model import Sink, TooManyErrors
from transpile.diagnostics.spelling import Guess
from transpile.model.budget import LIMITS
from transpile.model.lazy_patterns import compile_lazily
from transpile.model.records import EMPTY
from transpile.model.source import Source
from transpile.model.span import START
from transpile.repository import ignoring
from transpile.settings import all_options, reach, table, toml_places
from transpile.settings.model import NO_CONFIGURATION, Configuration, Pattern, SettingsSection, SettingValue, short_path
from transpile.settings.table import ConfiguredOption
from transpile.settings.toml_places import Path
from transpile.settings.toml_text import Unparsed, parse_toml
from transpile.text.urls import is_url, parse_url

OF_PLUGIN = compile_lazily(r"(?!HOT)[A-Z]{2,}[0-9]*")
MOST_PATTERNS = 1000  # the limit exists because each path is compared with all patterns
NAMED = "a configuration that you name with --config"


def read_configuration_file(
    source: Source, path: str, directory: str, inside: Path, *, trusted: bool, owner: int
) -> Configuration:
    """Reads the configuration in a file. Returns NO_CONFIGURATION if the file has no table for it.

    `inside`: the path of that table, for example `("tool", "hot2tf")`; `()` for the whole file. `trusted` and `owner`:
    see `Configuration`.
    """
    sink = Sink(source)
    try:
        tree = parse_toml(sink)
        for name in inside:
            if not isinstance(tree, dict) or name not in tree:
                return NO_CONFIGURATION
            tree = tree[name]
        reader = ConfigurationReader(sink, directory, inside, trusted=trusted)
        values, sections = reader.read_document(tree)
        by_path, excluded = reader.by_path, reader.excluded
    except (TooManyErrors, Unparsed):
        return Configuration(path, directory, trusted, owner, diagnostics=tuple(sink.diagnostics))
    return Configuration(path, directory, trusted, owner, values, sections, by_path, excluded, tuple(sink.diagnostics))


@final
class ConfigurationReader:
    """Reads and checks the values of one file."""

    def __init__(self, sink: Sink, directory: str, inside: Path, *, trusted: bool) -> None:
        self.sink, self.source, self.directory, self.inside = sink, sink.source, directory, inside
        self.trusted = trusted
        self.reach = "" if trusted else reach.repository_around(directory)
        try:
            self.places = toml_places.find_toml_places(sink.source.text)
        except (RecursionError, IndexError, ValueError):
            self.places = EMPTY
        self.patterns = 0
        self.by_path: list[tuple[Pattern, SettingValue]] = []
        self.excluded: Pattern | None = None

    def add_diagnostic(self, code: str, message: str, path: Path, hint: str | Guess = "", *, key: bool = False) -> None:
        """Adds a finding at a path. `key`: the finding is about the key, not about its value."""
        place = self.places.get((*self.inside, *path))
        span = START if place is None else place.key if key else place.value
        self.sink.add(code, message, span, hint)

    def read_document(self, tree: Any) -> tuple[dict[str, SettingValue], list[SettingsSection]]:
        if not isinstance(tree, dict):
            self.add_diagnostic(codes.MALFORMED_CONFIGURATION, "The configuration must be a table.", ())
            return {}, []
        keys = (*all_options.BY_NAME, table.SECTIONS)
        values = self.read_values({k: v for k, v in tree.items() if k != table.SECTIONS}, (), keys)
        sections: list[SettingsSection] = []
        listed_sections = tree.get(table.SECTIONS, [])
        if not isinstance(listed_sections, list) or not all(isinstance(section, dict) for section in listed_sections):
            self.add_diagnostic(
                codes.MALFORMED_CONFIGURATION,
                f"Sections for some paths are written as [[{table.SECTIONS}]].",
                (table.SECTIONS,),
            )
            return values, sections
        for number, section_entries in enumerate(listed_sections):
            if (section := self.read_section(section_entries, (table.SECTIONS, number))) is not None:
                sections.append(section)
        return values, sections

    def read_section(self, entries: Mapping[str, Any], path: Path) -> SettingsSection | None:
        keys = (table.PATHS_OF_SECTION, *(option.name for option in all_options.OPTIONS if option.per_path))
        words = entries.get(table.PATHS_OF_SECTION)
        if words is None:
            self.add_diagnostic(
                codes.MALFORMED_CONFIGURATION,
                "A section must say for which paths it is.",
                path,
                'For example paths = ["web/*.yaml"].',
            )
            return None
        at = (*path, table.PATHS_OF_SECTION)
        patterns = self.read_pattern(self.read_texts(words, at), at)
        rest = {key: value for key, value in entries.items() if key != table.PATHS_OF_SECTION}
        values = self.read_values(rest, path, keys)
        return SettingsSection(patterns, values) if patterns is not None else None

    def read_values(self, entries: Mapping[str, Any], path: Path, keys: tuple[str, ...]) -> dict[str, SettingValue]:
        """Returns the options in a table. Unknown options are reported."""
        values = {}
        for key, raw in entries.items():
            at = (*path, key)
            option = all_options.BY_NAME.get(key)
            if option is None or key not in keys:
                self.report_unknown_key(key, at, keys)
                continue
            if option.trusted and not self.trusted:
                self.add_diagnostic(
                    codes.CONFIGURATION_REACHES_TOO_FAR,
                    f"{key} can only stand in {NAMED}.",
                    at,
                    self.suggest_section(option),
                    key=True,
                )
                continue
            value = self.read_value(option, raw, at)
            if value is not None:
                place = self.places.get((*self.inside, *at))
                span = START if place is None else place.value
                line, _ = self.source.line_and_column(span.at)
                values[key] = SettingValue(value, f"{self.source.name}:{line}", self.source, span)
        return values

    def suggest_section(self, option: ConfiguredOption) -> str:
        return f"Use {option.flag} on the command line, or --config." if option.flag else "Use --config."

    def report_unknown_key(self, key: str, at: Path, keys: tuple[str, ...]) -> None:
        if key in all_options.BY_NAME:
            where = "A section for some paths"
            hint: str | Guess = "It holds for whole runs, so write it above all sections."
        else:
            where = "A section for some paths" if table.PATHS_OF_SECTION in keys else "A configuration"
            hint = self.sink.guess_name(key, keys) or "docs/configuration.md lists the options."
        self.add_diagnostic(codes.UNKNOWN_OPTION, f"{where} has no option {quote_word(key)}.", at, hint, key=True)

    # values by kind

    def read_value(self, option: ConfiguredOption, raw: Any, at: Path) -> Any:
        """Returns the value of an option, or None if the value is wrong; the mistake is then reported."""
        kind = option.kind
        if kind == table.FLAG:
            return raw if isinstance(raw, bool) else self.report_wrong_value(option, "true or false", at)
        if kind == table.NUMBER:
            if isinstance(raw, int) and not isinstance(raw, bool) and raw >= 0:
                return min(raw, 1 << 20) if self.trusted else min(raw, os.cpu_count() or 1)
            return self.report_wrong_value(option, "a number from 0", at)
        if kind in (table.TEXT, table.CHOICE, table.PATH):
            if not isinstance(raw, str) or not raw or "\0" in raw:
                return self.report_wrong_value(option, "a text", at)
            if kind == table.CHOICE and raw not in option.choices:
                hint = self.sink.guess_name(raw, option.choices)
                return self.report_wrong_value(option, spell_choices(option.choices), at, hint)
            return self.read_path(raw, at) if kind == table.PATH else raw
        if kind == table.VALUES:
            return self.read_words(option, raw, at)
        if kind == table.LIMIT:
            return self.read_limits(option, raw, at)
        if kind == table.DIRECTORIES:
            return self.read_directories(option, raw, at)
        if kind == table.SEVERITY:
            return self.read_severities(option, raw, at)
        if kind == table.CODES_BY_PATH:
            return self.read_codes_by_path(option, raw, at)
        texts = self.read_texts(raw, at, option.name)
        if texts is None:
            return None
        if kind in (table.PATHS, table.PLACES):
            return tuple(
                path
                for number, text in enumerate(texts)
                if (path := self.read_path(text, (*at, number), place=kind == table.PLACES)) is not None
            )
        if kind == table.CODES:
            return tuple(code for number, code in enumerate(texts) if self.check_code(code, (*at, number)))
        if kind == table.PATTERNS:
            self.excluded = self.read_pattern(texts, at)
        return texts

    def report_wrong_value(self, option: ConfiguredOption, takes: str, at: Path, hint: str | Guess = "") -> None:
        self.add_diagnostic(codes.MALFORMED_CONFIGURATION, f"{option.name} takes {takes}.", at, hint)

    def read_texts(self, raw: Any, at: Path, name: str = table.PATHS_OF_SECTION) -> tuple[str, ...] | None:
        if isinstance(raw, list) and all(isinstance(text, str) and text and "\0" not in text for text in raw):
            return tuple(raw)
        hint = f"Write it in brackets: [{json.dumps(raw)}]." if isinstance(raw, str) and len(raw) < 80 else ""
        self.add_diagnostic(codes.MALFORMED_CONFIGURATION, f"{name} takes a list of texts.", at, hint)
        return None

    def read_path(self, text: str, at: Path, *, place: bool = False) -> str | None:
        """Returns a path that is relative to the configuration in the form for messages; None if it may not be used.

        `place`: the option also takes URLs. A URL is returned as it is, if the configuration is trusted.
        """
        if is_url(text):
            if not place:
                self.add_diagnostic(codes.MALFORMED_CONFIGURATION, "A path is needed here, not a URL.", at)
            elif self.trusted:
                return text
            else:
                hint = "Use --allow on the command line, or --config."
                self.add_diagnostic(
                    codes.CONFIGURATION_REACHES_TOO_FAR, f"URLs can only be allowed in {NAMED}.", at, hint
                )
            return None
        path = os.path.normpath(os.path.join(self.directory, text))
        if self.reach and (why := reach.outside_message(path, self.reach)):
            hint = "A configuration can only name files in its repository. Use the command line, or --config."
            self.add_diagnostic(codes.CONFIGURATION_REACHES_TOO_FAR, f"{quote_word(text)} {why}.", at, hint)
            return None
        if not os.path.exists(path):
            self.add_diagnostic(
                codes.MALFORMED_CONFIGURATION,
                f"{quote_word(text)} does not exist.",
                at,
                "Paths are relative to the configuration.",
            )
            return None
        return short_path(path)

    def read_pattern(self, words: tuple[str, ...] | None, at: Path) -> Pattern | None:
        """Compiles patterns as in `.gitignore`. Patterns that cannot be used are reported and left out."""
        if not words:
            return None
        self.patterns += len(words)
        if self.patterns > MOST_PATTERNS:
            self.add_diagnostic(codes.MALFORMED_CONFIGURATION, f"There are more than {MOST_PATTERNS:,} patterns.", at)
            raise TooManyErrors(self.sink)
        wrong: list[str] = []
        rules = ignoring.compile_patterns(ignoring.usable_patterns(words, wrong))
        for word in wrong:
            place = (*at, words.index(word))
            hint = "Patterns are those of .gitignore, with few stars."
            self.add_diagnostic(
                codes.MALFORMED_CONFIGURATION,
                f"{quote_word(word)} cannot be used as a pattern.",
                place if place in self else at,
                hint,
            )
        return Pattern(words, rules) if rules is not None else None

    def __contains__(self, path: Path) -> bool:
        return (*self.inside, *path) in self.places

    def check_code(self, code: str, at: Path, *, key: bool = False) -> bool:
        """Whether this is a code or a prefix of codes, such as `HOT6`. If it is neither, that is reported."""
        if is_prefix_of_code(code):
            return True
        listed_codes = [listed_code for listed_code in registry.list_codes() if listed_code not in table.ALWAYS]
        hint = self.sink.guess_name(code, listed_codes, 0.6) or "`hot2tf explain CODE` explains a code."
        self.add_diagnostic(codes.UNKNOWN_CODE, f"There is no code {quote_word(code)}.", at, hint, key=key)
        return False

    def read_codes_by_path(self, option: ConfiguredOption, raw: Any, at: Path) -> Any:
        if not isinstance(raw, dict):
            return self.report_wrong_value(option, "a table: patterns, and for each a list of codes", at)
        codes_of_patterns = {}
        for key, value in raw.items():
            place = (*at, key)
            listed_codes = self.read_texts(value, place, quote_word(key))
            pattern = self.read_pattern((key,), place)
            if listed_codes is None or pattern is None:
                continue
            listed_codes = tuple(
                code for number, code in enumerate(listed_codes) if self.check_code(code, (*place, number))
            )
            spot = self.places.get((*self.inside, *place))
            span = spot.key if spot is not None else START
            line, _ = self.source.line_and_column(span.at)
            self.by_path.append((pattern, SettingValue(listed_codes, f"{self.source.name}:{line}", self.source, span)))
            codes_of_patterns[key] = listed_codes
        return codes_of_patterns

    def read_severities(self, option: ConfiguredOption, raw: Any, at: Path) -> Any:
        if not isinstance(raw, dict):
            return self.report_wrong_value(option, "a table: codes, and for each a severity", at)
        severity_by_code = {}
        for key, severity in raw.items():
            place = (*at, key)
            if severity not in option.choices:
                self.add_diagnostic(
                    codes.MALFORMED_CONFIGURATION,
                    f"The severity of {quote_word(key)} is {spell_choices(option.choices)}.",
                    place,
                )
            elif self.check_code(key, place, key=True):
                severity_by_code[key] = severity
        return severity_by_code

    def read_directories(self, option: ConfiguredOption, raw: Any, at: Path) -> Any:
        """Directories by the beginnings of URLs."""
        if not isinstance(raw, dict):
            return self.report_wrong_value(option, "a table: beginnings of URLs, and for each a directory", at)
        paths = {}
        for url, text in raw.items():
            place = (*at, url)
            if parse_url(url) is None or not isinstance(text, str) or not text or "\0" in text:
                self.report_wrong_value(option, 'beginnings of URLs with directories: "https://h/a/" = "dir"', place)
            elif (path := self.read_path(text, place)) is not None:
                paths[url] = path
        return paths

    def read_limits(self, option: ConfiguredOption, raw: Any, at: Path) -> Any:
        if not isinstance(raw, dict):
            return self.report_wrong_value(option, "a table: limits, and for each a number", at)
        limits = {}
        for key, number in raw.items():
            place = (*at, key)
            if key not in LIMITS:
                hint = self.sink.guess_name(key, LIMITS) or f"The limits are {', '.join(LIMITS)}."
                self.add_diagnostic(
                    codes.MALFORMED_CONFIGURATION, f"There is no limit {quote_word(key)}.", place, hint, key=True
                )
            elif not isinstance(number, int) or isinstance(number, bool) or number < 1:
                self.add_diagnostic(codes.MALFORMED_CONFIGURATION, f"The limit {key} takes a number above 0.", place)
            elif number > LIMITS[key].default and not self.trusted:
                message = f"The limit {key} can only be raised above {LIMITS[key].default:,} in {NAMED}."
                self.add_diagnostic(
                    codes.CONFIGURATION_REACHES_TOO_FAR, message, place, "Use --limit on the command line, or --config."
                )
            else:
                limits[key] = number
        return limits

    def read_words(self, option: ConfiguredOption, raw: Any, at: Path) -> Any:
        """Reads a map of values. Values of parameters and target options become strings, as on a command line."""
        if not isinstance(raw, dict):
            return self.report_wrong_value(option, "a table", at)
        if option.name == "render":
            return self.read_data(option, raw, at)
        words = {}
        for key, word in raw.items():
            if option.name == "options" and key in all_options.ELSEWHERE:
                own = all_options.ELSEWHERE[key]
                hint = f"Write {own} outside of options." if own else "It can only stand on a command line."
                self.add_diagnostic(
                    codes.MALFORMED_CONFIGURATION, f"{key} cannot stand in options.", (*at, key), hint, key=True
                )
            elif (text := spell_value(word)) is None:
                self.add_diagnostic(
                    codes.MALFORMED_CONFIGURATION, f"The value of {quote_word(key)} cannot be a text.", (*at, key)
                )
            else:
                words[key] = text
        return words

    def read_data(self, option: ConfiguredOption, raw: dict[str, Any], at: Path) -> Any:
        try:
            json.dumps(raw, allow_nan=False)
        except (TypeError, ValueError):
            return self.report_wrong_value(option, "texts, numbers, true, false, lists and tables", at)
        return raw


def spell_value(value: Any) -> str | None:
    """Returns a value as written on a command line; None if a command line cannot express it."""
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "true" if value else "false"
    try:
        return json.dumps(value, ensure_ascii=False, allow_nan=False)
    except (TypeError, ValueError):
        return None


def is_prefix_of_code(code: str) -> bool:
    """Whether a word is ALL, a known code, a prefix of known codes, or may be a code of a plugin that is not loaded."""
    if code == table.ALL or OF_PLUGIN.fullmatch(code):
        return True
    return bool(re.fullmatch("HOT[0-9]{0,3}", code)) and any(
        listed_code.startswith(code) for listed_code in registry.list_codes()
    )


def spell_choices(choices: tuple[str, ...]) -> str:
    *rest, last = choices
    return f"{', '.join(rest)} or {last}" if rest else last


def quote_word(word: str) -> str:
    """Returns a word from a file with quotes, for a message."""
    return word if len(word) < 100 else f"{word[:100]}…"

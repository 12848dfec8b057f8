"""A configuration is checked strictly: each mistake has a code and a place, and then nothing of the file holds."""

from __future__ import annotations

import pathlib
import re
import time

import jsonschema
import pytest

from transpile.diagnostics.model import Diagnostic
from transpile.settings import Finder, Settings, all_options, schema, table
from transpile.settings.finder import LIMIT

GOOD = {
    table.TEXT: '"hot"',
    table.FLAG: "true",
    table.NUMBER: "1",
    table.TEXTS: '["Acme::*"]',
    table.PATH: '"inside"',
    table.PATHS: '["inside", "./inside"]',
    table.PLACES: '["inside"]',
    table.PATTERNS: '["a/", "!b"]',
    table.CODES: '["HOT6", "HOT411", "ALL", "ACME12"]',
    table.CODES_BY_PATH: '{"web/*" = ["HOT6"]}',
    table.SEVERITY: '{HOT6 = "error"}',
    table.VALUES: '{a = "b", c = 1, d = [true]}',
    table.LIMIT: "{steps = 10}",
    table.DIRECTORIES: '{"https://example.org/main/" = "inside"}',
}
WRONG = dict.fromkeys(GOOD, "{x = 1}") | {
    table.CODES_BY_PATH: '["HOT6"]',
    table.SEVERITY: '{HOT6 = "fatal"}',
    table.VALUES: '["a=b"]',
    table.LIMIT: "{steps = 0}",
    table.DIRECTORIES: '{"https://example.org/main/" = 1}',
}


def read_settings(folder: pathlib.Path, text: str, name: str = "hot2tf.toml", *, trusted: bool = False) -> Settings:
    """The settings of a configuration in a directory for a template in it."""
    (folder / "inside").mkdir(exist_ok=True)
    (folder / name).write_text(text, encoding="utf-8")
    return Finder(str(folder / name) if trusted else None).for_file(folder / "stack.yaml")


def places(diagnostics: list[Diagnostic]) -> list[tuple[str, str]]:
    """Codes, and the texts that they are about."""
    return [(d.code, d.source.text[d.at : max(d.end, d.at)] if d.source is not None else "") for d in diagnostics]


@pytest.mark.parametrize("option", all_options.OPTIONS, ids=lambda option: option.name)
def test_each_option_is_read_and_its_schema_agrees(option: table.ConfiguredOption, tmp_path: pathlib.Path) -> None:
    """Reader and schema accept a right value, and refuse a wrong one."""
    import tomllib

    good = f'"{option.choices[0]}"' if option.kind == table.CHOICE else GOOD[option.kind]
    wrong = '"nothing like it"' if option.kind == table.CHOICE else WRONG[option.kind]
    for value, fine in ((good, True), (wrong, False)):
        text = f"{option.name} = {value}\n"
        settings = read_settings(tmp_path, text, trusted=True)
        assert settings.ok is fine, settings.diagnostics
        assert (settings.explicit_value(option.name) is not None) is fine
        checker = jsonschema.Draft7Validator(schema.configuration_schema())
        assert checker.is_valid(tomllib.loads(text)) is fine


def test_the_schema_is_one() -> None:
    jsonschema.Draft7Validator.check_schema(schema.configuration_schema())


@pytest.mark.parametrize(
    ("text", "code", "place", "words"),
    [
        ("prefer = native", "HOT920", "", "not valid TOML"),
        ('a = "', "HOT920", "", "not valid TOML"),
        ('prefer = "natve"', "HOT920", '"natve"', "Did you mean native"),
        ("strict = 1", "HOT920", "1", "true or false"),
        ('ignore = "HOT601"', "HOT920", '"HOT601"', 'Write it in brackets: ["HOT601"]'),
        ('plugin_dirs = ["x"]', "HOT921", "plugin_dirs", "Did you mean plugin-dirs"),
        ("[overides]", "HOT921", "[overides]", "overrides"),
        ('ignore = ["HOT601", "HOT999"]', "HOT923", '"HOT999"', "no code HOT999"),
        ('ignore = ["hot6"]', "HOT923", '"hot6"', "no code hot6"),
        ("[severity]\nHOTX = 'info'", "HOT923", "HOTX", "no code"),
        ("[severity]\nHOT601 = 'fatal'", "HOT920", "'fatal'", "The severity of HOT601 is"),
        ("severity = 'info'", "HOT920", "'info'", "a table: codes"),
        ("per-file-ignores = ['a']", "HOT920", "['a']", "a table: patterns"),
        ("[limits]\nstep = 1", "HOT920", "step", "Did you mean steps"),
        ('exclude = ["' + "*a" * 20 + '"]', "HOT920", None, "cannot be used as a pattern"),
        ('root = "nowhere"', "HOT920", '"nowhere"', "does not exist"),
        ("[[overrides]]\nlevel = 'create'", "HOT920", "[[overrides]]", "for which paths"),
        ("[[overrides]]\npaths = ['a']\nstrict = true", "HOT921", "strict", "whole runs"),
        ("[overrides]\npaths = ['a']", "HOT920", "[overrides]", "[[overrides]]"),
        ("[options]\nbeside = '../..'", "HOT920", "beside", "command line"),
        ("[options]\nprefer = 'native'", "HOT920", "prefer", "outside of options"),
        ("x = " + "[" * 9000, "HOT920", "", "nested too deeply"),
        (".".join("a" * 5000) + " = 1", "HOT920", None, "parts"),
        ("x = " + "1" * 5000, "HOT920", None, ""),
    ],
)  # fmt: skip
def test_a_mistake_has_its_place(text: str, code: str, place: str | None, words: str, tmp_path: pathlib.Path) -> None:
    settings = read_settings(tmp_path, f"\n{text}\n")
    (first, *_) = settings.diagnostics
    assert first.code == code
    assert words in f"{first.message} {first.help()}"
    if place is not None:
        assert places([first])[0][1] == place
        assert first.source is not None
        assert first.source.line_and_column(first.at)[0] >= 2 or not place
    assert not settings.ok
    assert all(settings.explicit_value(option.name) is None for option in all_options.OPTIONS)


def test_all_mistakes_are_said_at_once(tmp_path: pathlib.Path) -> None:
    settings = read_settings(tmp_path, 'perfer = 1\nstrict = 2\nignore = ["HOT000"]\n')
    assert [d.code for d in settings.diagnostics] == ["HOT921", "HOT920", "HOT923"]


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ('root = ".."', '".."'),
        ('allow = ["/etc"]', '"/etc"'),
        ('allow = ["https://example.org/"]', '"https://example.org/"'),
        ('environments = ["../env.yaml"]', '"../env.yaml"'),
        ('plugin-dirs = ["inside/../../x"]', '"inside/../../x"'),
        ('mappings = ["link"]', '"link"'),
        ('inventory = ".git/config"', '".git/config"'),
        ("render = {a = 1}", "render"),
        ("limits = {steps = 999_999_999}", "999_999_999"),
    ],
)
def test_a_configuration_holds_only_for_its_repository(text: str, place: str, tmp_path: pathlib.Path) -> None:
    """A stranger may have written it. Whoever names the file trusts it."""
    folder = tmp_path / "repository"
    (folder / ".git").mkdir(parents=True)
    (folder / ".git" / "config").touch()
    for name in ("env.yaml", "x"):
        (tmp_path / name).touch()
    (folder / "link").symlink_to(tmp_path / "x")
    settings = read_settings(folder, text)
    assert places(settings.diagnostics) == [("HOT924", place)]
    assert read_settings(folder, text, trusted=True).ok


def test_a_link_to_a_file_elsewhere_is_not_read(tmp_path: pathlib.Path) -> None:
    """Else a message about it would show the file's contents."""
    (tmp_path / "secret").write_text("password is here")
    folder = tmp_path / "repository"
    (folder / ".git").mkdir(parents=True)
    (folder / "hot2tf.toml").symlink_to(tmp_path / "secret")
    (diagnostic,) = Finder().for_file(folder / "stack.yaml").diagnostics
    assert diagnostic.code == "HOT924"
    assert diagnostic.source is not None
    assert diagnostic.source.text == ""


def test_it_may_be_a_link_within_the_repository(tmp_path: pathlib.Path) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / "web").mkdir()
    (tmp_path / "shared.toml").write_text("strict = true")
    (tmp_path / "web" / "hot2tf.toml").symlink_to(tmp_path / "shared.toml")
    assert Finder().for_file(tmp_path / "web" / "stack.yaml").get("strict") is True


def test_limits_may_be_lowered_and_processes_are_bounded(tmp_path: pathlib.Path) -> None:
    settings = read_settings(tmp_path, "jobs = 100000\nlimits = {steps = 10}")
    assert settings.get("limits") == {"steps": 10}
    assert settings.get("jobs") <= 4096


def test_large_and_strange_files_are_refused_quickly(tmp_path: pathlib.Path) -> None:
    begin = time.process_time()
    many = "".join(f"a{n} = {{b.c.d = [1, 2, {{e = 'f'}}]}}\n" for n in range(20_000))
    assert {d.code for d in read_settings(tmp_path, "#" * (LIMIT + 1)).diagnostics} == {"HOT115"}
    assert {d.code for d in read_settings(tmp_path, many).diagnostics} <= {"HOT921", "HOT116"}
    assert {d.code for d in read_settings(tmp_path, "[[overrides]]\n" * 60_000).diagnostics} <= {"HOT920", "HOT116"}
    sections = "[[overrides]]\npaths = ['a']\n" * 30_000
    assert [d.code for d in read_settings(tmp_path, sections).diagnostics] == ["HOT920"]
    assert [d.code for d in read_settings(tmp_path, f"exclude = {['a'] * 90_000}").diagnostics] == ["HOT920"]
    (tmp_path / "hot2tf.toml").write_bytes(b"\xff\xfe")
    assert {d.code for d in Finder().for_file(tmp_path / "a").diagnostics} == {"HOT102"}
    assert time.process_time() - begin < 10


def test_values_of_parameters_are_spelled_as_on_a_command_line(tmp_path: pathlib.Path) -> None:
    settings = read_settings(tmp_path, 'parameters = {a = "x", b = 3, c = true, d = ["p", {q = 1.5}]}')
    assert settings.get("parameters") == {"a": "x", "b": "3", "c": "true", "d": '["p", {"q": 1.5}]'}


def test_no_option_names_an_output_path_or_a_server() -> None:
    flags = {option.flag for option in all_options.OPTIONS}
    assert not flags & {
        *("-o", "--output", "--report", "--html", "--sarif", "--force", "--os-cloud", "--cluster", "--save"),
    }
    assert all(re.fullmatch("[a-z-]+", option.name) for option in all_options.OPTIONS)


def test_a_misspelt_word_has_a_fix(tmp_path: pathlib.Path) -> None:
    """Editors offer it."""
    text = 'perfer = "native"\nignore = ["HOT4044"]\nlevel = "creat"\n'
    for diagnostic in read_settings(tmp_path, text).diagnostics:
        assert diagnostic.fix is not None
        (edit,) = diagnostic.fix.edits
        text = text[: edit.at] + edit.text.ljust(edit.end - edit.at) + text[edit.end :]
    assert "".join(text.split()) == 'prefer="native"ignore=["HOT404"]level="create"'

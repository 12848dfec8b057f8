"""docs/configuration.md: its examples work, and its list of options and the schema are those of the table."""

from __future__ import annotations

import pathlib
import re
import tomllib

import jsonschema
import pytest

from transpile.cli import check
from transpile.settings import Finder, reference, schema, table

DOCS = pathlib.Path(__file__).parents[2] / "docs"
PAGE = (DOCS / "configuration.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"<!-- (?:file|template): (\S+) -->\n```(\w+)\n(.*?)```\n", PAGE, re.S)
TOML = [(name, text) for name, language, text in BLOCKS if language == "toml"]
NAMED = ("env/common.yaml", "env/web.yaml", "env/production.yaml", "mappings/acme.yaml", "plugins/x.py")


@pytest.mark.parametrize(("name", "text"), TOML, ids=range(len(TOML)))
def test_each_example_is_accepted(name: str, text: str, tmp_path: pathlib.Path) -> None:
    for one in NAMED:
        (tmp_path / one).parent.mkdir(exist_ok=True)
        (tmp_path / one).touch()
    (tmp_path / name).write_text(text)
    trusted = name == "trusted.toml"
    held = Finder(str(tmp_path / name) if trusted else None).for_file(tmp_path / "web" / "a.yaml")
    assert held.diagnostics == []
    assert held.configuration is not None
    data = tomllib.loads(text)
    jsonschema.Draft7Validator(schema.schema()).validate(data.get("tool", {}).get("hot2tf", data))
    if trusted:
        (tmp_path / "hot2tf.toml").write_text(text)
        found = Finder().for_file(tmp_path / "a.yaml").diagnostics
        assert [d.code for d in found] == ["HOT924"] * 3


def test_the_first_example_says_what_the_page_says(tmp_path: pathlib.Path) -> None:
    for one in NAMED:
        (tmp_path / one).parent.mkdir(exist_ok=True)
        (tmp_path / one).touch()
    (tmp_path / "hot2tf.toml").write_text(TOML[0][1])
    held = Finder().for_file(tmp_path / "web" / "a.yaml")
    assert [pathlib.Path(one).name for one in held.texts("environments")] == ["common.yaml", "web.yaml"]
    assert Finder().for_file(tmp_path / "a.yaml").texts("environments") == ()
    assert held.excludes(str(tmp_path / "attic" / "x.yaml"))


def test_the_comments_of_the_example_ignore_what_they_should(tmp_path: pathlib.Path) -> None:
    ((name, text),) = [(name, text) for name, language, text in BLOCKS if language == "yaml"]
    (tmp_path / name).write_text(f"heat_template_version: 2021-04-16\n{text}")
    checked = check.run([str(tmp_path / name)], check.Configured(Finder()), 1)
    assert (checked.diagnostics, checked.ignored) == ([], {"HOT601": 2})


def test_the_list_of_options_is_current() -> None:
    """After changing the table: python -m transpile.settings.reference, into docs/configuration.md"""
    assert reference.section() in PAGE


def test_the_schema_is_current() -> None:
    """After changing the table: python -m transpile.settings.schema > docs/hot2tf.schema.json"""
    assert (DOCS / "hot2tf.schema.json").read_text(encoding="utf-8") == schema.text()


def test_the_page_names_each_code_that_is_always_said() -> None:
    for words in ("HOT101 to HOT109", "HOT113 to HOT118", "HOT900 to HOT906"):
        assert words in PAGE.replace("\n", " ")


def test_each_flag_of_the_table_exists() -> None:
    """In each command that the table names for the option."""
    import typer

    from transpile.cli import app

    commands = typer.main.get_command(app.app).commands  # type: ignore[attr-defined]
    for option in table.OPTIONS:
        for name in option.commands:
            flags = {flag for one in commands[name].params for flag in (*one.opts, *one.secondary_opts)}
            assert {"--config", "--isolated"} <= flags, name
            if option.flag and (option.name, name) not in UNFLAGGED:
                assert option.flag in flags, (option.name, name)


# What a command takes from a configuration only.
UNFLAGGED = {(option, command) for option in ("select", "ignore") for command in ("graph", "adopt")}

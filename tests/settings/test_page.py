"""docs/configuration.md: the examples work, and the list of options is that of the table, as is the
schema.
"""

from __future__ import annotations

import inspect
import pathlib
import re
import tomllib
from collections.abc import Callable, Iterator
from typing import Any

import jsonschema
import pytest
import typer

import transpile
from transpile import checking
from transpile.cli.application import make_application
from transpile.settings import Finder, Settings, all_options, reference, schema, table

DOCS = pathlib.Path(__file__).parents[2] / "docs"
PAGE = (DOCS / "configuration.md").read_text("utf-8")
BLOCKS = re.findall(r"<!-- (?:file|template): (\S+) -->\n```(\w+)\n(.*?)```\n", PAGE, re.S)
TOML = [(name, text) for name, language, text in BLOCKS if language == "toml"]
NAMED = ("env/common.yaml", "env/web.yaml", "env/production.yaml", "mappings/acme.yaml", "plugins/x.py")


@pytest.mark.parametrize(("name", "text"), TOML, ids=range(len(TOML)))
def test_each_example_is_accepted(name: str, text: str, tmp_path: pathlib.Path) -> None:
    for file_name in NAMED:
        (tmp_path / file_name).parent.mkdir(exist_ok=True)
        (tmp_path / file_name).touch()
    (tmp_path / name).write_text(text)
    trusted = name == "trusted.toml"
    settings = Finder(str(tmp_path / name) if trusted else None).for_file(tmp_path / "web" / "a.yaml")
    assert settings.diagnostics == []
    assert settings.configuration is not None
    data = tomllib.loads(text)
    jsonschema.Draft7Validator(schema.configuration_schema()).validate(data.get("tool", {}).get("hot2tf", data))
    if trusted:
        (tmp_path / "hot2tf.toml").write_text(text)
        diagnostics = Finder().for_file(tmp_path / "a.yaml").diagnostics
        assert [d.code for d in diagnostics] == ["HOT924"] * 3


def test_the_first_example_agrees_with_the_page(tmp_path: pathlib.Path) -> None:
    for file_name in NAMED:
        (tmp_path / file_name).parent.mkdir(exist_ok=True)
        (tmp_path / file_name).touch()
    (tmp_path / "hot2tf.toml").write_text(TOML[0][1])
    settings = Finder().for_file(tmp_path / "web" / "a.yaml")
    assert [pathlib.Path(path).name for path in settings.text_values("environments")] == ["common.yaml", "web.yaml"]
    assert Finder().for_file(tmp_path / "a.yaml").text_values("environments") == ()
    assert settings.excludes_path(str(tmp_path / "attic" / "x.yaml"))


def test_the_comments_of_the_example_ignore_their_findings(tmp_path: pathlib.Path) -> None:
    ((name, text),) = [(name, text) for name, language, text in BLOCKS if language == "yaml"]
    (tmp_path / name).write_text(f"heat_template_version: 2021-04-16\n{text}")
    checked = checking.check_files([str(tmp_path / name)], checking.ConfiguredRequests(Finder()), 1)
    assert (checked.diagnostics, checked.ignored) == ([], {"HOT601": 2})


def test_the_list_of_options_is_current() -> None:
    """After changing the table: python -m transpile.settings.reference, into docs/configuration.md"""
    assert reference.options_section() in PAGE


def test_the_schema_is_current() -> None:
    """After changing the table: python -m transpile.settings.schema > docs/hot2tf.schema.json"""
    assert (DOCS / "hot2tf.schema.json").read_text(encoding="utf-8") == schema.schema_text()


def test_the_page_names_each_code_that_is_always_said() -> None:
    for words in ("HOT101 to HOT109", "HOT113 to HOT118", "HOT900 to HOT906"):
        assert words in PAGE.replace("\n", " ")


def leaves(command: Any) -> Iterator[Any]:
    """A command, or those of a group."""
    below = getattr(command, "commands", None)
    yield from below.values() if below else [command]


COMMANDS = typer.main.get_command(make_application()).commands  # type: ignore[attr-defined]


@pytest.mark.parametrize("option", all_options.OPTIONS, ids=lambda option: option.name)
def test_each_option_is_said_once_and_there_everywhere(option: table.ConfiguredOption) -> None:
    """It has a flag, in each command that the table names for it, or the reason why it has none; a key, documentation,
    a place in the page and the schema, and a field of the request, unless a package declares it.
    """
    assert bool(option.flag) != bool(option.unflagged)
    assert option.doc.endswith(".")
    assert option.name == option.field.replace("_", "-")
    assert hasattr(table.Request(), option.field) == (option not in all_options.CONTRIBUTED)
    assert reference.option_row(option) in PAGE
    assert option.name in schema.configuration_schema()["properties"]
    for name in option.users:
        for command in leaves(COMMANDS[name]):
            flags = {
                flag: parameter for parameter in command.params for flag in (*parameter.opts, *parameter.secondary_opts)
            }
            assert {"--config", "--isolated"} <= flags.keys(), name
            if option.flag:
                assert flags[option.flag].help == option.help, name
                assert reference.flag_cell(option) in flags, name


@pytest.mark.parametrize("name", sorted({name for option in all_options.OPTIONS for name in option.users}))
def test_a_command_has_no_flag_of_an_option_that_it_does_not_read(name: str) -> None:
    """Some commands have a flag of the same name with another meaning: --to of graph and types, --parameter and
    --inventory of home, and --environments of adopt, which is the form for several running stacks.
    """
    others = {option.flag for option in all_options.OPTIONS if option.flag and name not in option.users}
    own = {"adopt": {"--environments"}, "graph": {"--to"}, "types": {"--to"}, "home": {"--parameter", "--inventory"}}
    for command in leaves(COMMANDS[name]):
        if command.name != "summary":  # whose environments are not those of one template
            assert {flag for parameter in command.params for flag in parameter.opts} & others == own.get(name, set())


@pytest.mark.parametrize("name", sorted({name for option in all_options.OPTIONS for name in option.users}))
def test_a_request_says_nothing_that_the_table_does_not(name: str) -> None:
    """Without a command line and a configuration, a run has the defaults of the table."""
    request = Settings().make_request(name)
    assert request == table.Request()
    for option in table.OPTIONS:
        assert getattr(request, option.field) == (
            None if option.of_target else schema.plain_default(option.default)
        ) or (getattr(request, option.field) == option.default)


REPORTING = ("select", "ignore", "per-file-ignores", "severity", "min-severity", "strict", "diagnostics")


@pytest.mark.parametrize(("name", "function"), [("convert", transpile.convert), ("adopt", transpile.adopt)])
def test_the_python_api_calls_its_arguments_as_the_table_does(name: str, function: Callable[..., Any]) -> None:
    """An option is an argument, or one of the target, which `options` takes; or it is about how findings are shown,
    which the caller does.
    """
    arguments = inspect.signature(function).parameters
    for option in all_options.OPTIONS:
        if name in option.users and option.name not in REPORTING:
            assert option.field in arguments or (option.of_target and "options" in arguments), option.name

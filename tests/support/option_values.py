"""Values for every option of every command, and the files that they name: for tests that combine options.

Invariant: the options come from the command tree, so a new one takes part. If its values cannot be derived from its
help, `find_values` says that they are added here.
"""

from __future__ import annotations

import dataclasses
import functools
import re

import typer.main

from transpile.cli.application import make_application
from transpile.cli.command_tree import CommandNode, Parameter, read_command

SECRET = "s3cr3t-0f-the-tests"  # the value of a hidden parameter: no output may have it
WRONG_CHOICE = "no-such-choice"
# Options that take part in no combination, and why.
LEFT_OUT = {
    "--help": "it shows the help and ends",
    "--version": "it shows the version and ends",
    "--watch": "it runs until somebody stops it",
    "--cluster": "it needs a running scheduler",
    "--validate": "it runs terraform on every stack, which takes long",
}
# Where results go: a folder is there, a file is above, a link is there.
NO_PLACES = ("folder", "plain.txt/result", "link")


@dataclasses.dataclass(frozen=True)
class OptionValues:
    """Values of an option: those that are right, and those that are wrong in any command line."""

    good: tuple[str, ...]
    bad: tuple[str, ...] = ()


# By option, or by command and option.
VALUES: dict[str, OptionValues] = {
    # results
    "--output": OptionValues(("out", "-"), ("", *NO_PLACES[1:])),
    "graph --output": OptionValues(("graph.txt", "-"), ("", *NO_PLACES)),
    "home --output": OptionValues(("answer.txt", "-"), NO_PLACES),
    "--output-file": OptionValues(("findings.txt",), NO_PLACES),
    "--write-baseline": OptionValues(("new-baseline.json",), NO_PLACES),
    "--report": OptionValues(("report.json",), NO_PLACES),
    "--html": OptionValues(("page.html",), NO_PLACES),
    "--sarif": OptionValues(("log.sarif",), NO_PLACES),
    "--summary": OptionValues(("summary.txt",), NO_PLACES),
    "--patch": OptionValues(("calls.diff",), NO_PLACES),
    "--write": OptionValues(("new-plan.yaml",), NO_PLACES),
    "--save": OptionValues(("saved",), NO_PLACES[1:]),
    # inputs
    "--template": OptionValues(("stack.yaml",), ("missing.yaml",)),
    "--environment": OptionValues(("env.yaml",), ("missing.yaml", "http://example.invalid/env.yaml")),
    "--parameter": OptionValues(("size=2", f"token={SECRET}"), ("=x", "x")),
    "home --parameter": OptionValues(("w=3",), ("=x", "x")),
    "--backend-config": OptionValues(("bucket=states",), ("access_key=x", "no-such-setting=1", "x")),
    "--render": OptionValues(("name=web",), ("x",)),
    "--root": OptionValues((".",)),
    "--allow": OptionValues((".", "attic"), ()),
    "--map-url": OptionValues(("https://example.invalid/main/=.",), ("x", "nothing=.", "https://example.invalid/=no")),
    "--limit": OptionValues(("steps=100000", "templates=40"), ("nothing=1", "steps=x", "x")),
    "--plugin-dir": OptionValues(("plugins",), ("nowhere",)),
    "--plugin-type": OptionValues(("Shop::*",)),
    "--mapping": OptionValues(("tables.yaml",), ("nowhere.yaml",)),
    "--inventory": OptionValues(("inventory.yaml",)),
    "home --inventory": OptionValues(("inventory.yaml",), ("missing.yaml",)),
    "--with": OptionValues(("stack.yaml",)),
    "--baseline": OptionValues(("baseline.json",), ("missing.json", "plain.txt")),
    "--config": OptionValues(("settings.toml",), ("missing.toml",)),
    "--plan-file": OptionValues(("plan.yaml",), ("missing.yaml",)),
    "adopt --environment": OptionValues(("env.yaml",), ("http://example.invalid/env.yaml",)),
    "init --ci": OptionValues(("github", "gitlab", "pre-commit", "none"), (WRONG_CHOICE,)),
    "--requirement": OptionValues(("git+https://example.invalid/hot2tf@v0.2.0",), ("-r plain.txt", "two\nlines")),
    "--answers": OptionValues(("answers.json",), ("missing.json", "plain.txt")),
    "--os-cloud": OptionValues((), ("nowhere",)),
    "--project": OptionValues((), ("web",)),  # these need a cloud
    "--repository": OptionValues((), (".", "nowhere")),
    "--at-once": OptionValues((), ("4", "0", "x")),
    "--prove": OptionValues((), ("folder", "nowhere")),
    "--schema": OptionValues(("schema.json",), ("missing.json",)),
    "--file": OptionValues(("stack.yaml",), ("missing.yaml",)),
    "--exclude": OptionValues(("attic/", "*.txt"), ()),
    # outputs
    "--to": OptionValues(("hcl", "hot", "tosca", "homing", "graph"), ("nothing",)),
    "types --to": OptionValues(("hcl",), ("hot", "nothing")),
    "--keep": OptionValues(("net", "OS::Cinder::*")),
    "--provider": OptionValues(("openstack=2.1",)),
    "--hot-version": OptionValues(("2018-08-31", "rocky"), ("x",)),
    "--option": OptionValues(("cfn_init=tools", "form=dot"), ("=x", "x", "nothing=1")),
    # reports
    "--select": OptionValues(("ALL", "HOT6,HOT3"), ("X",)),
    "--ignore": OptionValues(("HOT5", "ALL"), ("X",)),
    "--capability": OptionValues(("type=web",), ("x",)),
    # numbers
    "--jobs": OptionValues(("1",), ("-1", "x")),
    "--depth": OptionValues(("0", "1"), ("-1", "x")),
    "--top": OptionValues(("1", "3"), ("0", "x")),
    "--time-limit": OptionValues(("600",), ("0", "nan", "x")),
}

PLUGIN = """\
from heat.engine import properties, resource


class Till(resource.Resource):
    properties_schema = {"size": properties.Schema(properties.Schema.INTEGER, default=1)}


def resource_mapping():
    return {"Shop::Till": Till}
"""
# The files that the values name, beside the input of the command.
FILES: dict[str, str] = {
    "plain.txt": "a file\n",
    "folder/inside.txt": "a file in a folder\n",
    "attic/old.yaml": "heat_template_version: 2021-04-16\nresources: {a: {type: OS::Heat::None}}\n",
    "plugins/shop.py": PLUGIN,
    "tables.yaml": "Shop::Till:\n  resource: openstack_blockstorage_volume_v3\n  reference: id\n"
    "  properties:\n    size: size\n",
    "settings.toml": 'ignore = ["HOT450"]\nmin-severity = "info"\n[limits]\ntemplates = 45\n',
    "env.yaml": f"parameter_defaults:\n  size: 3\n  token: {SECRET}\n",
    "inventory.yaml": "- {candidate_id: c0, inventory_type: cloud, latitude: 41.9, longitude: -87.6, country: USA}\n",
    "plan.yaml": "format: 1\nstacks:\n  - template: stack.yaml\n",
    "answers.json": '{"format": 1, "answers": []}\n',
    "baseline.json": '{"format": 1, "generator": "hot2tf", "findings": {}}\n',
    "schema.json": '{"format_version": "1.0", "provider_schemas": {}}\n',
}
LINKS = {"link": "plain.txt"}


@functools.cache
def read_commands() -> dict[str, CommandNode]:
    """All commands by their words, for example `capabilities find`."""
    commands: dict[str, CommandNode] = {}

    def collect(command: CommandNode, words: tuple[str, ...]) -> None:
        if command.commands:
            for subcommand in command.commands:
                collect(subcommand, (*words, subcommand.name))
        else:
            commands[" ".join(words)] = command

    collect(read_command(typer.main.get_command(make_application()), "hot2tf"), ())
    return commands


def options_of(command: str) -> dict[str, Parameter]:
    """The options of a command that can be combined, by their long names."""
    options = {option.names[-1]: option for option in read_commands()[command].options}
    return {name: option for name, option in options.items() if name not in LEFT_OUT}


def find_values(command: str, option: Parameter) -> OptionValues:
    """The values of an option. A flag has its names as values. Raises AssertionError if there are none."""
    name = option.names[-1]
    if not option.takes:
        return OptionValues((name, *option.off))
    values = VALUES.get(f"{command} {name}")
    if values is None and re.fullmatch(r"[a-z0-9.]+(\|[a-z0-9.]+)*", option.takes):
        return OptionValues(tuple(option.takes.split("|")), (WRONG_CHOICE,))
    values = values or VALUES.get(name)
    assert values is not None, f"{command} {name}: add its values to VALUES in tests/support/option_values.py"
    return values


def words_of(option: Parameter, value: str) -> list[str]:
    """The words on a command line that set an option."""
    return [option.names[-1], value] if option.takes else [value]

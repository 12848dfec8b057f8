"""The options that a command shares with configurations: its flags, and what holds for a run.

Invariant: which flags a command has is said once, by the `commands` of their rows in `transpile/settings/table.py`.
"""

# No postponed evaluation of annotations: typer would compile each of them separately, which is slow.

import functools
import inspect
from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import typer

from transpile import targets
from transpile.cli import heat_client, options
from transpile.settings.table import OPTIONS

if TYPE_CHECKING:
    from transpile.settings import Finder

Command = Callable[..., None]


class Flag(NamedTuple):
    """The flag of an option: its parameter, the type of that, and how its value is read."""

    parameter: str
    type: Any
    read: Callable[[Any], Any] = lambda given: given


def _target(name: str, help_: str, metavar: str) -> Any:
    return Annotated[str | None, typer.Option(name, help=help_, metavar=metavar)]


def _switch(names: str, help_: str) -> Any:
    return Annotated[bool | None, typer.Option(names, help=help_)]


FLAGS = {
    "to": Flag(
        "to", _target("--to", f"The target; by default {targets.DEFAULT}.", "|".join([*targets.BUILT_IN, "NAME"]))
    ),
    "hot-version": Flag("hot_version", _target("--hot-version", "With --to hot: the version to write.", "VERSION")),
    "tosca-version": Flag(
        "tosca_version", _target("--tosca-version", "With --to tosca: the version to write.", "1.3|2.0")
    ),
    "csar": Flag("csar", _switch("--csar/--no-csar", "With --to tosca: write all files as one archive.")),
    "readme": Flag(
        "readme", _switch("--readme/--no-readme", "With --to hcl: write a README.md, which is the default, or not.")
    ),
    "inventory": Flag("inventory", _target("--inventory", "Of homing templates: the candidates there are.", "FILE")),
    "environments": Flag("environment", options.Environments),
    "parameters": Flag("parameter", options.Parameters, lambda given: heat_client.parameters(given) or None),
    "root": Flag("root", options.Root),
    "allow": Flag("allow", options.Allow),
    "render": Flag("render", options.Render, options.rendering_values),
    "limits": Flag("limit", options.Limits, lambda given: options.limits(given) or None),
    "plugin-dirs": Flag("plugin_dir", options.PluginDirs),
    "mappings": Flag("mapping", options.MappingFiles),
    "prefer": Flag("prefer", options.Prefer),
    "keep": Flag("keep", options.Keep),
    "tests": Flag("tests", options.Tests),
    "jobs": Flag("jobs", options.GivenJobs),
    "diagnostics": Flag("diagnostics", options.GivenForm),
    "strict": Flag("strict", options.GivenStrict),
    "select": Flag("select", options.Select, lambda given: options.codes(given, "--select")),
    "ignore": Flag("ignore", options.Ignore, lambda given: options.codes(given, "--ignore")),
}
CONFIG = (("config", options.Config, None), ("isolated", options.Isolated, False))


def configured(command: str) -> Callable[[Command], Command]:
    """Gives a command the flags of the options that it shares with configurations. In their place it gets `finder`,
    and `told`: what the command line says of them.
    """

    def decorate(function: Command) -> Command:
        flags = {row.name: FLAGS[row.name] for row in OPTIONS if command in row.commands and row.name in FLAGS}
        own = [p for p in inspect.signature(function).parameters.values() if p.name not in ("finder", "told")]
        shared = [*((flag.parameter, flag.type, None) for flag in flags.values()), *CONFIG]

        @functools.wraps(function)
        def run(*, config: str | None, isolated: bool, **given: Any) -> None:
            options.check_form(given.get("diagnostics") or "text")
            told = {name: flag.read(given.pop(flag.parameter)) for name, flag in flags.items()}
            finder: Finder = options.finder(config, told, isolated=isolated)
            function(**given, finder=finder, told=told)

        kind = inspect.Parameter.KEYWORD_ONLY
        more = [inspect.Parameter(name, kind, default=default, annotation=type_) for name, type_, default in shared]
        parameters = [*(p.replace(kind=kind) for p in own), *more]
        run.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
        run.__annotations__ = {p.name: p.annotation for p in parameters}
        del run.__wrapped__
        return run

    return decorate

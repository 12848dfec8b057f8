"""The command `hot2tf types`."""

# No postponed evaluation of annotations: typer would compile each of them separately, which is slow.

from typing import Annotated

import typer

from transpile import targets
from transpile.cli import options


def types(
    name: Annotated[str | None, typer.Argument(help="A resource type, or part of its name.", metavar="NAME")] = None,
    plugin_dir: options.PluginDirs = None,
    mapping: options.MappingFiles = None,
    to: Annotated[str, typer.Option("--to", help="The target.", metavar="NAME")] = targets.DEFAULT,
) -> None:
    """Show how a target translates Heat's resource types."""
    from transpile.diagnostics.model import Stopped, failed

    try:
        target = targets.find(to)
    except targets.UnknownTarget as e:
        raise options.usage(str(e)) from None
    if target.types is None:
        raise options.usage(f"the target {to} has no list of resource types")
    try:
        added = options.additions(plugin_dir, mapping)
        options.say(list(added.diagnostics), "text")
        if failed(added.diagnostics):
            raise typer.Exit(1)
        typer.echo(target.types(name, added), nl=False)
    except Stopped as e:
        options.say(e.found, "text")
        raise typer.Exit(1) from None
    except LookupError as e:
        options.tell(f"hot2tf: {e.args[0]}")
        raise typer.Exit(1) from None

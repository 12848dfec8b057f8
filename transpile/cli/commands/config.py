"""The command `hot2tf config`."""

# No postponed evaluation of annotations: typer would compile each of them separately, which is slow.

import json
import pathlib
import sys
from typing import Annotated, Any

import typer

from transpile.cli import options
from transpile.settings import Settings


def config(
    file: Annotated[
        str | None, typer.Argument(help="A template or a directory; by default the working directory.", metavar="PATH")
    ] = None,
    named: options.Config = None,
    isolated: options.Isolated = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print as JSON.")] = False,
    schema: Annotated[
        bool, typer.Option("--schema", help="Print the JSON schema of configurations, for editors.")
    ] = False,
) -> None:
    """Show the settings of a file, and their places."""
    if schema:
        from transpile.settings import schema as schemas

        sys.stdout.write(schemas.schema_text())
        return
    path = file or "."
    finder = options.make_finder(named, {}, isolated=isolated)
    if pathlib.Path(path).is_dir():
        settings = finder.for_directory(path)
    else:
        settings = finder.for_file(path)
    if settings.diagnostics:
        options.say_diagnostics(settings.diagnostics, "text")
    if not settings.ok:
        raise typer.Exit(1)
    if as_json:
        sys.stdout.write(json.dumps(settings_as_data(settings, path), indent=1, ensure_ascii=False) + "\n")
    else:
        sys.stdout.write(settings_as_text(settings))


def settings_as_data(settings: "Settings", path: str) -> dict[str, Any]:
    """The settings as data: each option with its value, and the place that sets it."""
    from transpile.settings.all_options import OPTIONS

    data: dict[str, Any] = {}
    for option in OPTIONS:
        value = settings.value_of(option.name)
        data[option.name] = {"value": plain_data(value.value), "origin": value.origin}
        if value.source is not None:
            line, column = value.source.line_and_column(value.at)
            data[option.name] |= {"file": value.source.name, "line": line, "column": column}
    used = settings.configuration
    return {"format": 1, "path": path, "configuration": used.path or None, "options": data}


def plain_data(value: Any) -> Any:
    """A value in a form that JSON can represent."""
    if isinstance(value, (tuple, list)):
        return [plain_data(item) for item in value]
    return {key: plain_data(inner) for key, inner in value.items()} if hasattr(value, "items") else value


def settings_as_text(settings: "Settings") -> str:
    """The settings as lines of text."""
    from transpile.model import printable
    from transpile.settings.all_options import OPTIONS

    used = settings.configuration
    head = f"configuration: {used.path or 'none'}"
    rows = []
    for option in OPTIONS:
        setting = settings.value_of(option.name)
        value = (
            json.dumps(plain_data(setting.value), ensure_ascii=False)
            if setting.value is not None
            else option.default_text or "none"
        )
        rows.append((option.name, value, setting.origin))
    wide, wider = (max(len(row[column]) for row in rows) for column in (0, 1))
    wider = min(wider, 40)
    lines = [head, "", *(f"{name:{wide}}  {value:{wider}}  {origin}" for name, value, origin in rows)]
    return "".join(f"{printable.make_log_line(line)}\n" for line in lines)

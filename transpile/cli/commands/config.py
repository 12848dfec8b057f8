"""The command `hot2tf config`."""

# No postponed evaluation of annotations: typer would compile each of them separately, which is slow.

import json
import pathlib
import sys
from typing import TYPE_CHECKING, Annotated, Any

import typer

from transpile.cli import options

if TYPE_CHECKING:
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
    """Show what holds for a file, and where it comes from."""
    if schema:
        from transpile.settings import schema as schemas

        sys.stdout.write(schemas.text())
        return
    path = file or "."
    finder = options.finder(named, {}, isolated=isolated)
    if pathlib.Path(path).is_dir():
        held = finder.for_directory(path)
    else:
        held = finder.for_file(path)
    if held.diagnostics:
        options.say(held.diagnostics, "text")
    if not held.ok:
        raise typer.Exit(1)
    if as_json:
        sys.stdout.write(json.dumps(as_data(held, path), indent=1, ensure_ascii=False) + "\n")
    else:
        sys.stdout.write(as_text(held))


def as_data(held: "Settings", path: str) -> dict[str, Any]:
    """What holds, as data: each option with its value, and where it comes from."""
    from transpile.settings.all_options import OPTIONS

    found: dict[str, Any] = {}
    for option in OPTIONS:
        one = held.found(option.name)
        found[option.name] = {"value": plain(one.value), "origin": one.origin}
        if one.source is not None:
            line, column = one.source.position(one.at)
            found[option.name] |= {"file": one.source.name, "line": line, "column": column}
    used = held.configuration
    return {"format": 1, "path": path, "configuration": used.path if used is not None else None, "options": found}


def plain(value: Any) -> Any:
    """A value as JSON has it."""
    if isinstance(value, (tuple, list)):
        return [plain(one) for one in value]
    return {key: plain(inner) for key, inner in value.items()} if hasattr(value, "items") else value


def as_text(held: "Settings") -> str:
    """What holds, as lines."""
    from transpile.model import printable
    from transpile.settings.all_options import OPTIONS

    used = held.configuration
    head = f"configuration: {used.path}" if used is not None else "configuration: none"
    rows = []
    for option in OPTIONS:
        one = held.found(option.name)
        value = json.dumps(plain(one.value), ensure_ascii=False) if one.value is not None else option.shown or "none"
        rows.append((option.name, value, one.origin))
    wide, wider = (max(len(row[column]) for row in rows) for column in (0, 1))
    wider = min(wider, 40)
    lines = [head, "", *(f"{name:{wide}}  {value:{wider}}  {origin}" for name, value, origin in rows)]
    return "".join(f"{printable.line(line)}\n" for line in lines)

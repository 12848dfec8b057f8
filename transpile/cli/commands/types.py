"""The command `hot2tf types`."""

# No postponed evaluation of annotations: typer would compile each of them separately, which is slow.

import json
from typing import TYPE_CHECKING, Annotated

import typer

from transpile import targets
from transpile.cli import options
from transpile.cli.configured import configured
from transpile.cli.invocation import CommandOptions

if TYPE_CHECKING:
    from transpile.additions import Additions


Name = Annotated[str | None, typer.Argument(help="A resource type, or part of its name.", metavar="NAME")]
Scaffold = Annotated[bool, typer.Option("--scaffold", help="Print the skeleton of a mapping table for the type NAME.")]
Schema = Annotated[
    str | None,
    typer.Option(
        "--schema",
        help="With --scaffold: the output of terraform providers schema -json; equal names are noted.",
        metavar="FILE",
    ),
]
AsJson = Annotated[
    bool, typer.Option("--json", help="Print the schemas of the types whose names contain NAME, as JSON.")
]
To = Annotated[str, typer.Option("--to", help="The target.", metavar="NAME")]


@options.with_examples("hot2tf types OS::Nova::Server")
@configured("types")
def types(
    name: Name = None,
    scaffold: Scaffold = False,
    schema: Schema = None,
    as_json: AsJson = False,
    to: To = targets.DEFAULT,
    *,
    line: "CommandOptions",
) -> None:
    """Show how resource types are translated.

    For one type, show its schema, too.
    """
    from transpile.diagnostics.model import Stopped, has_errors

    target = options.known_target(to)
    if target.types is None:
        raise options.usage_error(f"the target {to} has no list of resource types")
    run = line.for_directory(".")
    try:
        added = options.requested_additions(run.request)
        about = added.diagnostics if name is None else added.diagnostics_about([name])
        diagnostics = [*about, *(target.tables(added)[1] if target.tables is not None else ())]
        options.say_diagnostics(diagnostics, "text")
        if has_errors(diagnostics):
            raise typer.Exit(1)
        if scaffold:
            typer.echo(mapping_skeleton(target, name, added, schema), nl=False)
        elif as_json:
            typer.echo(schemas_as_text(name, added), nl=False)
        else:
            typer.echo(target.types(name, added) + schema_of(name, added), nl=False)
    except Stopped as e:
        options.say_diagnostics(e.diagnostics, "text")
        raise typer.Exit(1) from None
    except LookupError as e:
        options.tell_user(f"hot2tf: {e.args[0]}")
        raise typer.Exit(1) from None


def schema_of(name: str | None, added: "Additions") -> str:
    """The documentation of a type, from its schema; empty if `name` is not the full name of a type."""
    from transpile.model.printable import make_printable
    from transpile.schema import documentation

    facts = added.catalog.find_type(name or "")
    return "".join(f"{make_printable(line)}\n" for line in documentation.document_type(facts)) if facts else ""


def schemas_as_text(name: str | None, added: "Additions") -> str:
    """The facts of all types whose names contain `name`, as JSON. Raises LookupError if there is none."""
    from transpile.model.printable import escape_json_text

    part_of_name = (name or "").lower()
    facts_by_type = {
        kind: added.catalog.find_type(kind) for kind in added.catalog.type_names() if part_of_name in kind.lower()
    }
    if not facts_by_type:
        raise LookupError(f"there is no resource type {name}")
    return escape_json_text(json.dumps(facts_by_type, indent=1, ensure_ascii=False)) + "\n"


def mapping_skeleton(target: targets.Target, name: str | None, added: "Additions", schema: str | None) -> str:
    """The skeleton of a mapping table. Raises LookupError for an unknown type."""
    from transpile.text.source import FILE_LIMIT, UnreadableFile, decode_utf8, read_bytes

    if target.scaffold is None:
        raise options.usage_error(f"the target {target.name} has no mapping tables")
    if name is None:
        raise options.usage_error("--scaffold needs the NAME of a resource type")
    try:
        text = decode_utf8(read_bytes(schema, FILE_LIMIT), schema) if schema is not None else None
        return target.scaffold(name, added, text)
    except UnreadableFile as e:
        raise options.usage_error(f"the schema cannot be read: {e.detail}") from None
    except (ValueError, RecursionError) as e:
        raise options.usage_error(f"the schema {schema} cannot be read: {e}") from None

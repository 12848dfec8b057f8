"""Options and output that several commands share.

Invariant: results go to standard output or the files asked for, and everything else to standard error.
"""

# No postponed evaluation of annotations: typer would compile each of them separately, which is slow.

import os
import pathlib
import sys
from typing import TYPE_CHECKING, Annotated, Any

import typer

from transpile.cli import findings
from transpile.diagnostics.render import FORMS
from transpile.model import printable

if TYPE_CHECKING:
    from collections.abc import Sequence

    from transpile.additions import Additions
    from transpile.diagnostics.model import Diagnostic
    from transpile.targets import Target

PLUGIN_DIRS = "HOT2TF_PLUGIN_DIRS"  # a list of directories, as PATH is one

Environments = Annotated[
    list[str] | None,
    typer.Option(
        "-e", "--environment", help="An environment. Can be repeated; later ones take precedence.", metavar="FILE"
    ),
]
Parameters = Annotated[
    list[str] | None, typer.Option("--parameter", help="The value of a parameter.", metavar="KEY=VALUE")
]
Root = Annotated[
    str | None,
    typer.Option(
        "--root",
        help="The directory that the template may read files from; by default the repository around it.",
        metavar="DIR",
    ),
]
Allow = Annotated[
    list[str] | None,
    typer.Option("--allow", help="A directory or URL prefix that may also be read.", metavar="PLACE"),
]
Form = Annotated[str, typer.Option("--diagnostics", help="The output format of diagnostics.", metavar="|".join(FORMS))]
Render = Annotated[
    list[str] | None,
    typer.Option("--render", help="A value, or a file of values, for Jinja2 sources.", metavar="KEY=VALUE|FILE"),
]
Limits = Annotated[
    list[str] | None,
    typer.Option("--limit", help="Another limit for what a file may cost; see docs/limits.md.", metavar="NAME=NUMBER"),
]
PluginDirs = Annotated[
    list[str] | None,
    typer.Option(
        "--plugin-dir",
        help="A directory of Heat plug-ins, which define resource types. They are read and never run. "
        "By default those in HOT2TF_PLUGIN_DIRS.",
        metavar="DIR",
    ),
]
MappingFiles = Annotated[
    list[str] | None,
    typer.Option(
        "--mapping",
        help="A mapping table for resource types, or a directory of such files. Can be repeated; later ones take "
        "precedence.",
        metavar="FILE|DIR",
    ),
]
TargetOptions = Annotated[
    list[str] | None,
    typer.Option("--option", help="An option of the target; see hot2tf targets.", metavar="KEY=VALUE"),
]
Prefer = Annotated[
    str | None,
    typer.Option(
        "--prefer",
        help="If a type has several translations: prefer exact ones, native resources, or also provisioners.",
        metavar="faithful|native|provisioners",
    ),
]
Keep = Annotated[
    list[str] | None,
    typer.Option(
        "--keep",
        help="With --prefer: a type, or a pattern like OS::Aodh::*, that stays with Heat whatever is preferred.",
        metavar="TYPE",
    ),
]
OutputFile = Annotated[
    str | None,
    typer.Option("--output-file", help="Write the findings to a file, not to standard output.", metavar="FILE"),
]
Color = Annotated[
    str,
    typer.Option(
        "--color",
        help="Whether text is coloured; auto: on a terminal, as NO_COLOR and FORCE_COLOR want it.",
        metavar="|".join(findings.COLORS),
    ),
]
Strict = Annotated[bool, typer.Option("--strict", help="Treat warnings as errors.")]
Quiet = Annotated[bool, typer.Option("--quiet", help="Print only diagnostics.")]
Jobs = Annotated[int, typer.Option("--jobs", help="The number of processes; 0 means one per processor.", metavar="N")]


def preferences(target: "Target", prefer: str | None, keep: list[str] | None) -> dict[str, Any]:
    """The options for `--prefer` and `--keep`. Targets without a choice ignore them."""
    given = {"prefer": prefer, "keep": ",".join(keep) if keep else None}
    return {name: value for name, value in given.items() if value is not None and name in target.known}


def tell(message: str) -> None:
    """Writes a line to standard error. All that is not a diagnostic gets there through here."""
    sys.stderr.write(f"{printable.line(message)}\n")


def usage(message: str) -> typer.Exit:
    tell(f"hot2tf: {message}")
    return typer.Exit(2)


def pairs(given: "Sequence[str] | None", flag: str) -> dict[str, str]:
    """The KEY=VALUE arguments of a flag."""
    out = {}
    for one in given or ():
        name, equals, value = one.partition("=")
        if not equals or not name:
            raise usage(f"{flag} takes KEY=VALUE, not {one!r}")
        out[name] = value
    return out


def limits(given: list[str] | None) -> dict[str, int]:
    """The values of `--limit`."""
    from transpile.model import budget

    try:
        return budget.checked(pairs(given, "--limit"))
    except budget.WrongLimit as e:
        raise usage(str(e)) from None


def additions(plugin_dirs: list[str] | None, mappings: list[str] | None = None) -> "Additions":
    """What `--plugin-dir` names, or else the environment variable, and what `--mapping` names."""
    from transpile import additions as more

    if plugin_dirs is None:
        plugin_dirs = [one for one in os.environ.get(PLUGIN_DIRS, "").split(os.pathsep) if one]
    for one in plugin_dirs:
        if not pathlib.Path(one).is_dir():
            raise usage(f"the plug-in directory {one} does not exist")
    for one in mappings or ():
        if not pathlib.Path(one).exists():
            raise usage(f"the mapping {one} does not exist")
    return more.read(plugin_dirs, mappings or ())


def rendering_values(given: list[str] | None) -> dict[str, Any] | None:
    """The values of `--render`; None without it."""
    if given is None:
        return None
    from transpile.text import jinja

    try:
        return jinja.values(given)
    except jinja.WrongValue as e:
        raise usage(str(e)) from None


def check_form(form: str) -> None:
    if form not in FORMS:
        raise usage(f"--diagnostics takes {', '.join(FORMS[:-1])} or {FORMS[-1]}, not {form}")


def check_color(color: str) -> None:
    if color not in findings.COLORS:
        raise usage(f"--color takes auto, always or never, not {color}")


def put(text: str, file: str | None) -> None:
    """Writes results to standard output, or to a file in its place."""
    if file is None:
        sys.stdout.write(text)
        return
    from transpile.text import output

    if (problem := output.record(file, text.encode("utf-8", "replace"))) is not None:
        tell(f"hot2tf: {problem.message}")
        raise typer.Exit(2)


def say(found: "list[Diagnostic]", form: str, paths: "Sequence[str]" = (), *, results: bool = False) -> None:
    """Writes diagnostics. `paths`: the files that the user named; `results`: they are what the command is for."""
    findings.say(found, form, paths, results=results)


def standard_input() -> bytes:
    from transpile.text.source import LIMIT

    if sys.stdin is None:
        tell("<stdin>:1:1: error HOT113: Standard input is closed.")
        raise typer.Exit(1)
    try:
        return sys.stdin.buffer.read(LIMIT + 1)
    except OSError as e:
        typer.echo(f"<stdin>:1:1: error HOT113: Standard input cannot be read: {e.strerror}.", err=True)
        raise typer.Exit(1) from None

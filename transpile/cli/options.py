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
from transpile.diagnostics.model import in_order
from transpile.diagnostics.render import FORMS
from transpile.model import printable

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from transpile.additions import Additions
    from transpile.diagnostics.model import Diagnostic
    from transpile.pipeline import Conversion
    from transpile.settings import Finder, Settings
    from transpile.targets import Target

COMMAND_LINE = "command line"  # where a value comes from
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
Tests = Annotated[
    bool | None,
    typer.Option("--tests/--no-tests", help="With --to hcl: write tests for terraform test; not by default."),
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


# Where a configuration may say something, None means that the command line does not.
GivenForm = Annotated[
    str | None,
    typer.Option("--diagnostics", help="The output format of diagnostics; by default text.", metavar="|".join(FORMS)),
]
GivenStrict = Annotated[bool | None, typer.Option("--strict/--no-strict", help="Treat warnings as errors.")]
GivenJobs = Annotated[
    int | None,
    typer.Option("--jobs", help="The number of processes; 0, the default, means one per processor.", metavar="N"),
]
Select = Annotated[
    list[str] | None,
    typer.Option(
        "--select", help="Report only findings with these codes, or beginnings of codes: HOT6,HOT3.", metavar="CODE"
    ),
]
Ignore = Annotated[
    list[str] | None,
    typer.Option("--ignore", help="Do not report findings with these codes, or beginnings of codes.", metavar="CODE"),
]
Exclude = Annotated[
    list[str] | None,
    typer.Option("--exclude", help="Leave these paths out in directories; as in .gitignore.", metavar="PATTERN"),
]
RespectGitignore = Annotated[
    bool | None,
    typer.Option(
        "--respect-gitignore/--no-respect-gitignore",
        help="Leave out what git ignores in directories, which is the default, or not.",
    ),
]
ForceExclude = Annotated[
    bool | None,
    typer.Option("--force-exclude/--no-force-exclude", help="Leave out what is excluded even if it is named."),
]
Config = Annotated[
    str | None,
    typer.Option(
        "--config",
        help="The configuration, which is trusted; by default hot2tf.toml or pyproject.toml beside or above the file.",
        metavar="FILE",
    ),
]
Isolated = Annotated[bool, typer.Option("--isolated", help="Use no configuration.")]


def finder(config: str | None, told: "Mapping[str, Any]", *, isolated: bool = False) -> "Finder":
    """Finds what holds for files. `told`: what the command line says, by the names of options in a configuration."""
    from transpile.settings import Finder

    if config is not None and isolated:
        raise usage("--config and --isolated exclude each other")
    if config is not None and not pathlib.Path(config).is_file():
        raise usage(f"the configuration {config} does not exist")
    directories = [one for one in os.environ.get(PLUGIN_DIRS, "").split(os.pathsep) if one]
    check_directories(directories)
    said = {PLUGIN_DIRS: {"plugin-dirs": tuple(directories) or None}, COMMAND_LINE: told}
    return Finder(config, isolated=isolated, said=said)


def settings(finder: "Finder", path: str, form: str | None = None) -> "Settings":
    """What holds for a file; - is standard input. Ends the command if the configuration is wrong."""
    return held(finder.for_directory(".") if path == "-" else finder.for_file(path), form)


def held(found: "Settings", form: str | None = None) -> "Settings":
    """What holds. Ends the command if the configuration is wrong."""
    if not found.ok:
        say(found.diagnostics, form or "text")
        raise typer.Exit(1)
    return found


def graded(
    done: "Conversion",
    held: "Settings",
    finder: "Finder",
    template: str,
    environments: "Sequence[str]",
    command: str,
    target: str,
) -> "tuple[list[Diagnostic], dict[str, int]]":
    """The findings of a conversion that are reported, and how many are not, by code. Those of a conversion that failed
    are not complete, so nothing is said of comments that ignored none.
    """
    from transpile import settings

    folder = held.get("root") or os.path.dirname(template)
    named = {os.path.basename(one): one for one in (*environments, template)}

    def path_of(name: str) -> str:
        return named.get(name) or str(pathlib.Path(folder, name))

    sources = [one.source for one in done.templates] if done.ok else []
    result = settings.graded(
        done.diagnostics, held, command, sources=sources, target=target, finder=finder, path_of=path_of
    )
    return in_order(result.all), result.ignored


def codes(given: list[str] | None, flag: str) -> tuple[str, ...] | None:
    """The codes of `--select` or `--ignore`, separated by commas or repeated."""
    if given is None:
        return None
    from transpile.settings.reading import known_prefix

    found = tuple(one.strip() for words in given for one in words.split(",") if one.strip())
    for one in found:
        if not known_prefix(one):
            raise usage(f"{flag} takes codes, or beginnings of codes, not {one}")
    return found


def patterns(given: list[str] | None, flag: str) -> tuple[str, ...] | None:
    """Patterns as in `.gitignore`."""
    if given is None:
        return None
    from transpile.repository import ignoring

    wrong: list[str] = []
    found = ignoring.patterns(given, wrong)
    if wrong:
        raise usage(f"{flag} takes patterns as in .gitignore, with few stars, not {wrong[0]!r}")
    return tuple(found)


def together(paths: "Sequence[str]") -> str:
    """The directory that paths have in common, which says what holds for a run."""
    try:
        found = os.path.commonpath([os.path.abspath(one) for one in paths if one != "-"])  # noqa: PTH100 - no links
    except ValueError:  # none, or several drives
        return "."
    return found if pathlib.Path(found).is_dir() else str(pathlib.Path(found).parent)


def ignored_words(ignored: "Mapping[str, int]") -> str:
    """How many findings were ignored, for a closing line; empty if none were."""
    number = sum(ignored.values())
    return f"{number} finding{'s' * (number != 1)} ignored" if number else ""


def preferences(target: "Target", held: "Settings") -> dict[str, Any]:
    """The options for `--prefer`, `--keep` and `--tests`. Targets without them ignore them."""
    keep = held.given("keep")
    given = {"prefer": held.given("prefer"), "keep": ",".join(keep) if keep else None, "tests": held.given("tests")}
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


def additions(plugin_dirs: "Sequence[str] | None", mappings: "Sequence[str] | None" = None) -> "Additions":
    """What `--plugin-dir` names, or else the environment variable, and what `--mapping` names."""
    from transpile import additions as more

    if plugin_dirs is None:
        plugin_dirs = [one for one in os.environ.get(PLUGIN_DIRS, "").split(os.pathsep) if one]
    check_directories(plugin_dirs)
    for one in mappings or ():
        if not pathlib.Path(one).exists():
            raise usage(f"the mapping {one} does not exist")
    return more.read(plugin_dirs, mappings or ())


def check_directories(plugin_dirs: "Sequence[str] | None") -> None:
    for one in plugin_dirs or ():
        if not pathlib.Path(one).is_dir():
            raise usage(f"the plug-in directory {one} does not exist")


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

"""Options and output that several commands share.

Invariant: results go to standard output or the files asked for, and everything else to standard error.
"""

# No postponed evaluation of annotations: typer would compile each of them separately, which is slow.

import os
import pathlib
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

import typer

from transpile.cli import findings
from transpile.diagnostics.model import Diagnostic
from transpile.model import printable
from transpile.model.budget import Budget, read_budget_limits
from transpile.model.words import count_noun
from transpile.settings import Finder, Settings
from transpile.settings.table import Request
from transpile.targets import Target

if TYPE_CHECKING:
    from transpile.additions import Additions

Function = TypeVar("Function", bound=Callable[..., None])
COMMAND_LINE = "command line"  # the place that sets a value
PREFERENCES = ("prefer", "keep")  # a target that has one translation of each type ignores these
PLUGIN_DIRS = "HOT2TF_PLUGIN_DIRS"  # a list of directories, as PATH is one

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
Verbose = Annotated[bool, typer.Option("-v", "--verbose", help="Show infos, too, as --min-severity info does.")]
ShowSecrets = Annotated[
    bool,
    typer.Option(
        "--show-secrets", help="With --diff: show the values of hidden parameters, and those in environments."
    ),
]
Conflicts = Annotated[
    bool,
    typer.Option("--conflicts", help="Write both versions, with markers, where you and hot2tf changed the same lines."),
]
Diff = Annotated[bool, typer.Option("--diff", help="Show what would change, and write nothing.")]
Quiet = Annotated[bool, typer.Option("-q", "--quiet", help="Print only diagnostics.")]
Config = Annotated[
    str | None,
    typer.Option(
        "--config",
        help="The configuration, which is trusted; by default hot2tf.toml or pyproject.toml beside or above the file.",
        metavar="FILE",
    ),
]
Isolated = Annotated[bool, typer.Option("--isolated", help="Use no configuration.")]


def with_examples(*examples: str) -> "Callable[[Function], Function]":
    """Gives a command examples for its help."""

    def add_examples(function: Function) -> Function:
        function.examples = examples  # type: ignore[attr-defined]
        return function

    return add_examples


def make_finder(config: str | None, flags: "Mapping[str, Any]", *, isolated: bool = False) -> "Finder":
    """A finder of the settings of files. `flags`: the values from the command line, by the keys of configurations."""
    from transpile.settings import Finder

    if config is not None and isolated:
        raise usage_error("--config and --isolated exclude each other")
    if config is not None and not pathlib.Path(config).is_file():
        raise usage_error(f"the configuration {config} does not exist")
    directories = [path for path in os.environ.get(PLUGIN_DIRS, "").split(os.pathsep) if path]
    check_directories(directories)
    return Finder(
        config,
        isolated=isolated,
        values_by_origin={PLUGIN_DIRS: {"plugin-dirs": tuple(directories) or None}, COMMAND_LINE: flags},
    )


def usable_settings(settings: "Settings", form: str) -> "Settings":
    """The same settings. Ends the command if the configuration is wrong."""
    if not settings.ok:
        say_diagnostics(settings.diagnostics, form)
        raise typer.Exit(1)
    return settings


def typed_paths(flags: "Mapping[str, Any]", *names: str) -> list[tuple[str, str]]:
    """The options of a command line that name files, directories and other places. `names`: the keys of these."""
    from transpile.settings.all_options import BY_NAME

    rows = []
    for name in names:
        value, row = flags.get(name), BY_NAME[name]
        values = value if isinstance(value, (list, tuple)) else [value] if value is not None else []
        rows += [(row.short or row.flag, os.fspath(path)) for path in values]
    return rows


def typed_words(flags: "Mapping[str, Any]", command: str) -> tuple[str, ...]:
    """The options on a command line that change its output, but for those that name places, as words. The values of
    parameters and for Jinja2 are not among them.
    """
    from transpile.settings import table
    from transpile.settings.all_options import OPTIONS

    words: list[str] = []
    for row in OPTIONS:
        value = flags.get(row.name)
        if command not in row.users or table.CHECK in row.commands or value in (None, [], ()):
            continue
        if row.kind == table.FLAG:
            words.append(row.flag if value else row.flag.replace("--", "--no-", 1))
        elif row.kind not in (table.PATH, table.PATHS, table.PLACES):
            for each in value if isinstance(value, (list, tuple)) else (value,):
                words += [row.flag, str(each)]
    return tuple(words)


def check_edits(output: str, *, diff: bool, force: bool, conflicts: bool) -> None:
    """Ends the command if the options about edited output files exclude each other."""
    if diff and output == "-":
        raise usage_error("--diff compares with files, so it needs -o PATH")
    if force and conflicts:
        raise usage_error("--force and --conflicts exclude each other")


def check_codes(values: list[str], flag: str) -> tuple[str, ...]:
    """The codes of `--select` or `--ignore`, separated by commas or repeated."""
    from transpile.settings.reading import is_prefix_of_code

    words = tuple(stripped for value in values for word in value.split(",") if (stripped := word.strip()))
    for word in words:
        if not is_prefix_of_code(word):
            raise usage_error(f"{flag} takes codes, or beginnings of codes, not {word}")
    return words


def check_patterns(values: list[str], flag: str) -> tuple[str, ...]:
    """Patterns as in `.gitignore`."""
    from transpile.repository import ignoring

    wrong: list[str] = []
    usable_patterns = ignoring.usable_patterns(values, wrong)
    if wrong:
        raise usage_error(f"{flag} takes patterns as in .gitignore, with few stars, not {wrong[0]!r}")
    return tuple(usable_patterns)


def common_directory(paths: "Sequence[str]") -> str:
    """The directory that contains all paths; its configuration applies to the run."""
    try:
        common = os.path.commonpath([os.path.abspath(path) for path in paths if path != "-"])  # noqa: PTH100 - no links
    except ValueError:  # none, or several drives
        return "."
    return common if pathlib.Path(common).is_dir() else str(pathlib.Path(common).parent)


def ignored_words(ignored: "Mapping[str, int]") -> str:
    """A phrase for a closing line with the number of ignored findings; empty if none were ignored."""
    number = sum(ignored.values())
    return f"{count_noun(number, 'finding')} ignored" if number else ""


def known_target(name: str) -> "Target":
    """Finds a target by name. Ends the command if there is no such target."""
    from transpile import targets

    try:
        return targets.find_target(name)
    except targets.UnknownTarget as e:
        raise usage_error(str(e)) from None


def check_options(request: "Request", target: "Target", flags: "Mapping[str, Any]") -> None:
    """Ends the command if the target does not accept the options of the request.

    The target must have every option that the command line names. Options from a configuration may be for other
    targets.
    """
    from transpile import targets
    from transpile.settings.all_options import BY_NAME

    try:
        request.target_options(target)
    except targets.WrongOption as e:
        raise usage_error(str(e)) from None
    if flags.get("mappings") and target.tables is None:
        raise usage_error(f"the target {target.name} takes no --mapping")
    for name, value in flags.items():
        row = BY_NAME[name]
        if value is not None and row.of_target and name not in PREFERENCES:
            check_option(row.flag, row.field, target)


def check_option(flag: str, name: str, target: "Target") -> None:
    """Ends the command if the target lacks the option that a flag sets."""
    from transpile import targets

    if not target.takes(name):
        takes = [other.name for other in targets.every_target() if other.takes(name)]
        raise usage_error(f"{flag} requires --to {' or '.join(takes)}")


def own_options(request: "Request", target: "Target", flags: "Mapping[str, Any]") -> dict[str, Any]:
    """The target's options from `--option` and from a configuration, without those for other targets."""
    return {
        name: value for name, value in request.options.items() if name in (flags["options"] or ()) or target.takes(name)
    }


def tell_user(message: str) -> None:
    """Writes a line to standard error. All messages except diagnostics pass through here. On a terminal, a long line
    is broken between words.
    """
    line = printable.make_log_line(message)
    if width := findings.terminal_width(sys.stderr):
        import textwrap

        indent = " " * (len(line) - len(line.lstrip()) + 2)
        line = textwrap.fill(
            line,
            width,
            subsequent_indent=indent,
            break_long_words=False,
            break_on_hyphens=False,
            replace_whitespace=False,
        )
    sys.stderr.write(f"{line}\n")


def usage_error(message: str) -> typer.Exit:
    tell_user(f"hot2tf: {message}")
    return typer.Exit(2)


def parse_pairs(values: "Sequence[str] | None", flag: str) -> dict[str, str]:
    """The KEY=VALUE arguments of a flag."""
    out = {}
    for pair in values or ():
        name, equals, value = pair.partition("=")
        if not equals or not name:
            raise usage_error(f"{flag} takes KEY=VALUE, not {pair!r}")
        out[name] = value
    return out


def parse_url_map(values: list[str], flag: str) -> dict[str, str]:
    """The PREFIX=DIR arguments of a flag. A URL may have equals signs itself."""
    from transpile.text.urls import parse_url

    directories = {}
    for pair in values:
        url, equals, directory = pair.rpartition("=")
        if not equals or parse_url(url) is None:
            raise usage_error(f"{flag} takes the beginning of a URL and a directory (https://h/a/=dir), not {pair!r}")
        if not pathlib.Path(directory).is_dir():
            raise usage_error(f"the directory {directory} of {flag} does not exist")
        directories[url] = directory
    return directories


def parse_limits(values: list[str]) -> dict[str, int]:
    """The values of `--limit`."""
    from transpile.model import budget

    try:
        return budget.read_budget_limits(parse_pairs(values, "--limit"))
    except budget.WrongLimit as e:
        raise usage_error(str(e)) from None


def requested_additions(request: "Request") -> "Additions":
    """The plug-ins and the mapping tables that a request names."""
    from transpile import additions as more

    check_directories(request.plugin_dirs)
    for path in request.mappings:
        if not pathlib.Path(path).exists():
            raise usage_error(f"the mapping {path} does not exist")
    return more.read_additions(request.plugin_dirs, request.mappings, budget=Budget(read_budget_limits(request.limits)))


def check_directories(plugin_dirs: "Iterable[str | os.PathLike[str]]") -> None:
    for path in plugin_dirs:
        if not pathlib.Path(path).is_dir():
            raise usage_error(f"the plug-in directory {path} does not exist")


def rendering_values(values: list[str]) -> dict[str, Any]:
    """The values of `--render`."""
    from transpile.text import jinja

    try:
        return jinja.parse_values(values)
    except jinja.WrongValue as e:
        raise usage_error(str(e)) from None


def check_choice(flag: str, value: str, choices: "Sequence[str]") -> None:
    if value not in choices:
        from transpile.targets import closest_name

        *rest, last = choices
        hint = closest_name(value, choices)
        raise usage_error(
            f"{flag} takes {', '.join(rest)}{' or ' * bool(rest)}{last}, not {value}{'.' * bool(hint)}{hint}"
        )


def put_text(text: str, file: str | None) -> None:
    """Writes results to standard output, or to a file instead."""
    if file is None:
        sys.stdout.write(text)
        return
    from transpile.text import output

    if (problem := output.write_user_file(file, text.encode("utf-8", "replace"))) is not None:
        tell_user(f"hot2tf: {problem.message}")
        raise typer.Exit(2)


def say_diagnostics(
    diagnostics: "list[Diagnostic]",
    form: str,
    paths: "Sequence[str]" = (),
    *,
    folder: str | None = None,
    min_severity: str = "info",
) -> None:
    """Writes diagnostics to standard error. The arguments are those of `print_diagnostics`."""
    findings.print_diagnostics(diagnostics, form, paths, folder=folder, min_severity=min_severity)


def template_source(template: str) -> bytes | pathlib.Path:
    """The template that the command line names: its path, or the bytes of standard input."""
    return standard_input() if template == "-" else pathlib.Path(template)


def standard_input() -> bytes:
    from transpile.text.source import LIMIT

    if sys.stdin is None:
        tell_user("<stdin>:1:1: error HOT113: Standard input is closed.")
        raise typer.Exit(1)
    try:
        return sys.stdin.buffer.read(LIMIT + 1)
    except OSError as e:
        typer.echo(f"<stdin>:1:1: error HOT113: Standard input cannot be read: {e.strerror}.", err=True)
        raise typer.Exit(1) from None

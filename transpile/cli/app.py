"""The command `hot2tf`.

The easy rule to break: results go to standard output or the files asked for, everything else to standard error; the
exit status is 0, 1 (errors in the input) or 2 (wrong usage), and never a traceback.
"""

# Annotations are evaluated here as they stand: typer would compile each by itself, which takes as long as some imports.

import json
import os
import pathlib
import shlex
import sys
from typing import TYPE_CHECKING, Annotated, Any

import typer

from transpile.cli import capabilities
from transpile.diagnostics import render
from transpile.diagnostics.render import FORMS
from transpile.version import __version__

if TYPE_CHECKING:
    from collections.abc import Sequence

    from transpile.diagnostics.model import Diagnostic

app = typer.Typer(
    name="hot2tf",
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    no_args_is_help=True,
    help="Convert OpenStack Heat templates to Terraform, with nothing lost silently.",
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.add_typer(capabilities.app, name="capabilities")


def show_version(value: bool) -> None:
    if value:
        typer.echo(f"hot2tf {__version__}")
        raise typer.Exit


Environments = Annotated[
    list[str] | None, typer.Option("-e", "--environment", help="An environment; later ones win.", metavar="FILE")
]
Parameters = Annotated[
    list[str] | None, typer.Option("--parameter", help="The value of a parameter.", metavar="KEY=VALUE")
]
Root = Annotated[
    str | None, typer.Option("--root", help="The directory that the template may read files of.", metavar="DIR")
]
Allow = Annotated[
    list[str] | None,
    typer.Option("--allow", help="A directory or the beginning of a URL that may be read, too.", metavar="PLACE"),
]
Form = Annotated[str, typer.Option("--diagnostics", help="The form of diagnostics.", metavar="|".join(FORMS))]
Render = Annotated[
    list[str] | None,
    typer.Option("--render", help="A value, or a file of them, for sources in Jinja2.", metavar="KEY=VALUE|FILE"),
]
Strict = Annotated[bool, typer.Option("--strict", help="Warnings count as errors.")]


@app.callback()
def root(
    version: Annotated[
        bool, typer.Option("--version", callback=show_version, is_eager=True, help="Show the version.")
    ] = False,
) -> None:
    """Convert OpenStack Heat templates to Terraform."""


def usage(message: str) -> typer.Exit:
    typer.echo(f"hot2tf: {message}", err=True)
    return typer.Exit(2)


def pairs(given: list[str]) -> dict[str, str]:
    """KEY=VALUE arguments."""
    out = {}
    for one in given:
        name, equals, value = one.partition("=")
        if not equals or not name:
            raise usage(f"--parameter takes KEY=VALUE, not {one!r}")
        out[name] = value
    return out


def rendering_values(given: list[str] | None) -> dict[str, Any] | None:
    """What `--render` says; None without it."""
    if given is None:
        return None
    from transpile.text import jinja

    try:
        return jinja.values(given)
    except jinja.WrongValue as e:
        raise usage(str(e)) from None


@app.command()
def convert(
    template: Annotated[str, typer.Argument(help="A template; - for standard input.", metavar="TEMPLATE")],
    to: Annotated[str, typer.Option("--to", help="The target.", metavar="hcl|hot|tosca|NAME")] = "hcl",
    output: Annotated[
        str,
        typer.Option("-o", "--output", help="A directory (hcl) or a file; - for standard output.", metavar="PATH"),
    ] = "-",
    hot_version: Annotated[
        str | None, typer.Option("--hot-version", help="The version that --to hot writes.", metavar="VERSION")
    ] = None,
    tosca_version: Annotated[
        str | None, typer.Option("--tosca-version", help="The version that --to tosca writes.", metavar="1.3|2.0")
    ] = None,
    csar: Annotated[bool, typer.Option("--csar", help="With --to tosca: all files as one archive.")] = False,
    environment: Environments = None,
    parameter: Parameters = None,
    root: Root = None,
    allow: Allow = None,
    render: Render = None,
    prefer: Annotated[
        str,
        typer.Option(
            "--prefer",
            help="Where a type has several honest answers: the exact one, or Terraform's.",
            metavar="faithful|native|provisioners",
        ),
    ] = "faithful",
    report: Annotated[
        str | None, typer.Option("--report", help="Where to write the report, as JSON.", metavar="FILE")
    ] = None,
    diagnostics: Form = "text",
    strict: Strict = False,
    force: Annotated[
        bool, typer.Option("--force", help="Overwrite files that hot2tf did not write, or that were changed since.")
    ] = False,
    quiet: Annotated[bool, typer.Option("--quiet", help="No closing line.")] = False,
) -> None:
    """Convert one template."""
    from transpile import pipeline, targets
    from transpile.text import output as writer

    check_form(diagnostics)
    if not output:
        raise usage("-o takes a directory, or - for standard output")
    if hot_version is not None and to != "hot":
        raise usage("--hot-version goes with --to hot")
    if prefer not in pipeline.PREFERENCES:
        raise usage(f"--prefer takes {' or '.join(pipeline.PREFERENCES)}, not {prefer}")
    if (tosca_version is not None or csar) and to != "tosca":
        raise usage("--tosca-version and --csar go with --to tosca")
    options: dict[str, Any] = {}
    if to == "tosca":
        beside = "" if output == "-" else f"{pathlib.Path(output).stem}.files"
        options = {"tosca_version": tosca_version, "csar": csar, "beside": beside}
    values = pairs(parameter or [])
    if report is not None and not pathlib.Path(report).absolute().parent.is_dir():
        raise usage(f"the report cannot be written to {report}: there is no such directory")
    source = standard_input() if template == "-" else pathlib.Path(template)
    try:
        done = pipeline.convert(
            source,
            to=to,
            environments=[pathlib.Path(e) for e in environment or []],
            parameters=values,
            root=root,
            allow=allow or (),
            name="<stdin>" if template == "-" else None,
            hot_version=hot_version,
            prefer=prefer,
            render=rendering_values(render),
            options=options,
        )
    except targets.UnknownTarget as e:
        raise usage(str(e)) from None
    found: list[Diagnostic] = list(done.diagnostics)
    files = dict(done.files)
    failed = not done.ok or (strict and any(d.severity == "warning" for d in found))
    if not failed and output != "-":
        if to in ("hot", "tosca"):  # the first is what was asked for, all others stand beside it
            main, *others = files
            files = {pathlib.Path(output).name: files[main], **{name: files[name] for name in others}}
            problems = writer.write_files(pathlib.Path(output).parent, files, force=force)
        else:
            problems = writer.write(pathlib.Path(output), files, force=force)
        found += problems
        failed = bool(problems)
    done.report["files"] = [] if failed else sorted(files)
    done.report["diagnostics"] = [d.as_json() for d in found]
    if report is not None:
        save(report, done.report)
    say(found, diagnostics, [template, *(environment or [])])
    if failed:
        if not quiet and diagnostics == "text":
            typer.echo(
                "Nothing was written."
                if not strict or not done.ok
                else "Nothing was written: with --strict, warnings count as errors.",
                err=True,
            )
        raise typer.Exit(1)
    if output == "-":
        for name, content in files.items():
            if name == writer.MANIFEST:  # it is about a directory
                continue
            if csar and isinstance(content, bytes):
                sys.stdout.buffer.write(content)
                continue
            text = content if isinstance(content, str) else content.decode("utf-8", "replace")
            if to == "hot" or (to == "tosca" and len(files) == 1):
                sys.stdout.write(text)
                continue
            sys.stdout.write(f"# file: {name}\n{text}" + "\n" * (not text.endswith("\n")))
    if not quiet and diagnostics == "text":
        line = written(done.report, output) if to in ("hot", "tosca") else closing(done.report, len(files), output)
        typer.echo(line, err=True)


def standard_input() -> bytes:
    from transpile.text.source import LIMIT

    if sys.stdin is None:
        typer.echo("<stdin>:1:1: error HOT113: Standard input is closed.", err=True)
        raise typer.Exit(1)
    return sys.stdin.buffer.read(LIMIT + 1)


def save(path: str, report: dict[str, Any]) -> None:
    try:
        text = json.dumps(report, indent=1, ensure_ascii=False) + "\n"
        pathlib.Path(path).write_text(text, encoding="utf-8", errors="replace")
    except OSError as e:
        raise usage(f"the report cannot be written to {path}: {e.strerror}") from None


def check_form(form: str) -> None:
    if form not in FORMS:
        raise usage(f"--diagnostics takes {', '.join(FORMS[:-1])} or {FORMS[-1]}, not {form}")


def say(found: "list[Diagnostic]", form: str, paths: "Sequence[str]" = ()) -> None:
    """Writes diagnostics; `paths` are those of the files that they may be about."""
    shown = render.located(found, paths) if form in render.LOCATED else found
    sys.stderr.write(render.renderer(form)(shown))


def written(report: dict[str, Any], output: str) -> str:
    """What came of a template as HOT or TOSCA, in one line."""
    number = len(report["resources"])
    renamed = sum(d["code"] == "HOT596" for d in report["diagnostics"])
    what = f"{number} resource{'s' * (number != 1)}" + (f", {renamed} names of properties renewed" if renamed else "")
    return f"{what}." if output == "-" else f"{what}; written to {output}."


def closing(report: dict[str, Any], files: int, output: str) -> str:
    """What came of it, in one line."""
    kinds: dict[str, int] = {}
    dropped = 0
    for resource in report["resources"].values():
        kinds[resource["treatment"]] = kinds.get(resource["treatment"], 0) + 1
        dropped += sum(f["as"] == "dropped" for f in resource["properties"].values())
    words = {
        "native": "native",
        "data": "read as data",
        "folded": "folded into others",
        "module": "modules",
        "embedded": "kept in Heat",
    }
    parts = [f"{kinds[k]} {word}" for k, word in words.items() if k in kinds]
    total = sum(kinds.values())
    what = f"{total} resource{'s' * (total != 1)}" + (f": {', '.join(parts)}" if parts else "")
    what += f"; {dropped} propert{'ies' if dropped != 1 else 'y'} dropped"
    if output == "-":
        return f"{what}."
    go = f"cd {shlex.quote(output)} && terraform init && OS_CLOUD=<cloud> terraform plan"
    return f"{what}; {files} file{'s' * (files != 1)} in {output}. Next: {go}"


@app.command()
def fmt(
    paths: Annotated[
        list[str], typer.Argument(help="Templates, environments or directories; - for standard input.", metavar="PATH")
    ],
    check: Annotated[bool, typer.Option("--check", help="Change nothing; status 1 if anything would change.")] = False,
    diff: Annotated[bool, typer.Option("--diff", help="Change nothing; show what would change.")] = False,
    jobs: Annotated[int, typer.Option("--jobs", help="Processes; as many as processors by default.", metavar="N")] = 0,
    diagnostics: Form = "text",
    quiet: Annotated[bool, typer.Option("--quiet", help="Only diagnostics.")] = False,
) -> None:
    """Rewrite HOT templates and environments in canonical form, in place."""
    from transpile.cli import fmt

    check_form(diagnostics)
    if jobs < 0:
        raise usage("--jobs takes a number from 1 on")
    if "-" in paths:
        if len(paths) > 1:
            raise usage("- stands alone")
        format_input(check=check, diff=diff, form=diagnostics)
        return
    quiet = quiet or diagnostics != "text"
    results: list[fmt.Result] = []
    write = not check and not diff
    for result in fmt.run(paths, write=write, diff=diff, jobs=jobs or os.cpu_count() or 1):
        results.append(result)
        sys.stdout.write(result.diff)
        if diagnostics == "text":
            say(list(result.diagnostics), "text")
        if quiet:
            continue
        if result.changed:
            typer.echo(f"{'formatted' if write else 'would format'} {result.path}", err=True)
        elif not result.kind and not result.found and not result.diagnostics:
            typer.echo(f"{result.path} is neither a HOT template nor an environment; left as it is", err=True)
    if diagnostics != "text":
        say([d for r in results for d in r.diagnostics], diagnostics)
    if not quiet:
        typer.echo(fmt.closing(results, written=write), err=True)
    if any(not r.ok for r in results) or (check and any(r.changed for r in results)):
        raise typer.Exit(1)


def format_input(*, check: bool, diff: bool, form: str) -> None:
    """Standard input to standard output."""
    from transpile.cli import fmt
    from transpile.diagnostics.model import unreadable
    from transpile.format import canonical
    from transpile.text.source import Unreadable, from_bytes

    try:
        source = from_bytes(standard_input(), "<stdin>")
    except Unreadable as e:
        say([unreadable(e, "<stdin>")], form)
        raise typer.Exit(1) from None
    done = canonical.format_text(source)
    say(list(done.diagnostics), form)
    if diff:
        sys.stdout.write(fmt.difference(source, done.text))
    elif not check:
        sys.stdout.write(done.text)
    if any(d.severity == "error" for d in done.diagnostics) or (check and done.text != source.text):
        raise typer.Exit(1)


@app.command()
def check(
    paths: Annotated[
        list[str], typer.Argument(help="Templates, or directories of them; - for standard input.", metavar="PATH")
    ],
    environment: Environments = None,
    parameter: Parameters = None,
    root: Root = None,
    allow: Allow = None,
    render: Render = None,
    level: Annotated[
        str,
        typer.Option(
            "--level",
            help="What is an error: what validating the template refuses, or creating the stack.",
            metavar="template|create",
        ),
    ] = "template",
    plugin_type: Annotated[
        list[str] | None,
        typer.Option("--plugin-type", help="Resource types that the cloud has from plug-ins.", metavar="PATTERN"),
    ] = None,
    skip_others: Annotated[
        bool, typer.Option("--skip-others", help="Pass over files that are neither templates nor environments.")
    ] = False,
    jobs: Annotated[int, typer.Option("--jobs", help="Processes; as many as processors by default.", metavar="N")] = 0,
    diagnostics: Form = "text",
    strict: Strict = False,
    quiet: Annotated[bool, typer.Option("--quiet", help="Only diagnostics.")] = False,
) -> None:
    """Check templates as Heat does, and say what was surely not meant."""
    from transpile.cli import check as checking

    check_form(diagnostics)
    if level not in ("template", "create"):
        raise usage(f"--level takes template or create, not {level}")
    if jobs < 0:
        raise usage("--jobs takes a number from 1 on")
    options = checking.Options(
        tuple(environment or ()),
        pairs(parameter or []),
        root,
        tuple(allow or ()),
        level == "create",
        tuple(plugin_type or ()),
        skip_others,
        rendering_values(render),
    )
    if "-" in paths:
        if len(paths) > 1:
            raise usage("- stands alone")
        results = [checking.standard_input(standard_input(), options)]
    else:
        results = list(checking.run(paths, options, jobs or os.cpu_count() or 1))
    found = list(dict.fromkeys(d for r in results for d in r.diagnostics))
    say(found, diagnostics)
    if not quiet and diagnostics == "text":
        typer.echo(checking.closing(results, options.create), err=True)
    if any(d.severity == "error" or (strict and d.severity == "warning") for d in found):
        raise typer.Exit(1)


@app.command()
def types(
    name: Annotated[str | None, typer.Argument(help="A resource type, or a part of its name.", metavar="NAME")] = None,
) -> None:
    """Show what becomes of Heat's resource types."""
    from transpile import targets

    try:
        typer.echo(targets.load("hcl").types(name), nl=False)
    except LookupError as e:
        typer.echo(f"hot2tf: {e.args[0]}", err=True)
        raise typer.Exit(1) from None


@app.command()
def explain(code: Annotated[str, typer.Argument(help="The code of a diagnostic.", metavar="CODE")]) -> None:
    """Explain a diagnostic."""
    from transpile.diagnostics import explain as explanations
    from transpile.diagnostics.model import did_you_mean
    from transpile.diagnostics.rules import RULES

    if code.upper() not in RULES:
        typer.echo(f"hot2tf: there is no diagnostic {code}. {did_you_mean(code.upper(), RULES)}".rstrip(), err=True)
        raise typer.Exit(1)
    typer.echo(explanations.as_text(code.upper()), nl=False)


def main() -> None:
    """The command: no traceback, whatever happens."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(encoding="utf-8", errors="replace", newline="\n")
    try:
        app()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(1)
    except Exception as e:
        if os.environ.get("HOT2TF_DEBUG"):
            raise
        sys.stderr.write(
            f"error HOT900: hot2tf failed: {type(e).__name__}: {e}\n"
            "  = Please report it, with the template if you can. HOT2TF_DEBUG=1 shows where.\n"
        )
        sys.exit(1)

"""The command `hot2tf convert`."""

# Annotations are evaluated here as they stand: typer would compile each by itself, which takes as long as some imports.

import json
import pathlib
import shlex
import sys
from typing import TYPE_CHECKING, Annotated, Any

import typer

from transpile import targets
from transpile.cli import options

if TYPE_CHECKING:
    from collections.abc import Mapping

    from transpile.diagnostics.model import Diagnostic
    from transpile.pipeline import Conversion


def convert(
    template: Annotated[str, typer.Argument(help="A template; - for standard input.", metavar="TEMPLATE")],
    to: Annotated[
        str, typer.Option("--to", help="The target.", metavar="|".join([*targets.BUILT_IN, "NAME"]))
    ] = targets.DEFAULT,
    output: Annotated[
        str,
        typer.Option(
            "-o", "--output", help="A directory or a file, as the target writes; - for standard output.", metavar="PATH"
        ),
    ] = "-",
    option: Annotated[
        list[str] | None,
        typer.Option("--option", help="An option of the target; hot2tf targets lists them.", metavar="KEY=VALUE"),
    ] = None,
    hot_version: Annotated[
        str | None, typer.Option("--hot-version", help="The version that --to hot writes.", metavar="VERSION")
    ] = None,
    tosca_version: Annotated[
        str | None, typer.Option("--tosca-version", help="The version that --to tosca writes.", metavar="1.3|2.0")
    ] = None,
    csar: Annotated[bool, typer.Option("--csar", help="With --to tosca: all files as one archive.")] = False,
    environment: options.Environments = None,
    parameter: options.Parameters = None,
    root: options.Root = None,
    allow: options.Allow = None,
    render: options.Render = None,
    prefer: Annotated[
        str | None,
        typer.Option(
            "--prefer",
            help="For types without an exact Terraform equivalent: keep Heat's behaviour, or prefer native resources.",
            metavar="faithful|native|provisioners",
        ),
    ] = None,
    report: Annotated[
        str | None, typer.Option("--report", help="Where to write the report, as JSON.", metavar="FILE")
    ] = None,
    diagnostics: options.Form = "text",
    strict: options.Strict = False,
    force: Annotated[
        bool, typer.Option("--force", help="Overwrite files that hot2tf did not write, or that were changed since.")
    ] = False,
    quiet: Annotated[bool, typer.Option("--quiet", help="No closing line.")] = False,
) -> None:
    """Convert one template."""
    from transpile import pipeline

    options.check_form(diagnostics)
    if not output:
        raise options.usage("-o takes a directory, or - for standard output")
    try:
        target = targets.find(to)
        short = {"hot_version": hot_version, "tosca_version": tosca_version, "csar": csar or None}
        given = {**spelled(target, short), **options.pairs(option, "--option")}
        if prefer is not None and "prefer" in target.known:  # nothing to prefer is no mistake
            given.setdefault("prefer", prefer)
        if target.writes == targets.FILE and output != "-":
            given.setdefault(targets.BESIDE.name, f"{pathlib.Path(output).stem}.files")
        target.settings(given)
    except (targets.UnknownTarget, targets.WrongOption) as e:
        raise options.usage(str(e)) from None
    values = options.pairs(parameter, "--parameter")
    if report is not None:
        check_place(report)
    source = options.standard_input() if template == "-" else pathlib.Path(template)
    done = pipeline.convert(
        source,
        to=to,
        environments=[pathlib.Path(e) for e in environment or []],
        parameters=values,
        root=root,
        allow=allow or (),
        name="<stdin>" if template == "-" else None,
        render=options.rendering_values(render),
        options=given,
    )
    found: list[Diagnostic] = list(done.diagnostics)
    failed = fails(found, strict)
    if not failed and output != "-":
        found += place(target, done.files, pathlib.Path(output), force=force, strict=strict)
        failed = fails(found, strict)
    done.report["files"] = [] if failed else named(target, done.files, output)
    done.report["diagnostics"] = [d.as_json() for d in found]
    if report is not None:
        save(report, done.report)
    options.say(found, diagnostics, [template, *(environment or [])])
    talks = not quiet and diagnostics == "text"
    if failed:
        if talks:
            warned = strict and not fails(found, strict=False)
            typer.echo(
                "Nothing was written: with --strict, warnings count as errors." if warned else "Nothing was written.",
                err=True,
            )
        raise typer.Exit(1)
    if output == "-":
        show(target, done.files)
    if talks:
        typer.echo(closing(target, done, output), err=True)


def fails(found: "list[Diagnostic]", strict: bool) -> bool:
    """Whether nothing is written for what was found."""
    return any(d.severity == "error" or (strict and d.severity == "warning") for d in found)


def spelled(target: targets.Target, short: "Mapping[str, Any]") -> dict[str, Any]:
    """The options that have a flag of their own, as far as they are given."""
    out = {name: value for name, value in short.items() if value is not None}
    for name in out:
        if name not in target.known:
            takes = [one.name for one in targets.every() if name in one.known]
            raise targets.WrongOption(f"--{name.replace('_', '-')} goes with --to {' or '.join(takes)}")
    return out


def place(
    target: targets.Target, files: "Mapping[str, str | bytes]", output: pathlib.Path, *, force: bool, strict: bool
) -> "list[Diagnostic]":
    """Writes the files to where they were asked for, or says what is in the way."""
    from transpile.text import output as writer

    if target.writes == targets.FILE:
        return writer.write_beside(output, files, force=force)
    found: list[Diagnostic] = []
    if target.neighbours is not None:
        others = writer.neighbours(output, files, target.neighbours.suffixes, found)
        if others:
            found += target.neighbours.clashes(files, others)
    return found if fails(found, strict) else found + writer.write(output, files, force=force)


def named(target: targets.Target, files: "Mapping[str, str | bytes]", output: str) -> list[str]:
    """The names of the files as they were written."""
    names = list(files)
    if target.writes == targets.FILE and output != "-" and names:
        names[0] = pathlib.Path(output).name
    return sorted(names)


def show(target: targets.Target, files: "Mapping[str, str | bytes]") -> None:
    """Prints the files: one alone as it is, several one after the other under their names."""
    from transpile.text.output import MANIFEST

    alone = target.writes == targets.FILE and len(files) == 1
    for name, content in files.items():
        if alone and isinstance(content, bytes):
            sys.stdout.buffer.write(content)
            continue
        text = content if isinstance(content, str) else content.decode("utf-8", "replace")
        if alone:
            sys.stdout.write(text)
        elif name != MANIFEST:  # that is about a directory
            sys.stdout.write(f"# file: {name}\n{text}" + "\n" * (not text.endswith("\n")))


def closing(target: targets.Target, done: "Conversion", output: str) -> str:
    """What came of it and what to do next, in one line."""
    from transpile.report import summary

    what = (target.summary or summary)(done.report)
    if output == "-":
        return f"{what}."
    if target.writes == targets.FILE:
        what += f"; written to {output}."
    else:
        what += f"; {len(done.files)} file{'s' * (len(done.files) != 1)} in {output}."
    return f"{what} Next: {target.next_steps.replace('{output}', shlex.quote(output))}" if target.next_steps else what


def check_place(path: str) -> None:
    """Refuses a place for the report that a file is in the way of; directories that are not there yet are made."""
    above = next((p for p in pathlib.Path(path).absolute().parents if p.exists()), None)
    if above is not None and not above.is_dir():
        raise options.usage(f"the report cannot be written to {path}: {above} is not a directory")


def save(path: str, report: dict[str, Any]) -> None:
    try:
        text = json.dumps(report, indent=1, ensure_ascii=False) + "\n"
        pathlib.Path(path).parent.mkdir(parents=True, exist_ok=True)
        pathlib.Path(path).write_text(text, encoding="utf-8", errors="replace")
    except OSError as e:
        raise options.usage(f"the report cannot be written to {path}: {e.strerror}") from None

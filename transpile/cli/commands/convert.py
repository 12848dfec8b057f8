"""The command `hot2tf convert`."""

# No postponed evaluation of annotations: typer would compile each of them separately, which is slow.

import functools
import json
import pathlib
import shlex
import sys
from typing import TYPE_CHECKING, Annotated, Any

import typer

from transpile import targets
from transpile.cli import heat_client, options
from transpile.cli.configured import configured
from transpile.settings.table import CONTRIBUTED

if TYPE_CHECKING:
    from collections.abc import Mapping

    from transpile.diagnostics.model import Diagnostic
    from transpile.pipeline import Conversion
    from transpile.settings import Finder, Settings


@configured("convert")
def convert(
    template: Annotated[
        str | None, typer.Argument(help="A template; - for standard input.", metavar="TEMPLATE")
    ] = None,
    template_option: heat_client.Template = None,
    output: Annotated[
        str,
        typer.Option(
            "-o",
            "--output",
            help="The output directory or file, depending on the target; - for standard output.",
            metavar="PATH",
        ),
    ] = "-",
    option: options.TargetOptions = None,
    with_: Annotated[
        str | None,
        typer.Option(
            "--with",
            help="With --to tosca, of homing templates: the HOT template whose resources the demands are.",
            metavar="TEMPLATE",
        ),
    ] = None,
    report: Annotated[
        str | None, typer.Option("--report", help="Write the report to a file, as JSON.", metavar="FILE")
    ] = None,
    html: Annotated[
        str | None,
        typer.Option(
            "--html", help="With --to hcl: write a page that shows the template beside what it became.", metavar="FILE"
        ),
    ] = None,
    force: Annotated[
        bool, typer.Option("--force", help="Overwrite files that hot2tf did not write, or that were changed since.")
    ] = False,
    quiet: Annotated[bool, typer.Option("--quiet", help="Do not print the summary line.")] = False,
    *,
    finder: "Finder",
    told: "Mapping[str, Any]",
) -> None:
    """Convert one template."""
    from transpile import pipeline

    template = heat_client.template(template, template_option)
    if not output:
        raise options.usage("-o takes a path, or - for standard output")
    held = options.settings(finder, template, told["diagnostics"])
    form, severe = held.get("diagnostics"), held.get("strict")
    try:
        target = targets.find(held.get("to"))
        preferred, given = target_options(target, held, with_, options.pairs(option, "--option"))
        if target.writes == targets.FILE and output != "-":
            given.setdefault(targets.BESIDE.name, f"{pathlib.Path(output).stem}.files")
        target.settings(given)
    except (targets.UnknownTarget, targets.WrongOption) as e:
        raise options.usage(str(e)) from None
    if told["mappings"] and target.tables is None:
        raise options.usage(f"the target {target.name} takes no --mapping")
    if told["tests"] and "tests" not in target.known:
        raise options.usage(f"the target {target.name} takes no --tests")
    if html is not None and not target.addresses:
        raise options.usage(f"the target {target.name} takes no --html")
    for place_ in (report, html):
        if place_ is not None:
            check_place(place_)
    source = options.standard_input() if template == "-" else pathlib.Path(template)
    environments = held.texts("environments")
    heat_client.local(environments)
    run = functools.partial(
        pipeline.convert,
        source,
        environments=[pathlib.Path(e) for e in environments],
        parameters=held.get("parameters"),
        root=held.get("root"),
        allow=held.texts("allow"),
        name="<stdin>" if template == "-" else None,
        render=held.given("render"),
        limits=held.get("limits"),
        added=options.additions(held.texts("plugin-dirs"), held.texts("mappings")),
    )
    done = run(to=target.name, options=given)
    done.diagnostics, ignored = options.graded(done, held, finder, template, environments, "convert", target.name)
    found: list[Diagnostic] = list(done.diagnostics)
    failed = fails(found, severe)
    if not failed and output != "-":
        found += place(target, done, output, force=force, strict=severe)
        failed = fails(found, severe)
    done.report["files"] = [] if failed else named(target, done.files, output)
    done.report["diagnostics"] = [d.as_json() for d in found]
    if ignored:
        done.report["ignored"] = ignored
    if report is not None:
        save(report, "report", report_text(done.report))
    if html is not None:
        from transpile.page import page

        save(html, "page", page.of(done, run, preferred))
    options.say([*held.diagnostics, *found], form, [template, *environments])
    talks = not quiet and form == "text"
    if failed:
        if talks:
            warned = severe and not fails(found, strict=False)
            options.tell(
                "Nothing was written: with --strict, warnings count as errors." if warned else "Nothing was written."
            )
        raise typer.Exit(1)
    if output == "-":
        show(target, done.files)
    if talks:
        options.tell(closing(target, done, output, options.ignored_words(ignored)))


def target_options(
    target: targets.Target, held: "Settings", with_: str | None, told: "Mapping[str, str]"
) -> tuple[dict[str, Any], dict[str, Any]]:
    """The options of a target: those for its preferences alone, and all. `told`: those of the command line. Raises
    WrongOption for one of these that the target does not have; those of a configuration may be for other targets.
    """
    preferred = options.preferences(target, held)
    short: dict[str, Any] = {"with": with_}
    for name in ("hot-version", "tosca-version", "csar", "readme", "inventory"):
        key = name.replace("-", "_")
        value = held.given(name)
        if value is not None and (held.found(name).origin == options.COMMAND_LINE or target.takes(key)):
            short[key] = value
    for name in CONTRIBUTED:  # in a configuration it is meant for the documents of the repository that take it
        if held.found(name).source is not None and not claimed(held.path):
            short.pop(name, None)
    own = {name: value for name, value in held.get("options").items() if target.takes(name)}
    return preferred, {**preferred, **spelled(target, short), **own, **told}


def claimed(path: str | None) -> bool:
    """Whether a file is a document of another kind."""
    from transpile.document_kinds import claiming_key
    from transpile.text.source import Unreadable, load

    try:
        return path is not None and claiming_key(load(path)) is not None
    except Unreadable:
        return False


def fails(found: "list[Diagnostic]", strict: bool) -> bool:
    """Whether the diagnostics prevent output."""
    return any(d.severity == "error" or (strict and d.severity == "warning") for d in found)


def spelled(target: targets.Target, short: "Mapping[str, Any]") -> dict[str, Any]:
    """The given options that have their own flag. Raises WrongOption if the target does not have one of them."""
    out = {name: value for name, value in short.items() if value is not None}
    for name in out:
        if not target.takes(name):
            takes = [one.name for one in targets.every() if one.takes(name)]
            raise targets.WrongOption(f"--{name.replace('_', '-')} requires --to {' or '.join(takes)}")
    return out


def place(target: targets.Target, done: "Conversion", output: str, *, force: bool, strict: bool) -> "list[Diagnostic]":
    """Writes the files to the output path, or returns diagnostics that say why not."""
    from transpile.diagnostics.model import Diagnostic
    from transpile.text import output as writer

    path, files = pathlib.Path(output), done.files
    if (problem := writer.refused(output)) is not None:
        return [problem]
    if target.writes == targets.FILE:
        return writer.write_beside(path, files, force=force, private=done.private)
    found: list[Diagnostic] = []
    if target.neighbours is not None:
        others = writer.neighbours(path, files, target.neighbours.suffixes, found)
        if others:
            found += target.neighbours.clashes(files, others)
    if fails(found, strict):
        return found
    owns = target.owns or writer.marked
    left: list[str] = []
    if target.optional and not force:
        try:
            left = [name for name in writer.in_place(path, target.optional, owns) if name in files]
        except OSError as e:
            return [*found, Diagnostic("HOT902", f"{e.filename or path} cannot be read: {e.strerror}.")]
    found += [Diagnostic("HOT909", f"{path / name} is not ours, or was edited, so it stays.") for name in left]
    return found + writer.write(path, files, owns=owns, left=left, force=force, private=done.private)


def named(target: targets.Target, files: "Mapping[str, str | bytes]", output: str) -> list[str]:
    """The names of the files as written."""
    names = list(files)
    if target.writes == targets.FILE and output != "-" and names:
        names[0] = pathlib.Path(output).name
    return sorted(names)


def show(target: targets.Target, files: "Mapping[str, str | bytes]") -> None:
    """Prints the files: a single file as it is, several under headings with their names. A terminal gets only what can
    be seen.
    """
    from transpile.model.printable import printable
    from transpile.text.manifest import MANIFEST

    seen = sys.stdout.isatty()

    alone = target.writes == targets.FILE and len(files) == 1
    for name, content in files.items():
        if alone and isinstance(content, bytes):
            sys.stdout.buffer.write(content)
            continue
        text = content if isinstance(content, str) else content.decode("utf-8", "replace")
        if seen:
            text = "\n".join(map(printable, text.split("\n")))
        if alone:
            sys.stdout.write(text)
        elif name != MANIFEST and name not in target.optional:  # the manifest describes a directory
            sys.stdout.write(f"# file: {printable(name)}\n{text}" + "\n" * (not text.endswith("\n")))


def closing(target: targets.Target, done: "Conversion", output: str, ignored: str = "") -> str:
    """The result and the next step, in one line. `ignored`: what to say of findings that were not shown."""
    from transpile.report import summary

    maker = done.converter or target
    what = (maker.summary or summary)(done.report)
    what += f", {ignored}" if ignored else ""
    if output == "-":
        return f"{what}."
    if target.writes == targets.FILE:
        what += f"; written to {output}."
    else:
        what += f"; {len(done.files)} file{'s' * (len(done.files) != 1)} in {output}."
    return f"{what} Next: {maker.next_steps.replace('{output}', shlex.quote(output))}" if maker.next_steps else what


def check_place(path: str) -> None:
    """Rejects the path of a report or page below a regular file. Missing directories are created later."""
    above = next((p for p in pathlib.Path(path).absolute().parents if p.exists()), None)
    if above is not None and not above.is_dir():
        raise options.usage(f"{path} cannot be written: {above} is not a directory")


def report_text(report: dict[str, Any]) -> str:
    from transpile.model.printable import escaped

    return escaped(json.dumps(report, indent=1, ensure_ascii=False)) + "\n"


def save(path: str, what: str, text: str) -> None:
    from transpile.text import output as writer

    if (problem := writer.record(path, text.encode("utf-8", "replace"))) is not None:
        raise options.usage(f"the {what} cannot be written: {problem.message}")

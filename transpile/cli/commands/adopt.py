"""The command `hot2tf adopt`."""

# No postponed evaluation of annotations: typer would compile each of them separately, which is slow.

import json
import pathlib
from typing import TYPE_CHECKING, Annotated, Any

import typer

from transpile import targets
from transpile.cli import options
from transpile.cli.commands import convert
from transpile.cli.configured import configured
from transpile.diagnostics.model import Stopped

if TYPE_CHECKING:
    from collections.abc import Mapping

    from transpile.adoption.online import Project
    from transpile.diagnostics.model import Diagnostic
    from transpile.pipeline import Conversion
    from transpile.settings import Finder, Settings

STACKS = "stacks"  # the folder for exports among what is saved


@configured("adopt")
def adopt(
    source: Annotated[
        list[str] | None,
        typer.Argument(
            help="Exports of running stacks, or directories with the JSON of the client's commands; - for standard "
            "input. With --os-cloud: names or IDs of stacks.",
            metavar="EXPORT|STACK",
        ),
    ] = None,
    output: Annotated[
        str,
        typer.Option(
            "-o",
            "--output",
            help="The output directory, with a directory for each stack if there are several; - for standard output.",
            metavar="DIR",
        ),
    ] = "-",
    template: Annotated[
        str | None,
        typer.Option("--template", help="Use this template, after comparing it with Heat's.", metavar="FILE"),
    ] = None,
    os_cloud: Annotated[
        str | None, typer.Option("--os-cloud", help="Read from this cloud of clouds.yaml.", metavar="CLOUD")
    ] = None,
    every: Annotated[bool, typer.Option("--all", help="With --os-cloud: every stack of the project.")] = False,
    answers: Annotated[
        str | None, typer.Option("--answers", help="Saved answers to what an export does not tell.", metavar="FILE")
    ] = None,
    save: Annotated[
        str | None,
        typer.Option(
            "--save",
            help="Save what the cloud told: stacks/NAME.json, to be adopted with --answers answers.json.",
            metavar="DIR",
        ),
    ] = None,
    drift: Annotated[
        bool,
        typer.Option("--drift", help="Report what the live resources have otherwise than the template says."),
    ] = False,
    report: Annotated[
        str | None, typer.Option("--report", help="Write the report to a file, as JSON.", metavar="FILE")
    ] = None,
    force: Annotated[
        bool, typer.Option("--force", help="Overwrite files that hot2tf did not write, or that were changed since.")
    ] = False,
    quiet: Annotated[bool, typer.Option("--quiet", help="Do not print the summary line.")] = False,
    *,
    finder: "Finder",
    told: "Mapping[str, Any]",
) -> None:
    """Take over running stacks: Terraform that imports what they made."""
    from transpile import adopting
    from transpile.adoption.lookups import Answers

    given = list(source or [])
    check(given, output, template, os_cloud, every=every, save=save)
    held = options.settings(finder, template if template is not None else "-", told["diagnostics"])
    form = held.get("diagnostics")
    target = targets.find(adopting.TARGET)
    try:
        preferred = options.preferences(target, held)
        target.settings(preferred)
    except targets.WrongOption as e:
        raise options.usage(str(e)) from None
    if report is not None:
        convert.check_place(report)
    project = reached(os_cloud) if os_cloud is not None else None
    answering = Answers({}, project) if project is not None else None
    names = read_names(project, form) if every and project is not None else given
    several, failed, reports = len(names) > 1 or every, False, []
    for name in names:
        one, said = read(project, name)
        done = adopting.adopt(
            one,
            template=pathlib.Path(template) if template is not None else None,
            environments=[pathlib.Path(e) for e in held.texts("environments")],
            cloud=answering,
            answers=answers,
            drift=drift,
            root=held.get("root"),
            allow=held.texts("allow"),
            name="<stdin>" if name == "-" else None,
            said=said,
            options=preferred,
            limits=held.get("limits"),
            added=options.additions(held.texts("plugin-dirs"), held.texts("mappings")),
        )
        where = f"{output}/{stem(name, online=project is not None)}" if several else output
        finished = finish(target, done, name, where, (held, finder), force=force, quiet=quiet)
        failed = finished or failed
        reports.append(done.report)
    if save is not None and project is not None and answering is not None:
        keep_read(pathlib.Path(save), project.exports, answering.as_json())
    if report is not None:
        convert.save(report, "report", convert.report_text(together(reports) if several else reports[0]))
    if failed:
        raise typer.Exit(1)


def check(
    given: list[str], output: str, template: str | None, os_cloud: str | None, *, every: bool, save: str | None
) -> None:
    """Rejects options that do not go together."""
    if not output:
        raise options.usage("-o takes a directory, or - for standard output")
    if every and (os_cloud is None or given):
        raise options.usage("--all takes --os-cloud and no stacks")
    if not given and not every:
        raise options.usage("an export is required, or --os-cloud with stacks or --all")
    if save is not None and os_cloud is None:
        raise options.usage("--save takes --os-cloud: without it there is nothing to save")
    if (len(given) > 1 or every) and output == "-":
        raise options.usage("several stacks need -o DIR")
    if (len(given) > 1 or every) and template is not None:
        raise options.usage("--template is for one stack")
    names = [stem(name, online=os_cloud is not None) for name in given]
    if len(set(names)) < len(names):
        raise options.usage("two exports would have the same directory; adopt them one by one")


def stem(name: str, *, online: bool = False) -> str:
    """The directory of a stack among several."""
    if online:
        return name
    return pathlib.Path(name).stem if name != "-" else "stdin"


def reached(os_cloud: str) -> "Project":
    """The project of a cloud."""
    from transpile.adoption import online

    try:
        return online.connect(os_cloud)
    except online.NoSdk as e:
        raise options.usage(str(e)) from None
    except Stopped as e:
        options.say(e.found, "text", [])
        raise typer.Exit(1) from None


def read_names(project: "Project", diagnostics: str) -> list[str]:
    """The names of all stacks of a project."""
    try:
        return project.stacks()
    except Stopped as e:
        options.say(e.found, diagnostics, [])
        raise typer.Exit(1) from None


def read(project: "Project | None", name: str) -> "tuple[Any, list[Diagnostic]]":
    """What is adopted: a path, a text, or a stack that was read from a cloud; None if that failed."""
    if project is None:
        return (options.standard_input() if name == "-" else pathlib.Path(name)), []
    try:
        return project.stack(name)
    except Stopped as e:
        return None, e.found


def keep_read(folder: pathlib.Path, exports: "Mapping[str, str]", answers: dict[str, Any]) -> None:
    """Saves what was read, so that the adoption can be repeated without the cloud. There are secrets in it."""
    from transpile.text import output, places

    files = {f"{STACKS}/{name}.json": text for name, text in exports.items()}
    files["answers.json"] = json.dumps(answers, indent=1) + "\n"
    for name, text in files.items():
        problem = output.record(str(folder / name), text.encode("utf-8", "replace"), places.PRIVATE)
        if problem is not None:
            raise options.usage(f"what was read cannot be saved: {problem.message}")


def finish(
    target: targets.Target,
    done: "Conversion",
    name: str,
    where: str,
    configured: "tuple[Settings, Finder]",
    *,
    force: bool,
    quiet: bool,
) -> bool:
    """Writes the files of one stack, and says what came of it. Returns whether that failed."""
    held, finder = configured
    diagnostics, strict = held.get("diagnostics"), held.get("strict")
    found, ignored = options.graded(done, held, finder, name, held.texts("environments"), "adopt", target.name)
    failed = convert.fails(found, strict)
    if not failed and where != "-":
        found += convert.place(target, done, where, force=force, strict=strict)
        failed = convert.fails(found, strict)
    done.report["files"] = [] if failed else sorted(done.files)
    done.report["diagnostics"] = [d.as_json() for d in found]
    if ignored:
        done.report["ignored"] = ignored
    options.say(found, diagnostics, [name])
    talks = not quiet and diagnostics == "text"
    if failed:
        if talks:
            options.tell("Nothing was written.")
        return True
    if where == "-":
        convert.show(target, done.files)
    if talks:
        number = len(done.report["imports"])
        imported = f"{number} import{'s' * (number != 1)}; "
        options.tell(f"{imported}{convert.closing(target, done, where, options.ignored_words(ignored))}")
    return False


def together(reports: list[dict[str, Any]]) -> dict[str, Any]:
    """The report on several stacks."""
    return {"format": 1, "stacks": [json.loads(json.dumps(one)) for one in reports]}

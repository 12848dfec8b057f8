"""The command `hot2tf adopt`."""

# No postponed evaluation of annotations: typer would compile each of them separately, which is slow.

import json
import os
import pathlib
from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import typer

from transpile.cli import options
from transpile.cli.configured import configured
from transpile.cli.invocation import CommandOptions, Invocation
from transpile.diagnostics.model import Stopped
from transpile.settings.command_paths import describe_paths

if TYPE_CHECKING:
    from transpile.adopting.fleet.command import FleetAdoption
    from transpile.adopting.run import Adoptee
    from transpile.adoption.online import CloudProject
    from transpile.settings.command_paths import CommandPaths

AT_ONCE, MOST_AT_ONCE = 8, 64  # requests, by default and at most
DIRECTORIES, FILES = "directories", "files"  # how several stacks are written
STACKS = "stacks"  # the folder for exports below the folder of --save
OF_TEMPLATE = {"environments": "--environment", "root": "--root", "allow": "--allow"}  # flags that --template needs


Source = Annotated[
    list[str] | None,
    typer.Argument(
        help="Exports of running stacks, or directories with the JSON of the client's commands; - for standard "
        "input. With --os-cloud: names or IDs of stacks.",
        metavar="EXPORT|STACK",
    ),
]
Output = Annotated[
    str,
    typer.Option(
        "-o",
        "--output",
        help="The output directory, with a directory for each stack if there are several; - for standard output.",
        metavar="DIR",
    ),
]
Template = Annotated[
    str | None,
    typer.Option("--template", help="Use this template, after comparing it with Heat's.", metavar="FILE"),
]
OsCloud = Annotated[
    str | None,
    typer.Option("--os-cloud", help="Read from this cloud of clouds.yaml.", metavar="CLOUD", rich_help_panel="Input"),
]
Every = Annotated[
    bool,
    typer.Option(
        "--all",
        help="With --os-cloud: every stack, into one tree. Without -o, only show the plan for each stack.",
        rich_help_panel="Input",
    ),
]
Projects = Annotated[
    list[str] | None,
    typer.Option(
        "--project", help="With --all: a project, by name or ID; several are read together.", metavar="PROJECT"
    ),
]
AllProjects = Annotated[
    bool, typer.Option("--all-projects", help="With --all: every project that this user may enter.")
]
Repository = Annotated[
    str | None,
    typer.Option(
        "--repository",
        help="With --all: take the code from the templates of this directory where they are the same.",
        metavar="DIR",
    ),
]
AtOnce = Annotated[
    int | None,
    typer.Option(
        "--at-once",
        help="With --all or --prove: how many requests may be under way at once; 8 by default.",
        metavar="N",
    ),
]
Prove = Annotated[
    str | None,
    typer.Option(
        "--prove",
        help="With --os-cloud: compare the running objects with the state that --all saved in this directory, and "
        "write the evidence there.",
        metavar="DIR",
    ),
]
AnswersFlag = Annotated[
    list[str] | None,
    typer.Option(
        "--answers",
        help="Saved answers about values that an export lacks; NAME=FILE for one of several environments.",
        metavar="FILE",
        rich_help_panel="Input",
    ),
]
Save = Annotated[
    str | None,
    typer.Option(
        "--save",
        help="Save the data read from the cloud: stacks/NAME.json, to be adopted with --answers answers.json.",
        metavar="DIR",
    ),
]
Drift = Annotated[
    bool,
    typer.Option(
        "--drift",
        help="Report differences between the live resources and the template.",
        rich_help_panel="Translation",
    ),
]
Environments = Annotated[
    str | None,
    typer.Option(
        "--environments",
        help="How several stacks are written: as directories with a configuration each, or as environments of one "
        "configuration, with files of values. For these, NAME=EXPORT names an environment. With --all, files is the "
        "default: one configuration for the stacks of each template.",
        metavar=f"{DIRECTORIES}|{FILES}",
    ),
]
Report = Annotated[str | None, typer.Option("--report", help="Write the report to a file, as JSON.", metavar="FILE")]
Force = Annotated[
    bool, typer.Option("--force", help="Overwrite files that hot2tf did not write, or that were changed since.")
]
Quiet = Annotated[bool, typer.Option("-q", "--quiet", help="Do not print the summary line.")]


@options.with_examples("hot2tf adopt export.json -o terraform", "hot2tf adopt --os-cloud CLOUD web -o terraform")
@configured(
    "adopt",
    "select ignore per-file-ignores severity min-severity environments root allow limits plugin-dirs mappings "
    "prefer provider keep verify tests roll-up names backend backend-config strict diagnostics",
)
def adopt(
    source: Source = None,
    output: Output = "-",
    template: Template = None,
    os_cloud: OsCloud = None,
    every: Every = False,
    answers: AnswersFlag = None,
    save: Save = None,
    drift: Drift = False,
    environments: Environments = None,
    project: Projects = None,
    all_projects: AllProjects = False,
    repository: Repository = None,
    at_once: AtOnce = None,
    prove: Prove = None,
    report: Report = None,
    force: Force = False,
    conflicts: options.Conflicts = False,
    diff: options.Diff = False,
    verbose: options.Verbose = False,
    quiet: Quiet = False,
    *,
    line: "CommandOptions",
) -> None:
    """Take over running stacks with import blocks."""
    from transpile.adopting import inputs
    from transpile.adopting import run as adopting
    from transpile.adopting.adoptions import Delivery, StackAdoptions
    from transpile.adopting.fleet.command import FleetAdoption, FleetOptions
    from transpile.adoption.lookups import Answers
    from transpile.cli import conversions, result_files

    fleet = FleetFlags(
        every=every, projects=tuple(project or ()), all_projects=all_projects, repository=repository, at_once=at_once
    )
    check_fleet_arguments(fleet, os_cloud, prove=prove, names=source or [], answers=answers, output=output)
    sources, bundled = inputs.expand_bundles(source or []) if os_cloud is None else (list(source or []), {})
    layout = environments or (FILES if every else DIRECTORIES)
    shared, files = layout == FILES, list(answers or [])
    if layout not in (DIRECTORIES, FILES):
        raise options.usage_error(f"--environments is {DIRECTORIES} or {FILES}")
    named = (
        inputs.name_environments(sources, online=os_cloud is not None)
        if shared and not every
        else {n: n for n in sources}
    )
    names = list(named.values()) if shared else sources
    if prove is None:
        check_arguments(names, output, template, os_cloud, every=every, save=save, shared=shared)
    answers_by_name = inputs.assign_answers(files, list(named), shared=shared)
    options.check_edits(output, diff=diff, force=force, conflicts=conflicts)
    if diff and save is not None:
        raise options.usage_error("--diff writes nothing, so there is no --save")
    if template is None and (unused := next((name for name in OF_TEMPLATE if line.flags[name] is not None), None)):
        raise options.usage_error(f"{OF_TEMPLATE[unused]} takes --template: an export has its own files")
    run = line.for_template(template if template is not None else "-")
    target = options.known_target(adopting.TARGET)
    options.check_options(run.request, target, line.flags)
    if shared and run.request.target_options(target)["tests"]:
        raise options.usage_error("--tests is for one stack, and not for --environments files")
    files_of_exports = [bundled[name].path if name in bundled else name for name in names if os_cloud is None]
    named_files = [*files_of_exports, *filter(None, (template,)), *answers_by_name.values()]
    saved = str(pathlib.Path(save, "answers.json")) if save is not None else None
    result_files.check_result_files({"--report": report, "--save": saved}, outputs={"-o": output}, inputs=named_files)
    added = options.requested_additions(run.request)
    connection = connect_to_cloud(os_cloud, run.request.limits) if os_cloud is not None else None
    if prove is not None and connection is not None:
        prove_directory(run, connection, prove, at_once or AT_ONCE, report, quiet=quiet)
        return
    cloud = Answers({}, connection) if connection is not None else None
    places = options.typed_paths(line.flags, "environments", "mappings", "plugin-dirs", "root", "allow")
    places += [("--template", template)] if template is not None else []
    places += [("--answers", path) for path in files]
    if every and connection is not None and os_cloud is not None:
        places += [("--repository", repository)] if repository is not None else []
        chosen = FleetOptions(
            output if output != "-" else None,
            os_cloud,
            fleet.projects,
            all_projects,
            shared,
            drift,
            at_once or AT_ONCE,
            repository,
            force,
            conflicts,
            diff,
            verbose,
            quiet,
        )
        adopt_every_stack(
            FleetAdoption(run, chosen, added), connection, describe_paths("-", output, places), save, report
        )
        return
    several = len(names) > 1
    adoptions = StackAdoptions(
        run,
        lambda name: describe_paths(
            "-" if connection is not None else bundled[name].path if name in bundled else name, output, places
        ),
        lambda name: (
            bundled[name].make_adoptee(template) if name in bundled else adoptee_of(connection, name, template)
        ),
        cloud,
        added,
        Delivery(force, conflicts, diff, verbose, quiet),
        drift=drift,
    )
    if shared:
        adoptions.adopt_as_environments(named, answers_by_name, output)
    else:
        stems = {name: inputs.directory_stem(name, online=connection is not None) for name in names}
        outputs = {name: f"{output}/{stem}" if several else output for name, stem in stems.items()}
        adoptions.adopt_each(outputs, answers_by_name)
    reports = adoptions.reports
    if save is not None and connection is not None and cloud is not None:
        keep_read(pathlib.Path(save), connection.exports, cloud.as_json())
    if report is not None:
        conversions.save_report(report, combine_reports(reports) if several or shared else reports[0])
    if adoptions.failed:
        raise typer.Exit(1)


class FleetFlags(NamedTuple):
    """The flags of the command line that are about a fleet."""

    every: bool
    projects: tuple[str, ...]
    all_projects: bool
    repository: str | None
    at_once: int | None


def check_fleet_arguments(
    fleet: FleetFlags,
    os_cloud: str | None,
    *,
    prove: str | None,
    names: list[str],
    answers: list[str] | None,
    output: str,
) -> None:
    """Rejects flags about a fleet that do not go together."""
    unused = {
        "--project": bool(fleet.projects),
        "--all-projects": fleet.all_projects,
        "--repository": fleet.repository is not None,
    }
    if not fleet.every and (flag := next((flag for flag, is_there in unused.items() if is_there), None)):
        raise options.usage_error(f"{flag} takes --all")
    if fleet.projects and fleet.all_projects:
        raise options.usage_error("--project and --all-projects exclude each other")
    if fleet.repository is not None and not pathlib.Path(fleet.repository).is_dir():
        raise options.usage_error(f"{fleet.repository} is not a directory")
    if fleet.at_once is not None and not fleet.every and prove is None:
        raise options.usage_error("--at-once takes --all or --prove")
    if fleet.at_once is not None and not 1 <= fleet.at_once <= MOST_AT_ONCE:
        raise options.usage_error(f"--at-once takes a number from 1 to {MOST_AT_ONCE}")
    if fleet.every and answers:
        raise options.usage_error("--answers is for exports, and --all reads a cloud")
    if prove is not None and (os_cloud is None or names or fleet.every or output != "-"):
        raise options.usage_error("--prove takes --os-cloud, and no stacks, --all or -o")


def adopt_every_stack(
    adoption: "FleetAdoption", connection: "CloudProject", paths: "CommandPaths", save: str | None, report: str | None
) -> None:
    """Adopts all stacks of the projects, and writes the files that the user wants about it."""
    from transpile.cli import conversions
    from transpile.model.records import replace

    projects = adoption.open_projects(connection)
    result = adoption.adopt(projects, replace(adoption.run.request, paths=paths))
    for project in projects if save is not None else ():
        folder = pathlib.Path(save or "", *((project.name,) if len(projects) > 1 else ()))
        keep_read(folder, project.cloud.exports, project.answers.as_json())
    if report is not None:
        fleet = [verdict.as_json() for verdict in result.verdicts]
        requests = connection.budget.spent["requests"]
        combined = combine_reports([dict(each) for each in result.reports])
        conversions.save_report(report, {**combined, "fleet": fleet, "requests": requests})
    if not adoption.close(result, connection.budget.spent["requests"]):
        raise typer.Exit(1)


def prove_directory(
    run: "Invocation", connection: "CloudProject", directory: str, at_once: int, report: str | None, *, quiet: bool
) -> None:
    """Compares the running objects with the saved views. Ends the command with status 1 if they differ."""
    from transpile.adopting.fleet import command as fleet_adoptions
    from transpile.cli import conversions

    reports = fleet_adoptions.prove(run, connection, directory, at_once, quiet=quiet)
    if report is not None:
        conversions.save_report(report, {"format": 1, "comparisons": reports})
    if fleet_adoptions.has_failed(reports):
        raise typer.Exit(1)


def check_arguments(
    names: list[str],
    output: str,
    template: str | None,
    os_cloud: str | None,
    *,
    every: bool,
    save: str | None,
    shared: bool,
) -> None:
    """Rejects options that do not go together."""
    from transpile.adopting import inputs

    if not output:
        raise options.usage_error("-o takes a directory, or - for standard output")
    if every and (os_cloud is None or names):
        raise options.usage_error("--all takes --os-cloud and no stacks")
    if not names and not every:
        raise options.usage_error("an export is required, or --os-cloud with stacks or --all")
    if save is not None and os_cloud is None:
        raise options.usage_error("--save takes --os-cloud: without it there is nothing to save")
    if (len(names) > 1 or (shared and not every)) and output == "-":
        raise options.usage_error("several stacks need -o DIR")
    if (len(names) > 1 or every) and template is not None:
        raise options.usage_error("--template is for one stack")
    stems = [inputs.directory_stem(name, online=os_cloud is not None) for name in names if not shared]
    if len(set(stems)) < len(stems):
        raise options.usage_error("two exports would have the same directory; adopt them one by one")


def connect_to_cloud(os_cloud: str, limits: "Mapping[str, int]") -> "CloudProject":
    """Connects to the project of a cloud. limits: of all requests that the run sends there."""
    from transpile.adoption import online
    from transpile.model.budget import Budget

    try:
        return online.connect_project(os_cloud, Budget(limits))
    except online.NoSdk as e:
        raise options.usage_error(str(e)) from None
    except Stopped as e:
        options.say_diagnostics(e.diagnostics, "text", [])
        raise typer.Exit(1) from None


def adoptee_of(project: "CloudProject | None", name: str, template: str | None) -> "Adoptee":
    """The input of an adoption: a path, a text, or a stack read from a cloud; its source is None if reading failed."""
    from transpile.adopting.run import Adoptee
    from transpile.pipeline import input_name

    own = pathlib.Path(template) if template is not None else None
    if project is None:
        source = options.template_source(name)
        if name != "-" and not os.path.exists(name) and not pathlib.PurePath(name).suffix:  # noqa: PTH110 - any name
            raise options.usage_error(f"there is no export {name}; a stack in a cloud is --os-cloud CLOUD {name}")
        return Adoptee(source, input_name(source, "<stdin>"), own)
    try:
        live, findings = project.read_stack(name)
    except Stopped as e:
        return Adoptee(None, "export", own, e.diagnostics)
    return Adoptee(live, live.source.name if live is not None else "export", own, findings)


def keep_read(folder: pathlib.Path, exports: "Mapping[str, str]", answers: dict[str, Any]) -> None:
    """Saves the export and the answers, so that the adoption can be repeated offline. They contain secrets."""
    from transpile.text import output, places

    files = {f"{STACKS}/{name}.json": text for name, text in exports.items()}
    files["answers.json"] = json.dumps(answers, indent=1) + "\n"
    for name, text in files.items():
        problem = output.write_user_file(str(folder / name), text.encode("utf-8", "replace"), places.PRIVATE)
        if problem is not None:
            raise options.usage_error(f"the data read from the cloud cannot be saved: {problem.message}")


def combine_reports(reports: list[dict[str, Any]]) -> dict[str, Any]:
    """Returns one report on several stacks."""
    return {"format": 1, "stacks": [json.loads(json.dumps(report)) for report in reports]}

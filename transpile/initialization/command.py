"""The command `hot2tf init`."""

# No postponed evaluation of annotations: typer would compile each of them separately, which is slow.

import json
import os
import pathlib
import re
import shlex
import sys
from typing import TYPE_CHECKING, Annotated

import typer

from transpile.cli import interrupts, options
from transpile.initialization import questions
from transpile.model import printable
from transpile.model.words import count_noun, list_first
from transpile.settings import Finder

if TYPE_CHECKING:
    from transpile.initialization.decisions import Decision
    from transpile.initialization.files import InitialFiles
    from transpile.initialization.inspection import CheckedRepository, RepositoryInspection, UnclearEnvironment

LEFT_OUT = 5  # environments in no stack that are listed; the plan file has all
BASELINE = "hot2tf-baseline.json"
LONGEST_ALIGNED = 60  # characters of a command; the comment behind a longer one follows it directly


@options.with_examples("hot2tf init", "hot2tf init templates --prefer native --ci gitlab")
def init(
    directory: Annotated[
        str, typer.Argument(help="The directory with the templates; by default the working directory.", metavar="DIR")
    ] = ".",
    prefer: Annotated[
        str | None,
        typer.Option(
            "--prefer",
            help="Do not ask which translations the configuration prefers.",
            metavar="faithful|native|provisioners",
        ),
    ] = None,
    missing: Annotated[
        str | None,
        typer.Option(
            "--missing", help="Set the treatment of missing files of get_file, and do not ask.", metavar="stub|error"
        ),
    ] = None,
    roll_up: Annotated[
        bool | None,
        typer.Option("--roll-up/--no-roll-up", help="Do not ask whether numbered copies become one block."),
    ] = None,
    ci: Annotated[
        str | None,
        typer.Option("--ci", help="Do not ask which job for CI to write.", metavar="github|gitlab|pre-commit|none"),
    ] = None,
    requirement: Annotated[
        str | None,
        typer.Option(
            "--requirement",
            help="The package that the job for CI installs with pip, with a fixed version.",
            metavar="PACKAGE",
        ),
    ] = None,
    exclude: Annotated[
        list[str] | None,
        typer.Option(
            "--exclude", help="Patterns, as in .gitignore, of paths that every command leaves out.", metavar="PATTERN"
        ),
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace files of an earlier run.")] = False,
) -> None:
    """Begin a migration: configuration, plan, job for CI.

    On a terminal it asks; otherwise flags and defaults decide. Existing files stay, unless there is --force.
    """
    from transpile.initialization import decisions, pipelines
    from transpile.initialization.files import InitialFiles

    rolls = None if roll_up is None else decisions.YES if roll_up else decisions.NO
    flags = {
        decisions.PREFER: prefer,
        decisions.MISSING: missing,
        decisions.ROLL_UP: rolls,
        decisions.PIPELINE: ci,
    }
    choices = {name: decisions.look_up_option(name).choices for name in (decisions.PREFER, decisions.MISSING)}
    for name, value in flags.items():
        if value is not None and name != decisions.ROLL_UP:
            options.check_choice(f"--{name}", value, choices.get(name, pipelines.CHOICES))
    if requirement is not None and (problem := pipelines.find_requirement_problem(requirement)):
        raise options.usage_error(f"--requirement {requirement} {problem}")
    if not pathlib.Path(directory).is_dir():
        raise options.usage_error(f"{directory} is not a directory")
    patterns = options.check_patterns(exclude or [], "--exclude")
    if wrong := [pattern for pattern in patterns if not pattern.isprintable()]:
        raise options.usage_error(f"--exclude takes a pattern on one line, not {wrong[0]!r}")
    finder = options.make_finder(None, {"level": "create", "exclude": patterns or None})
    options.usable_settings(finder.for_directory(directory), "text")
    files = InitialFiles(directory, finder, force=force)
    inspection = inspect_directory(directory, finder, patterns)
    session = InitSession(files, inspection, flags, patterns)
    interrupts.raise_it()
    try:
        session.decide()
    except questions.EndOfInput:
        options.tell_user("Nothing was written.")
        raise typer.Exit(1) from None
    except KeyboardInterrupt:
        sys.stderr.write("\n")
        options.tell_user("Nothing was written.")
        raise typer.Exit(interrupts.STATUS) from None
    session.write_files(requirement or "")
    session.show_next_commands()


def inspect_directory(directory: str, finder: Finder, exclude: tuple[str, ...]) -> "RepositoryInspection":
    """Reads the directory. Ends the command if it has no stack, or an error. `exclude`: patterns of
    the command line.
    """
    from transpile.diagnostics.model import Stopped
    from transpile.initialization.inspection import RepositoryInspection
    from transpile.repository.ignoring import WrongPattern

    try:
        inspection = RepositoryInspection(directory, finder, exclude)
    except (WrongPattern, OSError) as e:
        raise options.usage_error(str(e)) from None
    except Stopped as e:
        options.say_diagnostics(e.diagnostics, "text")
        raise typer.Exit(1) from None
    if not inspection.plan.stacks:
        raise options.usage_error(f"there is no stack below {directory}")
    findings = list(inspection.plan.diagnostics)
    options.say_diagnostics(findings, "text", min_severity="warning")
    if any(diagnostic.severity == "error" for diagnostic in findings):
        options.tell_user("Nothing was written.")
        raise typer.Exit(1)
    return inspection


class InitSession:
    """One run of the command: the decisions, then the files. `flags`: the values of flags, by the names of decisions;
    None for those that were not used. `exclude`: patterns of the command line.
    """

    def __init__(
        self,
        files: "InitialFiles",
        inspection: "RepositoryInspection",
        flags: dict[str, str | None],
        exclude: tuple[str, ...],
    ) -> None:
        self.exclude = exclude
        self.files, self.inspection, self.flags = files, inspection, flags
        self.asks = questions.can_ask()
        self.values: dict[str, str | bool | tuple[str, ...] | dict[str, str]] = {}  # of options, for the configuration
        self.chosen: dict[str, list[str]] = {}  # the templates of environments
        self.pipeline = "none"
        self.checked: CheckedRepository | None = None
        # On a second run there is nothing to decide, unless a flag asks for a job.
        self.begins = files.writes_configuration or files.writes_plan

    # deciding

    def decide(self) -> None:
        """Makes all decisions. Raises questions.EndOfInput and KeyboardInterrupt."""
        from transpile.initialization import decisions, pipelines

        if self.begins:
            self.checked = self.inspection.check()
            plan = self.inspection.plan
            stacks, others = len(plan.stacks), len(self.inspection.unclear)
            left = f"; {count_noun(others, 'environment')} in no stack" * bool(others)
            options.tell_user(f"{count_noun(stacks, 'stack')}{left}.")
        if self.files.writes_configuration:
            self.values[decisions.PREFER] = self.make_decision(decisions.preference_decision())
            self.decide_missing_files()
            self.decide_roll_up()
            self.decide_url_map()
            if self.inspection.exclude:
                self.values["exclude"] = self.inspection.exclude
        if self.files.writes_plan:
            self.decide_environments()
        if self.begins or self.flags[decisions.PIPELINE] is not None:
            detected = pipelines.detect_pipeline(self.files.repository)
            self.pipeline = self.make_decision(decisions.pipeline_decision(detected))

    def make_decision(self, decision: "Decision") -> str:
        """The choice of a flag, else of the user, else the default. Says which choice was taken without a question."""
        value = self.flags[decision.name]
        flag = f"--{decision.name}"
        if value is None and self.asks:
            choices = [decision.describe_choice(choice) for choice in decision.choices]
            default = decision.choices.index(decision.default) + 1
            return decision.choices[questions.ask_choice(decision.question, choices, default) - 1]
        why = f"{flag} was not used" if value is None else flag
        value = decision.default if value is None else value
        options.tell_user(f"{decision.name} = {decision.describe_choice(value)} ({why}).")
        return value

    def decide_missing_files(self) -> None:
        """Decides how missing files are treated, if there are some or the user sets it."""
        from transpile.initialization import decisions

        assert self.checked is not None
        flag = self.flags[decisions.MISSING]
        description = self.checked.describe_missing_files() if self.checked.missing else ""
        if flag is None and not description:
            return
        if description and not (self.asks and flag is None):
            options.tell_user(description)
        self.values[decisions.MISSING] = self.make_decision(decisions.missing_files_decision(description))

    def decide_roll_up(self) -> None:
        """Decides whether numbered copies become one block, if there are some or the user says it."""
        from transpile.initialization import decisions

        copies = self.inspection.count_copies()
        if copies or self.flags[decisions.ROLL_UP] is not None:
            self.values[decisions.ROLL_UP] = self.make_decision(decisions.roll_up_decision(copies)) == decisions.YES

    def decide_url_map(self) -> None:
        """Decides whether the templates of URLs are those that lie here. Without a terminal, it only says so."""
        from transpile.initialization import decisions

        directories = dict[str, str]()
        for url, directory in self.inspection.find_url_map().items():
            decision = decisions.url_map_decision(url, directory)
            if not self.asks:
                options.tell_user(
                    f"{decision.question} Then write map-url = {{ {json.dumps(url)} = "
                    f"{json.dumps(directory)} }} into {self.files.configuration}."
                )
                continue
            choices = [decision.describe_choice(choice) for choice in decision.choices]
            if decision.choices[questions.ask_choice(decision.question, choices, 1) - 1] == decisions.YES:
                directories[url] = directory
        if directories:
            self.values[decisions.MAP_URL] = directories
            self.inspection.map_urls(directories)

    def decide_environments(self) -> None:
        """Decides to which templates unclear environments belong. Lists those that stay in no stack."""
        left = []
        for environment in self.inspection.unclear:
            if self.asks and environment.candidates:
                templates = [candidate.path for candidate in environment.candidates]
                numbers = questions.ask_choices(
                    f"{environment.path} is {environment.why}. To which templates does it belong?",
                    "none: it is left out",
                    [describe_candidate(candidate.path, candidate.lacks) for candidate in environment.candidates],
                )
                if numbers:
                    self.chosen[environment.path] = [templates[number - 1] for number in numbers]
                    continue
            left.append(environment)
        for environment in left[:LEFT_OUT]:
            options.tell_user(f"Left out: {environment.path}, {environment.why}{name_candidates(environment)}.")
        if len(left) > LEFT_OUT:
            options.tell_user(f"Left out: {len(left) - LEFT_OUT} more environments, which the plan file lists.")
        if left:
            options.tell_user(f"Say in {self.files.plan} to which templates they belong.")

    # writing

    def write_files(self, requirement: str) -> None:
        """Writes the files of the decisions, and lists the written and the kept ones."""
        from transpile.initialization import files
        from transpile.migrate import similar_templates
        from transpile.repository import plan_file

        texts: dict[str, str] = {}
        if self.files.writes_configuration:
            texts[self.files.configuration] = files.print_configuration(self.values, self.files.directory)
        if self.files.writes_plan:
            plan = self.inspection.make_plan(self.chosen)
            offers = similar_templates.find_offers(pathlib.Path(self.files.directory), plan)
            texts[self.files.plan] = plan_file.print_plan(plan, offers)
            for join in offers:
                message = f"{len(join.templates)} templates differ only in literals"
                options.tell_user(f"{message}: {self.files.plan} offers one directory for them, {join.output}.")
        job = self.print_job(requirement)
        if self.pipeline != "none" and self.files.writes_pipeline(self.pipeline):
            texts[self.files.pipeline_path(self.pipeline)] = job
        replaced = [path for path in texts if os.path.lexists(path)]
        if (problem := files.write_files(texts)) is not None:
            raise options.usage_error(problem.message)
        for path in texts:
            options.tell_user(f"{'Replaced' if path in replaced else 'Written'}: {path}.")
        if self.pipeline != "none" and self.files.needs_lines(self.pipeline):
            options.tell_user(f"Add these lines to {self.files.pipeline_path(self.pipeline)}:")
            sys.stderr.flush()
            sys.stdout.write(job)
        self.show_kept_files(texts)

    def print_job(self, requirement: str) -> str:
        """The text of the file of a pipeline, or of the lines to add to it. Ends the command if a job cannot name the
        directory.
        """
        from transpile.initialization import pipelines

        if self.pipeline == "none":
            return ""
        path = self.files.templates_path
        if problem := pipelines.find_path_problem(self.pipeline, path):
            raise options.usage_error(f"{path} {problem}; use --ci none")
        if re.match(r"hot2tf\s*(?:$|[\[=<>~!;])", requirement):
            options.tell_user(
                "The Python Package Index does not have hot2tf: make sure that pip gets it from an index of yours."
            )
        elif not requirement:
            options.tell_user(
                "The pre-commit hooks use the hot2tf on each committer's machine; --requirement lets pre-commit "
                "install it."
                if self.pipeline == "pre-commit"
                else "The job fails until HOT2TF_REQUIREMENT names the package for pip (--requirement)."
            )
        form = pipelines.FORMS[self.pipeline]
        lines_only = self.files.needs_lines(self.pipeline)
        if not lines_only:
            return form.print_file(path, requirement)
        return form.print_job(path, requirement, stage=pipelines.ANY_PIPELINE_HAS)

    def show_kept_files(self, texts: dict[str, str]) -> None:
        """Says which files stay as they are."""
        files = self.files
        kept = []
        if not files.writes_configuration:
            kept.append(files.holding)
        if not files.writes_plan:
            kept.append(files.plan)
        if self.pipeline != "none" and (path := files.pipeline_path(self.pipeline)) not in texts:
            kept.append(path)
        if not texts and not self.begins and not files.force:
            options.tell_user(f"Everything is there, and stays as it is: {', '.join(kept)}.")
        else:
            for path in kept:
                options.tell_user(f"Stays as it is: {path}.")
        ignored = [f"--{name}" for name in ("prefer", "missing", "roll-up") if self.flags[name] is not None]
        ignored += ["--exclude"] if self.exclude else []
        if ignored and not files.writes_configuration:
            options.tell_user(f"Not written: {' and '.join(ignored)}. --force writes a new configuration.")

    def show_next_commands(self) -> None:
        """The commands that a user may run next."""
        here = self.files.directory
        source = shlex.quote(here)
        target = os.path.normpath(pathlib.Path(here, os.pardir, "terraform"))
        if os.path.realpath(target) == os.path.realpath(here):
            target += "-code"
        unreadable = self.checked.unreadable if self.checked is not None else 0
        wrong = f"shows the errors; a baseline cannot have {count_noun(unreadable, 'error')}: correct them first"
        commands = [(f"hot2tf check {source}", wrong if unreadable else "shows the errors")]
        if self.checked is not None and self.checked.errors:
            file = shlex.quote(str(pathlib.Path(here, BASELINE)))
            accept = f"hot2tf check {source} --level create --write-baseline {file}"
            errors = count_noun(self.checked.errors, "error")
            commands.append((accept, f"accepts {errors} in CI; then name the file in hot2tf.toml"))
        if self.pipeline == "pre-commit":
            commands.append((f"hot2tf fmt {source}", "once, before the first hook does"))
        commands.append((f"hot2tf migrate {source}", "shows the result; writes nothing"))
        commands.append((f"hot2tf migrate {source} {shlex.quote(target)}", "writes Terraform"))
        width = max((len(command) for command, _ in commands if len(command) <= LONGEST_ALIGNED), default=0)
        options.tell_user("Next:")
        for command, purpose in commands:  # on one line each, so that they can be copied
            typer.echo(printable.make_log_line(f"  {command:{width}}  # {purpose}"), err=True)


def describe_candidate(path: str, lacks: "tuple[str, ...]") -> str:
    """A template, and the parameters of the environment that it does not have."""
    if not lacks:
        return path
    return f"{path} (Heat refuses it: it has no parameter {list_first(lacks, 3)})"


def name_candidates(environment: "UnclearEnvironment") -> str:
    """The templates that have all parameters of an environment, unless the reason names them."""
    names = [candidate.path for candidate in environment.candidates if not candidate.lacks]
    names = [name for name in names if name not in environment.why]
    return f"; it fits {', '.join(names)}" if names else ""

"""The files to check, and the diagnostics of each.

A file in a named directory is checked as `hot2tf migrate` would use it: a template with each environment that belongs
to it, and a nested template with the environments of the stacks that contain it.
"""

from __future__ import annotations

import os
import pathlib
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from transpile import parallel
from transpile.checking.results import CheckedFiles, CheckResult, merge_diagnostics
from transpile.checking.template import STDIN, check_environment, check_text
from transpile.diagnostics import codes
from transpile.diagnostics.model import Diagnostic, Stopped, sort_diagnostics
from transpile.discover_files import TEMPLATES, DiscoveredFile, discover_files
from transpile.front import amazon, kinds
from transpile.model.budget import Budget
from transpile.model.records import replace
from transpile.model.source import Source
from transpile.repository.uses import TemplateUse
from transpile.settings import Finder, grade_diagnostics
from transpile.settings.table import ALWAYS
from transpile.text.source import UnreadableFile, diagnose_unreadable, from_bytes, load_source

if TYPE_CHECKING:
    from transpile.checking.request import CheckRequest, ConfiguredRequests

SUFFIXES = (".env", ".json", *TEMPLATES)


def files_to_check(paths: Iterable[str], finder: Finder) -> list[DiscoveredFile]:
    """The named files, and the files in the named directories."""
    return list(discover_files(paths, SUFFIXES, finder=finder))


def check_files(paths: Sequence[str], configured: ConfiguredRequests, jobs: int) -> CheckedFiles:
    """Checks files, in several processes if there are many."""
    files = files_to_check(paths, configured.finder)
    requests = [configured.for_file(file.path) for file in files]
    if wrong := configured.wrong:
        return CheckedFiles([], wrong)
    findings: list[Diagnostic] = []
    uses: dict[str, tuple[TemplateUse, ...]] = {}
    if configured.from_flags("environments") is None:  # otherwise the user has named the environments
        for directory in dict.fromkeys(file.within for file in files if file.inside):
            uses.update(uses_in(directory, configured, findings))
    todo = [
        (file, asked, uses_to_check(asked, uses.get(file.path, ())))
        for file, asked in zip(files, requests, strict=True)
    ]
    results = list(
        parallel.run_in_parallel(lambda job: check_discovered_file(*job), todo, jobs, [file.size for file in files])
    )
    full = {file.within for file, result in zip(files, results, strict=True) if result.kind or not result.ok}
    findings += configured.findings
    return CheckedFiles(results, findings, [path for path in paths if pathlib.Path(path).is_dir() and path not in full])


def uses_to_check(asked: CheckRequest, uses: tuple[TemplateUse, ...]) -> tuple[TemplateUse, ...]:
    """The uses of a template. Empty if a configuration names its environments and no stack nests it."""
    if asked.settings.explicit_value("environments") is None or any(use.called for use in uses):
        return uses
    return ()


def uses_in(
    directory: str, configured: ConfiguredRequests, findings: list[Diagnostic]
) -> dict[str, tuple[TemplateUse, ...]]:
    """How the templates of a directory are used, by path. Adds problems in its plan file to `findings`."""
    import transpile.repository.uses as of_plan  # for directories only
    from transpile.repository import plan_file, survey

    src = pathlib.Path(directory)
    url_map = configured.finder.for_directory(directory).explicit_value("map-url") or {}
    plan = None
    if (file := src / plan_file.PLAN_FILE).exists():
        try:
            plan = plan_file.read_plan_file(file, src, url_map=url_map)
        except Stopped as e:
            findings += [diagnostic_below(directory, d) for d in e.diagnostics]
    if plan is None:
        settings = configured.finder.for_directory(directory)
        named = configured.finder.environments_in(directory)
        rendered = settings.explicit_value("render") is not None
        plan = survey.survey_tree(
            src, settings.excluded_below(directory), rendered=rendered, configuration=named, url_map=url_map
        )
    findings += [diagnostic_below(directory, d) for d in plan.diagnostics if d.code == codes.UNREADABLE_DIRECTORY]

    def path_in_directory(path: str) -> str:
        return str(pathlib.Path(directory, path))

    return {
        path_in_directory(path): tuple(
            replace(use, environments=tuple(map(path_in_directory, use.environments))) for use in uses
        )
        for path, uses in of_plan.list_uses(plan).items()
    }


def diagnostic_below(directory: str, d: Diagnostic) -> Diagnostic:
    """A diagnostic about a file in `directory`, with the file's path relative to the working directory."""
    if d.source is None:
        return d
    return replace(d, source=d.source.with_name(str(pathlib.Path(directory, d.source.name))))


def check_discovered_file(file: DiscoveredFile, asked: CheckRequest, uses: Sequence[TemplateUse]) -> CheckResult:
    """Checks a file that was named, or found in a directory."""
    return check_file(file.path, asked.in_directory(file.within) if file.inside else asked, uses, inside=file.inside)


def check_file(
    path: str, asked: CheckRequest, uses: Sequence[TemplateUse] = (), *, inside: bool = False
) -> CheckResult:
    """Checks a file.

    `inside`: the file was found in a directory and not named, so it is skipped if it does not belong to Heat. `uses`:
    the uses of a template, if they are known.
    """
    try:
        source = load_source(path, path, Budget(asked.request.limits))
    except UnreadableFile as e:
        return CheckResult(path, "", [] if inside and belongs_elsewhere(path, e) else [diagnose_unreadable(e, path)])
    kind = kinds.kind_of_text(source)
    if kind == kinds.FOREIGN and not inside and kinds.may_be_environment(path, source.text.encode("utf-8", "replace")):
        kind = kinds.ENVIRONMENT  # the user named the file, so it is worth checking
    if kind == kinds.ENVIRONMENT:
        return grade_result(CheckResult(path, "environment", check_environment(source)), source, asked)
    if kind == kinds.FOREIGN and (inside or asked.request.skip_others):
        return CheckResult(path, "")
    if inside and amazon.is_amazon_template(source):
        return CheckResult(path, "")
    folder = os.path.dirname(path) or "."
    if uses:
        findings = merge_diagnostics([(use, check_text(source, asked.for_use(use), folder)) for use in uses])
    else:
        findings = check_text(source, asked, folder)
    return grade_result(CheckResult(path, "template", findings, uses), source, asked)


def belongs_elsewhere(path: str, error: UnreadableFile) -> bool:
    """Whether an unreadable file, too large or in a wrong encoding, does not look like a Heat file at its beginning."""
    if error.kind not in ("large", "encoding"):
        return False
    try:
        with pathlib.Path(path).open("rb") as file:
            begin = file.read(1 << 16)
    except OSError:
        return False
    return not (kinds.declares_version_key(begin) or kinds.OWN_AT_LINE.search(begin))


def grade_result(result: CheckResult, source: Source, asked: CheckRequest) -> CheckResult:
    """Grades the findings of a file: applies the settings of configurations and comments.

    The diagnostics of every file, and of the files that it names, pass through here once, before anything counts them.
    If a file was not read to its end, its comments are not checked: a comment that seems to ignore nothing may concern
    a later line.
    """
    read = not any(d.code in ALWAYS for d in result.diagnostics)
    sources = [source] if read else []
    done = grade_diagnostics(result.diagnostics, asked.settings, "check", sources=sources, finder=asked.finder)
    result.diagnostics, result.graded = sort_diagnostics(done.kept), done
    return result


def check_standard_input(data: bytes, asked: CheckRequest) -> CheckResult:
    try:
        source = from_bytes(data, STDIN, Budget(asked.request.limits))
    except UnreadableFile as e:
        return CheckResult(STDIN, "", [diagnose_unreadable(e, STDIN)])
    root = asked.request.root
    folder = os.fspath(root) if root else None
    return grade_result(CheckResult(STDIN, "template", check_text(source, asked, folder)), source, asked)

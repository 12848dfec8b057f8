"""`hot2tf fmt`: the files to format and the result of each.

Invariant: environments found in directories are not changed. A file is written completely or not at all, and results
come in the order of the paths.
"""

from __future__ import annotations

import pathlib
from collections.abc import Iterable, Iterator, Mapping, Sequence

from transpile import parallel
from transpile.cli.differences import unified_difference
from transpile.diagnostics import codes
from transpile.diagnostics.model import Diagnostic, has_errors
from transpile.discover_files import discover_files
from transpile.format import canonical
from transpile.front import kinds
from transpile.model.budget import Budget
from transpile.model.records import EMPTY, node, record
from transpile.model.source import Source
from transpile.model.span import Span
from transpile.model.words import count_noun
from transpile.resolve.secrets import Secrets
from transpile.settings import Finder
from transpile.text import output
from transpile.text.source import UnreadableFile, diagnose_unreadable, load_source


@record
class FormatResult:
    """The result for a file.

    `discovered`: the file was found in a directory, not named. `diff`: the changes, if requested. `foreign`: the file
    does not belong to Heat. `within`: the named directory that contains the file.
    """

    path: str
    kind: str
    changed: bool
    discovered: bool = False
    diff: str = ""
    foreign: bool = False
    within: str = ""
    diagnostics: Sequence[Diagnostic] = ()

    @property
    def ok(self) -> bool:
        return not has_errors(self.diagnostics)


@node
class FormatJob:
    """One file to format. `report`: whether a file that would change gets a finding. `show_secrets`: whether the
    differences show hidden values.
    """

    path: str
    discovered: bool
    write: bool
    diff: bool
    limits: Mapping[str, int] = EMPTY
    wrong: Sequence[Diagnostic] = ()  # with the configuration that holds for it
    within: str = ""
    report: bool = False
    show_secrets: bool = False


def format_files(
    paths: Iterable[str],
    *,
    write: bool,
    diff: bool,
    limits: Mapping[str, int],
    jobs: int,
    finder: Finder | None = None,
    report: bool = False,
    show_secrets: bool = False,
) -> Iterator[FormatResult]:
    """Formats files, in several processes if there are many. `finder`: finds the configurations, which exclude files
    and set limits.
    """
    files = list(discover_files(paths, finder=finder))
    todo = []
    for file in files:
        settings = finder.for_file(file.path) if finder is not None else None
        own = settings.get("limits") if settings is not None else limits
        wrong = tuple(settings.diagnostics) if settings is not None else ()
        todo.append(FormatJob(file.path, file.inside, write, diff, own, wrong, file.within, report, show_secrets))
    return parallel.run_in_parallel(format_guarded, todo, jobs, [file.size for file in files])


def empty_directories(paths: Iterable[str], results: Iterable[FormatResult]) -> list[str]:
    """The named directories that contain no Heat files."""
    full = {result.within for result in results if not result.foreign}
    return [path for path in paths if pathlib.Path(path).is_dir() and path not in full]


def format_guarded(job: FormatJob) -> FormatResult:
    """Formats a file."""
    result = format_file(job)
    result.within = job.within
    return result


def format_file(job: FormatJob) -> FormatResult:
    """Formats a file, unless its configuration is wrong."""
    if has_errors(job.wrong):
        return FormatResult(job.path, "", changed=False, discovered=job.discovered, diagnostics=job.wrong)
    path = pathlib.Path(job.path)
    try:
        source = load_source(path, job.path, Budget(job.limits))
    except UnreadableFile as e:
        if job.discovered:
            return FormatResult(job.path, "", changed=False, discovered=True, foreign=True)
        return FormatResult(job.path, "", changed=False, diagnostics=[diagnose_unreadable(e, job.path)])
    if job.discovered and (kind := kinds.kind_of_text(source)) in (kinds.ENVIRONMENT, kinds.FOREIGN):
        return FormatResult(job.path, "", changed=False, discovered=True, foreign=kind == kinds.FOREIGN)
    done = canonical.format_text(source)
    if job.discovered and done.kind in (canonical.ENVIRONMENT, ""):
        return FormatResult(job.path, "", changed=False, discovered=True)
    changed = done.text != source.text
    result = FormatResult(
        job.path, done.kind, changed, job.discovered, diagnostics=Secrets().conceal_in_diagnostics(done.diagnostics)
    )
    if changed and job.report:
        result.diagnostics = [*result.diagnostics, unformatted_diagnostic(source, done.text)]
    if changed and job.diff:
        result.diff = unified_difference(source.name, source.text, done.text, show_secrets=job.show_secrets)
    if changed and job.write and (problem := output.replace_file(path, done.text)) is not None:
        result.changed, result.diagnostics = False, [problem]
    return result


def unformatted_diagnostic(source: Source, text: str) -> Diagnostic:
    """The finding that a file is not in canonical form, at the first character that would change."""
    before = source.text
    at = next((i for i, (a, b) in enumerate(zip(before, text, strict=False)) if a != b), min(len(before), len(text)))
    return Diagnostic(codes.FILE_NOT_FORMATTED, "The file is not in canonical form.", source, Span(at, at + 1))


def format_summary(results: Sequence[FormatResult], *, written: bool) -> str:
    """A summary in one line."""
    changed = sum(r.changed for r in results)
    alone = sum(not r.ok for r in results)
    same = sum(bool(r.kind) and r.ok and not r.changed for r in results)
    parts = [f"{count_of_files(changed)} {'formatted' if written else 'would be formatted'}"] if changed else []
    parts += [f"{count_of_files(same)} unchanged"] if same else []
    parts += [f"{count_of_files(alone)} not formatted"] if alone else []
    return f"{', '.join(parts) or 'No templates found'}."


def count_of_files(number: int) -> str:
    return count_noun(number, "file")

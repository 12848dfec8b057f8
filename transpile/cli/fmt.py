"""`hot2tf fmt`: the files to format and the result of each.

Invariant: in directories no environments are touched. A file is written completely or not at all, and results come
in the order of the paths.
"""

from __future__ import annotations

import pathlib
from typing import TYPE_CHECKING

from transpile import parallel
from transpile.cli.differences import difference
from transpile.diagnostics import codes
from transpile.diagnostics.model import Diagnostic, failed
from transpile.discover_files import discover
from transpile.format import canonical
from transpile.front import kinds
from transpile.model.budget import Budget
from transpile.model.records import EMPTY, node, record
from transpile.model.span import Span
from transpile.resolve.secrets import Secrets
from transpile.text import output
from transpile.text.source import Unreadable, load, unreadable

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from transpile.model.source import Source
    from transpile.settings import Finder


@record
class Result:
    """The result for a file. `found`: it was found in a directory, not named; `diff`: the changes, if requested;
    `foreign`: it is nothing of Heat's; `within`: the named directory that it was found in.
    """

    path: str
    kind: str
    changed: bool
    found: bool = False
    diff: str = ""
    foreign: bool = False
    within: str = ""
    diagnostics: Sequence[Diagnostic] = ()

    @property
    def ok(self) -> bool:
        return not failed(self.diagnostics)


@node
class Job:
    """One file. `report`: a finding says that it would change."""

    path: str
    found: bool
    write: bool
    diff: bool
    limits: Mapping[str, int] = EMPTY
    wrong: Sequence[Diagnostic] = ()  # with the configuration that holds for it
    within: str = ""
    report: bool = False


def run(
    given: Iterable[str],
    *,
    write: bool,
    diff: bool,
    limits: Mapping[str, int],
    jobs: int,
    finder: Finder | None = None,
    report: bool = False,
) -> Iterator[Result]:
    """Formats files, in several processes if there are many. `finder`: says what is left out, and of each file what it
    may cost.
    """
    files = list(discover(given, finder=finder))
    todo = []
    for file in files:
        held = finder.for_file(file.path) if finder is not None else None
        own = held.get("limits") if held is not None else limits
        wrong = tuple(held.diagnostics) if held is not None else ()
        todo.append(Job(file.path, file.inside, write, diff, own, wrong, file.within, report))
    return parallel.run(one, todo, jobs, [file.size for file in files])


def empty(given: Iterable[str], results: Iterable[Result]) -> list[str]:
    """The named directories without anything of Heat's."""
    full = {one.within for one in results if not one.foreign}
    return [path for path in given if pathlib.Path(path).is_dir() and path not in full]


def one(job: Job) -> Result:
    """Formats a file."""
    result = formatted(job)
    result.within = job.within
    return result


def formatted(job: Job) -> Result:
    """Formats a file, if what holds for it is clear."""
    if failed(job.wrong):
        return Result(job.path, "", changed=False, found=job.found, diagnostics=job.wrong)
    path = pathlib.Path(job.path)
    try:
        source = load(path, job.path, Budget(job.limits))
    except Unreadable as e:
        if job.found:
            return Result(job.path, "", changed=False, found=True, foreign=True)
        return Result(job.path, "", changed=False, diagnostics=[unreadable(e, job.path)])
    if job.found and (kind := kinds.of_text(source)) in (kinds.ENVIRONMENT, kinds.FOREIGN):
        return Result(job.path, "", changed=False, found=True, foreign=kind == kinds.FOREIGN)
    done = canonical.format_text(source)
    if job.found and done.kind in (canonical.ENVIRONMENT, ""):
        return Result(job.path, "", changed=False, found=True)
    changed = done.text != source.text
    result = Result(job.path, done.kind, changed, job.found, diagnostics=Secrets().conceal(done.diagnostics))
    if changed and job.report:
        result.diagnostics = [*result.diagnostics, unformatted(source, done.text)]
    if changed and job.diff:
        result.diff = difference(source.name, source.text, done.text)
    if changed and job.write and (problem := output.replace(path, done.text)) is not None:
        result.changed, result.diagnostics = False, [problem]
    return result


def unformatted(source: Source, text: str) -> Diagnostic:
    """The finding that a file is not in canonical form, at the first character that would change."""
    before = source.text
    at = next((i for i, (a, b) in enumerate(zip(before, text, strict=False)) if a != b), min(len(before), len(text)))
    return Diagnostic(codes.FILE_NOT_FORMATTED, "The file is not in canonical form.", source, Span(at, at + 1))


def closing(results: Sequence[Result], *, written: bool) -> str:
    """A summary in one line."""
    changed = sum(r.changed for r in results)
    alone = sum(not r.ok for r in results)
    same = sum(bool(r.kind) and r.ok and not r.changed for r in results)
    parts = [f"{counted(changed)} {'formatted' if written else 'would be formatted'}"] if changed else []
    parts += [f"{counted(same)} unchanged"] if same else []
    parts += [f"{counted(alone)} not formatted"] if alone else []
    return f"{', '.join(parts) or 'No templates found'}."


def counted(number: int) -> str:
    return f"{number} file{'s' * (number != 1)}"

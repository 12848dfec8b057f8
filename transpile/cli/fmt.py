"""`hot2tf fmt`: the files to format and the result of each.

Invariant: in directories only HOT templates are touched. A file is written completely or not at all, and results come
in the order of the paths.
"""

from __future__ import annotations

import io
import pathlib
from typing import TYPE_CHECKING

from transpile.cli import parallel
from transpile.cli.discover_files import discover
from transpile.diagnostics.model import failed
from transpile.format import canonical
from transpile.model import printable
from transpile.model.budget import Budget
from transpile.model.intrinsics import HOMING, HOT
from transpile.model.records import EMPTY, node, record
from transpile.resolve.secrets import Secrets
from transpile.text import output
from transpile.text.source import Unreadable, load, unreadable

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from transpile.diagnostics.model import Diagnostic
    from transpile.model.source import Source
    from transpile.settings import Finder


@record
class Result:
    """The result for a file. `found`: it was found in a directory, not named; `diff`: the changes, if requested."""

    path: str
    kind: str
    changed: bool
    found: bool = False
    diff: str = ""
    diagnostics: Sequence[Diagnostic] = ()

    @property
    def ok(self) -> bool:
        return not failed(self.diagnostics)


@node
class Job:
    path: str
    found: bool
    write: bool
    diff: bool
    limits: Mapping[str, int] = EMPTY
    wrong: Sequence[Diagnostic] = ()  # with the configuration that holds for it


def run(
    given: Iterable[str],
    *,
    write: bool,
    diff: bool,
    limits: Mapping[str, int],
    jobs: int,
    finder: Finder | None = None,
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
        todo.append(Job(file.path, file.inside, write, diff, own, wrong))
    return parallel.run(one, todo, jobs, [file.size for file in files])


def one(job: Job) -> Result:
    """Formats a file, if what holds for it is clear."""
    if failed(job.wrong):
        return Result(job.path, "", changed=False, found=job.found, diagnostics=job.wrong)
    path = pathlib.Path(job.path)
    try:
        source = load(path, job.path, Budget(job.limits))
    except Unreadable as e:
        if job.found:
            return Result(job.path, "", changed=False, found=True)
        return Result(job.path, "", changed=False, diagnostics=[unreadable(e, job.path)])
    if job.found and HOT not in source.text and HOMING not in source.text:
        return Result(job.path, "", changed=False, found=True)
    done = canonical.format_text(source)
    if job.found and done.kind not in (canonical.TEMPLATE, canonical.HOMING):
        return Result(job.path, "", changed=False, found=True)
    changed = done.text != source.text
    result = Result(job.path, done.kind, changed, job.found, diagnostics=Secrets().conceal(done.diagnostics))
    if changed and job.diff:
        result.diff = difference(source, done.text)
    if changed and job.write and (problem := output.replace(path, done.text)) is not None:
        result.changed, result.diagnostics = False, [problem]
    return result


def difference(source: Source, text: str) -> str:
    """A unified diff from the source to its canonical form. It is for people: each line can be seen as it is."""
    import difflib  # rarely needed

    before, after = (io.StringIO(one).readlines() for one in (source.text, text))
    out = []
    for line in difflib.unified_diff(before, after, source.name, source.name):
        out.append(printable.line(line.removesuffix("\n")))
        if not line.endswith("\n"):
            out.append("\\ No newline at end of file")
    return "".join(f"{line}\n" for line in out)


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

"""Shows the progress of a run: a bar on a terminal, or a line for each stack.

Invariant: progress goes to standard error, and the report is complete without it.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Protocol, final

from transpile.migrate.unit import MigrationUnit, UnitResult
from transpile.model import printable
from transpile.model.words import count_noun

if TYPE_CHECKING:
    from rich.console import Console, ConsoleOptions
    from rich.measure import Measurement
    from rich.text import Text

FORMS = ("auto", "bar", "plain", "none")


class Progress(Protocol):
    """Receives the events of a run. `begin` gets the number of stacks, and how many of them need no conversion."""

    def begin(self, total: int, unchanged: int) -> None: ...

    def finish_unit(self, unit: MigrationUnit, status: str, result: UnitResult | None) -> None: ...

    def begin_stage(self, stage: str) -> None: ...

    def end(self) -> None: ...


@final
class SilentProgress:
    """Shows nothing."""

    def begin(self, total: int, unchanged: int) -> None: ...

    def finish_unit(self, unit: MigrationUnit, status: str, result: UnitResult | None) -> None: ...

    def begin_stage(self, stage: str) -> None: ...

    def end(self) -> None: ...


@final
class PlainProgress:
    """A line for each stack."""

    def __init__(self) -> None:
        self.total, self.count = 0, 0

    def begin(self, total: int, unchanged: int) -> None:
        self.total, self.count = total, unchanged
        print(f"{count_noun(total, 'stack')}, {unchanged} unchanged", file=sys.stderr)

    def finish_unit(self, unit: MigrationUnit, status: str, result: UnitResult | None) -> None:
        self.count += 1
        print(
            f"[{self.count}/{self.total}] {status} {printable.make_log_line(unit.output)}{describe_result(result)}",
            file=sys.stderr,
        )

    def begin_stage(self, stage: str) -> None:
        print(stage, file=sys.stderr)

    def end(self) -> None: ...


@final
class PathEnd:
    """A path in a column of the bar. Only its end is shown if the column is narrow."""

    def __init__(self, path: str) -> None:
        self.path = path

    def __rich_measure__(self, console: Console, options: ConsoleOptions) -> Measurement:
        from rich.cells import cell_len
        from rich.measure import Measurement

        return Measurement(1, max(1, cell_len(self.path)))

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> Iterator[Text]:
        from rich.cells import cell_len
        from rich.text import Text

        path, width = self.path, options.max_width
        while cell_len(path) > width:
            path = "…" + path.removeprefix("…")[1:]
        yield Text(path, no_wrap=True, overflow="crop")


@final
class ProgressBar:
    """A bar with the rate and the last stack; stacks with errors are listed above it as they come.

    A narrow terminal shortens the path first, then the bar.
    """

    def __init__(self) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, RenderableColumn, TextColumn, TimeElapsedColumn
        from rich.progress import Progress as RichProgress
        from rich.table import Column

        self.last = PathEnd("")
        self.display = RichProgress(
            TextColumn("{task.description}"),
            BarColumn(bar_width=20, table_column=Column()),
            MofNCompleteColumn(),
            TextColumn("{task.fields[rate]}"),
            TimeElapsedColumn(),
            RenderableColumn(self.last, table_column=Column()),
            console=Console(stderr=True),
            refresh_per_second=5,
        )
        self.task = self.display.add_task("converting", rate="", total=None)

    def begin(self, total: int, unchanged: int) -> None:
        self.display.start()
        self.display.update(self.task, total=total, completed=unchanged)

    def finish_unit(self, unit: MigrationUnit, status: str, result: UnitResult | None) -> None:
        from rich.text import Text

        task = self.display.tasks[0]
        rate = f"{task.speed:.0f}/s" if task.speed else ""
        self.last.path = printable.make_log_line(unit.output)
        self.display.update(self.task, advance=1, rate=rate)
        if status == "failed":
            self.display.console.print(Text(f"failed {printable.make_log_line(unit.output)}{describe_result(result)}"))

    def begin_stage(self, stage: str) -> None:
        self.last.path = ""
        self.display.update(self.task, description=stage)

    def end(self) -> None:
        self.display.stop()


def describe_result(result: UnitResult | None) -> str:
    """The result of a stack, after a colon: `: 3 native, 1 warning`; empty without a result."""
    if result is None:
        return ""
    summary: dict[str, Any] = dict(result.summary)
    treatments, diagnostics = summary["treatments"], summary["diagnostics"]
    parts = [f"{treatments[kind]} {name}" for kind, name in TREATMENT_NAMES.items() if kind in treatments]
    parts += [count_noun(diagnostics[kind], kind) for kind in ("error", "warning") if kind in diagnostics]
    return f": {', '.join(parts)}" if parts else ""


TREATMENT_NAMES = {"native": "native", "module": "in modules", "embedded": "kept in Heat"}


def make_progress(form: str) -> Progress:
    """The progress of a form; `auto` is a bar on a terminal, and lines elsewhere."""
    if form == "auto":
        form = "bar" if sys.stderr.isatty() else "plain"
    forms: dict[str, type[Progress]] = {"bar": ProgressBar, "plain": PlainProgress, "none": SilentProgress}
    return forms[form]()

"""Measures how the cost of one resource grows with the size of a template: every golden case 10, 80 and 640 times in
one template, and the shapes of `shapes.py` ten times as large; `python benchmarks/growth.py`.

Time is that of the process, not of the clock, and Python's garbage collector is off: its cost grows with all that
is alive. The exit status is 0 for all figures.
"""

from __future__ import annotations

import argparse
import gc
import os
import pathlib
import time
import tomllib
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

import shapes
from copies import Copies

import transpile
from transpile import checking
from transpile.diagnostics.render import text as rendered
from transpile.format import canonical
from transpile.model.budget import Budget
from transpile.model.source import Source
from transpile.settings.table import Request
from transpile.text.jinja import Renderer
from transpile.text.source import Root

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

GOLDEN = pathlib.Path(__file__).parent.parent / "golden"
SIZES = (10, 80, 640)
GROWTH = 1.3  # the allowed growth of a resource's cost, beyond its output
SLOW = 10.0  # seconds that ten thousand resources may take
TARGETS = ("hcl", "tosca", "hot", "check", "fmt")
SHAPE = 10  # resources of a shape where a case has one copy
AGAIN = 2  # a subject that grows too much is measured so often once more
FEW, ENOUGH, LONG = 3, 0.1, 1.0  # a size is measured so often, and for so many seconds; a long one, once


class Subject(NamedTuple):
    """A template that grows: its resources in one copy, and the text of a number of copies."""

    name: str
    resources: int
    declared: int  # outputs and conditions counted as well
    text: Callable[[int], str]
    folder: pathlib.Path | None = None  # of a golden case
    options: Mapping[str, Any] = MappingProxyType({})  # from its case.toml

    @property
    def environments(self) -> list[str]:
        return [str(self.folder / name) for name in self.options.get("environments", ()) if self.folder is not None]


class Row(NamedTuple):
    """The measurements for each size: seconds and bytes of output for one resource. `ok`: nothing was refused."""

    name: str
    costs: list[float]
    outputs: list[float]
    total: float
    ok: bool

    @property
    def factor(self) -> float:
        """The growth of the cost beyond that of the output, from the cheapest of the smaller sizes to the largest."""
        *smaller, (cost, output) = zip(self.costs, self.outputs, strict=True)
        if not smaller:
            return 1.0
        least, before = min(smaller)
        return cost / least / max(output / max(before, 1e-9), 1.0)


def subjects(parameters: bool) -> Iterable[Subject]:
    for folder in sorted(path for path in GOLDEN.iterdir() if path.is_dir() and path.name != "homing"):
        (file,) = folder.glob("input.*")
        text, about = file.read_text(encoding="utf-8"), folder / "case.toml"
        options = tomllib.loads(about.read_text(encoding="utf-8")) if about.exists() else {}
        if "render" in options:
            text = (
                Renderer(options["render"])
                .render_template(Source(file.name, text, budget=Budget()), Root(folder), any_name=True)
                .text
            )
        copies = Copies(text, parameters)
        if copies.sections:
            declared = sum(map(len, copies.names.values()))
            yield Subject(folder.name, copies.resources or 1, declared, copies.times, folder, options)
    for name in shapes.SHAPES:
        yield Subject(f"shape:{name}", SHAPE, SHAPE, lambda n, name=name: shapes.template(name, SHAPE * n))  # type: ignore[misc]


def work(subject: Subject, text: str, to: str) -> tuple[int, bool]:
    """Does the measured work. Returns the bytes of the output, and whether it is right."""
    folder, parameters = subject.folder, subject.options.get("parameters", {})
    if to == "fmt":
        return len(canonical.format_text(Source("template.yaml", text, budget=Budget())).text or ""), True
    if to == "check":
        options = checking.CheckRequest(Request(environments=tuple(subject.environments), parameters=parameters))
        diagnostics = checking.check_text(
            Source("template.yaml", text, budget=Budget()), options, None if folder is None else str(folder)
        )
        return len(rendered.render(diagnostics)), True
    done = transpile.convert(
        text,
        to=to,
        environments=[pathlib.Path(path) for path in subject.environments],
        parameters=parameters,
        prefer=subject.options.get("prefer", "faithful"),
        root=folder,
    )
    return sum(map(len, done.files.values())), done.ok


def quickest(subject: Subject, text: str, to: str) -> tuple[float, int, bool]:
    """The shortest of several times."""
    times: list[float] = []
    gc.collect()
    gc.disable()
    while len(times) < FEW or sum(times) < ENOUGH:
        start = time.process_time()
        size, ok = work(subject, text, to)
        times.append(time.process_time() - start)
        if sum(times) > LONG:
            break
    gc.enable()
    return min(times), size, ok


def measure(subject: Subject, sizes: Sequence[int], to: str) -> Row:
    costs, outputs, total, fine = [], [], 0.0, True
    here = pathlib.Path.cwd()
    if subject.folder is not None:  # paths in a text are relative to the working directory
        os.chdir(subject.folder)
    try:
        for size in sizes:
            total, output, ok = quickest(subject, subject.text(size), to)
            costs.append(total / (subject.resources * size))
            outputs.append(output / (subject.resources * size))
            fine &= ok
    finally:
        os.chdir(here)
    return Row(subject.name, costs, outputs, total, fine)


def quicker(row: Row, other: Row) -> Row:
    costs = [min(pair) for pair in zip(row.costs, other.costs, strict=True)]
    return Row(row.name, costs, row.outputs, min(row.total, other.total), row.ok)


def show(row: Row, declared: int) -> bool:
    """Prints a row; whether it is a finding."""
    each = "".join(f"{cost * 1e6:8.0f}" for cost in row.costs) + "".join(f"{size:8.0f}" for size in row.outputs)
    slow = row.total / declared * 10_000 > SLOW
    grows = row.factor > GROWTH
    note = "" if row.ok else "  refused"
    note += f"  <-- more than x{GROWTH:g}" if grows else ""
    note += f"  <-- ten thousand take more than {SLOW:g} s" if slow else ""
    print(f"  {row.name:<38}{each}{row.factor:8.2f}{row.total:8.2f} s{note}", flush=True)
    return grows or slow


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add = parser.add_argument
    add("--only", nargs="+", metavar="CASE", help="these golden cases and shapes (shape:NAME) alone")
    add("--sizes", nargs="+", type=int, default=SIZES, help="copies (default: 10 80 640)")
    add("--to", choices=TARGETS, default="hcl", help="the target to measure (default: hcl)")
    add("--parameters", action="store_true", help="each copy has parameters of its own")
    arguments = parser.parse_args()
    chosen = [s for s in subjects(arguments.parameters) if not arguments.only or s.name in arguments.only]
    print(
        f"Microseconds and bytes of output for one resource, {arguments.to}, "
        f"at {', '.join(map(str, arguments.sizes))} copies;"
    )
    print("the growth of the cost beyond that of the output; the time of the largest")
    for subject in chosen[:1]:
        measure(subject, arguments.sizes[:1], arguments.to)  # warm-up
    findings = []
    for subject in chosen:
        row = measure(subject, arguments.sizes, arguments.to)
        for _ in range(AGAIN):  # a busy machine slows some of it
            if row.factor > GROWTH:
                row = quicker(row, measure(subject, arguments.sizes, arguments.to))
        if show(row, subject.declared * arguments.sizes[-1]):
            findings.append(row.name)
    print(f"{len(findings)} of {len(chosen)} are findings" + (f": {' '.join(findings)}" if findings else ""))


if __name__ == "__main__":
    main()

"""Counts the instructions of each stage of a conversion, and of `check` and `fmt` of the same templates.

Invariant: a stage costs the difference between two processes that do the same, one up to the beginning of the stage and
the other up to its end. Hash seed, environment and garbage collection are fixed, so that a second run counts the same.

The benchmark only measures: the exit status is 0 for all figures.
"""

from __future__ import annotations

import argparse
import contextlib
import gc
import io
import json
import os
import pathlib
import platform
import re
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

HERE = pathlib.Path(__file__).resolve()
STORED = HERE.with_suffix(".json")  # the figures of the last release
TEMPLATES, SHORTEST, LONGER = 6, 60, 20  # how many templates; the n-th has 60 + 20n lines
MUCH = 0.03  # from here on, a commit's message gives the reason for the instructions
DIFFERENCES = {  # stage → the processes whose instructions are added (+1) or subtracted (-1)
    "start": {"version": 1, "nothing": -1},
    "first": {"warm": 1, "nothing": -1},
    "read": {"until_link": 1, "warm": -1},
    "link": {"until_emit": 1, "until_link": -1},
    "emit": {"emitted": 2, "until_emit": -1, "printed_twice": -1},  # without printing
    "print": {"printed_twice": 1, "emitted": -1},
    "report": {"converted": 1, "emitted": -1},
    "write": {"written": 1, "converted": -1},
    "convert": {"written": 1, "warm": -1},  # the sum, from read to write
    "check": {"checked": 1, "warm": -1},
    "fmt": {"formatted": 1, "warm": -1},
}


# the work of one process


class Reached(BaseException):
    """A conversion has come to where it ends this time."""


def convert(text: str) -> Mapping[str, str | bytes]:
    import transpile

    return transpile.convert(text).files


def write(files: Mapping[str, str | bytes], folder: pathlib.Path) -> None:
    from transpile.text import output

    if problems := output.write_directory(folder, files):
        raise RuntimeError(problems[0].message)


def check(text: str) -> None:
    from transpile.checking.request import CheckRequest
    from transpile.checking.template import check_text
    from transpile.model.budget import Budget
    from transpile.model.source import Source

    check_text(Source("template.yaml", text, budget=Budget()), CheckRequest(), None)


def fmt(text: str) -> None:
    from transpile.format import canonical
    from transpile.model.budget import Budget
    from transpile.model.source import Source

    canonical.format_text(Source("template.yaml", text, budget=Budget()))


def version() -> None:
    """Runs `hot2tf --version`."""
    from transpile.cli import app

    sys.argv = ["hot2tf", "--version"]
    with contextlib.redirect_stdout(io.TextIOWrapper(io.BytesIO())), contextlib.suppress(SystemExit):
        app.main()


def converts_until(work: str, text: str) -> None:
    """Converts a text until the stack is linked, emitted, or has been emitted."""
    from transpile import targets
    from transpile.model.records import replace
    from transpile.resolve import linker

    def stop(*values: Any, **named: Any) -> Any:
        raise Reached

    def emit_and_stop(*values: Any) -> Any:
        emit(*values)
        raise Reached

    find, link = targets.find_target, linker.link_template
    target = find("hcl")
    emit = target.emit
    ended = replace(target, emit=stop if work == "until_emit" else emit_and_stop)
    patched: Any = targets, linker  # their functions are replaced while this runs
    try:
        patched[0].find_target = lambda name: ended
        patched[1].link_template = stop if work == "until_link" else link
        convert(text)
    except Reached:
        return
    finally:
        patched[0].find_target, patched[1].link_template = find, link
    raise RuntimeError(f"the conversion ended before it was {work}")


def print_twice() -> None:
    """Prints each document a second time from here on. The additional cost is that of printing."""
    from emitters.hcl.tree import printer

    once = printer.print_hcl

    def twice(*values: Any, **named: Any) -> str:
        once(*values, **named)
        return once(*values, **named)

    for module in [*sys.modules.values()]:
        if getattr(module, "print_hcl", None) is once:
            vars(module)["print_hcl"] = twice


def perform(work: str, count: int, folder: pathlib.Path) -> None:
    """All that a process does. Before it measures, it does everything once: the first time, modules and tables load."""
    import templates

    warm = templates.template(0, templates.LONGEST)  # has all that the others have
    texts = [templates.template(n, SHORTEST + LONGER * n) for n in range(1, count + 1)]
    if work == "version":
        version()
    if work in ("nothing", "version"):
        return
    write(convert(warm), folder / "warm")
    check(warm)
    fmt(warm)
    gc.collect()
    gc.disable()  # the collector runs after a number of allocations, and would make a small change a large one
    if work == "printed_twice":
        print_twice()
    for number, text in enumerate(texts):
        if work == "checked":
            check(text)
        elif work == "formatted":
            fmt(text)
        elif work in ("converted", "written"):
            files = convert(text)
            if work == "written":
                write(files, folder / str(number))
        elif work != "warm":
            converts_until(work, text)


# the counters


class Counter(NamedTuple):
    """A counter. `kind`: the counted events, in words; `figure`: reads the count from the output of a process."""

    kind: str
    command: tuple[str, ...]
    figure: str


COUNTERS = {
    "perf": Counter(
        "instructions in user mode, by perf", ("perf", "stat", "-e", "instructions:u"), r"([\d,.]+)\s+instr"
    ),
    "valgrind": Counter(
        "instructions, by valgrind",
        ("valgrind", "--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=/dev/null"),
        r"I\s+refs:\s+([\d,]+)",
    ),
    "python": Counter("instructions of Python's byte code", (), r"byte code: (\d+)"),
}


def runs(counter: Counter) -> bool:
    """Whether a counter counts on this machine."""
    if not counter.command:
        return True
    if shutil.which(counter.command[0]) is None:
        return False
    ended = subprocess.run([*counter.command, "true"], capture_output=True, text=True, check=False)
    return re.search(counter.figure, ended.stderr) is not None


@contextlib.contextmanager
def byte_code() -> Iterator[Callable[[], int]]:
    """Counts the instructions of Python's byte code that are executed inside."""
    executed = 0
    if sys.version_info >= (3, 12):
        tool, events = sys.monitoring.PROFILER_ID, sys.monitoring.events

        def instruction(code: Any, offset: int) -> None:
            nonlocal executed
            executed += 1

        sys.monitoring.use_tool_id(tool, "instructions")
        sys.monitoring.register_callback(tool, events.INSTRUCTION, instruction)
        sys.monitoring.set_events(tool, events.INSTRUCTION)
    else:

        def trace(frame: Any, event: str, argument: Any) -> Any:
            nonlocal executed
            if event == "call":
                frame.f_trace_opcodes, frame.f_trace_lines = True, False
            elif event == "opcode":
                executed += 1
            return trace

        sys.settrace(trace)
    try:
        yield lambda: executed
    finally:
        if sys.version_info >= (3, 12):
            sys.monitoring.set_events(tool, 0)
        else:
            sys.settrace(None)


def process(counter: Counter | None, checkout: pathlib.Path, work: str, count: int) -> int:
    """The instructions that one process executes. Without a counter it only runs, and Python writes its compiled
    modules.
    """
    with tempfile.TemporaryDirectory() as folder:
        environment = {
            "PATH": os.environ["PATH"],
            "PYTHONPATH": str(checkout),
            "PYTHONHASHSEED": "0",
            "LC_ALL": "C.UTF-8",
        }
        command = [sys.executable, str(HERE), "--perform", work, "--templates", str(count), "--folder", folder]
        if counter is not None:
            environment["PYTHONDONTWRITEBYTECODE"] = "1"
            command = [*counter.command, *command, *([] if counter.command else ["--count"])]
        ended = subprocess.run(command, env=environment, capture_output=True, text=True, check=False, cwd=folder)
    match = re.search(counter.figure, ended.stderr) if counter is not None else None
    if ended.returncode or (counter is not None and match is None):
        raise RuntimeError(f"{work}: {ended.stderr[-2000:]}")
    return int(re.sub(r"\D", "", match[1])) if match is not None else 0


def measure(counter: Counter, checkout: pathlib.Path, stages: Sequence[str], count: int) -> dict[str, int]:
    """The number of instructions of each stage."""
    for work in ("version", "written"):
        process(None, checkout, work, count)
    works = sorted({work for stage in stages for work in DIFFERENCES[stage]})
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        totals = dict(zip(works, pool.map(lambda work: process(counter, checkout, work, count), works), strict=True))
    return {stage: sum(sign * totals[work] for work, sign in DIFFERENCES[stage].items()) for stage in stages}


# figures


def table(now: Mapping[str, int], name: str, before: Mapping[str, int]) -> Iterator[str]:
    yield f"{'stage':10}{'now':>16}{name:>16}{'change':>10}"
    for stage, figure in now.items():
        if old := before.get(stage):
            change = figure / old - 1
            mark = f"  <-- more than {MUCH:.0%}" if change > MUCH else ""
            yield f"{stage:10}{figure:16,}{old:16,}{change:+10.2%}{mark}"
        else:
            yield f"{stage:10}{figure:16,}{'-':>16}"


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--counter", choices=COUNTERS, help="the counter; by default the first that runs here")
    parser.add_argument("--stages", nargs="+", choices=DIFFERENCES, default=[*DIFFERENCES], metavar="STAGE")
    parser.add_argument("--checkout", type=pathlib.Path, default=HERE.parent.parent, help="measure this one")
    parser.add_argument("--base", type=pathlib.Path, help="compare with this checkout, in place of the last release")
    parser.add_argument("--write", metavar="RELEASE", help="store the figures as those of a release")
    parser.add_argument("--templates", type=int, default=TEMPLATES, help="how many templates")
    parser.add_argument("--perform", help=argparse.SUPPRESS)  # the process that is measured
    parser.add_argument("--folder", type=pathlib.Path, help=argparse.SUPPRESS)
    parser.add_argument("--count", action="store_true", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.perform:
        with byte_code() if arguments.count else contextlib.nullcontext(lambda: 0) as executed:
            perform(arguments.perform, arguments.templates, arguments.folder)
        print(f"byte code: {executed()}", file=sys.stderr)
        return
    counter = COUNTERS[arguments.counter] if arguments.counter else next(filter(runs, COUNTERS.values()))
    kind = f"{counter.kind}, {platform.python_implementation()} {sys.version_info[0]}.{sys.version_info[1]}"
    now = measure(counter, arguments.checkout.resolve(), arguments.stages, arguments.templates)
    stored = json.loads(STORED.read_text(encoding="utf-8")) if STORED.exists() else {}
    name = stored.get("release", "-")
    before = stored.get("figures", {}).get(kind, {}) if arguments.templates == TEMPLATES else {}
    if arguments.base:
        name, before = (
            arguments.base.name,
            measure(counter, arguments.base.resolve(), arguments.stages, arguments.templates),
        )
    print(f"{kind}: {arguments.templates} templates", *table(now, name, before), sep="\n")
    if arguments.write:
        figures = stored.get("figures", {}) if arguments.write == name else {}
        text = json.dumps({"release": arguments.write, "figures": {**figures, kind: now}}, indent=2)
        STORED.write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()

"""Measures how the cost of each list and map of the language (`constructs.py`) grows with its size, from 10 to 10,000;
`python benchmarks/scaling.py`.

Each measurement runs in a process of its own, which may use `SECONDS` of computing and `MEMORY` bytes. The exponent is
that of the size in the cost, less the cost of the smallest size: 1 is linear. Where the output grows faster than the
size, its exponent is printed beside; such a cost is excused. The exit status is the number of findings.
"""

from __future__ import annotations

import argparse
import gc
import math
import multiprocessing
import os
import pathlib
import resource
import sys
import tempfile
import time
from typing import TYPE_CHECKING, NamedTuple

from constructs import CONSTRUCTS, Input

import transpile
from transpile import checking
from transpile.diagnostics.render import text as rendered
from transpile.format import canonical
from transpile.model.budget import Budget
from transpile.model.source import Source
from transpile.settings.table import Request

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from multiprocessing.connection import Connection

SIZES = (10, 100, 1000, 10_000)
TARGETS = ("hcl", "tosca", "hot", "check", "fmt")
EXPONENT = 1.2  # n log n from 1,000 to 10,000 is 1.13
SECONDS = 40  # of computing, for one measurement
MEMORY = 2 << 30  # bytes
SMALL = 0.02  # seconds: a shorter time is not compared


class Cost(NamedTuple):
    """The cost of one size. `size`: of the input; `output`: characters of the output; `memory`: the peak, in MiB."""

    size: int
    seconds: float
    output: int
    memory: int


def work(made: Input, to: str) -> int:
    """Does the measured work. Returns the number of characters of the output."""
    if to == "fmt":
        return len(canonical.format_text(Source("template.yaml", made.template, budget=Budget())).text or "")
    environments = ["env.yaml"] if made.environment else []
    if to == "check":
        diagnostics = checking.check_text(
            Source("template.yaml", made.template, budget=Budget()),
            checking.CheckRequest(Request(environments=tuple(environments))),
            ".",
        )
        return len(rendered.render(diagnostics))
    done = transpile.convert(
        pathlib.Path("template.yaml"), to=to, environments=[pathlib.Path(e) for e in environments], root="."
    )
    return sum(map(len, done.files.values())) + sum(len(d.message) for d in done.diagnostics)


def measured(made: Input, to: str, answer: Connection) -> None:
    """Runs in the other process."""
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        for name, text in (("template.yaml", made.template), ("env.yaml", made.environment), *made.files):
            pathlib.Path(name).write_text(text, encoding="utf-8")
        gc.disable()
        start = time.process_time()
        output = work(made, to)
        taken = time.process_time() - start
        answer.send(Cost(len(made.template), taken, output, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10))
        os.chdir("/")


def cost(made: Input, to: str) -> Cost | None:
    """The cost of one size; None if it took too much."""
    ours, theirs = multiprocessing.Pipe(duplex=False)
    process = multiprocessing.get_context("fork").Process(target=measured, args=(made, to, theirs))
    process.start()
    theirs.close()
    try:
        return ours.recv()  # type: ignore[no-any-return]
    except EOFError:
        return None
    finally:
        process.join()


def exponent(before: Cost, after: Cost, base: Cost, sizes: tuple[int, int], figure: Callable[[Cost], float]) -> float:
    """The power of the size by which a figure grew."""
    smaller, larger = (max(figure(c) - figure(base), 1e-4) for c in (before, after))
    return math.log(larger / smaller) / math.log(sizes[1] / sizes[0])


def measure(name: str, sizes: Sequence[int], to: str) -> bool:
    """Prints a row; whether it is a finding."""
    costs: list[tuple[int, Cost]] = []
    for size in sizes:
        result = cost(CONSTRUCTS[name](size), to)
        if result is None:
            print(f"  {name:<24}{to:<6}{size:>6}: more than {SECONDS} s or {MEMORY >> 20} MiB  <--", flush=True)
            return True
        costs.append((size, result))
    grown = output_exponent = 0.0
    if len(costs) > 2 and costs[-1][1].seconds > SMALL:
        # the last two sizes whose cost exceeds that of every run
        (low, before), (high, after) = costs[-2:]
        base = costs[0][1]
        text = math.log(after.size / before.size) / math.log(high / low)
        grown = exponent(before, after, base, (low, high), lambda c: c.seconds)
        output_exponent = exponent(before, after, base, (low, high), lambda c: c.output)
        allowed = EXPONENT * max(text, min(output_exponent, 2.0), 1.0)
        bad = grown > allowed and after.seconds > 5 * SMALL
    else:
        bad = False
    each = "".join(f"{1000 * c.seconds:9.1f}" for _, c in costs)
    last = costs[-1][1]
    note = "  <--" if bad else ""
    print(
        f"  {name:<24}{to:<6}{each} ms{grown:7.2f} out{output_exponent:6.2f}{last.memory:6} MiB{last.output:11}{note}",
        flush=True,
    )
    return bad


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", nargs="+", choices=CONSTRUCTS, metavar="NAME", help="these alone")
    parser.add_argument(
        "--to", nargs="+", choices=TARGETS, default=TARGETS, help="the targets to measure (default: all)"
    )
    parser.add_argument("--sizes", nargs="+", type=int, default=SIZES, help="default: 10 100 1000 10000")
    arguments = parser.parse_args()
    for to in TARGETS:  # imports, and values that are cached for ever
        work_once(to)
    findings = [
        f"{name} ({to})"
        for to in arguments.to
        for name in arguments.only or CONSTRUCTS
        if measure(name, arguments.sizes, to)
    ]
    print(f"{len(findings)} findings" + (f": {', '.join(findings)}" if findings else ""))
    sys.exit(min(len(findings), 100))


def work_once(to: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        here = pathlib.Path.cwd()
        os.chdir(folder)
        made = CONSTRUCTS["resources"](10)
        pathlib.Path("template.yaml").write_text(made.template, encoding="utf-8")
        work(made, to)
        os.chdir(here)


if __name__ == "__main__":
    main()

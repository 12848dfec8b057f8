"""Counts the cost of generated inputs, in calls of functions; `python benchmarks/steps.py`.

Three parts: `nested` has each type that may refer to its own kind, thirty deep with two references; `sized` each list
and map property of the schema, with n, 2n and 4n items; `language` each list and map of the language (`constructs.py`).
A figure is the growth: how much more the second doubling costs than the first. 2 is linear, 4 a square. It depends on
neither the machine nor its load. An input may itself grow as a square; then its cost may, too. The exit status is the
number of findings.
"""

from __future__ import annotations

import argparse
import functools
import os
import pathlib
import sys
import tempfile
from collections.abc import Callable, Iterator

from constructs import CONSTRUCTS, Input

import transpile
from tests.limits import generated
from transpile import checking
from transpile.format import canonical
from transpile.model.budget import Budget
from transpile.model.source import Source
from transpile.settings.table import Request

MOST = 40_000_000  # calls for one input
TIMES = 2.6  # n log n is 2.4
SLACK = 10_000  # calls: a threshold between two sizes is no growth
TARGETS = ("tests", "hcl", "tosca", "hot", "check", "fmt")
Work = Callable[[], frozenset[str]]


def language_work(made: Input, to: str) -> Work:
    """The work to count for an input of the language. Its files are written before."""
    for name, text in (("template.yaml", made.template), ("env.yaml", made.environment), *made.files):
        pathlib.Path(name).write_text(text, encoding="utf-8")
    environments = ["env.yaml"] if made.environment else []
    request = checking.CheckRequest(Request(environments=tuple(environments)))

    def check() -> frozenset[str]:
        diagnostics = checking.check_text(Source("template.yaml", made.template, budget=Budget()), request, ".")
        return frozenset(d.code for d in diagnostics if d.severity == "error")

    def lay_out() -> frozenset[str]:
        diagnostics = canonical.format_text(Source("template.yaml", made.template, budget=Budget())).diagnostics
        return frozenset(d.code for d in diagnostics if d.severity == "error")

    def convert() -> frozenset[str]:
        done = transpile.convert(
            pathlib.Path("template.yaml"),
            to="hcl" if to == "tests" else to,
            root=".",
            environments=[pathlib.Path(name) for name in environments],
            options={"tests": True} if to == "tests" else {},
        )
        return frozenset(d.code for d in done.diagnostics if d.severity == "error")

    return {"check": check, "fmt": lay_out}.get(to, convert)


def schema_work(make: Callable[[int], str], size: int) -> Work:
    text = make(size)
    return lambda: generated.convert(text, tests=True)


def built_work(build: Callable[[int], Input], to: str, size: int) -> Work:
    return language_work(build(size), to)


def length_of(build: Callable[[int], Input], size: int) -> int:
    made = build(size)
    return len(made.template) + len(made.environment) + sum(len(text) for _, text in made.files)


def sized_work(parts: set[str], to: list[str]) -> Iterator[tuple[str, Callable[[int], Work], Callable[[int], int]]]:
    """The inputs of each size, by name, and how long each is."""
    if "sized" in parts:
        for name, make in generated.sized_inputs():
            yield name, functools.partial(schema_work, make), lambda size: size
    for target in to if "language" in parts else ():
        for name, build in CONSTRUCTS.items():
            yield f"{target} {name}", functools.partial(built_work, build, target), functools.partial(length_of, build)


def measure(work_of: Callable[[int], Work], length: Callable[[int], int], size: int) -> tuple[int, float, bool]:
    """The calls for the largest of three sizes, their growth, and whether it is more than that of the input allows."""
    costs = [generated.count_calls(work_of(n * size), MOST).calls for n in (1, 1, 2, 4)][1:]
    first, second, third = costs
    shorter, middle, longer = (length(n * size) for n in (1, 2, 4))
    allowed = TIMES * max(1.0, (longer - middle) / (middle - shorter) / 2)
    return third, generated.growth((first, second, third)), third - second > allowed * (second - first) + SLACK


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--part", nargs="+", choices=("nested", "sized", "language"), help="default: all")
    parser.add_argument("--only", default="", help="inputs whose name has this in it")
    parser.add_argument("--to", nargs="+", choices=TARGETS, default=["tests"], help="for the language (default: tests)")
    parser.add_argument("--size", type=int, default=50, help="the smallest of the three sizes")
    arguments = parser.parse_args()
    parts = set(arguments.part or ("nested", "sized", "language"))
    findings = list[str]()
    generated.convert(generated.NESTED["values of values"], tests=True)  # loads all that a process loads once
    os.chdir(tempfile.mkdtemp())
    for name, text in generated.nested_inputs() if "nested" in parts else ():
        if arguments.only not in name:
            continue
        try:
            cost = generated.count_conversion(text, MOST, tests=True)
            print(f"  {name:<72}{cost.calls:>12,} {' '.join(sorted(cost.errors))}", flush=True)
        except generated.TooManyCalls:
            findings.append(name)
            print(f"  {name:<72} more than {MOST:,}  <--", flush=True)
    for name, work_of, length in sized_work(parts, arguments.to):
        if arguments.only not in name:
            continue
        try:
            calls, growth, bad = measure(work_of, length, arguments.size)
            if bad:  # perhaps a limit between two of the sizes, which larger ones do not have
                calls, growth, bad = measure(work_of, length, 4 * arguments.size)
        except generated.TooManyCalls:
            findings.append(name)
            print(f"  {name:<72} more than {MOST:,}  <--", flush=True)
            continue
        findings += [name] * bad
        print(f"  {name:<72}{calls:>12,}{growth:7.2f}{'  <--' * bad}", flush=True)
    print(f"{len(findings)} findings" + (f": {', '.join(findings)}" if findings else ""))
    sys.exit(min(len(findings), 100))


if __name__ == "__main__":
    main()

"""Measures hot2tf: conversion and formatting relative to parsing the same YAML, command start-up, and growth with size.

The benchmark only measures. The exit status is 0 for all figures. The sides of a comparison are measured in
turn, so that a busy machine slows both down.
"""

from __future__ import annotations

import argparse
import contextlib
import gc
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time
from functools import partial
from typing import TYPE_CHECKING

import shapes
import templates
import yaml

import transpile
from transpile import checking
from transpile.format import canonical
from transpile.model.budget import Budget
from transpile.model.source import Source

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

RATIO, FORMAT_RATIO, CHECK_RATIO, GROWTH = 4.0, 2.2, 1.2, 1.5  # the limits
VERIFIED = 0.25  # the allowed share of the verification in a conversion
SIZES = (10, 100, 1_000, 10_000)
FEW, ENOUGH = 3, 0.2  # each size is measured this often and for this many seconds; slow conversions only once
SUFFIXES = (".yaml", ".yml", ".template")


def seconds(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


# text to HCL


def texts_of(paths: Iterable[pathlib.Path]) -> list[str]:
    """The texts of files, and of all templates in directories."""
    files: list[pathlib.Path] = []
    for path in paths:
        candidates = path.rglob("*") if path.is_dir() else [path]
        files += sorted(f for f in candidates if f.is_file() and (f == path or f.suffix in SUFFIXES))
    return [f.read_text(encoding="utf-8", errors="replace") for f in files]


def load_all(texts: Sequence[str]) -> None:
    for text in texts:
        with contextlib.suppress(Exception):  # PyYAML also fails on text that looks like an invalid date
            yaml.load(text, Loader=yaml.CSafeLoader)


def convert_all(texts: Sequence[str]) -> None:
    for text in texts:
        transpile.convert(text, options={"verify": "off"})


def convert_and_verify_all(texts: Sequence[str]) -> None:
    for text in texts:
        transpile.convert(text)


def format_all(texts: Sequence[str]) -> None:
    for text in texts:
        canonical.format_text(Source("template.yaml", text, budget=Budget()))


def check_all(texts: Sequence[str]) -> None:
    for text in texts:
        checking.check_text(Source("template.yaml", text, budget=Budget()), checking.CheckRequest(), None)


def conversion(texts: Sequence[str], rounds: int) -> None:
    """Runs all texts through both sides in turn. The best round of each counts."""
    if not texts:
        print("There are no templates to convert.")
        return
    refused = sum(not transpile.convert(text).ok for text in texts)  # also serves as the warm-up
    load_all(texts)
    loads: list[float] = []
    converts: list[float] = []
    verified: list[float] = []
    formats: list[float] = []
    checks: list[float] = []
    check_all(texts)
    changed = [t for t in texts if canonical.format_text(Source("template.yaml", t, budget=Budget())).text != t]
    some: list[float] = []
    for _ in range(max(rounds, 1)):
        loads.append(seconds(partial(load_all, texts)))
        converts.append(seconds(partial(convert_all, texts)))
        verified.append(seconds(partial(convert_and_verify_all, texts)))
        checks.append(seconds(partial(check_all, texts)))
        some.append(seconds(partial(load_all, changed)))
        formats.append(seconds(partial(format_all, changed)))
    lines = sorted(text.count("\n") for text in texts)
    middle = statistics.median(ours / theirs for ours, theirs in zip(converts, loads, strict=True))
    print(
        f"{len(texts)} templates of {lines[0]} to {lines[-1]} lines, {sum(lines):,} in all"
        + (f" ({refused} are refused)" if refused else "")
    )
    print(f"  YAML alone  {min(loads) * 1e3:9.1f} ms  (yaml.load with CSafeLoader; best of {len(loads)})")
    print(f"  text to HCL {min(converts) * 1e3:9.1f} ms")
    ratio = min(converts) / min(loads)
    print(f"  ratio       {ratio:9.2f}     (in the middle round {middle:.2f}; target <= {RATIO:g})")
    more = min(verified) / min(converts) - 1
    print(f"  verified    {min(verified) * 1e3:9.1f} ms  ({more:+.0%}; target <= {VERIFIED:+.0%})")
    print(f"  checked     {min(checks) * 1e3:9.1f} ms")
    print(f"  ratio       {min(checks) / min(loads):9.2f}     (target <= {CHECK_RATIO:g})")
    if changed:
        print(f"{len(changed)} of them are not canonical yet")
        print(f"  YAML alone  {min(some) * 1e3:9.1f} ms")
        print(f"  formatted   {min(formats) * 1e3:9.1f} ms  (with the proof)")
        print(f"  ratio       {min(formats) / min(some):9.2f}     (target <= {FORMAT_RATIO:g})")


# the command


def run(command: Sequence[str]) -> None:
    """Runs a command with bytecode, as an installed command runs."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    subprocess.run(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)


def start(texts: Sequence[str], rounds: int) -> None:
    """Compares the command with a Python that does nothing, in turn; the fastest run of each counts. Then compares the
    time to check all texts in one run, minus the start-up time, with `yaml.load` of the same texts.
    """
    script = pathlib.Path(sys.executable).with_name("hot2tf")
    hot2tf = [str(script)] if script.exists() else [sys.executable, "-m", "transpile.cli.process"]
    text = templates.template(1, 40)
    with tempfile.TemporaryDirectory() as folder:
        small = pathlib.Path(folder, "small.yaml")
        small.write_text(text, encoding="utf-8")
        files = [pathlib.Path(folder, f"{i}.yaml") for i in range(len(texts))]
        for file, content in zip(files, texts, strict=True):
            file.write_text(content, encoding="utf-8")
        checking = f"hot2tf check ({len(files)} files)"
        commands = {
            "python -c pass": [sys.executable, "-c", "pass"],
            "hot2tf --version": [*hot2tf, "--version"],
            f"hot2tf convert ({text.count(chr(10))} lines)": [*hot2tf, "convert", str(small)],
            checking: [*hot2tf, "check", *map(str, files)],
        }
        for command in commands.values():  # writes missing bytecode
            run(command)
        times: dict[str, list[float]] = {name: [] for name in commands}
        for _ in range(max(rounds, 1)):
            for name, command in commands.items():
                times[name].append(seconds(partial(run, command)))
    bare = min(times["python -c pass"])
    print(f"\nThe command, best of {max(rounds, 1)} runs, and its time beyond that of Python alone")
    for name, durations in times.items():
        print(f"  {name:<26}{min(durations) * 1e3:7.0f} ms{(min(durations) - bare) * 1e3:+7.0f}")
    load_all(texts)
    load = min(seconds(partial(load_all, texts)) for _ in range(5))
    ratio = (min(times[checking]) - min(times["hot2tf --version"])) / load
    print(f"  check without --version, against yaml.load {ratio:9.2f}     (target <= {CHECK_RATIO:g})")


# growth


def quickest(text: str) -> float:
    """The fastest of several conversions; only one if it is slow.

    The garbage collector is off. It scans all live objects again and again, so even the time of PyYAML alone grows with
    their number, and we would measure that growth as our own.
    """
    durations: list[float] = []
    gc.collect()
    gc.disable()
    while len(durations) < FEW or sum(durations) < ENOUGH:
        durations.append(seconds(partial(transpile.convert, text)))
        if durations[0] > 5 * ENOUGH:
            break
    gc.enable()
    return min(durations)


def growth(names: Iterable[str], largest: int) -> None:
    """Measures each shape at each size. Marks a shape if the last step from 1,000 on costs too much more for each
    resource.
    """
    sizes = [size for size in SIZES if size <= largest] or [largest]
    print("\nGrowth: microseconds for each resource and the factor between neighbours, without garbage collection")
    print(f"  {'shape':<12}" + "".join(f"{size:>16,}" for size in sizes) + "      in total")
    transpile.convert(shapes.template("independent", 10))
    for name in names:
        print(f"  {name:<12}", end="", flush=True)
        each: list[float] = []
        factor = total = 0.0
        for size in sizes:
            total = quickest(shapes.template(name, size))
            each.append(total / max(size, 1))
            factor = each[-1] / each[-2] if len(each) > 1 else 0.0
            print(f"{each[-1] * 1e6:>9.0f}" + (f" x{factor:<5.2f}" if factor else " " * 7), end="", flush=True)
        worse = factor > GROWTH and sizes[-1] > 1_000
        print(f"{total:>11.2f} s" + (f"  <-- more than x{GROWTH:g}" if worse else ""), flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description="Measures hot2tf. The exit status is 0 for all figures.")
    add = parser.add_argument
    add("--files", nargs="+", type=pathlib.Path, metavar="PATH", help="convert these templates, or directories of them")
    add("--rounds", type=int, default=7, help="rounds of the conversion (default: %(default)s)")
    add("--runs", type=int, default=20, help="runs of each command (default: %(default)s)")
    add("--largest", type=int, default=SIZES[-1], help="resources of the largest template (default: %(default)s)")
    add(
        "--shapes", nargs="+", choices=shapes.SHAPES, default=[*shapes.SHAPES], help="the shapes to grow (default: all)"
    )
    add("--only", choices=("conversion", "start", "growth"), help="this part alone")
    arguments = parser.parse_args()
    texts = texts_of(arguments.files) if arguments.files else templates.realistic()
    if arguments.only in (None, "conversion"):
        conversion(texts, arguments.rounds)
    if arguments.only in (None, "start"):
        start(texts, arguments.runs)
    if arguments.only in (None, "growth"):
        growth(arguments.shapes, arguments.largest)


if __name__ == "__main__":
    main()

"""`python -m tests.fuzz --minutes N`: runs the fuzzer, makes failing inputs small, and prints figures.

With `--keep DIR` each new failure is written there; those of `tests/fuzz/failures` run with every test. A run that is
stopped prints its figures, too.
"""

from __future__ import annotations

import argparse
import gc
import json
import pathlib
import re
import signal
import sys
import time

from tests.fuzz import inputs, judge
from tests.fuzz.case import Case
from tests.fuzz.minimise import smallest
from tests.fuzz.pool import Figures, Found, run
from tests.fuzz.runner import Box

ENDLESS = 10**9


def main() -> int:
    asked = arguments()
    gc.set_threshold(50_000)  # as the command does
    if asked.show is not None:
        return show(asked.seed, asked.show, asked.smallest)
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # ends as Ctrl+C does, with figures
    began = time.monotonic()

    def report_failure(failure: Found) -> None:
        print(f"input {failure.number}: {failure.key}", flush=True)
        if failure.trace:
            print(failure.trace, flush=True)
        if asked.keep is not None:
            keep(asked.keep, asked.seed, failure)

    numbers = range(asked.first, asked.first + (asked.inputs or ENDLESS))
    figures = run(asked.seed, numbers, jobs=asked.jobs, seconds=asked.minutes * 60, on_failure=report_failure)
    print(report(figures, time.monotonic() - began))
    return 1 if figures.failures else 0


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    parser.add_argument("--minutes", type=float, default=1.0)
    parser.add_argument("--inputs", type=int, default=0, help="stop after so many")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--first", type=int, default=0, help="the number of the first input")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--keep", type=pathlib.Path, help="a directory for failing inputs")
    parser.add_argument("--show", type=int, help="run one input alone, and print it")
    parser.add_argument("--smallest", action="store_true", help="with --show: make it small first")
    return parser.parse_args()


def keep(folder: pathlib.Path, seed: int, failure: Found) -> None:
    """Writes a failure, to be made small with `--show N --smallest`."""
    folder.mkdir(parents=True, exist_ok=True)
    name = re.sub(r"\W+", "_", failure.key)[:100].strip("_")
    case = inputs.make(seed, failure.number)
    record = {"why": failure.key, "seed": seed, "number": failure.number, "trace": failure.trace, **case.as_json()}
    (folder / f"{name}.json").write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")


def show(seed: int, number: int, small: bool) -> int:
    """Runs one input and prints it with its outcome."""
    case, box = inputs.make(seed, number), Box()
    try:
        keys = judge.failures(case, box.run(case), thorough=True)
        if small and keys:
            key = keys[0]

            def fails(candidate: Case) -> bool:
                return key in judge.failures(candidate, box.run(candidate), thorough=True)

            case = smallest(case, fails)
        outcome = box.run(case)
        print(json.dumps({"why": keys[0] if keys else "", **case.as_json()}, indent=1))
        print(
            f"status {outcome.status}, {outcome.seconds:.2f} s, {keys}\n{outcome.err}{outcome.trace}", file=sys.stderr
        )
        return 1 if keys else 0
    finally:
        box.close()


def report(figures: Figures, seconds: float) -> str:
    lines = [
        f"{figures.inputs} inputs in {seconds:.0f} s: {figures.inputs / max(seconds, 0.01):.0f} a second; "
        f"{figures.again} ran twice",
        f"slowest: {figures.slowest:.2f} s (input {figures.slowest_number}); most memory: {figures.peak >> 20} MiB",
        f"failures: {figures.failed}, of {len(figures.failures)} kinds",
    ]
    lines += [f"  {len(numbers):6} {key} (input {numbers[0]})" for key, numbers in sorted(figures.failures.items())]
    lines += [f"{count:8} {command}" for command, count in sorted(figures.commands.items())]
    return "\n".join(lines)


if __name__ == "__main__":
    sys.exit(main())

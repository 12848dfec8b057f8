"""The counts of many runs of the fuzzer, in a file to which each run appends lines of JSON.

Invariant: a line counts only the inputs after the line before it, so the sum of all lines is right, also if a run was
stopped.
"""

from __future__ import annotations

import collections
import json
import pathlib
import time

from tests.fuzz.pool import Figures


class Counts:
    """The file of one run."""

    def __init__(self, path: pathlib.Path, seed: int) -> None:
        self.path, self.seed = path, seed
        self.inputs = self.again = 0
        self.began = time.monotonic()
        self.commands = collections.Counter[str]()
        self.failures = collections.Counter[str]()

    def append(self, figures: Figures) -> None:
        """Appends the counts since the last call."""
        failures = collections.Counter({key: len(numbers) for key, numbers in figures.failures.items()})
        now = time.monotonic()
        line = {
            "seed": self.seed,
            "seconds": round(now - self.began, 1),
            "inputs": figures.inputs - self.inputs,
            "again": figures.again - self.again,
            "slowest": figures.slowest,
            "peak": figures.peak,
            "commands": dict(sorted((figures.commands - self.commands).items())),
            "failures": dict(sorted((failures - self.failures).items())),
        }
        with self.path.open("a", encoding="utf-8") as stream:
            stream.write(json.dumps(line) + "\n")
        self.inputs, self.again, self.began = figures.inputs, figures.again, now
        self.commands, self.failures = figures.commands.copy(), failures


def total(path: pathlib.Path) -> str:
    """The sum of all lines, as a text."""
    lines = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    inputs, again, seconds = (sum(line[name] for line in lines) for name in ("inputs", "again", "seconds"))
    statuses, failures = collections.Counter[str](), collections.Counter[str]()
    for line in lines:
        statuses.update(line["commands"])
        failures.update(line["failures"])
    commands: dict[str, dict[str, int]] = {}
    for key, count in sorted(statuses.items()):
        command, _, status = key.rpartition(" ")
        commands.setdefault(command, {})[status] = count
    report = [
        f"{inputs} inputs in {seconds:.0f} s ({inputs / max(seconds, 1):.0f} a second), {again} of them twice, "
        f"by seeds {sorted({line['seed'] for line in lines})}",
        f"slowest: {max((line['slowest'] for line in lines), default=0):.2f} s; "
        f"most memory: {max((line['peak'] for line in lines), default=0) >> 20} MiB",
        f"failures: {sum(failures.values())}, of {len(failures)} kinds",
    ]
    report += [f"  {count:6} {key}" for key, count in failures.most_common()]
    for command, by_status in sorted(commands.items(), key=lambda pair: -sum(pair[1].values())):
        shares = ", ".join(f"{count} with status {status}" for status, count in by_status.items())
        report.append(f"{sum(by_status.values()):8} {command}: {shares}")
    return "\n".join(report)

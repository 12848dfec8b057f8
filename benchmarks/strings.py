"""Sends strings that could break a printer through HCL, embedded templates, TOSCA and HOT, and has other readers
compare them: PyYAML, ruamel.yaml and, where it is installed, Terraform. Run `python -m benchmarks.strings` in the
checkout.
"""

from __future__ import annotations

import argparse
import multiprocessing
import pathlib
import sys
import tempfile

from tests.support import oracles
from tests.support import strings as support

TOGETHER = 2_000  # strings in one directory of Terraform


def judge(texts: list[str]) -> list[str]:
    """The strings that some reader finds changed, a line for each."""
    changes = []
    for part in support.pieces(texts):
        for name, reader in support.READERS.items():
            changes += [f"{name}: {change}" for change in support.through_yaml(part, reader)]
    if oracles.has_terraform:
        with tempfile.TemporaryDirectory() as where:
            changes += [f"Terraform: {change}" for change in support.through_terraform(texts, pathlib.Path(where))]
    return changes


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=100_000, metavar="N", help="how many strings")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=2)
    arguments = parser.parse_args()
    texts = support.strings(arguments.count, arguments.seed)
    changed = 0
    with multiprocessing.Pool(arguments.jobs) as pool:
        for changes in pool.imap(judge, map(list, support.pieces(texts, TOGETHER))):
            changed += len(changes)
            for change in changes:
                print(change, flush=True)
    readers = [*support.READERS, *(["Terraform"] if oracles.has_terraform else [])]
    print(f"{len(texts)} strings, read by {', '.join(readers)}: {changed} changed.")
    return 1 if changed else 0


if __name__ == "__main__":
    sys.exit(main())

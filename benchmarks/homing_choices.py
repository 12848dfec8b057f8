"""Counts generated homing templates whose Terraform module makes the same choice as `hot2tf home`.

python -m benchmarks.homing_choices [COUNT] [SEED]

Their inventories have lists, booleans, numbers as texts, and candidates that lack columns. terraform plans the modules,
many in one run; it must be on PATH.
"""

from __future__ import annotations

import collections
import json
import pathlib
import random
import sys
import tempfile

from tests.hcl.test_homing import difference
from tests.support import homing_modules, homing_templates

BATCH = 100  # modules for one run of terraform


def main() -> int:
    count, seed = (int(word) for word in [*sys.argv[1:], *("1000", "0")[len(sys.argv) - 1 :]])
    outcomes: collections.Counter[str] = collections.Counter()
    for start in range(0, count, BATCH):
        numbers = range(start, min(start + BATCH, count))
        cases = [
            (f"case_{number}", *homing_templates.generated(random.Random(f"{seed} {number}"))) for number in numbers
        ]
        with tempfile.TemporaryDirectory() as folder:
            done = homing_modules.directory(pathlib.Path(folder), cases)
            choices = homing_modules.chosen(pathlib.Path(folder))
        for name, template, inventory in cases:
            if not done[name].ok:
                outcomes["not converted"] += 1
                print(name, *done[name].diagnostics, sep="\n  ")
                continue
            wrong = difference(name, template, inventory, choices[name])
            outcomes["different" if wrong else "no solution" if isinstance(choices[name], str) else "same choice"] += 1
            if wrong:
                print(wrong, template, json.dumps(inventory), sep="\n  ")
    print(", ".join(f"{number} {outcome}" for outcome, number in sorted(outcomes.items())))
    return 1 if outcomes["different"] or outcomes["not converted"] else 0


if __name__ == "__main__":
    sys.exit(main())

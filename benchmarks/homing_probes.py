"""Compares hot2tf's verdicts on templates with HAS's answers, without and with `--engine has`. Run
`python -m benchmarks.homing_probes [DIRECTORY]` in the checkout; the directory (by default $HOT2TF_SHARED/homing) has
`probes.jsonl` and, for verdicts that depend on an inventory, `oracle/homing_oracle.py` with the inventory.
"""

from __future__ import annotations

import argparse
import pathlib
import sys

from tests.homing import probes


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("directory", nargs="?", type=pathlib.Path, default=probes.FOLDER)
    folder = parser.parse_args().directory
    every, stock = probes.read(folder), probes.stock(folder)
    if not every:
        sys.stderr.write(f"There are no probes in {folder}.\n")
        return 2
    deliberate = {name: why for why, names in probes.DELIBERATE.items() for name in names}
    agree = named = 0
    for probe in every:
        verdict = probe.verdict(stock=stock)
        if verdict in probe.expected:
            agree += 1
            if probe.id in deliberate:
                print(f"{probe.id}: not a difference any more")
        elif probe.id in deliberate:
            named += 1
        else:
            print(f"{probe.id}: {verdict}, expected {' or '.join(probe.expected)}: {probe.question['ask']}")
    print(f"verdict as the texts and HAS let expect: {agree} of {len(every)}; {named} others are deliberate:")
    for why, names in probes.DELIBERATE.items():
        print(f"  {len(names):3} {why}")
    for label, inventory in (("without an inventory", None), ("with the inventory of the questions", stock)):
        wrong = [probe for probe in every if (probe.verdict("has", inventory) == probes.ERROR) == probe.accepted]
        right = len(every) - len(wrong)
        print(f"--engine has, {label}: {right} of {len(every)} ({100 * right / len(every):.1f} %)")
        for probe in wrong:
            print(f"  {probe.id}: HAS {'accepts' if probe.accepted else 'refuses'} it: {probe.question['ask']}")
    return 0


if __name__ == "__main__":
    sys.exit(main())

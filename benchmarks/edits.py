"""Finds objects that Terraform destroys although Heat's update keeps them (tests/support/edit_pairs.py).

python -m benchmarks.edits [--corpus DIR] [--templates N] [--edits N]
"""

from __future__ import annotations

import argparse
import collections
import multiprocessing
import pathlib
import random
import sys
import time

from tests.support import edit_pairs, oracles


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--corpus", type=pathlib.Path, help="a folder of templates, besides the golden cases")
    parser.add_argument("--templates", type=int, default=0, metavar="N", help="a sample of so many; 0 for all")
    parser.add_argument("--edits", type=int, default=0, metavar="N", help="so many edits of each; 0 for all")
    parser.add_argument("--only", default="", metavar="TEXT", help="only edits whose name contains this")
    parser.add_argument("--template", default="", metavar="TEXT", help="only templates whose name contains this")
    parser.add_argument("--keep", type=pathlib.Path, metavar="DIR", help="where the directories of wrong pairs go")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--seconds", type=float, default=0, metavar="N", help="stop after so long; 0 for no limit")
    arguments = parser.parse_args()
    if not oracles.has_providers:
        print("TF_CLI_CONFIG_FILE names no configuration with the providers.", file=sys.stderr)
        return 2
    projects = list(edit_pairs.golden_projects())
    projects += list(edit_pairs.corpus_projects(arguments.corpus)) if arguments.corpus is not None else []
    projects = [each for each in projects if arguments.template in each[0]]
    if 0 < arguments.templates < len(projects):
        projects = random.Random(arguments.seed).sample(projects, arguments.templates)
    tasks = [(*each, arguments.edits, arguments.seed, arguments.only, arguments.keep) for each in projects]
    outcomes, kinds = collections.Counter[str](), set[str]()
    wrong = announced = templates = 0
    begun = time.monotonic()
    with multiprocessing.Pool(arguments.jobs) as pool:
        for verdicts in pool.imap_unordered(edit_pairs.measure, tasks):
            templates += bool(verdicts)
            for verdict in verdicts:
                outcomes[verdict.outcome] += 1
                kinds.add(verdict.edit)
                announced += bool(verdict.announced)
                for text in verdict.wrong:
                    print(f"{verdict.template} {verdict.edit} {verdict.outcome}: {text.strip()}", flush=True)
                wrong += bool(verdict.wrong) and verdict.outcome == "planned"
            if 0 < arguments.seconds < time.monotonic() - begun:
                break
    pairs = ", ".join(f"{number} {name}" for name, number in sorted(outcomes.items()))
    print(
        f"{templates} templates, {len(kinds)} kinds of edits, {sum(outcomes.values())} pairs ({pairs}): in {wrong} "
        f"Terraform destroys or replaces objects that Heat keeps; in {announced} a diagnostic says so before."
    )
    return 1 if wrong or outcomes["failed"] else 0


if __name__ == "__main__":
    sys.exit(main())

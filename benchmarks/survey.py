"""Compares the findings of `hot2tf migrate --plan` with the stacks of a corpus. Run `python -m benchmarks.survey` in
the checkout.

It needs the folder in HOT2TF_SHARED: its corpus lists public templates, and which environments belong to them.
"""

from __future__ import annotations

import argparse
import collections
import json
import sys
import time

from tests.support.ordered_corpus import CORPUS
from transpile.repository.survey import survey_tree

Pair = tuple[str, tuple[str, ...]]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--whole", action="store_true", help="the whole corpus as one tree, instead of each repository")
    parser.add_argument("--verbose", action="store_true", help="list the differences")
    arguments = parser.parse_args()
    if not CORPUS.is_dir():
        print("HOT2TF_SHARED leads to no corpus; nothing was compared.", file=sys.stderr)
        return 2
    expected_rules = {
        (row["template"], tuple(row["environments"])): row["rule"]
        for row in map(json.loads, (CORPUS / "heat_stacks.jsonl").read_text(encoding="utf-8").splitlines())
    }
    verdicts = map(json.loads, (CORPUS / "heat_verdicts.jsonl").read_text(encoding="utf-8").splitlines())
    accepted = {row["path"] for row in verdicts if row.get("accepts")}
    trees = [CORPUS] if arguments.whole else sorted(path for path in CORPUS.iterdir() if path.is_dir())
    actual_rules: dict[Pair, str] = {}
    placed = set[str]()
    others: dict[str, str] = {}
    diagnostics = 0
    begun = time.process_time()
    for tree in trees:
        plan = survey_tree(tree)
        diagnostics += len(plan.diagnostics)
        front = "" if arguments.whole else f"{tree.name}/"
        for stack in plan.stacks:
            placed.add(front + stack.template)
            if stack.environments:
                actual_rules[front + stack.template, tuple(front + path for path in stack.environments)] = stack.why
        placed.update(front + path for path in plan.nested)
        others.update({front + path: reason for path, reason in plan.others.items()})
    took = time.process_time() - begun
    missing, extra = expected_rules.keys() - actual_rules.keys(), actual_rules.keys() - expected_rules.keys()
    lost = accepted - placed
    rules = collections.Counter(expected_rules[pair] for pair in missing)
    print(f"{len(trees)} trees in {took:.1f} s of computing, {len(placed)} templates, {diagnostics} diagnostics")
    print(
        f"{len(expected_rules)} known stacks: {len(expected_rules) - len(missing)} found, "
        f"{len(missing)} not {dict(rules) or ''}"
    )
    # By the rule `types`, the corpus pairs a template with every environment whose types suit it.
    certain = {pair for pair, rule in expected_rules.items() if rule != "types"}
    print(f"without those of the rule types: {len(certain - missing)} of {len(certain)} found")
    print(f"{len(extra)} stacks with environments that are not known")
    print(f"{len(accepted)} templates that Heat accepts: {len(lost)} in no stack and not nested")
    if arguments.verbose:
        for pair in sorted(missing):
            print("not found:", *pair, expected_rules[pair])
        for pair in sorted(extra):
            print("extra:", *pair, actual_rules[pair])
        for path in sorted(lost):
            print("lost:", path)
        for path, reason in sorted(others.items()):
            print("other:", path, reason)
    return 1 if missing or lost else 0


if __name__ == "__main__":
    sys.exit(main())

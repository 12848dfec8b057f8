"""Checks that Terraform creates everything in Heat's order, for the templates of a corpus. Run
`python -m benchmarks.order` in the checkout.

It needs the folder in HOT2TF_SHARED. tests/support/order.py describes the comparison.
"""

from __future__ import annotations

import argparse
import collections
import multiprocessing
import pathlib
import sys

from tests.support.ordered_corpus import CORPUS, jobs, judge


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--prefer", default="faithful", help="as for convert")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="only each Nth template")
    parser.add_argument("--only", default="", metavar="TEXT", help="only templates whose path contains this")
    parser.add_argument("--jobs", type=int, default=2)
    arguments = parser.parse_args()
    if not CORPUS.is_dir():
        print("HOT2TF_SHARED leads to no corpus.", file=sys.stderr)
        return 2
    asked = [job for job in jobs(arguments.prefer) if arguments.only in job.template][:: arguments.every]
    compared, wrong = 0, collections.Counter[str]()
    templates = 0
    with multiprocessing.Pool(arguments.jobs) as pool:
        for job, pairs, problems in pool.imap(judge, asked, 4):
            compared += pairs
            templates += bool(problems)
            wrong.update(problem.partition(":")[0] for problem in problems)
            for problem in problems:
                print(pathlib.PurePath(job.template), *job.environments, problem, flush=True)
    counts = ", ".join(f"{number} {kind}" for kind, number in sorted(wrong.items())) or "none"
    print(f"{len(asked)} templates, {compared} pairs compared; wrong: {counts}, in {templates} templates.")
    return 1 if wrong.keys() - {"told"} else 0


if __name__ == "__main__":
    sys.exit(main())

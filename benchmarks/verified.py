"""Counts the findings of the verification for all templates of a directory.

    python benchmarks/verified.py DIRECTORY [--stacks FILE] [--thorough]

Every template is converted to Terraform in each preference; with `--stacks FILE` (JSON lines with `template` and
`environments`), so is each template with its environments. Prints the values that were compared, the differences that
a diagnostic announced, by code, and those that none did. Exit status 1 if there is one of the latter.
"""

from __future__ import annotations

import argparse
import collections
import concurrent.futures
import pathlib
import sys
from typing import NamedTuple

from outputs import RUNS, Job, jobs

import transpile
from emitters.hcl.proof import judge
from transpile.diagnostics import codes

THOROUGH = "--thorough" in sys.argv  # worker processes are forks of this one, and have the same arguments


class Verification(NamedTuple):
    """The result of one conversion. unjudged: why it was not compared; empty if it was."""

    name: str
    compared: int
    announced: tuple[str, ...]
    unannounced: tuple[str, ...]
    unjudged: str


def verify_conversion(job: Job) -> Verification | None:
    """The verification of one conversion; None if nothing was converted."""
    judgements = []
    judge_conversion = judge.judge_conversion

    def record_judgement(*arguments: object, thorough: bool) -> judge.Judgement:
        judgements.append(judge_conversion(*arguments, thorough=THOROUGH))  # type: ignore[arg-type]
        return judgements[-1]

    judge.judge_conversion = record_judgement  # type: ignore[assignment]
    try:
        result = transpile.convert(
            job.template, environments=list(job.environments), root=job.root, prefer=RUNS[job.run]["prefer"]
        )
    finally:
        judge.judge_conversion = judge_conversion
    if not judgements:
        return None
    (judgement,) = judgements
    messages = [d.message for d in result.diagnostics if d.code == codes.VALUE_DIFFERS_FROM_HEAT]
    announced = tuple(difference.announced for difference in judgement.differences if difference.announced)
    return Verification(job.name, judgement.compared, announced, tuple(messages), judgement.unjudged)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("directory", type=pathlib.Path)
    parser.add_argument("--stacks", type=pathlib.Path)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--thorough", action="store_true", help="also with the values that --tests tries")
    arguments = parser.parse_args()
    work = [job for job in jobs(arguments.directory, arguments.stacks) if RUNS[job.run]["to"] == "hcl"]
    with concurrent.futures.ProcessPoolExecutor(arguments.workers) as pool:
        results = [result for result in pool.map(verify_conversion, work, chunksize=50) if result is not None]
    announced = collections.Counter(code for result in results for code in result.announced)
    unjudged = collections.Counter(result.unjudged for result in results if result.unjudged)
    print(f"{len(work)} conversions, {len(results)} verified, {sum(result.compared for result in results)} values")
    print(f"announced: {dict(announced.most_common()) or 'none'}")
    print(f"not verified, or not to the end: {dict(unjudged.most_common(5)) or 'none'}")
    differing = [result for result in results if result.unannounced]
    print(f"not announced: {len(differing)} conversions")
    for result in differing:
        print(f"  {result.name}: {result.unannounced[0]}")
    return 1 if differing else 0


if __name__ == "__main__":
    sys.exit(main())

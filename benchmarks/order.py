"""Checks that Terraform creates everything in Heat's order, for the templates of a corpus. Run
`python -m benchmarks.order` in the checkout.

It needs the folder in HOT2TF_SHARED. tests/support/order.py says what is compared.
"""

from __future__ import annotations

import argparse
import collections
import json
import multiprocessing
import pathlib
import sys
from typing import TYPE_CHECKING, Any, NamedTuple

import transpile
from tests.support import oracles, order

if TYPE_CHECKING:
    from collections.abc import Iterator

CORPUS = oracles.SHARED / "corpus"


class Job(NamedTuple):
    """A template below the corpus, and its environments."""

    template: str
    environments: tuple[str, ...]
    prefer: str


def jobs(prefer: str) -> Iterator[Job]:
    """Every stack with its environments, then every template alone."""
    for line in (CORPUS / "heat_stacks.jsonl").read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        yield Job(row["template"], tuple(row["environments"]), prefer)
    for line in (CORPUS / "MANIFEST.jsonl").read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        if row["kind"] in ("hot", "cfn") or row["kind"].startswith(("derived hot", "derived cfn")):
            yield Job(row["path"], (), prefer)


def judge(job: Job) -> tuple[Job, int, list[str]]:
    """How many pairs were compared, and what is wrong."""
    root, template = CORPUS / job.template.split("/")[0], CORPUS / job.template
    environments = [CORPUS / one for one in job.environments]
    render: dict[str, Any] | None = {} if "jinja" in job.template else None
    done = transpile.convert(template, environments=environments, root=root, prefer=job.prefer, render=render)
    if not done.ok:
        return job, 0, []
    try:
        stack = order.linked(template, environments, root=root, render=render)
        found = order.Order(stack, done.files, done.report)
    except Exception as e:
        return job, 0, [f"crash: {type(e).__name__}: {e}"]
    return job, found.compared, [str(one) for one in found.found]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--prefer", default="faithful", help="as for convert")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="only each Nth template")
    parser.add_argument("--only", default="", metavar="TEXT", help="only templates whose path contains this")
    parser.add_argument("--jobs", type=int, default=2)
    given = parser.parse_args()
    if not CORPUS.is_dir():
        print("HOT2TF_SHARED leads to no corpus.", file=sys.stderr)
        return 2
    asked = [job for job in jobs(given.prefer) if given.only in job.template][:: given.every]
    compared, wrong = 0, collections.Counter[str]()
    templates = 0
    with multiprocessing.Pool(given.jobs) as pool:
        for job, pairs, found in pool.imap(judge, asked, 4):
            compared += pairs
            templates += bool(found)
            wrong.update(one.partition(":")[0] for one in found)
            for one in found:
                print(pathlib.PurePath(job.template), *job.environments, one, flush=True)
    counts = ", ".join(f"{number} {kind}" for kind, number in sorted(wrong.items())) or "none"
    print(f"{len(asked)} templates, {compared} pairs compared; wrong: {counts}, in {templates} templates.")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())

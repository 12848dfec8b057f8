"""The templates of a corpus, each judged by its order.

Every stack counts with its environments, and every template alone.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, NamedTuple

import transpile
from tests.support import oracles, order

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
    """The number of compared pairs, and the faults."""
    root, template = CORPUS / job.template.split("/")[0], CORPUS / job.template
    environments = [CORPUS / path for path in job.environments]
    render: dict[str, Any] | None = {} if "jinja" in job.template else None
    done = transpile.convert(template, environments=environments, root=root, prefer=job.prefer, render=render)
    if not done.ok:
        return job, 0, []
    try:
        stack = order.linked(template, environments, root=root, render=render)
        ordering = order.Order(stack, done.files, done.report)
        early = [f"early: {read}" for read in order.early_reads(done.files)]
    except Exception as e:
        return job, 0, [f"crash: {type(e).__name__}: {e}"]
    if any(diagnostic.code in ("HOT568", "HOT569") for diagnostic in done.diagnostics):
        return job, ordering.compared, [*early, *(f"told: {unordered}" for unordered in ordering.unordered)]
    return job, ordering.compared, [*early, *map(str, ordering.unordered)]

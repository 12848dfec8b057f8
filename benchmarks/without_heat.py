"""Counts how many templates need no Heat after the conversion, for each preference, and the types that keep the others
there. Run `python -m benchmarks.without_heat DIRECTORY` in the checkout.

A template needs Heat if a file that is written has an `openstack_orchestration_stack_v1`. The causes are types of
resources (those with a reason of their own, not those that stay only beside others), readers of attributes, and
outputs. Each counts once for a template; `alone` are the templates that nothing else keeps there.
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
from emitters.hcl.plan.policy import PREFERENCES
from transpile.report import template_reports

if TYPE_CHECKING:
    from collections.abc import Iterator

STACK = 'resource "openstack_orchestration_stack_v1"'
ENDINGS = (".yaml", ".yml", ".template", ".json")


class Job(NamedTuple):
    path: pathlib.Path
    root: pathlib.Path
    prefer: str


class Answer(NamedTuple):
    """The outcome for a template. blockers: the types that keep it with Heat, with the reasons."""

    job: Job
    ok: bool
    heat: bool
    blockers: dict[str, str]


def judge(job: Job) -> Answer:
    done = transpile.convert(job.path, prefer=job.prefer, root=job.root)
    heat = any(isinstance(text, str) and STACK in text for name, text in done.files.items() if name.endswith(".tf"))
    return Answer(job, done.ok, heat, dict(blockers(done.report)) if heat else {})


def blockers(report: dict[str, Any]) -> Iterator[tuple[str, str]]:
    for template_report in template_reports(report):
        for resource in template_report["resources"].values():
            if resource["treatment"] == "embedded" and "why" in resource.get("kept", {}):
                yield resource["type"], resource["kept"]["why"]
        for need in template_report.get("heat", {}).values():
            yield f"{'reads' if need['type'] != 'output' else 'computes an'} {need['type']}", need["why"]


def asked(arguments: argparse.Namespace) -> Iterator[tuple[pathlib.Path, pathlib.Path]]:
    """The templates, each with the directory that it may read: the one below `directory` that contains it."""
    top = arguments.directory.resolve()
    if arguments.verdicts is not None:
        rows = map(json.loads, arguments.verdicts.read_text(encoding="utf-8").splitlines())
        paths = [top / row["path"] for row in rows if row.get("accepts")]
    else:
        paths = [path for path in sorted(top.rglob("*")) if path.suffix in ENDINGS and is_template(path)]
    for path in paths:
        folder = path.relative_to(top).parts[0]
        if not folder.startswith(tuple(arguments.without)):
            yield path, top / folder if (top / folder).is_dir() else top


def is_template(path: pathlib.Path) -> bool:
    text = path.read_text(encoding="utf-8", errors="replace")
    words = ("heat_template_version", "HeatTemplateFormatVersion", "AWSTemplateFormatVersion")
    return any(word in text for word in words)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("directory", type=pathlib.Path, help="all templates in it count")
    parser.add_argument(
        "--verdicts", type=pathlib.Path, help="only templates that Heat accepts: JSON lines with path and accepts"
    )
    parser.add_argument("--without", action="append", default=[], metavar="NAME", help="no directories that begin so")
    parser.add_argument("--prefer", action="append", choices=PREFERENCES, help="only these")
    parser.add_argument("--list", action="store_true", help="name the templates that need Heat")
    parser.add_argument("--top", type=int, default=25, help="how many blockers to name")
    parser.add_argument("--jobs", type=int, default=2)
    arguments = parser.parse_args()
    templates = list(asked(arguments))
    if not templates:
        print("There are no templates.", file=sys.stderr)
        return 2
    for prefer in arguments.prefer or PREFERENCES:
        with multiprocessing.Pool(arguments.jobs) as pool:
            answers = pool.map(judge, [Job(path, root, prefer) for path, root in templates], 4)
        show(prefer, answers, arguments)
    return 0


def show(prefer: str, answers: list[Answer], arguments: argparse.Namespace) -> None:
    converted = [answer for answer in answers if answer.ok]
    free = sum(not answer.heat for answer in converted)
    share = 100 * free / len(converted) if converted else 0
    failed = len(answers) - len(converted)
    print(f"{prefer}: {free} of {len(converted)} need no Heat ({share:.1f}%); {failed} are not converted")
    every, alone = collections.Counter[str](), collections.Counter[str]()
    why: dict[str, collections.Counter[str]] = {}
    for answer in converted:
        every.update(answer.blockers.keys())
        alone.update(answer.blockers.keys() if len(answer.blockers) == 1 else ())
        for kind, reason in answer.blockers.items():
            why.setdefault(kind, collections.Counter())[reason] += 1
    for kind, number in sorted(every.items(), key=lambda item: (-item[1], item[0]))[: arguments.top]:
        ((reason, _),) = why[kind].most_common(1)
        print(f"  {number:4} ({alone[kind]} alone)  {kind}: {reason}")
    if arguments.list:
        for answer in converted:
            if answer.heat:
                print(f"  {answer.job.path.relative_to(arguments.directory.resolve())}: {', '.join(answer.blockers)}")


if __name__ == "__main__":
    sys.exit(main())

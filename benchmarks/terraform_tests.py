"""Runs the tests that `convert --tests` writes, for all templates of a directory, under a real terraform.
Run `python -m benchmarks.terraform_tests DIRECTORY` in the checkout; `terraform` and its providers are found as usual.

It prints how many test files were written, how many pass as they are, how many assertions they have, and, for each
preference, why no file was written for the others. A file that fails is named with terraform's first error.
"""

from __future__ import annotations

import argparse
import collections
import json
import multiprocessing
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile
from typing import Any, NamedTuple

import transpile
from transpile.text import output

ENDINGS = (".yaml", ".yml", ".template", ".json")
WORDS = ("heat_template_version", "HeatTemplateFormatVersion", "AWSTemplateFormatVersion")


class Job(NamedTuple):
    path: pathlib.Path
    root: pathlib.Path
    prefer: str
    program: str
    dry: bool


class Answer(NamedTuple):
    """The outcome for a template. error: the first of the run; empty if all tests pass."""

    path: pathlib.Path
    ok: bool
    report: dict[str, Any]
    error: str = ""


def judge(job: Job) -> Answer:
    done = transpile.convert(job.path, prefer=job.prefer, root=job.root, options={"tests": True})
    report = done.report.get("tests", {})
    if not done.ok or not any("runs" in file_report for file_report in report.values()) or job.dry:
        return Answer(job.path, done.ok, report)
    where = pathlib.Path(tempfile.mkdtemp(prefix="hot2tf-tests-"))
    try:
        output.write_directory(where, dict(done.files))
        return Answer(job.path, True, report, failure(job.program, where))
    finally:
        shutil.rmtree(where, ignore_errors=True)


def failure(program: str, where: pathlib.Path) -> str:
    """The first error of `init` or `test`; empty if all tests pass."""
    for command in (["init", "-backend=false", "-input=false", "-no-color"], ["test", "-no-color"]):
        completed = subprocess.run(
            [program, *command], cwd=where, capture_output=True, text=True, check=False, timeout=600
        )
        if completed.returncode:
            text = completed.stderr + completed.stdout
            at = text.find("Error:")
            return text[max(at, 0) :][:700]
    return ""


def asked(arguments: argparse.Namespace) -> list[tuple[pathlib.Path, pathlib.Path]]:
    top = arguments.directory.resolve()
    named = [path for path in sorted(top.rglob("*")) if path.suffix in ENDINGS and path.is_file()]
    texts = ((path, path.read_text(encoding="utf-8", errors="replace")) for path in named)
    paths = [path for path, text in texts if any(word in text for word in WORDS)]
    if arguments.sample:
        paths = sorted(random.Random(arguments.seed).sample(paths, min(arguments.sample, len(paths))))
    folders = [top / path.relative_to(top).parts[0] for path in paths]
    return [(path, folder if folder.is_dir() else top) for path, folder in zip(paths, folders, strict=True)]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("directory", type=pathlib.Path, help="all templates in it count")
    parser.add_argument("--prefer", default="faithful")
    parser.add_argument("--program", default="terraform", help="terraform or tofu")
    parser.add_argument("--sample", type=int, default=0, help="only so many, chosen at random")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--dry", action="store_true", help="only write the tests")
    parser.add_argument("--out", type=pathlib.Path, help="write the outcome of each template, as JSON lines")
    arguments = parser.parse_args()
    jobs = [Job(path, root, arguments.prefer, arguments.program, arguments.dry) for path, root in asked(arguments)]
    with multiprocessing.Pool(arguments.jobs) as pool:
        answers = list(pool.imap(judge, jobs, 4))
    show(answers, arguments)
    return int(any(answer.error for answer in answers))


def show(answers: list[Answer], arguments: argparse.Namespace) -> None:
    top = arguments.directory.resolve()
    converted = [answer for answer in answers if answer.ok]
    files = [(answer, about) for answer in converted for about in answer.report.values()]
    written = [about for _, about in files if "runs" in about]
    tested = [answer for answer in converted if any("runs" in about for about in answer.report.values())]
    failed = [answer for answer in tested if answer.error]
    for answer in failed:
        print(f"{answer.path.relative_to(top)}\n    {' '.join(answer.error.split())}\n")
    passed = len(tested) - len(failed)
    print(f"{len(converted)} templates convert; {len(tested)} have tests; {passed} pass as they are")
    print(f"{len(written)} files of tests")
    for word in ("runs", "assertions"):
        print(f"{sum(about[word] for about in written)} {word}")
    for word in ("unknown", "heat", "differs", "refused"):
        print(f"{sum(len(about.get(word, ())) for about in written)} {word}")
    why = collections.Counter(about["why"].split(":")[0] for _, about in files if "why" in about)
    for reason, number in why.most_common():
        print(f"{number:6} without tests: {reason}")
    if arguments.out is not None:
        rows = [
            json.dumps({"path": str(answer.path), "error": answer.error, "files": answer.report})
            for answer in converted
        ]
        arguments.out.write_text("\n".join(rows) + "\n", encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())

"""Decides whether the outcome of an input is a failure.

Invariant: a failure has a key, which is the same for inputs that fail for the same reason, as far as can be told.
"""

from __future__ import annotations

import json
import re
import zlib
from collections.abc import Iterator

import hcl2
import yaml

from tests.fuzz.case import LIBRARY, Case
from tests.fuzz.runner import OUT, Outcome

INTERNAL = re.compile(r"\bHOT90[0235]\b[^\n]*")  # of files that cannot be written there is none here
USUAL = (0, 1, 2)
PARSED = 200  # of so many texts one is read by python-hcl2, which takes long
LONGEST = 20_000  # characters of a text that python-hcl2 reads
WRITES_YAML = ("tosca", "hot")


def failures(case: Case, outcome: Outcome, *, thorough: bool = False) -> list[str]:
    """The keys of all failures. `thorough`: every text is read by python-hcl2."""
    if outcome.raised:
        return [outcome.raised]
    return list(dict.fromkeys(find_failures(case, outcome, thorough)))


def find_failures(case: Case, outcome: Outcome, thorough: bool) -> Iterator[str]:
    for stream in (outcome.out if case.argv[0] in ("fmt", "check") else "", outcome.err):
        if "HOT90" in stream and (match := INTERNAL.search(stream)):
            yield f"{case.argv[0]}: {neutral(match[0])}"
    if outcome.status not in USUAL:
        yield f"{case.argv[0]}: status {outcome.status}"
    for name in outcome.strays:
        yield f"{case.argv[0]}: stray {name}"
    if outcome.status and outcome.files and case.argv[0] not in ("fmt", "migrate") and "--fix" not in case.argv:
        yield f"{case.argv[0]}: files in spite of status {outcome.status}"
    spoken = outcome.err or outcome.out or outcome.results or outcome.report
    if outcome.status == 1 and not spoken and "--check" not in case.argv:
        yield f"{case.argv[0]}: status 1 without a word"
    writes = case.argv[0] == LIBRARY or ("out" in case.argv and not {"--plan", "--diff"} & {*case.argv})
    if outcome.status == 0 and not outcome.files and writes:
        yield f"{case.argv[0]}: nothing written"
    if outcome.report is not None:
        if not is_json(outcome.report):
            yield "the report is not JSON"
        if case.argv[0] == "migrate" and (match := INTERNAL.search(outcome.report.decode("utf-8", "replace"))):
            yield f"migrate: {neutral(match[0])}"
    for name, content in outcome.results.items():
        if outcome.status == 2:
            yield f"{case.argv[0]}: {kind(name)} in spite of status 2"
        if name.endswith((".json", ".sarif")) and not is_json(content):
            yield f"{case.argv[0]}: {kind(name)} is not JSON"
    words = f" {' '.join(case.argv)} "
    for form in ("json", "sarif"):
        if f" --diagnostics {form} " in words and outcome.status < 2 and not {"--diff", "--plan"} & set(case.argv):
            said_ = outcome.out if case.argv[0] in ("check", "migrate") else outcome.err
            if said_ and not is_json(said_.encode("utf-8", "replace")):
                yield f"{case.argv[0]}: diagnostics as {form} are not JSON"
    if case.argv[0] in ("convert", LIBRARY) and outcome.status == 0:
        yield from unreadable(case, outcome, thorough)


def unreadable(case: Case, outcome: Outcome, thorough: bool) -> Iterator[str]:
    """Files that their own readers refuse."""
    target = case.argv[1] if case.argv[0] == LIBRARY else "hcl"
    target = case.argv[case.argv.index("--to") + 1] if "--to" in case.argv else target
    inputs = {file.bytes() for file in case.files.values()}
    for name, data in outcome.files.items():
        if "files/" in name or "--csar" in case.argv or data in inputs:  # a copy of the user's file is not ours
            continue
        try:
            text = data.decode("utf-8")
        except UnicodeDecodeError:
            yield f"{target}: {kind(name)} is not UTF-8"
            continue
        if target in WRITES_YAML and name.endswith((OUT, ".yaml")):
            try:
                for event in yaml.parse(text, yaml.CSafeLoader):
                    del event
            except yaml.YAMLError as e:
                yield f"{target}: not YAML: {neutral(str(getattr(e, 'problem', e)))}"
        elif name.endswith(".json") and not is_json(data):
            yield f"{target}: {kind(name)} is not JSON"
        elif name.endswith(".tf") and len(text) < LONGEST and (thorough or zlib.crc32(data) % PARSED == 0):
            try:
                hcl2.loads(text)
            except Exception as e:  # the parser's, or lark's
                yield f"{target}: python-hcl2 cannot read it: {type(e).__name__}"


def kind(name: str) -> str:
    return name.rpartition("/")[2].rpartition(".")[2]


def is_json(data: bytes) -> bool:
    try:
        json.loads(data)
    except (ValueError, RecursionError):
        return False
    return True


def neutral(message: str) -> str:
    """A message without the parts that belong to this input alone."""
    return re.sub(r"\d+|'[^']*'|\"[^\"]*\"|\S*[./_]\S*", "_", message)[:200]

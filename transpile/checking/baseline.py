"""A baseline: the findings that a repository has already, so that `check` reports new ones only.

Invariant: an entry is a file, a code, a message and how often it occurs there. It has no line, so it holds when lines
above are added or removed. A finding of `table.ALWAYS` is in no baseline: it means that hot2tf did not check a part.
"""

from __future__ import annotations

import collections
import json
import os
import pathlib
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple, TypeAlias, final

from transpile.diagnostics import codes
from transpile.diagnostics.model import Diagnostic, Stopped
from transpile.model.budget import Budget
from transpile.model.printable import escape_json_text
from transpile.model.records import node
from transpile.settings import table
from transpile.text.source import UnreadableFile, diagnose_unreadable, load_source

FORMAT = 1
Entry: TypeAlias = "tuple[str, str, str]"  # the path from the baseline's directory, the code and the message
Counts: TypeAlias = "collections.Counter[Entry]"


class BaselineResult(NamedTuple):
    """The findings that are new, the number of those in the baseline, and the number of those in the baseline that no
    longer occur.
    """

    new: list[Diagnostic]
    old: int
    gone: int


def print_baseline(findings: Iterable[Diagnostic], path: str) -> str:
    """The text of a baseline. `path`: the file that it is for."""
    files: dict[str, list[dict[str, Any]]] = {}
    for (name, code, message), count in sorted(count_entries(findings, path).items()):
        files.setdefault(name, []).append({"code": code, "message": message, "count": count})
    return escape_json_text(json.dumps({"format": FORMAT, "findings": files}, indent=1, ensure_ascii=False)) + "\n"


@final
@node
class Baseline:
    """The content of a baseline: the number of findings of each kind. `path`: the file."""

    path: str
    counts: Mapping[Entry, int]

    @property
    def size(self) -> int:
        """The number of findings."""
        return sum(self.counts.values())

    def subtract(self, findings: Iterable[Diagnostic], checked: Iterable[str]) -> BaselineResult:
        """Splits findings into new ones and those of the baseline. `checked`: the files that were looked at; only
        their entries can be gone.
        """
        remaining = collections.Counter(dict(self.counts))
        new: list[Diagnostic] = []
        old = 0
        for finding in findings:
            entry = entry_of_finding(finding, self.path)
            if entry is not None and remaining[entry] > 0:
                remaining[entry] -= 1
                old += 1
            else:
                new.append(finding)
        names = {path_from_baseline(name, self.path) for name in checked}
        return BaselineResult(new, old, sum(count for (name, _, _), count in remaining.items() if name in names))


def read_baseline(path: str) -> Baseline:
    """The baseline in a file. Raises Stopped if it cannot be read."""
    try:
        source = load_source(pathlib.Path(path), None, Budget())
    except UnreadableFile as e:
        raise Stopped([diagnose_unreadable(e, path)]) from None
    try:
        return Baseline(path, read_entries(json.loads(source.text)))
    except (ValueError, RecursionError):
        message = "The baseline is not in the form that hot2tf writes."
        raise Stopped([Diagnostic(codes.MALFORMED_BASELINE, message, source)]) from None


def read_entries(data: Any) -> Counts:
    """The entries of a baseline in JSON. Raises ValueError."""
    match data:
        case {"format": int(version), "findings": dict() as files} if version == FORMAT:
            counts: Counts = collections.Counter()
            for name, rows in files.items():
                for row in rows if isinstance(rows, list) else [rows]:
                    match row:
                        case {"code": str() as code, "message": str() as message, "count": int() as count}:
                            counts[name, code, message] += count
                        case _:
                            raise ValueError
            return counts
    raise ValueError


def count_entries(findings: Iterable[Diagnostic], path: str) -> Counts:
    entries = (entry_of_finding(finding, path) for finding in findings)
    return collections.Counter(entry for entry in entries if entry is not None)


def entry_of_finding(finding: Diagnostic, path: str) -> Entry | None:
    """The entry of a finding in the baseline `path`; None if a baseline cannot have it."""
    if finding.code in table.ALWAYS:
        return None
    name = path_from_baseline(finding.source.name, path) if finding.source is not None else ""
    return name, finding.code, finding.message


def path_from_baseline(name: str, path: str) -> str:
    """The path of a file, relative to the directory of the baseline `path`, with slashes."""
    folder = os.path.dirname(os.path.abspath(path))  # noqa: PTH100 - no links
    return pathlib.Path(os.path.relpath(name, folder)).as_posix()

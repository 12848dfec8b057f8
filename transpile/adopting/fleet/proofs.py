"""Compares the running objects of a stack with the views saved before its adoption, and writes the comparison.

Invariant: a comparison that lacks an answer does not say that nothing changed.
"""

from __future__ import annotations

import concurrent.futures
import pathlib
from collections.abc import Sequence
from typing import Any, final

from transpile.adopting.fleet.reading import NUMBER
from transpile.adoption import evidence
from transpile.adoption.evidence import KeptViews, ObjectChange
from transpile.adoption.lookups import Answers
from transpile.adoption.online import CloudProject
from transpile.diagnostics import codes
from transpile.diagnostics.model import Diagnostic, Stopped
from transpile.model.records import record, replace
from transpile.model.words import count_noun
from transpile.text import output, places

NAME = pathlib.PurePath(evidence.BEFORE).name


@final
@record
class Proof:
    """The comparison of one stack. `folder`: that of its ADOPT.md. `problem`: why nothing was compared. `unanswered`:
    the questions without an answer.
    """

    folder: pathlib.Path
    stack: str
    compared: int = 0
    changes: Sequence[ObjectChange] = ()
    unanswered: int = 0
    problem: str = ""
    diagnostics: Sequence[Diagnostic] = ()

    @property
    def sentence(self) -> str:
        """The outcome of the comparison, as one line of text."""
        name = f"{self.folder}: {self.stack}"
        if self.problem:
            return f"{name}: not compared."
        changed = count_noun(len(self.changes), "difference") if self.changes else "nothing changed"
        rest = f", {count_noun(self.unanswered, 'question')} without an answer" if self.unanswered else ""
        return f"{name}: {count_noun(self.compared, 'object')} compared, {changed}{rest}."

    def as_json(self) -> dict[str, Any]:
        return {
            "folder": str(self.folder),
            "stack": self.stack,
            "compared": self.compared,
            "changes": [change._asdict() for change in self.changes],
            "unanswered": self.unanswered,
            "problem": self.problem,
        }


def find_kept_views(directory: pathlib.Path) -> list[pathlib.Path]:
    """The files with views in a directory and below it."""
    paths = (path for path in directory.rglob(NAME) if path.parent.name == evidence.FOLDER)
    return sorted(path for path in paths if places.kind_at_path(path) == places.FILE)


def compare_kept_views(paths: Sequence[pathlib.Path], cloud: CloudProject, at_once: int = NUMBER) -> list[Proof]:
    """Reads all objects again, and writes the comparison of each stack."""
    projects: dict[str, CloudProject | Stopped] = {}
    read = [(path, evidence.read_views(path.read_text(encoding="utf-8", errors="replace"))) for path in paths]
    for _, kept in read:
        if kept is not None and kept.project not in projects:
            try:
                projects[kept.project] = cloud.enter_project(kept.project, by_id=True) if kept.project else cloud
            except Stopped as e:
                projects[kept.project] = e
    with concurrent.futures.ThreadPoolExecutor(at_once) as pool:
        tasks = [
            pool.submit(compare_stack, path, kept, projects[kept.project] if kept is not None else cloud)
            for path, kept in read
        ]
        return [task.result() for task in tasks]


def compare_stack(path: pathlib.Path, kept: KeptViews | None, project: CloudProject | Stopped) -> Proof:
    """The comparison of one stack, which it writes, too."""
    folder = path.parent.parent
    if kept is None:
        finding = Diagnostic(codes.MALFORMED_ANSWERS, f"{path} does not have the form that hot2tf writes.")
        return Proof(folder, path.parent.parent.name, problem=finding.message, diagnostics=[finding])
    try:
        if isinstance(project, Stopped):
            raise project
        answers = Answers({}, project)
        after = evidence.ask_lookups([(view.resource, view.lookup) for view in kept.views], answers)
    except Stopped as e:
        return Proof(folder, kept.stack, problem=e.diagnostics[0].message, diagnostics=e.diagnostics)
    changes = list(evidence.compare_views(kept.views, after))
    unanswered = sum(first.rows is None or second.rows is None for first, second in zip(kept.views, after, strict=True))
    texts = {
        evidence.AFTER: evidence.print_views(replace(kept, views=after)),
        evidence.COMPARISON: evidence.write_comparison(kept, after, changes),
    }
    diagnostics = [diagnose_change(kept, change) for change in changes]
    for name, text in texts.items():
        problem = output.write_user_file(str(folder / name), text.encode("utf-8", "replace"), places.PRIVATE)
        diagnostics += [problem] if problem is not None else []
    compared = evidence.count_compared(kept.views, after)
    return Proof(folder, kept.stack, compared, changes, unanswered, "", diagnostics)


def diagnose_change(kept: KeptViews, change: ObjectChange) -> Diagnostic:
    """A difference as a finding. Values are in the files of the evidence only: they may be secrets."""
    subject = f"the {change.kind} of {change.resource}"
    if not change.attribute:
        difference = "is new" if change.before is None else "is gone"
        message = f"{kept.stack}: {subject} {difference}: {change.after or change.before}."
    else:
        message = f"{kept.stack}: {subject} differs from the earlier state: {change.attribute}."
    return Diagnostic(codes.CHANGED_SINCE_ADOPTION, message)

"""The stacks of a fleet, as they were read, with the verdict on each.

Invariant: each stack that the projects list is in the result, with its verdict and, if it is left or adopted in part,
the reason.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, final

from transpile.adoption.live import LiveStack
from transpile.adoption.lookups import Answers
from transpile.adoption.online import CloudProject, StackSummary
from transpile.diagnostics.model import Diagnostic
from transpile.model.records import field, node, record

WHOLE, PART, LEAVE, UNDER_WAY = "adopt whole", "adopt in part", "leave", "under way"


@final
@record
class FleetProject:
    """A project of the cloud. `answers`: the answers of the cloud, for all of its stacks."""

    name: str
    id: str
    cloud: CloudProject
    answers: Answers
    summaries: Sequence[StackSummary] = ()


@final
@record
class FleetStack:
    """A stack of a project. `live`: None if it could not be read, and then `findings` has the reason. `resumed`:
    whether it is as a run read it that was stopped.
    """

    project: FleetProject
    summary: StackSummary
    live: LiveStack | None
    findings: Sequence[Diagnostic] = ()
    resumed: bool = False

    @property
    def key(self) -> str:
        """The ID of the stack, unique in the cloud."""
        return self.summary.id

    @property
    def label(self) -> str:
        return f"{self.project.name}/{self.summary.name}"


@final
@node
class StackVerdict:
    """The verdict on one stack. `what`: WHOLE, PART, LEAVE or UNDER_WAY; `why`: the reason for the last three.
    `folder`, `environment`: the stack's place in the tree; the environment is empty if the directory is its own.
    `imports`,
    `additions`: of its first plan. `kept`: the resources that stay with Heat. `drift`: the number of differences from
    the template, None without a comparison. `template`: the template of a repository that its code comes from.
    `unknown`: the IDs that must be filled in.
    """

    project: str
    stack: str
    stack_id: str
    state: str
    what: str
    why: str = ""
    folder: str = ""
    environment: str = ""
    imports: int = 0
    additions: int = 0
    unknown: int = 0
    resources: int = 0
    kept: Sequence[str] = ()
    drift: int | None = None
    template: str = ""

    def as_json(self) -> dict[str, Any]:
        return {
            "project": self.project,
            "stack": self.stack,
            "stack_id": self.stack_id,
            "state": self.state,
            "what": self.what,
            "why": self.why,
            "folder": self.folder,
            "environment": self.environment,
            "imports": self.imports,
            "additions": self.additions,
            "unknown": self.unknown,
            "resources": self.resources,
            "kept": list(self.kept),
            "drift": self.drift,
            "template": self.template,
        }

    @property
    def guide_folder(self) -> str:
        """The directory with the stack's ADOPT.md, below the destination."""
        return f"{self.folder}/environments/{self.environment}" if self.environment else self.folder


@final
@node
class FleetResult:
    """The result of a run. `verdicts`: of all stacks, in their order. `reports`: as `--report` has them. `problems`:
    findings on the tree as a whole. `changes`: the changes that a run without output would make. `reused`: the
    directories that a stopped run had finished.
    """

    verdicts: Sequence[StackVerdict]
    reports: Sequence[Mapping[str, Any]]
    problems: Sequence[Diagnostic] = ()
    written: Sequence[str] = ()
    edited: Mapping[str, Sequence[str]] = field(default_factory=dict)
    merged: Mapping[str, Sequence[str]] = field(default_factory=dict)
    changes: Sequence[Any] = ()
    hidden_names: frozenset[str] = frozenset()
    reused: Sequence[str] = ()
    failed: bool = False


def make_verdict(data: Mapping[str, Any]) -> StackVerdict:
    """A verdict from the form that `as_json` gives it."""
    return StackVerdict(**data)

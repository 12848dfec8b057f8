"""Converts the stacks of a directory of the tree, and returns the verdict on each.

Invariant: a stack that cannot be adopted never keeps another one from it.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple, final

from transpile.additions import Additions
from transpile.adopting.environments import (
    Candidate,
    EarlierEnvironments,
    convert_candidates,
    find_earlier_environments,
    read_candidate,
)
from transpile.adopting.fleet.grouping import FleetRoot, HomeChooser, split_by_shape
from transpile.adopting.fleet.stacks import LEAVE, PART, WHOLE, FleetStack, StackVerdict
from transpile.adopting.fleet.templates import RepositoryTemplate, RepositoryTemplates, make_adoptee
from transpile.adopting.run import Adoptee
from transpile.adoption import environments, evidence
from transpile.adoption.evidence import KeptViews
from transpile.adoption.steps import PATCH
from transpile.diagnostics import codes
from transpile.diagnostics.model import Diagnostic, has_errors
from transpile.migrate import archive, session
from transpile.migrate.state import MigrationState
from transpile.migrate.unit import UnitResult, split_shared_folders, summarize_conversion
from transpile.model.records import node, replace
from transpile.pipeline import Conversion
from transpile.report import template_reports
from transpile.settings.table import Request
from transpile.targets import Target
from transpile.text.addresses import carry_addresses
from transpile.text.manifest import MANIFEST, encode_content

PATCHES = (PATCH, environments.COMPARE_PATCH)  # of the code; those of a tree are one


@node
class ConvertedRoot:
    """A directory with its files. `verdicts`, `reports`: of its stacks. `hidden`: names of variables with hidden
    values.
    """

    root: FleetRoot
    result: UnitResult
    verdicts: Sequence[StackVerdict]
    reports: Sequence[Mapping[str, Any]]


class RootAttempt(NamedTuple):
    """The result of one attempt to convert a directory: its files, the stacks that are left with their conversions, and
    the directories to try instead.
    """

    converted: ConvertedRoot | None
    left: Sequence[tuple[FleetStack, Conversion]]
    others: Sequence[FleetRoot] = ()


@final
class RootConverter:
    """Converts directories. `grade`: the findings of a conversion as the configuration wants them, and whether they
    prevent output. `tell`: gets the findings of a directory or a stack, by its name.
    """

    def __init__(
        self,
        request: Request,
        added: Additions | None,
        target: Target,
        state: MigrationState,
        chooser: HomeChooser,
        repository: RepositoryTemplates | None,
        grade: Callable[[Conversion, str], tuple[list[Diagnostic], bool]],
        tell: Callable[[str, Sequence[Diagnostic]], None],
        *,
        drift: bool,
    ) -> None:
        self.request, self.added, self.target, self.state, self.chooser = request, added, target, state, chooser
        self.repository, self.grade, self.tell, self.drift = repository, grade, tell, drift
        self.reports: list[Mapping[str, Any]] = []
        self.verdicts: list[StackVerdict] = []
        self.failed = False

    def convert_root(self, root: FleetRoot) -> list[ConvertedRoot]:
        """The directories that a planned one becomes: one, several if its stacks have no common code, or none."""
        template = self.repository.find_template(root.stacks, self.reader(root)) if self.repository else None
        done, todo = [], [root]
        while todo:
            attempt = self.try_root(todo.pop(0), template)
            todo += attempt.others
            for stack, conversion in attempt.left:
                self.leave_stack(stack, conversion)
            if attempt.converted is not None:
                done.append(attempt.converted)
                self.verdicts += attempt.converted.verdicts
                self.reports += attempt.converted.reports
        return done

    def try_root(self, root: FleetRoot, template: RepositoryTemplate | None) -> RootAttempt:
        read = self.reader(root)
        pairs = [(stack, read(stack, make_adoptee(stack, template), template)) for stack in root.stacks]
        pairs.sort(key=lambda pair: pair[1].name)
        sound = [(stack, c) for stack, c in pairs if c.live is not None and not has_errors(c.run.findings)]
        left = [(stack, c.run.conversion()) for stack, c in pairs if (stack, c) not in sound]
        if not sound:
            return RootAttempt(None, left)
        candidates, stacks = [candidate for _, candidate in sound], [stack for stack, _ in sound]
        if not root.environments:
            (candidate,) = candidates
            more = candidate.find_drift() if self.drift else {}
            conversion = candidate.emit(more, None)
            reports = [conversion.report]
        else:
            shared = convert_candidates(candidates, self.find_earlier(root), drift=self.drift)
            conversion, reports = shared.conversion, shared.reports
        if any(d.code == codes.ENVIRONMENTS_DIFFER for d in conversion.diagnostics):
            return RootAttempt(None, left, self.divide(root, stacks))
        failing = [i for i, report in enumerate(reports) if has_error_in(report)]
        if failing and len(failing) < len(stacks):
            rest = [stack for i, stack in enumerate(stacks) if i not in failing]
            left += [(stacks[i], candidates[i].emit({}, None)) for i in failing]
            return RootAttempt(None, left, [replace(root, stacks=rest)])
        findings, fails = self.grade(conversion, stacks[0].summary.name)
        if fails:
            return RootAttempt(None, [*left, *((stack, conversion) for stack in stacks)])
        self.tell(root.folder, findings)
        for report in reports:
            report["diagnostics"] = [d.as_json() for d in findings]
        shown = template.shown if template is not None else ""
        verdicts = [
            make_verdict_of_report(stack, report, root.folder, root.environments.get(stack.key, ""), shown)
            for stack, report in zip(stacks, reports, strict=True)
        ]
        files, private = self.collect_files(root, stacks, conversion)
        patch = "".join(files.pop(name, b"").decode() for name in PATCHES)
        own, modules = split_shared_folders(self.target, files)
        shared_folder = self.target.shared.folder
        result = UnitResult(
            root.folder,
            True,
            {},
            archive.pack_files(own, private & own.keys()),
            {
                name: archive.pack_files(inside, {at for at in inside if f"{shared_folder}/{name}/{at}" in private})
                for name, inside in sorted(modules.items())
            },
            archive.compress_data(
                json.dumps(
                    {"verdicts": [verdict.as_json() for verdict in verdicts], "reports": reports, "patch": patch},
                    ensure_ascii=False,
                ).encode("utf-8", "replace")
            ),
            summarize_conversion(conversion),
            archive.digest_files(
                {**own, **{f"{name}/{at}": data for name, inside in modules.items() for at, data in inside.items()}}
            ),
        )
        return RootAttempt(ConvertedRoot(root, result, verdicts, reports), left)

    def divide(self, root: FleetRoot, stacks: Sequence[FleetStack]) -> list[FleetRoot]:
        """The directories in place of one whose stacks have no common code."""
        parts = split_by_shape(stacks)
        if len(parts) == 1:
            parts = [[stack] for stack in stacks]
        if len(parts) == 1:  # an environment of an earlier run has other code
            return [self.chooser.choose_root(parts[0], anew=True)]
        first = parts[0]
        here = {stack.key: name for stack in first if (name := root.environments.get(stack.key))}
        return [
            FleetRoot(root.folder, first, here),
            *(self.chooser.choose_root(part, anew=True) for part in parts[1:]),
        ]

    def reader(self, root: FleetRoot) -> Callable[[FleetStack, Adoptee, RepositoryTemplate | None], Candidate]:
        """A function that reads a stack for its adoption in a directory."""

        def read(stack: FleetStack, adoptee: Adoptee, template: RepositoryTemplate | None) -> Candidate:
            name = root.environments.get(stack.key, "")
            options = {**self.request.options, **self.target.shared.options}
            if session.report_of_backend(self.target, self.request):
                options.setdefault(session.STATE_KEY, f"{root.folder}/{name}" if name else root.folder)
            named = template.environments if template is not None else ()
            request = replace(self.request, options=options, environments=named)
            return read_candidate(name or stack.summary.name, adoptee, request, stack.project.answers, None, self.added)

        return read

    def find_earlier(self, root: FleetRoot) -> EarlierEnvironments:
        """Returns the files of an earlier run for environments whose stacks are gone, or not read now."""
        row = self.state.find_row(root.folder)
        if row is None or not row.converted:
            return EarlierEnvironments()
        files = dict(archive.unpack_files(self.state.read_files(root.folder)).files)
        for module in self.state.modules_of_stack(root.folder):
            inside = archive.unpack_files(self.state.read_module(module)).files
            files |= {f"{self.target.shared.prefix}{module}/{at}": data for at, data in inside.items()}
        texts = {name: data.decode("utf-8", "replace") for name, data in files.items()}
        if patch := archive.expand_document(self.state.read_report(root.folder)).get("patch"):
            texts[environments.COMPARE_PATCH] = patch
        return find_earlier_environments(texts, texts, set(root.environments.values()))

    def collect_files(
        self, root: FleetRoot, stacks: Sequence[FleetStack], conversion: Conversion
    ) -> tuple[dict[str, bytes], set[str]]:
        """Returns the files of a directory, with the views of each stack's objects, and the names of private files."""
        files = {name: encode_content(content) for name, content in conversion.files.items() if name != MANIFEST}
        files |= carry_addresses(conversion.files)
        row = self.state.find_row(root.folder)
        earlier = archive.unpack_files(self.state.read_files(root.folder)).files if row is not None else {}
        private = set(conversion.private)
        for stack in stacks:
            assert stack.live is not None
            environment = root.environments.get(stack.key, "")
            where = f"{environments.FOLDER}/{environment}/{evidence.BEFORE}" if environment else evidence.BEFORE
            views = evidence.ask_lookups(list(evidence.list_lookups(stack.live)), stack.project.answers)
            kept = evidence.read_views(earlier[where].decode("utf-8", "replace")) if where in earlier else None
            if kept is not None and (kept.stack_id, kept.changed) == (stack.live.id, stack.summary.changed):
                files[where] = earlier[where]  # as long as Heat has not changed the stack, the first view counts
            else:
                text = evidence.print_views(
                    KeptViews(
                        stack.live.name,
                        stack.live.id,
                        stack.project.id,
                        stack.summary.changed,
                        views,
                        evidence.list_unseen(stack.live),
                    )
                )
                files[where] = text.encode("utf-8", "replace")
            private.add(where)
        return dict(sorted(files.items())), private

    def leave_unread(self, stack: FleetStack) -> None:
        """Notes that a stack could not be read."""
        adoptee = Adoptee(None, "export", None, stack.findings)
        candidate = read_candidate(stack.summary.name, adoptee, self.request, None, None, self.added)
        self.leave_stack(stack, candidate.run.conversion())

    def leave_stack(self, stack: FleetStack, conversion: Conversion) -> None:
        """Notes that a stack is left. That a service owns it, or that it cannot be adopted now, is a warning for the
        fleet and no error: the table says why.
        """
        owned = any(d.code == codes.STACK_OF_A_SERVICE for d in conversion.diagnostics)
        if owned:
            conversion.diagnostics = [d.reduced_to_warning() for d in conversion.diagnostics]
        findings, fails = self.grade(conversion, stack.summary.name)
        self.failed = self.failed or fails
        self.tell(stack.label, findings)
        conversion.report["diagnostics"] = [d.as_json() for d in findings]
        self.reports.append(conversion.report)
        self.verdicts.append(leave_verdict(stack, findings))


def leave_verdict(stack: FleetStack, findings: Sequence[Diagnostic]) -> StackVerdict:
    """That a stack is left, for the first of the findings that prevents its adoption."""
    ordered = sorted(
        findings,
        key=lambda d: (d.code != codes.STACK_OF_A_SERVICE, d.severity != "error", d.severity != "warning"),
    )
    why = f"{ordered[0].code}: {ordered[0].message}" if ordered else "it could not be read"
    summary = stack.summary
    return StackVerdict(stack.project.name, summary.name, summary.id, summary.state, LEAVE, why)


def make_verdict_of_report(
    stack: FleetStack, report: Mapping[str, Any], folder: str, environment: str, template: str
) -> StackVerdict:
    """Returns the verdict on a converted stack: adopted as a whole, or in part with the reason."""
    kept, reasons = [], []
    number = 0
    for part in template_reports(report):
        for name, resource in part["resources"].items():
            number += 1
            if resource["treatment"] == "embedded":
                kept.append(name)
                if "why" in (reason := resource.get("kept", {})):
                    reasons.append(f"{name} ({resource['type']}): {reason['why']}")
    why = reasons[0] if reasons else f"{', '.join(kept[:3])} stay with Heat" if kept else ""
    why += f", and {len(reasons) - 1} more" if len(reasons) > 1 else ""
    summary = stack.summary
    return StackVerdict(
        stack.project.name,
        summary.name,
        summary.id,
        summary.state,
        PART if kept else WHOLE,
        why,
        folder,
        environment,
        len(report.get("imports", {})),
        len(report.get("additions", {})),
        len(report.get("unknown_ids", {})),
        number,
        sorted(kept),
        len(report["drift"]["differences"]) if "drift" in report else None,
        template,
    )


def has_error_in(report: Mapping[str, Any]) -> bool:
    return any(d["severity"] == "error" for d in report.get("diagnostics", ()))

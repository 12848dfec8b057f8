"""The test files of a conversion: one for the root, and one for each module, which is tested by itself.

Invariant: a file is written only if all its runs can be expected to pass; the file counts what it leaves out.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, final

from emitters.hcl.assemble.directory import list_providers
from emitters.hcl.assemble.origin import Origin
from emitters.hcl.attempt import Attempt
from emitters.hcl.evaluation.functions import EvaluationFailed, UnknownValue
from emitters.hcl.namespace import UniqueNames
from emitters.hcl.proof.assertions import Assertion, collect_assertions, influencing_variables
from emitters.hcl.proof.assignments import MOST, RUNS, Assignment, further_assignments
from emitters.hcl.proof.overrides import resource_address
from emitters.hcl.proof.subjects import Unprovable, root_subject, walk_called_modules
from emitters.hcl.proof.trial import ProofSubject, ProofTrial
from emitters.hcl.tree.nodes import Block, Expr, Note, Traversal, Tuple, expression_from_data
from emitters.hcl.tree.printer import print_hcl, print_inline
from transpile.evaluate.pure import EvaluationError
from transpile.model.meter import LimitExceeded
from transpile.resolve.stack import Stack

FILE = "tests/heat.tftest.hcl"
TOO_DEEP = "values depend on each other in too long a chain"
NO_TESTS = (Unprovable, LimitExceeded, RecursionError)
APPLIED = 4  # at most so many runs apply


def write_test_files(
    stack: Stack, root: Attempt, modules: Mapping[str, Attempt], origin: Origin, imports: Sequence[Block] = ()
) -> tuple[dict[str, str], dict[str, Any]]:
    """The test files, and their entries in the report. A file that cannot be written has an entry with the reason.

    modules: the attempts at modules, by label. origin: what the files say about their origin. imports: the import
    blocks of an adoption.
    """
    files: dict[str, str] = {}
    report: dict[str, Any] = {}
    try:
        subjects: dict[str, ProofSubject | str] = {FILE: root_subject(stack, root, modules)}
        if modules:
            subjects |= module_subjects(subjects[FILE])
    except NO_TESTS as e:
        return {}, {FILE: {"why": explain_missing_tests(e)}}
    for name, subject in subjects.items():
        if isinstance(subject, str):
            report[name] = {"why": subject}
            continue
        try:
            suite = ProofSuite(subject, imports if name == FILE else ())
            files[name] = suite.print_tests(origin)
            report[name] = suite.report_counts()
        except NO_TESTS as e:
            report[name] = {"why": explain_missing_tests(e)}
    return files, report


def explain_missing_tests(error: Exception) -> str:
    """Why there are no tests, as a clause."""
    if isinstance(error, LimitExceeded):
        return f"it would exceed the limit {error.name}"
    return TOO_DEEP if isinstance(error, RecursionError) else str(error)


def module_subjects(root: ProofSubject | str) -> Iterator[tuple[str, ProofSubject | str]]:
    """The modules that a root calls, by the name of their file."""
    taken = UniqueNames()
    for module, subject in walk_called_modules(root) if isinstance(root, ProofSubject) else ():
        yield f"tests/heat_{taken.reserve_name(module.stem)}.tftest.hcl", subject


@final
class ProofSuite:
    """The tests of one subject. imports: import blocks. Mock providers cannot import, so targets are overridden."""

    def __init__(self, subject: ProofSubject, imports: Sequence[Block] = ()) -> None:
        self.subject, self.emission, self.imports = subject, subject.emission, imports
        self.names = subject.emission.names.variables
        self.unasserted: dict[str, dict[str, None]] = {why: {} for why in REASONS}  # what is left out, by reason
        self.counts = Counter[str]()
        self.run_names = UniqueNames()
        self.can_apply = self.is_safe_to_apply()
        self.base = Assignment("as_converted", "", subject.values)
        self.assertions_by_subject: dict[str, Assertion] = {}
        self.directory = ProofTrial(subject, {}, planned=True).root_directory
        self.influences: dict[int, frozenset[str]] = {}  # by id() of a block: the suite keeps all blocks alive

    def is_safe_to_apply(self) -> bool:
        """Whether a run may apply: nothing refuses to be destroyed afterwards, runs scripts, or ignores changes."""
        attempts = [self.subject.attempt, *self.subject.modules.values()]
        return not any(
            isinstance(block, Block) and block.type == "resource" and prevents_apply(block)
            for attempt in attempts
            for block in attempt.emission.blocks.main
        )

    def print_tests(self, origin: Origin) -> str:
        runs = list(self.run_blocks())
        attempts = [self.subject.attempt, *self.subject.modules.values()]
        needed = {name for attempt in attempts for name in list_providers(attempt.emission)}
        items: list[Note | Block] = [Block("mock_provider", (name,)) for name in sorted(needed)]
        variables = Block("variables")
        for label, value in sorted(ProofTrial(self.subject, self.base.values, planned=True).variable_values.items()):
            variables.add_argument(label, expression_from_data(value))
        if variables.body:
            items.append(variables)
        items += self.override_blocks()
        module = self.subject.module
        return print_hcl(
            [origin.make_note(module.file if module is not None else ""), Note(self.head_comment()), *items, *runs]
        )

    def variable_values(self, values: Mapping[str, Any]) -> dict[str, Any]:
        """The values of variables, by label. A parameter that nothing uses has no variable."""
        return {self.names[name]: value for name, value in values.items() if self.names[name] in self.subject.declared}

    def head_comment(self) -> list[str]:
        lines = [
            " What Heat makes of the template, as tests of what Terraform makes of it. They need",
            " no cloud and no credentials: terraform init && terraform test",
        ]
        counts = [(len(self.unasserted[why]), text) for why, text in REASONS.items() if self.unasserted[why]]
        return lines + [f" Not tested: {n} {text}." for n, text in counts]

    def override_blocks(self) -> Iterator[Block]:
        """The blocks with stand-ins for attributes that only the provider computes, and for imported resources."""
        targets = [resource_address(required_argument(block, "to")) for block in self.imports]
        imported = {print_inline(target): target for target in targets}
        for over in self.subject.overrides.by_address.values():
            if imported.pop(print_inline(over.address), None) is not None or over.values:
                yield override_block(over.address, over.values, data=over.data)
        for target in imported.values():
            yield override_block(target, {}, data=False)

    # runs

    def run_blocks(self) -> Iterator[Block]:
        base, planned = self.base, ProofTrial(self.subject, self.base.values, planned=True)
        if self.subject.module is not None and self.emission.sensitive:
            raise Unprovable("it returns a secret, which Terraform lets no module do that is tested by itself")
        if any(required_argument(import_block, "id") == "" for import_block in self.imports):
            raise Unprovable("an import has no ID yet")
        if has_too_many_members(planned):
            raise Unprovable(f"a group has more than {MOST} members")
        if why := planned.explain_failure():
            raise Unprovable(why)
        first = ProofTrial(self.subject, base.values, planned=False)
        apply = self.can_apply and not first.explain_failure()
        plans, applied = list[Block](), list[Block]()
        assertions = self.collect_run_assertions(first if apply else planned)
        if not assertions:
            raise Unprovable("no value is known before everything exists")
        self.assertions_by_subject = {assertion.what: assertion for assertion in assertions}
        block = self.write_run(base, apply=apply, assertions=assertions)
        (applied if apply else plans).append(block)
        for assignment in further_assignments(self.subject.stack, self.emission, base.values):
            if len(plans) + len(applied) >= RUNS:
                self.unasserted["more"][assignment.label] = None
                continue
            if assignment.refused:
                plans.append(self.write_run(assignment, apply=False, assertions=()))
                continue
            trial = ProofTrial(self.subject, assignment.values, planned=True)
            if has_too_many_members(trial) or trial.explain_failure() or self.imports_fail(trial):
                self.unasserted["refused"][assignment.label] = None
                continue
            more = self.has_uncovered_resources(trial)
            applies = apply and more and len(applied) < APPLIED
            if applies:
                final_ = ProofTrial(self.subject, assignment.values, planned=False)
                applies = not final_.explain_failure()
                trial = final_ if applies else trial
            asserted = [a for a in self.collect_run_assertions(trial, count=False) if self.is_affected(a, assignment)]
            if asserted:
                self.assertions_by_subject |= {a.what: a for a in asserted if a.what not in self.assertions_by_subject}
                (applied if applies else plans).append(
                    self.write_run(assignment, apply=bool(applies), assertions=asserted)
                )
        yield from plans
        yield from applied

    def imports_fail(self, trial: ProofTrial) -> bool:
        """Whether an import block has a target that does not exist with these values."""
        targets = {print_inline(required_argument(block, "to")) for block in self.imports}
        return bool(targets and targets - {instance.address_text for instance in trial.plan.root.walk_instances()})

    def has_uncovered_resources(self, trial: ProofTrial) -> bool:
        """Whether a trial has resources without an assertion so far."""
        covered = {what.partition(".")[0] for what, assertion in self.assertions_by_subject.items() if "." in what}
        try:
            return bool(set(trial.heat.evaluation.resource_names) - covered)
        except EvaluationError:
            return False

    def collect_run_assertions(self, trial: ProofTrial, *, count: bool = True) -> list[Assertion]:
        out = []
        for observation in collect_assertions(trial):
            if isinstance(observation, Assertion):
                out.append(observation)
            elif count or observation.why == "differs":
                self.unasserted[observation.why][observation.what] = None
        return out

    def report_counts(self) -> dict[str, Any]:
        """The entry for the tests in the report of the conversion."""
        return {**self.counts, **{why: list(names) for why, names in self.unasserted.items() if names}}

    def is_affected(self, assertion: Assertion, assignment: Assignment) -> bool:
        """Whether an assertion is not in the first run, or the assignment might change its value."""
        before = self.assertions_by_subject.get(assertion.what)
        if before is None or before.condition != assertion.condition:
            return True
        changed = {
            self.names[name] for name, value in assignment.values.items() if self.base.values.get(name, ...) != value
        }
        if assertion.block is None:
            return False
        if id(assertion.block) not in self.influences:
            self.influences[id(assertion.block)] = influencing_variables(self.directory, assertion.block)
        return bool(changed & self.influences[id(assertion.block)])

    def write_run(self, assignment: Assignment, *, apply: bool, assertions: Sequence[Assertion]) -> Block:
        block = Block("run", (self.run_names.reserve_name(assignment.label),))
        block.comments = [f" {assignment.why}"] if assignment.why else []
        block.add_argument("command", Traversal(("apply" if apply else "plan",)))
        if self.subject.module is not None:
            block.add_block("module").add_argument("source", f"./{self.subject.module.folder}")
        base = self.variable_values(self.base.values)
        variables = {
            k: v
            for k, v in self.variable_values(assignment.values).items()
            if k not in base or base[k] != v or type(base[k]) is not type(v)
        }
        if variables:
            inner = block.add_block("variables")
            for label, value in sorted(variables.items()):
                inner.add_argument(label, expression_from_data(value))
        if assignment.refused:
            block.add_argument("expect_failures", Tuple((Traversal(("var", self.names[assignment.refused])),)))
        self.counts.update(runs=1, assertions=len(assertions) or 1)
        for assertion in assertions:
            inner = block.add_block("assert")
            inner.add_argument("condition", assertion.condition)
            inner.add_argument("error_message", assertion.message)
        return block


def override_block(target: Expr, values: Mapping[str, Any], *, data: bool) -> Block:
    """The block that gives a resource or data source its stand-ins."""
    block = Block("override_data" if data else "override_resource")
    block.add_argument("target", target)
    block.add_argument("values", expression_from_data(dict(sorted(values.items()))))
    return block


def required_argument(block: Block, name: str) -> Expr:
    """The value of an argument that the block must have."""
    argument = block.find_argument(name)
    assert argument is not None
    return argument.value


REASONS: Mapping[str, str] = {
    "unknown": "that Terraform knows only after apply",
    "heat": "that only Heat knows",
    "differs": "that Heat makes otherwise (see the report)",
    "none": "of resources that do not exist with these values",
    "more": f"runs beyond {RUNS}",
    "refused": "runs whose values are refused, or that lack what is imported",
}


def prevents_apply(block: Block) -> bool:
    """Whether a resource cannot be applied and destroyed in a test."""
    for item in block.body:
        if isinstance(item, Block) and item.type == "provisioner":
            return True
        words = ("prevent_destroy", "ignore_changes") if isinstance(item, Block) and item.type == "lifecycle" else ()
        if isinstance(item, Block) and any(item.find_argument(word) is not None for word in words):
            return True
    return False


def has_too_many_members(trial: ProofTrial) -> bool:
    """Whether there are more members than a test can show."""
    try:
        return any(
            len(trial.root_directory.instance_keys(block)) > MOST
            for block in (*trial.root_directory.blocks.values(), *trial.root_directory.calls.values())
        )
    except (UnknownValue, EvaluationFailed):
        return False

"""The test files of a conversion: one for the root, and one for each module, which is tested by itself.

Invariant: a file is written only if all its runs can be expected to pass; what is left out is counted in it.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any, final

from emitters.hcl.assemble.directory import list_providers
from emitters.hcl.evaluation.functions import Failed, Unknown
from emitters.hcl.namespace import Names
from emitters.hcl.proof.assertions import Assertion, influences, observe
from emitters.hcl.proof.assignments import MOST, RUNS, Assignment, others
from emitters.hcl.proof.overrides import whole
from emitters.hcl.proof.subjects import Unprovable, called, root_of
from emitters.hcl.proof.trial import Subject, Trial
from emitters.hcl.tree.nodes import Block, Note, Traversal, Tuple, expression_from_data
from emitters.hcl.tree.printer import print_hcl, print_inline
from transpile.evaluate.pure import EvaluationError
from transpile.model.meter import LimitExceeded

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from emitters.hcl.assemble.origin import Origin
    from emitters.hcl.attempt import Attempt
    from emitters.hcl.tree.nodes import Expr
    from transpile.resolve.stack import Stack

FILE = "tests/heat.tftest.hcl"
TOO_DEEP = "values depend on each other in too long a chain"
NO_TESTS = (Unprovable, LimitExceeded, RecursionError)
APPLIED = 4  # runs that apply, at most


def write(
    stack: Stack, root: Attempt, modules: Mapping[str, Attempt], origin: Origin, imports: Sequence[Block] = ()
) -> tuple[dict[str, str], dict[str, Any]]:
    """The test files, and what the report says of them: by file, and why there is none. origin: what makes them;
    imports: of an adoption.
    """
    files: dict[str, str] = {}
    report: dict[str, Any] = {}
    try:
        subjects: dict[str, Subject | str] = {FILE: root_of(stack, root, modules)}
        if modules:
            subjects |= of_modules(subjects[FILE])
    except NO_TESTS as e:
        return {}, {FILE: {"why": reason(e)}}
    for name, one in subjects.items():
        if isinstance(one, str):
            report[name] = {"why": one}
            continue
        try:
            suite = Suite(one, imports if name == FILE else ())
            files[name] = suite.text(origin)
            report[name] = suite.report()
        except NO_TESTS as e:
            report[name] = {"why": reason(e)}
    return files, report


def reason(error: Exception) -> str:
    """Why there are no tests, as a clause."""
    if isinstance(error, LimitExceeded):
        return f"it would exceed the limit {error.name}"
    return TOO_DEEP if isinstance(error, RecursionError) else str(error)


def of_modules(root: Subject | str) -> Iterator[tuple[str, Subject | str]]:
    """The modules that a root calls, by the name of their file."""
    taken = Names()
    for module, one in called(root) if isinstance(root, Subject) else ():
        yield f"tests/heat_{taken.take(module.stem)}.tftest.hcl", one


@final
class Suite:
    """The tests of one subject. imports: the blocks that import resources of it, which a mock cannot do."""

    def __init__(self, subject: Subject, imports: Sequence[Block] = ()) -> None:
        self.subject, self.emission, self.imports = subject, subject.emission, imports
        self.names = subject.emission.names.variables
        self.left: dict[str, dict[str, None]] = {why: {} for why in REASONS}  # what is not asserted
        self.number = Counter[str]()
        self.taken = Names()
        self.safe = self.applies()
        self.base = Assignment("as_converted", "", subject.values)
        self.found: dict[str, Assertion] = {}
        self.directory = Trial(subject, {}, planned=True).directory
        self.influences: dict[int, frozenset[str]] = {}  # by id() of a block, which stays alive

    def applies(self) -> bool:
        """Whether a run may apply: nothing refuses to be destroyed afterwards, runs scripts, or ignores changes."""
        attempts = [self.subject.attempt, *self.subject.modules.values()]
        return not any(
            isinstance(block, Block) and block.type == "resource" and hinders(block)
            for attempt in attempts
            for block in attempt.emission.blocks.main
        )

    def text(self, origin: Origin) -> str:
        runs = list(self.runs())
        attempts = [self.subject.attempt, *self.subject.modules.values()]
        needed = {name for attempt in attempts for name in list_providers(attempt.emission)}
        items: list[Note | Block] = [Block("mock_provider", (name,)) for name in sorted(needed)]
        variables = Block("variables")
        for label, value in sorted(Trial(self.subject, self.base.values, planned=True).given.items()):
            variables.add_argument(label, expression_from_data(value))
        if variables.body:
            items.append(variables)
        items += self.overrides()
        module = self.subject.module
        return print_hcl(
            [origin.make_note(module.file if module is not None else ""), Note(self.head()), *items, *runs]
        )

    def given(self, values: Mapping[str, Any]) -> dict[str, Any]:
        """The values of variables, by label. A parameter that nothing uses has none."""
        return {self.names[name]: value for name, value in values.items() if self.names[name] in self.subject.declared}

    def head(self) -> list[str]:
        lines = [
            " What Heat makes of the template, as tests of what Terraform makes of it. They need",
            " no cloud and no credentials: terraform init && terraform test",
        ]
        counts = [(len(self.left[why]), text) for why, text in REASONS.items() if self.left[why]]
        return lines + [f" Not tested: {n} {text}." for n, text in counts]

    def overrides(self) -> Iterator[Block]:
        """The stand-ins for what only the provider computes, and for what is imported."""
        targets = [whole(given(one, "to")) for one in self.imports]
        imported = {print_inline(target): target for target in targets}
        for over in self.subject.overrides.given.values():
            if imported.pop(print_inline(over.address), None) is not None or over.values:
                yield override(over.address, over.values, data=over.data)
        for target in imported.values():
            yield override(target, {}, data=False)

    # runs

    def runs(self) -> Iterator[Block]:
        base, planned = self.base, Trial(self.subject, self.base.values, planned=True)
        if self.subject.module is not None and self.emission.sensitive:
            raise Unprovable("it returns a secret, which Terraform lets no module do that is tested by itself")
        if any(given(one, "id") == "" for one in self.imports):
            raise Unprovable("an import has no ID yet")
        if too_many(planned):
            raise Unprovable(f"a group has more than {MOST} members")
        if why := planned.fails():
            raise Unprovable(why)
        first = Trial(self.subject, base.values, planned=False)
        apply = self.safe and not first.fails()
        plans, applied = list[Block](), list[Block]()
        known = self.asserted(first if apply else planned)
        if not known:
            raise Unprovable("no value is known before everything exists")
        self.found = {one.what: one for one in known}
        block = self.run(base, apply=apply, found=known)
        (applied if apply else plans).append(block)
        for one in others(self.subject.stack, self.emission, base.values):
            if len(plans) + len(applied) >= RUNS:
                self.left["more"][one.label] = None
                continue
            if one.refused:
                plans.append(self.run(one, apply=False, found=()))
                continue
            trial = Trial(self.subject, one.values, planned=True)
            if too_many(trial) or trial.fails() or self.imports_fail(trial):
                self.left["refused"][one.label] = None
                continue
            more = self.uncovered(trial)
            applies = apply and more and len(applied) < APPLIED
            if applies:
                final_ = Trial(self.subject, one.values, planned=False)
                applies = not final_.fails()
                trial = final_ if applies else trial
            asserted = [a for a in self.asserted(trial, count=False) if self.touched(a, one)]
            if asserted:
                self.found |= {a.what: a for a in asserted if a.what not in self.found}
                (applied if applies else plans).append(self.run(one, apply=bool(applies), found=asserted))
        yield from plans
        yield from applied

    def imports_fail(self, trial: Trial) -> bool:
        """Whether something would be imported that does not exist with these values."""
        wanted = {print_inline(given(one, "to")) for one in self.imports}
        return bool(wanted and wanted - {one.shown for one in trial.plan.root.instances()})

    def uncovered(self, trial: Trial) -> bool:
        """Whether a trial has resources that no run asserts so far."""
        known = {what.partition(".")[0] for what, one in self.found.items() if "." in what}
        try:
            return bool(set(trial.heat.evaluation.resource_names) - known)
        except EvaluationError:
            return False

    def asserted(self, trial: Trial, *, count: bool = True) -> list[Assertion]:
        out = []
        for one in observe(trial):
            if isinstance(one, Assertion):
                out.append(one)
            elif count or one.why == "differs":
                self.left[one.why][one.what] = None
        return out

    def report(self) -> dict[str, Any]:
        """What the report of the conversion says of the tests."""
        return {**self.number, **{why: list(names) for why, names in self.left.items() if names}}

    def touched(self, one: Assertion, assignment: Assignment) -> bool:
        """Whether an assertion says something that the first run does not, or that the assignment might change."""
        before = self.found.get(one.what)
        if before is None or before.condition != one.condition:
            return True
        changed = {
            self.names[name] for name, value in assignment.values.items() if self.base.values.get(name, ...) != value
        }
        if one.block is None:
            return False
        if id(one.block) not in self.influences:
            self.influences[id(one.block)] = influences(self.directory, one.block)
        return bool(changed & self.influences[id(one.block)])

    def run(self, one: Assignment, *, apply: bool, found: Sequence[Assertion]) -> Block:
        block = Block("run", (self.taken.take(one.label),))
        block.comments = [f" {one.why}"] if one.why else []
        block.add_argument("command", Traversal(("apply" if apply else "plan",)))
        if self.subject.module is not None:
            block.add_block("module").add_argument("source", f"./{self.subject.module.folder}")
        base = self.given(self.base.values)
        variables = {
            k: v
            for k, v in self.given(one.values).items()
            if k not in base or base[k] != v or type(base[k]) is not type(v)
        }
        if variables:
            inner = block.add_block("variables")
            for label, value in sorted(variables.items()):
                inner.add_argument(label, expression_from_data(value))
        if one.refused:
            block.add_argument("expect_failures", Tuple((Traversal(("var", self.names[one.refused])),)))
        self.number.update(runs=1, assertions=len(found) or 1)
        for assertion in found:
            inner = block.add_block("assert")
            inner.add_argument("condition", assertion.condition)
            inner.add_argument("error_message", assertion.message)
        return block


def override(target: Expr, values: Mapping[str, Any], *, data: bool) -> Block:
    """The block that gives a resource or data source its stand-ins."""
    block = Block("override_data" if data else "override_resource")
    block.add_argument("target", target)
    block.add_argument("values", expression_from_data(dict(sorted(values.items()))))
    return block


def given(block: Block, name: str) -> Expr:
    """The value of an argument that is there."""
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


def hinders(block: Block) -> bool:
    """Whether a resource cannot be applied and destroyed in a test."""
    for item in block.body:
        if isinstance(item, Block) and item.type == "provisioner":
            return True
        words = ("prevent_destroy", "ignore_changes") if isinstance(item, Block) and item.type == "lifecycle" else ()
        if isinstance(item, Block) and any(item.find_argument(word) is not None for word in words):
            return True
    return False


def too_many(trial: Trial) -> bool:
    """Whether there are more members than a test can show."""
    try:
        return any(
            len(trial.directory.keys(block)) > MOST
            for block in (*trial.directory.blocks.values(), *trial.directory.calls.values())
        )
    except (Unknown, Failed):
        return False

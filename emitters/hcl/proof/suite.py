"""The test files of a conversion: one for the root, and one for each module, which is tested by itself.

Invariant: a file is written only if all its runs can be expected to pass; the file counts the values that it leaves
out. A block that no mock can plan is left out by itself, and the file names it.
"""

from __future__ import annotations

import functools
import itertools
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, final

from emitters.hcl.assemble.origin import Origin
from emitters.hcl.assemble.required_providers import list_providers
from emitters.hcl.attempt import Attempt
from emitters.hcl.evaluation.functions import EvaluationFailed, UnknownValue
from emitters.hcl.namespace import UniqueNames
from emitters.hcl.proof.assertions import Assertion, collect_assertions, influencing_variables
from emitters.hcl.proof.assignments import (
    COUNTED,
    MOST,
    RUNS,
    TRIED,
    Assignment,
    assign_template_defaults,
    assign_violations,
    flip_conditions,
    further_assignments,
    ids_for_names,
    join_violations,
    list_other_values,
    names_for_ids,
)
from emitters.hcl.proof.further import collect_further_assertions
from emitters.hcl.proof.overrides import Overrides, path_without_keys, resource_address
from emitters.hcl.proof.remainder import collect_remaining_assertions
from emitters.hcl.proof.subjects import Unprovable, explain_unprovable, root_subject, walk_called_modules
from emitters.hcl.proof.trial import ProofSubject, ProofTrial, root_blocks
from emitters.hcl.provider_names import ProviderNames
from emitters.hcl.roll_up.names import UNROLLED, Unrolled
from emitters.hcl.tree.nodes import Block, Expr, Fn, Note, Traversal, Tuple, expression_from_data
from emitters.hcl.tree.printer import print_hcl, print_inline
from emitters.hcl.tree.rebuilding import rebuild_block
from transpile.diagnostics import codes
from transpile.diagnostics.model import Diagnostic, make_sentence
from transpile.evaluate.pure import EvaluationError
from transpile.model.meter import LimitExceeded, make_output_meter
from transpile.model.span import START
from transpile.model.words import count_noun
from transpile.resolve.stack import Stack

FILE = "tests/heat.tftest.hcl"
TERRAFORM, OPENTOFU = ".tftest.hcl", ".tofutest.hcl"  # OpenTofu reads the second in place of the first
NO_TESTS = (Unprovable, LimitExceeded, RecursionError)
ITEM = re.compile(r"([\w.]+)\[\d+\]\.(\w+) == ")  # begins a condition about an item of a list
APPLIED = 4  # at most so many runs apply


def write_test_files(
    stack: Stack,
    root: Attempt,
    modules: Mapping[str, Attempt],
    origin: Origin,
    imports: Sequence[Block] = (),
    roll_up: Unrolled = UNROLLED,
    *,
    all_runs: bool = True,
) -> tuple[dict[str, str], dict[str, Any], list[Diagnostic]]:
    """Writes the test files, their entries in the report, and warnings for files that cannot be written.

    modules: the attempts at modules, by label. origin: the origin that the files name. imports: the import
    blocks of an adoption. roll_up: the families, whose members have other addresses in the files. all_runs: as for a
    `ProofSuite`.
    """
    files: dict[str, str] = {}
    report: dict[str, Any] = {}
    try:
        root_tests = root_subject(stack, root, modules)
        use_written_addresses(root_tests, roll_up)
        subjects: dict[str, ProofSubject | str] = {FILE: root_tests}
        if modules:
            subjects |= module_subjects(root_tests)
    except NO_TESTS as e:
        return {}, {FILE: {"why": explain_unprovable(e)}}, [warn_of_missing_tests(FILE, stack, e)]
    diagnostics: list[Diagnostic] = []
    for name, subject in subjects.items():
        if isinstance(subject, str):
            report[name] = {"why": subject}
            diagnostics.append(warn_of_missing_tests(name, stack, Unprovable(subject)))
            continue
        blocks = imports if name == FILE else ()
        use_written_addresses(subject, roll_up)
        try:
            suite = ProofSuite(subject, blocks, roll_up, all_runs=all_runs)
            files[name] = suite.print_tests(origin)
            report[name] = suite.report_counts()
            if suite.differs_in_opentofu:
                shared = Overrides(subject.overrides.providers, by_instance=False)
                shared.rename = subject.overrides.rename
                other = ProofSuite(subject.copy_with(shared, subject.values), blocks, roll_up, all_runs=all_runs)
                name = name.removesuffix(TERRAFORM) + OPENTOFU
                files[name] = other.print_tests(origin)
                report[name] = other.report_counts()
        except NO_TESTS as e:
            report[name] = {"why": explain_unprovable(e)}
            diagnostics.append(warn_of_missing_tests(name, subject.stack, e))
    return files, report, diagnostics


def use_written_addresses(subject: ProofSubject, roll_up: Unrolled) -> None:
    """Makes the stand-ins of a subject have the addresses of the files. Called before any stand-in is made."""
    subject.overrides.rename = functools.partial(roll_up.rename_path, subject.emission)


def warn_of_missing_tests(file: str, stack: Stack, error: Exception) -> Diagnostic:
    """The warning that a test file is not written, at the place that prevents it, if that is in the template."""
    template = stack.template
    name = error.definition if isinstance(error, Unprovable) else ""
    definition = template.resources.get(name) or template.parameters.get(name)
    message = make_sentence(f"No tests are written in {file}: {explain_unprovable(error)}")
    return Diagnostic(
        codes.TESTS_NOT_WRITTEN, message, template.source, definition.span if definition is not None else START
    )


def module_subjects(root: ProofSubject | str) -> Iterator[tuple[str, ProofSubject | str]]:
    """The modules that a root calls, by the name of their file."""
    taken = UniqueNames()
    for module, subject in walk_called_modules(root) if isinstance(root, ProofSubject) else ():
        yield f"tests/heat_{taken.reserve_name(module.stem)}.tftest.hcl", subject


@final
class ProofSuite:
    """The tests of one subject. imports: import blocks. Mock providers cannot import, so targets are overridden.
    roll_up: the families, if there are some. all_runs: also runs with other values, sizes and limits, and refusals;
    otherwise one with the values as converted, and one for each condition.
    """

    def __init__(
        self,
        subject: ProofSubject,
        imports: Sequence[Block] = (),
        roll_up: Unrolled = UNROLLED,
        *,
        all_runs: bool = True,
    ) -> None:
        self.all_runs = all_runs
        self.rolled_names = roll_up.names_in(subject.emission)
        self.subject, self.emission, self.imports = subject, subject.emission, imports
        self.names = subject.emission.names.variables
        self.unasserted: dict[str, dict[str, None]] = {
            why: {} for why in REASONS
        }  # subjects that are left out, by reason
        self.counts = Counter[str]()
        self.run_names = UniqueNames()
        self.most_applied = self.count_safe_applies()
        self.base = Assignment("as_converted", "", subject.values)
        self.assertions_by_subject: dict[str, Assertion] = {}
        self.directory = ProofTrial(subject, {}, planned=True).root_directory
        self.run_labels: frozenset[str] = frozenset()
        self.applied_blocks: set[str] = set()  # addresses
        self.counts_all = True  # whether all runs that are left out are counted
        self.for_opentofu, self.counts_modules = not subject.overrides.by_instance, False
        self.influences: dict[int, frozenset[str]] = {}  # by id() of a block: the suite keeps all blocks alive

    def count_safe_applies(self) -> int:
        """The number of runs that may apply: none if a resource cannot be destroyed afterwards or runs scripts, and one
        if changes are ignored, as a second one would change the objects of the first.
        """
        attempts = [self.subject.attempt, *self.subject.modules.values()]
        words = {
            word
            for attempt in attempts
            for block in attempt.emission.blocks.main
            if isinstance(block, Block) and block.type == "resource"
            for word in list_obstacles(block)
        }
        return APPLIED if not words else 1 if words == {"ignore_changes"} else 0

    @property
    def differs_in_opentofu(self) -> bool:
        """Whether OpenTofu needs a file of its own: it overrides no single instances, and a module without outputs has
        no length there.
        """
        keyed = any(target != path_without_keys(target) for target in self.import_targets)
        return self.subject.overrides.have_keys or keyed or self.counts_modules

    @property
    def import_targets(self) -> list[Expr]:
        """The resources that import blocks name, by their written addresses; for OpenTofu without keys."""
        rename = self.subject.overrides.rename
        targets = [rename(resource_address(required_argument(block, "to"))) for block in self.imports]
        return [path_without_keys(target) for target in targets] if self.for_opentofu else targets

    def print_tests(self, origin: Origin) -> str:
        self.base = self.choose_base()
        self.run_labels = self.find_run_labels()
        runs = list(self.run_blocks())
        needed = sorted(list_providers(self.emission))
        items: list[Note | Block] = [Block("mock_provider", (name,)) for name in needed]
        variables = Block("variables")
        for label, value in sorted(ProofTrial(self.subject, self.base.values, planned=True).variable_values.items()):
            if label in self.run_labels:
                continue
            variables.add_argument(label, expression_from_data(value))
        if variables.body:
            items.append(variables)
        items += self.override_blocks()
        module = self.subject.module
        runs = [rebuild_block(run, self.rolled_names.rename_argument) for run in runs]
        names = ProviderNames(self.emission.unit.tables.overlay)
        return print_hcl(
            names.rename_items(
                [
                    Note([*origin.make_note(module.file).lines, *self.head_comment()]),
                    *items,
                    *runs,
                ]
            ),
            pay=make_output_meter(self.subject.stack.template.source),
        )

    def choose_base(self) -> Assignment:
        """The first assignment: the initial values, or names instead of IDs if Terraform can plan more with those.

        A data source that is asked by ID knows no name before it asks the cloud, and a mock never does.
        """
        failing = ProofTrial(self.subject, self.base.values, planned=True).find_failing_blocks()
        named = names_for_ids(self.subject.stack, self.base.values) if failing else {}
        if not named:
            return self.base
        values = {**self.base.values, **named}
        if len(ProofTrial(self.subject, values, planned=True).find_failing_blocks()) >= len(failing):
            return self.base
        return Assignment("with_names", "Names in place of IDs, as the mocks know no names of IDs.", values)

    def find_run_labels(self) -> frozenset[str]:
        """The variables that each run sets for itself, because one run leaves them to the module's defaults."""
        if self.subject.module.is_root or not self.all_runs:
            return frozenset()
        omitted = [a.omitted for a in assign_template_defaults(self.subject.stack, self.base.values, omit=True)]
        return frozenset(self.variable_values(dict.fromkeys(frozenset().union(*omitted))))

    def variable_values(self, values: Mapping[str, Any]) -> dict[str, Any]:
        """The values of variables, by label. A parameter that nothing uses has no variable."""
        return {self.names[name]: value for name, value in values.items() if self.names[name] in self.subject.declared}

    def head_comment(self) -> list[str]:
        lines = [" Heat's values for the template, as assertions. No cloud is needed: terraform init && terraform test"]
        if not self.all_runs:  # the report has the rest
            return lines + [f" Left out: {why}." for why in self.subject.left_out.values()]
        if number := self.counts["converted"]:
            many = count_noun(number, "assertion")
            lines.append(f" As converted: {many} about values that Heat does not compute. They detect later changes.")
        for why, text in REASONS.items():
            if number := len(self.unasserted[why]):
                at_least = "at least " if why == "more" and not self.counts_all else ""
                lines.append(f" Not tested: {at_least}{number} {text}.")
        return lines + [f" Left out: {why}." for why in self.subject.left_out.values()]

    def override_blocks(self) -> Iterator[Block]:
        """The blocks with stand-ins for attributes that only the provider computes, and for imported resources."""
        imported = {print_inline(target): target for target in self.import_targets}
        for over in self.subject.overrides.by_address.values():
            if imported.pop(print_inline(over.address), None) is not None or over.values:
                yield override_block(over.address, over.values, data=over.data)
        for target in imported.values():
            yield override_block(target, {}, data=False)

    # runs

    def run_blocks(self) -> Iterator[Block]:
        base, planned = self.base, ProofTrial(self.subject, self.base.values, planned=True)
        if any(required_argument(import_block, "id") == "" for import_block in self.imports):
            raise Unprovable("an import has no ID yet")
        if has_too_many_members(planned):
            raise Unprovable(f"a group has more than {MOST} members")
        self.leave_out_failing_blocks(planned)
        first = ProofTrial(self.subject, base.values, planned=False)
        # Terraform destroys the objects of a run with a plan of everything, also of parts that no run can plan.
        apply = self.most_applied > 0 and not self.subject.left_out and not first.explain_failure()
        plans, applied = list[Block](), list[Block]()
        assertions = self.collect_run_assertions(first if apply else planned)
        if not any(assertion.from_heat for assertion in assertions):
            raise Unprovable("no value is known before everything exists")
        self.assertions_by_subject = {assertion.subject: assertion for assertion in assertions}
        block = self.write_run(base, apply=apply, assertions=assertions)
        self.applied_blocks |= list_present_blocks(first)
        (applied if apply else plans).append(block)
        others = self.list_further_assignments()
        for tried, assignment in enumerate(others):
            if len(self.unasserted["more"]) == COUNTED:
                self.counts_all = False
                break
            if len(plans) + len(applied) >= RUNS or tried >= TRIED:
                self.unasserted["more"][assignment.label] = None
                continue
            if assignment.refused:
                if all(self.is_planned_variable(self.names[name]) for name in assignment.refused):
                    plans.append(self.write_run(assignment, apply=False, assertions=()))
                else:
                    self.unasserted["left_out"][assignment.label] = None
                continue
            trial = ProofTrial(self.subject, assignment.values, planned=True)
            if not self.accepts_trial(trial):
                self.unasserted["refused"][assignment.label] = None
                continue
            more = self.has_uncovered_resources(trial)
            applies = apply and more and len(applied) < self.most_applied
            if applies:
                final_ = ProofTrial(self.subject, assignment.values, planned=False)
                applies = not final_.explain_failure()
                self.applied_blocks |= list_present_blocks(trial)
                trial = final_ if applies else trial
            asserted = [a for a in self.collect_run_assertions(trial, count=False) if self.is_affected(a, assignment)]
            asserted = asserted if self.all_runs else [a for a in asserted if self.is_new(a)]
            if asserted:
                self.assertions_by_subject |= {
                    a.subject: a for a in asserted if a.subject not in self.assertions_by_subject
                }
                (applied if applies else plans).append(
                    self.write_run(assignment, apply=bool(applies), assertions=asserted)
                )
        yield from plans
        yield from applied

    def list_further_assignments(self) -> Iterator[Assignment]:
        """The assignments of all runs but the first."""
        stack, base = self.subject.stack, self.base.values
        if not self.all_runs:
            yield from flip_conditions(stack, base)
            yield from join_violations(assign_violations(stack, self.emission, base))
            return
        omit = not self.subject.module.is_root
        yield from further_assignments(stack, self.emission, base, self.make_values_different(), omit=omit)

    def is_new(self, assertion: Assertion) -> bool:
        """Whether no run so far asserts the same of its subject."""
        before = self.assertions_by_subject.get(assertion.subject)
        return before is None or before.condition != assertion.condition

    def planned_blocks(self) -> dict[str, Block]:
        """The blocks of the root that the runs plan, by address: all that are not left out."""
        return {a: block for a, block in root_blocks(self.directory).items() if a not in self.subject.left_out}

    def is_planned_variable(self, label: str) -> bool:
        """Whether the runs check a variable. If only a part is planned, Terraform checks the variables of that part."""
        return not self.subject.left_out or any(
            label in influencing_variables(self.directory, block) for block in self.planned_blocks().values()
        )

    def leave_out_failing_blocks(self, planned: ProofTrial) -> None:
        """Leaves out the blocks that no mock can plan. Raises Unprovable if all fail, or if that does not help."""
        why = planned.explain_failure()
        if not why:
            return
        self.subject.left_out = planned.find_failing_blocks()
        remaining = root_blocks(self.directory).keys() - self.subject.left_out.keys()
        if not any(not address.startswith("data.") for address in remaining) or self.imports:
            raise Unprovable(why, planned.find_refused_resource())
        if why := planned.explain_failure():
            raise Unprovable(why, planned.find_refused_resource())

    def make_values_different(self) -> Iterator[Assignment]:
        """The assignments in which as many values as possible differ from the first run; those that are empty are left
        out.
        """
        stack, base = self.subject.stack, self.base.values
        if values := self.choose_passing_values(list_other_values(stack, base)):
            yield Assignment("other_values", "As many values as possible are different.", base, values)
        if values := self.choose_passing_values(ids_for_names(stack, self.emission, base)):
            yield Assignment("with_ids", "IDs in place of names.", base, values)

    def choose_passing_values(self, others: Mapping[str, Any]) -> Mapping[str, Any]:
        """The most of these values that nothing refuses, found by halving their names."""
        tries = iter(range(TRIED))

        def choose_passing(names: Sequence[str], chosen: Mapping[str, Any]) -> Mapping[str, Any]:
            """`chosen` and the most of the values with these names that nothing refuses."""
            values = {**chosen, **{name: others[name] for name in names}}
            if next(tries, None) is None:
                return chosen
            if not names or self.accepts_trial(ProofTrial(self.subject, {**self.base.values, **values}, planned=True)):
                return values
            if len(names) == 1:
                return chosen
            half = len(names) // 2
            return choose_passing(names[half:], choose_passing(names[:half], chosen))

        return choose_passing(list(others), {}) if others else {}

    def accepts_trial(self, trial: ProofTrial) -> bool:
        return not (has_too_many_members(trial) or trial.explain_failure() or self.imports_fail(trial))

    def is_planned(self, trial: ProofTrial, assertion: Assertion) -> bool:
        """Whether a run plans the subject of an assertion."""
        left_out = self.subject.left_out.keys()
        if not left_out or assertion.block is None:
            return True
        block = assertion.block
        if block.type == "output":
            return False  # not every output is computed when only a part is planned
        own = ".".join(block.labels if block.type == "resource" else (block.type, *block.labels))
        return own not in left_out and not left_out & trial.addresses_in_block(block)

    def imports_fail(self, trial: ProofTrial) -> bool:
        """Whether an import block has a target that does not exist with these values."""
        targets = {print_inline(required_argument(block, "to")) for block in self.imports}
        return bool(targets and targets - {instance.address_text for instance in trial.plan.root.walk_instances()})

    def has_uncovered_resources(self, trial: ProofTrial) -> bool:
        """Whether a trial has resources without an assertion so far, or blocks that no run so far has applied."""
        if list_present_blocks(trial) - self.applied_blocks:
            return True
        covered = {name.partition(".")[0] for name, assertion in self.assertions_by_subject.items() if "." in name}
        try:
            return bool(set(trial.heat.evaluation.resource_names) - covered)
        except EvaluationError:
            return False

    def collect_run_assertions(self, trial: ProofTrial, *, count: bool = True) -> list[Assertion]:
        out = []
        observations = [*collect_assertions(trial.root), *collect_further_assertions(trial)]
        from_heat = [observation for observation in observations if isinstance(observation, Assertion)]
        for observation in itertools.chain(observations, collect_remaining_assertions(trial, from_heat)):
            if isinstance(observation, Assertion):
                if not self.is_planned(trial, observation):
                    self.unasserted["left_out"][observation.subject] = None
                elif not (self.for_opentofu and counts_module_without_outputs(trial, observation)):
                    self.counts_modules |= counts_module_without_outputs(trial, observation)
                    out.append(observation)
            elif count or observation.why == "differs":
                self.unasserted[observation.why][observation.subject] = None
        return out

    def report_counts(self) -> dict[str, Any]:
        """The entry for the tests in the report of the conversion."""
        return {**self.counts, **{why: list(names) for why, names in self.unasserted.items() if names}}

    def is_affected(self, assertion: Assertion, assignment: Assignment) -> bool:
        """Whether an assertion is not in the first run, or the assignment might change its value."""
        before = self.assertions_by_subject.get(assertion.subject)
        if before is None or self.is_new(assertion):
            return True
        if assertion.block is None:
            return False
        changed = {self.names[name] for name in assignment.changed_names}
        if id(assertion.block) not in self.influences:
            self.influences[id(assertion.block)] = influencing_variables(self.directory, assertion.block)
        return bool(changed & self.influences[id(assertion.block)])

    def write_run(self, assignment: Assignment, *, apply: bool, assertions: Sequence[Assertion]) -> Block:
        block = Block("run", (self.run_names.reserve_name(assignment.label),))
        block.comments = [f" {assignment.why}"] if assignment.why and self.all_runs else []
        block.add_argument("command", Traversal(("apply" if apply else "plan",)))
        if not self.subject.module.is_root:
            block.add_block("module").add_argument("source", f"./{self.subject.module.folder}")
        if self.subject.left_out:
            addresses = tuple(Traversal(tuple(address.split("."))) for address in self.planned_blocks())
            block.add_block("plan_options").add_argument("target", Tuple(addresses))
        base = self.variable_values(self.base.values)
        omitted = self.variable_values(dict.fromkeys(assignment.omitted))
        variables = {
            k: v
            for k, v in self.variable_values(assignment.values).items()
            if k not in omitted
            and (k in self.run_labels or k not in base or base[k] != v or type(base[k]) is not type(v))
        }
        if variables:
            inner = block.add_block("variables")
            for label, value in sorted(variables.items()):
                inner.add_argument(label, expression_from_data(value))
        if assignment.refused:
            refused = tuple(Traversal(("var", self.names[name])) for name in assignment.refused)
            block.add_argument("expect_failures", Tuple(refused))
        self.counts.update(runs=1, assertions=len(assertions) or 1)
        if converted := sum(not assertion.from_heat for assertion in assertions):
            self.counts["converted"] += converted
        for condition, message in self.join_assertions(assertions):
            inner = block.add_block("assert")
            inner.add_argument("condition", condition)
            inner.add_argument("error_message", message)
        return block

    def join_assertions(self, assertions: Sequence[Assertion]) -> Iterator[tuple[Expr, str]]:
        """The conditions of a run, each with its message. Without all runs they are one: a failure shows all."""
        if self.all_runs or len(assertions) < 2:
            yield from ((assertion.condition, assertion.message) for assertion in assertions)
        else:
            listed = " ".join(print_inline(a.condition) for a in assertions if a.subject.count(".") > 1)
            conditions = tuple(a.condition for a in assertions if not is_implied(a.condition, listed))
            yield (
                Fn("alltrue", (Tuple(conditions),)),
                "Each value must be the one that Heat computes from the template.",
            )


def is_implied(condition: Expr, listed: str) -> bool:
    """Whether a condition is about the length or an item of a list, and the other conditions say the same of all items.
    listed: their text.
    """
    text = print_inline(condition)
    if text.startswith("length("):
        return f" in {text[len('length(') :].partition(') == ')[0]} : " in listed
    match = ITEM.match(text)
    return match is not None and f" in {match[1]} : tostring(item.{match[2]})]" in listed


def list_present_blocks(trial: ProofTrial) -> set[str]:
    """The addresses of the resources and module calls that have an instance."""
    root, present = trial.root_directory, set()
    for address, block in root_blocks(root).items():
        try:
            if block.type != "data" and root.instance_keys(block):
                present.add(address)
        except (UnknownValue, EvaluationFailed):
            continue
    return present


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
    "differs": "that Heat computes differently (see the report)",
    "none": "of resources that do not exist with these values",
    "left_out": "of resources that are left out",
    "more": f"runs beyond {RUNS}",
    "refused": "runs whose values are refused, or that lack an imported resource",
}


def list_obstacles(block: Block) -> Iterator[str]:
    """The parts of a resource that prevent a test from applying and destroying it: provisioners, `prevent_destroy` …"""
    for item in block.body:
        if isinstance(item, Block) and item.type == "provisioner":
            yield item.type
        elif isinstance(item, Block) and item.type == "lifecycle":
            yield from (word for word in ("prevent_destroy", "ignore_changes") if item.has_argument(word))


def counts_module_without_outputs(trial: ProofTrial, assertion: Assertion) -> bool:
    """Whether an assertion counts the instances of a module that has no outputs: OpenTofu has none of these."""
    block = assertion.block
    if block is None or block.type != "module":
        return False
    module = trial.root_directory.emission.modules[block.labels[0]]
    return not trial.subject.modules[module.label].emission.blocks.outputs


def has_too_many_members(trial: ProofTrial) -> bool:
    """Whether there are more members than a test can show."""
    try:
        return any(
            len(trial.root_directory.instance_keys(block)) > MOST
            for block in (*trial.root_directory.blocks.values(), *trial.root_directory.calls.values())
        )
    except (UnknownValue, EvaluationFailed):
        return False

"""The passes that make the output of a stack from the attempts at it and at its modules.

Invariant: PASSES has their order. A pass that cannot go on ends the conversion with an output of its own.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol, final

from emitters.hcl import alternatives, backends
from emitters.hcl.address_rows import write_rows
from emitters.hcl.assemble import gitignore, readme, validity
from emitters.hcl.assemble import shared_roots as roots
from emitters.hcl.assemble.data_order import delay_data_sources
from emitters.hcl.assemble.directory import MAIN, AssembledDirectory, assemble_files, complete_directory
from emitters.hcl.assemble.module_graph import ModuleDirectory
from emitters.hcl.assemble.module_order import carry_order
from emitters.hcl.assemble.open_rules import list_open_rules
from emitters.hcl.assemble.origin import README
from emitters.hcl.attempt import Attempt
from emitters.hcl.attempts import StackAttempts, attempt_modules
from emitters.hcl.emission import Emission
from emitters.hcl.errors import CannotSay
from emitters.hcl.evaluation.early_reads import find_early_reads
from emitters.hcl.module_folders import ModuleFolders
from emitters.hcl.moves.collection import collect_rows
from emitters.hcl.neighbours import IMPORTS
from emitters.hcl.plan.modules import TerraformModule
from emitters.hcl.provider_names import ProviderNames
from emitters.hcl.request import ConversionRequest
from emitters.hcl.roll_up.names import UNROLLED, Unrolled
from emitters.hcl.tree.nodes import Block
from emitters.hcl.tree.printer import print_hcl
from transpile import registrations
from transpile.diagnostics import codes
from transpile.diagnostics.model import Diagnostic, sort_diagnostics
from transpile.model.records import replace
from transpile.resolve.stack import Stack
from transpile.targets import Output


class Finished(Exception):
    """The conversion ends before the last pass, with this output."""

    def __init__(self, output: Output) -> None:
        super().__init__()
        self.output = output


class Verdict(Protocol):
    """The verdict on the values of a conversion (`--verify`): the differences between Heat's values and Terraform's."""

    @property
    def unannounced(self) -> Sequence[object]:
        """The differences that no diagnostic announces."""

    def list_marks(self) -> dict[str, list[tuple[int, str]]]:
        """The offsets of all differences, each with a comment, by the label of the directory."""

    def report_differences(self) -> list[Diagnostic]:
        """The errors for differences that no diagnostic announces."""

    def report_certain_differences(self) -> list[Diagnostic]:
        """The warnings for announced differences that are certain."""

    def as_json(self) -> dict[str, Any]:
        """The entry for the report."""


@final
class OutputBuilder:
    """The output while the passes make it. report: of the root. directories: those with the order of their parts, if
    there are modules. freed: see alternatives.py. variables: the blocks of variables.tf.
    """

    def __init__(self, request: ConversionRequest, attempts: StackAttempts) -> None:
        self.request, self.attempts, self.root = request, attempts, attempts.root
        self.names = ProviderNames(request.tables.overlay)
        self.used: list[Attempt] = [*attempts.called.values(), attempts.root]  # modules before their callers
        self.diagnostics = [*attempts.kept]
        self.files: dict[str, str | bytes] = {}
        self.report: dict[str, Any] = {}
        self.addresses: Any = None
        self.freed: alternatives.Freed = {}
        self.directories: dict[TerraformModule, ModuleDirectory] = {}
        self.roll_up: Unrolled = UNROLLED
        self.imports: list[Block] = []
        self.variables: list[Any] = []
        self.interfaces: dict[TerraformModule, validity.Interface] = {}
        self.faults: list[Diagnostic] = []
        self.folders = ModuleFolders(shared=request.files.shares_modules)

    @property
    def root_directory(self) -> ModuleDirectory:
        return self.directories.get(self.root.emission.unit.module) or ModuleDirectory(self.root.emission, {})

    def stop_at(self, emission: Emission, reason: CannotSay) -> Finished:
        """The end of a conversion because a directory cannot be assembled: no files, only diagnostics."""
        error = inexpressible_error(emission.unit.stack, "A resource", reason)
        return self.fail([*emission.log.sink.diagnostics, error])

    def fail(self, diagnostics: list[Diagnostic]) -> Finished:
        return Finished(Output({}, self.root.emission.log.report.as_json(), diagnostics))

    def finish(self) -> Output:
        output = Output(dict(sorted(self.files.items())), self.report, self.diagnostics, self.addresses)
        return self.names.rename_output(output)


def build_output(request: ConversionRequest) -> Output:
    """Makes the output of a stack."""
    builder = OutputBuilder(request, attempt_modules(request))
    try:
        for make_part in PASSES:
            make_part(builder)
    except Finished as end:
        return end.output
    return builder.finish()


def refuse_failures(builder: OutputBuilder) -> None:
    """Ends the conversion if something is neither possible in Terraform nor in an embedded template."""
    root = builder.root
    failures = [inexpressible_error(root.emission.unit.module.stack, *failure) for failure in root.failures]
    if failures:
        raise builder.fail([*root.emission.log.sink.diagnostics, *failures])


def find_freed_resources(builder: OutputBuilder) -> None:
    """Finds the resources that other preferences would free from Heat."""
    attempts, request = builder.attempts, builder.request
    if not request.takeover.exists and any(attempt.embedded for attempt in builder.used):
        builder.freed = alternatives.find_freed_resources(attempts, request.policy)


def complete_directories(builder: OutputBuilder) -> None:
    """Completes the blocks of all directories."""
    for attempt in builder.used:
        try:
            complete_directory(attempt.emission, attempt.embedded, builder.directories)
            builder.request.takeover.complete_directory(attempt.emission)
        except CannotSay as reason:  # raised by a condition inside an embedded template
            raise builder.stop_at(attempt.emission, reason) from None


def order_modules(builder: OutputBuilder) -> None:
    """Carries the order of resources through modules."""
    carry_order(list(builder.directories.values()))


def delay_early_reads(builder: OutputBuilder) -> None:
    """Delays data sources that look for objects of the same conversion. Objects of a running stack exist already."""
    if not builder.request.takeover.exists and (reads := find_early_reads(builder.root, builder.attempts.called)):
        delay_data_sources(builder.root_directory, reads)


def roll_up_copies(builder: OutputBuilder) -> None:
    """Finds the families of copies that become one block each."""
    if builder.request.files.rolls_up:
        from emitters.hcl.roll_up.rolling import RollUp  # most conversions roll nothing up

        builder.roll_up = roll_up = RollUp(builder.root, builder.attempts.called)
        roll_up.find_families(builder.root_directory)


def write_imports(builder: OutputBuilder) -> None:
    """Writes the import blocks of running resources."""
    request, attempts, roll_up = builder.request, builder.attempts, builder.roll_up
    builder.imports, diagnostics = request.takeover.write_imports(attempts.root, attempts.written, builder.used)
    builder.diagnostics += diagnostics
    if written := roll_up.rename_targets(builder.imports):
        builder.files[IMPORTS] = print_hcl(builder.names.rename_items([request.origin.make_note(), *written]))
    request.takeover.rename_addresses(roll_up)


def assemble_directories(builder: OutputBuilder) -> None:
    """Makes the files and the report of each directory. Modules come before their callers, which need their names."""
    for attempt in builder.used:
        try:
            assembled = assemble_directory(builder, attempt)
        except CannotSay as reason:  # raised by an embedded template, too
            raise builder.stop_at(attempt.emission, reason) from None
        check_directory(builder, attempt.emission, assembled)
        add_directory(builder, attempt.emission, assembled)


def assemble_directory(builder: OutputBuilder, attempt: Attempt) -> AssembledDirectory:
    request, emission = builder.request, attempt.emission
    label = emission.unit.module.label
    for at, text in request.marks.get(label, ()):
        emission.log.add_comment(at, codes.VALUE_DIFFERS_FROM_HEAT, text)
    return assemble_files(
        emission,
        attempt.embedded,
        builder.freed.get(label, {}),
        request.origin,
        request.value_files,
        request.terraform_version,
        request.files.always,
        builder.roll_up,
    )


def check_directory(builder: OutputBuilder, emission: Emission, assembled: AssembledDirectory) -> None:
    """Checks that Terraform accepts the files of a directory."""
    if builder.request.verifies:
        called = {label: builder.interfaces[module] for label, module in emission.modules.items()}
        faults, interface = validity.find_faults(emission, assembled.items, called)
        builder.interfaces[emission.unit.module] = interface
        builder.faults += [fault.as_diagnostic(emission) for fault in faults]


def add_directory(builder: OutputBuilder, emission: Emission, assembled: AssembledDirectory) -> None:
    """Adds a directory to the output, unless an equal one is there."""
    output, module = assembled.output, emission.unit.module
    modules = dict.fromkeys(emission.modules.values())
    reports = builder.folders.reports
    output.report["modules"] = {m.name: {"source": m.file, "report": reports[m.name]} for m in modules}
    if not module.is_root:
        output.report["diagnostics"] = [d.as_json() for d in sort_diagnostics(output.diagnostics)]
        if not builder.folders.name_module(module, output):
            return
    if open_rules := list_open_rules(emission):
        output.report["open_rules"] = open_rules
    builder.files |= {module.place_file(name): content for name, content in output.files.items()}
    main = assembled.items.get(MAIN, ())
    builder.request.takeover.settle_file(emission, module.place_file(MAIN), main, builder.names)
    builder.diagnostics += output.diagnostics
    builder.report, builder.variables = output.report, assembled.variables


def refuse_faults(builder: OutputBuilder) -> None:
    """Ends the conversion if Terraform would refuse the files, which is a defect of hot2tf."""
    if builder.faults:
        raise Finished(Output({}, builder.report, [*builder.diagnostics, *builder.faults]))


def judge_values(builder: OutputBuilder) -> None:
    """Compares the values of a new stack with Heat's. If differences are found that no diagnostic announces, converts
    it once more, with comments where they are.
    """
    request, root, written = builder.request, builder.root, builder.attempts.written
    if not request.verifies or request.takeover.exists or request.marks:  # running resources are compared with the plan
        return
    judge = registrations.registered(registrations.PARTS)["judge_conversion"].load()
    verdict: Verdict = judge(request.stack, root, written, thorough=request.files.tests)
    remarks = {"verified": verdict.as_json()} if verdict.as_json() else {}
    builder.report |= remarks
    builder.diagnostics += verdict.report_certain_differences()
    if verdict.unannounced:
        marked = build_output(replace(request, marks=verdict.list_marks()))
        differences = [*verdict.report_certain_differences(), *verdict.report_differences()]
        diagnostics = [*marked.diagnostics, *differences]
        raise Finished(replace(marked, report={**marked.report, **remarks}, diagnostics=diagnostics))


def report_preferences(builder: OutputBuilder) -> None:
    """Records the user's preferences in the report."""
    if preferred := builder.request.policy.as_json():
        builder.report["options"] = preferred


def write_gitignore(builder: OutputBuilder) -> None:
    """Writes .gitignore; a migration writes one file for all stacks."""
    request = builder.request
    if not request.files.shares_modules:
        more = (gitignore.SECRET_VALUES,) if request.takeover.environment else ()
        builder.files[gitignore.NAME] = gitignore.print_gitignore(request.origin.make_note(), *more)


def write_backend(builder: OutputBuilder) -> None:
    """Writes where the state is."""
    request, state = builder.request, builder.request.state
    if state.kind != backends.NONE:
        builder.files |= state.write_files(request.origin.make_note())
        builder.report["backend"] = state.as_json()
        builder.diagnostics += request.takeover.place_state(state.settings_file, chosen=request.chooses_backend)
        builder.diagnostics += state.list_findings(request.stack.template.source)


def write_tests(builder: OutputBuilder) -> None:
    """Writes tests for `terraform test`."""
    request, root, written = builder.request, builder.root, builder.attempts.written
    if not request.files.tests:
        return
    write_files = registrations.registered(registrations.PARTS)["write_test_files"].load()
    test_files: Mapping[str, str]
    test_files, builder.report["tests"], warnings = write_files(
        request.stack,
        root,
        written,
        request.origin,
        builder.imports,
        builder.roll_up,
        all_runs=request.files.all_runs,
    )
    if request.files.test_environment:
        test_files = roots.name_for_environment(test_files, request.files.test_environment)
    builder.files |= test_files
    builder.diagnostics += warnings


def record_unset_variables(builder: OutputBuilder) -> None:
    """Tells an adoption the variables that need a value."""
    builder.request.takeover.record_unset_variables(builder.root.emission, builder.report)


def write_readme(builder: OutputBuilder) -> None:
    """Writes README.md; that of a migration has the parts that all its directories share."""
    request = builder.request
    builder.report["command"] = request.origin.commands[0]
    if not request.files.readme:
        return
    text = readme.print_readme(
        builder.root.emission,
        builder.variables,
        builder.report,
        request.origin,
        request.value_files,
        request.takeover.describe_readme(),
        own_only=request.files.shares_modules,
    )
    if text:
        builder.files[README] = builder.names.rename_words(text)


def collect_addresses(builder: OutputBuilder) -> None:
    """Collects where each resource of the template is in Terraform's state."""
    rows = collect_rows(builder.root, builder.attempts.called, builder.roll_up, builder.names)
    builder.addresses = {"resources": write_rows(rows)}


PASSES = (
    refuse_failures,
    find_freed_resources,
    complete_directories,
    order_modules,
    delay_early_reads,
    roll_up_copies,
    write_imports,
    assemble_directories,
    refuse_faults,
    judge_values,
    report_preferences,
    write_gitignore,
    write_backend,
    write_tests,
    record_unset_variables,
    write_readme,
    collect_addresses,
)


def inexpressible_error(stack: Stack, name: str, reason: CannotSay) -> Diagnostic:
    """The error for a resource or output that neither Terraform nor Heat can express."""
    return Diagnostic(
        codes.NEITHER_TERRAFORM_NOR_HEAT,
        f"{name} must stay with Heat, but the embedded template cannot express it: {reason.why}.",
        reason.source or stack.template.source,
        reason.span.in_text,
    )

"""Converts a stack to a Terraform directory.

Invariant: every attempt starts from an empty state. A failed attempt changes the plan, never the output of another
attempt.
"""

from __future__ import annotations

import functools
import hashlib
from collections.abc import Collection, Iterable, Mapping
from typing import TYPE_CHECKING, Any

from emitters.hcl import alternatives, backends, neighbours, summary
from emitters.hcl.address_rows import write_rows
from emitters.hcl.alternatives import StackAttempts
from emitters.hcl.assemble import gitignore, readme, validity
from emitters.hcl.assemble import origin as origins
from emitters.hcl.assemble import shared_roots as roots
from emitters.hcl.assemble.data_order import delay_data_sources
from emitters.hcl.assemble.directory import MAIN, assemble_files, complete_directory
from emitters.hcl.assemble.module_graph import ModuleDirectory
from emitters.hcl.assemble.module_order import carry_order
from emitters.hcl.assemble.open_rules import list_open_rules
from emitters.hcl.assemble.origin import README, is_own_file
from emitters.hcl.assemble.value_files import name_value_files
from emitters.hcl.attempt import Attempt
from emitters.hcl.emission import Emission
from emitters.hcl.errors import CannotSay
from emitters.hcl.evaluation.early_reads import find_early_reads
from emitters.hcl.moves.collection import collect_rows
from emitters.hcl.moves.following import follow_addresses
from emitters.hcl.namespace import UniqueNames
from emitters.hcl.options import (
    ALL,
    AUTO,
    BACKEND,
    BACKEND_CONFIG,
    BY_REFERENCES,
    CFN_INIT,
    CONTENT_NAMES,
    ENVIRONMENT,
    ENVIRONMENTS,
    IDENTIFIERS,
    IN_COMMAND,
    KEEP,
    LAYOUT,
    MISSING,
    NAMES,
    ORDER,
    PLACEHOLDERS,
    PREFER,
    PROVIDER,
    ROLL_UP,
    SNAKE,
    STANDARD,
    STANDARD_FILES,
    STATE_KEY,
    STRUCTURE,
    TEST_RUNS,
    TESTS,
    VERIFIED,
    VERIFY,
    WITH_README,
)
from emitters.hcl.plan import open_forms, own_names, stored_texts
from emitters.hcl.plan.closure import complete_plan
from emitters.hcl.plan.module_values import ModuleValues
from emitters.hcl.plan.modules import ModuleInterface, Modules, TerraformModule
from emitters.hcl.plan.planner import OUTPUT, ConversionPlan
from emitters.hcl.plan.policy import PreferencePolicy
from emitters.hcl.plan.readers import Readers
from emitters.hcl.provider_names import ProviderNames
from emitters.hcl.resources.handles import ATTRIBUTES
from emitters.hcl.resources.registry import HookRegistry
from emitters.hcl.resources.rules import FINISH, PROPERTIES
from emitters.hcl.tables import clouds, tables
from emitters.hcl.tables.tables import Tables
from emitters.hcl.tree.nodes import Block
from emitters.hcl.tree.printer import print_hcl
from emitters.hcl.unit import Unit
from transpile.additions import Additions
from transpile.diagnostics import codes
from transpile.diagnostics.model import Diagnostic, sort_diagnostics
from transpile.model.records import replace
from transpile.resolve.stack import Stack
from transpile.settings.command_paths import CommandPaths
from transpile.targets import (
    DIRECTORY,
    LOAD,
    Fate,
    Neighbours,
    Output,
    PipelineRequest,
    Shared,
    SharedRoots,
    Target,
)
from transpile.text import check_boxes
from transpile.text.places import avoid_reserved_names

if TYPE_CHECKING:
    from emitters.hcl.roll_up.rolling import RollUp
    from transpile.adoption.adoption import Adoption


MARKS = "marks"  # an option by which the emitter calls itself: comments at offsets, by the label of the directory


def describe_types(name: str | None, added: Additions) -> str:
    """The text of `hot2tf types`."""
    from emitters.hcl.tables import listing

    return listing.list_types(tables_of(added)[0], name)


def write_pipeline(request: PipelineRequest) -> Mapping[str, str]:
    """The files of a pipeline."""
    from emitters.hcl.pipelines import files  # only migrations need it

    return files.write_pipeline(request)


def find_type_fate(name: str, added: Additions) -> Fate:
    from emitters.hcl.tables import listing

    return listing.fate_of_type(tables_of(added)[0], name)


def scaffold_mapping(name: str, added: Additions, schema: str | None) -> str:
    """The text of `hot2tf types --scaffold`. Raises LookupError for an unknown type, ValueError for a wrong schema."""
    from emitters.hcl.tables.scaffold import write_skeleton

    return write_skeleton(added.catalog, name, schema)


def tables_of(added: Additions) -> tuple[Tables, tuple[Diagnostic, ...]]:
    """The mapping tables of a run, and the diagnostics for the tables of users."""
    return join_tables(added) if added.tables else (tables.tables_of_catalog(added.catalog), ())


@functools.lru_cache(maxsize=4)  # all conversions of a run use the same tables
def join_tables(added: Additions) -> tuple[Tables, tuple[Diagnostic, ...]]:
    """The built-in tables joined with the tables of users, and the diagnostics for the latter."""
    from emitters.hcl.tables import user
    from transpile import packages

    packages.installed_packages()  # loads their hooks, which a worker process does not have yet
    return user.read_user_tables(added.catalog, added.tables, hook_exists)


def hook_exists(sort: str, name: str) -> bool:
    """Whether a hook has this name. sort: property, attribute, finish or type."""
    from emitters.hcl import hooks

    kinds: Mapping[str, tuple[HookRegistry[Any], ...]] = {
        "property": (PROPERTIES,),
        "attribute": (ATTRIBUTES,),
        "finish": (FINISH,),
        "type": (hooks.PREPARE, hooks.WRITE),
    }
    try:
        return all(registry[name] is not None for registry in kinds[sort])
    except KeyError:
        return False


def emit_directory(stack: Stack, options: Mapping[str, Any]) -> Output:
    """The files, the report and the diagnostics. Modules are written before their callers, which need their outputs."""
    adoption: Adoption | None = options.get("adoption")
    if adoption is not None:
        from emitters.hcl.adoption import replacements, settling, takeover, unread  # most conversions adopt nothing
    known_tables = options.get("tables") or tables.tables_of_catalog(stack.catalog)
    keep = [word for word in str(options["keep"]).split(",") if word]
    policy = PreferencePolicy(str(options["prefer"]), keep, str(options["cfn_init"]), str(options[PROVIDER.name]))
    try:
        known_tables = known_tables.for_provider(policy.provider)
    except LookupError:
        message = f"No mapping table declares a provider {policy.provider} that replaces another one."
        hint = f"Give the table with --mapping{list_names([*known_tables.overlays, *clouds.list_clouds()])}."
        return Output({}, {}, [Diagnostic(codes.UNKNOWN_PROVIDER, message, stack.template.source, hint=hint)])
    names = ProviderNames(known_tables.overlay)
    diagnostics: list[Diagnostic] = []
    preferred = policy.as_json()
    tests = bool(options[TESTS.name])
    adopted_environment = adoption.environment if adoption is not None else None
    environment = adopted_environment.name if adopted_environment is not None else str(options[ENVIRONMENT.name])
    value_files = name_value_files(environment)
    asked = preferred | {o.name: options[o.name] for o in IN_COMMAND if options[o.name] != o.default}
    if value_files.environment and options[LAYOUT.name] != LAYOUT.default:
        asked |= {ENVIRONMENTS: options[LAYOUT.name]}
    typed = options.get("command_paths", CommandPaths())
    state = locate_state(options, stack, value_files.environment)
    terraform_version = backends.highest_version(
        state.required_version, backends.IMPORTS_WITH_KEYS if adopted_environment is not None else backends.LOWEST
    )
    origin = origins.origin_of_stack(stack, asked, adoption, typed, shared=options[CONTENT_NAMES.name], tests=tests)
    conversion = attempt_modules(
        stack,
        known_tables,
        policy,
        adoption,
        diagnostics,
        snake_names=options[NAMES.name] == SNAKE,
        forms=open_forms.choose_forms(str(options[IDENTIFIERS.name]), exact=not policy.accepts_differences),
        by_references=orders_by_references(str(options[ORDER.name]), policy),
        shares_root=bool(environment) and options[LAYOUT.name] != roots.DIRECTORIES,
    )
    modules, root, written = conversion.modules, conversion.root, conversion.written
    if root.failures:
        failures = [inexpressible_error(modules.root, name, reason) for name, reason in root.failures]
        return Output({}, root.emission.log.report.as_json(), [*root.emission.log.sink.diagnostics, *failures])
    used = called_modules(root.emission, {label: attempt.emission for label, attempt in conversion.written.items()})
    attempts_by_label = conversion.attempts_by_label(used)
    freed: alternatives.Freed = {}
    if adoption is None and any(attempt.embedded for attempt in attempts_by_label.values()):
        freed = alternatives.find_freed_resources(conversion, used, policy)
    always = STANDARD_FILES if options[STRUCTURE.name] == STANDARD else ()
    files: dict[str, str | bytes] = {}
    reports: dict[str, dict[str, Any]] = {}  # by the name of the module
    same: dict[tuple[str, str], str] = {}  # the name of a module, by its files and its report
    module_names = UniqueNames()
    attempts = [*(attempts_by_label[m.label] for m in modules.order if m in used), root]
    directories: dict[TerraformModule | None, ModuleDirectory] = {}
    interfaces: dict[TerraformModule | None, validity.Interface] = {}
    for attempt in attempts:
        try:
            complete_directory(attempt.emission, attempt.embedded, directories)
            if adoption is not None:
                unread.write_ignore_changes(attempt.emission)
                replacements.report_replacements(attempt.emission)
        except CannotSay as reason:  # raised by a condition inside an embedded template
            return report_stop(root.emission, attempt.emission, reason)
    carry_order(list(directories.values()))
    if adoption is None:  # what runs exists already
        used_modules = {m.label: attempts_by_label[m.label] for m in modules.order if m in used}
        if reads := find_early_reads(root, used_modules):
            delay_data_sources(directories.get(None) or ModuleDirectory(root.emission, {}), reads)
    invalid: list[Diagnostic] = []
    roll_up: RollUp | None = None
    if options[ROLL_UP.name]:
        from emitters.hcl.roll_up.rolling import RollUp  # most conversions roll nothing up

        roll_up = RollUp(root, {m.label: attempts_by_label[m.label] for m in modules.order if m in used})
        roll_up.find_families(directories.get(None) or ModuleDirectory(root.emission, {}))
    imports: list[Block] = []
    if adoption is not None:
        imports, import_diagnostics = takeover.write_imports(adoption, root, written)
        for attempt in attempts:
            replacements.record_replacements(adoption, attempt.emission)
        diagnostics += import_diagnostics
        written_imports = roll_up.rename_targets(imports) if roll_up is not None else imports
        files |= (
            {takeover.IMPORTS_FILE: print_hcl(names.rename_items([origin.make_note(), *written_imports]))}
            if imports
            else {}
        )
        if roll_up is not None:
            roll_up.rename_adoption(adoption)
    marks: Mapping[str, list[tuple[int, str]]] | None = options.get(MARKS)
    for attempt in attempts:
        emission, module_ = attempt.emission, attempt.emission.unit.module
        try:
            label = module_.label if module_ is not None else alternatives.ROOT
            for at, text in (marks or {}).get(label, ()):
                emission.log.add_comment(at, codes.VALUE_DIFFERS_FROM_HEAT, text)
            assembled = assemble_files(
                emission,
                attempt.embedded,
                freed.get(label, {}),
                origin,
                value_files,
                terraform_version,
                always,
                roll_up,
            )
        except CannotSay as reason:  # raised by an embedded template, too
            return report_stop(root.emission, emission, reason)
        if options[VERIFY.name] == VERIFIED:
            called = {label: interfaces[called] for label, called in emission.modules.items()}
            faults, interfaces[module_] = validity.find_faults(emission, assembled.items, called)
            invalid += [fault.as_diagnostic(emission) for fault in faults]
        output = assembled.output
        output.report["modules"] = {
            m.name: {"source": m.file, "report": reports[m.name]} for m in dict.fromkeys(emission.modules.values())
        }
        folder = ""
        if module_ is not None:
            output.report["diagnostics"] = [d.as_json() for d in sort_diagnostics(output.diagnostics)]
            module_files = sorted(output.files.items())
            content = module_.stem, repr(module_files if options["content_names"] else (module_files, output.report))
            if content in same:
                module_.name = same[content]
                continue
            name = (
                content_name(*content)
                if options["content_names"]
                else module_names.reserve_name(avoid_reserved_names(module_.stem))
            )
            same[content] = module_.name = name
            reports[module_.name], folder = output.report, f"{module_.folder}/"
        if open_rules := list_open_rules(emission):
            output.report["open_rules"] = open_rules
        files |= {folder + name: content for name, content in output.files.items()}
        if adoption is not None and (settled := settling.settle_blocks(emission, assembled.items.get(MAIN, ()))):
            adoption.settled[folder + MAIN] = print_hcl(names.rename_items(settled))
        diagnostics += output.diagnostics
    if invalid:
        return Output({}, output.report, [*diagnostics, *invalid])
    verifies = options[VERIFY.name] == VERIFIED and adoption is None  # an adoption compares with the running stack
    if verifies and marks is None:
        from emitters.hcl.proof import judge  # `check` does not need it

        judgement = judge.judge_conversion(stack, root, written, thorough=tests)
        if remarks := judgement.as_json():
            output.report["verified"] = remarks
        diagnostics += judgement.report_certain_differences()
        if judgement.unannounced:  # once more, with comments where values differ
            marked = emit_directory(stack, {**options, MARKS: judgement.list_marks()})
            remarked = [*judgement.report_certain_differences(), *judgement.report_differences()]
            report = {**marked.report, **({"verified": remarks} if remarks else {})}
            return replace(marked, report=report, diagnostics=[*marked.diagnostics, *remarked])
    if preferred:
        output.report["options"] = preferred
    if not options[CONTENT_NAMES.name]:  # a migration writes one file for all stacks
        more = (gitignore.SECRET_VALUES,) if adopted_environment is not None else ()
        files[gitignore.NAME] = gitignore.print_gitignore(origin.make_note(), *more)
    if state.kind != backends.NONE:
        files |= state.write_files(origin.make_note())
        output.report["backend"] = state.as_json()
        if adoption is not None:
            adoption.backend_settings = state.settings_file
            if options[BACKEND.name] == backends.NONE:  # of environments, which need some backend
                diagnostics.append(neighbours.diagnose_local_state())
        diagnostics += state.list_findings(stack.template.source)
    if tests:
        from emitters.hcl.proof import suite  # most conversions write no tests

        test_files, output.report["tests"], warnings = suite.write_test_files(
            stack, root, written, origin, imports, roll_up, all_runs=options[TEST_RUNS.name] == ALL
        )
        if options[TEST_RUNS.name] == ALL and options[ENVIRONMENT.name]:
            test_files = roots.name_for_environment(test_files, str(options[ENVIRONMENT.name]))
        files |= test_files
        diagnostics += warnings
    if adoption is not None:
        adoption.asks = takeover.find_unset_variables(root.emission, output.report)
    output.report["command"] = origin.commands[0]
    if options["readme"]:
        readme_text = readme.print_readme(
            root.emission,
            assembled.variables,
            output.report,
            origin,
            value_files,
            own_only=bool(options[CONTENT_NAMES.name]),  # the README of a migration has what all directories share
        )
        files |= {README: names.rename_words(readme_text)} if readme_text else {}
    used_attempts = {m.label: attempts_by_label[m.label] for m in modules.order if m in used}
    addresses = {"resources": write_rows(collect_rows(root, used_attempts, roll_up, names))}
    return names.rename_output(Output(dict(sorted(files.items())), output.report, diagnostics, addresses))


def list_names(overlays: Iterable[str]) -> str:
    """What a hint says of the providers that are declared."""
    return f"; declared are {', '.join(sorted(overlays))}"


def locate_state(options: Mapping[str, Any], stack: Stack, environment: str) -> backends.StateLocation:
    """Where the state of the root is. It has the name of the stack, or else that of the template. environment: the one
    that the root is for, if several share it: each has a state of its own, on this machine if no backend is chosen.
    """
    adoption: Adoption | None = options.get("adoption")
    kind = str(options[BACKEND.name])
    if options[LAYOUT.name] == roots.WORKSPACES:  # the states of all workspaces have one name
        environment = ""
    elif environment and kind == backends.NONE:
        kind = backends.LOCAL
    name = adoption.live.name if adoption is not None else stack.name
    name = name or origins.base_name(stack.template.source.name).partition(".")[0] or "stack"
    key = str(options[STATE_KEY.name]) or name
    settings = backends.read_settings(str(options[BACKEND_CONFIG.name]))
    if environment and not options[STATE_KEY.name]:
        key = f"{key}/{environment}"
    return backends.StateLocation(kind, key, settings, environment)


def attempt_modules(
    stack: Stack,
    known_tables: Tables,
    policy: PreferencePolicy,
    adoption: Adoption | None,
    diagnostics: list[Diagnostic],
    *,
    snake_names: bool,
    forms: str,
    shares_root: bool,
    by_references: bool,
) -> StackAttempts:
    """The attempts at a stack and its modules. Modules are written before their callers, which need their outputs.
    Diagnostics about nested stacks that stay with Heat as a whole are added to `diagnostics`. shares_root: the root is
    for several environments.
    """
    if adoption is not None:
        from emitters.hcl.adoption import takeover
    modules = Modules(
        stack, known_tables, adoption, snake_names=snake_names, open_forms=forms, by_references=by_references
    )
    if adoption is not None:
        modules.environment_defaults = adoption.environment.defaults if adoption.environment is not None else None
    elif shares_root:
        modules.environment_defaults = {}
    stored_texts.mark_stored_texts(modules)
    own_names.link_own_names(modules)
    modules.finish_modules()
    values = ModuleValues(modules)
    written: dict[str, Attempt] = {}
    for module in modules.order:
        attempt = attempt_until_stable(module.stack, modules, module, policy, values)
        if attempt.failures:
            module.why = attempt.failures[0][1].why
        elif adoption is not None and (why := takeover.explain_stay(attempt)):
            module.why = why
            diagnostics += [takeover.diagnose_kept_stack(call, module, why) for call in module.calls]
        else:
            module.interface, written[module.label] = module_interface(attempt.emission), attempt
    return StackAttempts(modules, written, attempt_until_stable(modules.root, modules, None, policy, values))


def orders_by_references(choice: str, policy: PreferencePolicy) -> bool:
    """Whether a reference to a nested stack waits only for what it refers to: the user chooses it, or the policy."""
    return choice == BY_REFERENCES or (choice == AUTO and policy.waits_for_parts)


def content_name(stem: str, content: str) -> str:
    """A name for a module, made of its stem and a hash of its content. Two modules share it only if they are equal."""
    return f"{stem}-{hashlib.sha256(content.encode('utf-8', 'surrogatepass')).hexdigest()}"


def report_stop(root: Emission, emission: Emission, reason: CannotSay) -> Output:
    """The output of a conversion that fails because a directory cannot be assembled: no files, only diagnostics."""
    failed = [*emission.log.sink.diagnostics, inexpressible_error(emission.unit.stack, "A resource", reason)]
    return Output({}, root.log.report.as_json(), failed)


def attempt_until_stable(
    stack: Stack,
    modules: Modules,
    module: TerraformModule | None,
    policy: PreferencePolicy,
    values: ModuleValues,
) -> Attempt:
    """Writes a stack again and again, each time keeping in Heat what failed before, until nothing fails or changes."""
    readers = Readers(stack)
    plan = ConversionPlan(stack, policy, modules)
    while True:
        complete_plan(plan)
        if readers.remove_readers(set(plan.kept)):
            plan = ConversionPlan(readers.stack, policy, modules, readers.planned_readers())
            continue
        attempt = Attempt(Unit(readers.stack, plan, modules, module, values))
        if modules.adoption is not None and not attempt.failures:
            from emitters.hcl.adoption import takeover

            attempt.failures += takeover.find_failures(attempt)
        if attempt.unread and module is not None:
            module.left_out |= attempt.unread
            stack = without_outputs(stack, module.left_out)
            readers = Readers(stack)
            plan = ConversionPlan(stack, policy, modules)
            continue
        if not attempt.failures:
            return attempt
        reads = policy.reads_through_heat and modules.adoption is None
        if reads and readers.add_readers(attempt.failures, plan):
            plan = ConversionPlan(readers.stack, policy, modules, readers.planned_readers())
            continue
        grown = False
        for name, reason in attempt.failures:
            outputs = readers.stack.template.outputs
            output = outputs.get(name.removeprefix(OUTPUT)) if name.startswith(OUTPUT) else None
            grown |= plan.keep_output_in_heat(output, reason) if output is not None else plan.keep_in_heat(name, reason)
        if not grown:  # it is kept in Heat already, and the embedded template cannot express it either
            return attempt


def without_outputs(stack: Stack, names: Collection[str]) -> Stack:
    """A stack without some of its outputs."""
    outputs = {name: output for name, output in stack.template.outputs.items() if name not in names}
    return replace(stack, template=replace(stack.template, outputs=outputs))


def module_interface(emission: Emission) -> ModuleInterface:
    """The interface that a written module offers its callers."""
    region = emission.symbols.region_variable()
    return ModuleInterface(
        emission.names.variables,
        emission.variables.blocks,
        region.parts[1] if region is not None else "",
        emission.outputs,
        emission.names.outputs,
        emission.uncertain_outputs,
        emission.sensitive,
        emission.log.report,
    )


def called_modules(root: Emission, written: Mapping[str, Emission]) -> set[TerraformModule]:
    """All modules that the root calls, directly or through others. written: emissions by module label."""
    modules: set[TerraformModule] = set()
    worklist = [root]
    while worklist:
        for module in worklist.pop().modules.values():
            if module not in modules:
                modules.add(module)
                worklist.append(written[module.label])
    return modules


def inexpressible_error(stack: Stack, name: str, reason: CannotSay) -> Diagnostic:
    """The error for a resource or output that neither Terraform nor Heat can express."""
    return Diagnostic(
        codes.NEITHER_TERRAFORM_NOR_HEAT,
        f"{name} must stay with Heat, but the embedded template cannot express it: {reason.why}.",
        reason.source or stack.template.source,
        reason.span.in_text,
    )


TARGET = Target(
    "hcl",
    emit_directory,
    writes=DIRECTORY,
    nested=LOAD,  # nested templates become modules
    options=(
        PREFER,
        KEEP,
        CFN_INIT,
        PROVIDER,
        WITH_README,
        VERIFY,
        PLACEHOLDERS,
        MISSING,
        TESTS,
        TEST_RUNS,
        ROLL_UP,
        NAMES,
        IDENTIFIERS,
        ORDER,
        STRUCTURE,
        BACKEND,
        BACKEND_CONFIG,
        STATE_KEY,
        CONTENT_NAMES,
        ENVIRONMENT,
        LAYOUT,
    ),
    summary=summary.summarize_report,
    next_steps="cd {output} && terraform init{backend} && OS_CLOUD=CLOUD terraform plan",
    neighbours=Neighbours((".tf", ".tf.json"), neighbours.find_problems),
    owns=is_own_file,
    optional=frozenset({README, check_boxes.FILE, gitignore.NAME}),
    ignored=gitignore.PATTERNS,
    addresses=True,
    types=describe_types,
    fate=find_type_fate,
    tables=tables_of,
    scaffold=scaffold_mapping,
    mapping=tables.find_raw_mapping,
    schema=tables.find_provider_schema,
    shared=Shared("modules", CONTENT_NAMES.name),
    roots=SharedRoots(
        roots.belongs_to_environment,
        roots.environment_of_file,
        roots.join_environments,
        roots.state_file,
        roots.own_name,
        roots.name_values,
        roots.name_secrets,
        backends.name_settings,
        roots.join_addresses,
    ),
    pipeline=write_pipeline,
    follow=follow_addresses,
)

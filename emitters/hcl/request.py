"""The request for one conversion, read once from the options of the target.

Invariant: nothing below the emitter sees an option by its name; each part gets the values that it needs, with a type.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, final

from emitters.hcl import backends, options
from emitters.hcl.assemble import origin as origins
from emitters.hcl.assemble import shared_roots as roots
from emitters.hcl.assemble.origin import Origin
from emitters.hcl.assemble.value_files import ValueFiles, name_value_files
from emitters.hcl.plan import open_forms
from emitters.hcl.plan.modules import ModuleRules
from emitters.hcl.plan.policy import PreferencePolicy
from emitters.hcl.tables import clouds
from emitters.hcl.tables.tables import Tables, tables_of_catalog
from emitters.hcl.takeover import NEW_STACK, Takeover
from transpile.diagnostics import codes
from transpile.diagnostics.model import Diagnostic
from transpile.model.records import EMPTY, node
from transpile.resolve.stack import Stack
from transpile.settings.target_options import TargetOptions
from transpile.targets import Option

Marks = Mapping[str, Sequence[tuple[int, str]]]  # comments at offsets, by the label of the directory


class UnknownProvider(LookupError):
    """No mapping table declares the provider that the user wants."""

    def __init__(self, name: str, declared: Iterable[str]) -> None:
        super().__init__(name)
        self.name, self.declared = name, sorted(declared)

    def as_diagnostic(self, stack: Stack) -> Diagnostic:
        message = f"No mapping table declares a provider {self.name} that replaces another one."
        hint = f"Give the table with --mapping; declared are {', '.join(self.declared)}."
        return Diagnostic(codes.UNKNOWN_PROVIDER, message, stack.template.source, hint=hint)


@final
@node
class FileChoices:
    """The user's choices about the written files. readme: README.md. shares_modules: a migration writes one of several
    outputs, which share modules, so that these have the names of their contents. always: files that are written even if
    they are empty. tests: test files; all_runs: with all their runs; test_environment: the environment in their names.
    rolls_up: copies become one block.
    """

    readme: bool
    shares_modules: bool
    always: Sequence[str]
    tests: bool
    all_runs: bool
    test_environment: str
    rolls_up: bool


@final
@node
class ConversionRequest:
    """The request for a conversion. takeover: the work for a stack that runs already. state: the place of the root's
    state; chooses_backend: the user said it. value_files: the files with the values of the root. origin: how the files
    are made. terraform_version: those that a root accepts. verifies: the files are checked, and their values judged.
    marks: comments where values differ from Heat's, once they were judged.
    """

    stack: Stack
    tables: Tables
    policy: PreferencePolicy
    rules: ModuleRules
    takeover: Takeover
    files: FileChoices
    state: backends.StateLocation
    chooses_backend: bool
    value_files: ValueFiles
    origin: Origin
    terraform_version: str
    verifies: bool
    marks: Marks = EMPTY


def read_request(stack: Stack, target_options: TargetOptions) -> ConversionRequest:
    """The request of a conversion. Raises UnknownProvider."""
    policy = read_policy(target_options)
    takeover: Takeover = target_options.takeover or NEW_STACK
    value_files = name_value_files(
        takeover.environment or text_of(target_options, options.ENVIRONMENT), text_of(target_options, options.NOTE)
    )
    state = locate_state(stack, target_options, takeover, value_files.environment)
    files = choose_files(target_options)
    command = origins.describe_command(
        policy.as_json() | list_options_in_command(target_options, value_files),
        target_options.paths,
        is_shared=files.shares_modules,
        tests=files.tests,
    )
    return ConversionRequest(
        stack=stack,
        tables=choose_provider(target_options.tables or tables_of_catalog(stack.catalog), policy),
        policy=policy,
        rules=read_module_rules(target_options, policy, takeover),
        takeover=takeover,
        files=files,
        state=state,
        chooses_backend=target_options[options.BACKEND.name] != backends.NONE,
        value_files=value_files,
        origin=takeover.make_origin(stack, command),
        terraform_version=backends.highest_version(state.required_version, takeover.needs),
        verifies=target_options[options.VERIFY.name] == options.VERIFIED,
    )


def text_of(target_options: Mapping[str, Any], option: Option) -> str:
    return str(target_options[option.name])


def read_policy(target_options: Mapping[str, Any]) -> PreferencePolicy:
    kept = [word for word in text_of(target_options, options.KEEP).split(",") if word]
    texts = (text_of(target_options, option) for option in (options.CFN_INIT, options.PROVIDER))
    return PreferencePolicy(text_of(target_options, options.PREFER), kept, *texts)


def choose_provider(tables: Tables, policy: PreferencePolicy) -> Tables:
    """The tables for the provider that the user wants. Raises UnknownProvider."""
    try:
        return tables.for_provider(policy.provider)
    except LookupError:
        raise UnknownProvider(policy.provider, [*tables.overlays, *clouds.list_clouds()]) from None


def read_module_rules(target_options: Mapping[str, Any], policy: PreferencePolicy, takeover: Takeover) -> ModuleRules:
    environment = takeover.environment if takeover.exists else text_of(target_options, options.ENVIRONMENT)
    order = target_options[options.ORDER.name]
    return ModuleRules(
        snake_names=target_options[options.NAMES.name] == options.SNAKE,
        open_forms=open_forms.choose_forms(
            text_of(target_options, options.IDENTIFIERS), exact=not policy.accepts_differences
        ),
        by_references=order == options.BY_REFERENCES or (order == options.AUTO and policy.waits_for_parts),
        shares_root=bool(environment) and (takeover.exists or target_options[options.LAYOUT.name] != roots.DIRECTORIES),
    )


def choose_files(target_options: Mapping[str, Any]) -> FileChoices:
    all_runs = target_options[options.TEST_RUNS.name] == options.ALL
    return FileChoices(
        readme=bool(target_options[options.WITH_README.name]),
        shares_modules=bool(target_options[options.CONTENT_NAMES.name]),
        always=options.STANDARD_FILES if target_options[options.STRUCTURE.name] == options.STANDARD else (),
        tests=bool(target_options[options.TESTS.name]),
        all_runs=all_runs,
        test_environment=text_of(target_options, options.ENVIRONMENT) if all_runs else "",
        rolls_up=bool(target_options[options.ROLL_UP.name]),
    )


def list_options_in_command(target_options: Mapping[str, Any], value_files: ValueFiles) -> dict[str, Any]:
    """The options that the command in README.md names, because they have other values than by default."""
    names = {
        option.name: target_options[option.name]
        for option in options.IN_COMMAND
        if target_options[option.name] != option.default
    }
    layout = target_options[options.LAYOUT.name]
    if value_files.environment and layout != options.LAYOUT.default:
        names[options.ENVIRONMENTS] = layout
    return names


def locate_state(
    stack: Stack, target_options: Mapping[str, Any], takeover: Takeover, environment: str
) -> backends.StateLocation:
    """The place of the root's state. Its name is that of the stack, or else of the template. environment: the one that
    the root is for, if several share it: each has its own state, on this machine if no backend is chosen.
    """
    kind, chosen_key = text_of(target_options, options.BACKEND), text_of(target_options, options.STATE_KEY)
    if target_options[options.LAYOUT.name] == roots.WORKSPACES:  # the states of all workspaces have one name
        environment = ""
    elif environment and kind == backends.NONE:
        kind = backends.LOCAL
    name = takeover.stack_name if takeover.exists else stack.name
    name = name or origins.base_name(stack.template.source.name).partition(".")[0] or "stack"
    key = chosen_key or (f"{name}/{environment}" if environment else name)
    return backends.StateLocation(
        kind, key, backends.read_settings(text_of(target_options, options.BACKEND_CONFIG)), environment
    )

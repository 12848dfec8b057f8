"""The Terraform target: converts a stack to a directory, and describes the conversion of types.

Invariant: an option is read here and in request.py, and nowhere below.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from emitters.hcl import backends, neighbours, summary
from emitters.hcl.assemble import gitignore
from emitters.hcl.assemble import shared_roots as roots
from emitters.hcl.assemble.origin import README, is_own_file
from emitters.hcl.options import (
    BACKEND,
    BACKEND_CONFIG,
    CFN_INIT,
    CONTENT_NAMES,
    ENVIRONMENT,
    IDENTIFIERS,
    KEEP,
    LAYOUT,
    MISSING,
    NAMES,
    NOTE,
    ORDER,
    PLACEHOLDERS,
    PREFER,
    PROVIDER,
    ROLL_UP,
    STATE_KEY,
    STRUCTURE,
    TEST_RUNS,
    TESTS,
    VERIFY,
    WITH_README,
)
from emitters.hcl.passes import build_output
from emitters.hcl.request import UnknownProvider, read_request
from emitters.hcl.resources.handles import ATTRIBUTES
from emitters.hcl.resources.registry import HookRegistry
from emitters.hcl.resources.rules import FINISH, PROPERTIES
from emitters.hcl.tables import tables
from emitters.hcl.tables.tables import Tables
from transpile.additions import Additions
from transpile.diagnostics.model import Diagnostic
from transpile.resolve.stack import Stack
from transpile.settings.target_options import TargetOptions
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

if TYPE_CHECKING:
    from transpile.text.addresses import EarlierAddresses, FollowedAddresses


def describe_types(name: str | None, added: Additions) -> str:
    """The text of `hot2tf types`."""
    from emitters.hcl.tables import listing

    return listing.list_types(tables_of(added)[0], name)


def write_pipeline(request: PipelineRequest) -> Mapping[str, str]:
    """Writes the files of a pipeline."""
    from emitters.hcl.pipelines import files  # only migrations need it

    return files.write_pipeline(request)


def follow_addresses(files: Mapping[str, str | bytes], now: Any, earlier: EarlierAddresses | None) -> FollowedAddresses:
    """The `moved` blocks and diagnostics that follow from the earlier addresses of a directory."""
    from emitters.hcl.moves import following  # only an output directory needs it

    return following.follow_addresses(files, now, earlier)


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

    kinds: Mapping[str, HookRegistry[Any]] = {
        "property": PROPERTIES,
        "attribute": ATTRIBUTES,
        "finish": FINISH,
        "type": hooks.RESOURCES,
    }
    try:
        return kinds[sort][name] is not None
    except KeyError:
        return False


def emit_directory(stack: Stack, options: Mapping[str, Any]) -> Output:
    """The files, the report and the diagnostics."""
    target_options = options if isinstance(options, TargetOptions) else TargetOptions(options)
    try:
        return build_output(read_request(stack, target_options))
    except UnknownProvider as error:
        return Output({}, {}, [error.as_diagnostic(stack)])


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
        NOTE,
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

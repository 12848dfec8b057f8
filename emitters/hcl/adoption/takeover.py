"""Adds an adoption to a conversion: resources that cannot be taken over stay with Heat, and all others get an import.

Invariant: no resource is written that Terraform would create a second time. It stays with Heat or has an import;
otherwise nothing is written at all.
"""

from __future__ import annotations

import textwrap
from collections.abc import Mapping
from typing import Any

from emitters.hcl.adoption import json_texts, remains, settling, shared_imports
from emitters.hcl.adoption.identity import Identities, Identity
from emitters.hcl.attempt import Attempt
from emitters.hcl.emission import Emission
from emitters.hcl.errors import CannotSay
from emitters.hcl.evaluation.functions import EvaluationFailed, UnknownValue
from emitters.hcl.evaluation.instances import BlockInstance
from emitters.hcl.log import abbreviate_names
from emitters.hcl.plan.modules import TerraformModule
from emitters.hcl.tables import imports
from emitters.hcl.tree.nodes import Argument, Block
from transpile.adoption import release
from transpile.adoption.adoption import Adoption
from transpile.diagnostics import codes
from transpile.diagnostics.model import MASK, Diagnostic
from transpile.model.span import Span
from transpile.resolve.flow_nodes import CallSite
from transpile.resolve.groups import INSIDE

IMPORTS_FILE = "imports.tf"
WIDTH = 96


def find_failures(attempt: Attempt) -> list[tuple[str, CannotSay]]:
    """The resources that cannot be taken over: the provider cannot import their type, or Heat does not let go."""
    emission = attempt.emission
    failures = []
    for block, owner in emission.blocks.walk_owned():
        resource = emission.unit.template.resources[owner]
        reaction = release.REACTIONS.get(emission.unit.stack.types[owner], "")
        why = f"when its deletion policy changes, Heat {reaction}" if reaction else explain_refusal(block)
        if why:
            failures.append(
                (
                    owner,
                    CannotSay(
                        codes.RESOURCE_CHANGED_BY_RELEASE if reaction else codes.RESOURCE_CANNOT_BE_IMPORTED,
                        why,
                        resource.type_span,
                        owner,
                    ),
                )
            )
    return failures


def explain_stay(attempt: Attempt) -> str:
    """Why a nested stack stays with Heat as a whole; empty if it need not."""
    emission = attempt.emission
    if attempt.embedded:
        names = [name for embedded in attempt.embedded for name in embedded.members]
        whole = "with it the whole nested stack, which has a place only there"
        return f"{abbreviate_names(names)} must stay with Heat, and {whole}"
    if any(call.written == INSIDE for call in emission.unit.module.calls):
        return "the export does not show the resources of a stack in another project or region"
    return ""


def diagnose_kept_stack(call: CallSite, module: TerraformModule, why: str) -> Diagnostic:
    """The diagnostic for a nested stack that stays with Heat, where it is used."""
    resource = call.resource
    message = f"The stack of {resource.name} ({module.file}) stays with Heat: {why}."
    return Diagnostic(codes.NESTED_STACK_KEPT_IN_HEAT, message, call.stack.template.source, resource.type_span)


def explain_refusal(block: Block) -> str:
    """The reason why a resource cannot be imported, and must not be created again; empty if it can be imported."""
    kind = block.labels[0]
    row = imports.find_row(kind)
    if row is imports.UNKNOWN_ROW:
        return f"nothing is known about the import of {kind}"
    if row.none:
        return "" if row.anew else f"{row.none}, {kind}"
    written = {item.name for item in block.body if isinstance(item, Argument)}
    return next((f"{kind} with {name}: {why}" for name, why in row.refused.items() if name in written), "")


def write_imports(
    adoption: Adoption, root: Attempt, modules: Mapping[str, Attempt]
) -> tuple[list[Block], list[Diagnostic]]:
    """Writes the import blocks of IMPORTS_FILE, and the diagnostics. Fills in the adoption."""
    diagnostics: list[Diagnostic] = []
    identities = Identities(adoption, root, modules)
    try:
        all_identities = identities.list_identities()
    except (UnknownValue, EvaluationFailed) as e:
        message = f"The resources that Terraform would plan are not known: {e}."
        at, source = adoption.live.at, adoption.live.source
        return [], [Diagnostic(codes.RESOURCE_CANNOT_BE_IMPORTED, message, source, Span(at, at + 1))]
    json_texts.ignore_json_texts(adoption, root, modules, identities.look_up_id)
    items: list[Block] = []
    environment = adoption.environment
    secrets_file = environment.secrets_file if environment.exists else IMPORTS_FILE
    secret: list[BlockInstance] = []
    diagnostics += remains.record_fates(adoption, root, identities)
    for identity in all_identities:
        instance = identity.instance
        block = Block("import")
        block.add_argument("to", instance.import_address)
        block.add_argument("id", identity.id or "")
        if identity.id is None:
            diagnostics.append(diagnose_unknown_id(identities, identity))
            adoption.unknown_ids[instance.address_text] = identity.command
            line = f"HOT715: {identity.why}."
            block.comments += [f" {part}" for part in textwrap.wrap(line, WIDTH, break_long_words=False)]
            if identity.command:
                block.comments.append(f" {identity.command}")
        else:
            adoption.imports[instance.address_text] = identity.id
            if (row := imports.find_row(instance.block.labels[0])).secret:
                block.comments.append(f" HOT721: {row.secret}.")
                adoption.imports[instance.address_text] = MASK
                adoption.private.add(secrets_file)
                secret.append(instance)
            record_import(instance, adoption.imports[instance.address_text])
        record_settling(adoption, instance)
        items.append(block)
        if environment.exists:
            is_secret = bool(secret) and secret[-1] is instance
            try:
                shared_imports.record_import_id(environment, identity, is_secret=is_secret)
            except UnknownValue as e:
                diagnostics.append(diagnose_unknown_id(identities, Identity(instance, None, str(e))))
    if environment.exists:
        items = shared_imports.write_import_blocks(root, modules, environment)
    for instance, why in identities.without_import:
        adoption.additions[instance.address_text] = why
        diagnostics.append(diagnose_missing_import(identities, instance, why))
    if secret:
        live = identities.counterparts.resource_of(secret[0])
        span = live.span if live is not None else Span(0, 1)
        message = f"{secrets_file} has the values of {abbreviate_names(instance.address_text for instance in secret)}."
        diagnostics.append(Diagnostic(codes.SECRET_IN_IMPORT, message, adoption.live.source, span))
    return items, diagnostics


def find_unset_variables(adoption: Adoption, emission: Emission, report: Mapping[str, Any]) -> dict[str, bool]:
    """The variables that need a value, and whether each is a hidden parameter: those for which Terraform asks, and
    hidden ones with a default, if the stack has another value.
    """
    unit, labels = emission.unit, emission.names.variables
    hidden = {name for name, parameter in unit.template.parameters.items() if parameter.hidden}
    hidden_labels = {labels[name] for name in hidden}
    unset = {label: label in hidden_labels for label in report.get("asks", ())}
    for name in sorted(hidden):
        written = "variable" in report.get("parameters", {}).get(name, {})
        if written and (name in unit.stack.bindings or name in adoption.masked):
            unset.setdefault(labels[name], True)
    return unset


def diagnose_missing_import(identities: Identities, instance: BlockInstance, why: str) -> Diagnostic:
    """The diagnostic for a resource that exists only in Terraform's state, and is created during the import."""
    message = f"{instance.address_text} has no import, so the plan adds it: {why}."
    return Diagnostic(
        codes.RESOURCE_CANNOT_BE_IMPORTED,
        message,
        identities.adoption.live.source,
        identities.span_of(instance),
        "Nothing that runs changes.",
        "warning",
    )


def diagnose_unknown_id(identities: Identities, identity: Identity) -> Diagnostic:
    """The diagnostic for an ID that is not known."""
    span, source = identities.span_of(identity.instance), identities.adoption.live.source
    if not identity.command:
        message = f"The ID of {identity.instance.address_text} is unknown: {identity.why}."
        return Diagnostic(codes.RESOURCE_CANNOT_BE_IMPORTED, message, source, span)
    message = f"The ID of {identity.instance.address_text} is not in the input: {identity.why}."
    hint = f"Ask the cloud (--os-cloud), or use --answers; this shows it: {identity.command}"
    return Diagnostic(codes.UNANSWERED_QUESTION, message, source, span, hint)


def record_settling(adoption: Adoption, instance: BlockInstance) -> None:
    """Records whether Terraform updates an instance when it compares everything that an import does not read back."""
    names = settling.settling_names(instance.directory.emission, instance.block)
    if names and settling.changes_when_settled(instance, names):
        adoption.settling.append(instance.address_text)


def record_import(instance: BlockInstance, import_id: str) -> None:
    """Records the ID in the report, at the resource of the template."""
    resources, owner = instance.directory.emission.log.report.resources, instance.owner_name
    if owner in resources:
        resources[owner].imports[instance.address_text] = import_id

"""Assembles the files of a directory from its blocks.

Invariant: blocks are in template order, and empty files are not written.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any, NamedTuple, Protocol

from emitters.hcl.assemble import (
    capabilities,
    comments,
    example,
    kept,
    tfvars,
    unused,
    variables,
)
from emitters.hcl.assemble.depends_on import write_depends_on
from emitters.hcl.assemble.module_graph import ModuleDirectory
from emitters.hcl.assemble.origin import Origin
from emitters.hcl.assemble.outputs import mark_sensitive_outputs
from emitters.hcl.assemble.required_providers import (
    build_terraform_block,
    list_providers,
    lowest_versions_of_directory,
    report_lacking_names,
)
from emitters.hcl.assemble.value_files import ValueFiles
from emitters.hcl.capability_comments import capability_lines
from emitters.hcl.embed.embedded_template import print_template
from emitters.hcl.embed.stack import EmbeddedStack
from emitters.hcl.emission import Emission
from emitters.hcl.plan.modules import TerraformModule
from emitters.hcl.provider_names import ProviderNames
from emitters.hcl.symbols import STACK_NAME
from emitters.hcl.tree.nodes import Argument, Block, Note, expression_from_data
from emitters.hcl.tree.printer import Item, print_hcl
from transpile.diagnostics.model import Diagnostic
from transpile.model.meter import make_output_meter
from transpile.model.span import Span
from transpile.targets import Output
from transpile.text.wrapping import wrap_line

MAIN = "main.tf"
PSEUDO = ("OS::", "AWS::")  # how pseudo parameters begin
WIDTH = 96  # columns of a comment
LAST = 1 << 60  # after all places of a template


class Folding(Protocol):
    """Writes several blocks as one (`roll_up`), in the files, and in all texts with addresses: the report, messages."""

    def roll_files(self, emission: Emission, files: dict[str, list[Item]]) -> None: ...
    def rename_report(self, emission: Emission, body: dict[str, Any]) -> dict[str, Any]: ...
    def rename_diagnostics(self, emission: Emission, diagnostics: Sequence[Diagnostic]) -> list[Diagnostic]: ...


def complete_directory(
    emission: Emission, embedded: list[EmbeddedStack], modules: dict[TerraformModule, ModuleDirectory]
) -> None:
    """Completes the blocks of one directory, except for the order through modules, and adds it to `modules`. The
    modules that it calls must be there already.
    """
    for stack in embedded:
        stack.write_stack_block()
        emission.blocks.main += [*stack.extra_blocks, stack.block]
    for call in emission.calls:
        call.pass_synthetic_values()
    write_region(emission)
    inner = {f"module.{label}": modules[module] for label, module in emission.modules.items()}
    write_depends_on(emission, inner)
    if modules or not emission.unit.module.is_root:
        modules[emission.unit.module] = ModuleDirectory(emission, inner)


class AssembledDirectory(NamedTuple):
    """A directory of the output.

    output: the files, the report and the diagnostics. items: the items of each .tf file, by file name.
    variables: the blocks of variables.tf.
    """

    output: Output
    items: Mapping[str, Sequence[Item]]
    variables: list[Block | Note]


def assemble_files(
    emission: Emission,
    embedded: list[EmbeddedStack],
    freed: Mapping[str, Collection[str]],
    origin: Origin,
    value_files: ValueFiles,
    terraform_version: str,
    always: Collection[str],
    roll_up: Folding,
) -> AssembledDirectory:
    """Assembles the files of one directory. freed: the resources that other preferences would free from Heat, by
    preference. origin: the command that makes the files. value_files: those of the root. terraform_version: which
    versions a root accepts. always: the files that are written even if they are empty. roll_up: the families.
    """
    first = origin.make_note("" if emission.unit.module.is_root else emission.unit.template.source.name)
    for call in emission.calls:
        call.write_source()
    unused.remove_unused(emission)
    comment_depends_on(emission)
    mark_sensitive_outputs(emission)
    sort_blocks(emission)
    variable_blocks = variables.write_variables(emission)
    module = emission.unit.module
    module.unused |= emission.unused
    module.providers |= list_providers(emission)
    values, diagnostics = (
        tfvars.write_values(emission, first, variable_blocks, value_files) if module.is_root else ({}, [])
    )  # the callers of a module set its variables
    files: dict[str, list[Item]] = {
        "variables.tf": list(variable_blocks),
        "locals.tf": assemble_locals(emission),
        "providers.tf": list(emission.blocks.configurations),
        "data.tf": list(emission.blocks.data),
        MAIN: list(emission.blocks.main),
        "outputs.tf": list(emission.blocks.outputs),
    }
    capabilities.report_choices(emission)
    emission.log.report_generated_names()
    comments.place_comments(emission, embedded, files)
    if head := [
        *wrap_text((emission.unit.template.description or "").strip()),
        *capability_lines(emission.unit.template),
    ]:
        files[MAIN].insert(0, Note([f" {line}" if line else "" for line in head]))
    lowest = lowest_versions_of_directory(emission)
    module.lowest_versions |= lowest
    files["versions.tf"] = [build_terraform_block(emission, lowest, terraform_version)]
    report_lacking_names(emission)
    roll_up.roll_files(emission, files)
    pay = make_output_meter(emission.unit.template.source)
    printed_items: dict[str, list[Item]] = {
        name: [first, *items] for name, items in files.items() if items or name in always
    }
    names = ProviderNames(emission.unit.tables.overlay)
    out: dict[str, str | bytes] = {
        name: print_hcl(names.rename_items(items), pay=pay) for name, items in printed_items.items()
    }
    out |= values
    out |= emission.blocks.files
    for stack in embedded:
        out[stack.file] = print_template(stack)
        for name in (stack.file, *stack.nested_templates.aliases.values()):
            emission.log.report_unnormalized_file(name, out[name], Span(*stack.declaration_range()))
    freed_members = kept.report_embedded(emission, embedded, freed)
    body = build_report(emission)
    if freed_members:
        body["freed"] = freed_members
    if heat := kept.reasons_of_memberless_stacks(emission, embedded):
        body["heat"] = heat
    if module.is_root and (unknown := tfvars.list_placeholders(emission)):
        body["placeholders"] = [placeholder.name for placeholder in unknown]
    if module.is_root and (asked := list_unset_variables(emission, variable_blocks)):
        body["asks"] = asked
    if module.is_root and asked and not emission.unit.running.is_root:
        blocks = [block for block in variable_blocks if isinstance(block, Block)]
        placeholders = {
            emission.names.variables[name]: expression_from_data(placeholder.value)
            for name, placeholder in emission.unit.stack.placeholders.items()
            if emission.unit.stack.template.parameters[name].type not in ("number", "boolean")
        }
        out[value_files.example] = example.print_example(
            first, blocks, asked, placeholders, renamed_parameters(emission), value_files
        )
    all_diagnostics = [*emission.log.all_diagnostics(), *diagnostics]
    renamed = roll_up.rename_diagnostics(emission, all_diagnostics)
    output = Output(dict(sorted(out.items())), roll_up.rename_report(emission, body), renamed)
    return AssembledDirectory(output, printed_items, variable_blocks)


def renamed_parameters(emission: Emission) -> dict[str, str]:
    """The parameters whose variables are called otherwise because the user wants snake case, by variable."""
    names = emission.names.variables if emission.names.snake else {}
    return {label: name for name, label in names.items() if label != name and not name.startswith(PSEUDO)}


def list_unset_variables(emission: Emission, blocks: Iterable[Item]) -> list[str]:
    """The variables that have neither a default nor a value, so that Terraform asks for them."""
    stack = emission.unit.stack
    labels_with_values = {
        emission.names.variables[name]
        for name, binding in stack.bindings.items()
        if binding.is_default or not stack.template.parameters[name].hidden
    }
    if STACK_NAME in emission.variables and tfvars.find_stack_name(emission):
        labels_with_values.add(emission.variables.blocks[STACK_NAME].labels[0])
    blocks_by_key = emission.variables.blocks
    labels_with_values |= {
        blocks_by_key[key].labels[0] for key in emission.unit.environment_values if key in blocks_by_key
    }
    return [
        block.labels[0]
        for block in blocks
        if isinstance(block, Block)
        and block.type == "variable"
        and block.labels[0] not in labels_with_values
        and not any(isinstance(a, Argument) and a.name == "default" for a in block.body)
    ]


def write_region(emission: Emission) -> None:
    """Writes `region` into all resources and data sources of a module that has a variable for it."""
    region = emission.symbols.region_variable()
    if region is None:
        return
    for item in (*emission.blocks.main, *emission.blocks.data):
        if isinstance(item, Block) and item.labels and item.labels[0].startswith("openstack_"):
            first = sum(isinstance(a, Argument) and a.name in ("count", "for_each") for a in item.body)
            item.body.insert(first, Argument("region", region))


def assemble_locals(emission: Emission) -> list[Item]:
    """Makes the `locals` block: mappings and conditions in template order, then all other locals."""
    if not emission.blocks.locals:
        return []
    first = [emission.names.mappings[n] for n in emission.unit.template.mappings] + [
        emission.names.conditions[n] for n in emission.unit.template.conditions
    ]
    leading = set(first)
    ordered = [n for n in first if n in emission.blocks.locals] + [
        n for n in emission.blocks.locals if n not in leading
    ]
    block = Block("locals")
    block.body += [emission.blocks.locals[name] for name in ordered]
    return [block]


def sort_blocks(emission: Emission) -> None:
    """Sorts blocks into template order; auxiliary blocks stay after their main block."""
    place = {id(block): index for index, block in enumerate(emission.blocks.main)}
    at = {name: resource.at for name, resource in emission.unit.template.resources.items()}

    def sort_key(item: Item) -> tuple[int, int]:
        own = item.at if isinstance(item, Block) and item.at >= 0 else LAST
        owner = emission.blocks.find_owner(item)
        return at.get(owner, LAST) if owner else own, place[id(item)]

    emission.blocks.main.sort(key=sort_key)


def comment_depends_on(emission: Emission) -> None:
    """Writes comments above each `depends_on` that comes from an implicit dependency."""
    for item in emission.blocks.main:
        if isinstance(item, Block) and id(item) in emission.ordering.reasons:
            for argument in item.body:
                if isinstance(argument, Argument) and argument.name == "depends_on":
                    argument.comments += [f" {why}." for why in dict.fromkeys(emission.ordering.reasons[id(item)])]


def wrap_text(text: str) -> list[str]:
    """Wraps the lines of a text at spaces; a long word is not broken."""
    return [
        part
        for line in text.splitlines()
        for part in wrap_line(line, WIDTH, break_long_words=False, break_on_hyphens=False) or [""]
    ]


def build_report(emission: Emission) -> dict[str, Any]:
    template, report = emission.unit.template, emission.log.report
    capabilities.record_capability_fates(emission)
    for name in template.conditions:
        report.conditions.setdefault(name, {"why": unused.UNUSED})
    for name in template.outputs:
        report.outputs.setdefault(name, {})
    for reader, name in emission.unit.plan.readers.items():
        read = report.resources.pop(reader).attributes
        if name:
            report.resources[name].attributes |= read
    report.resources = {name: report.resources[name] for name in template.resources if name in report.resources}
    return report.as_json()

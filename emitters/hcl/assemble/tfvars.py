"""Writes the values from environments and the command line to the file of values, such as `terraform.tfvars`.

Invariant: hidden values are never written, except for one that is the template's default, which the output has anyway.
Every entry of an environment has a fate in the report. Values are written after Heat's own conversion.
"""

from __future__ import annotations

from collections.abc import Iterable

from emitters.hcl.assemble import capabilities
from emitters.hcl.assemble.unused import UNUSED
from emitters.hcl.assemble.value_files import ValueFiles
from emitters.hcl.assemble.variables import is_unsupported_number
from emitters.hcl.emission import Emission
from emitters.hcl.log import abbreviate_names
from emitters.hcl.symbols import STACK_NAME
from emitters.hcl.tree.nodes import Argument, Block, Expr, Note, expression_from_data
from emitters.hcl.tree.printer import print_hcl, print_inline
from transpile.diagnostics import codes
from transpile.diagnostics.model import Diagnostic
from transpile.model import ir
from transpile.model.span import word_at
from transpile.report import Fate, make_fate
from transpile.resolve.environments import Binding
from transpile.resolve.placeholder_values import PlaceholderValue, report_placeholders
from transpile.resolve.registry import STEERING

HIDDEN_FATE = make_fate("dropped", code=codes.HIDDEN_VALUE_NOT_WRITTEN, why="hidden values are not written")


def write_values(
    emission: Emission, first: Note, variables: Iterable[Block | Note], files: ValueFiles
) -> tuple[dict[str, str | bytes], list[Diagnostic]]:
    """Writes the file, unless it would be empty, and diagnostics. first: its first line. variables: the items of
    variables.tf. A file for one environment of several is never left out, and has no value that is the default of its
    variable.
    """
    rows: dict[str, Argument] = {}
    defaults = list_defaults(variables) if files.environment else {}
    diagnostics: list[Diagnostic] = []
    hidden: dict[tuple[int, bool, str], list[str]] = {}  # by environment, whether Terraform asks, and `hidden_by`
    stack = emission.unit.stack
    for name, binding in stack.bindings.items():
        param = stack.template.parameters[name]
        if emission.names.variables[name] in emission.unused:
            continue
        if param.hidden and not binding.is_default:
            key = id(binding.environment), param.default is None, param.hidden_by
            hidden.setdefault(key, []).append(name)
            continue
        value = binding.value
        if param.type == "number" and is_unsupported_number(value):
            source, start = binding.source, offset_of_binding(binding)
            message = f"The value {value} of {name} is not a number in Terraform."
            diagnostics.append(Diagnostic(codes.NOT_A_TERRAFORM_NUMBER, message, source, word_at(start, name)))
            if not isinstance(value, bool):
                continue
            value = int(value)
        rows[name] = Argument(emission.names.variables[name], expression_from_data(value))
        if emission.names.snake and name != rows[name].name:
            rows[name].comments.append(f" {name} in Heat.")
    diagnostics += report_placeholders(list_placeholders(emission), asked=True)
    diagnostics += [
        report_hidden_values(emission, names, files.values, asks=asks) for (_, asks, _), names in hidden.items()
    ]
    body: list[Argument | Note] = [Note([f" {line}" for line in files.note.splitlines()])] if files.note else []
    for environment in stack.environments:
        comments: list[tuple[int, str]] = [(c.anchor, c.text) for c in environment.comments]
        for section in (environment.parameter_defaults, environment.parameters):
            for name, entry in section.items():
                if name in rows and stack.bindings[name].environment is environment:
                    entry_comments = [c for c in comments if entry.at <= c[0] < max(entry.value.end, entry.at + 1)]
                    rows[name].comments += [text for _, text in entry_comments]
                    comments = [c for c in comments if c not in entry_comments]
        if comments and rows:
            body.append(Note([text for _, text in comments]))
        diagnostics += record_environment_fates(emission, environment, rows, files.values)
    ordered = [
        rows[name]
        for name in stack.template.parameters
        if name in rows and not is_default(rows[name].value, defaults.get(rows[name].name))
    ]
    if STACK_NAME in emission.variables and (stack_name := find_stack_name(emission)):
        ordered.insert(0, Argument(emission.variables.blocks[STACK_NAME].labels[0], stack_name))
    ordered += list_environment_values(emission)
    written = ordered or files.environment
    values = {files.values: print_hcl([first, *body, *ordered], constant=True)} if written else {}
    return {**values, **write_secret_ids(emission, first)}, diagnostics


def write_secret_ids(emission: Emission, first: Note) -> dict[str, str]:
    """Writes the file with the IDs to import that are secrets, if an environment has some."""
    blocks = emission.variables.blocks
    return {
        file: print_hcl(
            [first, *(Argument(blocks[key].labels[0], expression_from_data(ids)) for key, ids in values.items())],
            constant=True,
        )
        for file, values in emission.unit.running.secret_values.items()
    }


def list_environment_values(emission: Emission) -> list[Argument]:
    """The values of an environment that are not those of parameters: defaults for nested templates, and from its
    running stack names, IDs, and the IDs to import.
    """
    running, blocks = emission.unit.running, emission.variables.blocks
    rows = [
        Argument(blocks[key].labels[0], expression_from_data(value))
        for key, value in emission.unit.environment_values.items()
        if key in blocks and blocks[key].labels[0] not in emission.unused
    ]
    for key, ids in running.import_values.items():
        rows.append(Argument(blocks[key].labels[0], expression_from_data(ids), comments=[*running.import_notes]))
    return rows


def list_defaults(variables: Iterable[Block | Note]) -> dict[str, Argument]:
    """The defaults of variables, by label."""
    blocks = [item for item in variables if isinstance(item, Block)]
    return {b.labels[0]: default for b in blocks if (default := b.find_argument("default")) is not None}


def is_default(value: Expr, default: Argument | None) -> bool:
    """Whether a value is written as the default of its variable is."""
    return default is not None and print_inline(value) == print_inline(default.value)


def find_stack_name(emission: Emission) -> str:
    """The name of the stack: that of the running one, or the one that the user chose; empty if there is none."""
    return emission.unit.running.stack_name or emission.unit.stack.name


def list_placeholders(emission: Emission) -> list[PlaceholderValue]:
    """The placeholders in place of values of variables that are written."""
    values = emission.unit.stack.placeholders.values()
    return [value for value in values if emission.names.variables[value.name] not in emission.unused]


def report_hidden_values(emission: Emission, names: list[str], file: str, *, asks: bool) -> Diagnostic:
    """The diagnostic for hidden values from one environment. file: where they would stand otherwise. asks: none has a
    default, so Terraform asks.
    """
    binding = emission.unit.stack.bindings[names[0]]
    source = binding.source
    labels = abbreviate_names(f"TF_VAR_{emission.names.variables[name]}" for name in names)
    several = len(names) > 1
    template = emission.unit.template.parameters[names[0]].hidden_by
    where = f" in {template}" if template else ""
    beginning = (
        f"The values of {abbreviate_names(names)} are hidden{where} and"
        if several
        else f"The value of {names[0]} is hidden{where} and"
    )
    it, default = ("them", "defaults") if several else ("it", "default")
    if asks:
        message, hint = f"{beginning} not written to {file}.", f"Set {labels}, or enter {it} when Terraform asks."
    else:
        message = f"{beginning} not written to {file}; unless you set {it}, Terraform uses the template's {default}."
        hint = f"Set {labels}."
    severity = "" if asks else "warning"
    return Diagnostic(
        codes.HIDDEN_VALUE_NOT_WRITTEN, message, source, word_at(offset_of_binding(binding), names[0]), hint, severity
    )


def offset_of_binding(binding: Binding) -> int:
    if binding.environment is not None:
        section, _, name = binding.path.partition(".")
        entries_ = binding.environment.parameters if section == "parameters" else binding.environment.parameter_defaults
        return entries_[name].at if name in entries_ else 0
    return 0


def fate_in_modules(emission: Emission, environment: ir.Environment, name: str) -> Fate | None:
    """The fate of a `parameter_defaults` entry that reaches nested templates; None if it does not."""
    for call in emission.calls:
        binding = call.module.stack.bindings.get(name)
        if binding is not None and is_from_environment(binding, environment) and name not in call.entries:
            if call.module.stack.template.parameters[name].hidden:
                return HIDDEN_FATE
            if call.variable_name(name) in call.module.unused:
                return make_fate("implied", why=UNUSED)
            return make_fate("value", call.to, call.variable_name(name))
    modules = emission.unit.modules.order
    if any(is_from_environment(m.stack.bindings[name], environment) for m in modules if name in m.stack.bindings):
        return make_fate("derived", why="it is passed to a nested template")
    return None


def is_from_environment(binding: Binding, environment: ir.Environment) -> bool:
    """Whether a value came from an environment. Compares sources: a nested stack has a partial copy of it."""
    return binding.source is environment.source


def fate_of_template_entry(emission: Emission, entry: ir.Entry) -> Fate | None:
    """The fate of a registry entry that names a template; None if no resource uses it."""
    for (name, _), nested in emission.unit.stack.nested.items():
        if nested.resolved_type.registration is None or nested.resolved_type.registration.entry is not entry:
            continue
        report = emission.log.report.resources[name]
        if report.treatment == "module":
            return make_fate("derived", report.addresses[0], "source", f"{nested.file} became the module")
        if report.treatment == "embedded":
            why = f"{nested.file} is stored beside the embedded template"
            return make_fate("derived", report.addresses[0], "environment_opts.Bin", why)
    return None


def controls_engine(expr: ir.Expr) -> bool:
    """Whether a registry entry contains hooks or restricted actions."""
    return isinstance(expr, ir.Map) and any(e.key in STEERING or controls_engine(e.value) for e in expr.entries)


def record_environment_fates(
    emission: Emission, environment: ir.Environment, rows: dict[str, Argument], file: str
) -> list[Diagnostic]:
    """Records the fates of all entries of an environment. file: the file of values. Returns diagnostics for those that
    control Heat's engine.
    """
    stack = emission.unit.stack
    name = environment.source.name.rpartition("/")[2]
    fates = emission.log.report.environments.setdefault(name, {})
    diagnostics = []
    for section, section_entries in (
        ("parameters", environment.parameters),
        ("parameter_defaults", environment.parameter_defaults),
    ):
        for key in section_entries:
            path = f"{section}.{key}"
            value = stack.bindings.get(key)
            if value is not None and value.environment is environment and value.path == path:
                fates[path] = (
                    make_fate("implied", why=UNUSED)
                    if emission.names.variables[key] in emission.unused
                    else make_fate("value", file, emission.names.variables[key])
                    if key in rows
                    else HIDDEN_FATE
                    if stack.template.parameters[key].hidden
                    else make_fate("dropped", code=codes.NOT_A_TERRAFORM_NUMBER, why="Terraform has no such number")
                )
            elif (placeholder := stack.placeholders.get(key)) is not None and placeholder.path == path:
                why = "it is a placeholder, so Terraform asks for the value"
                fates[path] = (
                    make_fate("implied", why=UNUSED)
                    if emission.names.variables[key] in emission.unused
                    else make_fate("dropped", code=codes.PLACEHOLDER_VALUE, why=why)
                )
            elif (
                section == "parameter_defaults" and (inside := fate_in_modules(emission, environment, key)) is not None
            ):
                fates[path] = inside
            elif key not in stack.template.parameters:
                fates[path] = make_fate("implied", why="the template has no such parameter, and Heat ignores the entry")
            else:
                fates[path] = make_fate("implied", why="another value overrides this one, or it is null")
    types = {resource.type for resource in stack.template.resources.values()}
    for key, entry in environment.registry.items():
        used = key in types
        if key == "resources":
            why = "its entries are listed one by one"
            if controls_engine(entry.value):
                message, why = (
                    "Entries for single resources control Heat's engine.",
                    "hooks and restricted actions control Heat's engine",
                )
                diagnostics.append(
                    Diagnostic(codes.ENVIRONMENT_WITHOUT_COUNTERPART, message, environment.source, entry.key_span)
                )
            fates[f"resource_registry.{key}"] = make_fate("implied", why=why)
            for registration in stack.registry.list_registrations():
                if len(registration.path) > 1 and registration.environment.source is environment.source:
                    fates[f"resource_registry.{'.'.join(registration.path)}"] = fate_of_template_entry(
                        emission, registration.entry
                    ) or make_fate("implied", why="the output uses the type's real name")
        else:
            fates[f"resource_registry.{key}"] = fate_of_template_entry(emission, entry) or make_fate(
                "implied",
                why="the output uses the type's real name" if used else "no resource of the template has this type",
            )
    fates |= capabilities.fates_of_environment(emission, environment)
    for key in environment.strategies:
        fates[f"parameter_merge_strategies.{key}"] = make_fate(
            "implied", why="values are merged before they are written"
        )
    for key, entry in environment.other.items():
        diagnostics.append(
            Diagnostic(
                codes.ENVIRONMENT_WITHOUT_COUNTERPART,
                f"{key} controls Heat's engine.",
                environment.source,
                entry.key_span,
            )
        )
        fates[key] = make_fate("implied", why="it controls Heat's engine")
    return diagnostics

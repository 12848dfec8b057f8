"""Converts a stack to TOSCA service templates, as files or as one archive.

Nested templates become separate service templates that nothing imports. CFN templates are converted to HOT first, as
far as possible, and the report gets the original names back.
"""

from __future__ import annotations

import pathlib
from collections.abc import Mapping, Sequence
from typing import Any, final

from emitters.tosca import printer
from emitters.tosca.archive import INPUTS, MAIN, TemplateArchive, pack_csar
from emitters.tosca.inputs import TemplateInputs
from emitters.tosca.shapes import NoFit
from emitters.tosca.v1_3.service import ServiceTemplate
from emitters.tosca.v2_0.functions import TooLarge
from emitters.tosca.v2_0.service import ServiceTemplate20
from transpile.diagnostics import codes
from transpile.diagnostics.model import Diagnostic, has_errors
from transpile.model import ir
from transpile.model.intrinsics import look_up_template_version
from transpile.model.ir import Template
from transpile.model.records import replace
from transpile.report import Fate, StackReport, is_beneath, make_fate
from transpile.resolve.stack import Stack
from transpile.rewrite.upgrade import Upgrade
from transpile.targets import LOAD, Option, Output, Target

LATEST = "wallaby"
VERSIONS: Mapping[str, type[ServiceTemplate]] = {"1.3": ServiceTemplate, "2.0": ServiceTemplate20}
REPORTED_CODES = (
    codes.MAPPING_AS_PARAMETER,
    codes.KEY_IGNORED_BY_HEAT,
    codes.RENAMED_PROPERTY,
    codes.SELECT_OF_MISSING_ITEM,
)  # diagnostics of the conversion to HOT that also apply here


def build_services(
    stack: Stack, options: Mapping[str, Any], diagnostics: list[Diagnostic]
) -> tuple[TemplateArchive, dict[int, TemplateInputs], list[ServiceTemplate], ServiceTemplate | None]:
    """Builds the service templates of a stack.

    Returns the archive, the inputs by the `id()` of their stack, the nested service templates, and the main service
    template. The main service template is None if a condition is too large; `diagnostics` then has an error.
    """
    archive = TemplateArchive(stack, "" if options["csar"] else options["beside"])
    service_class = VERSIONS[options["tosca_version"]]
    inputs = {id(nested): TemplateInputs(nested, nests=service_class.NESTS) for nested in [*archive.order, stack]}
    name = pathlib.PurePath(stack.template.source.name).stem or "template"
    try:
        services = [
            service_class(nested, archive.names[id(nested)], archive.paths[id(nested)], archive, inputs, True)
            for nested in archive.order
        ]
        return archive, inputs, services, service_class(stack, name, MAIN, archive, inputs, False)
    except TooLarge as e:
        message = "With the conditions that it refers to expanded, this condition is too large."
        diagnostics.append(Diagnostic(codes.CONDITIONS_TOO_LARGE, message, stack.template.source, e.span.in_text))
        return archive, inputs, [], None


def companion_files(archive: TemplateArchive, services: Sequence[ServiceTemplate]) -> dict[str, str | bytes]:
    """Returns the nested service templates, and the files that service templates name, such as scripts."""
    texts = {
        archive.paths[id(s.stack)]: printer.print_document(s.build_document(), s.stack.template.source)
        for s in services
    }
    return {**texts, **archive.files}


def emit_service_templates(stack: Stack, options: Mapping[str, Any]) -> Output:
    """Returns the output, main file first.

    Options: `tosca_version`: "1.3" or "2.0". `csar`: all files go into one archive, `main.csar`. `beside`: the folder
    for all files except the main one.
    """
    diagnostics: list[Diagnostic] = []
    converter = HotConverter(diagnostics)
    archive, inputs, services, main = build_services(converter.convert_stack(stack), options, diagnostics)
    if main is None:
        return Output({}, {}, diagnostics)
    stack, source = main.stack, main.stack.template.source
    files: dict[str, str | bytes] = {MAIN: printer.print_document(main.build_document(), source)}
    files |= companion_files(archive, services)
    report = converter.report_service(main)
    values = collect_input_values(stack, inputs[id(stack)], report.environments, diagnostics)
    if values:
        files[f"{archive.folder}{INPUTS}"] = printer.print_document(values, source)
    body = report.as_json()
    body["modules"] = {
        archive.names[id(s.stack)]: {
            "source": archive.sources[id(s.stack)],
            "report": converter.report_service(s).as_json(),
        }
        for s in services
    }
    diagnostics += archive.diagnostics
    for service in [*services, main]:
        diagnostics += service.service_diagnostics()
    templates = [converted_stack.template for converted_stack in (stack, *archive.order)]
    private = any(p.hidden and p.default is not None for t in templates for p in t.parameters.values())
    return pack_output(Output(files, body, diagnostics), sorted(archive.paths.values()), options, private=private)


@final
class HotConverter:
    """Converts the CFN templates of a stack, and of the stacks nested in it, to HOT."""

    def __init__(self, diagnostics: list[Diagnostic]) -> None:
        self.diagnostics = diagnostics
        self.converted: dict[int, Stack] = {}
        self.upgraded: dict[int, tuple[Template, Upgrade]] = {}  # original template, by the new stack's id

    def convert_stack(self, stack: Stack) -> Stack:
        if id(stack) in self.converted:
            return self.converted[id(stack)]
        nested = {
            key: replace(nested_stack, stack=self.convert_stack(nested_stack.stack))
            for key, nested_stack in stack.nested.items()
        }
        if stack.template.version.is_hot:
            result = replace(stack, nested=nested) if nested else stack
        else:
            upgrade, template = as_hot(stack)
            self.diagnostics += [d for d in upgrade.sink.diagnostics if d.code in REPORTED_CODES]
            result = replace(stack, template=template, nested=nested)
            self.upgraded[id(result)] = stack.template, upgrade
        self.converted[id(stack)] = result
        return result

    def report_service(self, service: ServiceTemplate) -> StackReport:
        report = service.build_report()
        if id(service.stack) in self.upgraded:
            template, upgrade = self.upgraded[id(service.stack)]
            restore_names(report, template, upgrade.renamed)
        return report


def as_hot(stack: Stack) -> tuple[Upgrade, Template]:
    """Rewrites a template to the latest version of HOT, or to the last version that has all functions it uses."""
    upgrade = Upgrade(stack, look_up_template_version(LATEST))
    template = upgrade.rewrite_template()
    if upgrade.last is not None:
        other = Upgrade(stack, look_up_template_version(upgrade.last))
        again = other.rewrite_template()
        if not has_errors(other.sink.diagnostics):
            return other, again
    return upgrade, template


def collect_input_values(
    stack: Stack, inputs: TemplateInputs, environments: dict[str, dict[str, Any]], diagnostics: list[Diagnostic]
) -> dict[str, Any]:
    """Returns the values from environments and the command line as input values. Hidden values are left out."""
    values: dict[str, Any] = {}
    for environment in stack.environments:
        entries = environments.setdefault(environment.source.name, {})
        for section in ("parameters", "parameter_defaults"):
            for name in getattr(environment, section):
                entries[f"{section}.{name}"] = make_fate(
                    "implied", why="another value takes precedence, or there is no such parameter"
                )
        for section, names in (
            ("requires", environment.requires),
            ("resource_registry", environment.registry),
            ("", environment.other),
        ):
            for name in names:
                path = f"{section}.{name}" if section else name
                entries[path] = make_fate("value", "metadata", f"hot.environment.{section or name}")
    for name, binding in stack.bindings.items():
        param = stack.template.parameters.get(name)
        if param is None or binding.wrong:
            continue
        entries = environments[binding.environment.source.name] if binding.environment is not None else {}
        if param.hidden:
            where = f" in {param.hidden_by}" if param.hidden_by else ""
            message = f"The value of {name} is hidden{where}, so it was not written; pass it when you deploy."
            diagnostics.append(
                Diagnostic(codes.HIDDEN_INPUT_NOT_WRITTEN, message, stack.template.source, param.name_span.in_text)
            )
            entries[binding.path] = make_fate(
                "dropped", code=codes.HIDDEN_INPUT_NOT_WRITTEN, why="hidden values are not written"
            )
            continue
        try:
            values[name] = inputs.fit_environment_value(name, binding.value)
        except NoFit:
            message = f"The value of {name} does not fit the input's type; pass it when you deploy."
            diagnostics.append(
                Diagnostic(codes.VALUE_DOES_NOT_FIT_INPUT, message, stack.template.source, param.name_span.in_text)
            )
            entries[binding.path] = make_fate(
                "dropped", code=codes.VALUE_DOES_NOT_FIT_INPUT, why="it does not fit the input's type"
            )
            continue
        entries[binding.path] = make_fate("value", f"input.{name}", INPUTS)
    return {name: values[name] for name in inputs.by_name if name in values}


def pack_output(output: Output, definitions: list[str], options: Mapping[str, Any], *, private: bool = True) -> Output:
    """Packs the output into one archive if the option `csar` is set. `private`: the output holds hidden values."""
    if options["csar"]:
        version = "2.0" if options["tosca_version"] == "2.0" else "1.1"
        output.files = {"main.csar": pack_csar(output.files, definitions, version, private=private)}
    return output


def restore_names(report: StackReport, template: ir.Template, renamed: Mapping[str, Mapping[str, str]]) -> None:
    """Renames the entries of a report. `renamed`: the properties with new names, by resource."""
    words = template.version.dialect
    for name, resource in template.resources.items():
        resource_report = report.resources[name]
        keys: dict[str, Fate] = {}
        for word in resource.keys:
            meaning = words.resource.get(word)
            if meaning is None:
                keys[word] = make_fate("implied", why="Heat ignores this key")
            elif meaning in resource_report.keys:
                keys[word] = resource_report.keys[meaning]
        resource_report.keys = keys
        news = {new: old for old, new in renamed.get(name, {}).items()}
        resource_report.properties = {
            original_path(path, news): property_fate for path, property_fate in resource_report.properties.items()
        }
    for name, param in template.parameters.items():
        reported_keys = report.parameters[name].get("keys", {})
        for word in param.keys:
            meaning = words.parameter.get(word, word)
            if meaning in reported_keys and meaning != word:
                reported_keys[word] = reported_keys.pop(meaning)
            elif meaning == "constraint_description":
                reported_keys[word] = make_fate("derived", "metadata", f"hot.parameter.{name}", "with each constraint")
        numbers = {f"constraints.{i}": c.keys for i, c in enumerate(param.constraints)}
        for number, spelled in numbers.items():
            if number in reported_keys and spelled and number not in spelled:
                constraint_fate = reported_keys.pop(number)
                reported_keys.update(dict.fromkeys(spelled, constraint_fate))
        if reported_keys:
            report.parameters[name]["keys"] = reported_keys
    for name in template.mappings:
        label = next((n for n in report.parameters if n == name or n.startswith(f"{name}_")), name)
        report.parameters[f"mapping {name}"] = report.parameters.pop(label)


def original_path(path: str, news: Mapping[str, str]) -> str:
    return next((old + path[len(new) :] for new, old in news.items() if is_beneath(path, new)), path)


TARGET = Target(
    "tosca",
    emit_service_templates,
    nested=LOAD,  # nested templates become service templates of their own
    options=(
        Option("tosca_version", "The version to write.", values=tuple(VERSIONS), default=next(iter(VERSIONS))),
        Option("csar", "Write all files as one archive.", kind=bool, default=False),
    ),
)

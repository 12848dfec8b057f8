"""Converts a stack to TOSCA service templates, as files or as one archive.

Nested templates become separate service templates that nothing imports. CFN templates are converted to HOT first, as
far as possible.
"""

from __future__ import annotations

import pathlib
from typing import TYPE_CHECKING, Any, final

from emitters.tosca import printer
from emitters.tosca.archive import INPUTS, MAIN, Archive, csar
from emitters.tosca.inputs import Inputs
from emitters.tosca.report import respell
from emitters.tosca.shapes import NoFit
from emitters.tosca.v1_3.service import Service
from emitters.tosca.v2_0.functions import TooLarge
from emitters.tosca.v2_0.service import Service20
from transpile.diagnostics import codes
from transpile.diagnostics.model import Diagnostic, failed
from transpile.model.intrinsics import version
from transpile.model.records import replace
from transpile.report import fate
from transpile.rewrite.upgrade import Upgrade
from transpile.targets import LOAD, Option, Output, Target

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from transpile.model.ir import Template
    from transpile.report import Report
    from transpile.resolve.stack import Stack

LATEST = "wallaby"
VERSIONS: Mapping[str, type[Service]] = {"1.3": Service, "2.0": Service20}
TOLD = (
    codes.MAPPING_AS_PARAMETER,
    codes.KEY_IGNORED_BY_HEAT,
    codes.RENAMED_PROPERTY,
    codes.SELECT_OF_MISSING_ITEM,
)  # diagnostics of the conversion to HOT that also apply here


def built(
    stack: Stack, options: Mapping[str, Any], found: list[Diagnostic]
) -> tuple[Archive, dict[int, Inputs], list[Service], Service | None]:
    """The service templates of a stack: its nested ones, and the main one; None, with a diagnostic in `found`, if a
    condition is too large. Inputs are by the identity of a stack.
    """
    archive = Archive(stack, "" if options["csar"] else options["beside"])
    kind = VERSIONS[options["tosca_version"]]
    inputs = {id(one): Inputs(one, nests=kind.NESTS) for one in [*archive.order, stack]}
    name = pathlib.PurePath(stack.template.source.name).stem or "template"
    try:
        services = [
            kind(one, archive.names[id(one)], archive.paths[id(one)], archive, inputs, True) for one in archive.order
        ]
        return archive, inputs, services, kind(stack, name, MAIN, archive, inputs, False)
    except TooLarge as e:
        message = "With the conditions that it refers to expanded, this condition is too large."
        found.append(Diagnostic(codes.CONDITIONS_TOO_LARGE, message, stack.template.source, e.span.in_text))
        return archive, inputs, [], None


def beside(archive: Archive, services: Sequence[Service]) -> dict[str, str | bytes]:
    """The files beside the main one: nested service templates, and what they read."""
    shown = {archive.paths[id(s.stack)]: printer.show(s.document(), s.stack.template.source) for s in services}
    return {**shown, **archive.files}


def emit(stack: Stack, options: Mapping[str, Any]) -> Output:
    """Returns the output, main file first. Options: `tosca_version`; `csar`: one archive, `main.csar`; `beside`: the
    folder for all files except the main one.
    """
    found: list[Diagnostic] = []
    modern = Modern(found)
    archive, inputs, services, main = built(modern.stack(stack), options, found)
    if main is None:
        return Output({}, {}, found)
    stack, source = main.stack, main.stack.template.source
    files: dict[str, str | bytes] = {MAIN: printer.show(main.document(), source)}
    files |= beside(archive, services)
    report = modern.report(main)
    values = given(stack, inputs[id(stack)], report.environments, found)
    if values:
        files[f"{archive.beside}{INPUTS}"] = printer.show(values, source)
    body = report.as_json()
    body["modules"] = {
        archive.names[id(s.stack)]: {"source": archive.sources[id(s.stack)], "report": modern.report(s).as_json()}
        for s in services
    }
    found += archive.found
    for service in [*services, main]:
        found += service.said()
    templates = [one.template for one in (stack, *archive.order)]
    private = any(p.hidden and p.default is not None for t in templates for p in t.parameters.values())
    return packed(Output(files, body, found), sorted(archive.paths.values()), options, private=private)


@final
class Modern:
    """Converts the CFN templates of a stack, and of the stacks nested in it, to HOT."""

    def __init__(self, found: list[Diagnostic]) -> None:
        self.found = found
        self.done: dict[int, Stack] = {}
        self.upgraded: dict[int, tuple[Template, Upgrade]] = {}  # original template, by the new stack's id

    def stack(self, stack: Stack) -> Stack:
        if id(stack) in self.done:
            return self.done[id(stack)]
        nested = {key: replace(one, stack=self.stack(one.stack)) for key, one in stack.nested.items()}
        if stack.template.version.hot:
            made = replace(stack, nested=nested) if nested else stack
        else:
            upgrade, template = as_hot(stack)
            self.found += [d for d in upgrade.sink.found if d.code in TOLD]
            made = replace(stack, template=template, nested=nested)
            self.upgraded[id(made)] = stack.template, upgrade
        self.done[id(stack)] = made
        return made

    def report(self, service: Service) -> Report:
        report = service.report()
        if id(service.stack) in self.upgraded:
            template, upgrade = self.upgraded[id(service.stack)]
            respell(report, template, upgrade.renamed)
        return report


def as_hot(stack: Stack) -> tuple[Upgrade, Template]:
    """The template in the latest version of HOT, or in the last version that has all of its functions."""
    upgrade = Upgrade(stack, version(LATEST))
    template = upgrade.run()
    if upgrade.last is not None:
        other = Upgrade(stack, version(upgrade.last))
        again = other.run()
        if not failed(other.sink.found):
            return other, again
    return upgrade, template


def given(
    stack: Stack, inputs: Inputs, environments: dict[str, dict[str, Any]], found: list[Diagnostic]
) -> dict[str, Any]:
    """Values from environments and the command line, as input values. Hidden parameters are left out of files."""
    out: dict[str, Any] = {}
    for environment in stack.environments:
        entries = environments.setdefault(environment.source.name, {})
        for section in ("parameters", "parameter_defaults"):
            for name in getattr(environment, section):
                entries[f"{section}.{name}"] = fate(
                    "implied", why="another value takes precedence, or there is no such parameter"
                )
        for section, named in (
            ("requires", environment.requires),
            ("resource_registry", environment.registry),
            ("", environment.other),
        ):
            for name in named:
                path = f"{section}.{name}" if section else name
                entries[path] = fate("value", "metadata", f"hot.environment.{section or name}")
    for name, one in stack.given.items():
        param = stack.template.parameters.get(name)
        if param is None or one.wrong:
            continue
        entries = environments[one.environment.source.name] if one.environment is not None else {}
        if param.hidden:
            message = f"The value of {name} is hidden, so it was not written; pass it when you deploy."
            found.append(
                Diagnostic(codes.HIDDEN_INPUT_NOT_WRITTEN, message, stack.template.source, param.name_span.in_text)
            )
            entries[one.path] = fate(
                "dropped", code=codes.HIDDEN_INPUT_NOT_WRITTEN, why="hidden values are not written"
            )
            continue
        try:
            out[name] = inputs.given(name, one.value)
        except NoFit:
            message = f"The value of {name} does not fit the input's type; pass it when you deploy."
            found.append(
                Diagnostic(codes.VALUE_DOES_NOT_FIT_INPUT, message, stack.template.source, param.name_span.in_text)
            )
            entries[one.path] = fate(
                "dropped", code=codes.VALUE_DOES_NOT_FIT_INPUT, why="it does not fit the input's type"
            )
            continue
        entries[one.path] = fate("value", f"input.{name}", INPUTS)
    return {name: out[name] for name in inputs.all if name in out}


def packed(output: Output, definitions: list[str], options: Mapping[str, Any], *, private: bool = True) -> Output:
    """The output as one archive, if that is asked for. private: it holds hidden values."""
    if options["csar"]:
        version = "2.0" if options["tosca_version"] == "2.0" else "1.1"
        output.files = {"main.csar": csar(output.files, definitions, version, private=private)}
    return output


TARGET = Target(
    "tosca",
    emit,
    nested=LOAD,  # nested templates become service templates of their own
    options=(
        Option("tosca_version", "The version to write.", values=tuple(VERSIONS), default=next(iter(VERSIONS))),
        Option("csar", "Write all files as one archive.", kind=bool, default=False),
    ),
)

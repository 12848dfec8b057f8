"""Converts homing templates to TOSCA: a service template with their policies, alone or with the nodes of a stack."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from emitters.tosca.emitter import HotConverter, build_services, companion_files, pack_output
from emitters.tosca.homing import service
from transpile.diagnostics import codes
from transpile.diagnostics.model import Diagnostic
from transpile.homing.engine import ENGINE
from transpile.homing.model import LinkedHomingTemplate
from transpile.homing.summary import count_demands
from transpile.targets import Converter, Option, Output


def convert_homing_template(linked: LinkedHomingTemplate, options: Mapping[str, Any]) -> Output:
    """The files of a homing template. Option `with`: a stack, to whose nodes the policies are added."""
    modern, stack = options["tosca_version"] == "2.0", options.get("with")
    if stack is None:
        return pack_output(service.emit_service(linked, modern, None, {}), [], options)
    diagnostics: list[Diagnostic] = []
    archive, _, services, main = build_services(HotConverter(diagnostics).convert_stack(stack), options, diagnostics)
    if not main:
        return Output({}, {}, diagnostics)
    present = {demand: main.model.node_names[demand] for demand in linked.demands if demand in main.model.node_names}
    output = service.emit_service(linked, modern, main.build_document(), present)
    output.files |= companion_files(archive, services)
    output.diagnostics += [
        *diagnostics,
        *archive.diagnostics,
        *(d for template in [*services, main] for d in template.service_diagnostics()),
    ]
    for demand, at in linked.demands.items():
        if demand not in present:
            message = f"The stack has no resource {demand}, so the demand is a node of its own."
            place = linked.document.source
            output.diagnostics.append(Diagnostic(codes.DEMAND_WITHOUT_RESOURCE, message, place, at.span.in_text))
    return pack_output(output, sorted(archive.paths.values()), options)


CONVERTER = Converter(
    convert_homing_template,
    options=(
        ENGINE,
        Option("with", "Of homing templates: the HOT template whose resources the demands are.", stack=True),
    ),
    summary=count_demands,
)

"""Documents capabilities, requirements and chosen templates in comments and in the report.

Invariant: nothing here becomes a block, because Terraform does not choose among candidates for a type.
"""

from __future__ import annotations

from collections.abc import Iterator

from emitters.hcl.capability_comments import wrap_comment
from emitters.hcl.emission import Emission
from transpile.model import ir
from transpile.report import Fate, make_fate
from transpile.resolve import capabilities
from transpile.resolve.registry import Registration

WIDTH = 96  # columns of a comment


def report_choices(emission: Emission) -> None:
    """Adds a comment and a report entry to each resource whose template was chosen from several candidates."""
    for (name, kind), registration in emission.unit.stack.chosen.items():
        if (
            registration.choice is None
            or name not in emission.unit.template.resources
            or name in emission.unit.plan.disabled
        ):
            continue
        emission.log.resource_report(emission.unit.template.resources[name]).chosen[kind] = {
            "template": registration.value,
            "candidates": [str(c.value) for c in registration.candidates],
            "requires": dict(registration.choice.requires),
            "others": dict(registration.choice.others),
        }
        sentences = [
            f"{name}: {capabilities.describe_choice(kind, registration)}.",
            *(f"{n} {why}." for n, why in registration.choice.others.items()),
        ]
        lines = [line for part in sentences for line in wrap_comment(part)]
        emission.log.notes += [(max(emission.unit.template.resources[name].at, 0), line) for line in lines]


def record_capability_fates(emission: Emission) -> None:
    """Records the fates of the capabilities that the template declares."""
    why = "Terraform does not choose templates; a comment at the head of main.tf lists them"
    emission.log.report.capabilities = {
        name: make_fate("implied", why=why) for name in emission.unit.template.capabilities
    }


def fates_of_environment(emission: Emission, environment: ir.Environment) -> dict[str, Fate]:
    """The fates of an environment's requirements, and of its registry entries with candidates."""
    out = {}
    chosen = [
        (registration, registration.choice)
        for registration in emission.unit.stack.registry.list_registrations()
        if registration.choice is not None
    ]
    for registration, choice in chosen:
        if registration.environment.source is environment.source:
            result = next(results_of_choice(emission, registration), None)
            others = [f"{name} {why}" for name, why in choice.others.items()]
            unused = ["no resource has this type"] if result is None else []
            why = "; ".join([capabilities.describe_choice(registration.path[-1], registration), *others, *unused])
            out[f"resource_registry.{'.'.join(registration.path)}"] = fate_of_choice(result, why)
    deciding = capabilities.deciding_requirements(emission.unit.stack.environments)
    for name in environment.requires:
        path = f"requires.{name}"
        registrations = [registration for registration, choice in chosen if name in choice.requires]
        used: dict[str, tuple[str, str, str]] = {}
        for registration in registrations:
            for result in results_of_choice(emission, registration):
                used.setdefault(f"{'.'.join(registration.path)} is {registration.value}", result)
        if name not in deciding or deciding[name][0] is not environment:
            out[path] = make_fate("implied", why="another value overrides this one, or it is null")
        elif used:
            out[path] = fate_of_choice(next(iter(used.values())), f"it decides that {', '.join(used)}")
        else:
            nobody = "no candidate for a type names it"
            out[path] = make_fate("implied", why="no resource has a type that it affects" if registrations else nobody)
    return out


def fate_of_choice(result: tuple[str, str, str] | None, why: str) -> Fate:
    """The fate of a requirement or an entry that decided a choice. result: one of `results_of_choice`, or None."""
    if result is None:
        return make_fate("implied", why=why)
    to, argument, where = result
    return make_fate("derived", to, argument, f"{why}{where}")


def results_of_choice(emission: Emission, registration: Registration) -> Iterator[tuple[str, str, str]]:
    """The results of a choice, one for each resource that it was made for: the address, the argument that shows the
    choice, and a remark. Addresses inside modules are only in the remark, because they are not valid outside.
    """
    unit = emission.unit
    places = [(unit.stack, emission.log.report, unit.module)]
    for module in unit.modules.order:
        if module.interface is not None and module is not unit.module:
            places.append((module.stack, module.interface.report, module))
    for stack, written, inside in places:
        for name, kind in [key for key, other in stack.chosen.items() if other is registration]:
            if name not in written.resources or not written.resources[name].addresses:
                continue
            report = written.resources[name]
            address, argument = report.addresses[0], ""
            if (name, kind) in stack.nested:
                argument = {"module": "source", "embedded": "environment_opts.Bin"}.get(report.treatment, "")
            if inside.is_root:
                yield address, argument, ""
            else:
                yield "", "", f"; inside {inside.folder} it is {address}"

"""Documents capabilities, requirements and chosen templates in comments and in the report.

Invariant: nothing here becomes a block, because Terraform does not choose among candidates for a type.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from emitters.hcl.capability_comments import wrapped
from transpile.report import Fate, fate
from transpile.resolve import capabilities

if TYPE_CHECKING:
    from collections.abc import Iterator

    from emitters.hcl.emission import Emission
    from transpile.model import ir
    from transpile.resolve.registry import Registration

WIDTH = 96  # columns of a comment


def note(emission: Emission) -> None:
    """Adds a comment and a report entry to each resource whose template was chosen from several candidates."""
    for (name, kind), one in emission.unit.stack.chosen.items():
        if one.choice is None or name not in emission.unit.template.resources or name in emission.unit.plan.disabled:
            continue
        emission.log.resource_report(emission.unit.template.resources[name]).chosen[kind] = {
            "template": one.value,
            "candidates": [str(c.value) for c in one.candidates],
            "requires": dict(one.choice.requires),
            "others": dict(one.choice.others),
        }
        said = [
            f"{name}: {capabilities.sentence(kind, one)}.",
            *(f"{n} {why}." for n, why in one.choice.others.items()),
        ]
        lines = [line for part in said for line in wrapped(part)]
        emission.log.notes += [(max(emission.unit.template.resources[name].at, 0), line) for line in lines]


def account(emission: Emission) -> None:
    """Records the fates of the capabilities that the template declares."""
    why = "Terraform does not choose templates; a comment at the head of main.tf lists them"
    emission.log.report.capabilities = {name: fate("implied", why=why) for name in emission.unit.template.capabilities}


def of_environment(emission: Emission, environment: ir.Environment) -> dict[str, Fate]:
    """The fates of an environment's requirements, and of its registry entries with candidates."""
    out = {}
    settled = [(one, one.choice) for one in emission.unit.stack.registry.registrations() if one.choice is not None]
    for one, choice in settled:
        if one.environment.source is environment.source:
            found = next(became(emission, one), None)
            others = [f"{name} {why}" for name, why in choice.others.items()]
            unused = ["no resource has this type"] if found is None else []
            why = "; ".join([capabilities.sentence(one.path[-1], one), *others, *unused])
            out[f"resource_registry.{'.'.join(one.path)}"] = told(found, why)
    deciding = capabilities.deciding(emission.unit.stack.environments)
    for name in environment.requires:
        path = f"requires.{name}"
        mine = [one for one, choice in settled if name in choice.requires]
        used: dict[str, tuple[str, str, str]] = {}
        for one in mine:
            for what in became(emission, one):
                used.setdefault(f"{'.'.join(one.path)} is {one.value}", what)
        if name not in deciding or deciding[name][0] is not environment:
            out[path] = fate("implied", why="another value overrides this one, or it is null")
        elif used:
            out[path] = told(next(iter(used.values())), f"because of it, {', '.join(used)}")
        else:
            nobody = "no candidate for a type names it"
            out[path] = fate("implied", why="no resource has a type that it affects" if mine else nobody)
    return out


def told(found: tuple[str, str, str] | None, why: str) -> Fate:
    """The fate of a requirement or an entry that decided a choice. result: one of `results_of_choice`, or None."""
    if found is None:
        return fate("implied", why=why)
    to, argument, where = found
    return fate("derived", to, argument, f"{why}{where}")


def became(emission: Emission, one: Registration) -> Iterator[tuple[str, str, str]]:
    """The results of a choice, one for each resource that it was made for: the address, the argument that shows the
    choice, and a remark. Addresses inside modules are only in the remark, because they are not valid outside.
    """
    unit = emission.unit
    places = [(unit.stack, emission.log.report, unit.module)]
    for module in unit.modules.order if unit.modules is not None else ():
        if module.interface is not None and module is not unit.module:
            places.append((module.stack, module.interface.report, module))
    for stack, written, inside in places:
        for name, kind in [key for key, other in stack.chosen.items() if other is one]:
            report = written.resources.get(name)
            if report is None or not report.addresses:
                continue
            address, argument = report.addresses[0], ""
            if (name, kind) in stack.nested:
                argument = {"module": "source", "embedded": "environment_opts.Bin"}.get(report.treatment, "")
            if inside is None:
                yield address, argument, ""
            else:
                yield "", "", f"; inside {inside.folder} it is {address}"

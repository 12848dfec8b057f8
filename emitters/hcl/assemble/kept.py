"""Reports which resources stay with Heat: for each embedded stack its members, the reasons, and how to free them."""

from __future__ import annotations

import bisect
from collections.abc import Collection, Mapping, Sequence
from typing import final

from emitters.hcl.assemble.ties import describe_tie, find_property
from emitters.hcl.embed.stack import EmbeddedStack
from emitters.hcl.emission import Emission
from emitters.hcl.log import abbreviate_names
from emitters.hcl.plan.planner import OUTPUT, ConversionPlan, Reason, declarations_in_text, describe_member
from emitters.hcl.tables.mapping import UNMAPPED
from transpile.diagnostics import codes
from transpile.diagnostics.model import make_sentence
from transpile.diagnostics.rules import RULES
from transpile.model import heat_types, ir
from transpile.model.offsets import find_path_to
from transpile.model.records import node
from transpile.model.span import Span
from transpile.resolve.groups import member_types

KEEPS = "It stays because of "
LOOKED_UP = (codes.ONLY_AT_RUN_TIME,)

# These codes concern a resource as a whole; other codes concern one of its values.
STAYING = "The resource stays with Heat. "  # before the advice of some rules
STAYS, UNKNOWN = codes.KEPT_IN_HEAT, codes.ASSUMED_PLUGIN_TYPE

BY_URL = (heat_types.AWS_STACK, heat_types.STACK)
UNKNOWN_TYPES = "These types are not Heat's own, so their resources stay with Heat: {}."


def report_embedded(
    emission: Emission, embedded: Sequence[EmbeddedStack], freed: Mapping[str, Collection[str]]
) -> dict[str, list[str]]:
    """Reports the resources and outputs that stay with Heat, and retired types. freed: the resources that other
    preferences would free, by preference; returns those of the template, in its order.
    """
    for stack in embedded:
        record_reasons(emission, stack, freed)
        if stack.is_read_only:
            for name in stack.members:
                reason = emission.unit.plan.kept[name]
                message = make_sentence(f"{reason.why}; Heat does, in {stack.address}")
                emission.log.add_diagnostic(reason.code, message, reason)
        else:
            report_stack(emission, stack, freed)
    report_retired_types(emission)
    resources = emission.unit.template.resources
    return {
        prefer: freed_members
        for prefer, names in freed.items()
        if (freed_members := [resource_name for resource_name in resources if resource_name in names])
    }


def record_reasons(emission: Emission, stack: EmbeddedStack, freed: Mapping[str, Collection[str]]) -> None:
    """Records for each resource of a stack why it stays with Heat, or the resource that it stays with. With each: which
    property or reference keeps it, and the change that would free it.
    """
    kept = {name: emission.unit.plan.kept[name] for name in stack.members}
    root = next((name for name, reason in kept.items() if not reason.indirect), "")
    order = {name: number for number, name in enumerate(dict.fromkeys((root, *kept)))}
    for name, reason in kept.items():
        if (resource := emission.unit.template.resources.get(name)) is None:
            continue
        prefer = next((prefer for prefer, names in freed.items() if name in names), "")
        if reason.indirect and root:
            row = {"with": describe_member(root), "by": describe_tie(emission.unit.plan, name, order)}
            free = "" if prefer else f"the change that frees {describe_member(root)}"
        else:
            tie = describe_tie(emission.unit.plan, name, order if reason.indirect else {reason.reader: 0})
            place = find_kept_place(emission.unit.plan, reason)
            elsewhere = place.words if place is not None and place.owner != name else ""
            by = tie or elsewhere or find_property(resource, reason.span.at)
            row = {"code": code_of_reason(reason), "why": reason.why, "by": by}
            hint = "" if code_of_reason(reason) == STAYS else RULES[reason.code].hint
            free = reason.free or advise_change(name, reason, place) or hint.removeprefix(STAYING)
        row["free"] = f"--prefer {prefer}" if prefer else free
        emission.log.resource_report(resource).kept = {key: value for key, value in row.items() if value}


def reasons_of_memberless_stacks(emission: Emission, embedded: Sequence[EmbeddedStack]) -> dict[str, dict[str, str]]:
    """The reasons for the embedded stacks without resources of the template, by address: stacks that only read
    attributes (with the type of the resource that they read), and stacks that only compute outputs.
    """
    out = {}
    for stack in embedded:
        resources = emission.unit.template.resources
        if not stack.is_read_only and any(name in resources for name in stack.members):
            continue
        first = stack.members[0]
        reason = emission.unit.plan.kept[first]
        read = emission.unit.plan.readers.get(first, "") or first
        kind = resources[read].type if stack.is_read_only else "output"
        # without the name, so that equal reasons are equal text
        out[stack.address] = {
            "type": kind,
            "code": code_of_reason(reason),
            "why": reason.why.removesuffix(f" of {read}"),
        }
        if (place := find_kept_place(emission.unit.plan, reason)) is not None:
            out[stack.address]["by"] = place.words
    return out


def report_stack(emission: Emission, stack: EmbeddedStack, freed: Mapping[str, Collection[str]]) -> None:
    """Reports the resources of a stack in one diagnostic, and each value that keeps a resource there in one more."""
    kept = {name: emission.unit.plan.kept[name] for name in stack.members}
    roots = {name: reason for name, reason in kept.items() if not reason.indirect} or kept
    order = {name: number for number, name in enumerate(kept)}
    rest = [describe_follower(emission, name, order) for name in kept if name not in roots]
    staying = {name: reason for name, reason in roots.items() if code_of_reason(reason) == STAYS}
    if staying:
        message = f"{describe_subject(emission, list(staying), stack.address)}: {join_reasons(staying)}."
        first = next(iter(staying.values()))
        hint = hint_at_preference(list(roots), freed) or hint_at_url(emission, staying) or hint_at_advice(staying)
        if not hint and len(roots) == 1:
            hint = say_what_frees(next(iter(roots)), first, find_kept_place(emission.unit.plan, first))
        emission.log.add_diagnostic(STAYS, message + describe_followers(rest), first, hint)
        rest = []
    for name, reason in roots.items():
        if code_of_reason(reason) == UNKNOWN:
            resource = emission.unit.template.resources[name]
            members = [written for written, at, _ in member_types(resource, resource.kind) if at == reason.at]
            kind = members[0] if members else resource.type
            emission.log.gather_name(UNKNOWN, UNKNOWN_TYPES, kind, name, reason)
            for other in rest:
                emission.log.gather_name(UNKNOWN, UNKNOWN_TYPES, "resources that depend on them", other, reason)
        elif code_of_reason(reason) != STAYS:
            message = f"{describe_subject(emission, [name], stack.address)}: {reason.why}."
            place = find_kept_place(emission.unit.plan, reason)
            hint = hint_at_preference([name], freed) or say_what_frees(name, reason, place)
            emission.log.add_diagnostic(code_of_reason(reason), message + describe_followers(rest), reason, hint)
        else:
            continue
        rest = []


def code_of_reason(reason: Reason) -> str:
    return reason.code if RULES[reason.code].severity != "error" else codes.KEPT_IN_HEAT


def describe_subject(emission: Emission, names: Sequence[str], address: str) -> str:
    """The beginning of a message: which members stay with Heat, and in which stack."""
    if len(names) > 1:
        return f"{abbreviate_names(map(describe_member, names))} stay with Heat, in {address}"
    (name,) = names
    if name.startswith(OUTPUT):
        return f"Output {name.removeprefix(OUTPUT)} stays with Heat, in {address}"
    kind = emission.unit.template.resources[name].type
    return f"Resource {name} ({kind}) stays with Heat, in {address}"


def join_reasons(reasons: Mapping[str, Reason]) -> str:
    """The reasons as text, each once. If there are several, each is followed by its resources in parentheses."""
    names_by_reason: dict[str, list[str]] = {}
    for name, reason in reasons.items():
        names_by_reason.setdefault(reason.why, []).append(describe_member(name))
    if len(names_by_reason) == 1:
        return next(iter(names_by_reason))
    return "; ".join(f"{why} ({abbreviate_names(names)})" for why, names in names_by_reason.items())


def describe_followers(rest: Sequence[str]) -> str:
    """A sentence about the members that stay only because of others; empty if there are none."""
    return f" With it: {abbreviate_names(rest)}." if rest else ""


def describe_follower(emission: Emission, name: str, members: Mapping[str, int]) -> str:
    """A member that stays only because of others, with the property or reference that ties it to them."""
    tie = describe_tie(emission.unit.plan, name, members) if name in emission.unit.template.resources else ""
    return f"{describe_member(name)} ({tie})" if tie else describe_member(name)


def hint_at_advice(staying: Mapping[str, Reason]) -> str:
    """A hint with the changes that would free the first resources; empty if their reasons name none."""
    advice = dict.fromkeys(reason.free for reason in staying.values() if reason.free)
    return f"The cloud must run Heat. To free it: {'; '.join(advice)}." if advice else ""


def hint_at_preference(roots: Sequence[str], freed: Mapping[str, Collection[str]]) -> str:
    """A hint at the preference that converts most of the roots, the first one if several do. Empty if none does."""
    best = max(freed, key=lambda prefer: sum(name in freed[prefer] for name in roots), default="")
    gone = [name for name in roots if best and name in freed[best]]
    if not gone:
        return ""
    objects = "it" if len(roots) == 1 else "them" if len(gone) == len(roots) else abbreviate_names(gone)
    return f"The cloud must run Heat. --prefer {best} frees {objects}, with differences that it reports."


def hint_at_url(emission: Emission, names: Collection[str]) -> str:
    """A hint at `--allow`, if a nested stack stays with Heat because its template is at a URL; empty otherwise."""
    types = emission.unit.stack.types
    if not emission.unit.policy.accepts_differences or not any(types.get(name) in BY_URL for name in names):
        return ""
    return "--allow URL lets hot2tf fetch templates whose addresses begin so; each becomes a module."


def report_retired_types(emission: Emission) -> None:
    """Reports types that newer releases of Heat ignore."""
    plan, template = emission.unit.plan, emission.unit.template
    for name, resource in template.resources.items():
        release, kind = plan.retirement_release(name), plan.kinds[name]
        native = kind.treatment not in ("embedded", UNMAPPED.treatment) and not plan.is_embedded(name)
        if release and (native or plan.is_embedded(name)):
            message = "Heat does nothing for retired types (with the last release that described them): {}"
            end = resource.type_at + len(resource.type)
            ending = "; Terraform creates the resources." if native else "."
            emission.log.gather_name(
                codes.TYPE_WITHOUT_EFFECT,
                message + ending,
                resource.type,
                f"Heat {release}",
                Span(resource.type_at, end),
            )


@final
@node
class KeptPlace:
    """The value that keeps a resource. owner: the output, or the resource that has the value. path: the keys that lead
    to it in the resource; empty for an output.
    """

    owner: str
    path: str = ""

    @property
    def part(self) -> str:
        """The part of a resource in words: `property rules.0.protocol`, `metadata.role`, `condition`."""
        word, dot, rest = self.path.partition(".")
        return f"property {rest}" if word == "properties" and dot else self.path

    @property
    def words(self) -> str:
        """The place in a sentence or a report: `output url`, `property name of web`."""
        return f"{self.part} of {self.owner}" if self.path else f"output {self.owner}"


def find_kept_place(plan: ConversionPlan, reason: Reason) -> KeptPlace | None:
    """The value that a reason is about; None if it is about a resource as a whole."""
    at, declarations = reason.span.at, plan.get_index(declarations_in_text)
    index = bisect.bisect_right(declarations, at, key=lambda declaration: declaration.at) - 1
    declaration = declarations[index] if index >= 0 and at >= 0 else None
    if declaration is None or at >= declaration.end:
        return None
    if isinstance(declaration, ir.Output):
        return KeptPlace(declaration.name)
    for word in ("properties", "metadata", "condition"):
        part: ir.Expr | None = getattr(declaration, word)
        if part is not None and part.at <= at < part.end:
            return KeptPlace(declaration.name, ".".join((word, *find_path_to(part, at))))
    return None


def advise_change(name: str, reason: Reason, place: KeptPlace | None) -> str:
    """The advice of `say_what_frees` without the place, which the report shows next to it: `Use another value to free
    it.`
    """
    sentence = say_what_frees(name, reason, place)
    advice = sentence.partition(": ")[2] if sentence.startswith(KEEPS) else sentence
    return advice[:1].upper() + advice[1:]


def say_what_frees(name: str, reason: Reason, place: KeptPlace | None) -> str:
    """A sentence about the change after which a resource or output needs no Heat; empty if it needs it as a whole."""
    if place is None:
        return ""
    if name.startswith(OUTPUT):
        return (
            RULES[reason.code].hint or "Without this output, or with another expression for it, Heat computes nothing."
        )
    if not place.path:
        return f"{KEEPS}output {place.owner}: remove it, or return another value, to free {name}."
    if place.owner != name:
        return f"{KEEPS}{place.words}: use another value there to free {name}."
    if reason.code in LOOKED_UP:
        return f"{KEEPS}its {place.part}: write the value out, or use IDs, to free it."
    return f"{KEEPS}its {place.part}: use another value to free it."

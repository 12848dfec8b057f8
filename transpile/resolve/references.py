"""Checks the references of a template: parameters, resources, attributes, conditions, mappings and files.

Invariant: a reference that Heat refuses when it validates the template is an error. A reference that Heat accepts until
the value is used (an unknown parameter, for example) is a warning, and targets keep such a resource in Heat.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, NamedTuple, final

from transpile.diagnostics import codes
from transpile.diagnostics.model import Sink
from transpile.model.attribute_paths import NUMBERED, GroupMember, parse_attribute_path
from transpile.model.ir import (
    AttrRef,
    Call,
    ConditionRef,
    Expr,
    FileRef,
    Lit,
    Output,
    ParamRef,
    Ref,
    Resource,
    Seq,
    Template,
    walk,
)
from transpile.model.records import replace
from transpile.resolve import graph
from transpile.resolve.missing_files import report_unreadable_file
from transpile.text.source import Root, UnreadableFile

if TYPE_CHECKING:
    from transpile.schema.catalog import TypeFacts

MISSPELLED = 0.8  # how close a name must be to another one, of about the same length, to be taken for it
PATHS = "2014-10-16"  # the version from which Heat evaluates the paths of get_attr when it validates


@final
class ReferenceChecker:
    """Checks the references of one template.

    `root`: where files are looked up, None to skip them; `types`: each resource's type after aliases; `facts`: the
    catalog entry of a resource; `enabled`: whether its condition holds, None if unknown; `holds`: the same for any
    condition. `create`: errors of Heat when it creates the stack are errors, too; `converts`: a misspelled
    parameter is an error everywhere, because a target would have to write it.
    """

    def __init__(
        self,
        template: Template,
        sink: Sink,
        root: Root | None,
        types: Mapping[str, str],
        facts: Callable[[Resource], TypeFacts],
        enabled: Callable[[str], bool | None],
        holds: Callable[[Expr], bool | None],
        *,
        create: bool = False,
        converts: bool = False,
    ) -> None:
        self.template, self.sink, self.root = template, sink, root
        self.types, self.facts, self.enabled, self.holds = types, facts, enabled, holds
        self.create, self.converts = create, converts
        self.parameters = [*template.parameters, *template.version.pseudo]
        self.unknown_references: set[int] = set()
        self.circular_conditions: set[str] = set()
        self.uses: dict[int, ReferenceUses] = {}  # by id() of the resource or output

    def check_template(self) -> None:
        self.check_parameter_groups()
        self.check_conditions()
        self.check_resources()
        self.check_outputs()
        self.check_mappings()

    def check_parameter_groups(self) -> None:
        """Each member of a parameter group is a parameter of the template, and in one group only."""
        seen: set[str] = set()
        for group in self.template.parameter_groups:
            for name in group.parameters:
                if name not in self.template.parameters:
                    self.sink.add(
                        codes.INVALID_PARAMETER_GROUP,
                        f"A parameter group contains {name}, which is not a parameter of the template.",
                        group,
                        self.sink.guess_name(name, self.template.parameters),
                    )
                elif name in seen:
                    self.sink.add(
                        codes.INVALID_PARAMETER_GROUP, f"Parameter {name} is in parameter groups more than once.", group
                    )
                seen.add(name)

    def check_conditions(self) -> None:
        """Checks conditions; Heat evaluates only those that something uses."""
        template = self.template
        if not template.conditions:
            return
        lead = {n: [r.name for r in c.refs if isinstance(r, ConditionRef)] for n, c in template.conditions.items()}
        owners: list[Resource | Output] = [*template.resources.values(), *template.outputs.values()]
        asked = [r.name for owner in owners for r in owner.refs if isinstance(r, ConditionRef)]
        used = {*asked, *graph.reachable_nodes(lead, asked)}
        for condition in template.conditions.values():
            for ref in condition.refs:
                self.check_reference(ref, "error", needed=condition.name in used)
        for circle in graph.find_cycles(lead):
            first = template.conditions[circle[0]]
            severity = "" if used & set(circle) else "warning"
            self.circular_conditions.update(circle)
            self.sink.add(
                codes.CIRCULAR_DEPENDENCY,
                f"Circular dependency between conditions: {', '.join(circle)}.",
                first.name_span,
                severity=severity,
            )

    def check_resources(self) -> None:
        for resource in self.template.resources.values():
            off = self.enabled(resource.name) is False
            for ref in resource.refs:
                self.check_reference(
                    ref, "warning" if off and not isinstance(ref, FileRef) else "error", owner=resource
                )
            for dependency in resource.depends_on:
                if dependency.name not in self.template.resources:
                    hint = self.sink.guess_name(dependency.name, self.template.resources).as_suggestion
                    message = f"Unknown resource {dependency.name} in depends_on."
                    severity = "warning" if off else ""
                    self.sink.add(codes.UNKNOWN_RESOURCE, message, dependency, hint, severity)

    def check_outputs(self) -> None:
        for output in self.template.outputs.values():
            for ref in output.refs:
                certain = isinstance(ref, ParamRef) or (isinstance(ref, AttrRef) and not self.find_missing_member(ref))
                strict = certain and not output.is_conditional
                self.check_reference(ref, "error" if strict else "warning", owner=output)

    def check_reference(
        self, ref: Ref, severity: str, *, needed: bool = False, owner: Resource | Output | None = None
    ) -> None:
        """Checks one reference. Heat resolves the references of outputs only when they are used. `needed`: the value is
        needed to validate the template; `owner`: the resource or output that contains the reference.
        """
        template = self.template
        if isinstance(ref, ParamRef):
            if ref.name not in template.parameters and ref.name not in template.version.pseudo:
                hint = self.sink.guess_name(ref.name, self.parameters)
                alike = [name for name in self.parameters if hint and abs(len(name) - len(ref.name)) < 2]
                misspelled = bool(hint) and bool(self.sink.guess_name(ref.name, alike, MISSPELLED))
                if not needed and not (self.converts and misspelled):
                    severity = (
                        self.severity_of_use(ref, owner) if owner is not None and severity == "error" else "warning"
                    )
                message = f"Unknown parameter {ref.name}; Heat fails when it uses the value."
                self.sink.add(codes.UNKNOWN_PARAMETER, message, ref, hint, severity)
                if misspelled:
                    self.sink.diagnostics[-1] = replace(self.sink.diagnostics[-1], stops=True)
                self.unknown_references.add(ref.at)
        elif isinstance(ref, ConditionRef):
            if ref.name not in template.conditions:
                hint = self.sink.guess_name(ref.name, template.conditions).as_suggestion
                self.sink.add(codes.UNKNOWN_CONDITION, f"Unknown condition {ref.name}.", ref, hint)
        elif isinstance(ref, FileRef):
            self.check_file(ref)
        elif ref.name not in template.resources:
            hint = self.sink.guess_name(ref.name, template.resources).as_suggestion
            severity = "warning" if ref.at in template.guarded else severity
            self.sink.add(codes.UNKNOWN_RESOURCE, f"Unknown resource {ref.name}.", ref, hint, severity)
            self.unknown_references.add(ref.at)
        elif isinstance(ref, AttrRef) and ref.path:
            severity = "warning" if ref.at in template.guarded else severity
            self.attribute(ref, template.resources[ref.name], severity)

    def severity_of_use(self, ref: ParamRef, owner: Resource | Output) -> str:
        """The severity of a reference to an unknown parameter. To validate a template, Heat needs the values of paths,
        policies and IDs; to create the stack, those of properties.
        """
        if not all(self.holds(c) is must_hold for c, must_hold in self.template.guarded.get(ref.at, ())):
            return "warning"
        uses = self.uses.get(id(owner))
        if uses is None:
            uses = self.uses[id(owner)] = find_reference_uses(owner)
        if ref.at in uses.paths:
            return "error" if self.template.version.is_hot_since(PATHS) else "warning"
        if ref.at in uses.keys:
            return "error"
        return "error" if ref.at in uses.properties and self.create else "warning"

    def attribute(self, ref: AttrRef, resource: Resource, severity: str) -> None:
        facts = self.facts(resource)
        first = ref.path[0]
        if (member := self.find_missing_member(ref)) is not None:
            message = f"{ref.name} has no member {member.name}. Members of a group are numbered from 0."
            self.sink.add(codes.UNKNOWN_ATTRIBUTE, message, first, severity=severity)
            return
        if (
            not facts
            or facts.get("any_attribute")
            or "retired" in facts
            or not isinstance(first, Lit)
            or self.enabled(resource.name) is not True
        ):
            return
        if isinstance(first.value, str) and first.value != "show" and first.value not in facts["attributes"]:
            hint = self.sink.guess_name(first.value, facts["attributes"])
            message = f"{resource.type} has no attribute {first.value}."
            self.sink.add(codes.UNKNOWN_ATTRIBUTE, message, first, hint, severity)

    def find_missing_member(self, ref: AttrRef) -> GroupMember | None:
        """The group member that an attribute asks for, if no member can have its name."""
        kind = self.types.get(ref.name, "")
        match parse_attribute_path(kind, ref.path):
            case GroupMember(_, _, None) as member if kind in NUMBERED:
                return member
        return None

    def check_file(self, ref: FileRef) -> None:
        if self.root is None:
            return
        try:
            self.root.read_file(ref.name)
        except UnreadableFile as e:
            if e.kind in ("missing", "directory", "denied", "large"):
                report_unreadable_file(self.sink, self.root, ref.name, ref, e)

    def check_mappings(self) -> None:
        """Reports `Fn::FindInMap` with a literal name of an unknown mapping."""
        template = self.template
        if template.version.is_hot or "Fn::FindInMap" not in template.source.text:
            return
        owners: list[Expr] = [c.value for c in template.conditions.values()]
        owners += [e for r in template.resources.values() for e in (r.properties, r.metadata) if e is not None]
        owners += [o.value for o in template.outputs.values()]
        for owner in owners:
            for expr in walk(owner):
                if (
                    isinstance(expr, Call)
                    and expr.fn == "Fn::FindInMap"
                    and isinstance(expr.arg, Seq)
                    and len(expr.arg.items) == 3
                ):
                    name = expr.arg.items[0]
                    if isinstance(name, Lit) and str(name.value) not in template.mappings:
                        hint = self.sink.guess_name(str(name.value), template.mappings)
                        message = f"Unknown mapping {name.value}."
                        self.sink.add(codes.UNKNOWN_MAPPING_KEY, message, name, hint, "warning")


class ReferenceUses(NamedTuple):
    """The offsets of the expressions in paths of attributes, in policies and IDs (`keys`), and in the properties of a
    resource that Heat creates.
    """

    paths: frozenset[int]
    keys: frozenset[int]
    properties: frozenset[int]


def find_reference_uses(owner: Resource | Output) -> ReferenceUses:
    paths = expression_offsets(step for other in owner.refs if isinstance(other, AttrRef) for step in other.path)
    if not isinstance(owner, Resource):
        return ReferenceUses(paths, frozenset(), frozenset())
    keys = expression_offsets((owner.deletion_policy, owner.external_id, owner.update_policy))
    return ReferenceUses(paths, keys, expression_offsets([owner.properties] if owner.external_id is None else []))


def expression_offsets(exprs: Iterable[Expr | None]) -> frozenset[int]:
    """The offsets of all parts of expressions."""
    return frozenset(part.at for expr in exprs if expr is not None for part in walk(expr))

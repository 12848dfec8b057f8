"""Names to declarations: a template, its environments and the values given become a `Stack` that every target can
rely on.

The easy rule to break: refuse what Heat refuses when it validates a template, and only that. What Heat lets pass
until a value is used (an unknown parameter, say) is a warning here, and the target keeps its owner in Heat.
"""

from __future__ import annotations

import dataclasses
import re
from typing import TYPE_CHECKING, Any, final

from transpile import catalog, evaluate, graph, values
from transpile.diagnostics import Sink, did_you_mean
from transpile.ir import (
    AttrRef,
    Call,
    ConditionRef,
    Entry,
    Environment,
    Expr,
    FileRef,
    Lit,
    Map,
    Output,
    Param,
    ParamRef,
    Ref,
    Resource,
    Seq,
    Template,
    data,
    node,
    walk,
)
from transpile.source import Root, Unreadable

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

SNAPSHOTS = ("AWS::EC2::Volume", "OS::Cinder::Volume", "OS::Heat::DeployedServer", "OS::Nova::Server")
TEMPLATE_FILE = re.compile(r"\.(ya?ml|template)$|^[a-z]+://|/")
GROUPS = {"OS::Heat::ResourceGroup": "resource_def", "OS::Heat::AutoScalingGroup": "resource"}


@final
@node
class Given:
    """A parameter value that somebody gave: converted as Heat converts it, and where it came from (an environment and
    the path in it, or neither).
    """

    value: Any
    environment: Environment | None = None
    path: str = ""


@final
@node
class Stack:
    """A linked template.

    `types`: for each resource its type after aliases; `unknown`: offsets of references that lead nowhere.
    """

    template: Template
    root: Root
    types: Mapping[str, str]
    given: Mapping[str, Given]
    environments: tuple[Environment, ...] = ()
    unknown: frozenset[int] = frozenset()
    needs: Mapping[str, Sequence[str]] = dataclasses.field(default_factory=dict)  # implicit dependencies
    aliases: Mapping[str, str] = dataclasses.field(default_factory=dict)
    circular: frozenset[str] = frozenset()  # conditions that need one another, and that nothing asks for

    def type_of(self, kind: str) -> str:
        """A type by any name that the environment has for it."""
        return resolve(kind, self.aliases)

    def settled(self, condition: Expr) -> Expr:
        """A condition by its definition, a literal if it is constant."""
        seen = set[str]()
        while isinstance(condition, ConditionRef) and condition.name not in seen:
            if condition.name not in self.template.conditions:
                break
            seen.add(condition.name)
            condition = self.template.conditions[condition.name].value
        return evaluate.fold(condition)


def resolve(kind: str, aliases: Mapping[str, str]) -> str:
    """Follows the aliases of the environments, then Heat's own. Wildcards win over exact names, as in Heat."""
    seen = set[str]()
    while kind not in seen and len(seen) < 100:  # wildcards can grow without end
        seen.add(kind)
        for name, target in aliases.items():
            if name.endswith("*") and kind.startswith(name[:-1]) and kind != target:
                kind = target[:-1] + kind[len(name) - 1 :] if target.endswith("*") else target
                break
        else:
            kind = aliases.get(kind, kind)
    return catalog.canonical(kind)


def link(
    template: Template,
    environments: Sequence[Environment] = (),
    parameters: Mapping[str, str] | None = None,
    root: Root | None = None,
    *,
    nested: bool = False,
) -> tuple[Stack, Sink]:
    """The stack, and what there is to say about it; with errors among that it must not be emitted. `nested`: whether
    the target takes resources that are templates of their own.
    """
    linker = _Linker(template, environments, root or Root(None), nested)
    return linker.stack(parameters or {}), linker.sink


@final
class _Linker:
    def __init__(self, template: Template, environments: Sequence[Environment], root: Root, nested: bool) -> None:
        self.template, self.environments, self.root = template, tuple(environments), root
        self.sink = Sink(template.source)
        self.unknown: set[int] = set()
        self.aliases: dict[str, str] = {}
        self.circular: set[str] = set()
        self.takes_nested = nested
        for environment in environments:
            self.registry(environment)

    def stack(self, parameters: Mapping[str, str]) -> Stack:
        template = self.template
        self.names()
        types = {name: self.type(resource) for name, resource in template.resources.items()}
        for param in template.parameters.values():
            self.param(param)
        self.mappings()
        needs = graph.implicit(template)
        for circle in graph.circles(graph.union(needs, graph.explicit(template))):
            first = template.resources[circle[0]]
            self.sink.say(
                "HOT204",
                f"These resources need one another: {', '.join(circle)}.",
                first.at,
                first.at + len(first.name),
            )
        return Stack(
            template,
            self.root,
            types,
            self.values(parameters),
            self.environments,
            frozenset(self.unknown),
            needs,
            self.aliases,
            frozenset(self.circular),
        )

    # environments

    def registry(self, environment: Environment) -> None:
        sink = Sink(environment.source)
        for kind, entry in environment.registry.items():
            value = entry.value
            if isinstance(value, Lit) and isinstance(value.value, str):
                self.aliases[kind] = value.value
            elif isinstance(value, Lit) and value.value is None:
                self.aliases.pop(kind, None)
        for name, entry in environment.strategies.items():
            if entry.value != Lit("overwrite"):
                sink.say(
                    "HOT140",
                    f"The merge strategy of {name} is not supported: values are overwritten only.",
                    entry.at,
                    entry.value.end,
                )
        self.sink.found += sink.found

    def values(self, parameters: Mapping[str, str]) -> dict[str, Given]:
        """The values in force: environments in order, later ones win, and all of them over `parameters` (as the
        server merges them).
        """
        known = self.template.parameters
        out: dict[str, Given] = {}
        sources: list[tuple[str, Mapping[str, Entry], Environment]] = []
        sources += [("parameter_defaults", e.parameter_defaults, e) for e in self.environments]
        for name, text in parameters.items():
            if name in known:
                self.give(out, known[name], Given(text))
            else:
                self.sink.say("HOT209", f"The template has no parameter {name}.", hint=did_you_mean(name, known))
        sources += [("parameters", e.parameters, e) for e in self.environments]
        for section, entries, environment in sources:
            for name, entry in entries.items():
                sink = Sink(environment.source)
                if name not in known:
                    if section == "parameters":
                        code = "HOT209" if environment is self.environments[0] and not parameters else "HOT211"
                        sink.say(
                            code,
                            f"The template has no parameter {name}.",
                            entry.at,
                            entry.at + len(name),
                            did_you_mean(name, known),
                        )
                elif not (
                    section == "parameter_defaults" and name in out and out[name].environment is None
                ) and entry.value != Lit(None):
                    self.give(out, known[name], Given(data(entry.value), environment, f"{section}.{name}"), entry)
                self.sink.found += sink.found
        return out

    def give(self, out: dict[str, Given], param: Param, given: Given, entry: Entry | None = None) -> None:
        try:
            value = values.convert(param.type, given.value)
            why = values.check(param, value)
        except ValueError as e:
            value, why = given.value, f"{e}"
        if why:
            sink = Sink(given.environment.source if given.environment else None)
            sink.say(
                "HOT302",
                f"Parameter {param.name} cannot have this value: {why}.",
                entry.at if entry else 0,
                entry.value.end if entry else -1,
            )
            self.sink.found += sink.found
        out[param.name] = Given(value, given.environment, given.path)

    # parameters

    def param(self, param: Param) -> None:
        if param.name in self.template.resources:
            self.sink.say(
                "HOT207", f"{param.name} is both a parameter and a resource.", param.at, param.at + len(param.name)
            )
        for constraint in param.constraints:
            if param.type not in values.APPLIES[constraint.kind]:
                self.sink.say(
                    "HOT303",
                    f"A parameter of type {param.type} cannot have the constraint {constraint.kind}.",
                    constraint.at,
                    constraint.end,
                )
                return
        if param.default is not None and param.constraints:
            try:
                value = values.convert(param.type, data(param.default))
                why = values.check(param, value)
            except (ValueError, TypeError):
                return  # what the default cannot be, Heat says only when it is used
            if why:
                self.sink.say(
                    "HOT302",
                    f"The default of parameter {param.name} is refused by its own constraint: {why}.",
                    param.default.at,
                    param.default.end,
                )

    # names

    def groups(self) -> None:
        """Each parameter of a group is one of the template, and stands in one group only."""
        seen: set[str] = set()
        for group in self.template.parameter_groups:
            for name in group.parameters:
                if name not in self.template.parameters:
                    self.sink.say(
                        "HOT213",
                        f"A parameter group names {name}, which is no parameter of the template.",
                        group.at,
                        group.end,
                        did_you_mean(name, self.template.parameters),
                    )
                elif name in seen:
                    self.sink.say(
                        "HOT213", f"Parameter {name} stands in parameter groups more than once.", group.at, group.end
                    )
                seen.add(name)

    def names(self) -> None:
        template = self.template
        self.groups()
        lead = {n: [r.name for r in c.refs if isinstance(r, ConditionRef)] for n, c in template.conditions.items()}
        owners: list[Resource | Output] = [*template.resources.values(), *template.outputs.values()]
        asked = [r.name for owner in owners for r in owner.refs if isinstance(r, ConditionRef)]
        used = {*asked, *graph.reachable(lead, asked)}  # Heat follows conditions only when something asks
        for condition in template.conditions.values():
            for ref in condition.refs:
                self.ref(ref, "error", needed=condition.name in used)
        for circle in graph.circles(lead):
            first = template.conditions[circle[0]]
            severity = "" if used & set(circle) else "warning"
            self.circular.update(circle)
            self.sink.say(
                "HOT204",
                f"These conditions need one another: {', '.join(circle)}.",
                first.at,
                first.at + len(first.name),
                severity=severity,
            )
        for resource in template.resources.values():
            for ref in resource.refs:
                self.ref(ref, "error")
            for dependency in resource.depends_on:
                if dependency.name not in template.resources:
                    hint = did_you_mean(dependency.name, template.resources)
                    self.sink.say(
                        "HOT202",
                        f"There is no resource {dependency.name} to depend on.",
                        dependency.at,
                        dependency.end,
                        hint,
                    )
        for output in template.outputs.values():
            for ref in output.refs:
                strict = isinstance(ref, AttrRef) and output.condition is None and not self.of_member(ref)
                self.ref(ref, "error" if strict else "warning")

    def ref(self, ref: Ref, severity: str, needed: bool = False) -> None:
        """Checks one reference. Heat resolves parameters, and what outputs refer to, only when they are used; `needed`:
        it needs the value to validate the template.
        """
        template = self.template
        lenient = "warning" if ref.at in template.guarded else severity
        if isinstance(ref, ParamRef):
            if ref.name not in template.parameters and ref.name not in template.version.pseudo:
                known = [*template.parameters, *template.version.pseudo]
                self.sink.say(
                    "HOT201",
                    f"There is no parameter {ref.name}; Heat fails when it needs the value.",
                    ref.at,
                    ref.end,
                    did_you_mean(ref.name, known),
                    "" if needed else "warning",
                )
                self.unknown.add(ref.at)
        elif isinstance(ref, ConditionRef):
            if ref.name not in template.conditions:
                self.sink.say(
                    "HOT203",
                    f"There is no condition {ref.name}.",
                    ref.at,
                    ref.end,
                    did_you_mean(ref.name, template.conditions),
                )
        elif isinstance(ref, FileRef):
            self.file(ref)
        elif ref.name not in template.resources:
            hint = did_you_mean(ref.name, template.resources)
            self.sink.say("HOT202", f"There is no resource {ref.name}.", ref.at, ref.end, hint, lenient)
            self.unknown.add(ref.at)
        elif isinstance(ref, AttrRef) and ref.path:
            self.attribute(ref, template.resources[ref.name], lenient)

    def attribute(self, ref: AttrRef, resource: Resource, severity: str) -> None:
        facts = catalog.find(self.resolved(resource.type))
        first = ref.path[0]
        if number := self.of_member(ref):
            message = f"{ref.name} has no member {number}: Heat finds members of a group by their numbers."
            self.sink.say("HOT212", message, first.at, first.end, severity=severity)
            return
        if (
            facts is None
            or facts.get("any_attribute")
            or "retired" in facts
            or not isinstance(first, Lit)
            or resource.condition is not None
        ):
            return
        if isinstance(first.value, str) and first.value != "show" and first.value not in facts["attributes"]:
            hint = did_you_mean(first.value, facts["attributes"])
            self.sink.say(
                "HOT212", f"{resource.type} has no attribute {first.value}.", first.at, first.end, hint, severity
            )

    def of_member(self, ref: AttrRef) -> str:
        """The member of a group that an attribute asks for, where no member can have that name."""
        resource, first = self.template.resources.get(ref.name), ref.path[0] if ref.path else None
        if resource is None or not isinstance(first, Lit) or not isinstance(first.value, str):
            return ""
        if not first.value.startswith("resource.") or self.resolved(resource.type) != "OS::Heat::ResourceGroup":
            return ""
        number = first.value.split(".")[1]
        return "" if number.isdigit() else number

    def file(self, ref: FileRef) -> None:
        try:
            self.root.read(ref.name)
        except Unreadable as e:
            if e.kind in ("missing", "directory", "denied", "large"):
                self.sink.say("HOT206", f"get_file names {ref.name}: {e.detail}.", ref.at, ref.end)

    def mappings(self) -> None:
        """Fn::FindInMap with a literal name of a mapping that is not there."""
        template = self.template
        if template.version.hot or "Fn::FindInMap" not in template.source.text:
            return
        owners: list[Expr] = [c.value for c in template.conditions.values()]
        owners += [e for r in template.resources.values() for e in (r.properties, r.metadata) if e is not None] + [
            o.value for o in template.outputs.values()
        ]
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
                        hint = did_you_mean(str(name.value), template.mappings)
                        self.sink.say(
                            "HOT205", f"There is no mapping {name.value}.", name.at, name.end, hint, "warning"
                        )

    # types

    def resolved(self, kind: str) -> str:
        return resolve(kind, self.aliases) if self.aliases else catalog.canonical(kind)

    def type(self, resource: Resource) -> str:
        """The type of a resource after aliases; refuses nested templates, and properties that the type has not got."""
        kind = self.resolved(resource.type)
        self.nested(kind, resource.type_at, resource.type)
        properties = resource.properties
        if kind in GROUPS and properties is not None:
            self.member(properties.get(GROUPS[kind]))
        elif (
            kind == "OS::Heat::ResourceChain"
            and properties is not None
            and isinstance(members := properties.get("resources"), Seq)
        ):
            for item in members.items:
                if isinstance(item, Lit):
                    self.nested(self.resolved(str(item.value)), item.at, str(item.value))
        elif kind in ("OS::Heat::Stack", "AWS::CloudFormation::Stack") and properties is not None:
            source = properties.get("TemplateURL") or properties.get("template")
            if (
                source is not None
                and not self.takes_nested
                and (properties.get("TemplateURL") is not None or any(isinstance(e, FileRef) for e in walk(source)))
            ):
                self.sink.say(
                    "HOT210", f"Resource {resource.name} is a stack of another template.", source.at, source.end
                )
        facts = catalog.find(kind)
        policy = resource.deletion_policy
        if policy == Lit("Snapshot") and facts is not None and "retired" not in facts and kind not in SNAPSHOTS:
            severity = "warning" if resource.condition is not None else ""
            message = f"{resource.type} takes no snapshots; Heat refuses the deletion policy."
            self.sink.say("HOT124", message, policy.at, policy.end, severity=severity)
        if facts is not None and properties is not None and not facts.get("any") and "retired" not in facts:
            known = facts["properties"]
            for entry in properties.entries:
                if entry.key not in known:
                    severity = "warning" if resource.condition is not None else ""
                    self.sink.say(
                        "HOT301",
                        f"{resource.type} has no property {entry.key}.",
                        entry.at,
                        entry.at + len(entry.key),
                        did_you_mean(entry.key, known),
                        severity,
                    )
        return kind

    def member(self, definition: Expr | None) -> None:
        kind = definition.get("type") if isinstance(definition, Map) else None
        if isinstance(kind, Lit) and isinstance(kind.value, str):
            self.nested(self.resolved(kind.value), kind.at, kind.value)

    def nested(self, kind: str, at: int, written: str) -> None:
        if TEMPLATE_FILE.search(kind) and not self.takes_nested:
            self.sink.say("HOT210", f"The type {written} is a template of its own.", at, at + len(written))

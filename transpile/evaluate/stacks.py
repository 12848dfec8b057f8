"""Whole stacks: the values of a linked template and of everything below it, as Heat has them.

The easy rule to break: nothing is evaluated before somebody asks, and each thing once; whatever needs itself, or lies
deeper than Heat allows, ends in EvaluationError. What only a real stack knows comes from outside.
"""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar, final

from transpile import catalog, graph, ir, nesting, values
from transpile.evaluate import groups
from transpile.evaluate.coercion import OF_PARAMETER, Stub, read, select
from transpile.evaluate.interpreter import ABSENT, Interpreter, World
from transpile.evaluate.pure import EvaluationError, NoValue
from transpile.evaluate.results import Evaluated, EvaluatedOutput, EvaluatedResource
from transpile.source import Unreadable

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from transpile.catalog import Type
    from transpile.link import Nested, Stack
    from transpile.registry import Found

T = TypeVar("T")
VALUE = "OS::Heat::Value"
STACK_ID = "OS::stack_id"  # the output that is a stack's reference, if there is one
OLD = "2013-05-23"  # fetches an attribute, then follows the path; later ones leave the path to the plug-in


def member_names() -> Callable[[], str]:
    """Names for the members of scaling groups, which Heat takes by chance."""
    numbers = itertools.count()
    return lambda: f"member{next(numbers):06d}"


@dataclasses.dataclass(slots=True)
class Outside:
    """What only a real stack knows.

    `reference` and `attribute` take the address of a resource: its name, behind those of the resources whose stacks it
    lies in, with dots between; ABSENT for what they do not know. Such a reference is then `ADDRESS-id`, such an attribute
    `attr:ADDRESS:NAME`. `deep`: go into the stacks that resources stand for, instead of asking for their attributes.
    """

    reference: Callable[[str], Any] = lambda address: ABSENT
    attribute: Callable[[str, tuple[Any, ...]], Any] = lambda address, path: ABSENT
    stack_name: str = "stack"
    stack_id: str = "00000000-0000-4000-8000-000000000000"
    project_id: str = "project"
    zones: tuple[str, ...] = ("nova",)
    member: Callable[[], str] = dataclasses.field(default_factory=member_names)
    deep: bool = True


def evaluate_stack(stack: Stack, outside: Outside | None = None) -> Evaluated:
    """Everything in a linked stack and below it. What has no value is in the errors of its owner; raises
    EvaluationError where Heat could not even tell which resources there are.
    """
    return Evaluation(stack, outside or Outside()).evaluated()


@final
class Evaluation:
    """One stack, asked bit by bit. `above`: the stack that it lies in, and the resource there that stands for it;
    `given`: what that resource gives for its parameters.
    """

    def __init__(
        self,
        stack: Stack,
        outside: Outside,
        above: tuple[Evaluation, str] | None = None,
        given: Mapping[str, Any] | None = None,
        group: groups.Group | None = None,
    ) -> None:
        self.stack, self.outside, self.group = stack, outside, group
        self.prefix, self.name, self.depth = "", outside.stack_name, 0
        facade: _Facade | None = None
        if above is not None:
            owner, resource = above
            self.prefix, self.depth = f"{owner.address(resource)}.", owner.depth + 1
            self.name = f"{owner.name}-{resource}"
            facade = _Facade(owner, resource)
        world = World(
            _Parameters(stack, given or {}),
            self.name,
            outside.stack_id,
            outside.project_id,
            self.reference,
            self.attribute,
            self.file,
            facade,
            outside.zones,
        )
        self.interpreter = Interpreter(stack.template, world)
        self.version = stack.template.version
        self.notes: list[str] = []
        self._known: dict[tuple[str, str], Any] = {}  # an EvaluationError for what has no value
        self._asked: set[tuple[str, str]] = set()
        self._settled: set[str] = set()
        self._names: list[str] | None = None
        self._order: dict[str, int] | None = None

    def once(self, what: str, name: str, make: Callable[[], T]) -> T:
        """The value of something that is made once; raises EvaluationError each time if it has none."""
        key = what, name
        if key not in self._known:
            if key in self._asked:
                raise EvaluationError(f"{self.address(name)} needs itself")
            self._asked.add(key)
            try:
                self._known[key] = make()
            except EvaluationError as e:
                self._known[key] = e
            except RecursionError:
                self._known[key] = EvaluationError(f"{self.address(name)} is nested too deeply")
            finally:
                self._asked.discard(key)
        found = self._known[key]
        if isinstance(found, EvaluationError):
            raise found
        kept: T = found
        return kept

    # names and types

    def address(self, name: str) -> str:
        return self.prefix + name

    @property
    def names(self) -> list[str]:
        """The resources whose conditions hold, in the order of the template."""
        if self._names is None:
            resources = self.stack.template.resources
            self._names = [name for name, one in resources.items() if self.interpreter.enabled(one)]
        return self._names

    def found(self, name: str) -> Found | None:
        """What the type of a resource stands for."""
        written = self.stack.template.resources[name].type
        found = self.stack.registry.find(written, name)
        if found is None and self.group is not None and written in groups.ALIASES:
            return self.stack.registry.find(groups.ALIASES[written], name)
        return found

    def kind(self, name: str) -> str:
        found = self.found(name)
        return found.kind if found is not None else self.stack.template.resources[name].type

    def facts(self, name: str) -> Type:
        return catalog.find(self.kind(name)) or {}

    # values

    def output(self, name: str) -> Any:
        """The value of an output; null where its condition does not hold."""
        return self.once("output", name, lambda: self.interpreter.output(self.stack.template.outputs[name]))

    def property(self, name: str, key: str) -> Any:
        """A resolved property as the template has it; ABSENT where it is not there."""
        properties = self.stack.template.resources[name].properties
        expr = properties.get(key) if properties is not None else None
        return ABSENT if expr is None else self.interpreter.value(expr)

    def properties(self, name: str) -> dict[str, Any]:
        return self.interpreter.properties(self.stack.template.resources[name])

    def metadata(self, name: str) -> Any:
        return self.part(self.stack.template.resources[name].metadata) or {}

    def deletion_policy(self, name: str) -> Any:
        resource = self.stack.template.resources[name]
        return "Retain" if resource.external_id is not None else self.part(resource.deletion_policy) or "Delete"

    def part(self, expr: ir.Expr | None) -> Any:
        return None if expr is None else self.interpreter.present(expr)

    def file(self, name: str) -> str:
        try:
            return self.stack.root.read(name).text()
        except Unreadable as e:
            raise EvaluationError(f"get_file names {name}: {e.detail}") from None

    def reference(self, name: str) -> Any:
        """What get_resource comes to."""
        address = self.address(name)
        found = self.outside.reference(address)
        if found is not ABSENT:
            return found
        if self.outside.deep and self.is_template(name):
            try:
                inside = self.nested(name)
            except EvaluationError:
                inside = None
            if inside is not None and inside.has_output(STACK_ID):
                return inside.output(STACK_ID)
        return f"{address}-id"

    def attribute(self, name: str, path: tuple[Any, ...]) -> Any:
        """What get_attr comes to; all attributes where the path is empty."""
        self.settle(name)
        if not path:
            found = self.outside.attribute(self.address(name), ())
            return self.all_attributes(name) if found is ABSENT else found
        key, *rest = path
        if self.version.hot and self.version.date == OLD:
            return select(self.one_attribute(name, key, ()), rest)
        return self.one_attribute(name, key, tuple(rest))

    def one_attribute(self, name: str, key: Any, path: tuple[Any, ...]) -> Any:
        found = self.outside.attribute(self.address(name), (key, *path))
        if found is not ABSENT:
            return found
        if self.outside.deep:
            if key == "value" and self.kind(name) == VALUE:
                return select(self.value(name), path)
            if (inside := self.nested(name)) is not None:
                return self.of_stack(name, inside, key, path)
        return Stub(":".join(["attr", self.address(name), str(key), *map(str, path)]))

    def all_attributes(self, name: str) -> dict[str, Any]:
        inside = self.nested(name) if self.outside.deep and self.is_template(name) else None
        if inside is not None:
            return {key: self.one_attribute(name, key, ()) for key in inside.stack.template.outputs}
        return {key: self.one_attribute(name, key, ()) for key in self.facts(name).get("attributes", ()) if key != "show"}

    def value(self, name: str) -> Any:
        """The attribute of an OS::Heat::Value: its property, as the type wants it."""
        return self.once("value", name, lambda: self._value(name))

    def _value(self, name: str) -> Any:
        group = groups.Properties(self, name)
        kind = OF_PARAMETER.get(group.get("type", "string"), "any")
        found = self.property(name, "value")
        if found is ABSENT:
            raise EvaluationError("Property value not assigned")
        return read(kind, found)

    def has_output(self, name: str) -> bool:
        output = self.stack.template.outputs.get(name)
        if output is None:
            return False
        return output.condition is None or self.interpreter.truth(output.condition, f"condition of {name}")

    # stacks inside

    def is_template(self, name: str) -> bool:
        found = self.found(name)
        return found is not None and found.file

    def of_stack(self, name: str, inside: Evaluation, key: Any, path: tuple[Any, ...]) -> Any:
        """An attribute of a resource that stands for a stack."""
        if not isinstance(key, str):
            raise EvaluationError(f"The Referenced Attribute ({name} {key}) is incorrect.")
        if inside.group is not None:
            return inside.group.attribute(inside, key, path)
        if key.startswith("resource."):
            return groups.of_one(inside, key, path)
        if not inside.has_output(key):
            raise EvaluationError(f"The Referenced Attribute ({name} {key}) is incorrect.")
        return select(inside.output(key), path)

    def nested(self, name: str) -> Evaluation | None:
        """The stack that a resource stands for; None for any other. Raises EvaluationError where it cannot be made."""
        if name not in self.names or not (self.is_template(name) or self.kind(name) in groups.GROUPS):
            return None
        return self.once("stack", name, lambda: self._nested(name))

    def _nested(self, name: str) -> Evaluation:
        if self.depth == nesting.DEPTH:
            raise EvaluationError(f"Stacks lie inside each other more than {nesting.DEPTH} deep")
        if not self.is_template(name):
            return self._of_members(name, groups.GROUPS[self.kind(name)])
        inside = self._template(name)
        given = {}
        for param in inside.stack.template.parameters.values():
            value = self.property(name, param.name)
            if value is not ABSENT:
                given[param.name] = passed(read(OF_PARAMETER[param.type], value, converts=True), name)
        return Evaluation(inside.stack, self.outside, (self, name), given)

    def _template(self, name: str) -> Nested:
        resource = self.stack.template.resources[name]
        inside = self.stack.nested.get((name, resource.type))
        found = self.found(name)
        if inside is None and found is not None:
            from transpile import link  # it needs this package

            inside = link.inside(self.stack, resource, found)
        if inside is None:
            raise EvaluationError(f"The template {resource.type} cannot be had")
        return inside

    def _of_members(self, name: str, group: groups.Group) -> Evaluation:
        """The stack of a group: its members, with what the group's registry makes of their types."""
        definitions = group.members(groups.Properties(self, name))
        template = groups.declared(definitions, group.version, self.stack.template.source)
        nested = {}
        for member in template.resources.values():
            if (inside := self.stack.nested.get((name, member.type))) is not None:
                nested[member.name, member.type] = inside
        stack = dataclasses.replace(
            self.stack,
            template=template,
            types={},
            given={},
            needs={},
            registry=self.stack.registry.child(name, None),
            nested=nested,
            enabled={},
        )
        return Evaluation(stack, self.outside, (self, name), group=group)

    def settle(self, name: str) -> None:
        """Evaluates what a resource needs before it is asked itself, so that long chains of resources are no deep
        recursion. What has no value is said when somebody asks for it.
        """
        if name in self._settled or not self.outside.deep:
            return
        needs = self.stack.needs
        if self._order is None:
            self._order = {one: n for n, circle in enumerate(graph.components(needs)) for one in circle}
        wanted = graph.reachable(needs, [name], lambda one: one not in self._settled) - self._settled
        self._settled |= wanted | {name}
        for one in sorted(wanted, key=lambda one: (self._order or {}).get(one, 0)):
            try:
                if one in self.names and self.kind(one) == VALUE:
                    self.value(one)
                else:
                    self.nested(one)
            except EvaluationError:
                continue

    # everything at once

    def evaluated(self) -> Evaluated:
        template, interpreter = self.stack.template, self.interpreter
        errors: dict[str, str] = {}
        names = self.names
        pseudo = {name: interpreter.pseudo(name) for name in sorted(self.version.pseudo)}
        own = {n: attempt(errors, f"parameters.{n}", lambda n=n: interpreter.parameter(n, [])) for n in template.parameters}
        holds = {n: attempt(errors, f"conditions.{n}", lambda n=n: interpreter.condition(n)) for n in template.conditions}
        resources = {name: self.resource(name) for name in names}
        outputs = {name: self.evaluated_output(one) for name, one in template.outputs.items()}
        if self.group is not None and self.group.outputs:
            refs = attempt(errors, f"outputs.{self.group.outputs}", lambda: {n: self.reference(n) for n in names})
            outputs = {self.group.outputs: EvaluatedOutput(refs, True, sorted(names))}
        disabled = [name for name in template.resources if name not in resources]
        return Evaluated(own, pseudo, holds, resources, disabled, outputs, errors, self.notes)

    def evaluated_output(self, output: ir.Output) -> EvaluatedOutput:
        errors: dict[str, str] = {}
        value = attempt(errors, "value", lambda: self.output(output.name))
        enabled = attempt(errors, "condition", lambda: self.has_output(output.name))
        requires: Sequence[str] = ()
        if enabled:
            requires = attempt({}, "", lambda: sorted(self.interpreter.needs(output.value))) or ()
        return EvaluatedOutput(value, enabled, requires, errors.get("value") or errors.get("condition", ""))

    def resource(self, name: str) -> EvaluatedResource:
        """Everything about one resource, its stack included."""
        resource = self.stack.template.resources[name]
        errors: dict[str, str] = {}
        properties = {}
        for entry in resource.properties.entries if resource.properties is not None else ():
            value = attempt(errors, f"properties.{entry.key}", lambda e=entry: self.interpreter.value(e.value))
            if value is not ABSENT:
                properties[entry.key] = value
        external = attempt(errors, "external_id", lambda: self.part(resource.external_id))
        inside = attempt({}, "", lambda: self.nested(name), self.notes) if self.outside.deep else None
        kind = self.kind(name)
        explicit, implicit, disabled = self.dependencies(resource, errors)
        return EvaluatedResource(
            type=resource.type,
            implementation=kind if kind != resource.type else None,
            properties=properties,
            metadata=attempt(errors, "metadata", lambda: self.metadata(name)) or {},
            deletion_policy=attempt(errors, "deletion_policy", lambda: self.deletion_policy(name)),
            update_policy=attempt(errors, "update_policy", lambda: self.part(resource.update_policy)),
            external_id=external,
            depends_on=[d.name for d in resource.depends_on],
            explicit=explicit,
            implicit=[] if external is not None else implicit,
            disabled=disabled,
            hooks=self.stack.registry.steered(name, "hooks"),
            restricted_actions=sorted(self.stack.registry.steered(name, "restricted_actions")),
            nested=inside.evaluated() if inside is not None else None,
            errors=errors,
        )

    def dependencies(self, resource: ir.Resource, errors: dict[str, str]) -> tuple[list[str], list[str], list[str]]:
        """The resources that one needs, by its depends_on and by references, and those of them that are not there."""
        known, names = self.stack.template.resources, set(self.names)
        asked = {d.name for d in resource.depends_on}
        for name in sorted(asked - set(known)):
            errors["depends_on"] = f"There is no resource {name}"

        def referred() -> set[str]:
            parts = (resource.properties, resource.metadata)
            return {name for part in parts if part is not None for name in self.interpreter.needs(part)}

        found = attempt(errors, "dependencies", referred) or set()
        gone = {name for name in asked if name in known and name not in names}
        return sorted(asked & names), sorted(found), sorted(gone)


def attempt(errors: dict[str, str], path: str, make: Callable[[], T], notes: list[str] | None = None) -> T | None:
    """A value, or None and the reason why there is none."""
    try:
        return make()
    except EvaluationError as e:
        errors[path] = str(e)
        if notes is not None:
            notes.append(str(e))
        return None
    except RecursionError:
        errors[path] = "Expressions are nested too deeply"
        return None


def passed(value: Any, name: str) -> Any:
    """A property's value as a parameter of the template gets it: a list is a text with commas, one of maps numbered."""
    if not isinstance(value, list):
        return value
    if value and isinstance(value[0], dict):
        if not all(isinstance(item, dict) for item in value):
            raise EvaluationError(f"The list for {name} holds maps and other things")
        return ",".join(f".member.{n}.{key}={item[key]}" for n, item in enumerate(value) for key in item)
    if not all(isinstance(item, (str, type(None))) for item in value):
        raise EvaluationError(f"The items of the list for {name} must be texts")
    return ",".join(item or "" for item in value)


@final
class _Parameters(Mapping[str, Any]):
    """The values of a stack's parameters; a KeyError for one that has none."""

    def __init__(self, stack: Stack, given: Mapping[str, Any]) -> None:
        self.params, self.merged, self.given = stack.template.parameters, stack.given, given
        self._known: dict[str, Any] = {}

    def __getitem__(self, name: str) -> Any:
        if name not in self._known:
            self._known[name] = self._value(self.params[name])
        return self._known[name]

    def _value(self, param: ir.Param) -> Any:
        raw = self.given.get(param.name)
        if raw is None and param.name in self.merged:
            merged = self.merged[param.name]
            if not merged.converted:
                raise EvaluationError(f"Parameter {param.name}: {merged.wrong}")
            return merged.value
        if raw is None and param.default is not None:
            raw = ir.data(param.default)
        if raw is None:
            raise KeyError(param.name)
        try:
            return values.convert(param.type, raw)
        except (ValueError, TypeError) as e:
            raise EvaluationError(f"Parameter {param.name}: {e}") from None

    def __iter__(self) -> Iterator[str]:
        return (name for name, param in self.params.items() if self._has(param))

    def _has(self, param: ir.Param) -> bool:
        return param.default is not None or param.name in self.merged or self.given.get(param.name) is not None

    def __len__(self) -> int:
        return sum(map(self._has, self.params.values()))


@final
class _Facade(Mapping[str, Any]):
    """The resource that stands for a template, as the template sees it."""

    def __init__(self, owner: Evaluation, name: str) -> None:
        self.owner, self.name = owner, name

    def __getitem__(self, what: str) -> Any:
        if what == "metadata":
            return self.owner.metadata(self.name)
        if what == "deletion_policy":
            return self.owner.deletion_policy(self.name)
        if what == "update_policy":
            return self.owner.part(self.owner.stack.template.resources[self.name].update_policy) or {}
        raise KeyError(what)

    def __iter__(self) -> Iterator[str]:
        return iter(("metadata", "deletion_policy", "update_policy"))

    def __len__(self) -> int:
        return 3


__all__ = ["Evaluation", "NoValue", "Outside", "evaluate_stack"]

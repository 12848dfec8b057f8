"""Evaluates one stack and the stacks nested in it.

Invariant: each value is computed on demand, and once. A value that depends on itself, or is nested deeper than Heat
allows, raises EvaluationError.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar, final

from transpile.evaluate.interpreter import ABSENT, Interpreter, World
from transpile.evaluate.pure import EvaluationError
from transpile.model import heat_types, ir
from transpile.model.attribute_paths import TEMPLATE, Member
from transpile.model.attribute_paths import select as select_path
from transpile.model.records import replace
from transpile.resolve import graph, linker, nested_templates
from transpile.stack_evaluation import groups
from transpile.stack_evaluation.inputs import Facade, Parameters, passed
from transpile.stack_evaluation.plugin_properties import OF_PARAMETER, Stub, read, select
from transpile.text.source import Unreadable

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from transpile.resolve.registry import Found
    from transpile.resolve.stack import Nested, Stack
    from transpile.schema.catalog import Type
    from transpile.stack_evaluation.outside import Outside

T = TypeVar("T")
STACK_ID = "OS::stack_id"  # the output that overrides a stack's reference
LOWER_CASE = "2016-10-14"  # first version with lower-case deletion policies
OLD = "2013-05-23"  # in this version, get_attr follows the path itself; later versions pass it to the plug-in


@final
class Evaluation:
    """One stack, evaluated on demand. `above`: the enclosing stack, and the name of its resource that this stack
    belongs to; `parameter_values`: those that this resource sets; `group`: its type, if it is a group.
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
        facade: Facade | None = None
        if above is not None:
            owner, resource = above
            self.prefix, self.depth = f"{owner.address(resource)}.", owner.depth + 1
            self.name = f"{owner.name}-{resource}"
            facade = Facade(owner, resource)
        world = World(
            Parameters(stack, given or {}),
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
        self._known: dict[tuple[str, str], Any] = {}  # the value is an EvaluationError if computing it failed
        self._asked: set[tuple[str, str]] = set()
        self._settled: set[str] = set()
        self._names: list[str] | None = None
        self._order: dict[str, int] | None = None

    def once(self, what: str, name: str, make: Callable[[], T]) -> T:
        """Returns a value that the first call computes. If that raised an EvaluationError, each call raises it."""
        key = what, name
        if key not in self._known:
            if key in self._asked:
                raise EvaluationError(f"{self.address(name)} depends on itself")
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
        """The name of a resource after those of the resources whose stacks contain it: `group.0.port`."""
        return self.prefix + name

    @property
    def names(self) -> list[str]:
        """The resources whose conditions hold, in the order of the template."""
        if self._names is None:
            resources = self.stack.template.resources
            self._names = [name for name, one in resources.items() if self.interpreter.enabled(one)]
        return self._names

    def found(self, name: str) -> Found | None:
        """The registry's entry for the type of a resource; None if there is no such type."""
        written = self.stack.template.resources[name].type
        found = self.stack.registry.find(written, name)
        if found is None and self.group is not None and written in groups.ALIASES:
            return self.stack.registry.find(groups.ALIASES[written], name)
        return found

    def kind(self, name: str) -> str:
        """The type of a resource after the registry was asked."""
        found = self.found(name)
        return found.kind if found is not None else self.stack.template.resources[name].type

    def facts(self, name: str) -> Type:
        return self.stack.catalog.find(self.kind(name)) or {}

    # values

    def output(self, name: str) -> Any:
        """The value of an output; null if its condition does not hold."""
        return self.once("output", name, lambda: self.interpreter.output(self.stack.template.outputs[name]))

    def property(self, name: str, key: str) -> Any:
        """A resolved property as the template sets it; ABSENT if it does not."""
        properties = self.stack.template.resources[name].properties
        expr = properties.get(key) if properties is not None else None
        return ABSENT if expr is None else self.interpreter.value(expr)

    def properties(self, name: str) -> dict[str, Any]:
        return self.interpreter.properties(self.stack.template.resources[name])

    def metadata(self, name: str) -> Any:
        return self.part(self.stack.template.resources[name].metadata) or {}

    def deletion_policy(self, name: str) -> Any:
        resource = self.stack.template.resources[name]
        if resource.external_id is not None:
            return "Retain"
        found = self.part(resource.deletion_policy)
        spelled = found.capitalize() if isinstance(found, str) and self.version.since(LOWER_CASE) else found
        if spelled not in (None, "Delete", "Retain", "Snapshot") or (spelled != found and found != spelled.lower()):
            raise EvaluationError(f"Invalid deletion policy {found}")
        return spelled or "Delete"

    def part(self, expr: ir.Expr | None) -> Any:
        """The value of an expression; None if there is no expression."""
        return None if expr is None else self.interpreter.present(expr)

    def file(self, name: str) -> str:
        """The text for get_file."""
        try:
            return self.stack.root.read(name).text()
        except Unreadable as e:
            raise EvaluationError(f"get_file cannot include {name}: {e.detail}") from None

    def reference(self, name: str) -> Any:
        """The value of get_resource."""
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
        """The value of get_attr; all attributes if the path is empty."""
        self.settle(name)
        if not path:
            found = self.outside.attribute(self.address(name), ())
            return self.all_attributes(name) if found is ABSENT else found
        key, *rest = path
        if self.version.hot and self.version.date == OLD:
            return select(self.one_attribute(name, key, ()), rest)
        return self.one_attribute(name, key, tuple(rest))

    def one_attribute(self, name: str, key: Any, path: tuple[Any, ...]) -> Any:
        """An attribute, or the part of it at a path: from outside, from a nested stack, or a Stub in its place."""
        found = self.outside.attribute(self.address(name), (key, *path))
        if found is not ABSENT:
            return found
        if self.outside.deep:
            if key == "value" and self.kind(name) == heat_types.VALUE:
                return select(self.value(name), path)
            if (inside := self.nested(name)) is not None:
                return self.of_stack(name, inside, key, path)
        return Stub(":".join(["attr", self.address(name), str(key), *map(str, path)]))

    def all_attributes(self, name: str) -> dict[str, Any]:
        """The value of get_attr without a path: all attributes but `show`."""
        inside = self.nested(name) if self.outside.deep and self.is_template(name) else None
        if inside is not None:
            return {key: self.one_attribute(name, key, ()) for key in inside.stack.template.outputs}
        return {
            key: self.one_attribute(name, key, ()) for key in self.facts(name).get("attributes", ()) if key != "show"
        }

    def value(self, name: str) -> Any:
        """The attribute `value` of an OS::Heat::Value: its property `value`, converted to its type."""
        return self.once("value", name, lambda: self._value(name))

    def _value(self, name: str) -> Any:
        group = groups.Properties(self, name)
        kind = OF_PARAMETER.get(group.get("type", "string"), "any")
        found = self.property(name, "value")
        if found is ABSENT:
            raise EvaluationError("Property value not assigned")
        return read(kind, found)

    def has_output(self, name: str) -> bool:
        """Whether the stack has an output whose condition holds."""
        output = self.stack.template.outputs.get(name)
        if output is None:
            return False
        return output.condition is None or self.interpreter.truth(output.condition, f"condition of {name}")

    # stacks inside

    def is_template(self, name: str) -> bool:
        """Whether the type of a resource is a template."""
        found = self.found(name)
        return found is not None and found.file

    def of_stack(self, name: str, inside: Evaluation, key: Any, path: tuple[Any, ...]) -> Any:
        """An attribute of a resource that has a nested stack, or the part of it at a path."""
        if not isinstance(key, str):
            raise EvaluationError(f"The Referenced Attribute ({name} {key}) is incorrect.")
        literals = tuple([ir.from_data(step) for step in (key, *path)])
        if inside.group is not None:
            return inside.group.attribute(inside, select_path(self.kind(name), literals))
        if isinstance(member := select_path(TEMPLATE, literals), Member):
            return groups.of_member(inside, member)
        if not inside.has_output(key):
            raise EvaluationError(f"The Referenced Attribute ({name} {key}) is incorrect.")
        return select(inside.output(key), path)

    def nested(self, name: str) -> Evaluation | None:
        """The nested stack of a resource; None if it has none. Raises EvaluationError if Heat could not create it."""
        if name not in self.names or not (self.is_template(name) or self.kind(name) in groups.GROUPS):
            return None
        return self.once("stack", name, lambda: self._nested(name))

    def _nested(self, name: str) -> Evaluation:
        if self.depth == nested_templates.DEPTH:
            raise EvaluationError(f"Stacks are nested more than {nested_templates.DEPTH} levels deep")
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
            inside = linker.inside(self.stack, resource, found)
        if inside is None:
            raise EvaluationError(f"The template {resource.type} is not available")
        return inside

    def _of_members(self, name: str, group: groups.Group) -> Evaluation:
        """The nested stack of a group, with its members as resources; the group's registry resolves their types."""
        definitions = group.members(groups.Properties(self, name))
        template = groups.declared(definitions, group.version, self.stack.template.source)
        nested = {}
        for member in template.resources.values():
            if (inside := self.stack.nested.get((name, member.type))) is not None:
                nested[member.name, member.type] = inside
        stack = replace(
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
        """Evaluates the dependencies of a resource before the resource, so that long chains do not recurse deeply. An
        error is not raised here, but when the value is used.
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
                if one in self.names and self.kind(one) == heat_types.VALUE:
                    self.value(one)
                else:
                    self.nested(one)
            except EvaluationError:
                continue

"""Evaluates one stack and the stacks nested in it.

Invariant: each value is computed on demand, and once. A value that depends on itself, or is nested deeper than Heat
allows, raises EvaluationError.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, TypeVar, final

from transpile.evaluate.interpreter import ABSENT, Interpreter, World
from transpile.evaluate.pure import EvaluationError
from transpile.model import heat_types, ir
from transpile.model.attribute_paths import TEMPLATE, GroupMember
from transpile.model.attribute_paths import parse_attribute_path as select_path
from transpile.model.records import replace
from transpile.resolve import graph, linker, nested_templates
from transpile.resolve.registry import ResolvedType
from transpile.resolve.stack import NestedStack, Stack
from transpile.stack_evaluation import groups
from transpile.stack_evaluation.inputs import Facade, ParameterValues, convert_passed_value
from transpile.stack_evaluation.plugin_properties import PROPERTY_TYPES, Stub, convert_property, follow_path
from transpile.text.source import UnreadableFile

if TYPE_CHECKING:
    from transpile.schema.catalog import TypeFacts
    from transpile.stack_evaluation.outside import Outside

T = TypeVar("T")
STACK_ID = "OS::stack_id"  # the output that overrides a stack's reference
LOWER_CASE = "2016-10-14"  # first version with lower-case deletion policies
PLAIN_PATHS = "2013-05-23"  # in this version, get_attr follows the path itself; later versions pass it to the plug-in


@final
class StackEvaluation:
    """One stack, evaluated on demand. `above`: the enclosing stack, and the name of its resource that this stack
    belongs to; `parameter_values`: those that this resource sets; `group`: its type, if it is a group.
    """

    def __init__(
        self,
        stack: Stack,
        outside: Outside,
        above: tuple[StackEvaluation, str] | None = None,
        parameter_values: Mapping[str, Any] | None = None,
        group: groups.GroupType | None = None,
    ) -> None:
        self.stack, self.outside, self.group = stack, outside, group
        self.prefix, self.name, self.depth = "", outside.stack_name, 0
        facade: Facade | None = None
        if above is not None:
            owner, resource = above
            self.prefix, self.depth = f"{owner.resource_address(resource)}.", owner.depth + 1
            self.name = f"{owner.name}-{resource}"
            facade = Facade(owner, resource)
        world = World(
            ParameterValues(stack, parameter_values or {}),
            self.name,
            outside.stack_id,
            outside.project_id,
            self.reference,
            self.attribute,
            self.read_file,
            facade,
            outside.zones,
            outside.yaql,
        )
        self.interpreter = Interpreter(stack.template, world)
        self.version = stack.template.version
        self.notes: list[str] = []
        self._values: dict[tuple[str, str], Any] = {}  # the value is an EvaluationError if computing it failed
        self._pending: set[tuple[str, str]] = set()
        self._types: dict[str, ResolvedType] = {}
        self._visited: set[str] = set()
        self._names: list[str] | None = None
        self._name_set: frozenset[str] | None = None
        self._order: dict[str, int] | None = None

    def compute_once(self, aspect: str, name: str, compute: Callable[[], T]) -> T:
        """Returns a value that the first call computes. If that raised an EvaluationError, each call raises it."""
        key = aspect, name
        if key not in self._values:
            if key in self._pending:
                raise EvaluationError(f"{self.resource_address(name)} depends on itself")
            self._pending.add(key)
            try:
                self._values[key] = compute()
            except EvaluationError as e:
                self._values[key] = e
            except RecursionError:
                self._values[key] = EvaluationError(f"{self.resource_address(name)} is nested too deeply")
            finally:
                self._pending.discard(key)
        value = self._values[key]
        if isinstance(value, EvaluationError):
            raise value
        result: T = value
        return result

    # names and types

    def resource_address(self, name: str) -> str:
        """The name of a resource after those of the resources whose stacks contain it: `group.0.port`."""
        return self.prefix + name

    @property
    def resource_names(self) -> list[str]:
        """The resources whose conditions hold, in the order of the template."""
        if self._names is None:
            resources = self.stack.template.resources
            self._names = [name for name, resource in resources.items() if self.interpreter.is_enabled(resource)]
        return self._names

    def has_resource(self, name: str) -> bool:
        """Whether the template has a resource of this name, and its condition holds."""
        if self._name_set is None:
            self._name_set = frozenset(self.resource_names)
        return name in self._name_set

    def resolve_type(self, name: str) -> ResolvedType:
        """The registry's entry for the type of a resource."""
        if name not in self._types:
            written = self.stack.template.resources[name].type
            resolution = self.stack.registry.resolve_type(written, name)
            if not resolution.is_known and self.group is not None and written in groups.ALIASES:
                resolution = self.stack.registry.resolve_type(groups.ALIASES[written], name)
            self._types[name] = resolution
        return self._types[name]

    def resource_kind(self, name: str) -> str:
        """The type of a resource after the registry was asked."""
        return self.resolve_type(name).kind

    def resource_facts(self, name: str) -> TypeFacts:
        return self.stack.catalog.find_type(self.resource_kind(name))

    # values

    def evaluate_output(self, name: str) -> Any:
        """The value of an output; null if its condition does not hold."""
        return self.compute_once(
            "output", name, lambda: self.interpreter.evaluate_output(self.stack.template.outputs[name])
        )

    @property
    def is_group(self) -> bool:
        """Whether it has the members of a group as resources."""
        return self.group is not None

    def evaluate_property(self, name: str, key: str) -> Any:
        """A resolved property as the template sets it; ABSENT if it does not."""
        expr = self.stack.template.resources[name].find_property(key)
        if expr is None:
            return ABSENT
        if isinstance(expr, ir.Lit):
            return expr.value
        return self.compute_once(f"property {key}", name, lambda: self.interpreter.evaluate(expr))

    def evaluate_properties(self, name: str) -> dict[str, Any]:
        return self.interpreter.evaluate_properties(self.stack.template.resources[name])

    def evaluate_metadata(self, name: str) -> Any:
        return self.evaluate_or_none(self.stack.template.resources[name].metadata) or {}

    def evaluate_deletion_policy(self, name: str) -> Any:
        resource = self.stack.template.resources[name]
        if resource.is_existing:
            return "Retain"
        value = self.evaluate_or_none(resource.deletion_policy)
        policy = value.capitalize() if isinstance(value, str) and self.version.is_hot_since(LOWER_CASE) else value
        if policy not in (None, "Delete", "Retain", "Snapshot") or (policy != value and value != policy.lower()):
            raise EvaluationError(f"Invalid deletion policy {value}")
        return policy or "Delete"

    def evaluate_or_none(self, expr: ir.Expr | None) -> Any:
        """The value of an expression; None if there is no expression."""
        return None if expr is None else self.interpreter.evaluate_or_null(expr)

    def read_file(self, name: str) -> str:
        """The text for get_file."""
        try:
            return self.stack.root.read_file(name).decode_text()
        except UnreadableFile as e:
            raise EvaluationError(f"get_file cannot include {name}: {e.detail}") from None

    def reference(self, name: str) -> Any:
        """The value of get_resource."""
        address = self.resource_address(name)
        value = self.outside.reference(address)
        if value is not ABSENT:
            return value
        if self.outside.deep and self.is_nested_template(name):
            try:
                inside = self.find_nested_stack(name)
            except EvaluationError:
                inside = None
            if inside is not None and inside.has_output(STACK_ID):
                return inside.evaluate_output(STACK_ID)
        return f"{address}-id"

    def attribute(self, name: str, path: tuple[Any, ...]) -> Any:
        """The value of get_attr; all attributes if the path is empty."""
        self.evaluate_dependencies(name)
        if not path:
            value = self.outside.attribute(self.resource_address(name), ())
            return self.evaluate_all_attributes(name) if value is ABSENT else value
        key, *rest = path
        if self.version.is_hot and self.version.date == PLAIN_PATHS:
            return follow_path(self.evaluate_attribute(name, key, ()), rest)
        return self.evaluate_attribute(name, key, tuple(rest))

    def evaluate_attribute(self, name: str, key: Any, path: tuple[Any, ...]) -> Any:
        """An attribute, or the part of it at a path: from outside, from a nested stack, or a Stub in its place."""
        value = self.outside.attribute(self.resource_address(name), (key, *path))
        if value is not ABSENT:
            return value
        if self.outside.deep:
            if key == "value" and self.resource_kind(name) == heat_types.VALUE:
                return follow_path(self.evaluate_heat_value(name), path)
            if (inside := self.find_nested_stack(name)) is not None:
                return self.evaluate_nested_attribute(name, inside, key, path)
        return Stub(":".join(["attr", self.resource_address(name), str(key), *map(str, path)]))

    def evaluate_all_attributes(self, name: str) -> dict[str, Any]:
        """The value of get_attr without a path: all attributes but `show`."""
        inside = self.find_nested_stack(name) if self.outside.deep and self.is_nested_template(name) else None
        if inside is not None:
            return {key: self.evaluate_attribute(name, key, ()) for key in inside.stack.template.outputs}
        return {
            key: self.evaluate_attribute(name, key, ())
            for key in self.resource_facts(name).get("attributes", ())
            if key != "show"
        }

    def evaluate_heat_value(self, name: str) -> Any:
        """The attribute `value` of an OS::Heat::Value: its property `value`, converted to its type."""
        return self.compute_once("value", name, lambda: self._evaluate_heat_value(name))

    def _evaluate_heat_value(self, name: str) -> Any:
        properties = groups.GroupPropertyValues(self, name)
        kind = PROPERTY_TYPES.get(properties.read_property("type", "string"), "any")
        value = self.evaluate_property(name, "value")
        if value is ABSENT:
            raise EvaluationError("Property value not assigned")
        return convert_property(kind, value)

    def has_output(self, name: str) -> bool:
        """Whether the stack has an output whose condition holds."""
        output = self.stack.template.outputs.get(name)
        if output is None:
            return False
        return self.interpreter.evaluate_boolean(output.condition, f"condition of {name}")

    # stacks inside

    def is_nested_template(self, name: str) -> bool:
        """Whether the type of a resource is a template."""
        return self.resolve_type(name).is_template

    def evaluate_nested_attribute(self, name: str, inside: StackEvaluation, key: Any, path: tuple[Any, ...]) -> Any:
        """An attribute of a resource that has a nested stack, or the part of it at a path."""
        if not isinstance(key, str):
            raise EvaluationError(f"The Referenced Attribute ({name} {key}) is incorrect.")
        literals = tuple([ir.from_data(step) for step in (key, *path)])
        if inside.group is not None:
            return inside.group.attribute(inside, select_path(self.resource_kind(name), literals))
        if isinstance(member := select_path(TEMPLATE, literals), GroupMember):
            return groups.evaluate_member_attribute(inside, member)
        if not inside.has_output(key):
            raise EvaluationError(f"The Referenced Attribute ({name} {key}) is incorrect.")
        return follow_path(inside.evaluate_output(key), path)

    def find_nested_stack(self, name: str) -> StackEvaluation | None:
        """The nested stack of a resource; None if it has none. Raises EvaluationError if Heat could not create it."""
        if not self.has_resource(name) or not (
            self.is_nested_template(name) or self.resource_kind(name) in groups.GROUPS
        ):
            return None
        return self.compute_once("stack", name, lambda: self._evaluate_nested_stack(name))

    def _evaluate_nested_stack(self, name: str) -> StackEvaluation:
        if self.depth == nested_templates.DEPTH:
            raise EvaluationError(f"Stacks are nested more than {nested_templates.DEPTH} levels deep")
        if not self.is_nested_template(name):
            return self._evaluate_members(name, groups.GROUPS[self.resource_kind(name)])
        inside = self._find_nested_template(name)
        parameter_values = {}
        for param in inside.stack.template.parameters.values():
            value = self.evaluate_property(name, param.name)
            if value is not ABSENT:
                parameter_values[param.name] = convert_passed_value(
                    convert_property(PROPERTY_TYPES[param.type], value, converts=True), name
                )
        return StackEvaluation(inside.stack, self.outside, (self, name), parameter_values)

    def _find_nested_template(self, name: str) -> NestedStack:
        resource = self.stack.template.resources[name]
        inside = self.stack.nested.get((name, resource.type))
        resolution = self.resolve_type(name)
        if inside is None and resolution.is_known:
            inside = linker.link_nested_template(self.stack, resource, resolution)
        if inside is None:
            raise EvaluationError(f"The template {resource.type} is not available")
        return inside

    def _evaluate_members(self, name: str, group: groups.GroupType) -> StackEvaluation:
        """The nested stack of a group, with its members as resources; the group's registry resolves their types."""
        definitions = group.define_members(groups.GroupPropertyValues(self, name))
        template = groups.build_member_template(definitions, group.version, self.stack.template.source)
        nested = {}
        for member in template.resources.values():
            if (inside := self.stack.nested.get((name, member.type))) is not None:
                nested[member.name, member.type] = inside
        stack = replace(
            self.stack,
            template=template,
            types={},
            bindings={},
            needs={},
            registry=self.stack.registry.child_registry(name, None),
            nested=nested,
            enabled={},
        )
        return StackEvaluation(stack, self.outside, (self, name), group=group)

    def evaluate_dependencies(self, name: str) -> None:
        """Evaluates the dependencies of a resource before the resource, so that long chains do not recurse deeply. An
        error is not raised here, but when the value is used.
        """
        if name in self._visited or not self.outside.deep:
            return
        needs = self.stack.needs
        dependencies = (
            graph.reachable_nodes(needs, [name], lambda dependency: dependency not in self._visited) - self._visited
        )
        self._visited |= dependencies | {name}
        if len(dependencies) > 1 and self._order is None:
            self._order = {
                dependency: n for n, component in enumerate(graph.strong_components(needs)) for dependency in component
            }
        for dependency in sorted(dependencies, key=lambda dependency: (self._order or {}).get(dependency, 0)):
            try:
                if self.has_resource(dependency) and self.resource_kind(dependency) == heat_types.VALUE:
                    self.evaluate_heat_value(dependency)
                else:
                    self.find_nested_stack(dependency)
            except EvaluationError:
                continue

"""Computes Terraform's plan: every instance of every resource, with the values of its arguments.

Invariant: an instance has the address that Terraform gives it.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, TypeAlias, final

from emitters.hcl.assemble.references import find_reachable_addresses
from emitters.hcl.attempt import Attempt
from emitters.hcl.evaluation.conversions import convert_to_shape, convert_value
from emitters.hcl.evaluation.functions import EvaluationFailed, UnknownValue, call_jsonencode
from emitters.hcl.evaluation.values import HclEvaluation, convert_to_number
from emitters.hcl.symbols import STACK_NAME, TYPES
from emitters.hcl.tables.provider import parse_type
from emitters.hcl.tree.nodes import Argument, Attr, Block, Expr, Index, Traversal
from emitters.hcl.tree.printer import print_inline
from transpile.model.budget import Budget
from transpile.model.meter import spend_budget
from transpile.model.span import Span
from transpile.schema import parameters

Key: TypeAlias = "int | str | None"
MISSING: Any = object()
HERE = "."  # path.module


def compute_once(values: dict[str, Any], name: str, compute: Callable[[str], Any]) -> Any:
    """A value that the first call computes. If that raised UnknownValue or EvaluationFailed, each call raises it."""
    if name not in values:
        try:
            values[name] = compute(name)
        except (UnknownValue, EvaluationFailed) as e:
            values[name] = e
    value = values[name]
    if isinstance(value, (UnknownValue, EvaluationFailed)):
        raise value.with_traceback(None)
    return value


@final
class BlockInstance:
    """An instance of a resource or data source."""

    def __init__(self, directory: DirectoryInstance, block: Block, key: Key) -> None:
        self.directory, self.block, self.key = directory, block, key
        self.bound = bind_instance_key(block, directory, key)
        self.arguments: dict[str, Any] = {}  # values that were computed, or the exception
        self.attributes: dict[str, Any] = {}

    @property
    def import_address(self) -> Expr:
        """The address of the instance for `to` of an import block."""
        return add_key(self.directory.address_inside(*self.block.labels), self.key)

    @property
    def address_text(self) -> str:
        return print_inline(self.import_address)

    def argument_value(self, name: str) -> Any:
        """The value of an argument, computed once; MISSING if it is absent. Raises UnknownValue or EvaluationFailed."""
        return compute_once(self.arguments, name, self.compute_argument)

    def compute_argument(self, name: str) -> Any:
        argument = self.block.find_argument(name)
        return MISSING if argument is None else HclEvaluation(self.directory, self.bound).evaluate(argument.value)

    def attribute_of(self, name: str) -> Any:
        return compute_once(self.attributes, name, self.compute_attribute)

    def compute_attribute(self, name: str) -> Any:
        value = self.argument_value(name)
        if value is MISSING or value is None:  # an argument that is null is one that is absent
            return self.directory.plan.identify(self, name)
        kind = f"data.{self.block.labels[0]}" if self.block.type == "data" else self.block.labels[0]
        facts = self.directory.emission.unit.tables.providers.find_argument(kind, name)
        try:  # the value has the provider's type: the metadata `level = 1` is "1"
            return convert_value(parse_type(facts["type"]), value) if facts else value
        except EvaluationFailed:
            return value  # the argument itself is found to fail

    @property
    def owner_name(self) -> str:
        """The resource of the template that the block is made from; empty if there is none."""
        return self.directory.emission.blocks.find_owner(self.block)

    @property
    def is_part(self) -> bool:
        """Whether the block is only a part of that resource."""
        return self.directory.first.get(self.owner_name) is not self.block


@final
class DirectoryInstance:
    """An instance of a directory: the root, or a module with the values of one call.

    called: the call that it is an instance of; None for the root, as its address, path.
    """

    def __init__(
        self,
        plan: InstancePlan,
        attempt: Attempt,
        arguments: Mapping[str, Callable[[], Any]] | None = None,
        called: ModuleInstance | None = None,
        path: Expr | None = None,
    ) -> None:
        self.plan, self.attempt, self.called, self.path, self.arguments = plan, attempt, called, path, arguments
        self.children: dict[tuple[int, Key], DirectoryInstance] = {}
        self.emission = attempt.emission
        self.source = self.emission.unit.template.source
        self.blocks = {b.labels: b for b in self.emission.blocks.main if isinstance(b, Block) and b.type == "resource"}
        self.calls = {b.labels[0]: b for b in self.emission.blocks.main if isinstance(b, Block) and b.type == "module"}
        self.data = {("data", *b.labels): b for b in self.emission.blocks.data if b.type == "data"}
        self.first: dict[str, Block] = {}
        for block in self.blocks.values():
            if owner := self.emission.blocks.find_owner(block):
                self.first.setdefault(owner, block)
        self.outputs = {b.labels[0]: b for b in self.emission.blocks.outputs}
        self.values_by_name: dict[tuple[str, ...], Any] = {}
        self.busy: set[tuple[str, ...]] = set()
        self.outputs_by_label: dict[str, Any] = {}
        self.keys_by_block: dict[int, tuple[Block, Sequence[Key]]] = {}  # by id() of the block, which stays alive
        self.collections_by_block: dict[int, tuple[Block, Any]] = {}
        self.addresses_by_address: dict[str, set[str]] = {}

    def address_inside(self, *names: str) -> Expr:
        """The address of a block or local in this directory."""
        if self.path is None:
            return Traversal(names)
        address = self.path
        for name in names:
            address = Attr(address, name)
        return address

    def find_definition(self, address: str) -> Argument | Block | None:
        """The local, data source, resource or module call that an address in this directory means."""
        kind, *names = address.split(".")
        match kind:
            case "local":
                return self.emission.blocks.locals.get(names[0])
            case "module":
                return self.calls.get(names[0])
            case "data":
                return self.data.get((kind, *names))
        return self.blocks.get((kind, *names))

    def find_addresses(self, items: Iterable[Argument | Block]) -> set[str]:
        """The addresses that items of this directory refer to, directly or through others."""
        return find_reachable_addresses(items, self.find_definition, memo=self.addresses_by_address)

    @property
    def budget(self) -> Budget:
        return self.source.budget

    def pay_steps(self, steps: int) -> None:
        """Pays for an evaluation in this directory."""
        spend_budget("steps", steps, self.source)

    def encode_json(self, value: Any) -> str:
        return self.plan.encode_json(value)

    def read_output_file(self, path: str) -> str:
        content = self.emission.blocks.files.get(path.removeprefix(f"{HERE}/"))
        if not isinstance(content, str):
            raise UnknownValue(f"the file {path}")
        return content

    # the meaning of names

    def resolve_name(self, parts: tuple[str, ...]) -> tuple[Any, tuple[str, ...]]:
        length = 3 if parts[0] == "data" else 2
        key = parts[:length]
        if key not in self.values_by_name:
            if key in self.busy:
                raise UnknownValue(f"{'.'.join(key)} depends on itself")
            self.busy.add(key)
            try:
                self.values_by_name[key] = self.evaluate_definition(key)
            except (UnknownValue, EvaluationFailed) as e:
                self.values_by_name[key] = e
            finally:
                self.busy.discard(key)
        value = self.values_by_name[key]
        if isinstance(value, (UnknownValue, EvaluationFailed)):
            raise value
        return value, parts[length:]

    def evaluate_definition(self, key: tuple[str, ...]) -> Any:
        match key:
            case ("var", label):
                return self.variable_value(label)
            case ("path", "module"):
                return HERE
            case ("local", label) if label in self.emission.blocks.locals:
                return HclEvaluation(self, {}).evaluate(self.emission.blocks.locals[label].value)
            case ("module", label) if label in self.calls:
                block = self.calls[label]
                return combine_instances(
                    {
                        instance_key: ModuleInstance(self, block, instance_key)
                        for instance_key in self.instance_keys(block)
                    },
                    block,
                )
            case _ if key in self.blocks or key in self.data:
                block = self.blocks[key] if key in self.blocks else self.data[key]
                return combine_instances(
                    {
                        instance_key: BlockInstance(self, block, instance_key)
                        for instance_key in self.instance_keys(block)
                    },
                    block,
                )
        raise UnknownValue(".".join(key))

    def variable_value(self, label: str) -> Any:
        if self.arguments is not None and label in self.arguments:
            value = self.arguments[label]()
            if value is not None:
                return self.convert_to_variable_type(label, value)
        name = self.parameter_of_variable(label)
        if not name:
            return self.synthetic_variable_value(label)
        value = self.parameter_value(name, label)
        if isinstance(value, bool) and self.emission.unit.template.parameters[name].type == "number":
            value = int(value)  # as it is written (HOT305)
        return self.convert_to_variable_type(label, value)

    def parameter_of_variable(self, label: str) -> str:
        """The parameter that became a variable; empty if the variable comes from no parameter."""
        return self.emission.symbols.parameters_by_variable.get(label, "")

    @functools.cached_property
    def synthetic_variables(self) -> dict[str, Block]:
        """The variables without a parameter, by label."""
        return {block.labels[0]: block for block in self.emission.variables.blocks.values()}

    def convert_to_variable_type(self, label: str, value: Any) -> Any:
        """The value of a variable after its type constraint has converted it."""
        name = self.parameter_of_variable(label)
        shape, param = self.emission.unit.parameter_shapes.get(name), self.emission.unit.template.parameters.get(name)
        if shape is not None:
            return convert_to_shape(shape, value)
        return value if param is None else convert_value(TYPES[param.type], value)

    def parameter_value(self, name: str, label: str) -> Any:
        """The value of a parameter that no argument sets: the one from an environment, or the default."""
        unit = self.emission.unit
        param = unit.template.parameters[name]
        if self.arguments is None and name in unit.stack.bindings:
            return unit.stack.bindings[name].value
        if not param.default_data:
            raise UnknownValue(f"the variable {label}, which has no value")
        try:
            return parameters.convert_value(param.type, param.default_data[0])
        except ValueError:
            raise UnknownValue(f"the variable {label}") from None

    def synthetic_variable_value(self, label: str) -> Any:
        """A variable without a parameter: the stack's name, or one with a default."""
        blocks = self.emission.variables.blocks
        stack_name = self.emission.unit.running.stack_name if self.called is None else ""
        if stack_name and STACK_NAME in blocks and blocks[STACK_NAME].labels[0] == label:
            return stack_name
        if values := self.emission.unit.environment_values:
            key = next((key for key, block in blocks.items() if block.labels[0] == label), "")
            if key in values:
                return values[key]
        block = self.synthetic_variables.get(label)
        default = block.find_argument("default") if block is not None else None
        if default is None:
            raise UnknownValue(f"the variable {label}, which has no value")
        return HclEvaluation(self, {}).evaluate(default.value)

    def output_value(self, label: str) -> Any:
        return compute_once(self.outputs_by_label, label, self.compute_output)

    def compute_output(self, label: str) -> Any:
        block = self.outputs.get(label)
        argument = block.find_argument("value") if block is not None else None
        if argument is None:
            raise UnknownValue(f"the output {label}")
        return HclEvaluation(self, {}).evaluate(argument.value)

    def instance_keys(self, block: Block) -> Sequence[Key]:
        """The keys of the instances of a block, computed once. Raises UnknownValue or EvaluationFailed."""
        if id(block) not in self.keys_by_block:
            self.keys_by_block[id(block)] = block, self.compute_instance_keys(block)
        return self.keys_by_block[id(block)][1]

    def compute_instance_keys(self, block: Block) -> Sequence[Key]:
        repetition = block.repetition
        if repetition is None:
            return [None]
        if repetition.name == "for_each":
            return sorted(map(str, self.evaluate_collection(block)))
        evaluated = convert_to_number(HclEvaluation(self, {}).evaluate(repetition.value))
        if int(evaluated) != evaluated:
            raise EvaluationFailed("count is no whole number")
        spend_budget("members", max(int(evaluated), 0), self.emission.unit.template.source, Span(max(block.at, 0)))
        return list(range(int(evaluated)))

    def evaluate_collection(self, block: Block) -> Any:
        """The value of `for_each`, computed once for all instances. Raises UnknownValue or EvaluationFailed."""
        if id(block) not in self.collections_by_block:
            each = block.find_argument("for_each")
            assert each is not None
            collection = HclEvaluation(self, {}).evaluate(each.value)
            if not isinstance(collection, (dict, list)):
                raise EvaluationFailed("for_each is null" if collection is None else "for_each is no map or set")
            if isinstance(collection, list) and not all(isinstance(item, str) for item in collection):
                raise EvaluationFailed("for_each is a set with items that are no texts")
            self.collections_by_block[id(block)] = block, collection
        return self.collections_by_block[id(block)][1]

    # going through

    def walk_instances(self) -> Iterator[BlockInstance]:
        """All instances of resources in this directory and in the modules that it calls.

        Raises UnknownValue or EvaluationFailed.
        """
        for block in self.blocks.values():
            for key in self.instance_keys(block):
                yield BlockInstance(self, block, key)
        for block in self.calls.values():
            for key in self.instance_keys(block):
                yield from ModuleInstance(self, block, key).module_directory.walk_instances()


@final
class ModuleInstance:
    """An instance of a module."""

    def __init__(self, caller: DirectoryInstance, block: Block, key: Key) -> None:
        self.caller, self.block, self.key = caller, block, key

    @property
    def module_directory(self) -> DirectoryInstance:
        here, children = (id(self.block), self.key), self.caller.children
        if here not in children:
            children[here] = self.caller.plan.make_directory(self)
        return children[here]

    def attribute_of(self, name: str) -> Any:
        return self.module_directory.output_value(name)


@final
class InstancePlan:
    """All instances of a conversion.

    identify: a function for the attributes that are not arguments, such as `id`; it gets the instance and the name of
    the attribute. variables: the values of variables, by label, instead of those from environments. encode_json: the
    function `jsonencode`.
    """

    def __init__(
        self,
        root: Attempt,
        modules: Mapping[str, Attempt],
        identify: Callable[[BlockInstance, str], Any],
        variables: Mapping[str, Callable[[], Any]] | None = None,
        encode_json: Callable[[Any], str] = call_jsonencode,
    ) -> None:
        self.modules, self.identify, self.encode_json = modules, identify, encode_json
        self.root = DirectoryInstance(self, root, variables)

    def make_directory(self, called: ModuleInstance) -> DirectoryInstance:
        """The directory of a module instance."""
        caller, block, key = called.caller, called.block, called.key
        module = caller.emission.modules[block.labels[0]]
        within = bind_instance_key(block, caller, key)

        def defer_evaluation(expr: Expr) -> Callable[[], Any]:
            return lambda: HclEvaluation(caller, within).evaluate(expr)

        arguments = {item.name: defer_evaluation(item.value) for item in block.body if isinstance(item, Argument)}
        path = add_key(caller.address_inside("module", block.labels[0]), key)
        return DirectoryInstance(self, self.modules[module.label], arguments, called, path)


def bind_instance_key(block: Block, directory: DirectoryInstance, key: Key) -> dict[str, Any]:
    """The values of `count` or `each` in an instance of a block."""
    if key is None:
        return {}
    if isinstance(key, int):
        return {"count": {"index": key}}
    collection = directory.evaluate_collection(block)
    return {"each": {"key": key, "value": collection[key] if isinstance(collection, dict) else key}}


def combine_instances(instances: dict[Key, Any], block: Block) -> Any:
    """The value of the address of a block: its instance, or with `count` or `for_each` a collection of instances."""
    repetition = block.repetition
    if repetition is None:
        return instances[None]
    return instances if repetition.name == "for_each" else list(instances.values())


def add_key(address: Expr, key: Key) -> Expr:
    return address if key is None else Index(address, key)

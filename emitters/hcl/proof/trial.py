"""Evaluates one assignment of parameters twice: as Terraform does, and as Heat does.

Invariant: a trial in which Terraform would fail is not asserted; `explain_failure` has the reason. Blocks that the
subject leaves out do not count: no run plans them.
"""

from __future__ import annotations

import functools
import itertools
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, final

from emitters.hcl.attempt import Attempt
from emitters.hcl.evaluation.functions import EvaluationFailed, UnknownValue, to_plain_data
from emitters.hcl.evaluation.instances import BlockInstance, DirectoryInstance, InstancePlan, Key, ModuleInstance
from emitters.hcl.evaluation.values import HclEvaluation, convert_to_boolean
from emitters.hcl.proof.arguments import ArgumentReader
from emitters.hcl.proof.heat import HeatEvaluation
from emitters.hcl.proof.overrides import Overrides
from emitters.hcl.tables.provider import find_refusal
from emitters.hcl.tree.nodes import Argument, Block, Expr
from transpile.evaluate.pure import EvaluationError
from transpile.evaluate.sizes import count_items
from transpile.resolve.stack import Stack
from transpile.schema import parameters
from transpile.stack_evaluation.evaluation import StackEvaluation as OfHeat

STACK = "openstack_orchestration_stack_v1"


@final
class ProofSubject:
    """The subject of a test file: the root, or a module by itself.

    modules: all attempts at modules, by label. above: for a module, its caller and the resource there.
    fixed: the values of variables without a parameter, by label. values: the initial values of parameters, by name.
    """

    def __init__(
        self,
        attempt: Attempt,
        stack: Stack,
        modules: Mapping[str, Attempt],
        overrides: Overrides,
        fixed: Mapping[str, Any],
        values: Mapping[str, Any],
        above: tuple[HeatEvaluation, OfHeat, str] | None = None,
    ) -> None:
        self.attempt, self.stack, self.modules, self.overrides = attempt, stack, modules, overrides
        self.fixed, self.values, self.above = fixed, values, above
        self.left_out: dict[str, str] = {}  # blocks of the root that no run plans, by address, and why
        self.emission, self.module = attempt.emission, attempt.emission.unit.module
        report = self.emission.log.report.parameters
        self.declared = {about["variable"] for about in report.values() if "variable" in about}
        self.declared |= {block.labels[0] for block in self.emission.variables.blocks.values()}

    def copy_with(self, overrides: Overrides, values: Mapping[str, Any]) -> ProofSubject:
        """The same subject with other stand-ins and values."""
        return ProofSubject(self.attempt, self.stack, self.modules, overrides, self.fixed, values, self.above)


@final
class EvaluatedDirectory:
    """A directory of the output with Heat's evaluation of its stack."""

    __slots__ = ("addresses_by_block", "directory", "evaluation", "readers", "subject")

    def __init__(self, subject: ProofSubject, directory: DirectoryInstance, evaluation: OfHeat) -> None:
        self.subject, self.directory, self.evaluation = subject, directory, evaluation
        self.readers: dict[tuple[int, Key], ArgumentReader] = {}  # by id() of the block
        self.addresses_by_block: dict[int, set[str]] = {}

    def argument_reader(self, block: Block, key: Key) -> ArgumentReader:
        """The reader of the arguments of an instance."""
        place = id(block), key
        if (reader := self.readers.get(place)) is None:
            reader = self.readers[place] = ArgumentReader(BlockInstance(self.directory, block, key))
        return reader

    def pay_for_comparison(self, value: Any) -> None:
        """Pays for the comparison of a value: each of its items is looked at several times. Raises LimitExceeded."""
        if isinstance(value, (dict, list)):
            self.directory.pay_steps(count_items(value))

    def addresses_in(self, block: Block) -> set[str]:
        """The addresses that a block refers to, directly or through locals and data sources. They cost steps."""
        if id(block) not in self.addresses_by_block:
            addresses = self.directory.find_addresses([block])
            self.directory.pay_steps(1 + len(addresses))
            self.addresses_by_block[id(block)] = addresses
        return self.addresses_by_block[id(block)]

    def refers_to_resource(self, block: Block) -> bool:
        """Whether a block refers to a resource or module, directly or through locals and data sources."""
        kinds = {address.partition(".")[0] for address in self.addresses_in(block)}
        return bool(kinds - {"var", "local", "data"})

    def reads_heat_stack(self, block: Block) -> bool:
        """Whether a block reads outputs of an embedded Heat stack. In a test, such a stack has no outputs."""
        return any(address.startswith(f"{STACK}.") for address in self.addresses_in(block))


@final
class ProofTrial:
    """A subject under an assignment. values: of parameters, as Heat converts them. planned: before resources exist.
    yaql: whether Heat's side computes YAQL.
    """

    def __init__(self, subject: ProofSubject, values: Mapping[str, Any], *, planned: bool, yaql: bool = True) -> None:
        self.subject, self.values, self.planned = subject, values, planned
        names = subject.emission.names.variables
        numbers = {name for name, param in subject.stack.template.parameters.items() if param.type == "number"}
        variable_values = {
            **subject.fixed,
            # a number that is true is written as 1 (HOT305)
            **{names[k]: int(v) if k in numbers and isinstance(v, bool) else v for k, v in values.items()},
        }
        self.variable_values = {label: value for label, value in variable_values.items() if label in subject.declared}
        self.plan = self.make_plan(subject.overrides.planned_stand_in if planned else subject.overrides.stand_in_for)
        complete_plan = (
            self.make_plan(subject.overrides.stand_in_for) if planned else self.plan
        )  # Heat's side has a value for every reference, even during a plan
        name = str(subject.fixed.get("stack_name", "stack"))
        self.addresses_by_block: dict[int, set[str]] = {}
        self.heat = HeatEvaluation(subject.stack, complete_plan.root, dict(values), subject.above, name, yaql=yaql)

    def make_plan(self, identify: Callable[[BlockInstance, str], Any]) -> InstancePlan:
        variables = {
            label: functools.partial(lambda constant: constant, value) for label, value in self.variable_values.items()
        }
        return InstancePlan(self.subject.attempt, self.subject.modules, identify, variables)

    @property
    def root_directory(self) -> DirectoryInstance:
        return self.plan.root

    @property
    def root(self) -> EvaluatedDirectory:
        return EvaluatedDirectory(self.subject, self.plan.root, self.heat.evaluation)

    def explain_failure(self) -> str:
        """Why Terraform, the provider's own checks or Heat would refuse these values; empty if no reason is known."""
        root = self.root_directory
        for address, block in root_blocks(root).items():
            if address not in self.subject.left_out and (why := self.explain_block_failure(block)):
                return why
        return self.explain_directory_failure(root) or self.explain_heat_refusal()

    def find_failing_blocks(self) -> dict[str, str]:
        """The blocks that Terraform or the provider would refuse, and those that depend on them, by address.

        Each comes with the reason.
        """
        blocks = root_blocks(self.root_directory)
        failing = {address: why for address, block in blocks.items() if (why := self.explain_block_failure(block))}
        for address, block in blocks.items() if failing else ():
            broken = sorted(failing.keys() & self.addresses_in([block]))
            if address not in failing and broken:
                failing[address] = f"{address}, which depends on {broken[0]}"
        return failing

    def addresses_in(self, blocks: list[Block | Argument]) -> set[str]:
        """The addresses that blocks depend on, directly or indirectly. An output of a module counts as the module."""
        addresses = self.root_directory.find_addresses(blocks)
        self.root_directory.pay_steps(1 + len(addresses))
        return {".".join(a.split(".")[:2]) if a.startswith("module.") else a for a in addresses}

    def addresses_in_block(self, block: Block) -> set[str]:
        if id(block) not in self.addresses_by_block:
            self.addresses_by_block[id(block)] = self.addresses_in([block])
        return self.addresses_by_block[id(block)]

    def explain_block_failure(self, block: Block) -> str:
        """Why a block of the root, or something inside the module that it calls, would be refused; else empty."""
        root = self.root_directory
        try:
            keys = root.instance_keys(block)
            if block.type != "module":
                return self.explain_refused_instances(BlockInstance(root, block, key) for key in keys)
            for key in keys:
                for directory in walk_directories(ModuleInstance(root, block, key).module_directory):
                    instances = [*directory.walk_instances(), *self.data_instances(directory)]
                    if why := self.explain_refused_instances(instances) or self.explain_directory_failure(directory):
                        return why
        except UnknownValue as e:
            return f"{block.labels[-1]}: its values in Terraform are not known: {e}"
        except EvaluationFailed as e:
            return f"{block.labels[-1]}: Terraform fails: {e}"
        return ""

    def explain_refused_instances(self, instances: Iterable[BlockInstance]) -> str:
        """Why an argument of one of these is refused; empty if none is. Raises UnknownValue or EvaluationFailed."""
        for instance in instances:
            for path, argument in walk_arguments(instance.block.body):
                if why := self.explain_refused_argument(instance, path, argument):
                    return f"{instance.address_text}: {why}"
        return ""

    def explain_directory_failure(self, directory: DirectoryInstance) -> str:
        """Why a directory refuses the values of its variables, or cannot compute a local or an output."""
        if why := explain_violation(directory) or explain_failed_assertion(directory):
            return why
        owners: list[Block | Argument] = [*directory.outputs.values(), *directory.emission.blocks.locals.values()]
        left_out = {*self.subject.left_out} if directory is self.root_directory else set()
        for owner in owners:
            if left_out and left_out & self.addresses_in([owner]):
                continue  # Terraform computes nothing that depends on parts that it does not plan
            value = owner.find_argument("value") if isinstance(owner, Block) else owner
            try:
                if value is not None:
                    try_evaluation(directory, value.value)
            except EvaluationFailed as e:
                return f"Terraform fails: {e}"
        return ""

    def data_instances(self, directory: DirectoryInstance) -> Iterator[BlockInstance]:
        for block in directory.data.values():
            for key in directory.instance_keys(block):
                yield BlockInstance(directory, block, key)

    def explain_refused_argument(self, instance: BlockInstance, path: str, argument: Argument) -> str:
        """Why an argument's value is refused; empty if it is not. Raises EvaluationFailed."""
        try:
            value = HclEvaluation(instance.directory, instance.bound).evaluate(argument.value)
        except UnknownValue:
            return ""
        kind = ("data." if instance.block.type == "data" else "") + instance.block.labels[0]
        facts = self.subject.overrides.providers.find_argument(kind, path)
        if value is None and facts.get("required"):
            return f"{path} is null"
        if value is None or isinstance(value, (list, dict)):
            return ""
        if facts.get("type") == "number" and isinstance(value, str):
            try:
                value = float(value)
            except ValueError:
                return f"{path} must be a number"
        if facts.get("type") == "bool" and value in ("true", "false"):
            value = value == "true"
        if facts.get("type") == "string" and isinstance(value, (bool, int, float)):
            value = str(value)
        why = find_refusal(facts, value)
        return f"{path}: {why}" if why else ""

    def explain_heat_refusal(self) -> str:
        name, why = self.find_heat_refusal()
        return f"Heat refuses it: {f'{name}: ' if name else ''}{why}" if why else ""

    def find_refused_resource(self) -> str:
        """The name of the resource that Heat refuses with these values; empty if it refuses none."""
        return self.find_heat_refusal()[0]

    def find_heat_refusal(self) -> tuple[str, str]:
        """The resource that Heat refuses with these values, and why; both empty if it refuses none."""
        evaluation, name = self.heat.evaluation, ""
        try:
            for name in evaluation.resource_names:
                evaluation.evaluate_properties(name)
        except EvaluationError as e:
            return name, str(e)
        return "", ""


def root_blocks(directory: DirectoryInstance) -> dict[str, Block]:
    """The data sources, resources and module calls of a directory, by address."""
    calls = {("module", label): block for label, block in directory.calls.items()}
    return {".".join(names): block for names, block in (directory.data | directory.blocks | calls).items()}


def walk_directories(root: DirectoryInstance) -> Iterator[DirectoryInstance]:
    """A directory, and all directories that it calls. Raises UnknownValue or EvaluationFailed."""
    yield root
    for block in root.calls.values():
        for key in root.instance_keys(block):
            yield from walk_directories(ModuleInstance(root, block, key).module_directory)


def explain_violation(directory: DirectoryInstance) -> str:
    """Why Heat and the variables of a directory refuse a value; empty if they do not, or it is not known."""
    names = directory.emission.names.variables
    template = directory.emission.unit.template
    for name, param in template.parameters.items():
        try:
            value = to_plain_data(directory.variable_value(names[name]))
        except (UnknownValue, EvaluationFailed):
            continue
        if value is not None and (why := parameters.check_constraints(param, value, budget=template.source.budget)):
            return f"{names[name]}: {why}"
    return ""


def explain_failed_assertion(directory: DirectoryInstance) -> str:
    """Why a directory's own assertions refuse the values: a `check` block, or a validation that the emitter added to a
    variable; empty if none does.
    """
    emission = directory.emission
    inner = itertools.chain.from_iterable(emission.variables.restricted.values())
    checks = (item for item in emission.blocks.main if isinstance(item, Block) and item.type == "check")
    asserts = (item for check in checks for item in check.body if isinstance(item, Block) and item.type == "assert")
    for block in itertools.chain(inner, asserts):
        condition, message = block.find_argument("condition"), block.find_argument("error_message")
        if condition is None:
            continue
        try:
            holds = convert_to_boolean(HclEvaluation(directory, {}).evaluate(condition.value))
        except UnknownValue:
            continue
        except EvaluationFailed as e:
            return f"Terraform fails: {e}"
        if not holds:
            return str(message.value if message is not None else block.type)
    return ""


def try_evaluation(directory: DirectoryInstance, expr: Expr) -> None:
    """Computes an expression whose value may be unknown. Raises EvaluationFailed."""
    try:
        HclEvaluation(directory, {}).evaluate(expr)
    except UnknownValue:
        return


def walk_arguments(body: list[Any], prefix: str = "") -> Iterator[tuple[str, Argument]]:
    """All arguments of a block, with paths; `count` and arguments of `lifecycle` or dynamic blocks are omitted."""
    for item in body:
        if type(item) is Argument and item.name not in ("count", "for_each", "depends_on"):
            yield prefix + item.name, item
        elif type(item) is Block and item.type not in ("lifecycle", "dynamic", "provisioner", "connection"):
            yield from walk_arguments(item.body, f"{prefix}{item.type}.")

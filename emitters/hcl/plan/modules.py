"""The modules of a conversion: one for each pair of nested template and registry.

Invariant: a module is written once for all its calls. Facts about its parameters must hold for every call, and an
attribute that one call reads becomes an output for all.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from collections.abc import Set as AbstractSet
from typing import Any, final

from emitters.hcl.errors import CannotSay
from emitters.hcl.namespace import UniqueNames, snake_case
from emitters.hcl.plan.ids import IdVariable
from emitters.hcl.plan.open_forms import BOTH
from emitters.hcl.plan.secret_values import SecretValues
from emitters.hcl.running import RunningDirectory
from emitters.hcl.tables.provider_versions import ProviderVersion
from emitters.hcl.tables.tables import Tables
from emitters.hcl.tree.nodes import Block
from emitters.hcl.tree.types import TypedValue
from transpile.model import ir
from transpile.model.attribute_paths import TEMPLATE, GroupMember, parse_attribute_path, path_inside
from transpile.model.lazy_patterns import compile_lazily
from transpile.model.records import EMPTY, entity, field, node, replace
from transpile.report import StackReport
from transpile.resolve.flow_nodes import CallSite
from transpile.resolve.groups import INSIDE
from transpile.resolve.registry import ResourceRegistry
from transpile.resolve.stack import NestedStack, Stack
from transpile.resolve.value_flow import ValueFlow, call_arguments

ENDING = compile_lazily(r"(\.j2)?\.[a-z0-9]+$", re.IGNORECASE)


@final
@node
class ModuleInterface:
    """The interface of a written module to its callers.

    variables: the name of the variable for each parameter. synthetic: variables without a parameter, by key. region:
    the variable for the region; empty if there is none. outputs: the values of the template's outputs, by name.
    output_labels: the names of their blocks. uncertain_outputs: those that are null if a resource does not exist.
    sensitive: labels of outputs with secrets. report: the report on the module's template.
    """

    variables: Mapping[str, str]
    synthetic: Mapping[str, Block]
    region: str
    outputs: Mapping[str, TypedValue]
    output_labels: Mapping[str, str]
    uncertain_outputs: AbstractSet[str]
    sensitive: AbstractSet[str]
    report: StackReport


@final
@entity
class TerraformModule:
    """A directory: the root, or one below `modules/`.

    label: unique. name: that of the directory, known when the module is complete: equal modules share one. extra:
    outputs that are not in the template, by resource and path. secret: parameters that receive secrets. left_out:
    outputs that nobody reads and only Heat can compute, with the reason: they are not written.
    interface: None until the module is written, or if it cannot be. The root module has no label: nothing calls it.
    """

    label: str
    file: str
    stack: Stack
    name: str = ""
    calls: list[CallSite] = field(default_factory=list)
    extra_outputs: dict[tuple[str, tuple[ir.Expr, ...]], str] = field(default_factory=dict)
    secret: set[str] = field(default_factory=set)
    id_parameters: dict[str, IdVariable] = field(default_factory=dict)  # parameters that hold IDs in place of names
    name_parameters: dict[str, IdVariable] = field(default_factory=dict)  # parameters that hold names in place of IDs
    id_variables: dict[str, IdVariable] = field(default_factory=dict)  # further variables for IDs
    presence_variables: dict[str, str] = field(default_factory=dict)  # presence.py: parameters, and variables for them
    regional: bool = False  # a caller may set its region
    # resources that stay with Heat because the ID of a stored text is also used elsewhere, each with its partner: the
    # parameter or resource that gives the ID
    text_partners: dict[str, str] = field(default_factory=dict)
    text_params: set[str] = field(default_factory=set)  # parameters that hold a stored text in place of its ID
    text_outputs: set[str] = field(default_factory=set)  # outputs that hold a stored text in place of its ID
    null: set[str] = field(default_factory=set)  # variables that a call may set to null
    unused: set[str] = field(default_factory=set)  # variables that are not written: nothing uses them
    providers: set[str] = field(default_factory=set)  # those that it needs, and those that its own modules need
    lowest_versions: dict[str, ProviderVersion] = field(default_factory=dict)  # of these providers, where it is known
    left_out: dict[str, CannotSay] = field(default_factory=dict)
    interface: ModuleInterface | None = None
    why: str = ""  # why it cannot be a module

    @property
    def is_root(self) -> bool:
        return not self.label

    @property
    def folder(self) -> str:
        """The directory; empty for the root."""
        return "" if self.is_root else f"modules/{self.name}"

    def place_file(self, name: str) -> str:
        """The path of a file of the module in the output."""
        return name if self.is_root else f"{self.folder}/{name}"

    @property
    def stem(self) -> str:
        """The name of the directory, unless another module has it."""
        return snake_case(ENDING.sub("", self.file.rpartition("/")[2])) or "module"

    def has_resource(self, name: str) -> bool:
        """Whether the module's template has a resource of this name."""
        return name in self.stack.template.resources


@final
@node
class ModuleRules:
    """The user's choices for all modules. snake_names: names in snake case. open_forms: how a value is taken that may
    be a name or an ID: a choice of open_forms.py. by_references: a resource that refers to a part of a nested stack
    does not wait for all of the stack. shares_root: several environments share the root.
    """

    snake_names: bool = False
    open_forms: str = BOTH
    by_references: bool = False
    shares_root: bool = False


@final
class Modules:
    """All modules of a root template, each after those that it calls. environment_defaults: if several environments
    share the root, the values of this one for nested templates, by the key of the variable. find_running: finds the
    running resources of a template.
    """

    def __init__(
        self,
        root: Stack,
        tables: Tables,
        rules: ModuleRules,
        environment_defaults: dict[str, Any],
        find_running: Callable[[Stack], RunningDirectory],
    ) -> None:
        self.root, self.tables, self.rules = TerraformModule("", "", root), tables, rules
        self.environment_defaults, self.find_running = environment_defaults, find_running
        self.flows: list[ValueFlow] = []
        self.modules: dict[tuple[str, int], TerraformModule] = {}
        self.order: list[TerraformModule] = []
        self.of_text: dict[tuple[int, int], TerraformModule] = {}  # by id() of source and registry, which stay alive
        self.names = UniqueNames()
        self.registries: list[ResourceRegistry] = []  # kept alive, because their id() is used as a key
        self.looked_up: set[tuple[int, int]] = set()  # by id() of the source: offsets of names that became references
        # further arguments of calls, by id() of source and registry, and resource; by module and variable
        self.passed: dict[tuple[int, int, str], dict[tuple[str, str], ir.Expr]] = {}
        self.add_modules(root)

    def add_modules(self, stack: Stack) -> None:
        """Adds the modules that a stack calls, and then the stack's calls of them. A module comes after its callees."""
        attributes = attribute_references(stack) if stack.nested else {}
        for (name, written), nested in stack.nested.items():
            key = nested.file, id(nested.stack.registry)
            if key not in self.modules:
                self.registries.append(nested.stack.registry)
                module = self.modules[key] = TerraformModule("", nested.file, nested.stack)
                module.label = self.names.reserve_name(module.stem)
                self.of_text[id(nested.stack.template.source), id(nested.stack.registry)] = module
                self.add_modules(nested.stack)
                self.order.append(module)
            module = self.modules[key]
            resource = stack.template.resources[name]
            module.calls.append(CallSite(stack, resource, call_arguments(resource, written), written))
            if written == INSIDE:
                module.regional |= region_of(resource) is not None
                continue  # an OS::Heat::Stack exposes only its outputs
            for ref in attributes.get(name, ()):
                grouped = written != resource.type
                self.request_output(module, path_inside(stack.types[name], ref.path) if grouped else ref.path)

    def value_flow_of(self, stack: Stack) -> ValueFlow:
        """The value flow of a stack, with the values that its callers pass and with nested stacks. All share one,
        except stacks with readers.
        """
        for flow in self.flows:
            if any(other is stack for other in flow.stacks):
                return flow
        flow = ValueFlow(stack, [self.root.stack, *(module.stack for module in self.order)])
        for module in self.order if self.passed else ():
            for call in flow.calls[flow.number_of(module.stack)]:
                key = id(call.stack.template.source), id(call.stack.registry), call.resource.name
                passed = self.passed.get(key, EMPTY)
                call.arguments.update({name: value for (label, name), value in passed.items() if label == module.label})
        self.flows.append(flow)
        return flow

    def module_of_nested(self, nested: NestedStack) -> TerraformModule:
        """The module for a nested template."""
        return self.modules[nested.file, id(nested.stack.registry)]

    def request_output(self, module: TerraformModule, path: tuple[ir.Expr, ...]) -> None:
        """Adds an output to a module for a path that leads to a resource inside it: `[resource.port, fixed_ips]`
        becomes the output `port_fixed_ips`, in modules nested deeper too.
        """
        match parse_attribute_path(TEMPLATE, path):
            case GroupMember(name, inner) if module.has_resource(name) and (name, inner) not in module.extra_outputs:
                below = module.stack.nested.get((name, module.stack.template.resources[name].type))
                if below is not None and inner:
                    self.request_output(self.module_of_nested(below), inner)
                taken = set(module.stack.template.outputs) | set(module.extra_outputs.values())
                module.extra_outputs[name, inner] = UniqueNames(taken).reserve_name(label_of_extra_output(name, inner))

    def replace_stacks(self, new: Callable[[Stack], Stack]) -> None:
        """Replaces the root and the stacks of all modules, in the calls as well."""
        self.flows.clear()
        for module in self.modules.values():
            module.stack = new(module.stack)
            calls = []
            for call in module.calls:
                stack = new(call.stack)
                resource = stack.template.resources[call.resource.name]
                calls.append(CallSite(stack, resource, call_arguments(resource, call.written), call.written))
            module.calls = calls
        self.root.stack = new(self.root.stack)

    def finish_modules(self) -> None:
        """Finishes the modules when all calls are known: adds extra outputs and propagates secrets."""
        for module in self.order:
            template = module.stack.template
            if module.extra_outputs:
                outputs = dict(template.outputs)
                for (name, path), label in module.extra_outputs.items():
                    value = ir.AttrRef(name, path) if path else ir.ResourceRef(name)
                    outputs[label] = ir.Output(label, value, refs=(value,))
                module.stack = replace(module.stack, template=replace(template, outputs=outputs))
        self.flows.clear()
        for module in reversed(self.order):
            for nested in module.stack.nested.values():
                self.module_of_nested(nested).regional |= module.regional
        stacks = [self.root.stack, *(module.stack for module in self.order)]
        if self.order and any(param.hidden for stack in stacks for param in stack.template.parameters.values()):
            flow = self.value_flow_of(self.root.stack)
            secrets = SecretValues(flow)
            for module in self.order:
                nodes = [flow.parameter(module.stack, name) for name in module.stack.template.parameters]
                module.secret = {node.name for node in nodes if secrets.has_hidden_value(node)}

    def module_of_stack(self, stack: Stack) -> TerraformModule:
        """The module for a stack."""
        return self.of_text.get((id(stack.template.source), id(stack.registry)), self.root)


def region_of(resource: ir.Resource) -> ir.Expr | None:
    """The region of an OS::Heat::Stack; None for the provider's default."""
    context = resource.find_property("context")
    region = context.get("region_name") if isinstance(context, ir.Map) else None
    return region if region != ir.NULL else None


def attribute_references(stack: Stack) -> dict[str, list[ir.AttrRef]]:
    """All attribute references of a stack, by the resource that they read."""
    references: dict[str, list[ir.AttrRef]] = {}
    owners: list[ir.Resource | ir.Output] = [*stack.template.resources.values(), *stack.template.outputs.values()]
    for owner in owners:
        for ref in owner.refs:
            if isinstance(ref, ir.AttrRef):
                references.setdefault(ref.name, []).append(ref)
    return references


def label_of_extra_output(name: str, path: tuple[ir.Expr, ...]) -> str:
    """A label for an output with an attribute of a resource, or with its ID; the resource may be nested deeper."""
    while isinstance(member := parse_attribute_path(TEMPLATE, path), GroupMember):
        name, path = f"{name}_{member.name}", member.path
    words = [str(p.value) for p in path if isinstance(p, ir.Lit)]
    return "_".join([name, *words]) if words else f"{name}_id"

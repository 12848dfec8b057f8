"""The symbols of a template that are not resources: parameters, pseudo parameters, and folded resources."""

from __future__ import annotations

import functools
from typing import Any, final

from emitters.hcl import namespace
from emitters.hcl.blocks import DirectoryBlocks
from emitters.hcl.errors import CannotSay
from emitters.hcl.log import EmissionLog
from emitters.hcl.namespace import Namespace
from emitters.hcl.running import ID, NAME, PHYSICAL_NAMES
from emitters.hcl.shared_data import SharedData
from emitters.hcl.synthetic_variables import NO_DEFAULT, SyntheticVariables
from emitters.hcl.tables.mapping import ArgumentRule
from emitters.hcl.tree.nodes import (
    Block,
    Expr,
    Fn,
    Index,
    Object,
    StringTemplate,
    Traversal,
    expression_from_data,
    walk_expression,
)
from emitters.hcl.tree.types import ANY, BOOL, JSON, NUMBER, STRING, STRINGS, HclType, TypedValue
from emitters.hcl.unit import Unit
from transpile.diagnostics import codes
from transpile.diagnostics.model import Diagnostic
from transpile.model import ir
from transpile.model.intrinsics import REGION
from transpile.resolve.environments import Binding

TYPES = {"string": STRING, "number": NUMBER, "boolean": BOOL, "comma_delimited_list": STRINGS, "json": JSON}
SHARED_DEFAULT = "shared default "  # the prefix of keys of variables for environments' values in nested templates
STACK_NAME = "stack_name"  # the key of the variable for the name of the stack
HIDDEN = "hidden "  # the prefix of keys of variables for hidden parameters of nested templates
PHYSICAL = {NAME: "names", ID: "ids"}  # answers about the members of a running group: their names or IDs
# the type argument of a variable, by the type of the parameter
KINDS: dict[str, Expr] = {
    "string": Traversal(("string",)),
    "number": Traversal(("number",)),
    "boolean": Traversal(("bool",)),
    "comma_delimited_list": Fn("list", (Traversal(("string",)),)),
    "json": Traversal(("any",)),
}


@final
class Symbols:
    """Resolves parameters and pseudo parameters to variables and data sources. `folded`: the values of resources that
    became plain expressions.
    """

    def __init__(
        self,
        unit: Unit,
        log: EmissionLog,
        names: Namespace,
        blocks: DirectoryBlocks,
        variables: SyntheticVariables,
        shared: SharedData,
    ) -> None:
        self.unit, self.log, self.names = unit, log, names
        self.blocks, self.variables, self.shared = blocks, variables, shared
        self.folded: dict[str, tuple[Expr, HclType]] = {}
        self.stack_id_label = ""  # of the random_uuid that stands for the ID of the stack, once something needs it

    # parameters

    @functools.cached_property
    def parameters_by_variable(self) -> dict[str, str]:
        """The names of the parameters, by the labels of their variables."""
        return {label: name for name, label in self.names.variables.items()}

    @functools.cached_property
    def variable_types(self) -> dict[str, HclType]:
        """The types of the parameters, by the labels of their variables."""
        parameters = self.unit.template.parameters
        return {label: TYPES[parameters[name].type] for label, name in self.parameters_by_variable.items()}

    def parameter_of(self, expr: Expr) -> str:
        """The name of the parameter, if an expression is its variable; else empty."""
        if isinstance(expr, Traversal) and expr.parts[0] == "var":
            return self.parameters_by_variable.get(expr.parts[1], "")
        return ""

    def resolve_parameter(self, ref: ir.ParamRef) -> TypedValue:
        """The variable of a parameter, or the value of a pseudo parameter."""
        param = self.unit.template.parameters.get(ref.name)
        if param is not None:
            return TypedValue(Traversal(("var", self.names.variables[ref.name])), TYPES[param.type])
        return self.resolve_pseudo_parameter(ref)

    def resolve_pseudo_parameter(self, ref: ir.ParamRef) -> TypedValue:
        name = ref.name
        if name not in self.unit.template.version.pseudo:
            raise CannotSay(codes.UNKNOWN_PARAMETER, f"there is no parameter {name}", ref)
        if name in ("OS::stack_name", "AWS::StackName"):
            return TypedValue(self.stack_name_variable(), STRING)
        if name == "OS::project_id":
            return TypedValue(Traversal(("data", *self.shared.current_project(), "project_id")), STRING)
        if name == "AWS::Region":
            self.log.report_difference(
                codes.FIXED_AWS_REGION, f"Heat always returns {REGION} here; so does the output.", ref
            )
            return TypedValue(REGION, STRING)
        if name == "AWS::StackId":
            project = Traversal(("data", *self.shared.current_project(), "project_id"))
            parts = ("arn:openstack:heat::", project, ":stacks/", self.stack_name_variable(), "/", self.stack_id(ref))
            return TypedValue(StringTemplate(parts), STRING)
        if name == "OS::stack_id":
            return TypedValue(self.stack_id(ref), STRING)
        raise CannotSay(codes.UUID_AS_STACK_ID, f"only Heat knows {name}", ref)

    def stack_id(self, ref: ir.ParamRef) -> Expr:
        """The stack's ID. A running stack keeps its ID; a new stack gets a random UUID, which native and embedded
        resources share.
        """
        if self.unit.running.exists:
            return self.running_id()
        if not self.stack_id_label:  # an OS::Heat::None called stack_id has a random_uuid, too
            self.stack_id_label = self.names.reserve_label("random_uuid", "stack_id")
            self.blocks.main.append(Block("resource", ("random_uuid", self.stack_id_label)))
        address = ("random_uuid", self.stack_id_label)
        address_of = ".".join(address)
        self.log.add_diagnostic(
            codes.UUID_AS_STACK_ID,
            f"The stack's ID is {address_of}: a program that looks for a Heat stack by this ID finds none.",
            ref,
            once=address,
        )
        self.log.report.parameters[ref.name] = {"why": f"{address_of} replaces it"}
        return Traversal((*address, "result"))

    def running_id(self) -> Expr:
        """The ID of the running stack. A module gets it from its caller."""
        running = self.unit.running
        if not running.by_variable:
            return running.stack_id
        if running.is_root:
            running.record_fact("stack_id", running.stack_id)
            description = "ID of the stack in Heat; null if Heat never had it."
            variable = self.variables.get_variable(
                "stack_id", "stack_id", description, Traversal(("string",)), default=None
            )
            return Fn("coalesce", (variable, Fn("uuidv5", ("url", self.stack_name_variable()))))
        description = "ID of the nested stack that this module was made from."
        return self.variables.get_variable("stack_id", "stack_id", description, Traversal(("string",)))

    def stack_name_variable(self) -> Traversal:
        """The variable for the stack's name."""
        made = STACK_NAME in self.variables
        description = "Name of the stack; prefix of the names that Heat would generate."
        variable = self.variables.get_variable(STACK_NAME, STACK_NAME, description, Traversal(("string",)))
        if not made:
            pseudo = "OS::stack_name" if self.unit.template.version.is_hot else "AWS::StackName"
            self.log.report.parameters[pseudo] = {"variable": variable.parts[1]}
        return variable

    def generated_name(self, name: str, index: Expr | None = None) -> Expr:
        """The name that replaces a name generated by Heat: `<stack>-<name>`. A resource of a running stack keeps the
        name that Heat has generated for it. index: the index of a group member.
        """
        return self.running_answer(name, NAME, index, self.made_name(name, index))

    def generated_stack_id(self, name: str, index: Expr | None) -> Expr:
        """The ID of a nested stack. A member that a running group gets later has none in Heat: its ID is made from the
        name of the member.
        """
        return self.running_answer(name, ID, index, Fn("uuidv5", ("url", self.made_name(name, index))))

    def running_answer(self, name: str, question: object, index: Expr | None, otherwise: Expr) -> Expr:
        """The answer to a question about a resource of the running stack, for example its ID.

        question: NAME, ID, or the questions of a nested module (see `running.py`). index: the index of a group member.
        otherwise: the value if the answer is not known, and for a resource that does not run yet: a member that the
        group gets when its count grows, a resource whose condition does not hold now.
        """
        running, each = self.unit.running, index is not None
        if not running.has_answer(name, question, each=each):
            return otherwise
        answer: Expr
        if running.by_variable:
            answer, is_complete = self.variable_answer(name, question, each=each), not running.may_lack(name)
        else:
            data = running.answer(name, question, each=each)
            if not data:  # an empty group has no names
                return otherwise
            if isinstance(index, str):  # a member of a chain has its name as its index
                return expression_from_data(data[int(index)] if isinstance(data, list) else data[index])
            label = f"{namespace.snake_case(name)}_physical_{PHYSICAL.get(str(question), 'names_inside')}"
            answer, is_complete = expression_from_data(data), True
            if each:
                answer = self.blocks.share_local(label, answer)
        if index is not None:
            answer, is_complete = Index(answer, index), False
        return answer if is_complete else Fn("try", (answer, otherwise))

    def variable_answer(self, name: str, question: object, *, each: bool) -> Expr:
        """The answer to a question from the variable that has all answers for a directory."""
        word = self.unit.running.ask_caller(name, question, each=each)
        description = "The names that Heat gave to the resources of the nested stack that this module was made from."
        default: Any = NO_DEFAULT
        if self.unit.running.is_root:
            description, default = (
                "The names that Heat gave to the resources; nothing for those that Heat never had.",
                Object(()),
            )
        variable = self.variables.get_variable(
            PHYSICAL_NAMES, PHYSICAL_NAMES, description, Traversal(("any",)), default=default
        )
        return Index(variable, word)

    def made_name(self, name: str, index: Expr | None = None) -> StringTemplate:
        """`<stack>-<name>`: the form of the names that Heat generates, without their random end."""
        return StringTemplate((self.stack_name_variable(), f"-{name}", *(("-", index) if index is not None else ())))

    def region_variable(self) -> Traversal | None:
        """The variable for the module's region; None if no call of the module sets one."""
        if not self.unit.module.regional:
            return None
        description = "Region for these resources; null for the provider's default."
        return self.variables.get_variable("region", "region", description, Traversal(("string",)), default=None)

    def facade_variable(self, key: str) -> TypedValue:
        """The variable for a key of the resource that this template implements (`resource_facade`)."""
        policy = key == "deletion_policy"
        variable = self.variables.get_variable(
            f"facade_{key}",
            f"facade_{key}",
            f"{key.replace('_', ' ').capitalize()} of the resource that this module implements.",
            Traversal(("string" if policy else "any",)),
            default="Delete" if policy else Object(()),
        )
        return TypedValue(variable, STRING if policy else ANY)

    def hidden_default_variable(self, param: ir.Param, binding: Binding) -> Traversal:
        """A variable for a nested template's hidden parameter that an environment sets: secrets are never written. All
        templates get the same entry, so it is one variable.
        """
        key = hidden_default_key(param)
        made = key in self.variables
        description = f"Value of {param.name} for nested templates."
        variable = self.variables.get_variable(
            key, namespace.variable_name(param.name), description, KINDS[param.type], sensitive=True
        )
        if not made:
            label = variable.parts[1]
            where = f" in {param.hidden_by}" if param.hidden_by else ""
            message = f"The value of {param.name} is hidden{where} and not written; the variable {label} replaces it."
            self.log.sink.diagnostics.append(
                Diagnostic(codes.HIDDEN_VALUE_NOT_WRITTEN, message, binding.source, hint=f"Set TF_VAR_{label}.")
            )
        return variable

    def shared_default_variable(
        self, param: ir.Param, binding: Binding | None, *, sometimes: bool = False
    ) -> Traversal | None:
        """A variable for a nested template's parameter that the environment sets, if several environments share the
        configuration; else None. All templates get the same entry, so it is one variable. sometimes: other environments
        leave the parameter at its default, for which the variable is null.
        """
        if not self.unit.modules.rules.shares_root:
            return None
        key = f"{SHARED_DEFAULT}{param.type} {param.name}"
        if binding is not None:
            self.unit.modules.environment_defaults[key] = binding.value
        description, label = f"Value of {param.name} for nested templates.", namespace.variable_name(param.name)
        if sometimes:
            description, default = f"{description[:-1]}; null for their own defaults.", None
            return self.variables.get_variable(key, label, description, KINDS[param.type], default=default)
        return self.variables.get_variable(key, label, description, KINDS[param.type])

    def open_parameter_variable(self, resource: ir.Resource, param: ir.Param) -> Traversal:
        """The variable for a parameter of a nested template that gets no value and has no default."""
        return self.variables.get_variable(
            f"open {resource.name}.{param.name}",
            namespace.snake_case(f"{resource.name}_{param.name}"),
            f"The value of {param.name} for {resource.name}, which the template does not give.",
            KINDS[param.type],
            sensitive=param.hidden,
            nullable=False,
        )

    def open_property_variable(self, resource: ir.Resource, prop: str, rule: ArgumentRule) -> Traversal:
        """A variable for a required property that is null in the template."""
        suffix = f"{prop}_{rule.result}" if rule.lookup is not None and rule.result in ("id", "name") else prop
        form = " (an ID)" if suffix == f"{prop}_id" else ""
        return self.variables.get_variable(
            f"open {resource.name}.{prop}",
            namespace.snake_case(f"{resource.name}_{suffix}"),
            f"Property {prop} of {resource.name}{form}; null in the template.",
            Traversal((rule.type.kind,)),
            nullable=False,
        )

    # secrets

    def is_sensitive(self, expr: Expr) -> bool:
        """Whether an expression contains a variable that holds a secret. Locals are not followed."""
        secret = self.variables.secret
        return bool(secret) and any(
            isinstance(e, Traversal) and e.parts[0] == "var" and e.parts[1] in secret for e in walk_expression(expr)
        )

    def expose_for_each_keys(self, ref: ir.ParamRef, value: Expr) -> Expr:
        """A parameter as `for_each` takes it: instance keys are shown, so Terraform allows no sensitive value there."""
        if not self.unit.is_hidden(ref.name):
            return value
        message = f"{ref.name} is hidden, but its values are shown as keys of for_each."
        self.log.add_diagnostic(codes.HIDDEN_VALUE_REVEALED, message, ref)
        return Fn("nonsensitive", (value,))


def hidden_default_key(param: ir.Param) -> str:
    """The key of the variable for a nested template's hidden parameter: one for each name and type."""
    return f"{HIDDEN}{param.type} {param.name}"

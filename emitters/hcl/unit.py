"""A stack to convert, with its plan and read-only queries about it.

Invariant: nothing here changes while the stack is written.
"""

from __future__ import annotations

import bisect
import contextlib
import functools
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, final

from emitters.hcl import object_types
from emitters.hcl.object_types import Shape
from emitters.hcl.plan.module_values import ModuleValues
from emitters.hcl.plan.modules import Modules, TerraformModule
from emitters.hcl.plan.open_forms import BOTH, form_of_open_parameter, form_of_open_value, promises_id
from emitters.hcl.plan.passed_values import PassedItem
from emitters.hcl.plan.planner import ConversionPlan
from emitters.hcl.plan.secret_values import SecretValues
from emitters.hcl.tables.mapping import NameLookup, classify_literals
from transpile.model import ir
from transpile.model.budget import Budget
from transpile.model.records import EMPTY
from transpile.resolve.stack import Stack
from transpile.rewrite import cfn_to_hot
from transpile.schema import parameters

FIND_IN_MAP = "Fn::FindInMap"
INDEX = "%index%"  # in the properties of a group member, it is replaced by the index of the member


@final
class Unit:
    """A stack, its plan, and all modules of the conversion. `module`: the one for this stack."""

    def __init__(
        self,
        stack: Stack,
        plan: ConversionPlan,
        modules: Modules,
        module: TerraformModule,
        values: ModuleValues,
    ) -> None:
        self.stack, self.plan, self.template = stack, plan, stack.template
        self.modules, self.module, self.values = modules, module, values
        self.tables, self.policy = plan.tables, plan.policy
        self.values_by_parameter: dict[str, list[Any]] = {}
        self.running = modules.find_running(stack)
        self.running.forget_questions()

    @functools.cached_property
    def group_names(self) -> frozenset[str]:
        """The resources whose attributes come from members of a group or from a nested stack."""
        return cfn_to_hot.find_groups(self.stack)

    @functools.cached_property
    def secrets(self) -> SecretValues:
        """The secrets of this stack, with those that its callers pass and those of nested stacks."""
        return SecretValues(self.modules.value_flow_of(self.stack))

    @functools.cached_property
    def by_anchor(self) -> list[ir.Comment]:
        return sorted(self.template.comments, key=lambda c: c.anchor)

    def comments_in(self, resources: Iterable[ir.Resource]) -> tuple[ir.Comment, ...]:
        """The comments inside the given resources, in source order."""
        comments: list[ir.Comment] = []
        for resource in resources:
            first, last = (
                bisect.bisect_left(self.by_anchor, at, key=lambda c: c.anchor) for at in (resource.at, resource.end)
            )
            comments += self.by_anchor[first:last]
        return tuple(sorted(comments, key=lambda c: c.at))

    @property
    def environment_values(self) -> Mapping[str, Any]:
        """The values that an environment gives variables of the root that have no parameter, by the key of the
        variable. There are some only if several environments share the root.
        """
        return self.running.environment_values or (self.modules.environment_defaults if self.module.is_root else EMPTY)

    @functools.cached_property
    def all_types(self) -> frozenset[str]:
        """The types of the resources of all stacks of the conversion."""
        return frozenset(kind for stack in self.values.flow.stacks for kind in stack.types.values())

    # conditions

    def settle_condition(self, condition: ir.Expr) -> ir.Expr:
        """A condition with its names resolved; a literal if the condition is constant."""
        return self.stack.fold_condition(condition)

    def has_count(self, resource: ir.Resource) -> bool:
        """Whether a resource has a condition that is not constant, so that it gets `count`."""
        return any(not isinstance(self.settle_condition(condition), ir.Lit) for condition in resource.conditions)

    def is_output_read(self, name: str) -> bool:
        """Whether somebody reads an output: always for one of the root."""
        return self.module.is_root or self.values.read.is_read(self.stack, name)

    # names and IDs

    def reference_fate(self, expr: ir.Expr) -> str:
        """The fate of a name or ID in the report: a lookup if the template may have a name where an ID is written."""
        if isinstance(expr, ir.ParamRef) and not self.module.is_root:
            return (
                "lookup" if expr.name in self.module.id_parameters or expr.name in self.module.id_variables else "value"
            )
        if not isinstance(expr, (ir.ResourceRef, ir.AttrRef)):
            return "value"
        is_looked_up = (id(self.template.source), expr.at) in self.modules.looked_up
        return "lookup" if is_looked_up else "reference"

    def is_unknown_before_apply(self, expr: ir.Expr) -> bool:
        """Whether Terraform knows a value only after apply: it has a reference, or a caller passes one."""
        if known_after_apply(expr):
            return True
        return not self.module.is_root and self.values.late.contains_late(self.stack, expr)

    def collection_shape(self, expr: ir.Expr) -> str:
        """Whether a value is a list or a map ("list", "map") wherever it comes from; "" if that is not known."""
        if self.module.is_root:
            return ""
        return self.values.passed.shape_of_value(self.stack, expr)

    # parameters

    def is_hidden(self, name: str) -> bool:
        param = self.template.parameters.get(name)
        return param is not None and (param.hidden or name in self.module.secret)

    def traced_values(self, expr: ir.Expr) -> list[Any] | None:
        """The known values of an expression; None if nothing is known. In a module, they come from all its callers."""
        return self.values.passed.known_values(self.stack, expr)

    def passed_items(self, expr: ir.Expr) -> list[PassedItem] | None:
        """The items of a list that all callers of the module write out; None if they are not known."""
        return self.values.passed.literal_items(self.stack, expr)

    def values_of_parameter(self, name: str) -> list[Any]:
        """The known values of a parameter: the given value, the default, and the allowed values. They are collected
        once, and nobody changes the list.
        """
        if name not in self.values_by_parameter:
            self.values_by_parameter[name] = self.collect_parameter_values(name)
        return self.values_by_parameter[name]

    def collect_parameter_values(self, name: str) -> list[Any]:
        param = self.template.parameters.get(name)
        if param is None:
            return []
        values = self.stack.bound_values(name)
        values += param.default_data
        if any(name in call.arguments for call in self.module.calls):
            values = []  # the calls set the value
        for constraint in param.constraints:
            if constraint.kind == "allowed_values" and isinstance(constraint.value, ir.Seq):
                values += [item.value for item in constraint.value.items if isinstance(item, ir.Lit)]
        converted_values: list[Any] = []
        for value in values:
            if param.type == "comma_delimited_list":
                converted_values += (
                    value.split(",") if isinstance(value, str) and value else value if isinstance(value, list) else []
                )
            elif param.type == "json":  # the value may be a JSON string
                with contextlib.suppress(ValueError):
                    converted_values.append(parameters.convert_value("json", value))
            else:
                converted_values.append(value)
        return converted_values

    def values_at_path(self, ref: ir.ParamRef) -> list[Any]:
        """The known values of a get_param with its path, from all calls of a module; [] if one of them is not known."""
        if any(ref.name in call.arguments for call in self.module.calls):
            return self.traced_values(ref) or []
        values: list[Any] = self.values_of_parameter(ref.name)
        for step in ref.path:
            try:
                values = [value[step.value] for value in values] if isinstance(step, ir.Lit) else []
            except (LookupError, TypeError):
                return []
        return values

    def unset_values(self, ref: ir.ParamRef) -> list[str | None]:
        """The known values of a get_param that count as unset: null, and "", which a path to nothing gives, too."""
        known = self.values_at_path(ref)
        leads_nowhere = bool(ref.path) and not known and bool(self.values_of_parameter(ref.name))
        return [value for value in (None, "") if value in known or (value == "" and leads_nowhere)]

    @functools.cached_property
    def parameter_shapes(self) -> dict[str, Shape]:
        """The shapes of json parameters, by name."""
        template = self.template
        native = [r for r in template.resources.values() if not self.plan.is_embedded(r.name)]
        whole = {ref.name for r in template.resources.values() if self.plan.is_embedded(r.name) for ref in r.refs}
        owners: list[ir.Resource | ir.Output | ir.Condition] = [
            *native,
            *template.outputs.values(),
            *template.conditions.values(),
        ]
        used = object_types.collect_parameter_uses(ref for owner in owners for ref in owner.refs)
        shapes: dict[str, Shape] = {}
        for name, param in template.parameters.items():
            if param.type == "json" and not param.constraints and name in used and name not in whole:
                values = list(self.values_at_path(ir.ParamRef(name)))
                if not self.module.is_root:
                    values += param.default_data  # calls do not give it, but it must fit the type, too
                shape = object_types.infer_shape(used[name], [parse_json_value(v) for v in values])
                if shape is not None:
                    shapes[name] = shape
        return shapes

    def counts_up(self, name: str) -> bool:
        """Whether every call of the module gives a parameter the index of a member, or a literal that is not
        negative.
        """
        if not self.module.calls:
            return False
        values = self.traced_values(ir.ParamRef(name)) or []
        return bool(values) and all(v == INDEX or (type(v) is int and v >= 0) for v in values)

    def root_parameter_value(self, name: str) -> Any:
        """The value of a parameter of the root: the given value, or its default. None if neither is set, or if stacks
        that share the output have different ones.
        """
        if not self.module.is_root:
            return None
        param = self.template.parameters[name]
        values = self.stack.bound_values(name)
        if any(value != values[0] for value in values):
            return None
        value = next(iter((*values, *param.default_data)), None)
        with contextlib.suppress(ValueError):
            return parameters.convert_value(param.type, value) if value is not None else None
        return None

    @property
    def open_forms(self) -> str:
        """The treatment of values that may be a name or an ID: a choice of open_forms.py."""
        return self.modules.rules.open_forms

    @property
    def budget(self) -> Budget:
        """The budget of the run."""
        return self.template.source.budget

    def form_of_parameter(self, name: str, lookup: NameLookup) -> str:
        """Whether the known values of a parameter are all names ("name"), all IDs ("id"), or neither ("")."""
        if not self.module.is_root:
            if name in self.module.id_parameters or name in self.module.id_variables:
                return "id"
            if name in self.module.name_parameters:
                return "name"
            return self.values.forms.sure_form(self.stack, name, lookup.of)
        param, values = self.template.parameters.get(name), [str(v) for v in self.values_of_parameter(name)]
        if self.open_forms != BOTH and param is not None:
            if known := [value for value in values if value]:
                return classify_literals(known, lookup, self.budget)
            return form_of_open_parameter(self.open_forms, param)
        form = classify_literals(values, lookup, self.budget)
        is_free = form == "name" and not self.running.exists
        return "" if is_free and param is not None and promises_id(param) else form

    def form_of_expression(self, expr: ir.Expr, lookup: NameLookup) -> str:
        """Like `form_of_parameter`, for any value that Terraform knows before apply."""
        if not isinstance(expr, ir.ParamRef):
            return self.form_of_computed(expr, lookup)
        if not expr.path:
            return self.form_of_parameter(expr.name, lookup)
        values = self.values_at_path(expr)
        if self.open_forms != BOTH:
            known = list(list_texts(values))
            if known or self.is_unknown_before_apply(expr):
                return classify_literals(known, lookup, self.budget)
            return form_of_open_value(self.open_forms, self.template, expr)
        return classify_literals([v if isinstance(v, str) else "" for v in values], lookup, self.budget)

    def is_form_left_open(self, expr: ir.Expr) -> bool:
        """Whether no known value tells if a value is a name or an ID, so that only the choice for the run decides."""
        if self.open_forms == BOTH or self.is_unknown_before_apply(expr):
            return False
        if isinstance(expr, ir.ParamRef):
            return not any(list_texts(self.values_at_path(expr)))
        return not isinstance(expr, ir.Call) or expr.fn != FIND_IN_MAP

    def form_of_computed(self, expr: ir.Expr, lookup: NameLookup) -> str:
        """The form of a value that is neither a parameter nor a literal."""
        if form := classify_literals(self.possible_texts(expr), lookup, self.budget):
            return form
        late = self.is_unknown_before_apply(expr)
        return "" if late else self.values.forms.form_of_computed(self.stack, expr, lookup.of)

    def possible_texts(self, expr: ir.Expr | None) -> list[str]:
        """All texts that an expression can be: the branches of `if`, and the cells of a mapping that Fn::FindInMap may
        return. Empty if others are possible, "" for a value that is no literal.
        """
        if isinstance(expr, ir.Lit):
            return [str(expr.value)]
        if isinstance(expr, ir.If):
            branches = [branch for branch in (expr.then, expr.orelse) if branch not in (None, ir.NULL, ir.Lit(""))]
            texts = [self.possible_texts(branch) for branch in branches]
            return [text for each in texts for text in each] if all(texts) else []
        if not isinstance(expr, ir.Call) or expr.fn != FIND_IN_MAP or not isinstance(expr.arg, ir.Seq):
            return []
        name, *keys = expr.arg.items
        mapping = self.template.mappings.get(str(name.value)) if isinstance(name, ir.Lit) else None
        if mapping is None or len(keys) != 2:
            return []
        words = [str(key.value) if isinstance(key, ir.Lit) else None for key in keys]
        rows = [row for row in values_under_key(mapping, words[0]) if isinstance(row, ir.Map)]
        cells = [cell for row in rows for cell in values_under_key(row, words[1])]
        return [str(cell.value) if isinstance(cell, ir.Lit) else "" for cell in cells]

    def has_texts(self, mapping: str, key: str) -> bool:
        """Whether all values that a mapping has under a second key are strings."""
        if (mapping, key) not in self.text_columns:
            rows = [row.value for row in self.template.mappings[mapping].entries if isinstance(row.value, ir.Map)]
            values = [value for row in rows if (value := row.get(key)) is not None]
            texts = all(isinstance(v, ir.Lit) and isinstance(v.value, str) for v in values)
            self.text_columns[mapping, key] = bool(rows) and texts
        return self.text_columns[mapping, key]

    @functools.cached_property
    def text_columns(self) -> dict[tuple[str, str], bool]:
        return {}


def list_texts(values: Iterable[Any]) -> Iterator[str]:
    """The texts among values and among the items of lists, without empty ones."""
    for value in values:
        if isinstance(value, list):
            yield from list_texts(value)
        elif isinstance(value, str) and value:
            yield value


def values_under_key(mapping: ir.Map, key: str | None) -> list[ir.Expr]:
    """The values under a second key of a CFN mapping; with None, the values under all second keys."""
    if key is None:
        return [entry.value for entry in mapping.entries]
    return [value] if (value := mapping.get(key)) is not None else []


def dotted_path(ref: ir.ParamRef) -> str:
    """A parameter with its path, for messages and labels."""
    return ".".join([ref.name, *(str(step.value) for step in ref.path if isinstance(step, ir.Lit))])


def parse_json_value(value: Any) -> Any:
    """The value of a json parameter, which may be a JSON text."""
    with contextlib.suppress(ValueError):
        return parameters.convert_value("json", value)
    return value


def known_after_apply(expr: ir.Expr) -> bool:
    """Whether Terraform knows a value only after apply."""
    return any(isinstance(e, (ir.ResourceRef, ir.AttrRef)) for e in ir.walk(expr))

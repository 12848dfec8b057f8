"""Writes the `module` block for a nested template, and lowers references to it.

Invariant: a module receives the values that Heat passes to a nested stack (`TemplateResource.child_params`): nothing
for a parameter that is not set, and the zero value of the type for null.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import final

from emitters.hcl.emission import Emission
from emitters.hcl.errors import CannotSay, computed_attribute
from emitters.hcl.lowering import lookup_variables, paths
from emitters.hcl.lowering.lowering import HclLowering
from emitters.hcl.lowering.rewrites import negate_condition, text_or_empty, try_alternatives
from emitters.hcl.namespace import snake_case
from emitters.hcl.plan.modules import ModuleInterface, TerraformModule
from emitters.hcl.resources.argument_types import why_unconvertible
from emitters.hcl.resources.handles import AddressHandle, Selector
from emitters.hcl.resources.keys import write_resource_keys
from emitters.hcl.symbols import HIDDEN
from emitters.hcl.tables.mapping import NameLookup, TypeMapping
from emitters.hcl.tree.nodes import (
    Argument,
    Attr,
    Block,
    Cond,
    Expr,
    Fn,
    ForTuple,
    Index,
    Object,
    Op,
    Traversal,
    Tuple,
    expression_from_data,
)
from emitters.hcl.tree.types import (
    ANY,
    BOOL,
    JSON,
    NULL,
    NUMBER,
    STRING,
    STRINGS,
    HclType,
    TypedValue,
    convert_to_type,
    is_scalar_literal,
)
from emitters.hcl.unit import Unit
from transpile.diagnostics import codes
from transpile.diagnostics.model import make_sentence
from transpile.model import ir
from transpile.model.attribute_paths import TEMPLATE, GroupMember, parse_attribute_path
from transpile.model.records import replace
from transpile.report import attribute_path, make_fate
from transpile.resolve import lookup_places
from transpile.schema import parameters

STACK_ID = "OS::stack_id"
# prefixes of keys of synthetic variables that only the user can set
OUTSIDE = ("file ", HIDDEN, "ssh ", "open ", lookup_variables.READ, lookup_variables.SHARED)
SHARED = (HIDDEN, lookup_variables.SHARED)  # of these, all calls pass the same value on
PARAMETER_TYPES: Mapping[str, HclType] = {
    "string": STRING,
    "number": NUMBER,
    "boolean": BOOL,
    "comma_delimited_list": STRINGS,
    "json": JSON,
}
ZERO: Mapping[str, object] = {"string": "", "number": 0, "boolean": False, "comma_delimited_list": [], "json": {}}


class ModuleHandle(AddressHandle):
    """The handle of a module call."""

    def __init__(
        self, emission: Emission, resource: ir.Resource, module: TerraformModule, label: str, *, counted: bool
    ) -> None:
        super().__init__(emission, resource, ("module", label), counted=counted)
        self.module = module
        assert module.interface is not None
        reference = module.interface.output_labels.get(STACK_ID, "")
        self.kind = TypeMapping("module", "native", reference=reference)

    def lower_reference(self, lowering: HclLowering, ref: ir.Expr) -> TypedValue:
        """The output OS::stack_id, if the template has one; the ID of the nested stack exists only in Heat."""
        if self.kind.reference:
            return self.select_from_instance(
                lowering, ref, lambda base: TypedValue(Attr(base, self.kind.reference), STRING), ""
            )
        message = f"a reference to {self.resource.name} is the ID of a nested stack, which a module does not have"
        if lowering.scope.in_output:
            self.emission.log.report_difference(codes.GROUP_WITHOUT_ID, make_sentence(f"{message}; this is null"), ref)
            return TypedValue(None, NULL, True)
        raise CannotSay(codes.GROUP_WITHOUT_ID, message, ref, self.resource.name)

    def lower_attribute(self, lowering: HclLowering, ref: ir.AttrRef) -> TypedValue:
        choose = self.attribute_selector(lowering, ref, ref.path)
        return self.select_from_instance(lowering, ref, choose, attribute_path(ref.path))

    def attribute_selector(self, lowering: HclLowering, ref: ir.AttrRef, path: tuple[ir.Expr, ...]) -> Selector:
        name = self.resource.name
        first = path[0] if path else None
        if not isinstance(first, ir.Lit):
            raise computed_attribute(name, ref)
        word, rest = str(first.value), path[1:]
        if isinstance(member := parse_attribute_path(TEMPLATE, path), GroupMember):
            word, rest = self.module.extra_outputs.get((member.name, member.path), ""), ()
        if (left_out := self.module.left_out.get(word)) is not None:
            raise CannotSay(left_out.code, left_out.why, ref)  # its reader is an output that nobody reads either
        if word not in self.module.stack.template.outputs:
            if lowering.scope.in_output:
                attribute_name = word or attribute_path(path)
                message = f"The template of {name} has no output {attribute_name}; Heat fails, and this is null."
                self.emission.log.report_difference(codes.UNKNOWN_ATTRIBUTE, message, ref, "warning")
                return lambda base: TypedValue(None, NULL, True)
            raise CannotSay(codes.UNKNOWN_ATTRIBUTE, f"the template of {name} has no output {word}", ref, name)
        assert self.module.interface is not None
        label, value = self.module.interface.output_labels[word], self.module.interface.outputs[word]
        if word in self.module.interface.uncertain_outputs and not lowering.scope.in_output:
            message = f"The output {word} of {name} is null if a resource in it does not exist; then Heat fails here."
            self.emission.log.add_diagnostic(codes.RESOURCE_MAY_NOT_EXIST, message, ref)
        if not rest:
            return lambda base: TypedValue(Attr(base, label), value.type, value.null)
        return lambda base: paths.lower_attribute_path(
            lowering, TypedValue(Attr(base, label), value.type, value.null), [*rest]
        )


@final
class CallWriter:
    """Writes the block of a call. prefix: of the paths of properties in the report, for members of groups. member: the
    index or key of the member: `count.index`, or `0` in a chain.
    """

    def __init__(
        self,
        emission: Emission,
        handle: ModuleHandle,
        properties: ir.Map | None,
        lowering: HclLowering,
        prefix: str = "",
        member: str = "",
    ) -> None:
        self.emission, self.handle, self.properties, self.prefix = emission, handle, properties, prefix
        self.lowering = lowering
        self.module, self.resource, self.member = handle.module, handle.resource, member
        self.report = emission.log.resource_report(handle.resource)
        self.region: Expr | None = None  # set by the call itself
        self.how = ""  # the fate of the last argument, if it was looked up
        self.block = Block("module", (handle.address[1],), span=self.resource.span)
        self.to = self.block.address
        self.entries = {e.key: e for e in properties.entries} if properties is not None else {}

    def write_module_block(self) -> None:
        emission, block = self.emission, self.block
        self.source = block.add_argument("source", "")
        if (repeated := self.lowering.scope.repeated) is not None:
            block.body.append(repeated)
        entries = self.entries
        template = self.module.stack.template
        for name, entry in entries.items():
            if name not in template.parameters:
                why = f"the template {self.module.file} has no parameter {name}"
                raise CannotSay(codes.UNKNOWN_PROPERTY, why, entry.key_span, self.resource.name)
        for name, param in template.parameters.items():
            if name in entries:
                entry = entries[name]
                self.lowering = self.lowering.with_position(entry)
                try:
                    self.write_parameter(param, entry)
                except CannotSay as reason:
                    if reason.code == codes.WRONG_PROPERTY_TYPE or self.is_used(name):
                        raise
                    self.report_unread_argument(entry, reason)
            elif (passed := self.added_values.get((self.module.label, name))) is not None:
                block.add_argument(self.variable_name(name), self.lower_id_value(self.lowering, param, passed)[0].expr)
            elif (value := self.value_for_environment(param)) is not None:
                block.add_argument(self.variable_name(name), value.expr)
            elif param.default is None:
                self.ask_for_value(param)
        region = self.region if self.region is not None else emission.symbols.region_variable()
        if region is not None and self.module.regional:
            block.add_argument(self.region_argument, region)
        self.pass_addresses()
        self.pass_facade_keys()
        emission.calls.append(self)
        self.report.treatment, self.report.addresses = "module", [self.to]
        if self.resource.description:
            lines = self.resource.description.strip().splitlines()
            block.comments += [f" {line}" if line else "" for line in lines]
        write_resource_keys(emission, self.resource, [block])
        emission.blocks.add_block(block, self.resource.name)

    def value_for_environment(self, param: ir.Param) -> TypedValue | None:
        """The value that environments give a parameter which the resource does not set: a literal, or a variable if it
        is hidden or if several environments share the root. None if the template's default applies.
        """
        stack, symbols = self.module.stack, self.emission.symbols
        binding = stack.bindings.get(param.name)
        if binding is not None and param.hidden:
            return TypedValue(symbols.hidden_default_variable(param, binding), STRING)
        sometimes = param.name in stack.sometimes_set and param.default is not None and not param.hidden
        if binding is None and not sometimes:
            return None
        if (variable := symbols.shared_default_variable(param, binding, sometimes=sometimes)) is not None:
            if sometimes:
                self.module.null.add(param.name)
            return TypedValue(variable, PARAMETER_TYPES[param.type])
        return TypedValue(expression_from_data(binding.value), ANY) if binding is not None else None

    def ask_for_value(self, param: ir.Param) -> None:
        """Passes a variable without a default for a parameter that needs a value and gets none. Heat makes the stack
        that far, and then fails to make the nested one.
        """
        why = f"the template {self.module.file} requires a value for {param.name}, and Heat fails without one"
        if self.emission.unit.running.exists:  # the running stack has one, but nothing shows it
            raise CannotSay(codes.MISSING_PROPERTY, why, self.resource.name_span)
        ask = ""
        if self.is_used(param.name) or param.constraints:  # the validation keeps the variable
            variable = self.emission.symbols.open_parameter_variable(self.resource, param)
            self.block.add_argument(self.variable_name(param.name), variable)
            ask = f"; the variable {variable.parts[1]} must set it"
        message = make_sentence(f"{why}{ask}")
        where = self.resource.name_span
        self.emission.log.add_diagnostic(codes.REQUIRED_VALUE_LEFT_OPEN, message, where, note=message)

    def is_used(self, name: str) -> bool:
        """Whether anything in the nested template uses a parameter."""
        values = self.emission.unit.values
        return bool(values.flow.flows_from(values.flow.parameter(self.module.stack, name)))

    def report_unread_argument(self, entry: ir.Entry, reason: CannotSay) -> None:
        why = f"nothing in {self.module.file} uses it"
        message = f"Only Heat can compute {entry.key} of {self.resource.name}, and {why}: {reason.why}."
        self.emission.log.add_diagnostic(codes.UNREAD_VALUE_LEFT_OUT, message, reason)
        self.report.properties[self.prefix + entry.key] = make_fate("implied", why=why)

    @property
    def interface(self) -> ModuleInterface:
        assert self.module.interface is not None
        return self.module.interface

    def variable_name(self, name: str) -> str:
        return self.interface.variables[name]

    @property
    def region_argument(self) -> str:
        """The module's variable for the region."""
        return self.interface.region

    @property
    def added_values(self) -> Mapping[tuple[str, str], ir.Expr]:
        """The values that the nested template gets in addition to the properties of the resource, by module and
        parameter.
        """
        unit = self.emission.unit
        return unit.modules.passed.get((id(unit.template.source), id(unit.stack.registry), self.resource.name), {})

    def lower_id_value(self, lowering: HclLowering, param: ir.Param, expr: ir.Expr) -> tuple[TypedValue, str]:
        """The ID, or list of IDs, for a variable that has IDs where the parameter may have names, and its fate. For any
        other parameter, the value itself.
        """
        by_id, hint = (
            self.module.id_parameters.get(param.name) or self.module.id_variables.get(param.name),
            snake_case(param.name),
        )
        if by_id is None or by_id.lookup is None:
            return lowering.lower_value(expr, PARAMETER_TYPES[param.type]), self.emission.unit.reference_fate(expr)
        if not by_id.listed and isinstance(expr, ir.Lit) and expr.value in (None, ""):
            return TypedValue("", STRING), "value"
        if not by_id.listed:
            value, how = self.emission.data.resolve_name(lowering, expr, by_id.lookup, "id", hint)
            test = (
                self.emission.data.test_if_set(lowering, expr, lowering.lower_value(expr, STRING))
                if isinstance(expr, ir.ParamRef)
                else None
            )
            return value if test is None else TypedValue(Cond(test, value.expr, ""), STRING), how
        value, hows = self.emission.data.resolve_list(lowering, expr, by_id.lookup, "id", hint)
        return value, hows[0] if len(set(hows)) == 1 else "lookup"

    def write_parameter(self, param: ir.Param, entry: ir.Entry) -> None:
        """Writes one argument, and the fate of its property."""
        name, path = self.variable_name(param.name), self.prefix + entry.key
        lost = self.may_be_omitted(entry.value)
        if lost and param.default is None:
            why = f"a condition may omit {entry.key}, but {self.module.file} requires a value for it"
            raise CannotSay(codes.MISSING_PROPERTY, why, entry, self.resource.name)
        if entry.value == ir.NULL:
            self.block.add_argument(name, expression_from_data(ZERO[param.type]), entry)
            why = "Heat passes this value for null, not the default"
            self.report.properties[path] = make_fate("derived", self.to, name, why)
            return
        self.how = ""
        in_text = param.name in self.module.text_params
        # Heat joins the items of a list before it passes them on, so each branch is a list by itself.
        apart = lost or (param.type == "comma_delimited_list" and isinstance(entry.value, ir.If))
        convert = self.lower_branches if apart else self.lower_converted
        value = convert(self.lowering.with_changes(in_text=in_text), param, entry.value)
        if why := why_unconvertible(self.emission, value.expr, PARAMETER_TYPES[param.type]):
            raise CannotSay(codes.WRONG_PROPERTY_TYPE, f"{entry.key} {why}", entry, self.resource.name)
        if lost:
            self.module.null.add(name)
        self.block.add_argument(name, value.expr, entry)
        self.report.properties[path] = make_fate(
            self.how or self.emission.unit.reference_fate(entry.value), self.to, name
        )

    def may_be_omitted(self, expr: ir.Expr) -> bool:
        """Whether a condition may omit the property, so that the default applies: an `if` without a third item."""
        if not isinstance(expr, ir.If):
            return False
        holds = self.lowering.decide_condition(expr.condition)
        return (holds is not False and self.may_be_omitted(expr.then)) or (
            holds is not True and (expr.orelse is None or self.may_be_omitted(expr.orelse))
        )

    def lower_branches(self, lowering: HclLowering, param: ir.Param, expr: ir.Expr | None) -> TypedValue:
        """A value, each branch converted by itself. It is null only where a condition omits it, for which Terraform
        uses the default.
        """
        if expr is None:
            return TypedValue(None, NULL, True)
        if not isinstance(expr, ir.If):
            return self.lower_converted(lowering, param, expr)
        if (holds := lowering.decide_condition(expr.condition)) is not None:
            return self.lower_branches(lowering, param, expr.then if holds else expr.orelse)
        test = lowering.lower_condition(expr.condition)
        then = self.lower_branches(lowering.with_fact(expr.condition), param, expr.then)
        other = self.lower_branches(lowering.with_fact(negate_condition(expr.condition)), param, expr.orelse)
        return TypedValue(Cond(test, then.expr, other.expr), PARAMETER_TYPES[param.type], then.null or other.null)

    def lower_converted(self, lowering: HclLowering, param: ir.Param, expr: ir.Expr) -> TypedValue:
        """A value converted to the parameter's type as Heat does it. It is never null."""
        expr = replace_literal_null(expr, param.type)
        if (by_name := self.module.name_parameters.get(param.name)) is not None and by_name.lookup is not None:
            return self.lower_names(lowering, by_name.kinds, by_name.lookup, expr, snake_case(param.name))
        if param.name in self.module.id_parameters:
            value, self.how = self.lower_id_value(lowering, param, expr)
            return replace_runtime_null(value, param.type) if value.null and not value.is_null else value
        if ir.is_plain_data(expr):
            raw = ir.to_data(expr)
            if param.type == "comma_delimited_list" and isinstance(raw, list):
                raw = pass_list(raw, expr, self.resource.name)
            # A placeholder such as %index% is not literal data: only the lowering replaces it.
            if not (lowering.scope.bound and contains_placeholder(raw, lowering)):
                return TypedValue(self.convert_data(param, raw, expr), PARAMETER_TYPES[param.type])
        want = PARAMETER_TYPES[param.type]
        if param.type in ("number", "boolean"):
            expr = strip_text(expr)
        value = lowering.lower_value(expr, STRING if param.type == "string" else ANY)
        kind = value.type.kind
        at_path = isinstance(expr, ir.ParamRef) and bool(expr.path)
        known = self.emission.unit.values_at_path(expr) if isinstance(expr, ir.ParamRef) and at_path else []
        if param.type == "comma_delimited_list":
            for listed in known:
                if isinstance(listed, list) and any(not isinstance(item, str) for item in listed):
                    why = f"Heat passes only strings in lists, not {listed!r}"
                    raise CannotSay(codes.WRONG_PROPERTY_TYPE, why, expr, self.resource.name)
        if value.null or None in known:
            value = replace_runtime_null(value, param.type)
        if param.type == "comma_delimited_list" and at_path and not all(isinstance(v, list) for v in known or [""]):
            as_list = Cond(Op("==", value.expr, ""), expression_from_data([]), Fn("split", (",", value.expr)))
            return TypedValue(Fn("try", (as_list, value.expr)), STRINGS)  # a list, or a text with commas
        if param.type == "comma_delimited_list" and kind == "string":
            return TypedValue(
                Cond(Op("==", value.expr, ""), expression_from_data([]), Fn("split", (",", value.expr))), STRINGS
            )
        if param.type == "json" and kind == "string":
            text = value.expr
            if may_be_empty(self.emission.unit, expr):  # "" is not JSON, and Heat passes it on unchanged
                text = Fn("coalesce", (text, json.dumps("")))
            return TypedValue(Fn("jsondecode", (text,)), ANY)
        if param.type == "boolean" and kind == "string" and not is_scalar_literal(value.expr):
            words = Fn("lower", (Fn("trimspace", (value.expr,)),))
            return TypedValue(Fn("contains", (expression_from_data(list(parameters.TRUE)), words)), BOOL)
        return convert_to_type(value, want) if param.type in ("number", "boolean") else value

    def convert_data(self, param: ir.Param, raw: object, expr: ir.Expr) -> Expr:
        """Data converted to a parameter's type. Heat takes true as a number, which Terraform does not."""
        try:
            value = parameters.convert_value(param.type, raw)
        except ValueError as e:
            why = f"this is not a valid value of {param.name}: {e}"
            raise CannotSay(codes.WRONG_PROPERTY_TYPE, why, expr) from None
        if param.type == "number" and isinstance(value, bool):
            message = f"The value {value} of {param.name} is not a number in Terraform."
            self.emission.log.add_diagnostic(codes.NOT_A_TERRAFORM_NUMBER, message, expr)
            value = int(value)
        return expression_from_data(value)

    def lower_names(
        self, lowering: HclLowering, kinds: lookup_places.Types, lookup: NameLookup, expr: ir.Expr, hint: str
    ) -> TypedValue:
        """A list of names for a parameter that has names where the template may have IDs."""
        if ir.is_plain_data(expr) and isinstance(raw := ir.to_data(expr), list):
            expr = ir.from_data(pass_list(raw, expr, self.resource.name), expr.span)
        listed = lookup_places.change_argument(expr, kinds, listed=True, change=lambda item, *_: item)
        value, _ = self.emission.data.resolve_list(lowering, listed, lookup, "name", hint)
        self.how = "lookup" if any(isinstance(part, ir.ResourceRef) for part in ir.walk(expr)) else ""
        return value

    def pass_addresses(self) -> None:
        """Passes the addresses of the floating IPs whose IDs are arguments. null where there is no floating IP."""
        for key, variable in self.interface.synthetic.items():
            if key.startswith(lookup_variables.OF_PARAMETER):
                name = key.removeprefix(lookup_variables.OF_PARAMETER)
                entry, param = self.entries.get(name), self.module.stack.template.parameters[name]
                default = self.module.stack.bindings[name].value if name in self.module.stack.bindings else None
                value = entry.value if entry is not None else param.default if default is None else ir.Lit(default)
                if value is not None:
                    self.block.add_argument(
                        variable.labels[0], lookup_variables.floating_ip_address(self.lowering, value, needed=False)
                    )

    def pass_facade_keys(self) -> None:
        """Passes the keys of the resource that the template reads with `resource_facade`."""
        synthetic = self.interface.synthetic
        for word in ("metadata", "deletion_policy", "update_policy"):
            key = f"facade_{word}"
            value = getattr(self.resource, word)
            if key in synthetic and value is not None:
                variable = synthetic[key].labels[0]
                lowering = self.lowering.with_owner(self.handle.address[1], resource=self.resource.name)
                self.block.add_argument(variable, lowering.lower_expression(value))
                spelled = next(k for k in self.resource.keys if self.key_meaning(k) == word)
                self.report.keys[spelled] = make_fate("value", self.to, variable)

    def pass_synthetic_values(self) -> None:
        """Writes the arguments for synthetic variables. These are all known only when the modules are written. Heat
        names a nested stack after its resource. Values that only the user can set, such as the text of a file that may
        not be read, are passed through the caller.
        """
        synthetic = self.interface.synthetic
        # A member of a chain has a literal index, that of a group `count.index` or `each.key`.
        index: Expr | None = Traversal(tuple(self.member.split("."))) if "." in self.member else self.member or None
        if "stack_name" in synthetic:
            name = self.emission.symbols.generated_name(self.resource.name, index)
            self.block.body.insert(self.end_of_arguments(), Argument(synthetic["stack_name"].labels[0], name))
        self.pass_live_names(index)
        for key, block in synthetic.items():
            if key.startswith(OUTSIDE):
                shared = key.startswith(SHARED)
                outer = self.emission.variables.copy_variable(key if shared else f"{key} of {self.module.name}", block)
                self.block.body.insert(self.end_of_arguments(), Argument(block.labels[0], outer))

    def pass_live_names(self, index: Expr | None) -> None:
        """Passes the names that Heat gave to the running nested stack and its resources, if the module needs them."""
        unit, synthetic = self.emission.unit, self.interface.synthetic
        inner = unit.modules.find_running(self.module.stack)
        if not inner.exists:
            return
        symbols, name = self.emission.symbols, self.resource.name
        if "stack_id" in synthetic:
            value = symbols.generated_stack_id(name, index)
            self.block.body.insert(self.end_of_arguments(), Argument(synthetic["stack_id"].labels[0], value))
        if "physical_names" in synthetic:
            value = symbols.running_answer(name, inner.asked, index, Object(()))
            self.block.body.insert(self.end_of_arguments(), Argument(synthetic["physical_names"].labels[0], value))

    def write_source(self) -> None:
        """Writes the path of the module. Its directory gets its name when its files are written, before those of
        callers.
        """
        above = "./modules/" if self.emission.unit.module.is_root else "../"
        self.source.value = f"{above}{self.module.name}"
        self.report.module = self.module.name

    def drop_unused_arguments(self) -> None:
        """Removes the arguments for variables that the module does not use."""
        gone = self.module.unused
        self.block.body[:] = [
            item for item in self.block.body if not (isinstance(item, Argument) and item.name in gone)
        ]
        why = f"nothing in {self.module.file} uses it"
        for fates in (self.report.properties, self.report.keys):
            for path, entry_fate in fates.items():
                if entry_fate.get("to") == self.to and entry_fate.get("argument") in gone:
                    fates[path] = make_fate("implied", why=why)

    def end_of_arguments(self) -> int:
        """The index after the last argument of the block."""
        return next((i for i, a in enumerate(self.block.body) if isinstance(a, Block)), len(self.block.body))

    def key_meaning(self, key: str) -> str | None:
        return self.emission.unit.template.version.dialect.resource.get(key)


def replace_literal_null(expr: ir.Expr, kind: str) -> ir.Expr:
    """Replaces null, in any branch, by the zero value of the parameter's type."""
    if isinstance(expr, ir.If):
        return expr.with_branches(lambda branch: replace_literal_null(branch, kind))
    return ir.from_data(ZERO[kind], expr.span) if isinstance(expr, ir.Lit) and expr.value is None else expr


def may_be_empty(unit: Unit, expr: ir.Expr) -> bool:
    """Whether "" is a part of an expression, or a known value of a parameter in it."""
    return any(
        "" in unit.values_at_path(part)
        if isinstance(part, ir.ParamRef)
        else isinstance(part, ir.Lit) and part.value == ""
        for part in ir.walk(expr)
    )


def strip_text(expr: ir.Expr) -> ir.Expr:
    """Removes the whitespace around a literal text, in any branch. Heat ignores it in numbers and booleans."""
    if isinstance(expr, ir.If):
        return expr.with_branches(strip_text)
    return replace(expr, value=expr.value.strip()) if isinstance(expr, ir.Lit) and isinstance(expr.value, str) else expr


def replace_runtime_null(value: TypedValue, kind: str) -> TypedValue:
    """Replaces null by the zero value at run time; for a string that is converted later, by the zero value's text.

    For strings, `coalesce(value, "")` is not enough: it fails if all its arguments are null or empty.
    """
    expr = value.expr
    expressions = try_alternatives(expr)
    if value.type.kind == "string" or kind == "string":
        empty = "{}" if kind == "json" else ""
        if expressions != (expr,):
            inner = expressions[0] if len(expressions) == 1 else Fn("try", expressions)
            return TypedValue(Fn("try", (Fn("coalesce", (inner,)), empty)), value.type)
        return TypedValue(Cond(Op("==", expr, None), empty, expr) if empty else text_or_empty(expr), value.type)
    if kind == "json" or (
        kind == "comma_delimited_list" and value.type == ANY
    ):  # coalesce() and conditionals would convert the element types
        item = Traversal(("value",))
        listed = ForTuple(("value",), Tuple((expr, expression_from_data(ZERO[kind]))), item, Op("!=", item, None))
        return TypedValue(Index(listed, 0), value.type)
    return TypedValue(Fn("coalesce", (expr, expression_from_data(ZERO[kind]))), value.type)


def pass_list(raw: list[object], expr: ir.Expr, name: str) -> list[object]:
    """A list as Heat passes it on: joined with commas and split. Raises CannotSay for items that are not strings."""
    if raw and isinstance(raw[0], dict):
        return [f".member.{i}.{k}={v}" for i, item in enumerate(raw) if isinstance(item, dict) for k, v in item.items()]
    out: list[object] = []
    for item in raw:
        if item is not None and not isinstance(item, str):
            raise CannotSay(codes.WRONG_PROPERTY_TYPE, f"Heat passes only strings in lists, not {item!r}", expr, name)
        out += (item or "").split(",")
    return out


def contains_placeholder(raw: object, lowering: HclLowering) -> bool:
    """Whether data contains a placeholder that the scope binds, such as `%index%`."""
    if isinstance(raw, str):
        return any(word in raw for word, _ in lowering.scope.bound)
    if isinstance(raw, list):
        return any(contains_placeholder(item, lowering) for item in raw)
    return isinstance(raw, dict) and any(contains_placeholder(item, lowering) for item in (*raw, *raw.values()))

"""Writes `output` blocks, and marks those that are sensitive.

Invariant: every output with a sensitive value is marked `sensitive`, or Terraform rejects it. Sensitivity is traced
through locals, arguments and modules.
"""

from __future__ import annotations

from typing import final

from emitters.hcl import namespace
from emitters.hcl.assemble import existence
from emitters.hcl.assemble.variables import strip_final_newline
from emitters.hcl.embed.stack import EmbeddedStack
from emitters.hcl.embed.texts import STRING_FUNCTIONS
from emitters.hcl.emission import Emission
from emitters.hcl.errors import CannotSay
from emitters.hcl.lowering.lowering import HclLowering
from emitters.hcl.plan import referrals
from emitters.hcl.plan.planner import OUTPUT
from emitters.hcl.resources.handles import AddressHandle, LeftOutHandle
from emitters.hcl.tree.nodes import CHILDREN, Argument, Attr, Block, Cond, Expr, Index, Splat, Traversal
from emitters.hcl.tree.types import NULL, TypedValue
from transpile.diagnostics import codes
from transpile.diagnostics.model import make_sentence
from transpile.model import heat_types, ir

ONLY_HEATS = (
    codes.NOT_POSSIBLE_IN_HCL,
    codes.GROUP_WITHOUT_ID,
)  # attributes and references without an equivalent in Terraform
UNDECLARED = (codes.UNKNOWN_PARAMETER, codes.UNKNOWN_RESOURCE)


def write_output(emission: Emission, output: ir.Output, embedded: EmbeddedStack | None) -> None:
    """Writes one output. embedded: the embedded stack that computes it, if Heat must."""
    label = emission.names.outputs[output.name]
    lowering = emission.lowering.with_position(output)
    condition = output.condition
    holds = lowering.decide_condition(condition)
    if embedded is not None:
        value = embedded.read_output(
            (OUTPUT, output.name),
            namespace.snake_case(output.name),
            output.value,
            "text" if is_surely_string(output.value) and not output.is_conditional else "any",
            False,
            condition,
        )
    elif holds is False:
        value = TypedValue(None, NULL, True)
    else:
        shares = holds is None and shares_condition(emission, output.value, condition)
        guarded = holds is None and not shares
        owner = namespace.snake_case(output.name)
        inner = lowering.with_owner(owner, output=True, nullable=shares)
        value = lower_guarded_output(emission, inner.with_fact(condition) if guarded else inner, output)
        if guarded:
            value = TypedValue(Cond(lowering.condition_outside_scope(condition), value.expr, None), value.type, True)
    emission.outputs[output.name] = value
    report_renamed_output(emission, output, label)
    block = Block("output", (label,), span=output.span)
    if output.description:
        block.add_argument("description", strip_final_newline(output.description))
    block.add_argument("value", value.expr, output)
    emission.blocks.outputs.append(block)
    emission.log.report.outputs[output.name] = {"output": label}
    if value.type.kind not in ("any", "null") and not value.null:
        emission.log.report.outputs[output.name]["type"] = value.type.kind
    if embedded is not None:
        emission.log.report.outputs[output.name]["why"] = f"Heat computes it, in {embedded.address}"


def report_renamed_output(emission: Emission, output: ir.Output, label: str) -> None:
    """Reports an output of the root whose name Terraform does not allow. The README lists names in snake case, which
    the user chose.
    """
    if label == output.name or emission.names.snake or not emission.unit.module.is_root:
        return
    nearest = namespace.output_name(output.name)
    clash = f", and another output is called {nearest}" if label != nearest else ""
    message = f"The output {output.name} is called {label}: Terraform does not allow the name{clash}."
    emission.log.add_diagnostic(codes.RENAMED_OUTPUT, message, output.name_span)


def report_left_out_outputs(emission: Emission) -> None:
    """Reports the outputs of a module that are not written: nothing reads them, and only Heat can compute them."""
    for name, reason in emission.unit.module.left_out.items():
        message = f"Nothing reads the output {name}, which only Heat can compute, so the module has none: {reason.why}."
        emission.log.add_diagnostic(codes.UNREAD_VALUE_LEFT_OUT, message, reason)
        emission.log.report.outputs[name] = {"why": f"nothing reads it, and only Heat can compute it: {reason.why}"}


def lower_guarded_output(emission: Emission, lowering: HclLowering, output: ir.Output) -> TypedValue:
    """The value of an output, which is null as a whole if `get_resource` in it names a resource that does not exist.

    Heat makes the stack in this case, and shows the error at the output. For `get_attr`, and anywhere else, it refuses
    the stack.
    """
    tests = list(existence.find_tests(lowering, output.value))
    if not tests or lowering.scope.nullable:
        return lower_output(emission, lowering, output)
    if any(test == existence.NEVER for test in tests):
        return TypedValue(None, NULL, True)
    emission.uncertain_outputs.add(output.name)
    if existence.is_choice_of_references(output.value):  # then each reference can be null by itself
        return lower_output(emission, lowering.with_changes(nullable=True), output)
    test = existence.join_conditions("and", tests)
    outside = lowering.condition_outside_scope(test)
    # A local is evaluated even where the conditional takes the other branch, so nothing may move to one.
    inner = lowering.with_changes(facts=lowering.scope.facts.union(tests), fixed=True)
    value = lower_output(emission, inner, output)
    return value if value.is_null else TypedValue(Cond(outside, value.expr, None), value.type, True)


def lower_output(emission: Emission, lowering: HclLowering, output: ir.Output) -> TypedValue:
    """The value of an output. Raises CannotSay if Terraform cannot express it, so that an embedded stack computes it.

    It is null instead in an adoption, with --prefer native or provisioners if only Heat knows the value, or if it reads
    nothing that stays with Heat. It is also null in the root if it names something undeclared: Heat creates the
    stack, and has no value to show.
    """
    module = emission.unit.module
    text = output.name in module.text_outputs
    try:
        return lowering.with_changes(in_text=text).lower_value(without_lost(emission, output.value))
    except CannotSay as reason:
        if emission.unit.running.exists:
            message = make_sentence(f"{reason.why}; {output.name} is null")
            emission.log.report_difference(codes.VALUE_KNOWN_ONLY_TO_HEAT, message, reason)
            return TypedValue(None, NULL, True)
        if reason.code in UNDECLARED and module.is_root and not has_branches(output.value):
            message = make_sentence(f"{reason.why}; Heat shows an error, and this is null")
            emission.log.add_comment(reason.at, reason.code, message)  # the linker has reported it
            return TypedValue(None, NULL, True)
        plan = emission.unit.plan
        if not plan.policy.accepts_differences or (
            reason.code not in ONLY_HEATS and plan.kept.keys() & referrals.referred_names(output)
        ):
            raise
        message = make_sentence(f"{reason.why}; this is null")
        emission.log.report_difference(codes.OUTPUT_KNOWN_ONLY_TO_HEAT, message, reason)
        return TypedValue(None, NULL, True)


def has_branches(expr: ir.Expr) -> bool:
    """Whether Heat may evaluate only a part of an expression."""
    return any(isinstance(part, ir.If) for part in ir.walk(expr))


def without_lost(emission: Emission, expr: ir.Expr) -> ir.Expr:
    """The value of an output, with each function call that reads a left-out resource replaced by the reference itself,
    which will be null: few functions of Terraform take null.
    """
    if not emission.unit.policy.accepts_differences:
        return expr
    if isinstance(expr, (ir.Map, ir.Seq, ir.If)):
        return ir.rebuilt(expr, lambda inner: without_lost(emission, inner))
    for inner in ir.walk(expr) if isinstance(expr, (ir.Call, ir.Repeat)) else ():
        if isinstance(inner, (ir.ResourceRef, ir.AttrRef)):
            handle = emission.handles.get(inner.name)
            if isinstance(handle, LeftOutHandle) and handle.is_null_in_outputs(inner):
                return inner
    return expr


def is_surely_string(expr: ir.Expr) -> bool:
    """Whether an expression is surely a string, which every HOT version can embed in another string."""
    if isinstance(expr, ir.AttrRef):
        return len(expr.path) > 1
    return isinstance(expr, (ir.Lit, ir.ResourceRef)) or (isinstance(expr, ir.Call) and expr.fn in STRING_FUNCTIONS)


def shares_condition(emission: Emission, value: ir.Expr, condition: ir.Expr) -> bool:
    """Whether a value is a plain reference to a resource with the same condition, so that it is null anyway if the
    condition is false.
    """
    if not isinstance(value, (ir.ResourceRef, ir.AttrRef)):
        return False
    unit, handle = emission.unit, emission.handles.get(value.name)
    resource = unit.template.resources.get(value.name)
    if resource is None or not isinstance(handle, AddressHandle):
        return False
    return any(unit.settle_condition(own) == unit.settle_condition(condition) for own in resource.conditions)


REFERENCES = frozenset((Traversal, Attr, Splat, Index))


@final
class Sensitivity:
    """Finds the expressions that Terraform treats as sensitive."""

    def __init__(self, emission: Emission) -> None:
        self.emission = emission
        self.hidden = emission.variables.secret
        self.locals: dict[str, bool] = {}
        self.attributes: dict[tuple[str, ...], bool] = {}
        self.blocks: dict[tuple[str, ...], Block] = {}
        for item in (*emission.blocks.main, *emission.blocks.data):
            if isinstance(item, Block) and item.type in ("resource", "data"):
                self.blocks[item.labels if item.type == "resource" else ("data", *item.labels)] = item

    def is_sensitive(self, expr: Expr) -> bool:
        todo = [expr]
        while todo:
            current = todo.pop()
            if type(current) in REFERENCES and self.is_sensitive_reference(current):
                return True
            if isinstance(current, (Attr, Splat)):  # inside are prefixes of the same traversal, and indexes
                while isinstance(current, (Attr, Splat, Index)):
                    todo += [current.key] if isinstance(current, Index) else []
                    current = current.of
                todo.append(current)
            elif type(current) in CHILDREN:
                todo += CHILDREN[type(current)](current)
        return False

    def is_sensitive_reference(self, expr: Expr) -> bool:
        """Whether a name or a traversal is sensitive, without its indexes."""
        if isinstance(expr, (Attr, Splat)) or (isinstance(expr, Index) and isinstance(expr.of, Traversal)):
            names_ = self.traversal_names(expr)
            return self.attribute(names_) if names_ else False
        if not isinstance(expr, Traversal):
            return False
        parts = expr.parts
        if parts[0] == "var":
            return parts[1] in self.hidden
        if parts[0] == "local":
            return self.is_sensitive_local(parts[1])
        return self.attribute(parts)

    def traversal_names(self, expr: Expr) -> tuple[str, ...]:
        """The names in a traversal, without indexes; empty for other expressions."""
        names_: list[str] = []
        while not isinstance(expr, Traversal):
            if isinstance(expr, Attr):
                names_.insert(0, expr.name)
                expr = expr.of
            elif isinstance(expr, Splat):
                names_[:0] = expr.names
                expr = expr.of
            elif isinstance(expr, Index):
                expr = expr.of
            else:
                return ()
        return (*expr.parts, *names_)

    def is_sensitive_local(self, name: str) -> bool:
        if name not in self.locals:
            self.locals[name] = False
            argument = self.emission.blocks.locals.get(name)
            self.locals[name] = argument is not None and self.is_sensitive(argument.value)
        return self.locals[name]

    def attribute(self, parts: tuple[str, ...]) -> bool:
        """Whether an attribute is sensitive: marked by the provider, set to a sensitive value, or a sensitive output of
        a module.
        """
        if parts[0] == "module":
            module = self.emission.modules.get(parts[1]) if len(parts) > 2 else None
            child = module.interface if module is not None else None
            return child is not None and parts[2] in child.sensitive
        length = 3 if parts[0] == "data" else 2
        if len(parts) <= length:
            return False
        key = parts[: length + 1]
        if key not in self.attributes:
            self.attributes[key] = False  # ends the recursion for a block that refers to itself
            self.attributes[key] = self.has_sensitive_argument(parts[:length], parts[length])
        return self.attributes[key]

    def has_sensitive_argument(self, address: tuple[str, ...], name: str) -> bool:
        """Whether the provider or a sensitive value makes an argument or nested block of a resource sensitive."""
        kind = f"data.{address[1]}" if address[0] == "data" else address[0]
        if self.emission.unit.tables.providers.find_argument(kind, name).get("sensitive"):
            return True
        block = self.blocks.get(address)
        if block is None:
            return False
        if kind == "data.cloudinit_config":
            return any(self.has_sensitive_value(b) for b in block.body if isinstance(b, Block))
        return any(
            self.is_sensitive(item.value)
            if isinstance(item, Argument) and item.name in (name, "count", "for_each")
            else isinstance(item, Block) and item.type == name and self.has_sensitive_value(item)
            for item in block.body
        )

    def has_sensitive_value(self, block: Block) -> bool:
        """Whether an argument of a block is sensitive."""
        return any(self.is_sensitive(item.value) for item in block.body if isinstance(item, Argument))


def mark_sensitive_outputs(emission: Emission) -> None:
    """Writes `sensitive = true` where needed; callers get the labels of a module's outputs.

    A module gets it, too, or Terraform would refuse to test it by itself.
    """
    sensitivity, unit = Sensitivity(emission), emission.unit
    labels = {emission.names.outputs[name]: output for name, output in unit.template.outputs.items()}
    for block in emission.blocks.outputs:
        value = next(a for a in block.body if isinstance(a, Argument) and a.name == "value")
        output = labels.get(block.labels[0])
        in_heat = output is not None and unit.plan.kept and returns_heat_secret(emission, output)
        if in_heat or sensitivity.is_sensitive(value.value):
            emission.sensitive.add(block.labels[0])
            block.add_argument("sensitive", True)


def returns_heat_secret(emission: Emission, output: ir.Output) -> bool:
    """Whether an output has a secret that an embedded stack returns; Terraform does not know that it is one."""
    unit = emission.unit
    if unit.plan.is_embedded(OUTPUT + output.name):
        return unit.secrets.contains_secret(unit.stack, output.value)
    return any(
        isinstance(e, (ir.AttrRef, ir.ResourceRef))
        and (unit.plan.is_embedded(e.name) or unit.stack.types.get(e.name) == heat_types.VALUE)
        and unit.secrets.contains_secret(unit.stack, e)
        for e in ir.walk(output.value)
    )

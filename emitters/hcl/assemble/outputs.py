"""Writes `output` blocks, and marks those that are sensitive.

Invariant: every output with a sensitive value is marked `sensitive`, or Terraform rejects it. Sensitivity is traced
through locals, arguments and modules.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, final

from emitters.hcl import namespace
from emitters.hcl.assemble.variables import one_line
from emitters.hcl.embed.texts import FUNCTIONS
from emitters.hcl.errors import CannotSay
from emitters.hcl.plan import referrals, secret_values
from emitters.hcl.plan.planner import OUTPUT
from emitters.hcl.plan.preferences import FAITHFUL
from emitters.hcl.resources.handles import GivenUp, Instance
from emitters.hcl.tree.nodes import CHILDREN, Argument, Attr, Block, Cond, Expr, Index, Name, Splat
from emitters.hcl.tree.types import NULL, Value
from transpile.diagnostics import codes
from transpile.diagnostics.model import sentence
from transpile.model import ir

if TYPE_CHECKING:
    from emitters.hcl.embed.stack import Embedded
    from emitters.hcl.emission import Emission
    from emitters.hcl.lowering.lowering import Lowering


ONLY_HEATS = (
    codes.NOT_POSSIBLE_IN_HCL,
    codes.GROUP_WITHOUT_ID,
)  # attributes and references without an equivalent in Terraform


def write_output(emission: Emission, output: ir.Output, embedded: Embedded | None) -> None:
    """Writes one output. embedded: the embedded stack that computes it, if Heat must."""
    label = emission.names.outputs[output.name]
    lowering = emission.lowering.placed_at(output)
    condition = output.condition
    known = lowering.known(condition) if condition is not None else True
    if embedded is not None:
        value = embedded.output(
            (OUTPUT, output.name),
            namespace.snake(output.name),
            output.value,
            "text" if is_text(output.value) and condition is None else "any",
            False,
            output.condition,
        )
    elif known is False:
        value = Value(None, NULL, True)
    else:
        follows_ = condition is not None and known is None and follows(emission, output.value, condition)
        guarded = condition if known is None and not follows_ else None
        owner = namespace.snake(output.name)
        inner = lowering.owned(owner, output=True, nullable=follows_)
        value = lowered(emission, inner.assuming(guarded) if guarded is not None else inner, output)
        if guarded is not None and condition is not None:
            value = Value(Cond(lowering.test_outside(condition), value.expr, None), value.type, True)
    emission.outputs[output.name] = value
    block = Block("output", (label,), span=output.span)
    if output.description:
        block.set("description", one_line(output.description))
    block.set("value", value.expr, output)
    emission.blocks.outputs.append(block)
    emission.log.report.outputs[output.name] = {"output": label}
    if embedded is not None:
        emission.log.report.outputs[output.name]["why"] = f"Heat computes it, in {embedded.address}"


def lowered(emission: Emission, lowering: Lowering, output: ir.Output) -> Value:
    """The value of an output. Raises CannotSay if Terraform cannot express it, so that an embedded stack computes it.

    It is null instead in an adoption, and with --prefer native or provisioners if only Heat knows the value, or if it
    reads nothing that stays with Heat.
    """
    module = emission.unit.module
    text = module is not None and output.name in module.text_outputs
    try:
        return lowering.changed(in_text=text).value(without_lost(emission, output.value))
    except CannotSay as reason:
        if emission.unit.live is not None:
            message = sentence(f"{reason.why}; {output.name} is null")
            emission.log.differs(codes.VALUE_KNOWN_ONLY_TO_HEAT, message, reason)
            return Value(None, NULL, True)
        plan = emission.unit.plan
        if plan.prefer == FAITHFUL or (reason.code not in ONLY_HEATS and plan.kept.keys() & referrals.referred(output)):
            raise
        message = sentence(f"{reason.why}; this is null")
        emission.log.differs(codes.OUTPUT_KNOWN_ONLY_TO_HEAT, message, reason)
        return Value(None, NULL, True)


def without_lost(emission: Emission, expr: ir.Expr) -> ir.Expr:
    """The value of an output, with each function call that reads a left-out resource replaced by the reference itself,
    which will be null: few functions of Terraform take null.
    """
    if emission.unit.plan.prefer == FAITHFUL:
        return expr
    if isinstance(expr, (ir.Map, ir.Seq, ir.If)):
        return ir.rebuilt(expr, lambda one: without_lost(emission, one))
    for one in ir.walk(expr) if isinstance(expr, (ir.Call, ir.Repeat)) else ():
        if isinstance(one, (ir.ResourceRef, ir.AttrRef)):
            handle = emission.handles.get(one.name)
            if isinstance(handle, GivenUp) and handle.null_in_outputs():
                return one
    return expr


def is_text(expr: ir.Expr) -> bool:
    """Whether an expression is surely a string, which every HOT version can embed in another string."""
    if isinstance(expr, ir.AttrRef):
        return len(expr.path) > 1
    return isinstance(expr, (ir.Lit, ir.ResourceRef)) or (isinstance(expr, ir.Call) and expr.fn in FUNCTIONS)


def follows(emission: Emission, value: ir.Expr, condition: ir.Expr) -> bool:
    """Whether a value is a plain reference to a resource with the same condition, so that it is null anyway if the
    condition is false.
    """
    if not isinstance(value, (ir.ResourceRef, ir.AttrRef)):
        return False
    resource = emission.unit.template.resources.get(value.name)
    handle = emission.handles.get(value.name)
    return (
        resource is not None
        and resource.condition is not None
        and isinstance(handle, Instance)
        and emission.unit.settled(resource.condition) == emission.unit.settled(condition)
    )


REFERENCES = frozenset((Name, Attr, Splat, Index))


@final
class Sensitivity:
    """Finds the expressions that Terraform treats as sensitive."""

    def __init__(self, emission: Emission) -> None:
        self.emission = emission
        self.hidden = emission.variables.secret
        self.locals: dict[str, bool] = {}
        self.attributes: dict[tuple[str, ...], bool] = {}
        self.blocks: dict[tuple[str, ...], Block] = {}
        if self.hidden or emission.blocks.providers or emission.modules:
            for item in (*emission.blocks.main, *emission.blocks.data):
                if isinstance(item, Block) and item.type in ("resource", "data"):
                    self.blocks[item.labels if item.type == "resource" else ("data", *item.labels)] = item

    def of(self, expr: Expr) -> bool:
        todo = [expr]
        while todo:
            found = todo.pop()
            if type(found) in REFERENCES and self.one(found):
                return True
            if isinstance(found, (Attr, Splat)):  # inside are prefixes of the same traversal, and indexes
                while isinstance(found, (Attr, Splat, Index)):
                    todo += [found.key] if isinstance(found, Index) else []
                    found = found.of
                todo.append(found)
            elif type(found) in CHILDREN:
                todo += CHILDREN[type(found)](found)
        return False

    def one(self, expr: Expr) -> bool:
        """Whether a name or a traversal is sensitive, without its indexes."""
        if isinstance(expr, (Attr, Splat)) or (isinstance(expr, Index) and isinstance(expr.of, Name)):
            names_ = self.traversal(expr)
            return self.attribute(names_) if names_ else False
        if not isinstance(expr, Name):
            return False
        parts = expr.parts
        if parts[0] == "var":
            return parts[1] in self.hidden
        if parts[0] == "local":
            return self.local(parts[1])
        return self.attribute(parts)

    def traversal(self, expr: Expr) -> tuple[str, ...]:
        """The names in a traversal, without indexes; empty for other expressions."""
        names_: list[str] = []
        while not isinstance(expr, Name):
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

    def local(self, name: str) -> bool:
        if name not in self.locals:
            self.locals[name] = False
            found = self.emission.blocks.locals.get(name)
            self.locals[name] = found is not None and self.of(found.value)
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
            self.attributes[key] = self.argument(parts[:length], parts[length])
        return self.attributes[key]

    def argument(self, address: tuple[str, ...], name: str) -> bool:
        """Whether the provider or a sensitive value makes an argument or nested block of a resource sensitive."""
        kind = f"data.{address[1]}" if address[0] == "data" else address[0]
        facts = (self.emission.unit.tables.providers.find(kind) or {}).get("arguments", {}).get(name, {})
        if facts.get("sensitive"):
            return True
        block = self.blocks.get(address)
        if block is None:
            return False
        if kind == "data.cloudinit_config":
            return any(self.within(b) for b in block.body if isinstance(b, Block))
        return any(
            self.of(item.value)
            if isinstance(item, Argument) and item.name in (name, "count", "for_each")
            else isinstance(item, Block) and item.type == name and self.within(item)
            for item in block.body
        )

    def within(self, block: Block) -> bool:
        """Whether an argument of a block is sensitive."""
        return any(self.of(item.value) for item in block.body if isinstance(item, Argument))


def mark(emission: Emission) -> None:
    """Writes `sensitive = true` where needed. Outputs of modules do not need it; callers get their labels."""
    sensitivity, unit = Sensitivity(emission), emission.unit
    labels = {emission.names.outputs[name]: output for name, output in unit.template.outputs.items()}
    for block in emission.blocks.outputs:
        value = next(a for a in block.body if isinstance(a, Argument) and a.name == "value")
        output = labels.get(block.labels[0])
        in_heat = output is not None and unit.plan.kept and secret_of_heat(emission, output)
        if in_heat or sensitivity.of(value.value):
            emission.sensitive.add(block.labels[0])
            if unit.module is None:
                block.set("sensitive", True)


def secret_of_heat(emission: Emission, output: ir.Output) -> bool:
    """Whether an output has a secret that an embedded stack returns; Terraform does not know that it is one."""
    unit = emission.unit
    hidden = {name for name in unit.template.parameters if unit.hidden(name)}
    if unit.plan.embeds(OUTPUT + output.name):
        return secret_values.in_heat(unit.stack, output.value, hidden)
    return any(
        isinstance(e, (ir.AttrRef, ir.ResourceRef))
        and (unit.plan.embeds(e.name) or unit.stack.types.get(e.name) == secret_values.VALUE)
        and secret_values.in_heat(unit.stack, e, hidden)
        for e in ir.walk(output.value)
    )

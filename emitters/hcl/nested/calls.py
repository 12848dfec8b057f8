"""Writes the `module` block for a nested template, and lowers references to it.

Invariant: a module receives what Heat passes to a nested stack (`TemplateResource.child_params`): nothing for a
parameter that is not set, and the zero value of the type for null.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, final

from emitters.hcl.errors import CannotSay
from emitters.hcl.live import ID
from emitters.hcl.lowering import paths, told
from emitters.hcl.lowering.rewrites import negated, or_empty, ways
from emitters.hcl.namespace import output as output_name
from emitters.hcl.namespace import snake
from emitters.hcl.resources.handles import Instance
from emitters.hcl.resources.keys import keys_of
from emitters.hcl.tables.mapping import Kind
from emitters.hcl.tree.nodes import Argument, Attr, Block, Cond, Expr, Fn, ForTuple, Index, Name, Op, Tuple, data_of
from emitters.hcl.tree.types import ANY, BOOL, JSON, NULL, NUMBER, STRING, STRINGS, Type, Value, fit, literal
from transpile.diagnostics import codes
from transpile.diagnostics.model import sentence
from transpile.model import ir
from transpile.model.attribute_paths import TEMPLATE, Member, select
from transpile.model.records import replace
from transpile.report import attribute_path, fate
from transpile.schema import parameters

if TYPE_CHECKING:
    from collections.abc import Mapping

    from emitters.hcl.emission import Emission
    from emitters.hcl.lowering.lowering import Lowering
    from emitters.hcl.plan.modules import Interface, Module
    from emitters.hcl.resources.handles import Select

STACK_ID = "OS::stack_id"
# prefixes of keys of synthetic variables that only the user can set
OUTSIDE = ("file ", "hidden ", "ssh ", "open ", told.READ, told.SHARED)
WANTED: Mapping[str, Type] = {
    "string": STRING,
    "number": NUMBER,
    "boolean": BOOL,
    "comma_delimited_list": STRINGS,
    "json": JSON,
}
ZERO: Mapping[str, object] = {"string": "", "number": 0, "boolean": False, "comma_delimited_list": [], "json": {}}


class Called(Instance):
    """The handle of a module call."""

    def __init__(self, emission: Emission, resource: ir.Resource, module: Module, label: str, *, counted: bool) -> None:
        super().__init__(emission, resource, ("module", label), counted=counted)
        self.module = module
        reference = output_name(STACK_ID) if STACK_ID in module.stack.template.outputs else ""
        self.kind = Kind("module", "native", reference=reference)

    def reference(self, lowering: Lowering, ref: ir.Expr) -> Value:
        """The output OS::stack_id, if the template has one; the ID of the nested stack exists only in Heat."""
        if self.kind.reference:
            return self.select(lowering, ref, lambda base: Value(Attr(base, self.kind.reference), STRING), "")
        message = f"a reference to {self.resource.name} is the ID of a nested stack, which a module does not have"
        if lowering.scope.in_output:
            self.emission.log.differs(codes.GROUP_WITHOUT_ID, sentence(f"{message}; this is null"), ref)
            return Value(None, NULL, True)
        raise CannotSay(codes.GROUP_WITHOUT_ID, message, ref, self.resource.name)

    def attribute(self, lowering: Lowering, ref: ir.AttrRef) -> Value:
        choose = self.chooser(lowering, ref, ref.path)
        return self.select(lowering, ref, choose, attribute_path(ref.path))

    def chooser(self, lowering: Lowering, ref: ir.AttrRef, path: tuple[ir.Expr, ...]) -> Select:
        name = self.resource.name
        first = path[0] if path else None
        if not isinstance(first, ir.Lit):
            raise CannotSay(codes.NOT_POSSIBLE_IN_HCL, f"the attribute of {name} is known only at run time", ref, name)
        word, rest = str(first.value), path[1:]
        if isinstance(member := select(TEMPLATE, path), Member):
            word, rest = self.module.extra.get((member.name, member.path), ""), ()
        if word not in self.module.stack.template.outputs:
            if lowering.scope.in_output:
                wanted = word or attribute_path(path)
                message = f"The template of {name} has no output {wanted}; Heat fails, and this is null."
                self.emission.log.differs(codes.UNKNOWN_ATTRIBUTE, message, ref, "warning")
                return lambda base: Value(None, NULL, True)
            raise CannotSay(codes.UNKNOWN_ATTRIBUTE, f"the template of {name} has no output {word}", ref, name)
        assert self.module.interface is not None
        label, value = output_name(word), self.module.interface.outputs[word]
        if not rest:
            return lambda base: Value(Attr(base, label), value.type, value.null)
        return lambda base: paths.attribute(lowering, Value(Attr(base, label), value.type, value.null), [*rest])


@final
class Call:
    """Writes the block of a call. prefix: of the paths of properties in the report, for members of groups. member: the
    index or key of the member, `count.index`.
    """

    def __init__(
        self,
        emission: Emission,
        handle: Called,
        properties: ir.Map | None,
        lowering: Lowering,
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
        self.given = {e.key: e for e in properties.entries} if properties is not None else {}

    def write(self) -> None:
        emission, block = self.emission, self.block
        self.source = block.set("source", "")
        if (repeated := self.lowering.scope.repeated) is not None:
            block.body.append(repeated)
        given = self.given
        template = self.module.stack.template
        for name, entry in given.items():
            if name not in template.parameters:
                why = f"the template {self.module.file} has no parameter {name}"
                raise CannotSay(codes.UNKNOWN_PROPERTY, why, entry.key_span, self.resource.name)
        for name, param in template.parameters.items():
            if name in given:
                entry = given[name]
                self.lowering = self.lowering.placed_at(entry)
                self.argument(param, entry)
            elif (passed := self.passed.get((self.module.label, name))) is not None:
                block.set(self.variable(name), self.found(self.lowering, param, passed)[0].expr)
            elif name in self.module.stack.given:
                value = self.module.stack.given[name]
                secret = emission.symbols.hidden_default(param, value) if param.hidden else None
                block.set(self.variable(name), data_of(value.value) if secret is None else secret)
            elif param.default is None:
                why = f"the template {self.module.file} requires a value for {name}; Heat fails without it"
                raise CannotSay(codes.MISSING_PROPERTY, why, self.resource.name_span)
        region = self.region if self.region is not None else emission.symbols.region()
        if region is not None and self.module.regional:
            block.set(self.region_argument, region)
        self.addresses()
        self.facade()
        emission.calls.append(self)
        self.report.treatment, self.report.addresses = "module", [self.to]
        if self.resource.description:
            lines = self.resource.description.strip().splitlines()
            block.comments += [f" {line}" if line else "" for line in lines]
        keys_of(emission, self.resource, [block])
        emission.blocks.add(block, self.resource.name)

    @property
    def interface(self) -> Interface:
        assert self.module.interface is not None
        return self.module.interface

    def variable(self, name: str) -> str:
        return self.interface.variables[name]

    @property
    def region_argument(self) -> str:
        """The module's variable for the region."""
        return self.interface.region

    @property
    def passed(self) -> Mapping[tuple[str, str], ir.Expr]:
        """The values that the nested template gets in addition to the properties of the resource, by module and
        parameter.
        """
        unit = self.emission.unit
        assert unit.modules is not None
        return unit.modules.passed.get((id(unit.template.source), id(unit.stack.registry), self.resource.name), {})

    def found(self, lowering: Lowering, param: ir.Param, expr: ir.Expr) -> tuple[Value, str]:
        """The ID, or list of IDs, for a variable that has IDs where the parameter may have names, and its fate. For any
        other parameter, the value itself.
        """
        by_id, hint = self.module.ids.get(param.name) or self.module.added.get(param.name), snake(param.name)
        if by_id is None or by_id.lookup is None:
            return lowering.value(expr, WANTED[param.type]), self.emission.unit.how(expr)
        if not by_id.listed and isinstance(expr, ir.Lit) and expr.value in (None, ""):
            return Value("", STRING), "value"
        if not by_id.listed:
            value, how = self.emission.data.one(lowering, expr, by_id.lookup, "id", hint)
            test = self.emission.data.given(expr, lowering.expr(expr)) if isinstance(expr, ir.ParamRef) else None
            return value if test is None else Value(Cond(test, value.expr, ""), STRING), how
        value, hows = self.emission.data.many(lowering, expr, by_id.lookup, "id", hint)
        return value, hows[0] if len(set(hows)) == 1 else "lookup"

    def argument(self, param: ir.Param, entry: ir.Entry) -> None:
        """Writes one argument, and the fate of its property."""
        name, path = self.variable(param.name), self.prefix + entry.key
        lost = self.disappears(entry.value)
        if lost and param.default is None:
            why = f"a condition may omit {entry.key}, but {self.module.file} requires a value for it"
            raise CannotSay(codes.MISSING_PROPERTY, why, entry, self.resource.name)
        if entry.value == ir.NULL:
            self.block.set(name, data_of(ZERO[param.type]), entry)
            why = "Heat passes this value for null, not the default"
            self.report.properties[path] = fate("derived", self.to, name, why)
            return
        self.how = ""
        in_text = param.name in self.module.text_params
        lowering, convert = self.lowering.changed(in_text=in_text), self.branches if lost else self.converted
        value = convert(lowering, param, entry.value)
        if lost:
            self.module.null.add(name)
        self.block.set(name, value.expr, entry)
        self.report.properties[path] = fate(self.how or self.emission.unit.how(entry.value), self.to, name)

    def disappears(self, expr: ir.Expr) -> bool:
        """Whether a condition may omit the property, so that the default applies: an `if` without a third item."""
        if not isinstance(expr, ir.If):
            return False
        known = self.lowering.known(expr.condition)
        return (known is not False and self.disappears(expr.then)) or (
            known is not True and (expr.orelse is None or self.disappears(expr.orelse))
        )

    def branches(self, lowering: Lowering, param: ir.Param, expr: ir.Expr | None) -> Value:
        """A value that a condition may omit. It is null only in that case, for which Terraform uses the default."""
        if expr is None:
            return Value(None, NULL, True)
        if not isinstance(expr, ir.If) or not self.disappears(expr):
            return self.converted(lowering, param, expr)
        if (known := lowering.known(expr.condition)) is not None:
            return self.branches(lowering, param, expr.then if known else expr.orelse)
        test = lowering.condition(expr.condition)
        then = self.branches(lowering.assuming(expr.condition), param, expr.then)
        other = self.branches(lowering.assuming(negated(expr.condition)), param, expr.orelse)
        return Value(Cond(test, then.expr, other.expr), WANTED[param.type], True)

    def converted(self, lowering: Lowering, param: ir.Param, expr: ir.Expr) -> Value:
        """A value converted to the parameter's type as Heat does it. It is never null."""
        expr = zeroed(expr, param.type)
        if param.name in self.module.ids:
            value, self.how = self.found(lowering, param, expr)
            return not_null(value, param.type) if value.null and value.expr is not None else value
        if ir.literal(expr):
            raw = ir.data(expr)
            if param.type == "comma_delimited_list" and isinstance(raw, list):
                raw = passed(raw, expr, self.resource.name)
            # A placeholder such as %index% is not literal data: only the lowering replaces it.
            if not (lowering.scope.bound and has_text(raw, lowering)):
                try:
                    return Value(data_of(parameters.convert(param.type, raw)), WANTED[param.type])
                except ValueError as e:
                    raise CannotSay(
                        codes.WRONG_PROPERTY_TYPE, f"this is not a valid value of {param.name}: {e}", expr
                    ) from None
        want = WANTED[param.type]
        if param.type in ("number", "boolean"):
            expr = stripped(expr)
        value = lowering.value(expr, STRING if param.type == "string" else ANY)
        kind = value.type.kind
        if value.null:
            value = not_null(value, param.type)
        if param.type == "comma_delimited_list" and kind == "string":
            return Value(Cond(Op("==", value.expr, ""), data_of([]), Fn("split", (",", value.expr))), STRINGS)
        if param.type == "json" and kind == "string":
            return Value(Fn("jsondecode", (value.expr,)), ANY)
        if param.type == "boolean" and kind == "string" and not literal(value.expr):
            words = Fn("lower", (Fn("trimspace", (value.expr,)),))
            return Value(Fn("contains", (data_of(list(parameters.TRUE)), words)), BOOL)
        return fit(value, want) if param.type in ("number", "boolean") else value

    def addresses(self) -> None:
        """Passes the addresses of the floating IPs whose IDs are arguments. null where there is no floating IP."""
        for key, variable in self.interface.synthetic.items():
            if key.startswith(told.OF_PARAMETER):
                name = key.removeprefix(told.OF_PARAMETER)
                entry, param = self.given.get(name), self.module.stack.template.parameters[name]
                default = self.module.stack.given[name].value if name in self.module.stack.given else None
                value = entry.value if entry is not None else param.default if default is None else ir.Lit(default)
                if value is not None:
                    self.block.set(variable.labels[0], told.address(self.lowering, value, needed=False))

    def facade(self) -> None:
        """Passes the keys of the resource that the template reads with `resource_facade`."""
        synthetic = self.interface.synthetic
        for word in ("metadata", "deletion_policy", "update_policy"):
            key = f"facade_{word}"
            given = getattr(self.resource, word)
            if key in synthetic and given is not None:
                variable = synthetic[key].labels[0]
                lowering = self.lowering.owned(self.handle.address[1], resource=self.resource.name)
                self.block.set(variable, lowering.expr(given))
                spelled = next(k for k in self.resource.keys if self.word(k) == word)
                self.report.keys[spelled] = fate("value", self.to, variable)

    def finish(self) -> None:
        """Writes the arguments for synthetic variables. These are all known only when the modules are written. Heat
        names a nested stack after its resource. Values that only the user can set, such as the text of a file that may
        not be read, are passed through the caller.
        """
        synthetic = self.interface.synthetic
        if "stack_name" in synthetic:
            index = Name(tuple(self.member.split("."))) if self.member else None
            name = self.emission.symbols.generated_name(self.resource.name, index)
            self.block.body.insert(self.end(), Argument(synthetic["stack_name"].labels[0], name))
        self.running(index=Name(tuple(self.member.split("."))) if self.member else None)
        for key, block in synthetic.items():
            if key.startswith(OUTSIDE):
                shared = key.startswith(told.SHARED)
                outer = self.emission.variables.copy(key if shared else f"{key} of {self.module.name}", block)
                self.block.body.insert(self.end(), Argument(block.labels[0], outer))

    def running(self, index: Expr | None) -> None:
        """Passes the names that Heat gave to the running nested stack and its resources, if the module needs them."""
        unit, synthetic = self.emission.unit, self.interface.synthetic
        inner = unit.modules.live(self.module.stack) if unit.modules is not None else None
        wanted: dict[str, object] = {} if inner is None else {"stack_id": ID, "physical_names": inner.asked}
        for key, what in wanted.items():
            if key in synthetic:
                value = self.emission.symbols.running(self.resource.name, what, index)
                self.block.body.insert(self.end(), Argument(synthetic[key].labels[0], value))

    def locate(self) -> None:
        """Writes the path of the module. Its directory gets its name when its files are written, before those of
        callers.
        """
        above = "../" if self.emission.unit.module is not None else "./modules/"
        self.source.value = f"{above}{self.module.name}"
        self.report.module = self.module.name

    def forgo(self) -> None:
        """Removes the arguments for variables that the module does not use."""
        gone = self.module.unused
        self.block.body[:] = [one for one in self.block.body if not (isinstance(one, Argument) and one.name in gone)]
        why = f"nothing in {self.module.file} uses it"
        for fates in (self.report.properties, self.report.keys):
            for path, one in fates.items():
                if one.get("to") == self.to and one.get("argument") in gone:
                    fates[path] = fate("implied", why=why)

    def end(self) -> int:
        """The index after the last argument of the block."""
        return next((i for i, a in enumerate(self.block.body) if isinstance(a, Block)), len(self.block.body))

    def word(self, key: str) -> str | None:
        return self.emission.unit.template.version.dialect.resource.get(key)


def zeroed(expr: ir.Expr, kind: str) -> ir.Expr:
    """Replaces null, in any branch, by the zero value of the parameter's type."""
    if isinstance(expr, ir.If):
        orelse = zeroed(expr.orelse, kind) if expr.orelse is not None else None
        return replace(expr, then=zeroed(expr.then, kind), orelse=orelse)
    return ir.from_data(ZERO[kind], expr.span) if isinstance(expr, ir.Lit) and expr.value is None else expr


def stripped(expr: ir.Expr) -> ir.Expr:
    """Removes the whitespace around a literal text, in any branch. Heat ignores it in numbers and booleans."""
    if isinstance(expr, ir.If):
        orelse = stripped(expr.orelse) if expr.orelse is not None else None
        return replace(expr, then=stripped(expr.then), orelse=orelse)
    return replace(expr, value=expr.value.strip()) if isinstance(expr, ir.Lit) and isinstance(expr.value, str) else expr


def not_null(value: Value, kind: str) -> Value:
    """Replaces null by the zero value at run time; for a string that is converted later, by the zero value's text.

    For strings, `coalesce(value, "")` is not enough: it fails if all its arguments are null or empty.
    """
    expr = value.expr
    found = ways(expr)
    if value.type.kind == "string" or kind == "string":
        empty = "{}" if kind == "json" else ""
        if found != (expr,):
            inner = found[0] if len(found) == 1 else Fn("try", found)
            return Value(Fn("try", (Fn("coalesce", (inner,)), empty)), value.type)
        return Value(Cond(Op("==", expr, None), empty, expr) if empty else or_empty(expr), value.type)
    if kind == "json" or (
        kind == "comma_delimited_list" and value.type == ANY
    ):  # coalesce() and conditionals would convert the element types
        item = Name(("value",))
        listed = ForTuple(("value",), Tuple((expr, data_of(ZERO[kind]))), item, Op("!=", item, None))
        return Value(Index(listed, 0), value.type)
    return Value(Fn("coalesce", (expr, data_of(ZERO[kind]))), value.type)


def passed(raw: list[object], expr: ir.Expr, name: str) -> list[object]:
    """A list as Heat passes it on: joined with commas and split. Raises CannotSay for items that are not strings."""
    if raw and isinstance(raw[0], dict):
        return [f".member.{i}.{k}={v}" for i, item in enumerate(raw) if isinstance(item, dict) for k, v in item.items()]
    out: list[object] = []
    for item in raw:
        if item is not None and not isinstance(item, str):
            raise CannotSay(codes.WRONG_PROPERTY_TYPE, f"Heat passes only strings in lists, not {item!r}", expr, name)
        out += (item or "").split(",")
    return out


def has_text(raw: object, lowering: Lowering) -> bool:
    """Whether data contains a placeholder that the scope binds, such as `%index%`."""
    if isinstance(raw, str):
        return any(word in raw for word, _ in lowering.scope.bound)
    if isinstance(raw, list):
        return any(has_text(item, lowering) for item in raw)
    return isinstance(raw, dict) and any(has_text(item, lowering) for item in (*raw, *raw.values()))

"""Evaluates the expressions of a plug-in module, on constants and schemas, without running anything of it.

Invariant: each node costs a step, each result its size; an expression that cannot be known is an Opaque with its place.
What Python would refuse for certain is Raised; what this program does not know is never Raised.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Any, NoReturn, final

from transpile.model.meter import spend
from transpile.plugins import attribute, builtin, call, operation, statements
from transpile.plugins.journal import Journal, either
from transpile.plugins.machine import Limited, Scope
from transpile.plugins.syntax import Unreadable
from transpile.plugins.values import MISSING, Function, Maybe, Module, Opaque, Place, Raised, Table, is_opaque

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from transpile.plugins.imports import Imports
    from transpile.plugins.values import Class, Value

EXPRESSIONS = 150  # inside one another
CHAIN = 100  # modules that import one another
BATCH = 128  # steps that are paid for at once
MODULE = 400_000  # steps of one module; the largest known one takes a tenth


@final
class Evaluator:
    """One reading of plug-in directories: a Machine."""

    def __init__(self, imports: Imports) -> None:
        self.imports = imports
        self.journal = Journal()
        self.asked: dict[str, None] = {}
        self.imported: list[str] = []
        self.options: dict[tuple[str, ...], Value] = {}
        self.trying = 0
        self.failures: dict[int, tuple[Module, Raised]] = {}
        self.stopped: dict[int, tuple[Module, Limited | Unreadable]] = {}
        self.depth = self.calls = self.chain = 0
        self.steps = 0
        self.spent = 0  # steps of the module
        self.table: dict[type[ast.AST], Callable[[Any, Scope], Value]] = {
            ast.Constant: self.constant, ast.Name: self.name, ast.Attribute: self.attribute, ast.Tuple: self.sequence,
            ast.List: self.sequence, ast.Set: self.sequence, ast.Dict: self.mapping, ast.Call: self.call,
            ast.BinOp: self.binary, ast.UnaryOp: self.unary, ast.BoolOp: self.logic, ast.Compare: self.compare,
            ast.Subscript: self.subscript, ast.Slice: self.slice, ast.IfExp: self.choice, ast.Lambda: self.lambda_,
            ast.JoinedStr: self.joined, ast.FormattedValue: self.formatted, ast.ListComp: self.comprehension,
            ast.SetComp: self.comprehension, ast.DictComp: self.comprehension, ast.GeneratorExp: self.comprehension,
            ast.NamedExpr: self.named, ast.Yield: self.yielded, ast.YieldFrom: self.yielded,
        }  # fmt: skip

    # Costs

    def pay(self, steps: int, place: Place) -> None:
        """Pays for work at a place."""
        self.steps += steps
        if self.steps >= BATCH:
            unit, paid, self.steps = place.unit, self.steps, 0
            self.spent += paid
            spend("plugin_steps", paid, unit.source, *unit.span(place.node))
            if self.spent > MODULE:
                raise Limited(f"it takes more than {MODULE:,} steps", place)

    def place(self, node: ast.AST, scope: Scope) -> Place:
        assert scope.module.unit is not None
        return Place(scope.module.unit, node)

    def unknown(self, reason: str, node: ast.AST, scope: Scope) -> Opaque:
        return Opaque(reason, self.place(node, scope))

    def raises(self, name: str, message: str, node: ast.AST, scope: Scope) -> NoReturn:
        raise Raised(name, message, self.place(node, scope))

    # Expressions

    def value(self, node: ast.expr, scope: Scope) -> Value:
        """The value of an expression."""
        run = self.table.get(type(node))
        if run is None:
            return self.unknown(f"{type(node).__name__} is not read", node, scope)
        self.steps += 1
        if self.steps >= BATCH:
            self.pay(0, self.place(node, scope))
        if self.depth >= EXPRESSIONS:
            raise Limited(f"expressions are nested more than {EXPRESSIONS} deep", self.place(node, scope))
        self.depth += 1
        try:
            return run(node, scope)
        finally:
            self.depth -= 1

    def constant(self, node: ast.Constant, scope: Scope) -> Value:
        return self.unknown("it is no constant of a schema", node, scope) if node.value is ... else node.value

    def name(self, node: ast.Name, scope: Scope) -> Value:
        name = node.id
        for names in (scope.body, *scope.around, scope.module.names):
            if name in names:
                found = names[name]
                break
        else:
            found = builtin.NAMES.get(name, MISSING)
        if found is MISSING:
            if name == "_":  # old releases gave it to every module
                self.fail(scope.module, Raised("NameError", "name '_' is not defined", self.place(node, scope)))
                return self.imports.native["heat.common.i18n"].names["_"]
            if not scope.module.complete or scope.module.failed:
                return self.unknown(f"{name} is not known", node, scope)
            self.raises("NameError", f"name '{name}' is not defined", node, scope)
        return found

    def attribute(self, node: ast.Attribute, scope: Scope) -> Value:
        return attribute.get(self, self.value(node.value, scope), node.attr, self.place(node, scope))

    def items(self, nodes: Sequence[ast.expr], scope: Scope) -> list[Value] | Opaque:
        """The values of a list's items, with starred ones; an Opaque if nobody knows how many there are."""
        out: list[Value] = []
        for node in nodes:
            if isinstance(node, ast.Starred):
                inner = self.iterated(self.value(node.value, scope), self.place(node, scope))
                if isinstance(inner, Opaque):
                    return inner
                out.extend(inner)
            else:
                out.append(self.value(node, scope))
        return out

    def sequence(self, node: ast.Tuple | ast.List | ast.Set, scope: Scope) -> Value:
        found = self.items(node.elts, scope)
        if isinstance(found, Opaque):
            return found
        if isinstance(node, ast.Tuple):
            return tuple(found)
        if isinstance(node, ast.List):
            return self.journal.new(found)
        assert scope.module.unit is not None
        if (node.lineno, node.col_offset) in scope.module.unit.quoted:
            return self.unknown("it is a representation", node, scope)
        return operation.a_set(found, self.place(node, scope))

    def mapping(self, node: ast.Dict, scope: Scope) -> Value:
        out = self.journal.new(Table())
        for key, value in zip(node.keys, node.values, strict=True):
            place = self.place(value, scope)
            if key is None:
                builtin.update(self, out, self.value(value, scope), place)
            else:
                builtin.put(self, out, self.value(key, scope), self.value(value, scope), place)
        return out

    def call(self, node: ast.Call, scope: Scope) -> Value:
        function = self.value(node.func, scope)
        arguments: list[Value] = []
        rest: Opaque | None = None
        named: dict[str, Value] = {}
        found = self.items(node.args, scope)
        if isinstance(found, Opaque):
            rest = found
        else:
            arguments = found
        for keyword in node.keywords:
            value = self.value(keyword.value, scope)
            if keyword.arg is not None:
                named[keyword.arg] = value
            elif isinstance(value, Table) and value.unknown is None and all(isinstance(k, str) for k in value):
                named.update(value)
            else:
                rest = value if isinstance(value, Opaque) else self.unknown("the arguments are not known", node, scope)
        return call.call(self, function, arguments, named, self.place(node, scope), rest, scope)

    def binary(self, node: ast.BinOp, scope: Scope) -> Value:
        left, right = self.value(node.left, scope), self.value(node.right, scope)
        return operation.binary(self, node.op, left, right, self.place(node, scope))

    def unary(self, node: ast.UnaryOp, scope: Scope) -> Value:
        value = self.value(node.operand, scope)
        if isinstance(node.op, ast.Not):
            truth = self.truth(value)
            return self.unknown("it depends on what is not known", node, scope) if truth is None else not truth
        if is_opaque(value):
            return self.unknown("it is computed from what is not known", node, scope)
        if isinstance(value, int | float):
            if isinstance(node.op, ast.USub):
                return -value
            if isinstance(node.op, ast.UAdd):
                return +value
            if isinstance(value, int):
                return ~value
        return self.unknown("this operation is not read", node, scope)

    def logic(self, node: ast.BoolOp, scope: Scope) -> Value:
        stops = isinstance(node.op, ast.Or)
        place = self.place(node, scope)
        pending: list[Value] = []
        for one in node.values[:-1]:
            value = self.value(one, scope)
            truth = self.truth(value)
            if truth is None:
                pending.append(value)
            elif truth is stops:
                return value if not pending else self.merged([*pending, value], place)
        return self.merged([*pending, self.value(node.values[-1], scope)], place)

    def merged(self, values: list[Value], place: Place) -> Value:
        """One of several values."""
        out = values[-1]
        for value in values[:-1]:
            out = either(value, out, place)
        return out

    def compare(self, node: ast.Compare, scope: Scope) -> Value:
        left = self.value(node.left, scope)
        for op, other in zip(node.ops, node.comparators, strict=True):
            right = self.value(other, scope)
            found = operation.compare(self, op, left, right, self.place(node, scope))
            if found is not True:
                return found
            left = right
        return True

    def subscript(self, node: ast.Subscript, scope: Scope) -> Value:
        value, index = self.value(node.value, scope), self.value(node.slice, scope)
        return operation.subscript(self, value, index, self.place(node, scope))

    def slice(self, node: ast.Slice, scope: Scope) -> Value:
        parts = [None if one is None else self.value(one, scope) for one in (node.lower, node.upper, node.step)]
        if all(part is None or type(part) is int for part in parts) and parts[2] != 0:
            return slice(*parts)
        return self.unknown("the slice is not known", node, scope)

    def choice(self, node: ast.IfExp, scope: Scope) -> Value:
        truth = self.truth(self.value(node.test, scope))
        if truth is None:
            return either(self.value(node.body, scope), self.value(node.orelse, scope), self.place(node, scope))
        return self.value(node.body if truth else node.orelse, scope)

    def lambda_(self, node: ast.Lambda, scope: Scope) -> Value:
        return self.function("<lambda>", node, scope)

    def function(self, name: str, node: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda, scope: Scope) -> Function:
        """A function, whose defaults are computed now."""
        defaults = [self.value(one, scope) for one in node.args.defaults]
        named = {
            one.arg: self.value(default, scope)
            for one, default in zip(node.args.kwonlyargs, node.args.kw_defaults, strict=True)
            if default is not None
        }
        return Function(name, node, scope.module, scope.inner(), defaults, named)

    def joined(self, node: ast.JoinedStr, scope: Scope) -> Value:
        parts = [self.value(one, scope) for one in node.values]
        place = self.place(node, scope)
        for part in parts:
            if not isinstance(part, str):
                return self.unknown("it is computed from what is not known", node, scope)
        self.pay(sum(map(len, parts)) // 16, place)
        return operation.sized("".join(parts), place)

    def formatted(self, node: ast.FormattedValue, scope: Scope) -> Value:
        value = self.value(node.value, scope)
        if node.conversion != -1 or node.format_spec is not None:
            return self.unknown("this form of a text is not read", node, scope)
        return builtin.text(value, self.place(node, scope))

    def named(self, node: ast.NamedExpr, scope: Scope) -> Value:
        value = self.value(node.value, scope)
        self.journal.put(scope.of(node.target.id), node.target.id, value)
        return value

    def yielded(self, node: ast.Yield | ast.YieldFrom, scope: Scope) -> Value:
        value = None if node.value is None else self.value(node.value, scope)
        if scope.yields is not None:
            if isinstance(node, ast.Yield):
                scope.yields.append(value)
            else:
                inner = self.iterated(value, self.place(node, scope))
                scope.yields.extend([inner] if isinstance(inner, Opaque) else inner)
        return self.unknown("a generator gets it from its caller", node, scope)

    def comprehension(self, node: ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp, scope: Scope) -> Value:
        """The values of a comprehension, one after the other. A class's names are seen by its first iterable only."""
        around = scope.around if scope.kind in ("class", "module") else (scope.body, *scope.around)
        inner = Scope(scope.module, {}, "function", around, scope.owner)
        place = self.place(node, scope)
        found: list[tuple[Value, Value]] = []
        unknown: list[Opaque] = []

        def each(depth: int) -> None:
            if depth == len(node.generators):
                if isinstance(node, ast.DictComp):
                    found.append((self.value(node.key, inner), self.value(node.value, inner)))
                else:
                    found.append((self.value(node.elt, inner), None))
                return
            one = node.generators[depth]
            items = self.iterated(self.value(one.iter, scope if depth == 0 else inner), place)
            if isinstance(items, Opaque):
                unknown.append(items)
                return
            for item in items:
                self.pay(1, place)
                self.bind(one.target, item, inner)
                keeps = True
                for test in one.ifs:
                    truth = self.truth(self.value(test, inner))
                    if truth is None:
                        unknown.append(self.unknown("it depends on a test that is not known", test, inner))
                    keeps = bool(truth) and keeps
                if keeps:
                    each(depth + 1)

        each(0)
        if isinstance(node, ast.DictComp):
            table = self.journal.new(Table())
            for key, value in found:
                builtin.put(self, table, key, value, place)
            for why in unknown[:1]:
                self.journal.doubt(table, why)
            return table
        if unknown:
            return self.unknown("it is made from what is not known", node, scope)
        values = [value for value, _ in found]
        return operation.a_set(values, place) if isinstance(node, ast.SetComp) else self.journal.new(values)

    # What statements need, too

    def invoke(
        self, function: Value, arguments: list[Value], place: Place, named: dict[str, Value] | None = None
    ) -> Value:
        """What a call gives."""
        return call.call(self, function, arguments, named or {}, place)

    def load(self, module: Module) -> None:
        """Runs the statements of a module, unless that was done."""
        if module.state == "new" and module.unit is not None:
            spent, self.spent = self.spent, 0
            depth, self.depth = self.depth, 0
            trying, self.trying = self.trying, 0
            frames, self.journal.frames = self.journal.frames, []  # a module runs whoever imports it
            self.chain += 1
            try:
                if self.chain > CHAIN:
                    module.complete = False
                    raise Limited(
                        f"more than {CHAIN} modules import one another", Place(module.unit, module.unit.parse())
                    )
                statements.run_module(self, module)
            except (Limited, Unreadable) as error:
                module.state, module.complete = "done", False
                self.stopped[id(module)] = (module, error)
            except RecursionError:
                module.state, module.complete = "done", False
                self.stopped[id(module)] = (module, Unreadable("it is nested too deeply"))
            finally:
                self.spent, self.depth, self.trying, self.journal.frames = spent, depth, trying, frames
                self.chain -= 1

    def module(self, name: str, level: int, importer: Module, place: Place) -> Value:
        """The module that an import names: a Module, or an Opaque."""
        found = self.imports.find(name, level, importer, place)
        if isinstance(found, Module):
            self.load(found)
        return found

    def inside(self, module: Module, name: str, place: Place) -> Value:
        """The module of that name inside a package; MISSING if there is none."""
        found = self.imports.inside(module, name)
        if isinstance(found, Module):
            self.load(found)
        return found

    def known(self, path: str) -> Class | Module | None:
        """What this program knows of a dotted path."""
        return self.imports.known(path)

    def schema(self, kind: str) -> Class:
        """Heat's class that makes schemas, constraints or statuses of a kind."""
        return self.imports.knowledge.schemas[kind]

    def fail(self, module: Module, error: Raised) -> None:
        """A module raises when it is imported; reading goes on."""
        module.failed = True
        self.failures.setdefault(id(module), (module, error))

    def truth(self, value: Value) -> bool | None:
        """Whether a value counts as true; None if nobody knows. What a library gives is there: it is taken as
        installed.
        """
        if isinstance(value, Opaque):
            if value.path and "(" not in value.path:
                if value.library:
                    self.asked[value.library] = None
                return True
            return None
        if isinstance(value, Maybe):
            return None
        if isinstance(value, Table):
            if any(not isinstance(one, Maybe) for one in value.values()):
                return True
            return None if value.unknown or value else False
        if value is None or isinstance(value, bool | int | float | str | bytes | list | tuple | set):
            return bool(value)
        return True

    def iterated(self, value: Value, place: Place) -> list[Value] | Opaque:
        """The items that a loop over a value gets; an Opaque if nobody knows."""
        if isinstance(value, Opaque):
            return value
        if isinstance(value, Table):
            if value.unknown is not None:
                return value.unknown
            if any(isinstance(one, Maybe) for one in value.values()):
                return Opaque("which keys there are is not known", place)
            items = list(value)
        elif isinstance(value, list | tuple | str):
            items = list(value)
        elif isinstance(value, set):
            items = sorted(value, key=repr)
        elif value is None or isinstance(value, int | float):
            raise Raised("TypeError", f"'{type(value).__name__}' object is not iterable", place)
        else:
            return Opaque("what it holds is not known", place)
        if any(isinstance(one, Maybe) for one in items):
            return Opaque("which items there are is not known", place)
        self.pay(1 + len(items), place)
        return items

    def bind(self, target: ast.expr, value: Value, scope: Scope) -> None:
        """Assigns a value to a target."""
        place = self.place(target, scope)
        if isinstance(target, ast.Name):
            self.journal.put(scope.of(target.id), target.id, value)
        elif isinstance(target, ast.Tuple | ast.List):
            self.unpack(target, value, scope)
        elif isinstance(target, ast.Attribute):
            attribute.put(self, self.value(target.value, scope), target.attr, value, place)
        elif isinstance(target, ast.Subscript):
            table, index = self.value(target.value, scope), self.value(target.slice, scope)
            operation.store(self, table, index, value, place)
        elif isinstance(target, ast.Starred):
            self.bind(target.value, value, scope)

    def unpack(self, target: ast.Tuple | ast.List, value: Value, scope: Scope) -> None:
        place = self.place(target, scope)
        items = self.iterated(value, place)
        names = target.elts
        star = next((i for i, one in enumerate(names) if isinstance(one, ast.Starred)), None)
        if isinstance(items, Opaque):
            for one in names:
                self.bind(one, items, scope)
            return
        if star is not None and len(items) >= len(names) - 1:
            after = len(names) - star - 1
            middle = items[star : len(items) - after]
            items = [*items[:star], middle, *items[len(items) - after :]]
        if len(items) != len(names):
            raise Raised("ValueError", f"{len(names)} names are assigned {len(items)} values", place)
        for one, item in zip(names, items, strict=True):
            self.bind(one, item, scope)

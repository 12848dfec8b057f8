"""Expressions as TOSCA 1.3 values, in native form where possible, else as expression nodes.

Only functions that TOSCA lacks and values that fit no type become nodes. Each part of a value gets its fate where it is
written.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from emitters.tosca.references import CannotBeNative
from emitters.tosca.shapes import SCALARS, NoFit, Shape, call_like, scalar
from emitters.tosca.texts import Texts
from transpile.diagnostics import codes
from transpile.model import ir
from transpile.report import fate

if TYPE_CHECKING:
    from emitters.tosca.references import Owner


class Functions(Texts):
    """Translates the values of one template."""

    # values in their shapes

    def value(self, expr: ir.Expr, shape: Shape | None, owner: Owner, path: tuple[str, ...]) -> Any:
        """Translates a value. With `shape` None, any shape will do."""
        before = len(self.lifted), len(owner.edges), len(owner.artifacts)
        try:
            return self.fitting(expr, shape, owner, path)
        except (NoFit, CannotBeNative):
            self.undo(owner, *before)
            return self.lift(expr, owner, path)

    def fitting(self, expr: ir.Expr, shape: Shape | None, owner: Owner, path: tuple[str, ...]) -> Any:
        if isinstance(expr, ir.Lit):
            found = self.scalar(expr, shape, path)
        elif isinstance(expr, ir.Seq):
            found = self.sequence(expr, shape, owner, path)
            if expr.items:
                return found
        elif isinstance(expr, ir.Map):
            found = self.mapping(expr, shape, owner, path)
            if expr.entries:
                return found
        else:
            found = self.native(expr, shape, owner, path)
            self.fated(expr, owner, path)
            return found
        owner.fates[".".join(path)] = fate("value", owner.name, owner.path + ".".join(path))
        return found

    def fated(self, expr: ir.Expr, owner: Owner, path: tuple[str, ...]) -> None:
        where = ".".join(path)
        if isinstance(expr, ir.FileRef):
            why = "an artifact: get_artifact returns the location of the file, get_file its content"
            owner.fates[where] = fate("derived", owner.name, owner.path + where, why, codes.FILE_AS_ARTIFACT)
        else:
            how = "reference" if isinstance(expr, (ir.ResourceRef, ir.AttrRef)) else "value"
            owner.fates[where] = fate(how, owner.name, owner.path + where)

    def scalar(self, expr: ir.Lit, shape: Shape | None, path: tuple[str, ...]) -> Any:
        if expr.value is None:
            if shape is not None and shape.kind == "string" and len(path) == 1:
                return None
            raise NoFit
        if shape is None:
            return expr.value
        return scalar(shape.kind, expr.value)

    def sequence(self, expr: ir.Seq, shape: Shape | None, owner: Owner, path: tuple[str, ...]) -> Any:
        if shape is not None and shape.kind != "list":
            raise NoFit
        entry = None if shape is None else shape.entry
        return [self.value(item, entry, owner, (*path, str(i))) for i, item in enumerate(expr.items)]

    def mapping(self, expr: ir.Map, shape: Shape | None, owner: Owner, path: tuple[str, ...]) -> Any:
        if call_like(expr):
            raise NoFit
        if shape is None:
            return {e.key: self.value(e.value, None, owner, (*path, e.key)) for e in expr.entries}
        if shape.kind == "map":
            return {e.key: self.value(e.value, shape.entry, owner, (*path, e.key)) for e in expr.entries}
        if shape.kind != "record" or any(e.key not in shape.fields for e in expr.entries):
            raise NoFit
        return {e.key: self.value(e.value, shape.fields[e.key], owner, (*path, e.key)) for e in expr.entries}

    # functions

    def native(self, expr: ir.Expr, shape: Shape | None, owner: Owner, path: tuple[str, ...]) -> Any:
        """Translates a function to native TOSCA. Raises CannotBeNative."""
        texts = shape is not None and shape.kind == "string"
        nested = len(path) > 1
        if isinstance(expr, ir.ParamRef):
            if expr.name not in self.inputs.all:
                raise CannotBeNative  # the name does not exist: Heat would fail at run time
            if not expr.path:
                return {"get_input": expr.name}
            if not texts:
                raise CannotBeNative
            return {"concat": [self.input_path(expr)]}
        if isinstance(expr, ir.ResourceRef):
            return self.reference(expr, owner)
        if isinstance(expr, ir.AttrRef):
            return self.attribute(expr, texts, owner)
        if isinstance(expr, ir.FileRef):
            found = self.artifact(expr, owner, path)
            return {"concat": [found]} if nested else found
        if isinstance(expr, ir.Call) and (shape is None or shape.kind in SCALARS):
            found = self.text(expr, owner)
            return {"concat": [found]} if nested and "join" in found else found
        raise CannotBeNative

    def artifact(self, expr: ir.FileRef, owner: Owner, path: tuple[str, ...]) -> Any:
        if not owner.is_node:
            raise CannotBeNative
        file = self.readable(expr)
        name = ".".join(path)
        owner.artifacts[name] = file
        self.locates(expr)
        return {"get_artifact": ["SELF", name]}

"""Translates expressions to TOSCA 1.3 values, in native form where possible, else to expression nodes.

Only functions that TOSCA lacks and values that fit no type become nodes. The code that writes a part of a value also
records its fate.
"""

from __future__ import annotations

from typing import Any

from emitters.tosca.references import CannotBeNative, ValueOwner
from emitters.tosca.shapes import SCALARS, NoFit, Shape, call_like, fit_scalar
from emitters.tosca.texts import TextTranslation
from transpile.diagnostics import codes
from transpile.model import ir
from transpile.report import make_fate


class ValueTranslation(TextTranslation):
    """Translates the values of one template."""

    # values in their shapes

    def translate_value(self, expr: ir.Expr, shape: Shape, owner: ValueOwner, path: tuple[str, ...]) -> Any:
        """Translates a value. With the shape ANY, any will do."""
        before = len(self.lifted), len(owner.edges), len(owner.artifacts)
        try:
            return self.translate_fitting(expr, shape, owner, path)
        except (NoFit, CannotBeNative):
            self.undo_additions(owner, *before)
            return self.lift_expression(expr, owner, path)

    def translate_fitting(self, expr: ir.Expr, shape: Shape, owner: ValueOwner, path: tuple[str, ...]) -> Any:
        if isinstance(expr, ir.Lit):
            value = self.translate_scalar(expr, shape, path)
        elif isinstance(expr, ir.Seq):
            value = self.translate_sequence(expr, shape, owner, path)
            if expr.items:
                return value
        elif isinstance(expr, ir.Map):
            value = self.translate_mapping(expr, shape, owner, path)
            if expr.entries:
                return value
        else:
            value = self.translate_function(expr, shape, owner, path)
            self.record_fate(expr, owner, path)
            return value
        owner.fates[".".join(path)] = make_fate("value", owner.name, owner.path + ".".join(path))
        return value

    def record_fate(self, expr: ir.Expr, owner: ValueOwner, path: tuple[str, ...]) -> None:
        where = ".".join(path)
        if isinstance(expr, ir.FileRef):
            why = "an artifact: get_artifact returns the location of the file, get_file its content"
            owner.fates[where] = make_fate("derived", owner.name, owner.path + where, why, codes.FILE_AS_ARTIFACT)
        else:
            how = "reference" if isinstance(expr, (ir.ResourceRef, ir.AttrRef)) else "value"
            owner.fates[where] = make_fate(how, owner.name, owner.path + where)

    def translate_scalar(self, expr: ir.Lit, shape: Shape, path: tuple[str, ...]) -> Any:
        if expr.value is None:
            if shape.kind == "string" and len(path) == 1:
                return None
            raise NoFit
        return fit_scalar(shape.kind, expr.value)

    def translate_sequence(self, expr: ir.Seq, shape: Shape, owner: ValueOwner, path: tuple[str, ...]) -> Any:
        if shape.kind not in ("list", "any"):
            raise NoFit
        entry = shape.shape_at()
        return [self.translate_value(item, entry, owner, (*path, str(i))) for i, item in enumerate(expr.items)]

    def translate_mapping(self, expr: ir.Map, shape: Shape, owner: ValueOwner, path: tuple[str, ...]) -> Any:
        if call_like(expr) or not shape.accepts_keys(expr):
            raise NoFit
        return {
            e.key: self.translate_value(e.value, shape.shape_at(e.key), owner, (*path, e.key)) for e in expr.entries
        }

    # functions

    def translate_function(self, expr: ir.Expr, shape: Shape, owner: ValueOwner, path: tuple[str, ...]) -> Any:
        """Translates a function to native TOSCA. Raises CannotBeNative."""
        texts = shape.kind == "string"
        nested = len(path) > 1
        if isinstance(expr, ir.ParamRef):
            if expr.name not in self.inputs.by_name:
                raise CannotBeNative  # the name does not exist: Heat would fail at run time
            if not expr.path:
                return {"get_input": expr.name}
            if not texts:
                raise CannotBeNative
            return {"concat": [self.input_path(expr)]}
        if isinstance(expr, ir.ResourceRef):
            return self.translate_reference(expr, owner)
        if isinstance(expr, ir.AttrRef):
            return self.translate_attribute(expr, texts, owner)
        if isinstance(expr, ir.FileRef):
            value = self.translate_file(expr, owner, path)
            return {"concat": [value]} if nested else value
        if isinstance(expr, ir.Call) and shape.kind in (*SCALARS, "any"):
            value = self.translate_text(expr, owner)
            return {"concat": [value]} if nested and "join" in value else value
        raise CannotBeNative

    def translate_file(self, expr: ir.FileRef, owner: ValueOwner, path: tuple[str, ...]) -> Any:
        if not owner.is_node:
            raise CannotBeNative
        file = self.add_readable_file(expr)
        name = ".".join(path)
        owner.artifacts[name] = file
        self.locates(expr)
        return {"get_artifact": ["SELF", name]}

"""Decides which values of an embedded stack are surely strings; an output passes these without JSON around them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from transpile.model import ir
from transpile.model.attribute_paths import Member, select

if TYPE_CHECKING:
    from transpile.resolve.stack import Stack

FUNCTIONS = (  # intrinsic functions whose results are strings
    "list_join",
    "str_replace",
    "str_replace_strict",
    "str_replace_vstrict",
    "Fn::Join",
    "Fn::Replace",
    "Fn::Base64",
    "digest",
)
LOOSE = (
    "OS::Neutron::",
    "OS::Cinder::",
    "OS::Octavia::",
    "OS::Keystone::",
    "OS::Manila::",
    "OS::Magnum::",
    "OS::Trove::",
)  # attributes that these declare as strings may be of other types
ODD = ("_code", "_up", "enabled")  # endings of the names of such attributes
DEPTH = 8  # nested templates through which an output is traced


def trusted(kind: str, attribute: str) -> bool:
    """Whether an attribute that a type declares as a string surely is one."""
    return not kind.startswith(LOOSE) and not attribute.endswith(ODD)


def is_text(stack: Stack, expr: ir.Expr | None, depth: int = DEPTH) -> bool:
    """Whether an expression is surely a string, and not null."""
    if isinstance(expr, ir.Lit):
        return isinstance(expr.value, str)
    if isinstance(expr, ir.If):
        return is_text(stack, expr.then, depth) and is_text(stack, expr.orelse, depth)
    if isinstance(expr, ir.ParamRef):
        param = stack.template.parameters.get(expr.name)
        return param is not None and param.type == "string" and not expr.path
    if isinstance(expr, ir.AttrRef):
        return attribute_is_text(stack, expr.name, expr.path, depth)
    return isinstance(expr, ir.ResourceRef) or (isinstance(expr, ir.Call) and expr.fn in FUNCTIONS)


def attribute_is_text(stack: Stack, name: str, path: tuple[ir.Expr, ...], depth: int = DEPTH) -> bool:
    """Whether an attribute of a resource is surely a string: of a nested template, if its output is."""
    resource = stack.template.resources.get(name)
    word = path[0].value if len(path) == 1 and isinstance(path[0], ir.Lit) else None
    if resource is None or resource.condition is not None or not isinstance(word, str) or not depth:
        return False
    inside = next((nested for (owner, _), nested in stack.nested.items() if owner == name), None)
    if inside is None:
        kind = stack.types[name]
        facts = stack.catalog.find(kind)
        return facts is not None and facts["attributes"].get(word) == "string" and trusted(kind, word)
    if (name, resource.type) not in stack.nested:  # a group, whose other attributes are lists
        match select(stack.types[name], path):
            case Member(_, (ir.Lit(str(word)),), int()):
                pass
            case _:
                return False
    output = inside.stack.template.outputs.get(word)
    return output is not None and output.condition is None and is_text(inside.stack, output.value, depth - 1)

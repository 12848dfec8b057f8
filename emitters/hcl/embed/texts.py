"""Decides which values of an embedded stack are surely strings; an output passes these without JSON around them.

This is no analysis of the value flow: the declared types of parameters and attributes answer. So a value is followed
only through the outputs of nested templates, and only the literals and functions of an expression matter.
"""

from __future__ import annotations

from transpile.model import ir
from transpile.model.attribute_paths import GroupMember, parse_attribute_path
from transpile.resolve.stack import Stack

STRING_FUNCTIONS = (  # intrinsic functions whose results are strings
    "list_join",
    "str_replace",
    "str_replace_strict",
    "str_replace_vstrict",
    "Fn::Join",
    "Fn::Replace",
    "Fn::Base64",
    "digest",
)
UNRELIABLE_TYPES = (
    "OS::Neutron::",
    "OS::Cinder::",
    "OS::Octavia::",
    "OS::Keystone::",
    "OS::Manila::",
    "OS::Magnum::",
    "OS::Trove::",
)  # attributes that these declare as strings may be of other types
UNRELIABLE_ENDINGS = ("_code", "_up", "enabled")  # endings of the names of such attributes
DEPTH = 8  # nested templates through which an output is traced


def is_reliable_string(kind: str, attribute: str) -> bool:
    """Whether an attribute that a type declares as a string surely is one."""
    return not kind.startswith(UNRELIABLE_TYPES) and not attribute.endswith(UNRELIABLE_ENDINGS)


def is_string_expression(stack: Stack, expr: ir.Expr | None, depth: int = DEPTH) -> bool:
    """Whether an expression is surely a string, and not null."""
    if isinstance(expr, ir.Lit):
        return isinstance(expr.value, str)
    if isinstance(expr, ir.If):
        return is_string_expression(stack, expr.then, depth) and is_string_expression(stack, expr.orelse, depth)
    if isinstance(expr, ir.ParamRef):
        return stack.template.type_of_parameter(expr.name) == "string" and not expr.path
    if isinstance(expr, ir.AttrRef):
        return is_string_attribute(stack, expr.name, expr.path, depth)
    return isinstance(expr, ir.ResourceRef) or (isinstance(expr, ir.Call) and expr.fn in STRING_FUNCTIONS)


def is_string_attribute(stack: Stack, name: str, path: tuple[ir.Expr, ...], depth: int = DEPTH) -> bool:
    """Whether an attribute of a resource is surely a string: of a nested template, if its output is."""
    resource = stack.template.resources.get(name)
    word = path[0].value if len(path) == 1 and isinstance(path[0], ir.Lit) else None
    if resource is None or resource.is_conditional or not isinstance(word, str) or not depth:
        return False
    inside = next((nested for (owner, _), nested in stack.nested.items() if owner == name), None)
    if inside is None:
        kind = stack.types[name]
        return stack.catalog.find_type(kind).get("attributes", {}).get(word) == "string" and is_reliable_string(
            kind, word
        )
    if (name, resource.type) not in stack.nested:  # a group, whose other attributes are lists
        match parse_attribute_path(stack.types[name], path):
            case GroupMember(_, (ir.Lit(str(word)),), int()):
                pass
            case _:
                return False
    output = inside.stack.template.outputs.get(word)
    return (
        output is not None and not output.is_conditional and is_string_expression(inside.stack, output.value, depth - 1)
    )

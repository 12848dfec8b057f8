"""Lowers `get_file`: to a copied file, or to a Terraform template file if something in the text is replaced.

Texts are replaced by `str_replace`, by groups (their index) and by `repeat`.

Invariant: a rendered template file equals Heat's text byte for byte, so everything that Terraform would interpret is
escaped.
"""

from __future__ import annotations

from typing import NamedTuple

from emitters.hcl.errors import CannotSay
from emitters.hcl.lowering.files import path_in_module
from emitters.hcl.lowering.lowering import HclLowering
from emitters.hcl.lowering.rewrites import loop_names, replace_in_text
from emitters.hcl.tree import strings
from emitters.hcl.tree.nodes import Expr, Fn, Object, Traversal, Tuple
from emitters.hcl.tree.types import STRING, TypedValue
from transpile import evaluate
from transpile.diagnostics import codes
from transpile.model import ir
from transpile.model.meter import Meter
from transpile.text.source import UnreadableFile

NOTHING = ir.Map(())


class RewrittenFile(NamedTuple):
    """A file that was read: its path below files/, and its text."""

    path: str
    text: str


def lower_get_file(lowering: HclLowering, ref: ir.FileRef) -> TypedValue:
    """The text of a file: a copy in files/, or a variable if hot2tf may not read it."""
    try:
        file = lowering.unit.stack.root.read_file(ref.name)
    except UnreadableFile as e:
        return TypedValue(replace_in_text(lowering.files.variable_for_file(ref, e), lowering.scope.bound), STRING)
    path = f"files/{lowering.files.path_of_copy(file)}"
    try:
        content = file.decode_text()
    except UnreadableFile:  # Heat's client sends a file that is no text as base64, in lines
        message = f"{ref.name} is not UTF-8; Heat's client sends it as base64, and so does the output."
        lowering.differs(codes.TEXT_NOT_NFC_OR_UTF8, message, ref)
        lowering.blocks.files[path] = file.data
        encoded = Fn("filebase64", (path_in_module(path),))
        lines = Fn("join", ("\n", Fn("regexall", (".{1,76}", encoded))))
        return TypedValue(Fn("join", ("", Tuple((lines, "\n")))), STRING)
    lowering.log.report_unnormalized_text(content, ref)
    if any(placeholder in content for placeholder, _ in lowering.scope.bound):
        return lower_template_file(lowering, RewrittenFile(lowering.files.path_of_copy(file), content), ref)
    lowering.blocks.files[path] = file.data
    return TypedValue(Fn("file", (path_in_module(path),)), STRING)


def read_file_to_rewrite(lowering: HclLowering, ref: ir.FileRef) -> RewrittenFile | TypedValue:
    """A file whose text the caller will rewrite; a variable if hot2tf may not read it."""
    try:
        file = lowering.unit.stack.root.read_file(ref.name)
        content = file.decode_text()
    except UnreadableFile as e:
        if e.kind == "encoding":
            raise CannotSay(codes.TEXT_NOT_NFC_OR_UTF8, f"{ref.name} is not UTF-8", ref) from None
        return TypedValue(replace_in_text(lowering.files.variable_for_file(ref, e), lowering.scope.bound), STRING)
    lowering.log.report_unnormalized_text(content, ref)
    return RewrittenFile(lowering.files.path_of_copy(file), content)


def lower_template_file(
    lowering: HclLowering, file: RewrittenFile, where: ir.Expr, params: ir.Map = NOTHING
) -> TypedValue:
    """A call of templatefile(), or of file() if nothing in the text is replaced."""
    files, path = lowering.blocks.files, file.path
    keys = [e.key for e in params.entries if e.key]
    bound = [placeholder for placeholder, _ in lowering.scope.bound]
    variables = dict(zip([*keys, *bound], loop_names([*keys, *bound], set()), strict=True))
    used: dict[str, Expr] = {}
    by_key = {e.key: e.value for e in params.entries}

    def use_variable(name: str, value: Expr) -> Traversal:
        used[name] = value
        return Traversal((name,))

    def inserted_parts(key: str) -> list[str | Traversal]:
        value = by_key[key]
        if ir.is_plain_data(value):
            return pieces_of(str(evaluate.format_replacement(ir.to_data(value))))
        return [use_variable(variables[key], lowering.compose_text(lowering.lower_text_parts(value)).expr)]

    def pieces_of(literal: str) -> list[str | Traversal]:
        out: list[str | Traversal] = [literal]
        for placeholder, value in lowering.scope.bound:
            for i, part in reversed(list(enumerate(out))):
                if isinstance(part, str) and placeholder in part:
                    name = use_variable(variables[placeholder], value)
                    out[i : i + 1] = [x for piece in part.split(placeholder) for x in (name, piece)][1:]
        return [part for part in out if part != ""]

    pieces = evaluate.split_at_placeholders(file.text, keys, Meter(lowering.template.source, where).spend_steps)
    inserted = {key: inserted_parts(key) for key in evaluate.replacement_order(pieces)}
    parts: list[str | Traversal] = []
    for i, piece in enumerate(pieces):
        parts += inserted[piece] if i % 2 else pieces_of(piece)
    if not used and all(isinstance(p, str) for p in parts) and "".join(str(p) for p in parts) == file.text:
        files[f"files/{path}"] = file.text
        return TypedValue(Fn("file", (path_in_module(f"files/{path}"),)), STRING)
    used = {name: used[name] for name in variables.values() if name in used}  # in the order of the template
    name = f"templates/{path}.tftpl"
    number = 2
    template_text = strings.print_template_file(parts)
    while name in files and files[name] != template_text:
        name, number = f"templates/{path}.{number}.tftpl", number + 1
    files[name] = template_text
    return TypedValue(Fn("templatefile", (path_in_module(name), Object(tuple(used.items())))), STRING)

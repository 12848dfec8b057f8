"""Lowers `get_file`: to a copied file, or to a Terraform template file if something in the text is replaced.

Texts are replaced by `str_replace`, by groups (their index) and by `repeat`.

Invariant: a rendered template file equals Heat's text byte for byte, so everything that Terraform would interpret is
escaped.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from emitters.hcl.errors import CannotSay
from emitters.hcl.lowering.files import path_of
from emitters.hcl.lowering.rewrites import loop_names, split_in
from emitters.hcl.tree import strings
from emitters.hcl.tree.nodes import Expr, Fn, Name, Object, Tuple
from emitters.hcl.tree.types import STRING, Value
from transpile import evaluate
from transpile.diagnostics import codes
from transpile.model import ir
from transpile.model.meter import Meter
from transpile.text.source import Unreadable

if TYPE_CHECKING:
    from emitters.hcl.lowering.lowering import Lowering

NOTHING = ir.Map(())


class Named(NamedTuple):
    """A file that was read: its path below files/, and its text."""

    path: str
    text: str


def text(lowering: Lowering, ref: ir.FileRef) -> Value:
    """The text of a file: a copy in files/, or a variable if hot2tf may not read it."""
    try:
        found = lowering.unit.stack.root.read(ref.name)
    except Unreadable as e:
        return Value(split_in(lowering.files.unread(ref, e), lowering.scope.bound), STRING)
    path = f"files/{lowering.files.stored(found)}"
    try:
        content = found.text()
    except Unreadable:  # Heat's client sends a file that is no text as base64, in lines
        message = f"{ref.name} is not UTF-8; Heat's client sends it as base64, and so does the output."
        lowering.differs(codes.TEXT_NOT_NFC_OR_UTF8, message, ref)
        lowering.blocks.files[path] = found.data
        encoded = Fn("filebase64", (path_of(path),))
        lines = Fn("join", ("\n", Fn("regexall", (".{1,76}", encoded))))
        return Value(Fn("join", ("", Tuple((lines, "\n")))), STRING)
    lowering.log.check_text(content, ref)
    if any(placeholder in content for placeholder, _ in lowering.scope.bound):
        return replaced(lowering, Named(lowering.files.stored(found), content), ref)
    lowering.blocks.files[path] = found.data
    return Value(Fn("file", (path_of(path),)), STRING)


def named(lowering: Lowering, ref: ir.FileRef) -> Named | Value:
    """A file whose text the caller will rewrite; a variable if hot2tf may not read it."""
    try:
        found = lowering.unit.stack.root.read(ref.name)
        content = found.text()
    except Unreadable as e:
        if e.kind == "encoding":
            raise CannotSay(codes.TEXT_NOT_NFC_OR_UTF8, f"{ref.name} is not UTF-8", ref) from None
        return Value(split_in(lowering.files.unread(ref, e), lowering.scope.bound), STRING)
    lowering.log.check_text(content, ref)
    return Named(lowering.files.stored(found), content)


def replaced(lowering: Lowering, file: Named, where: ir.Expr, params: ir.Map = NOTHING) -> Value:
    """A call of templatefile(), or of file() if nothing in the text is replaced."""
    files, path = lowering.blocks.files, file.path
    keys = [e.key for e in params.entries if e.key]
    bound = [placeholder for placeholder, _ in lowering.scope.bound]
    variables = dict(zip([*keys, *bound], loop_names([*keys, *bound], set()), strict=True))
    used: dict[str, Expr] = {}
    by_key = {e.key: e.value for e in params.entries}

    def put(name: str, value: Expr) -> Name:
        used[name] = value
        return Name((name,))

    def found(key: str) -> list[str | Name]:
        value = by_key[key]
        if ir.literal(value):
            return pieces_of(str(evaluate.replacement(ir.data(value))))
        return [put(variables[key], lowering.compose(lowering.text(value)).expr)]

    def pieces_of(literal: str) -> list[str | Name]:
        out: list[str | Name] = [literal]
        for placeholder, value in lowering.scope.bound:
            for i, part in reversed(list(enumerate(out))):
                if isinstance(part, str) and placeholder in part:
                    name = put(variables[placeholder], value)
                    out[i : i + 1] = [x for piece in part.split(placeholder) for x in (name, piece)][1:]
        return [part for part in out if part != ""]

    pieces = evaluate.parted(file.text, keys, Meter(lowering.template.source, where).pay)
    inserted = {key: found(key) for key in evaluate.met(pieces)}
    parts: list[str | Name] = []
    for i, piece in enumerate(pieces):
        parts += inserted[piece] if i % 2 else pieces_of(piece)
    if not used and all(isinstance(p, str) for p in parts) and "".join(str(p) for p in parts) == file.text:
        files[f"files/{path}"] = file.text
        return Value(Fn("file", (path_of(f"files/{path}"),)), STRING)
    used = {name: used[name] for name in variables.values() if name in used}  # in the order of the template
    name = f"templates/{path}.tftpl"
    number = 2
    shown = strings.template(parts)
    while name in files and files[name] != shown:
        name, number = f"templates/{path}.{number}.tftpl", number + 1
    files[name] = shown
    return Value(Fn("templatefile", (path_of(name), Object(tuple(used.items())))), STRING)

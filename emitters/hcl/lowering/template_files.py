"""Files in whose text something is replaced: a template file of Terraform's, with the placeholders rewritten.

`str_replace` replaces, and so do groups (their index) and `repeat`, in whatever text stands in them.

The easy rule to break: the rewritten file must come out as Heat's text to the last byte, so everything that Terraform
would take for a directive is escaped.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from emitters.hcl.lowering.rewrites import loop_names
from emitters.hcl.tree import strings
from emitters.hcl.tree.nodes import Expr, Fn, Name, Object
from emitters.hcl.tree.types import STRING, Value
from transpile import evaluate
from transpile.model import ir

if TYPE_CHECKING:
    from emitters.hcl.directory import Directory
    from emitters.hcl.lowering.lower import Lowering


NOTHING = ir.Map(())


def replaced(lowering: Lowering, text: str) -> bool:
    """Whether a group or a loop replaces something in a text."""
    return any(placeholder in text for placeholder, _ in lowering.bound)


def file(directory: Directory, lowering: Lowering, path: str, text: str, params: ir.Map = NOTHING) -> Value:
    """The call of templatefile(), or of file() if nothing in the text is replaced."""
    from emitters.hcl.lowering.files import path_of

    keys = [e.key for e in params.entries if e.key]
    bound = [placeholder for placeholder, _ in lowering.bound]
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
        for placeholder, value in lowering.bound:
            for i, part in reversed(list(enumerate(out))):
                if isinstance(part, str) and placeholder in part:
                    name = put(variables[placeholder], value)
                    out[i : i + 1] = [x for piece in part.split(placeholder) for x in (name, piece)][1:]
        return [part for part in out if part != ""]

    def join(key: str, pieces: list[list[str | Name]]) -> list[str | Name]:
        out: list[str | Name] = []
        for i, piece in enumerate(pieces):
            out += [*(found(key) if i else []), *piece]
        return out

    parts: list[str | Name] = evaluate.replace_keys(text, evaluate.in_order(keys), lambda key: key, pieces_of, join)
    if not used and all(isinstance(p, str) for p in parts) and "".join(str(p) for p in parts) == text:
        directory.files[f"files/{path}"] = text
        return Value(Fn("file", (path_of(f"files/{path}"),)), STRING)
    name = f"templates/{path}.tftpl"
    number = 2
    shown = strings.template(parts)
    while name in directory.files and directory.files[name] != shown:
        name, number = f"templates/{path}.{number}.tftpl", number + 1
    directory.files[name] = shown
    return Value(Fn("templatefile", (path_of(name), Object(tuple(used.items())))), STRING)

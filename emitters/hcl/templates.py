"""`str_replace` over files: a template file of Terraform's, with the placeholders rewritten.

The easy rule to break: the rewritten file must come out as Heat's text to the last byte, so everything that Terraform
would take for a directive is escaped.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from emitters.hcl import functions, strings
from emitters.hcl.forms import loop_names
from emitters.hcl.tree import Expr, Fn, Name, Object
from emitters.hcl.types import STRING, Value
from transpile import evaluate, ir

if TYPE_CHECKING:
    from emitters.hcl.directory import Directory
    from emitters.hcl.lower import Lowering


def file(directory: Directory, lowering: Lowering, path: str, text: str, params: ir.Map, call: ir.Call) -> Value:
    """The call of templatefile(), or of file() if nothing in the text is replaced."""
    from emitters.hcl.directory import path_of

    functions.check(lowering, call, text, params)
    keys = [e.key for e in params.entries if e.key]
    variables = dict(zip(keys, loop_names(keys, set()), strict=True))
    used: dict[str, Expr] = {}
    by_key = {e.key: e.value for e in params.entries}

    def found(key: str) -> str | Name:
        value = by_key[key]
        if ir.literal(value):
            return str(evaluate.replacement(ir.data(value)))
        used[variables[key]] = lowering.compose(lowering.text(value)).expr
        return Name((variables[key],))

    def join(key: str, pieces: list[list[str | Name]]) -> list[str | Name]:
        out: list[str | Name] = []
        for i, piece in enumerate(pieces):
            out += [*([found(key)] if i else []), *piece]
        return out

    parts: list[str | Name] = evaluate.replace_keys(
        text, evaluate.in_order(keys), lambda key: key, lambda piece: [piece], join
    )
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

"""Writes terraform.tfvars.example: the variables for which Terraform asks, to copy and to fill in.

Invariant: a copy is a valid file of values. No placeholder is a value that somebody could mean, and sensitive variables
have no placeholder: their values belong in the environment.
"""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING

from emitters.hcl.tree.nodes import Argument, Block, Expr, Fn, Name, Note, Object, Tuple
from emitters.hcl.tree.printer import document, flat

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

NAME = "terraform.tfvars.example"
COPY = "values.auto.tfvars"
WIDTH = 96  # columns of a comment
LINES = 6  # of the comment above a variable
LONGEST = 60  # characters of a type
ELSEWHERE = "variables.tf says more."
STRING = Name(("string",))
LISTS = ("list", "set")


def text(first: Note, variables: Iterable[Block], asked: Collection[str]) -> str:
    """The whole file. first: its first line. asked: the labels of the variables that go into it."""
    how = Note([f" Terraform asks for these. Copy this file to {COPY}, and replace every placeholder."])
    parts: list[Note | Argument] = [first, how, *(entry(one) for one in variables if one.labels[0] in asked)]
    return "\n".join(document([part], constant=True) for part in parts)


def entry(block: Block) -> Note | Argument:
    """A variable with its description and constraints above it."""
    label = block.labels[0]
    given = {one.name: one.value for one in block.body if isinstance(one, Argument)}
    kind = given.get("type")
    shown = flat(kind) if kind is not None else "any"
    words = [given.get("description"), f"Type: {shown}" if len(shown) <= LONGEST else "Type: see variables.tf"]
    for inner in block.body:
        if isinstance(inner, Block) and inner.type == "validation":
            words += [one.value for one in inner.body if isinstance(one, Argument) and one.name == "error_message"]
    lines = [line for one in words if isinstance(one, str) for line in textwrap.wrap(" ".join(one.split()), WIDTH)]
    if len(lines) > LINES:
        lines = [*lines[: LINES - 1], ELSEWHERE]
    if given.get("sensitive") is True:
        lines.append(f"{label} is hidden: set TF_VAR_{label}, and write it to no file.")
        return Note([f" {line}" for line in lines])
    return Argument(label, placeholder(kind, label), comments=[f" {line}" for line in lines])


def placeholder(kind: Expr | None, label: str) -> Expr:
    """A value of a type that nobody could mean: `<label>` for a string; null if every other value could be meant."""
    if kind == STRING:
        return f"<{label}>"
    if isinstance(kind, Fn) and kind.name in LISTS:
        return Tuple((placeholder(kind.args[0], label),))
    if isinstance(kind, Fn) and kind.name == "object" and isinstance(kind.args[0], Object):
        needed = [(k, v) for k, v in kind.args[0].entries if not (isinstance(v, Fn) and v.name == "optional")]
        return Object(tuple((k, placeholder(v, str(k))) for k, v in needed))
    return None

"""Writes the example of a file of values: the variables for which Terraform asks, to copy and to fill in.

Invariant: a copy is a valid file of values. No placeholder is a value that somebody could mean: it is made here, or the
template's author wrote it in place of a value. Sensitive variables have none: their values belong in the
environment.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

from emitters.hcl.assemble.value_files import ValueFiles
from emitters.hcl.tree.nodes import Argument, Block, Expr, Fn, Note, Object, Traversal, Tuple
from emitters.hcl.tree.printer import print_hcl, print_inline
from transpile.text.wrapping import wrap_line

WIDTH = 96  # columns of a comment
LINES = 6  # of the comment above a variable
LONGEST = 60  # characters of a type
ELSEWHERE = "variables.tf says more."
STRING = Traversal(("string",))
LISTS = ("list", "set")


def print_example(
    first: Note,
    variables: Iterable[Block],
    asked: Collection[str],
    placeholders: Mapping[str, Expr],
    heat_names: Mapping[str, str],
    files: ValueFiles,
) -> str:
    """Prints the example file. first: its first line. asked: the labels of the variables that go into it. placeholders:
    the texts of the input in place of their values, by label. heat_names: the parameters that have another name, by
    label. files: the names of this file and of the file for the values.
    """
    where = f"Add them to {files.copy}" if files.environment else f"Copy this file to {files.copy}"
    how = Note([f" Terraform asks for these. {where}, replace every placeholder, and commit it."])
    parts: list[Note | Argument] = [
        first,
        how,
        *(variable_entry(variable, placeholders, heat_names) for variable in variables if variable.labels[0] in asked),
    ]
    return "\n".join(print_hcl([part], constant=True) for part in parts)


def variable_entry(block: Block, placeholders: Mapping[str, Expr], heat_names: Mapping[str, str]) -> Note | Argument:
    """A variable with its description and constraints above it."""
    label = block.labels[0]
    arguments = {argument.name: argument.value for argument in block.body if isinstance(argument, Argument)}
    type_expression = arguments.get("type")
    type_text = print_inline(type_expression) if type_expression is not None else "any"
    words = [
        f"{heat_names[label]} in Heat." if label in heat_names else None,
        arguments.get("description"),
        f"Type: {type_text}" if len(type_text) <= LONGEST else "Type: see variables.tf",
    ]
    for inner in block.body:
        if isinstance(inner, Block) and inner.type == "validation":
            words += [
                argument.value
                for argument in inner.body
                if isinstance(argument, Argument) and argument.name == "error_message"
            ]
    lines = [line for text in words if isinstance(text, str) for line in wrap_line(" ".join(text.split()), WIDTH)]
    if len(lines) > LINES:
        lines = [*lines[: LINES - 1], ELSEWHERE]
    if arguments.get("sensitive") is True:
        lines.append(f"{label} is hidden: set TF_VAR_{label}, and write it to no file.")
        return Note([f" {line}" for line in lines])
    value = placeholders[label] if label in placeholders else make_placeholder(type_expression, label)
    return Argument(label, value, comments=[f" {line}" for line in lines])


def make_placeholder(type_expression: Expr | None, label: str) -> Expr:
    """A value of a type that nobody could mean: `<label>` for a string; null if every other value could be meant."""
    if type_expression == STRING:
        return f"<{label}>"
    if isinstance(type_expression, Fn) and type_expression.name in LISTS:
        return Tuple((make_placeholder(type_expression.args[0], label),))
    if (
        isinstance(type_expression, Fn)
        and type_expression.name == "object"
        and isinstance(type_expression.args[0], Object)
    ):
        needed = [
            (k, v) for k, v in type_expression.args[0].entries if not (isinstance(v, Fn) and v.name == "optional")
        ]
        return Object(tuple((k, make_placeholder(v, str(k))) for k, v in needed))
    return None

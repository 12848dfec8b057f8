"""Prints the table of import IDs for docs/import-ids.md.

Regenerate the page after every change: `python -m emitters.hcl.adoption.imports_listing > docs/import-ids.md`.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator

from emitters.hcl.tables.imports import (
    CloudQuestion,
    FirstWithValue,
    IdForm,
    IdPart,
    ImportRow,
    LiteralText,
    LiveArgument,
    LiveProperty,
    PhysicalId,
    StackAttribute,
    StoredData,
    UnreadArgument,
    load_rows,
)
from transpile.adoption.live_fields import COMPARED_TYPES
from transpile.text.markdown import escape_prose
from transpile.text.page_templates import fill_template

SETTLING = "\\*"


def print_imports_page() -> str:
    """The page docs/import-ids.md."""
    rows = load_rows().values()
    importable = [row for row in rows if not row.none]
    variables = {
        "importable": [(f"`{row.type}`", row.kind, describe_ids(row), list_ignored(row)) for row in importable],
        "others": [(f"`{row.type}`", row.none, row.anew or "it must not be") for row in rows if row.none],
        "reasons": [
            (f"`{row.type}`", arguments, escape_prose(why))
            for row in importable
            for why, arguments in group_reasons(row).items()
        ],
        "compared": [
            (f"`{name}`", ", ".join(f"`{field.name}`" for field in compared.fields))
            for name, compared in COMPARED_TYPES.items()
        ],
    }
    return fill_template(__package__, "import-ids.md.j2", variables).replace("|  |", "| |")


def describe_ids(row: ImportRow) -> str:
    """The forms of the ID of a type, and the arguments with which the import fails."""
    lines = [describe_form(row.form)]
    lines += [f"as a part of another resource: {describe_form(row.inside)}"] if row.inside is not None else []
    lines += [f"`{heat}`: {describe_form(form)}" for heat, form in row.of.items()]
    lines += [f"**secret**: {row.secret}"] if row.secret else []
    lines += [f"fails with `{argument}`: {why}" for argument, why in row.refused.items()]
    return "<br>".join(lines)


def describe_form(form: IdForm) -> str:
    """The form of an ID, with questions to the cloud in words."""
    words = form.separator.join(describe_part(part) for part in form.parts)
    questions = [text for part in form.parts for text in list_questions(part)]
    return f"`{words}`" + (f", {', '.join(questions)}" if questions else "")


def describe_part(part: IdPart) -> str:
    match part:
        case PhysicalId():
            return "<last part of physical>" if part.last else "<physical>"
        case LiveArgument():
            return f"<{part.argument}>"
        case LiveProperty():
            return f"<property {part.name}>"
        case LiteralText():
            return part.text
        case StoredData():
            return f"<data {part.key}>"
        case StackAttribute():
            return f"<stack {part.attribute}>"
        case CloudQuestion():
            return f"<{part.kind} {part.take}>"
        case FirstWithValue():
            return " or ".join(describe_part(inner) for inner in part.parts)


def list_questions(part: IdPart) -> Iterator[str]:
    """The questions to the cloud in a part."""
    if isinstance(part, FirstWithValue):
        for inner in part.parts:
            yield from list_questions(inner)
    elif isinstance(part, CloudQuestion):
        by = ", ".join(f"`{name}` = `{describe_part(inner)}`" for name, inner in part.by)
        but = "".join(f", but not with `{name}` = `{value}`" for name, value in part.but)
        prefer = "".join(
            f", preferably with `{name}` = {' or '.join(f'`{value}`' for value in values)}"
            for name, values in part.prefer
        )
        yield f"asked for: the {part.kind} with {by}{but}{prefer}"


def list_ignored(row: ImportRow) -> str:
    return ", ".join(f"`{argument}`{SETTLING if argument in row.settles else ''}" for argument in row.unread)


def group_reasons(row: ImportRow) -> dict[str, str]:
    """The reasons, each with its arguments."""
    arguments_by_reason: dict[str, list[str]] = {}
    for argument, unread in row.unread.items():
        arguments_by_reason.setdefault(unread.why + describe_case(argument, unread), []).append(f"`{argument}`")
    return {why: ", ".join(arguments) for why, arguments in arguments_by_reason.items()}


def describe_case(argument: str, unread: UnreadArgument) -> str:
    """The condition of a row, in parentheses; empty if the row applies whenever the argument is written."""
    arguments = (
        " or ".join(describe_written_name(name) for name in unread.with_arguments)
        if unread.with_arguments != (argument,) or unread.when
        else ""
    )
    conditions = [f"with {arguments}"] * bool(arguments) + [f"if {unread.when}"] * bool(unread.when)
    return f" ({' and '.join(conditions)})" if conditions else ""


def describe_written_name(name: str) -> str:
    return f"several {name[:-1]} blocks" if name.endswith("+") else name


if __name__ == "__main__":
    sys.stdout.write(print_imports_page())

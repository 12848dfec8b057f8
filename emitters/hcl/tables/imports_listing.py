"""Prints the table of import IDs for docs/import-ids.md.

Regenerate the page after every change: `python -m emitters.hcl.tables.imports_listing > docs/import-ids.md`.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from emitters.hcl.tables.imports import (
    Either,
    Given,
    Literal,
    OfStack,
    Physical,
    Property,
    Question,
    Stored,
    rows,
)
from emitters.hcl.tables.listing import prose, table

if TYPE_CHECKING:
    from collections.abc import Iterator

    from emitters.hcl.tables.imports import Form, Part, Row, Unread

INTRO = """# Import IDs

Generated from the table `emitters/hcl/tables/imports.yaml`:
`python -m emitters.hcl.tables.imports_listing > docs/import-ids.md`.

One row for every Terraform resource type that hot2tf writes: the ID that the provider wants in an `import` block, where
its parts come from, and which arguments the provider does not read back. `hot2tf adopt` writes `ignore_changes` for
these, so that the plan after the import is empty. The facts are from the source and the documentation of the providers
openstack 3.4, random 3.6 and time 0.12.

In the forms of IDs, `<physical>` is the physical ID of the Heat resource, and every other word is the live value of
that argument. *Kind* is the object's name in the `openstack` client, as in `openstack port show`."""

FORMAT = """## The table's format

| key | meaning | example |
|---|---|---|
| `kind` | the object as the `openstack` client calls it, if it has an ID of its own | `kind: floating ip` |
| `id` | the parts of the ID in order; the physical ID if there is no such key | `id: [zone_id, physical]` |
| `separator` | what stands between the parts; a slash if there is no such key | `separator: ""` |
| `inside` | the same for a part of a Heat resource, such as a rule of a security group | `inside: router_id` |
| `of` | the ID for some Heat types | `of: { OS::Nova::FloatingIPAssociation: { property: floating_ip } }` |
| `unread` | the arguments that the import does not read back, with the reasons | `unread: { tags: … }` |
| `refused` | the arguments with which the import fails, with the reasons | `refused: { user_id: … }` |
| `secret` | why the ID is a secret | `secret: the ID is the password itself` |
| `none` | why the type cannot be imported | `none: it is only a delay` |
| `anew` | beside `none`: what happens if it is made anew, if that does no harm | `anew: the delay passes again` |

A part is one of these:

| part | value |
|---|---|
| `physical` | the physical ID of the Heat resource |
| `{ last: physical }` | what follows its last slash |
| a word | the live value of the argument of this name |
| `{ optional: NAME }` | the same; an empty text if there is none |
| `{ property: NAME }` | the live value of a property of the Heat resource |
| `{ text: TEXT }` | the text |
| `{ data: KEY }` | what Heat has stored for the resource under the key |
| `{ data: KEY, each: ATTRIBUTE }` | an attribute of the only item of the list that Heat has stored there |
| `{ stack: id }` | the ID of the stack |
| `{ lookup: KIND, by: { ATTRIBUTE: PART }, take: ATTRIBUTE, but: { ATTRIBUTE: VALUE } }` | a question to the cloud |
| `{ either: [PART, …] }` | the first of these that has a value |

An argument in `unread` matters if the block has it. With `why` and `with`, it matters if the block has one of the
arguments in `with`, or always if there are none: `network.port` is in a nested block, `network+` means several blocks.
With `when`, it matters only in that case: a bootable volume is attached to the server, or the stack has parameters that
the block does not have."""


def page() -> str:
    """The page docs/import-ids.md."""
    every = rows()
    taken = [one for one in every.values() if not one.none]
    parts = [INTRO, "## Types that can be imported"]
    head = ("type", "kind", "import ID", "not read back")
    parts.append("\n".join(table(head, ((f"`{one.type}`", one.kind, ids(one), ignored(one)) for one in taken))))
    parts.append("## Types that cannot be imported")
    never = ((f"`{one.type}`", one.none, one.anew or "it must not be") for one in every.values() if one.none)
    parts += ["\n".join(table(("type", "why", "if it is made anew"), never)), "## Why arguments are not read back"]
    reasons = ((f"`{one.type}`", arguments, prose(why)) for one in taken for why, arguments in whys(one).items())
    parts.append("\n".join(table(("type", "arguments", "why"), reasons)))
    parts.append(FORMAT)
    return "\n\n".join(parts) + "\n"


def ids(row: Row) -> str:
    """The forms of the ID of a type, and the arguments with which the import fails."""
    found = [shown(row.form)]
    found += [f"as a part of another resource: {shown(row.inside)}"] if row.inside is not None else []
    found += [f"`{heat}`: {shown(form)}" for heat, form in row.of.items()]
    found += [f"**secret**: {row.secret}"] if row.secret else []
    found += [f"fails with `{argument}`: {why}" for argument, why in row.refused.items()]
    return "<br>".join(found)


def shown(form: Form) -> str:
    """The form of an ID, with questions to the cloud in words."""
    words = form.separator.join(word(one) for one in form.parts)
    questions = [text for one in form.parts for text in asked(one)]
    return f"`{words}`" + (f", {', '.join(questions)}" if questions else "")


def word(part: Part) -> str:
    match part:
        case Physical():
            return "<last part of physical>" if part.last else "<physical>"
        case Given():
            return f"<{part.argument}>"
        case Property():
            return f"<property {part.name}>"
        case Literal():
            return part.text
        case Stored():
            return f"<data {part.key}>"
        case OfStack():
            return f"<stack {part.attribute}>"
        case Question():
            return f"<{part.kind} {part.take}>"
        case Either():
            return " or ".join(word(one) for one in part.parts)


def asked(part: Part) -> Iterator[str]:
    """The questions to the cloud in a part."""
    if isinstance(part, Either):
        for one in part.parts:
            yield from asked(one)
    elif isinstance(part, Question):
        by = ", ".join(f"`{name}` = `{word(one)}`" for name, one in part.by)
        but = "".join(f", but not with `{name}` = `{value}`" for name, value in part.but)
        yield f"asked for: the {part.kind} with {by}{but}"


def ignored(row: Row) -> str:
    return ", ".join(f"`{argument}`" for argument in row.unread)


def whys(row: Row) -> dict[str, str]:
    """The reasons, each with its arguments."""
    found: dict[str, list[str]] = {}
    for argument, one in row.unread.items():
        found.setdefault(one.why + case(argument, one), []).append(f"`{argument}`")
    return {why: ", ".join(arguments) for why, arguments in found.items()}


def case(argument: str, one: Unread) -> str:
    """The condition of a row, in parentheses; empty if the row applies whenever the argument is written."""
    given = " or ".join(named(name) for name in one.given) if one.given != (argument,) or one.when else ""
    said = [f"with {given}"] * bool(given) + [f"if {one.when}"] * bool(one.when)
    return f" ({' and '.join(said)})" if said else ""


def named(name: str) -> str:
    return f"several {name[:-1]} blocks" if name.endswith("+") else name


if __name__ == "__main__":
    sys.stdout.write(page())

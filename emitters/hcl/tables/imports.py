"""Reads the rules for importing existing resources into Terraform: `imports.yaml`, read strictly.

Invariant: a row describes the provider, as its source and documentation do, and nothing of a particular stack. A part
of an ID that a row cannot determine is a question to the cloud and never a guess.
"""

from __future__ import annotations

import functools
import pathlib
from collections.abc import Collection, Mapping
from typing import Any, TypeAlias, final

from emitters.hcl.tables.built import load_yaml_file
from emitters.hcl.tables.reader import Path, TableError, check_map, read_words
from emitters.hcl.tree.nodes import Argument, Block
from transpile.model.records import EMPTY, node

FILE = pathlib.Path(__file__).parent / "imports.yaml"
PHYSICAL = "physical"  # in place of an argument's name: the physical ID
BLOCK_DEVICE = "block_device"  # of a server, which then has the volume attached that it was booted from
ATTACHED = "a bootable volume is attached"
OTHERS = "the stack has other parameters"
IMPORT_CASES = (ATTACHED, OTHERS)


@final
@node
class PhysicalId:
    """The physical ID of the Heat resource that the block is made from. last: only the part after its last slash."""

    last: bool = False


@final
@node
class LiveArgument:
    """The live value of an argument of the block. optional: if there is no value, the part is an empty text."""

    argument: str
    optional: bool = False


@final
@node
class LiveProperty:
    """The live value of a property of the Heat resource."""

    name: str


@final
@node
class LiteralText:
    """A text."""

    text: str


@final
@node
class StoredData:
    """The value that Heat has stored in the `resource_data` of the resource under a key.

    each: the value is a JSON list, and this is the attribute of its items. It is used only if the list has one item and
    the resource has one block of the type: Heat appends to the list in any order, so items and blocks cannot be paired.
    """

    key: str
    each: str = ""


@final
@node
class StackAttribute:
    """An attribute of the stack itself: its ID."""

    attribute: str


@final
@node
class CloudQuestion:
    """A question to the cloud for objects of a kind, as the `openstack` client calls it. by: the attributes that they
    must have, with values made of parts. take: the attribute of the answer to use. but: answers with these attributes
    are ignored. prefer: of several answers, those with one of these values of an attribute are used.
    """

    kind: str
    by: tuple[tuple[str, IdPart], ...]
    take: str = "id"
    but: tuple[tuple[str, str], ...] = ()
    prefer: tuple[tuple[str, tuple[str, ...]], ...] = ()


@final
@node
class FirstWithValue:
    """The first of these that has a value."""

    parts: tuple[IdPart, ...]


IdPart: TypeAlias = (
    PhysicalId
    | LiveArgument
    | LiveProperty
    | LiteralText
    | StoredData
    | StackAttribute
    | CloudQuestion
    | FirstWithValue
)


@final
@node
class IdForm:
    """An import ID: its parts in order, and the separator between them."""

    parts: tuple[IdPart, ...]
    separator: str = "/"


@final
@node
class UnreadArgument:
    """Why an argument is not read back, or not as it was written.

    with_arguments: the row applies only if the block has any of these, by `written_names`; empty if it always applies.
    when: the row applies only in this case, one of IMPORT_CASES.
    """

    why: str
    with_arguments: tuple[str, ...]
    when: str = ""


@final
@node
class ImportRow:
    """The rules for importing one type.

    kind: the object as the `openstack` client calls it, if it has an ID of its own. form: the ID, for a resource that
    stands for a Heat resource. inside: the same for one that is a part of another Heat resource. of: the form for some
    Heat types. unread: arguments that the import does not read back. refused: arguments with which the import fails,
    and why. settles: unread arguments that Terraform may compare after the import, because the update that stores them
    changes nothing; for blocks, the arguments that each must have for that. together: arguments that every update
    sends, so none of them settles while another one is ignored. secret: why the ID must not be shown. none: why the
    type cannot be imported, with an empty form. anew: the effect of creating such a resource again; empty if that
    must not happen.
    """

    type: str
    kind: str = ""
    form: IdForm = IdForm(())
    inside: IdForm | None = None
    of: Mapping[str, IdForm] = EMPTY
    unread: Mapping[str, UnreadArgument] = EMPTY
    refused: Mapping[str, str] = EMPTY
    settles: Mapping[str, tuple[str, ...]] = EMPTY
    together: tuple[str, ...] = ()
    secret: str = ""
    none: str = ""
    anew: str = ""

    def find_form(self, heat: str, inside: bool) -> IdForm:
        """The ID of a resource made from a Heat type, as a whole or as a part of it."""
        if heat in self.of:
            return self.of[heat]
        return self.inside if inside and self.inside is not None else self.form

    def ignored_arguments(self, written: Collection[str], case: Collection[str] = ()) -> dict[str, str]:
        """The arguments whose changes must be ignored after the import, with the reasons.

        written: the names in the block, by `written_names`. case: those of IMPORT_CASES that apply.
        """
        holds = {*case, *([ATTACHED] if BLOCK_DEVICE in written else ())}
        return {
            name: unread.why
            for name, unread in self.unread.items()
            if (not unread.with_arguments or any(argument in written for argument in unread.with_arguments))
            and (not unread.when or unread.when in holds)
        }


def written_names(block: Block) -> frozenset[str]:
    """The names of the arguments and nested blocks of a block, and the arguments of nested blocks as `network.port`.
    `network+` means that there are, or may be, several nested blocks of that name.
    """
    names: set[str] = set()
    for item in block.body:
        if isinstance(item, Argument):
            names.add(item.name)
        elif isinstance(item, Block):
            dynamic = item.type == "dynamic"
            name = item.labels[0] if dynamic else item.type
            if dynamic or name in names:
                names.add(f"{name}+")
            names.add(name)
            names.update(f"{name}.{inner.removeprefix('content.')}" for inner in written_names(item))
    return frozenset(names)


@functools.cache
def load_rows() -> Mapping[str, ImportRow]:
    """All rows, by type."""
    table = check_map((), load_yaml_file(FILE))
    return {name: read_row(name, value) for name, value in table.items()}


NOTHING_KNOWN = "nothing is known about its import"
UNKNOWN_ROW = ImportRow("", none=NOTHING_KNOWN, anew=NOTHING_KNOWN)


def find_row(resource: str) -> ImportRow:
    """The rules for importing a type; UNKNOWN_ROW for the types of the providers of a user's tables."""
    return load_rows().get(resource, UNKNOWN_ROW)


# reading

ROW_KEYS: Mapping[str, Any] = {
    "kind": str,
    "id": (str, list, dict),
    "separator": str,
    "inside": (str, list, dict),
    "of": dict,
    "unread": dict,
    "refused": dict,
    "settles": dict,
    "together": list,
    "secret": str,
    "none": str,
    "anew": str,
}
UNREAD_KEYS: Mapping[str, Any] = {"why": str, "with": list, "when": str}
PART_KEYS: Mapping[str, Any] = {
    "last": str,
    "optional": str,
    "property": str,
    "text": str,
    "data": str,
    "each": str,
    "stack": str,
    "lookup": str,
    "by": dict,
    "take": str,
    "but": dict,
    "prefer": dict,
    "either": list,
}
PART_FORMS: Mapping[str, frozenset[str]] = {  # the key that decides the form of a part, and the keys that go with it
    "last": frozenset(),
    "optional": frozenset(),
    "property": frozenset(),
    "text": frozenset(),
    "data": frozenset({"each"}),
    "stack": frozenset(),
    "lookup": frozenset({"by", "take", "but", "prefer"}),
    "either": frozenset(),
}


def read_row(name: str, keys: Any) -> ImportRow:
    """Reads a row."""
    path = (name,)
    keys = check_map(path, keys, ROW_KEYS)
    none, between = keys.get("none", ""), keys.get("separator", "/")
    if none and (wrong := set(keys) - {"kind", "none", "anew"}):
        raise TableError((name, min(wrong)), f"{min(wrong)} excludes none")
    if "anew" in keys and not none:
        raise TableError((name, "anew"), "anew is allowed only with none")
    return ImportRow(
        name,
        keys.get("kind", ""),
        IdForm(()) if none else read_form((name, "id"), keys.get("id", PHYSICAL), between),
        read_form((name, "inside"), keys["inside"], between) if "inside" in keys else None,
        {heat: read_form((name, "of", heat), value, between) for heat, value in keys.get("of", {}).items()},
        {
            argument: read_unread((name, "unread", argument), value)
            for argument, value in keys.get("unread", {}).items()
        },
        check_map((name, "refused"), keys.get("refused", {}), dict.fromkeys(keys.get("refused", {}), str)),
        {
            argument: read_words((name, "settles", argument), value)
            for argument, value in check_map((name, "settles"), keys.get("settles", {})).items()
        },
        read_words((name, "together"), keys.get("together", [])),
        keys.get("secret", ""),
        none,
        keys.get("anew", ""),
    )


def read_unread(path: Path, value: Any) -> UnreadArgument:
    if isinstance(value, str):
        return UnreadArgument(value, path[-1:])
    value = check_map(path, value, UNREAD_KEYS)
    if "why" not in value or "with" not in value:
        raise TableError(path, "this needs why and with")
    if value.get("when", ATTACHED) not in IMPORT_CASES:
        raise TableError((*path, "when"), f"when must be one of: {', '.join(IMPORT_CASES)}")
    return UnreadArgument(value["why"], read_words((*path, "with"), value["with"]), value.get("when", ""))


def read_form(path: Path, value: Any, separator: str) -> IdForm:
    items = value if isinstance(value, list) else [value]
    return IdForm(tuple(read_part(path, item) for item in items), separator)


def read_part(path: Path, entry: Any) -> IdPart:
    """Reads a part of an ID. A word is an argument's name, or `physical`."""
    if isinstance(entry, str):
        return PhysicalId() if entry == PHYSICAL else LiveArgument(entry)
    entry = check_map(path, entry, PART_KEYS)
    sort = next((key for key in PART_FORMS if key in entry), "")
    if not sort:
        raise TableError(path, f"one of {', '.join(PART_FORMS)} is required")
    if wrong := set(entry) - {sort} - PART_FORMS[sort]:
        raise TableError((*path, min(wrong)), f"{min(wrong)} is not allowed with {sort}")
    value = entry[sort]
    if sort == "last":
        if value != PHYSICAL:
            raise TableError((*path, sort), f"only {PHYSICAL} has a last part")
        return PhysicalId(last=True)
    if sort == "optional":
        return LiveArgument(value, optional=True)
    if sort == "property":
        return LiveProperty(value)
    if sort == "text":
        return LiteralText(value)
    if sort == "data":
        return StoredData(value, entry.get("each", ""))
    if sort == "stack":
        return StackAttribute(value)
    if sort == "either":
        return FirstWithValue(tuple(read_part((*path, sort), item) for item in value))
    by = check_map((*path, "by"), entry.get("by", {}))
    if not by:
        raise TableError(path, "a lookup needs by, the properties to look for")
    but = check_map((*path, "but"), entry.get("but", {}), dict.fromkeys(entry.get("but", {}), str))
    prefer = check_map((*path, "prefer"), entry.get("prefer", {}), dict.fromkeys(entry.get("prefer", {}), list))
    conditions = tuple((name, read_part((*path, "by", name), inner)) for name, inner in by.items())
    preferred = tuple((name, read_words((*path, "prefer", name), words)) for name, words in prefer.items())
    return CloudQuestion(value, conditions, entry.get("take", "id"), tuple(but.items()), preferred)

"""How Terraform resources that already exist are imported: `imports.yaml`, read strictly.

Invariant: a row describes the provider, as its source and documentation do, and nothing of a particular stack. A part
of an ID that a row cannot determine is a question to the cloud and never a guess.
"""

from __future__ import annotations

import functools
import pathlib
from typing import TYPE_CHECKING, Any, TypeAlias, final

import yaml

from emitters.hcl.tables.reader import TableError, checked_map, words
from emitters.hcl.tree.nodes import Argument, Block
from transpile.model.records import EMPTY, node

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from emitters.hcl.tables.reader import Path

FILE = pathlib.Path(__file__).parent / "imports.yaml"
PHYSICAL = "physical"  # in place of an argument's name: the physical ID
BLOCK_DEVICE = "block_device"  # of a server, which then has the volume attached that it was booted from
ATTACHED = "a bootable volume is attached"
OTHERS = "the stack has other parameters"
WHENS = (ATTACHED, OTHERS)


@final
@node
class Physical:
    """The physical ID of the Heat resource that the block is made from. last: only what follows its last slash."""

    last: bool = False


@final
@node
class Given:
    """The live value of an argument of the block. optional: if there is no value, the part is an empty text."""

    argument: str
    optional: bool = False


@final
@node
class Property:
    """The live value of a property of the Heat resource."""

    name: str


@final
@node
class Literal:
    """A text."""

    text: str


@final
@node
class Stored:
    """What Heat has stored in the `resource_data` of the resource under a key.

    each: the value is a JSON list, and this is the attribute of its items. It is used only if the list has one item and
    the resource has one block of the type: Heat appends to the list in any order, so items and blocks cannot be paired.
    """

    key: str
    each: str = ""


@final
@node
class OfStack:
    """An attribute of the stack itself: its ID."""

    attribute: str


@final
@node
class Question:
    """A question to the cloud for objects of a kind, as the `openstack` client calls it. by: the attributes that they
    must have, with values made of parts. take: the attribute of the answer to use. but: answers with these attributes
    are ignored.
    """

    kind: str
    by: tuple[tuple[str, Part], ...]
    take: str = "id"
    but: tuple[tuple[str, str], ...] = ()


@final
@node
class Either:
    """The first of these that has a value."""

    parts: tuple[Part, ...]


Part: TypeAlias = Physical | Given | Property | Literal | Stored | OfStack | Question | Either


@final
@node
class Form:
    """An import ID: its parts in order, and what stands between them."""

    parts: tuple[Part, ...]
    separator: str = "/"


@final
@node
class Unread:
    """Why an argument is not read back, or not as it was written.

    with_arguments: the row applies only if the block has any of these, by `written_names`; empty if it always applies.
    when: the row applies only in this case, one of IMPORT_CASES.
    """

    why: str
    given: tuple[str, ...]
    when: str = ""


@final
@node
class Row:
    """How one type is imported.

    kind: the object as the `openstack` client calls it, if it has an ID of its own. form: the ID, for a resource that
    stands for a Heat resource. inside: the same for one that is a part of another Heat resource. of: the form for some
    Heat types. unread: arguments that the import does not read back. refused: arguments with which the import fails,
    and why. secret: why the ID must not be shown. none: why the type cannot be imported, with an empty form. anew: what
    happens if such a resource is created again; empty if that must not happen.
    """

    type: str
    kind: str = ""
    form: Form = Form(())
    inside: Form | None = None
    of: Mapping[str, Form] = EMPTY
    unread: Mapping[str, Unread] = EMPTY
    refused: Mapping[str, str] = EMPTY
    secret: str = ""
    none: str = ""
    anew: str = ""

    def form_of(self, heat: str, inside: bool) -> Form:
        """The ID of a resource made from a Heat type, as a whole or as a part of it."""
        if heat in self.of:
            return self.of[heat]
        return self.inside if inside and self.inside is not None else self.form

    def ignored(self, written: Collection[str], case: Collection[str] = ()) -> dict[str, str]:
        """The arguments whose changes must be ignored after the import, with the reasons.

        written: the names in the block, by `written_names`. case: those of IMPORT_CASES that apply.
        """
        holds = {*case, *([ATTACHED] if BLOCK_DEVICE in written else ())}
        return {
            name: one.why
            for name, one in self.unread.items()
            if (not one.given or any(given in written for given in one.given)) and (not one.when or one.when in holds)
        }


def written_in(block: Block) -> frozenset[str]:
    """The names of the arguments and nested blocks of a block, and the arguments of nested blocks as `network.port`.
    `network+` means that there are, or may be, several nested blocks of that name.
    """
    found: set[str] = set()
    for item in block.body:
        if isinstance(item, Argument):
            found.add(item.name)
        elif isinstance(item, Block):
            dynamic = item.type == "dynamic"
            name = item.labels[0] if dynamic else item.type
            if dynamic or name in found:
                found.add(f"{name}+")
            found.add(name)
            found.update(f"{name}.{one.removeprefix('content.')}" for one in written_in(item))
    return frozenset(found)


@functools.cache
def rows() -> Mapping[str, Row]:
    """All rows, by type."""
    given = checked_map((), yaml.load(FILE.read_text(encoding="utf-8"), Loader=yaml.CSafeLoader))
    return {name: row(name, one) for name, one in given.items()}


def find(resource: str) -> Row | None:
    """How a type is imported; None if nothing is known, as for the providers of a user's tables."""
    return rows().get(resource)


# reading

ROW_KEYS: Mapping[str, Any] = {
    "kind": str,
    "id": (str, list, dict),
    "separator": str,
    "inside": (str, list, dict),
    "of": dict,
    "unread": dict,
    "refused": dict,
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
    "either": list,
}
SORTS: Mapping[str, frozenset[str]] = {  # the key that decides the form of a part, and the keys that go with it
    "last": frozenset(),
    "optional": frozenset(),
    "property": frozenset(),
    "text": frozenset(),
    "data": frozenset({"each"}),
    "stack": frozenset(),
    "lookup": frozenset({"by", "take", "but"}),
    "either": frozenset(),
}


def row(name: str, given: Any) -> Row:
    """Reads a row."""
    path = (name,)
    given = checked_map(path, given, ROW_KEYS)
    none, between = given.get("none", ""), given.get("separator", "/")
    if none and (wrong := set(given) - {"kind", "none", "anew"}):
        raise TableError((name, min(wrong)), f"{min(wrong)} excludes none")
    if "anew" in given and not none:
        raise TableError((name, "anew"), "anew stands only beside none")
    return Row(
        name,
        given.get("kind", ""),
        Form(()) if none else form((name, "id"), given.get("id", PHYSICAL), between),
        form((name, "inside"), given["inside"], between) if "inside" in given else None,
        {heat: form((name, "of", heat), one, between) for heat, one in given.get("of", {}).items()},
        {argument: unread((name, "unread", argument), one) for argument, one in given.get("unread", {}).items()},
        checked_map((name, "refused"), given.get("refused", {}), dict.fromkeys(given.get("refused", {}), str)),
        given.get("secret", ""),
        none,
        given.get("anew", ""),
    )


def unread(path: Path, given: Any) -> Unread:
    if isinstance(given, str):
        return Unread(given, path[-1:])
    given = checked_map(path, given, UNREAD_KEYS)
    if "why" not in given or "with" not in given:
        raise TableError(path, "this needs why and with")
    if given.get("when", ATTACHED) not in WHENS:
        raise TableError((*path, "when"), f"when must be one of: {', '.join(WHENS)}")
    return Unread(given["why"], words((*path, "with"), given["with"]), given.get("when", ""))


def form(path: Path, given: Any, separator: str) -> Form:
    listed = given if isinstance(given, list) else [given]
    return Form(tuple(part(path, one) for one in listed), separator)


def part(path: Path, given: Any) -> Part:
    """Reads a part of an ID. A word is an argument's name, or `physical`."""
    if isinstance(given, str):
        return Physical() if given == PHYSICAL else Given(given)
    given = checked_map(path, given, PART_KEYS)
    sort = next((key for key in SORTS if key in given), "")
    if not sort:
        raise TableError(path, f"one of {', '.join(SORTS)} is required")
    if wrong := set(given) - {sort} - SORTS[sort]:
        raise TableError((*path, min(wrong)), f"{min(wrong)} does not stand beside {sort}")
    value = given[sort]
    if sort == "last":
        if value != PHYSICAL:
            raise TableError((*path, sort), f"only {PHYSICAL} has a last part")
        return Physical(last=True)
    if sort == "optional":
        return Given(value, optional=True)
    if sort == "property":
        return Property(value)
    if sort == "text":
        return Literal(value)
    if sort == "data":
        return Stored(value, given.get("each", ""))
    if sort == "stack":
        return OfStack(value)
    if sort == "either":
        return Either(tuple(part((*path, sort), one) for one in value))
    by = checked_map((*path, "by"), given.get("by", {}))
    if not by:
        raise TableError(path, "a lookup needs by, what to look for")
    but = checked_map((*path, "but"), given.get("but", {}), dict.fromkeys(given.get("but", {}), str))
    found = tuple((name, part((*path, "by", name), one)) for name, one in by.items())
    return Question(value, found, given.get("take", "id"), tuple(but.items()))

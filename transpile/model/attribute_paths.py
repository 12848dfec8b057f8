"""The selection of a `get_attr` path, by the type of the resource that it reads.

Invariant: this is the only module that takes apart or puts together the names with dots that Heat has for members and
outputs (`resource.0.name`, `Outputs.address`). Everything else matches on the classes here.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TypeAlias, final

from transpile.model import heat_types
from transpile.model.ir import Expr, Lit
from transpile.model.records import node

Path: TypeAlias = tuple[Expr, ...]
Selection: TypeAlias = (
    "ResourceAttribute | GroupMember | ReferenceList | ReferenceMap | AttributeList | AttributeMap | MemberCount"
    " | Addresses | Outputs | Everything | Computed"
)

MEMBER, OUTPUT = "resource.", "Outputs."  # Heat's prefixes for the name of a member, and of an output
TEMPLATE = ""  # a `kind` for nested templates, whose own may have any name


@final
@node
class ResourceAttribute:
    """An attribute of the resource itself, or an output of its nested template.

    `[server, addresses, public]` → `ResourceAttribute("addresses", (Lit("public"),))`
    """

    name: str
    path: Path = ()


@final
@node
class GroupMember:
    """A member of a group, or a resource of a nested template; with a path, an attribute of it. `number`: the index of
    a member, if Heat can have one with this name.

    `[group, resource.3.name]` → `GroupMember("3", (Lit("name"),), 3)`
    `[group, resource.03]` → `GroupMember("03", (), None)`
    """

    name: str
    path: Path = ()
    number: int | None = None


@final
@node
class ReferenceList:
    """The list of references to the members: `[group, refs, 0]` → `ReferenceList((Lit(0),))`."""

    path: Path = ()


@final
@node
class ReferenceMap:
    """The references to the members by name: `[group, refs_map]` → `ReferenceMap()`. Heat ignores a path into it."""

    path: Path = ()


@final
@node
class AttributeList:
    """An attribute of each member, as a list: `[group, name]` and `[scaling, outputs_list, name]` →
    `AttributeList((Lit("name"),))`.
    """

    path: Path


@final
@node
class AttributeMap:
    """An attribute of each member, by the member's name: `[group, attributes, name]` and `[scaling, outputs, name]` →
    `AttributeMap((Lit("name"),))`.
    """

    path: Path


@final
@node
class MemberCount:
    """How many members a scaling group has: `[scaling, current_size]` → `MemberCount()`."""

    path: Path = ()


@final
@node
class Addresses:
    """The addresses of all instances of a group, with commas: `[instances, InstanceList]` → `Addresses()`."""

    path: Path = ()


@final
@node
class Outputs:
    """The outputs of an OS::Heat::Stack, or one of them: `[stack, outputs, address]` and `[stack, Outputs.address]` →
    `Outputs((Lit("address"),))`.
    """

    path: Path


@final
@node
class Everything:
    """All attributes at once: `get_attr: [server]` → `Everything()`."""

    path: Path = ()


@final
@node
class Computed:
    """An attribute whose name has to be evaluated: `[server, {get_param: what}]` → `Computed((ParamRef("what"),))`."""

    path: Path


OF_INSTANCES: Mapping[str, Callable[[Path], Selection]] = {"InstanceList": Addresses}
OF_STACKS: Mapping[str, Callable[[Path], Selection]] = {"outputs": Outputs}
WORDS: Mapping[str, Mapping[str, Callable[[Path], Selection]]] = {  # attributes that mean the members, by type
    heat_types.RESOURCE_GROUP: {
        "refs": ReferenceList,
        "refs_map": ReferenceMap,
        "attributes": AttributeMap,
        "removed_rsrc_list": partial(ResourceAttribute, "removed_rsrc_list"),
    },
    heat_types.RESOURCE_CHAIN: {"refs": ReferenceList, "attributes": AttributeMap},
    heat_types.AUTO_SCALING_GROUP: {
        "refs": ReferenceList,
        "refs_map": ReferenceMap,
        "outputs": AttributeMap,
        "outputs_list": AttributeList,
        "current_size": MemberCount,
    },
    heat_types.INSTANCE_GROUP: OF_INSTANCES,
    heat_types.AWS_AUTO_SCALING_GROUP: OF_INSTANCES,
    heat_types.STACK: OF_STACKS,
    heat_types.AWS_STACK: OF_STACKS,
}
NUMBERED = (heat_types.RESOURCE_GROUP, heat_types.RESOURCE_CHAIN)  # the names of their members are the numbers from 0


def parse_attribute_path(kind: str, path: Sequence[Expr]) -> Selection:
    """Parses a path into a resource of the resolved type `kind`. The classes above have examples."""
    if not path:
        return Everything()
    first, rest = path[0], tuple(path[1:])
    if not isinstance(first, Lit):
        return Computed(tuple(path))
    word, words = str(first.value), WORDS.get(kind, {})
    if word in words:
        return words[word](rest)
    if words is OF_STACKS and word.startswith(OUTPUT):
        return Outputs((Lit(word.removeprefix(OUTPUT), first.span), *rest))
    if word.startswith(MEMBER) and words not in (OF_STACKS, OF_INSTANCES):
        name, dot, attribute = word.removeprefix(MEMBER).partition(".")
        inner = (Lit(attribute, first.span), *rest) if dot else rest
        return GroupMember(name, inner, member_index(kind, name))
    return AttributeList(tuple(path)) if kind in NUMBERED else ResourceAttribute(word, rest)


def member_index(kind: str, name: str) -> int | None:
    """The index of the member that Heat finds by a name. Of a resource group, the name is the index as Python writes
    it; a scaling group reads it with `int()`, for which `01` and `٣` are numbers, too.
    """
    try:
        number = int(name)
    except ValueError:
        return None
    if kind in NUMBERED:
        return number if number >= 0 and str(number) == name else None
    return number if kind == heat_types.AUTO_SCALING_GROUP else None


def path_inside(kind: str, path: Sequence[Expr]) -> Path:
    """The part of a path that Heat follows in each member of a group, or in the stack of a resource; empty if the path
    means the members themselves, and the whole path if there is no such part.
    """
    match parse_attribute_path(kind, path):
        case GroupMember(_, inner) | AttributeList(inner) | AttributeMap(inner) | Outputs(inner):
            return inner
        case ReferenceList() | ReferenceMap() | Computed():
            return ()
    return tuple(path)


def path_to_member(name: str, path: Path = ()) -> Path | None:
    """The path to a resource of a nested stack, or to an attribute of it, as `parse_attribute_path` reads it:
    `"inner"` and `(Lit("ip"), Lit(0))` → `(Lit("resource.inner.ip"), Lit(0))`. None for a
    name with a dot, which Heat does not find.
    """
    if "." in name:
        return None
    match path:
        case (Lit(str(word), span), *rest):
            return Lit(f"{MEMBER}{name}.{word}", span), *rest
        case ():
            return (Lit(f"{MEMBER}{name}"),)
    return Lit(f"{MEMBER}{name}"), *path

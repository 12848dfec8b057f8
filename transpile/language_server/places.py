"""The meaning of a path in a template: the name of a parameter, a property, a resource type, ….

Invariant: only the path and the version of the template decide, so that a path means the same in a finished document
and while it is typed. CFN's words are translated to HOT's.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import final

from transpile.language_server.tree import Path
from transpile.model.intrinsics import Version
from transpile.model.records import node
from transpile.resolve.groups import GROUPS

# Kinds of places. Names:
PARAMETER, RESOURCE, CONDITION, OUTPUT, MAPPING = "parameter", "resource", "condition", "output", "mapping"
REF = "parameter or resource"  # CFN's Ref
ATTRIBUTE, TYPE, FILE, PROPERTY = "attribute", "resource type", "file", "property"
NAMES = (PARAMETER, RESOURCE, CONDITION, OUTPUT, MAPPING)
# Others:
FUNCTION, WORDS, REGISTRY = "function", "words", "registry entry"
FACADES = ("metadata", "deletion_policy", "update_policy")
DIGESTS = ("md5", "sha1", "sha224", "sha256", "sha384", "sha512")
BOOLEANS = ("true", "false")
POLICIES = ("Delete", "Retain", "Snapshot")
CONSTRAINTS = ("length", "range", "modulo", "allowed_values", "allowed_pattern", "custom_constraint")
LIMITS = {"length": ("min", "max"), "range": ("min", "max"), "modulo": ("step", "offset")}
MEMBERS = frozenset(GROUPS.values())  # properties with the definition of members: `resource` of OS::Heat::ResourceGroup
TRANSPARENT = {"if": (1, 2), "Fn::If": (1, 2)}  # the indices of the arguments that the function can return
FIRST: dict[str, tuple[tuple[Path, str], ...]] = {  # kinds of arguments, by their paths below the function
    "get_param": (((), PARAMETER), ((0,), PARAMETER)),
    "get_resource": (((), RESOURCE),),
    "get_attr": (((0,), RESOURCE), ((1,), ATTRIBUTE)),
    "get_file": (((), FILE),),
    "Ref": (((), REF),),
    "Fn::GetAtt": (((0,), RESOURCE), ((1,), ATTRIBUTE)),
    "Fn::FindInMap": (((0,), MAPPING),),
    "if": (((0,), CONDITION),),
    "Fn::If": (((0,), CONDITION),),
}
LOGIC = ("and", "or", "not", "Fn::And", "Fn::Or", "Fn::Not")


@final
@node
class DocumentPlace:
    """The meaning of a scalar. `kind`: a constant from above. `declares`: the name is declared here. `owner`: for a
    property the path of its resource or definition of members; for an argument of a function, the path of the function.
    `inner`: for a property the path below `properties`. `words`: the allowed words.
    """

    kind: str
    declares: bool = False
    owner: Path = ()
    inner: Path = ()
    words: tuple[str, ...] = ()


def section_of_path(path: Path, version: Version) -> str:
    """The section that a path leads into, by its name in HOT; empty if there is none."""
    return version.dialect.sections.get(str(path[0]), "") if path else ""


def find_innermost_call(path: Path, version: Version, least: int = 0) -> int | None:
    """The index of the innermost function in a path, at `least` or behind; None if there is none."""
    functions = version.functions | version.conditions
    return next((at for at in range(len(path) - 1, least - 1, -1) if path[at] in functions), None)


def place_of_value(path: Path, version: Version) -> DocumentPlace | None:
    """The meaning of the value at a path; None if it is only data."""
    if len(path) == 1 and path[0] == version.key:
        return DocumentPlace(WORDS, words=("version",))
    here = section_of_path(path, version)
    words = version.dialect
    if here == "parameter_groups" and len(path) >= 3 and path[2] == "parameters":
        return DocumentPlace(PARAMETER) if len(path) == 4 else None
    if here == "parameters":
        return place_in_parameter(path, words.parameter.get(str(path[2]), "") if len(path) > 2 else "", version)
    if here == "conditions":
        if len(path) == 2:
            return None
        return place_of_argument(path, version, 2, condition=True)
    if here == "outputs" and len(path) > 2:
        key = words.output.get(str(path[2]), "")
        if key == "condition":
            return DocumentPlace(CONDITION) if len(path) == 3 else place_of_argument(path, version, 3, condition=True)
        return place_of_argument(path, version, 3) if key == "value" else None
    if here == "resources" and len(path) > 2:
        return place_in_resource(path, version)
    return None


def place_in_parameter(path: Path, key: str, version: Version) -> DocumentPlace | None:
    if len(path) == 3 and key == "type":
        return DocumentPlace(WORDS, words=tuple(version.dialect.types))
    if len(path) == 3 and key in ("hidden", "immutable"):
        return DocumentPlace(WORDS, words=BOOLEANS)
    if len(path) == 5 and key == "constraints" and path[4] == "custom_constraint":
        return DocumentPlace(WORDS, words=("custom constraint",))
    return None


def place_in_resource(path: Path, version: Version) -> DocumentPlace | None:
    key = version.dialect.resource.get(str(path[2]), "")
    if key == "type" and len(path) == 3:
        return DocumentPlace(TYPE, owner=path[:2])
    if key == "depends_on" and len(path) in (3, 4):
        return DocumentPlace(RESOURCE)
    if key == "condition":
        return DocumentPlace(CONDITION) if len(path) == 3 else place_of_argument(path, version, 3, condition=True)
    if key == "deletion_policy" and len(path) == 3:
        lower = tuple(word.lower() for word in POLICIES) if version.is_hot_since("2016-10-14") else ()
        return DocumentPlace(WORDS, words=(*lower, *POLICIES))
    if key in ("properties", "metadata", "update_policy", "external_id", "deletion_policy"):
        place = place_of_argument(path, version, 3 if key != "properties" else 4)
        if place is not None or key != "properties" or len(path) < 4:
            return place
        owner, inner = split_at_owner(path, version)
        if owner != path[:2] and not inner:
            return DocumentPlace(TYPE, owner=owner) if path[-1] == "type" else None
        return DocumentPlace(PROPERTY, owner=owner, inner=inner)
    return None


def split_at_owner(path: Path, version: Version) -> tuple[Path, Path]:
    """Splits a path at the innermost resource or definition of members whose property it leads to: the path of that
    owner, and the path below its `properties`. The second is empty for the definition's other keys.

    `(resources, g, properties, resource, properties, name)` -> `(resources, g, properties, resource)`, `(name,)`.
    """
    owner, inner = path[:2], path[3:]
    while inner and inner[0] in MEMBERS:
        if len(inner) < 2 or inner[1] != "properties":
            return (owner, inner) if len(inner) < 2 else ((*path[: len(path) - len(inner) + 1],), ())
        at = len(path) - len(inner)
        owner, inner = path[: at + 1], inner[2:]
        if not inner:
            return owner, ()
    return owner, inner


def place_of_argument(path: Path, version: Version, least: int, *, condition: bool = False) -> DocumentPlace | None:
    """The meaning of a scalar as an argument of the innermost function at index `least` or behind. None if there is no
    such function, or if the scalar is a result of the function and so means the same as without it."""
    at = find_innermost_call(path, version, least)
    if at is None:
        return None
    name, rest = str(path[at]), path[at + 1 :]
    for inner, kind in FIRST.get(name, ()):
        if rest == inner:
            return DocumentPlace(kind, owner=path[: at + 1])
    if name in LOGIC and (rest == () if name == "not" else len(rest) == 1 and isinstance(rest[0], int)):
        return DocumentPlace(CONDITION)
    if name in ("resource_facade", "Fn::ResourceFacade") and not rest:
        return DocumentPlace(WORDS, words=FACADES if version.is_hot else ("Metadata", "DeletionPolicy", "UpdatePolicy"))
    if name == "digest" and rest == (0,):
        return DocumentPlace(WORDS, words=DIGESTS)
    if not condition and rest[:1] and name in TRANSPARENT and rest[0] in TRANSPARENT[name]:
        return None  # a branch of `if` means the same as the value in place of the `if`
    return DocumentPlace(FUNCTION)


def place_of_key(path: Path, version: Version) -> DocumentPlace | None:
    """The meaning of the key at the end of a path; None if it is only data."""
    here = section_of_path(path, version)
    if len(path) == 2:
        kinds = {
            "parameters": PARAMETER,
            "resources": RESOURCE,
            "conditions": CONDITION,
            "outputs": OUTPUT,
            "mappings": MAPPING,
        }
        return DocumentPlace(kinds[here], declares=True) if here in kinds else None
    if len(path) == 1 or here == "parameters":
        return None
    last = str(path[-1])
    if here == "resources" and version.dialect.resource.get(str(path[2])) == "properties":
        if len(path) > 4 and last in version.functions:
            return DocumentPlace(FUNCTION)
        owner, inner = split_at_owner(path, version)
        if inner and find_innermost_call(inner, version, 1) is None:
            return DocumentPlace(PROPERTY, owner=owner, inner=inner)
        if is_transparent(inner, version):
            return DocumentPlace(PROPERTY, owner=owner, inner=inner)
        return None
    if last in version.functions | version.conditions:
        return DocumentPlace(FUNCTION)
    return None


def is_transparent(inner: Path, version: Version) -> bool:
    """Whether every function in a path below `properties` is an `if`, and the path leads into one of its branches."""
    functions = version.functions
    return bool(inner) and all(
        step not in functions
        or (step in TRANSPARENT and at + 1 < len(inner) and inner[at + 1] in TRANSPARENT[str(step)])
        for at, step in enumerate(inner[:-1])
        if at > 0
    )


def strip_functions(inner: Path, version: Version) -> Path:
    """A path below `properties` without `if`: `("networks", "if", 1, 0)` -> `("networks", 0)`."""
    steps: list[str | int] = []
    at = 0
    while at < len(inner):
        step = inner[at]
        if at > 0 and step in TRANSPARENT and step in version.functions and at + 1 < len(inner):
            at += 2
            continue
        steps.append(step)
        at += 1
    return tuple(steps)


def place_of_scalar(
    path: Path, is_key: bool, version: Version, is_call: Callable[[Path], bool] | None = None
) -> DocumentPlace | None:
    """The meaning of a scalar of a template; None if it is only data. `is_call`: whether the map at a path, one key of
    which is the name of a function, is a call; by default it is.
    """
    place = place_of_key(path, version) if is_key else place_of_value(path, version)
    if place is None or is_call is None or place.declares:
        return place
    at = find_innermost_call(path, version, 2)
    if at is not None and not is_call(path[:at]):
        return None
    return place

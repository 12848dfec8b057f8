"""A provider that takes the place of another one: that of a cloud which has OpenStack's types under its own names.

The tables and hooks are those of the parent. The overlay is the difference: other names for types and arguments, and
parts that the provider does not have.

Invariant: a conversion works with the parent's names to its end; only the written files have the provider's own names.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, final

from transpile.model.records import EMPTY, node

DATA = "data."
Facts = Mapping[str, Any]  # of a block, in the form of provider.json


@final
@node
class ArgumentName:
    """A provider's name for an argument or block. `key`: the provider takes the value of this key of the parent's
    object, and not the object. `entries`: the provider has a map, where the parent has a list of objects with these two
    attributes for the key and the value.
    """

    name: str
    key: str = ""
    entries: tuple[str, ...] = ()


@final
@node
class ProviderOverlay:
    """The difference of a provider from its parent.

    types: its name for each type of the parent that it has. lacking: the parent's types, arguments, blocks and
    attributes that it does not have, as paths. required: arguments that only this provider requires, by the path of the
    block in the parent's names. arguments: its names for arguments and blocks, by the path in the parent's names.
    """

    name: str
    parent: str
    types: Mapping[str, str]
    lacking: frozenset[str]
    required: Mapping[str, tuple[str, ...]]
    arguments: Mapping[str, ArgumentName] = EMPTY
    sets: frozenset[str] = frozenset()

    def why_lacking(self, path: str, *, argument: bool = False) -> str:
        """Why the provider does not have a name of its parent; empty if it does. argument: whether it is to be set."""
        if path not in self.lacking and not (argument and f"{path}=" in self.lacking):
            return ""
        kind, _, rest = path.removeprefix(DATA).partition(".")
        of = f" of {self.types[kind]}" if rest and kind in self.types else ""
        missing = rest if of else self.types.get(kind, path)
        return f"the provider {self.name} has no {missing}{of}"


NO_OVERLAY = ProviderOverlay("", "", EMPTY, frozenset(), EMPTY)  # the output is for OpenStack's own provider


def compare_providers(
    name: str,
    parent: str,
    types: Mapping[str, str | None],
    parent_facts: Mapping[str, Facts],
    facts: Mapping[str, Facts],
    arguments: Mapping[str, Any] = EMPTY,
) -> ProviderOverlay:
    """The difference of a provider from its parent, by the schemas of both.

    types: its names for types of the parent, where these are not the parent's with another prefix; None if it has
    nothing like it. arguments: its names for arguments and blocks, by path: a text, or a map as `ArgumentName` has it.
    """
    renamed = {path: read_argument_name(row) for path, row in arguments.items()}
    names: dict[str, str] = {}
    lacking: set[str] = set()
    sets: set[str] = set()
    required: dict[str, tuple[str, ...]] = {}
    for path, block in parent_facts.items():
        kind = path.removeprefix(DATA)
        if kind.partition("_")[0] != parent:
            continue
        own = types.get(kind, name + kind.removeprefix(parent))
        other = facts.get(f"{DATA if path.startswith(DATA) else ''}{own}") if own is not None else None
        if own is None or other is None:
            lacking.add(path)
            continue
        names[kind] = own
        for sort, inner_path in compare_blocks(path, block, other, renamed):
            if sort == "lacking":
                lacking.add(inner_path)
            elif sort == "set":
                sets.add(inner_path)
            else:
                owner, _, argument = inner_path.rpartition(".")
                required[owner] = (*required.get(owner, ()), argument)
    return ProviderOverlay(name, parent, names, frozenset(lacking), required, renamed, frozenset(sets))


def read_argument_name(row: Any) -> ArgumentName:
    """The row of a table. Raises KeyError and TypeError."""
    if isinstance(row, str):
        return ArgumentName(row)
    return ArgumentName(row["to"], row.get("key", ""), tuple(row.get("entries", ())))


def compare_blocks(
    path: str, parent: Facts, block: Facts, renamed: Mapping[str, ArgumentName] = EMPTY
) -> Iterator[tuple[str, str]]:
    """The differences between a block and the parent's: missing names, further required arguments, and lists that are
    sets, as paths in the parent's names. A path that ends in `=` can be read, but not set.
    """

    def own_name(name: str) -> str:
        return renamed[f"{path}.{name}"].name if f"{path}.{name}" in renamed else name

    arguments, of_parent = block.get("arguments", {}), parent.get("arguments", {})
    for argument, facts in of_parent.items():
        own = arguments.get(own_name(argument))
        is_whole = not renamed.get(f"{path}.{argument}", ArgumentName("")).key
        if own is None or (is_whole and shape_of(facts) != shape_of(own)):
            yield "lacking", f"{path}.{argument}"
        elif is_settable(facts) and not is_settable(own):
            yield "lacking", f"{path}.{argument}="
        if own is not None and (kind_of(facts), kind_of(own)) == ("list", "set"):
            yield "set", f"{path}.{argument}"
    needed = {own_name(argument) for argument, facts in of_parent.items() if facts.get("required")}
    for argument, facts in arguments.items():
        if facts.get("required") and argument not in needed:
            yield "required", f"{path}.{argument}"
    blocks, parents_blocks = block.get("blocks", {}), parent.get("blocks", {})
    for inner, facts in parents_blocks.items():
        if renamed.get(f"{path}.{inner}", ArgumentName("")).entries:
            if shape_of(arguments.get(own_name(inner), {})) != "map":
                yield "lacking", f"{path}.{inner}"
        elif own_name(inner) in blocks:
            yield from compare_blocks(f"{path}.{inner}", facts, blocks[own_name(inner)], renamed)
        else:
            yield "lacking", f"{path}.{inner}"
    for inner, facts in blocks.items():
        if facts.get("min") and inner not in map(own_name, parents_blocks):
            yield "required", f"{path}.{inner}"


def kind_of(facts: Facts) -> str:
    """The outermost word of a type: `list`, `set`, `string`."""
    notation = facts.get("type", "")
    return str(notation if isinstance(notation, str) else notation[0])


def shape_of(facts: Facts) -> str:
    """Whether a value is a scalar, a list (or set), or a map (or object). Terraform converts within each of these."""
    kind = kind_of(facts)
    return "list" if kind in ("list", "set", "tuple") else "map" if kind in ("map", "object") else "scalar"


def is_settable(facts: Facts) -> bool:
    return bool(facts.get("required") or facts.get("optional"))

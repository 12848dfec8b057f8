"""Writes the import blocks of a configuration that several environments share: the IDs are values of a variable.

Invariant: an environment imports the objects that its file of values names, and nothing else. The blocks are the same
for all.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Mapping
from typing import Any

from emitters.hcl.adoption.identity import Identity
from emitters.hcl.attempt import Attempt
from emitters.hcl.evaluation.functions import UnknownValue
from emitters.hcl.evaluation.instances import BlockInstance, Key
from emitters.hcl.tables import imports
from emitters.hcl.tree.nodes import (
    Attr,
    Block,
    Expr,
    Fn,
    ForObject,
    Index,
    Object,
    Traversal,
    Tuple,
)
from transpile.adoption.environments import IDS, SECRETS, AdoptedEnvironment

WIDTH = 96
IDS_DESCRIPTION = "IDs to import, by resource and by the key of its instance; nothing in a new environment."
SECRETS_DESCRIPTION = "IDs to import that are secrets, in the form of import_ids."
KIND = Fn("map", (Fn("map", (Traversal(("string",)),)),))
WITHOUT_KEY = "id"  # stands for the key of a resource that has no instances
SEPARATOR = "/"  # between the keys of a module and of a resource in it
COUNT, EACH = "count", "for_each"
Step = tuple[tuple[str, ...], str]  # names of an address, and how its instances are numbered


def write_import_blocks(root: Attempt, modules: Mapping[str, Attempt], environment: AdoptedEnvironment) -> list[Block]:
    """Writes an import block for each resource that can be imported, in this directory and in modules."""
    blocks, variables = [], root.emission.variables
    for path, is_secret in walk_importable_resources(root, modules, ()):
        address = ".".join(name for names, _ in path for name in names)
        ids = variables.get_variable(IDS, IDS, IDS_DESCRIPTION, KIND, default=Object(()))
        variables.imported |= {IDS, SECRETS}
        environment.ids_label = ids.parts[1]
        block = Block("import")
        entries: Expr = Fn("lookup", (ids, address, Object(())))
        kinds = [kind for _, kind in path if kind]
        item: Expr = Traversal(("each", "value"))
        keys: list[Expr] = [Traversal(("each", "key"))] * len(kinds)
        if len(kinds) > 1 or COUNT in kinds:
            entries, keys = (
                convert_keys(entries, kinds),
                [Index(Traversal(("each", "value", "keys")), i) for i in range(len(kinds))],
            )
            if len(kinds) == 1:
                keys = [Traversal(("each", "value", "key"))]
            item = Traversal(("each", "value", "id"))
        if is_secret:
            secrets = variables.get_variable(SECRETS, SECRETS, SECRETS_DESCRIPTION, KIND, default=Object(()))
            item = Fn("try", (Index(Index(secrets, address), Traversal(("each", "key"))), ""))
        block.add_argument("for_each", entries)
        block.add_argument("to", join_address(path, keys))
        block.add_argument("id", item)
        blocks.append(block)
    return blocks


def convert_keys(entries: Expr, kinds: list[str]) -> Expr:
    """The IDs with the keys of instances as an address takes them: numbers for `count`."""
    key, id_ = Traversal(("key",)), Traversal(("id",))
    texts: list[Expr] = (
        [key] if len(kinds) == 1 else [Index(Fn("split", (SEPARATOR, key)), i) for i in range(len(kinds))]
    )
    keys = [Fn("tonumber", (text,)) if kind == COUNT else text for text, kind in zip(texts, kinds, strict=True)]
    fields = ("key", keys[0]) if len(kinds) == 1 else ("keys", Tuple(tuple(keys)))
    return ForObject(("key", "id"), entries, key, Object((fields, ("id", id_))))


def join_address(path: tuple[Step, ...], keys: list[Expr]) -> Expr:
    """The address of an instance. keys: one for each part of the path that has instances."""
    (first, kind), *others = path
    address: Expr = Traversal(first)
    left = iter(keys)
    address = Index(address, next(left)) if kind else address
    for names, kind in others:
        for name in names:
            address = Attr(address, name)
        address = Index(address, next(left)) if kind else address
    return address


def walk_importable_resources(
    attempt: Attempt, modules: Mapping[str, Attempt], above: tuple[Step, ...]
) -> Iterator[tuple[tuple[Step, ...], bool]]:
    """The resources that can be imported, each with its path and whether its ID is a secret."""
    blocks = [block for block in attempt.emission.blocks.main if isinstance(block, Block)]
    for block in blocks:
        row = imports.find_row(block.labels[0]) if block.type == "resource" else imports.UNKNOWN_ROW
        if not row.none:
            yield (*above, (block.labels, repetition_of(block))), bool(row.secret)
    for block in blocks:
        if block.type == "module":
            module = modules[attempt.emission.modules[block.labels[0]].label]
            step = ("module", block.labels[0]), repetition_of(block)
            yield from walk_importable_resources(module, modules, (*above, step))


def repetition_of(block: Block) -> str:
    """The repetition of a block: by `count`, by `for_each`, or none."""
    return next((name for name in (COUNT, EACH) if block.has_argument(name)), "")


def record_import_id(environment: AdoptedEnvironment, identity: Identity, *, is_secret: bool) -> None:
    """Adds the ID of an instance to the values of an environment. Raises UnknownValue for a key with a separator."""
    address, keys = split_address(identity.instance)
    if len(keys) > 1 and any(SEPARATOR in str(key) for key in keys):
        raise UnknownValue(f"{identity.instance.address_text} has a key with {SEPARATOR} in it")
    key = SEPARATOR.join(map(str, keys)) if keys else WITHOUT_KEY
    if is_secret:
        environment.secret_ids.setdefault(address, {})[key] = identity.id or ""
    environment.import_ids.setdefault(address, {})[key] = "" if is_secret else identity.id or ""
    if identity.id is None:
        text = f"HOT715: {identity.instance.address_text}: {identity.why}."
        environment.import_notes += [f" {line}" for line in textwrap.wrap(text, WIDTH, break_long_words=False)]
        if identity.command:
            environment.import_notes.append(f" {identity.command}")


def split_address(instance: BlockInstance) -> tuple[str, list[Key]]:
    """The address of a resource without keys, and the keys."""
    names: list[str] = []
    keys: list[Any] = []
    expr = instance.import_address
    while not isinstance(expr, Traversal):
        if isinstance(expr, Index):
            keys.append(expr.key)
            expr = expr.of
        else:
            assert isinstance(expr, Attr)
            names.append(expr.name)
            expr = expr.of
    return ".".join([*expr.parts, *reversed(names)]), keys[::-1]

"""The names that a provider has in place of its parent's, in all that is written: blocks, references, comments, texts.

A conversion works with the names of the parent, which tables, hooks and schemas know; this is its last step.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any, final

from emitters.hcl.tables.overlays import DATA, ArgumentName, ProviderOverlay
from emitters.hcl.tree.nodes import (
    Argument,
    Attr,
    Block,
    Expr,
    Fn,
    ForObject,
    Index,
    Note,
    Object,
    Op,
    Splat,
    Traversal,
)
from emitters.hcl.tree.rebuilding import rebuild_expression
from transpile.diagnostics.model import Diagnostic
from transpile.model.records import replace
from transpile.targets import Output

Item = Argument | Block | Note
WITH_PROVIDER = ("provider", "mock_provider")  # blocks whose label is the name of a provider
MESSAGES = ("error_message", "description")  # arguments whose text may name a type


LIFECYCLE = ".lifecycle"


def take_value(value: Expr, key: str) -> Expr:
    """The value of an object's key; the value itself if it is no object or lacks the key."""
    return next((inner for name, inner in value.entries if name == key), value) if isinstance(value, Object) else value


def kind_of_instance(expr: Expr) -> str:
    """The type of the resource that an expression such as `openstack_networking_router_v2.r[0]` is; else empty."""
    while isinstance(expr, Index):
        expr = expr.of
    return expr.parts[0] if isinstance(expr, Traversal) and len(expr.parts) == 2 else ""


def path_of_argument(expr: Expr) -> str:
    """The path of the argument that it reads as a whole (`openstack_networking_subnet_v2.cidr`); else empty."""
    if isinstance(expr, Traversal) and len(expr.parts) == 3:
        return f"{expr.parts[0]}.{expr.parts[2]}"
    return f"{kind_of_instance(expr.of)}.{expr.name}" if isinstance(expr, Attr) else ""


@final
class ProviderNames:
    """Replaces the names of a parent. With an empty overlay, everything stays as it is."""

    def __init__(self, overlay: ProviderOverlay) -> None:
        self.overlay, self.arguments = overlay, overlay.arguments
        words = sorted(overlay.types, key=len, reverse=True)
        self.pattern = re.compile(rf"(?<![\w-])({'|'.join(map(re.escape, words)) or '(?!)'})(?![\w-])", re.ASCII)

    def name_argument(self, within: str, name: str) -> ArgumentName:
        """The provider's name for an argument or block. within: the path of the block that contains it."""
        return self.arguments.get(f"{within}.{name}") or ArgumentName(name)

    def rename_items(self, items: Iterable[Item]) -> list[Item]:
        """Items with the provider's names."""
        return [self.rename_item(item) for item in items] if self.overlay.types else list(items)

    def rename_item(self, item: Item, within: str = "") -> Item:
        """An item with the provider's names. within: the path, in the parent's names, of the block that it is in."""
        if isinstance(item, Note):
            return Note([self.rename_words(line) for line in item.lines])
        comments = [self.rename_words(line) for line in item.comments]
        if isinstance(item, Argument):
            value = rebuild_expression(item.value, self.rename_reference)
            if item.name in MESSAGES and isinstance(value, str):
                value = self.rename_words(value)
            if within.endswith(LIFECYCLE):
                value = rebuild_expression(value, lambda part: self.rename_own_argument(part, within))
            own = self.name_argument(within, item.name)
            if own.key:
                value = take_value(value, own.key)
            return replace(item, name=own.name, value=value, comments=comments)
        path = self.path_of_block(item, within)
        body = [self.rename_item(inner, path) for inner in item.body]
        labels, kind = self.rename_labels(item), item.type
        if item.type == "dynamic":
            own = self.name_argument(within, item.labels[0])
            if own.name != item.labels[0]:
                body.insert(1, Argument("iterator", Traversal((item.labels[0],))))  # after for_each
            labels = (own.name,)
        elif path in self.arguments and item.type != "content":
            kind = self.arguments[path].name
        return replace(item, type=kind, labels=labels, body=body, comments=comments)

    def path_of_block(self, block: Block, within: str) -> str:
        """The path of a block in the parent's names: `openstack_networking_subnet_v2.allocation_pool`."""
        if block.type in ("resource", "data"):
            return f"{DATA * (block.type == 'data')}{block.labels[0]}"
        if not within or block.type == "content":
            return within
        return f"{within}.{block.labels[0] if block.type == 'dynamic' else block.type}"

    def rename_own_argument(self, expr: Expr, within: str) -> Expr:
        """An argument in `ignore_changes`, which is named without its resource. within: the path of the block."""
        if isinstance(expr, Traversal):
            own = self.name_argument(within.removesuffix(LIFECYCLE), expr.parts[0])
            return expr if own.name == expr.parts[0] else Traversal((own.name, *expr.parts[1:]))
        return expr

    def map_of_entries(self, expr: ForObject) -> Expr | None:
        """The provider's map in place of one that is made of the parent's list: `{for o in x.outputs : o.k => o.v}`;
        None if it is made of something else.
        """
        source = expr.over
        if isinstance(source, Fn) and source.name == "flatten" and isinstance(source.args[0], Splat):
            of, names = source.args[0].of, source.args[0].names
        elif isinstance(source, Traversal):
            of, names = Traversal(source.parts[:2]), source.parts[2:]
        else:
            return None
        if not isinstance(of, Traversal) or len(names) != 1:
            return None
        own = self.name_argument(of.parts[0], names[0])
        read = [Attr(Traversal(expr.names), name) for name in own.entries]
        if not own.entries or expr.test is not None or [expr.key, expr.value] != read:
            return None
        resource = rebuild_expression(of, self.rename_reference)
        if isinstance(source, Traversal):
            assert isinstance(resource, Traversal)
            return Traversal((*resource.parts, own.name))
        return Fn("merge", (Splat(resource, (own.name,)),), expand=True)

    def name_of_attribute(self, kind: str, name: str) -> str:
        """The provider's name for an attribute of one of the parent's types."""
        return self.name_argument(kind, name).name

    def compared_value(self, path: str, value: Expr) -> Expr:
        """The value to compare an argument with: the value of a key in place of the map, or a set in place of the list.
        path: of the argument, in the parent's names.
        """
        if (own := self.name_argument(*path.rsplit(".", 1))).key:
            return take_value(value.args[0] if isinstance(value, Fn) and value.name == "tomap" else value, own.key)
        if path in self.overlay.sets and isinstance(value, Fn) and value.name == "tolist":
            return Fn("toset", value.args)
        return value

    def rename_labels(self, block: Block) -> tuple[str, ...]:
        if block.type in ("resource", "data", "mock_resource", "mock_data"):
            return self.overlay.types.get(block.labels[0], block.labels[0]), *block.labels[1:]
        if block.type in WITH_PROVIDER and block.labels == (self.overlay.parent,):
            return (self.overlay.name,)
        return block.labels

    def rename_reference(self, expr: Expr) -> Expr:
        """A reference to a resource, data source or configuration of the provider; other expressions as they are."""
        types = self.overlay.types
        if isinstance(expr, Attr) and expr.name in types:  # module.node[0].openstack_networking_port_v2
            return Attr(rebuild_expression(expr.of, self.rename_reference), types[expr.name])
        if isinstance(expr, Op) and (path := path_of_argument(expr.left)):
            right = self.compared_value(path, expr.right)
            if right is not expr.right:
                left = rebuild_expression(expr.left, self.rename_reference)
                return Op(expr.sign, left, rebuild_expression(right, self.rename_reference))
        if isinstance(expr, ForObject) and (entries := self.map_of_entries(expr)) is not None:
            return entries
        if isinstance(expr, Attr) and (kind := kind_of_instance(expr.of)) in types:
            name = self.name_of_attribute(kind, expr.name)
            return Attr(rebuild_expression(expr.of, self.rename_reference), name) if name != expr.name else expr
        if not isinstance(expr, Traversal):
            return expr
        at = 1 if expr.parts[0] == "data" else 0
        named = list(expr.parts)
        if len(named) > at + 2 and named[at] in types:
            named[at + 2] = self.name_of_attribute(f"{DATA * at}{named[at]}", named[at + 2])
        parts = tuple([types.get(part, part) for part in named])
        if parts[0] == self.overlay.parent:
            parts = (self.overlay.name, *parts[1:])
        return Traversal(parts) if parts != expr.parts else expr

    def rename_words(self, text: str) -> str:
        """A text with the provider's names for types."""
        types = self.overlay.types
        return self.pattern.sub(lambda match: types[match[1]], text)

    def rename_data(self, value: Any) -> Any:
        """Data of a report with the provider's names, also as keys."""
        if isinstance(value, dict):
            if isinstance(value.get("to"), str) and isinstance(value.get("argument"), str):
                value = {**value, "argument": self.rename_argument(value["to"], value["argument"])}
            return {self.rename_data(key): self.rename_data(inner) for key, inner in value.items()}
        if isinstance(value, (list, tuple)):
            return [self.rename_data(inner) for inner in value]
        return self.rename_words(value) if isinstance(value, str) else value

    def rename_argument(self, address: str, argument: str) -> str:
        """The path of an argument with the provider's names. address: of its resource, in the parent's names."""
        types = self.overlay.types
        kind = next((part for part in address.split(".") if part in types), "")
        first, *rest = argument.split(".")
        own = self.name_argument(f"{DATA * address.startswith(DATA)}{kind}", first)
        return ".".join((own.name, *(rest[1:] if own.key and rest[:1] == [own.key] else rest)))

    def rename_diagnostic(self, diagnostic: Diagnostic) -> Diagnostic:
        return replace(
            diagnostic, message=self.rename_words(diagnostic.message), hint=self.rename_words(diagnostic.hint)
        )

    def rename_output(self, output: Output) -> Output:
        """An output whose report and diagnostics have the provider's names. Its files have them already."""
        if not self.overlay.types:
            return output
        diagnostics = [self.rename_diagnostic(diagnostic) for diagnostic in output.diagnostics]
        return Output(output.files, self.rename_data(output.report), diagnostics, output.addresses)

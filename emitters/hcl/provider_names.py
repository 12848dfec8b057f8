"""The names that a provider has in place of its parent's, in all that is written: blocks, references, comments, texts.

A conversion works with the names of the parent, which tables, hooks and schemas know; this is its last step.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any, final

from emitters.hcl.tables.overlays import ProviderOverlay
from emitters.hcl.tree.nodes import Argument, Attr, Block, Expr, Note, Traversal
from emitters.hcl.tree.rebuilding import rebuild_expression
from transpile.diagnostics.model import Diagnostic
from transpile.model.records import replace
from transpile.targets import Output

Item = Argument | Block | Note
WITH_PROVIDER = ("provider", "mock_provider")  # blocks whose label is the name of a provider
MESSAGES = ("error_message", "description")  # arguments whose text may name a type


@final
class ProviderNames:
    """Replaces the names of a parent. Without an overlay, everything stays as it is."""

    def __init__(self, overlay: ProviderOverlay | None) -> None:
        self.overlay = overlay
        words = sorted(overlay.types, key=len, reverse=True) if overlay is not None else []
        self.pattern = re.compile(rf"(?<![\w-])({'|'.join(map(re.escape, words)) or '(?!)'})(?![\w-])", re.ASCII)

    def rename_items(self, items: Iterable[Item]) -> list[Item]:
        """Items with the provider's names."""
        return list(items) if self.overlay is None else [self.rename_item(item) for item in items]

    def rename_item(self, item: Item) -> Item:
        if isinstance(item, Note):
            return Note([self.rename_words(line) for line in item.lines])
        comments = [self.rename_words(line) for line in item.comments]
        if isinstance(item, Argument):
            value = rebuild_expression(item.value, self.rename_reference)
            if item.name in MESSAGES and isinstance(value, str):
                value = self.rename_words(value)
            return replace(item, value=value, comments=comments)
        body = [self.rename_item(inner) for inner in item.body]
        return replace(item, labels=self.rename_labels(item), body=body, comments=comments)

    def rename_labels(self, block: Block) -> tuple[str, ...]:
        assert self.overlay is not None
        if block.type in ("resource", "data", "mock_resource", "mock_data"):
            return self.overlay.types.get(block.labels[0], block.labels[0]), *block.labels[1:]
        if block.type in WITH_PROVIDER and block.labels == (self.overlay.parent,):
            return (self.overlay.name,)
        return block.labels

    def rename_reference(self, expr: Expr) -> Expr:
        """A reference to a resource, data source or configuration of the provider; other expressions as they are."""
        assert self.overlay is not None
        types = self.overlay.types
        if isinstance(expr, Attr) and expr.name in types:  # module.node[0].openstack_networking_port_v2
            return Attr(rebuild_expression(expr.of, self.rename_reference), types[expr.name])
        if not isinstance(expr, Traversal):
            return expr
        parts = tuple([types.get(part, part) for part in expr.parts])
        if parts[0] == self.overlay.parent:
            parts = (self.overlay.name, *parts[1:])
        return Traversal(parts) if parts != expr.parts else expr

    def rename_words(self, text: str) -> str:
        """A text with the provider's names for types."""
        types = self.overlay.types if self.overlay is not None else {}
        return self.pattern.sub(lambda match: types[match[1]], text)

    def rename_data(self, value: Any) -> Any:
        """Data of a report with the provider's names, also as keys."""
        if isinstance(value, dict):
            return {self.rename_data(key): self.rename_data(inner) for key, inner in value.items()}
        if isinstance(value, (list, tuple)):
            return [self.rename_data(inner) for inner in value]
        return self.rename_words(value) if isinstance(value, str) else value

    def rename_diagnostic(self, diagnostic: Diagnostic) -> Diagnostic:
        return replace(
            diagnostic, message=self.rename_words(diagnostic.message), hint=self.rename_words(diagnostic.hint)
        )

    def rename_output(self, output: Output) -> Output:
        """An output whose report and diagnostics have the provider's names. Its files have them already."""
        if self.overlay is None:
            return output
        diagnostics = [self.rename_diagnostic(diagnostic) for diagnostic in output.diagnostics]
        return Output(output.files, self.rename_data(output.report), diagnostics, output.addresses)

"""Variables without a parameter in the template, such as the stack's name."""

from __future__ import annotations

from collections.abc import Set as AbstractSet
from typing import Any, final

from emitters.hcl.namespace import Namespace
from emitters.hcl.tree.nodes import Block, Expr, Traversal

NO_DEFAULT: Any = object()


@final
class SyntheticVariables:
    """Creates each variable on first use. `secret`: labels of all sensitive variables, including those of hidden
    parameters. `imported`: keys of variables that only import blocks refer to. `restricted`: further
    validations for the variables of parameters, by parameter.
    """

    def __init__(self, names: Namespace, secret: AbstractSet[str]) -> None:
        self.names = names
        self.blocks: dict[str, Block] = {}
        self.secret = set(secret)
        self.imported: set[str] = set()
        self.restricted: dict[str, list[Block]] = {}

    def get_variable(
        self,
        key: str,
        preferred_label: str,
        description: str,
        kind: Expr,
        *,
        default: Any = NO_DEFAULT,
        sensitive: bool = False,
        nullable: bool = True,
    ) -> Traversal:
        """The variable with this key. preferred_label: its label, if that is free. kind: its type."""
        if key not in self.blocks:
            block = self.blocks[key] = Block("variable", (self.names.taken_variables.reserve_name(preferred_label),))
            block.add_argument("description", description)
            block.add_argument("type", kind)
            if default is not NO_DEFAULT:
                block.add_argument("default", default)
            if sensitive:
                block.add_argument("sensitive", True)
                self.secret.add(block.labels[0])
            if not nullable:
                block.add_argument("nullable", False)
        return Traversal(("var", self.blocks[key].labels[0]))

    def copy_variable(self, key: str, original: Block) -> Traversal:
        """The variable with this key, a copy of a variable of a called module."""
        if key not in self.blocks:
            label = self.names.taken_variables.reserve_name(original.labels[0])
            self.blocks[key] = Block("variable", (label,), list(original.body))
            if original.has_argument("sensitive"):
                self.secret.add(label)
        return Traversal(("var", self.blocks[key].labels[0]))

    def __contains__(self, key: str) -> bool:
        return key in self.blocks

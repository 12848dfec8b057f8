"""Data sources that a directory needs at most once, such as the current project."""

from __future__ import annotations

from collections.abc import Iterable
from typing import final

from emitters.hcl.blocks import DirectoryBlocks
from emitters.hcl.namespace import Namespace
from emitters.hcl.tree.nodes import Block, Expr


@final
class SharedData:
    """Creates each data source on first use."""

    def __init__(self, names: Namespace, blocks: DirectoryBlocks) -> None:
        self.names, self.blocks = names, blocks
        self.made: dict[str, tuple[str, str]] = {}

    def share_data_source(
        self, key: str, kind: str, preferred_label: str, arguments: Iterable[tuple[str, Expr]] = (), comment: str = ""
    ) -> tuple[str, str]:
        """The address of the data source with this key. The first call creates it.

        kind: its Terraform type. preferred_label: its label, if that is free. comment: a comment above the block.
        """
        if key not in self.made:
            address = self.made[key] = self.names.reserve_data_source(kind, preferred_label)
            block = Block("data", address, comments=[comment] if comment else [])
            for name, value in arguments:
                block.add_argument(name, value)
            self.blocks.data.append(block)
        return self.made[key]

    def availability_zones(self) -> tuple[str, str, str]:
        """The address of the data source that lists all availability zones."""
        return ("data", *self.share_data_source("zones", "openstack_compute_availability_zones_v2", "zones"))

    def external_network(self) -> tuple[str, str]:
        """The address of the data source that finds the external network."""
        comment = " Heat uses the only external network."
        return self.share_data_source(
            "external", "openstack_networking_network_v2", "external", [("external", True)], comment
        )

    def current_project(self) -> tuple[str, str]:
        """The address of the data source for the project of the credentials. Heat would create the stack there."""
        return self.share_data_source("project", "openstack_identity_auth_scope_v3", "current", [("name", "current")])

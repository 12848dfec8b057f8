"""Writes where Terraform keeps the state of a root: a partial backend, and the settings of one environment."""

from __future__ import annotations

from emitters.hcl.tree.nodes import Argument, Block
from emitters.hcl.tree.printer import print_hcl

LOCAL = "local"


def declare_backend(kind: str) -> str:
    """The text of backend.tf: a backend whose settings `terraform init -backend-config` completes."""
    terraform = Block("terraform")
    terraform.add_block("backend", kind)
    return print_hcl([terraform])


def write_backend_settings(kind: str, state_key: str) -> str:
    """The settings of an environment's backend. state_key: what names its state, a path below the root."""
    assert kind == LOCAL
    return print_hcl([Argument("path", f"{state_key}.tfstate")], constant=True)

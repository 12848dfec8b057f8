"""Writes the .gitignore of a directory: the files that Terraform adds to it, and the values that people set.

Invariant: no file that hot2tf writes is ignored, and .terraform.lock.hcl is not ignored either.
"""

from __future__ import annotations

from emitters.hcl.tree.nodes import Note
from emitters.hcl.tree.printer import print_hcl

NAME = ".gitignore"
PATTERNS = (
    ".terraform/",
    "*.tfstate",
    "*.tfstate.*",
    "*.tfplan",
    "*.auto.tfvars",
    "*.auto.tfvars.json",
    "crash.log",
    "crash.*.log",
    "override.tf",
    "override.tf.json",
    "*_override.tf",
    "*_override.tf.json",
    ".terraformrc",
    "terraform.rc",
)


def print_gitignore(first: Note) -> str:
    """The whole file. first: its first line."""
    return print_hcl([first]) + "\n" + "".join(f"{pattern}\n" for pattern in PATTERNS)

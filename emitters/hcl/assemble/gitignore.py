"""Writes the .gitignore of a directory: the files that Terraform adds to it, and those with secrets.

Invariant: nothing is ignored that a pipeline needs: the files that hot2tf writes, values.auto.tfvars, into which people
put the values that are no secrets, and .terraform.lock.hcl.
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
    "secrets.auto.tfvars",
    "crash.log",
    "crash.*.log",
    "override.tf",
    "override.tf.json",
    "*_override.tf",
    "*_override.tf.json",
    ".terraformrc",
    "terraform.rc",
)


SECRET_VALUES = "*.secrets.tfvars"  # of environments


def print_gitignore(first: Note, *more: str) -> str:
    """Prints the .gitignore. first: its first line. more: further patterns."""
    return print_hcl([first]) + "\n" + "".join(f"{pattern}\n" for pattern in (*PATTERNS, *more))

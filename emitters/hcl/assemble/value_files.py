"""The files of a root that have the values of its variables: one, or one for each environment.

Invariant: the name of an environment is a plain file name, so no file of values is outside of its directory.
"""

from __future__ import annotations

from typing import final

from transpile.model.lazy_patterns import compile_lazily
from transpile.model.records import node

FOLDER = "environments"
PLAIN_NAME = compile_lazily(r"[A-Za-z0-9_][A-Za-z0-9._-]*")


@final
@node
class ValueFiles:
    """The files of values of a root. values: the file with the values of the input. example: the file with the
    variables for which Terraform asks. copy: the file in which a person puts their values. environment: the one that
    these files are for; empty if the root has no other. note: a comment for the top of the file with the values.
    """

    values: str = "terraform.tfvars"
    example: str = "terraform.tfvars.example"
    copy: str = "values.auto.tfvars"
    environment: str = ""
    note: str = ""


def name_value_files(environment: str, note: str = "") -> ValueFiles:
    """The files of an environment; those of a root that has only one if the name is empty."""
    if not environment:
        return ValueFiles()
    values = f"{FOLDER}/{environment}.tfvars"
    return ValueFiles(values, f"{values}.example", values, environment, note)


def check_environment_name(name: str) -> None:
    """Raises ValueError for a name that is no plain file name."""
    if name and not PLAIN_NAME.fullmatch(name):
        raise ValueError("the name of an environment has letters, digits, and inside also - and .")

"""Joins the files of several environments to one root, which each environment uses with values and a state of its own.

Invariant: a file that is not for one environment alone is equal in all, except for README.md, which says what differs.
"""

from __future__ import annotations

import json
import posixpath
from collections.abc import Iterable, Mapping

from emitters.hcl.address_rows import AddressRow, join_rows, read_rows, write_rows
from emitters.hcl.assemble.origin import README
from emitters.hcl.assemble.value_files import FOLDER, ValueFiles
from transpile.model.lazy_patterns import compile_lazily
from transpile.text.addresses import CARRIED

FILES, WORKSPACES, DIRECTORIES = "files", "workspaces", "directories"  # how environments share a root
VALUES = ".tfvars"  # the ending of an environment's files
TESTS = compile_lazily(r"(tests/[^/]+?)(\.(?:tf|tofu)test\.hcl)")
SECRETS = "secrets.auto.tfvars"


def belongs_to_environment(name: str) -> bool:
    """Whether a file is for one environment alone, or lists the differences between environments."""
    return name in (README, CARRIED) or name.startswith(f"{FOLDER}/") or TESTS.fullmatch(name) is not None


def environment_of_file(name: str) -> str:
    """The environment that a file of values is for; empty for any other file."""
    folder, base = posixpath.split(name)
    return base.removesuffix(VALUES) if folder == FOLDER and base.endswith(VALUES) else ""


def own_name(name: str, environment: str) -> str:
    """The name that a file for an environment has in a directory of its own."""
    values = name_values(environment)
    if name in (values, f"{values}.example"):
        return name.replace(values, ValueFiles().values)
    match = TESTS.fullmatch(name)
    return f"{match[1].removesuffix(f'-{environment}')}{match[2]}" if match is not None and environment else name


def name_for_environment(tests: Mapping[str, str], environment: str) -> dict[str, str]:
    """The tests of an environment, by names that no other environment has."""
    return {
        f"{match[1]}-{environment}{match[2]}" if (match := TESTS.fullmatch(name)) is not None else name: text
        for name, text in tests.items()
    }


def name_values(environment: str) -> str:
    """The file with the values of an environment."""
    return f"{FOLDER}/{environment}{VALUES}"


def name_secrets(environment: str) -> str:
    """The file with the secrets of an environment, which git ignores and Terraform does not read by itself."""
    return f"{FOLDER}/{environment}/{SECRETS}"


def state_file(layout: str, environment: str) -> str:
    """The path of an environment's local state, below its root. environment: its name; empty for a root without
    environments.
    """
    if layout == DIRECTORIES or not environment:
        return "terraform.tfstate"
    if layout == WORKSPACES:
        return f"terraform.tfstate.d/{environment}/terraform.tfstate"
    return f"{FOLDER}/{environment}.tfstate"


def join_environments(layout: str, files: Mapping[str, Mapping[str, bytes]]) -> dict[str, bytes]:
    """The files of a root. files: those of each environment, in order. A test of one name is that of the first."""
    parts = list(files.values())
    joined: dict[str, bytes] = {}
    for part in parts:
        tests = {name for name in part if TESTS.fullmatch(name)}
        joined |= {name: data for name, data in part.items() if name not in tests or name not in joined}
    if sections := [part[CARRIED] for part in parts if CARRIED in part]:
        joined[CARRIED] = join_addresses(sections)
    return dict(sorted(joined.items()))


def join_addresses(sections: Iterable[bytes]) -> bytes:
    """The addresses of all environments: each has members of its own."""
    rows: list[AddressRow] = []
    for section in sections:
        rows = join_rows(rows, read_rows(json.loads(section)["resources"]))
    return json.dumps({"resources": write_rows(rows)}, separators=(",", ":")).encode()

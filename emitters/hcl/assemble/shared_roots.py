"""Joins the files of several environments to one root, which each environment uses with values and a state of its own.

Invariant: what is not for one environment alone is equal in all of them, except for README.md, which says what differs.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable, Mapping

from emitters.hcl.assemble.origin import README
from emitters.hcl.assemble.value_files import FOLDER, ValueFiles
from emitters.hcl.backends import name_settings
from transpile.text.markdown import format_code, format_table

FILES, WORKSPACES, DIRECTORIES = "files", "workspaces", "directories"  # how environments share a root
VALUES = ".tfvars"  # the ending of an environment's files
TESTS = re.compile(r"(tests/[^/]+?)(\.(?:tf|tofu)test\.hcl)")
SECRETS = "secrets.auto.tfvars"
NOTES = "\n## Notes\n"
ITEM = "- "


def belongs_to_environment(name: str) -> bool:
    """Whether a file is for one environment alone, or says what is special in each."""
    return name == README or name.startswith(f"{FOLDER}/") or TESTS.fullmatch(name) is not None


def environment_of_file(name: str) -> str:
    """The environment that a file of values is for; empty for any other file."""
    folder, base = posixpath.split(name)
    return base.removesuffix(VALUES) if folder == FOLDER and base.endswith(VALUES) else ""


def own_name(name: str, environment: str) -> str:
    """The name that a file for an environment has in a directory of its own."""
    values = f"{FOLDER}/{environment}{VALUES}"
    if environment and name in (values, f"{values}.example"):
        return name.replace(values, ValueFiles().values)
    match = TESTS.fullmatch(name)
    return f"{match[1].removesuffix(f'-{environment}')}{match[2]}" if match is not None and environment else name


def name_values(environment: str) -> str:
    """The file with the values of an environment."""
    return f"{FOLDER}/{environment}{VALUES}"


def name_secrets(environment: str) -> str:
    """The file with the secrets of an environment, which git ignores and Terraform does not read by itself."""
    return f"{FOLDER}/{environment}/{SECRETS}"


def state_file(layout: str, environment: str) -> str:
    """Where Terraform keeps the local state of an environment, below its root. An empty name is that of a root without
    environments.
    """
    if layout == DIRECTORIES or not environment:
        return "terraform.tfstate"
    if layout == WORKSPACES:
        return f"terraform.tfstate.d/{environment}/terraform.tfstate"
    return f"{FOLDER}/{environment}.tfstate"


def join_environments(layout: str, files: Mapping[str, Mapping[str, bytes]]) -> dict[str, bytes]:
    """The files of a root. files: those of each environment, in order. A test that is equal for all stands once."""
    parts = list(files.values())
    joined: dict[str, bytes] = {}
    for environment, part in files.items():
        for name, data in part.items():
            match = TESTS.fullmatch(name)
            differs = match is not None and any(other.get(name) != data for other in parts)
            joined[f"{match[1]}-{environment}{match[2]}" if match is not None and differs else name] = data
    if any(README in part for part in parts):
        readmes = {name: part[README].decode("utf-8", "replace") for name, part in files.items() if README in part}
        joined[README] = join_readmes(layout, readmes, joined).encode()
    return dict(sorted(joined.items()))


def join_readmes(layout: str, readmes: Mapping[str, str], names: Iterable[str]) -> str:
    """README.md of a root: the text that its environments have in common, the section about them, and the notes."""
    first = next(iter(readmes.values()))
    text, _, notes = first.partition(NOTES)
    sections = text.split("\n## ")
    place = next((at for at, section in enumerate(sections) if section.startswith("Inputs\n")), len(sections))
    environments = "\n".join(describe_environments(layout, list(readmes), frozenset(names)))
    text = "\n## ".join([*sections[:place], environments, *sections[place:]])
    written = {line for line in notes.split("\n") if line.startswith(ITEM)}
    for name, other in readmes.items():
        lines = [line for line in other.partition(NOTES)[2].split("\n") if line.startswith(ITEM)]
        own = [line for line in lines if line not in written]
        written.update(own)
        if own:
            notes = "\n".join([notes.rstrip("\n"), "", f"Only for {format_code(name)}:", "", *own, ""])
    return f"{text}{NOTES}{notes}" if notes else text


def describe_environments(layout: str, environments: list[str], names: frozenset[str]) -> list[str]:
    """The section about the environments, without the marker of its heading."""
    rows = []
    for environment in environments:
        values = f"{FOLDER}/{environment}{VALUES}"
        example = f"{values}.example"
        missing = f"those in {format_code(example)}" if example in names else ""
        rows.append((format_code(environment), format_code(values), missing))
    first = environments[0]
    if layout == WORKSPACES:
        commands = ["terraform init", f"terraform workspace select -or-create {first}"]
    else:
        commands = [f"terraform init -reconfigure -backend-config={name_settings(first)}"]
    commands.append(f"terraform apply -var-file={FOLDER}/{first}{VALUES}")
    return [
        "Environments",
        "",
        *format_table(("environment", "values", "values to fill in"), rows),
        "",
        f"Each has a state of its own. For {format_code(first)}:",
        "",
        "```sh",
        *commands,
        "```",
        "",
    ]

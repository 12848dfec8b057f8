"""The environments that `hot2tf adopt --environments files` names, and those that an earlier run wrote.

Invariant: a run changes no file of an environment that it does not name.
"""

from __future__ import annotations

import pathlib
from collections.abc import Sequence

from transpile.adopting.environments import EarlierEnvironments, find_earlier_environments
from transpile.adoption import environments
from transpile.cli import options


def name_environments(sources: Sequence[str], *, online: bool) -> dict[str, str]:
    """The exports or stacks by the names of their environments: NAME=EXPORT, or else the name of the export."""
    named: dict[str, str] = {}
    for source in sources:
        name, sign, path = source.partition("=")
        if not sign or not environments.NAME.fullmatch(name):
            name, path = directory_stem(source, online=online), source
        if not environments.NAME.fullmatch(name):
            raise options.usage_error(f"{name} cannot be the name of an environment; write NAME={path}")
        if name.lower() in map(str.lower, named):
            raise options.usage_error(f"two environments would be called {name}; write NAME={path}")
        named[name] = path
    return named


def assign_answers(files: Sequence[str], names: Sequence[str], *, shared: bool) -> dict[str, str]:
    """The files with answers by the stacks or environments that they are for."""
    answers: dict[str, str] = {}
    for file in files:
        name, sign, path = file.partition("=")
        if shared and sign and name in names:
            answers[name] = path
        elif len(files) > 1:
            raise options.usage_error("several --answers need --environments files, and each NAME=FILE")
        else:
            answers = dict.fromkeys(names, file)
    return answers


def directory_stem(name: str, *, online: bool = False) -> str:
    """The directory name for a stack, if there are several stacks."""
    if online:
        return name
    return pathlib.Path(name).stem if name != "-" else "stdin"


def read_earlier_environments(output: str, names: Sequence[str]) -> EarlierEnvironments:
    """What an earlier run wrote into the directory for environments with other names, as it wrote it."""
    from transpile.text import base_store, manifest
    from transpile.text import output as writer

    directory = pathlib.Path(output)
    if writer.refuse_links(output) or not directory.is_dir():
        return EarlierEnvironments()
    hashes = manifest.read_manifest(directory)
    base = base_store.read_base(directory, hashes)
    texts = {name: text.decode("utf-8") for name, text in base.items() if name in hashes}
    return find_earlier_environments(hashes, texts, names)

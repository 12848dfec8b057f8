"""Adopts the running stacks that `hot2tf adopt` names: each into a directory, or all as environments of one.

Invariant: a stack that cannot be adopted leaves the directories of the others as they would be without it. A run
changes no file of an environment that it does not name.
"""

from __future__ import annotations

import pathlib
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple, final

from transpile.additions import Additions
from transpile.adopting import environments
from transpile.adopting.environments import EarlierEnvironments, find_earlier_environments
from transpile.adopting.run import Adoptee, adopted
from transpile.adoption.lookups import Answers
from transpile.cli import conversions
from transpile.cli.invocation import Invocation
from transpile.model.records import replace
from transpile.pipeline import Conversion
from transpile.settings.command_paths import CommandPaths


class Delivery(NamedTuple):
    """The options for writing and printing results: the options of the command with these names."""

    force: bool
    conflicts: bool
    diff: bool
    verbose: bool
    quiet: bool


@final
class StackAdoptions:
    """The adoptions of one command. `describe`: the paths of the command line, for the first line of files, by the path
    of an export. `read`: reads an export, or a stack of the cloud. `reports`: one for each adopted stack. `failed`:
    whether an adoption failed.
    """

    def __init__(
        self,
        run: Invocation,
        describe: Callable[[str], CommandPaths],
        read: Callable[[str], Adoptee],
        cloud: Answers | None,
        added: Additions | None,
        delivery: Delivery,
        *,
        drift: bool,
    ) -> None:
        self.run, self.describe, self.read, self.cloud, self.added = run, describe, read, cloud, added
        self.delivery, self.drift = delivery, drift
        self.reports: list[dict[str, Any]] = []
        self.failed = False

    def adopt_each(self, outputs: Mapping[str, str], answers: Mapping[str, str]) -> None:
        """Adopts each stack into its directory. `outputs`, `answers`: by stack."""
        for name, output in outputs.items():
            done = self.adopt_stack(name, self.read(name), answers.get(name))
            self.deliver(done, output, [name])
            self.reports.append(done.report)

    def adopt_stack(self, name: str, adoptee: Adoptee, answers: str | None) -> Conversion:
        request = replace(self.run.request, paths=self.describe(name))
        return adopted(adoptee, request, self.cloud, answers, self.added, drift=self.drift)

    def adopt_as_environments(self, sources: Mapping[str, str], answers: Mapping[str, str], output: str) -> None:
        """Adopts all stacks into one directory. `sources`, `answers`: by the name of the environment."""
        adoptees = {name: self.read(source) for name, source in sources.items()}
        request = replace(self.run.request, paths=self.describe("-"))
        earlier = read_earlier_environments(output, list(adoptees))
        joined = environments.adopted_environments(
            adoptees, request, self.cloud, answers, self.added, earlier, drift=self.drift
        )
        self.deliver(joined.conversion, output, list(sources.values()))
        self.reports += joined.reports

    def deliver(self, done: Conversion, output: str, paths: Sequence[str]) -> None:
        """Writes the files of an adoption, and prints its summary."""
        force, conflicts, diff, verbose, quiet = self.delivery
        succeeded = conversions.deliver_conversion(
            self.run, done, output, paths=paths, force=force, verbose=verbose, conflicts=conflicts, diff=diff
        )
        conversions.close_conversion(
            self.run, done, output, succeeded=succeeded, quiet=quiet, verbose=verbose, diff=diff
        )
        self.failed = self.failed or not succeeded


def read_earlier_environments(output: str, names: Sequence[str]) -> EarlierEnvironments:
    """Returns the files that an earlier run wrote into the directory for environments with other names, without
    edits.
    """
    from transpile.text import base_store, manifest
    from transpile.text import output as writer

    directory = pathlib.Path(output)
    if writer.refuse_links(output) is not None or not directory.is_dir():
        return EarlierEnvironments()
    hashes = manifest.read_manifest(directory)
    base = base_store.read_base(directory, hashes)
    texts = {name: text.decode("utf-8") for name, text in base.items() if name in hashes}
    return find_earlier_environments(hashes, texts, names)

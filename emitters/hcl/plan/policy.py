"""The user's choices for types without an exact equivalent, as answers to the questions of a conversion.

Invariant: nothing else compares the preference.
"""

from __future__ import annotations

import fnmatch
from collections.abc import Iterable, Sequence
from typing import Any, final

from emitters.hcl.plan.cfn_init import CLOUD_CONFIG
from transpile.model.records import node
from transpile.resolve.stack import Stack

FAITHFUL, NATIVE, PROVISIONERS = "faithful", "native", "provisioners"
PREFERENCES = (FAITHFUL, NATIVE, PROVISIONERS)  # each frees more from Heat than those before it


@final
@node
class PreferencePolicy:
    """The user's choices. prefer: one of PREFERENCES. kept_words: the types and resources to keep with Heat.
    metadata_reader: who reads the metadata of cfn-init without Heat. provider: the version of the provider that the
    output is for, as `openstack=2.1`.
    """

    prefer: str = FAITHFUL
    kept_words: Sequence[str] = ()
    metadata_reader: str = CLOUD_CONFIG
    provider: str = ""

    @property
    def accepts_differences(self) -> bool:
        """Whether a type that Terraform handles a little differently becomes native, with a diagnostic, and does not
        stay with Heat.
        """
        return self.prefer != FAITHFUL

    @property
    def asks_for_values(self) -> bool:
        """Whether a variable asks for a value that only Heat, or a data source that is lacking, could look up."""
        return self.accepts_differences

    @property
    def reads_through_heat(self) -> bool:
        """Whether a stack in Heat reads attributes that Terraform cannot, so that the resource itself becomes
        native.
        """
        return not self.accepts_differences

    @property
    def works_over_ssh(self) -> bool:
        """Whether Terraform runs deployments, and waits for signals, over SSH."""
        return self.prefer == PROVISIONERS

    @property
    def waits_for_parts(self) -> bool:
        """Whether a reference to a nested stack waits only for the resource that it refers to. A provisioner needs all
        that lets it reach its server.
        """
        return self.prefer == NATIVE

    @property
    def further_preferences(self) -> Sequence[str]:
        """The preferences that free more."""
        return PREFERENCES[PREFERENCES.index(self.prefer) + 1 :]

    def match_kept_resources(self, stack: Stack, names: Iterable[str]) -> set[str]:
        """The resources that the user wants to keep with Heat, by name, type or pattern (`OS::Aodh::*`)."""
        return {
            name
            for name in names
            for kind in {stack.types[name], stack.template.resources[name].type}
            if name in self.kept_words or any(fnmatch.fnmatchcase(kind, pattern) for pattern in self.kept_words)
        }

    def as_json(self) -> dict[str, Any]:
        """The choices that differ from the defaults. `metadata_reader` only has an effect with a preference."""
        read_otherwise = self.accepts_differences and self.metadata_reader != CLOUD_CONFIG
        return {
            **({"prefer": self.prefer} if self.accepts_differences else {}),
            **({"keep": [*self.kept_words]} if self.kept_words else {}),
            **({"cfn_init": self.metadata_reader} if read_otherwise else {}),
            **({"provider": self.provider} if self.provider else {}),
        }

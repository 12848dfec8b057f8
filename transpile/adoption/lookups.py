"""Questions to a cloud, for values that Heat does not store: the name of a network, the port of a router on a subnet.

Invariant: an answer has the attributes of the API under their own names. A question without an answer raises NoAnswer
with the command that would show it.
"""

from __future__ import annotations

import json
import shlex
from collections.abc import Mapping, Sequence
from typing import Any, Protocol, final

from transpile.adoption.shell import ARGUMENTS, join_command, set_option
from transpile.model.records import node

FORMAT = 1  # of a file of answers

# Options of `openstack KIND list`, by the attribute that they filter by. The user looks for other attributes himself.
LIST_OPTIONS: Mapping[tuple[str, str], str] = {
    ("port", "device_id"): "--device-id",
    ("port", "network_id"): "--network",
    ("port", "name"): "--name",
    ("port", "mac_address"): "--mac-address",
    ("port", "fixed_ips.subnet_id"): "--fixed-ip subnet=",
    ("port", "fixed_ips.ip_address"): "--fixed-ip ip-address=",
    ("subnet", "network_id"): "--network",
    ("floating ip", "port_id"): "--port",
    ("floating ip", "floating_ip_address"): "--floating-ip-address",
    ("security group rule", "direction"): "--",
}
LIST_ARGUMENTS = {
    ("security group rule", "security_group_id"),
    ("recordset", "zone_id"),
}  # arguments of `list`, not options


@final
@node
class CloudLookup:
    """A question: objects of a kind with certain attributes.

    `kind`: the object as the `openstack` client calls it (`port`, `security group rule`). `filter`: attributes as the
    API calls them, each with the value that they must have; `fixed_ips.subnet_id` is met by any item of a list. `take`:
    the attribute to read from the answer.
    """

    kind: str
    filter: tuple[tuple[str, str], ...]
    take: str = "id"

    @property
    def command(self) -> str:
        """A command that shows the answer."""
        attributes = dict(self.filter)
        if list(attributes) == ["id"]:
            words = ["openstack", *self.kind.split(), "show"]
            return join_command(words, attributes["id"], "-f", "value", "-c", self.take)
        words = ["openstack", *self.kind.split(), "list"]
        last: list[str] = []  # arguments that look like options
        for key, value in self.filter:
            option = LIST_OPTIONS.get((self.kind, key), "")
            if (self.kind, key) in LIST_ARGUMENTS:
                (last if value.startswith("-") else words).append(value)
            elif option == "--":
                words.append(f"--{value}")
            elif option.endswith("="):
                name, _, prefix = option.partition(" ")
                words += [name, f"{prefix}{value}"]
            elif option:
                words += set_option(option, value)
        return shlex.join([*words, ARGUMENTS, *last] if last else words)

    def matches(self, row: Mapping[str, Any]) -> bool:
        """Whether an object has the attributes."""
        return all(value in collect_values(row, key.split(".")) for key, value in self.filter)


def collect_values(value: Any, path: Sequence[str]) -> list[str]:
    """The values at a path of attributes as texts; of a list, those of all its items."""
    if isinstance(value, (list, tuple)):
        return [text for item in value for text in collect_values(item, path)]
    if not path:
        return [to_filter_text(value)]
    return collect_values(value.get(path[0]), path[1:]) if isinstance(value, dict) else []


def to_filter_text(value: Any) -> str:
    """A value of the API as the text that filters compare."""
    if value is None:
        return ""
    return json.dumps(value) if isinstance(value, (bool, dict)) else str(value)


class NoAnswer(LookupError):
    """A question has no answer: there is no cloud, and the saved answers lack it."""


class Cloud(Protocol):
    """A source of answers about a cloud: the cloud itself, or a file of saved answers."""

    def ask(self, lookup: CloudLookup) -> Sequence[Mapping[str, Any]]:
        """The objects that match; all of their attributes, by the API's names. Raises NoAnswer."""
        ...


@final
class Answers:
    """Saved answers, from a file or of a run; with a cloud, questions without a saved answer go there and are saved."""

    def __init__(
        self, saved: Mapping[CloudLookup, Sequence[Mapping[str, Any]]] | None = None, cloud: Cloud | None = None
    ):
        self.rows_by_lookup = {normalize_lookup(lookup): list(rows) for lookup, rows in (saved or {}).items()}
        self.cloud = cloud

    def ask(self, lookup: CloudLookup) -> Sequence[Mapping[str, Any]]:
        question = normalize_lookup(lookup)
        if question not in self.rows_by_lookup:
            if self.cloud is None:
                raise NoAnswer(lookup.command)
            self.rows_by_lookup[question] = [row for row in self.cloud.ask(lookup) if lookup.matches(row)]
        return self.rows_by_lookup[question]

    def as_json(self) -> dict[str, Any]:
        """The answers as a file holds them, in the order of the questions."""
        entries = sorted(self.rows_by_lookup.items(), key=lambda entry: (entry[0].kind, entry[0].filter))
        answers = [{"kind": q.kind, "filter": dict(q.filter), "objects": rows} for q, rows in entries]
        return {"format": FORMAT, "answers": answers}


def normalize_lookup(lookup: CloudLookup) -> CloudLookup:
    """The question without `take`, and with its filter in order: the key under which its answer is saved."""
    return CloudLookup(lookup.kind, tuple(sorted(lookup.filter)), "")

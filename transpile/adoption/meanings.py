"""What a running stack's template says of its resources: what their types stand for, and how Heat can let go of each.

Invariant: templates are plain data here, in either dialect, as Heat stored them. A type whose meaning cannot be told
for all resources at once has none.
"""

from __future__ import annotations

import contextlib
import fnmatch
import json
import re
from typing import TYPE_CHECKING, Any, final

from transpile.adoption import documents
from transpile.diagnostics import codes
from transpile.diagnostics.model import Diagnostic, Sink, Stopped, failed
from transpile.front import documents as texts
from transpile.front import nodes
from transpile.model import heat_types
from transpile.resolve.registry import is_file

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from transpile.adoption.live import LiveStack
    from transpile.model.source import Source

Data = dict[str, Any]
PLAIN, INSIDE, DETACHED, LEFT = "plain", "inside", "detached", "left"
GROUPS = (
    heat_types.RESOURCE_GROUP,
    heat_types.AUTO_SCALING_GROUP,
    heat_types.INSTANCE_GROUP,
    heat_types.RESOURCE_CHAIN,
)
STACKS = (*GROUPS, heat_types.STACK, heat_types.AWS_STACK, heat_types.AWS_AUTO_SCALING_GROUP)
# What runs something on a server when its entry changes in any way. Nothing is lost when Heat deletes its record.
DEPLOYMENTS = tuple(
    f"OS::Heat::{what}{how}"
    for what in ("Software", "Structured")
    for how in ("Deployment", "DeploymentGroup", "Deployments")
)
HALVES = re.compile(r"\\u[dD][89a-fA-F]|[\ud800-\udfff]")  # of characters, in JSON
ACTIONS = ("CREATE", "UPDATE")  # at which a deployment runs, if it does not say
KEYS = {  # of a resource, in HOT and in CFN
    "type": "Type",
    "properties": "Properties",
    "deletion_policy": "DeletionPolicy",
    "update_policy": "UpdatePolicy",
    "external_id": "external_id",
}


def whole(read: Data) -> bool:
    """Whether no text in it has half of a surrogate pair, which no file can have."""
    try:
        json.dumps(read, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        return False
    return True


def parsed(source: Source) -> Data:
    """A template or an environment as data. Raises Stopped."""
    if source.text.startswith("{"):  # a part of an export, which was read already, or a file that Heat's client sent
        with contextlib.suppress(ValueError, RecursionError):
            read = dict(json.loads(source.text))
            if HALVES.search(source.text) and not whole(read):
                raise Stopped(
                    [Diagnostic(codes.RELEASE_CANNOT_BE_WRITTEN, "A template has half of a character in it.", source)]
                )
            return read
    sink = Sink(source)
    try:
        found = documents.data(texts.compose(sink, source.name))
    except nodes.Unreadable:
        found = None
    if not isinstance(found, dict) or failed(sink.found):
        raise Stopped(
            sink.found
            or [Diagnostic(codes.RELEASE_CANNOT_BE_WRITTEN, "This is neither a template nor an environment.", source)]
        )
    return found


@final
class Meanings:
    """What the resource types of a running stack stand for, by its environment. `kept`: the types of resources that
    stay with Heat, whose templates must stay what they are. `outer`: those of the stack around it.
    """

    def __init__(self, live: LiveStack, kept: Iterable[str] = (), outer: Meanings | None = None) -> None:
        environment = {} if live.environment is None else parsed(live.environment)
        registry = environment.get("resource_registry")
        self.registry: Data = registry if isinstance(registry, dict) else {}
        self.files = live.files
        if outer is not None:  # nested stacks of a client's output have neither
            self.registry = self.registry or outer.registry
            self.files = self.files or outer.files
        self.shared = {self.entry(kind) for kind in kept}

    def entry(self, kind: str) -> str:
        """The last entry on the way from a type to its template; "" if there is none, or several by resource."""
        special = self.registry.get("resources")
        if isinstance(special, dict) and any(kind in names(inner) for inner in special.values()):
            return ""
        for _ in range(len(self.registry) + 1):
            wild = [key for key in self.registry if key.endswith("*") and fnmatch.fnmatchcase(kind, key)]
            value = self.registry.get(kind)
            if wild or not isinstance(value, str):
                return ""
            if is_file(value):
                return kind
            kind = value
        return ""

    def file(self, kind: str) -> str:
        """The name of the template that a type stands for; "" if it is none, or if this cannot be told."""
        if is_file(kind):
            return kind
        entry = self.entry(kind)
        return str(self.registry[entry]) if entry and entry not in self.shared else ""

    def mode(self, one: Data) -> str:
        """How a resource of a template is let go."""
        kind, policy = str(given(one, "type") or ""), given(one, "deletion_policy")
        if kind in DEPLOYMENTS:
            return PLAIN if "DELETE" in actions(one) else LEFT
        if "Type" in one and is_file(kind):
            return DETACHED  # Heat's client sends no such files
        if self.file(kind):
            return INSIDE if policy in (None, "Delete", "delete") else DETACHED
        member = member_of(one)
        if kind == heat_types.RESOURCE_GROUP and member and self.file(member) and policy in (None, "Delete", "delete"):
            return INSIDE
        return DETACHED if kind in STACKS or self.entry(kind) else PLAIN


def names(entries: object) -> Iterator[str]:
    """The types in a part of a registry that is for single resources."""
    for key, value in entries.items() if isinstance(entries, dict) else ():
        yield key
        yield from names(value)


def given(one: Data, word: str) -> Any:
    """A key of a resource, in either dialect."""
    return one.get(word, one.get(KEYS[word]))


def actions(one: Data) -> Sequence[str]:
    """The actions at which a deployment runs; all, if they are not literal."""
    properties = given(one, "properties")
    found = properties.get("actions") if isinstance(properties, dict) else None
    if found is None:
        return ACTIONS
    literal = isinstance(found, list) and all(isinstance(item, str) for item in found)
    return found if literal else (*ACTIONS, "DELETE")


def member_of(one: Data) -> str:
    """The type of the members of a group, if it is literal."""
    properties = given(one, "properties")
    inner = properties.get("resource_def") if isinstance(properties, dict) else None
    kind = inner.get("type") if isinstance(inner, dict) else None
    return kind if isinstance(kind, str) else ""


def resources_of(template: Data) -> dict[str, Data]:
    """The resources of a template that are maps, as Heat wants them."""
    found = template.get("resources", template.get("Resources"))
    return {name: one for name, one in found.items() if isinstance(one, dict)} if isinstance(found, dict) else {}

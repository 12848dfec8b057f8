"""Decides for each resource of a stored template how Heat can release it.

Invariant: templates are plain data here, in either dialect, as Heat stored them. If the registry maps a type to
different templates by resource, the type counts as one without a template.
"""

from __future__ import annotations

import contextlib
import fnmatch
import json
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, final

from transpile.adoption import documents
from transpile.diagnostics import codes
from transpile.diagnostics.model import Diagnostic, Sink, Stopped, has_errors
from transpile.front import documents as texts
from transpile.front import nodes
from transpile.model import heat_types
from transpile.model.lazy_patterns import compile_lazily
from transpile.model.source import Source
from transpile.resolve.registry import is_file

if TYPE_CHECKING:
    from transpile.adoption.live import LiveStack

Data = dict[str, Any]
PLAIN, INSIDE, DETACHED, LEFT = "plain", "inside", "detached", "left"
GROUPS = (
    heat_types.RESOURCE_GROUP,
    heat_types.AUTO_SCALING_GROUP,
    heat_types.INSTANCE_GROUP,
    heat_types.RESOURCE_CHAIN,
)
STACKS = (*GROUPS, heat_types.STACK, heat_types.AWS_STACK, heat_types.AWS_AUTO_SCALING_GROUP)
# They run again on the server when their entry changes in any way. Nothing is lost when Heat deletes their record.
DEPLOYMENTS = tuple(
    f"OS::Heat::{configuration}{how}"
    for configuration in ("Software", "Structured")
    for how in ("Deployment", "DeploymentGroup", "Deployments")
)
SURROGATE_HALVES = compile_lazily(r"\\u[dD][89a-fA-F]|[\ud800-\udfff]")  # of characters, in JSON
DEFAULT_ACTIONS = ("CREATE", "UPDATE")  # at which a deployment runs, if it does not say
CFN_KEYS = {  # of a resource, in HOT and in CFN
    "type": "Type",
    "properties": "Properties",
    "deletion_policy": "DeletionPolicy",
    "update_policy": "UpdatePolicy",
    "external_id": "external_id",
}


def is_encodable(data: Data) -> bool:
    """Whether no text in it has half of a surrogate pair, which no file can have."""
    try:
        json.dumps(data, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        return False
    return True


def parse_stored_text(source: Source) -> Data:
    """A template or an environment as data. Raises Stopped."""
    if source.text.startswith("{"):  # a part of an export, which was read already, or a file that Heat's client sent
        with contextlib.suppress(ValueError, RecursionError):
            document = dict(json.loads(source.text))
            if SURROGATE_HALVES.search(source.text) and not is_encodable(document):
                raise Stopped(
                    [Diagnostic(codes.RELEASE_CANNOT_BE_WRITTEN, "A template has half of a character in it.", source)]
                )
            return document
    sink = Sink(source)
    try:
        data = documents.read_yaml_data(texts.compose_document(sink, source.name))
    except nodes.UnreadableDocument:
        data = None
    if not isinstance(data, dict) or has_errors(sink.diagnostics):
        raise Stopped(
            sink.diagnostics
            or [Diagnostic(codes.RELEASE_CANNOT_BE_WRITTEN, "This is neither a template nor an environment.", source)]
        )
    return data


@final
class ReleaseModes:
    """The meaning of a running stack's resource types, by its environment. `kept`: the types of resources that stay
    with Heat, whose templates must not change. `outer`: the modes of the stack around it.
    """

    def __init__(self, live: LiveStack, kept: Iterable[str] = (), outer: ReleaseModes | None = None) -> None:
        environment = {} if live.environment is None else parse_stored_text(live.environment)
        registry = environment.get("resource_registry")
        self.registry: Data = registry if isinstance(registry, dict) else {}
        self.files = live.files
        if outer is not None:  # nested stacks of a client's output have neither
            self.registry = self.registry or outer.registry
            self.files = self.files or outer.files
        self.shared = {self.find_registry_key(kind) for kind in kept}

    def find_registry_key(self, kind: str) -> str:
        """The last entry on the way from a type to its template; "" if there is none, or several by resource."""
        special = self.registry.get("resources")
        if isinstance(special, dict) and any(kind in walk_registry_types(inner) for inner in special.values()):
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

    def find_template_file(self, kind: str) -> str:
        """The file of the template that a type stands for; "" if it stands for none, or for different ones."""
        if is_file(kind):
            return kind
        entry = self.find_registry_key(kind)
        return str(self.registry[entry]) if entry and entry not in self.shared else ""

    def release_mode(self, resource: Data) -> str:
        """How Heat releases a resource of a template.

        PLAIN: by Retain on the resource itself. INSIDE: by Retain on the resources of its nested stack. DETACHED: its
        nested stack is left behind, and updated on its own later. LEFT: Heat may delete its record.
        """
        kind, policy = str(read_key(resource, "type") or ""), read_key(resource, "deletion_policy")
        if kind in DEPLOYMENTS:
            return PLAIN if "DELETE" in deployment_actions(resource) else LEFT
        if "Type" in resource and is_file(kind):
            return DETACHED  # Heat's client sends no such files
        if self.find_template_file(kind):
            return INSIDE if policy in (None, "Delete", "delete") else DETACHED
        member = member_type(resource)
        if (
            kind == heat_types.RESOURCE_GROUP
            and member
            and self.find_template_file(member)
            and policy in (None, "Delete", "delete")
        ):
            return INSIDE
        return DETACHED if kind in STACKS or self.find_registry_key(kind) else PLAIN


def walk_registry_types(entries: object) -> Iterator[str]:
    """The types in a part of a registry that is for single resources."""
    for key, value in entries.items() if isinstance(entries, dict) else ():
        yield key
        yield from walk_registry_types(value)


def read_key(resource: Data, key: str) -> Any:
    """A key of a resource, in either dialect."""
    return resource.get(key, resource.get(CFN_KEYS[key]))


def deployment_actions(resource: Data) -> Sequence[str]:
    """The actions at which a deployment runs; all, if they are not literal."""
    properties = read_key(resource, "properties")
    actions = properties.get("actions") if isinstance(properties, dict) else None
    if actions is None:
        return DEFAULT_ACTIONS
    literal = isinstance(actions, list) and all(isinstance(item, str) for item in actions)
    return actions if literal else (*DEFAULT_ACTIONS, "DELETE")


def member_type(resource: Data) -> str:
    """The type of the members of a group, if it is literal."""
    properties = read_key(resource, "properties")
    inner = properties.get("resource_def") if isinstance(properties, dict) else None
    kind = inner.get("type") if isinstance(inner, dict) else None
    return kind if isinstance(kind, str) else ""


def template_resources(template: Data) -> dict[str, Data]:
    """The resources of a template that are maps, as Heat wants them."""
    section = template.get("resources", template.get("Resources"))
    return (
        {name: resource for name, resource in section.items() if isinstance(resource, dict)}
        if isinstance(section, dict)
        else {}
    )

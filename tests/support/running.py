"""Exports of stacks that never ran: the output of `openstack stack export` if Heat had created all resources of a
template.

Invariant: each resource is CREATE_COMPLETE and has an ID of its own, which depends on its path only.
"""

from __future__ import annotations

import json
import uuid
from collections.abc import Mapping
from typing import Any

import yaml

from transpile.adoption import export
from transpile.adoption.adoption import NATIVE, Adoption
from transpile.adoption.live import LiveStack
from transpile.model.budget import Budget
from transpile.model.source import Source


def identity(*path: str) -> str:
    """The ID of the resource that a path leads to."""
    return str(uuid.uuid5(uuid.NAMESPACE_URL, "/".join(path)))


def stack(
    template: str | Mapping[str, Any],
    *,
    name: str = "web",
    files: Mapping[str, str] | None = None,
    environment: Mapping[str, Any] | None = None,
    nested: Mapping[str, Any] | None = None,
    **keys: Any,
) -> dict[str, Any]:
    """The export of a stack. `nested`: the exports of nested stacks, by the resources that they stand for; `keys`: in
    place of the export's own values.
    """
    read = yaml.safe_load(template) if isinstance(template, str) else dict(template)
    read = json.loads(json.dumps(read, default=str))
    resources = {
        resource_name: {
            "name": resource_name,
            "resource_id": identity(name, resource_name),
            "type": entry.get("type", entry.get("Type")),
            "action": "CREATE",
            "status": "COMPLETE",
            "metadata": {},
            "resource_data": {},
        }
        for resource_name, entry in (read.get("resources") or read.get("Resources") or {}).items()
    }
    return {
        "name": name,
        "id": identity(name),
        "action": "CREATE",
        "status": "COMPLETE",
        "environment": {"resource_registry": {"resources": {}}, "parameters": {}, **(environment or {})},
        "files": dict(files or {}),
        "template": read,
        "resources": {**resources, **(nested or {})},
        "project_id": identity("project"),
        "stack_user_project_id": identity("users"),
        "tags": [],
        **keys,
    }


def live(exported: Mapping[str, Any]) -> LiveStack:
    """The running stack that an export tells of."""
    live_stack, diagnostics = export.read_export(Source("export.json", json.dumps(exported, indent=1), budget=Budget()))
    assert live_stack is not None, [diagnostic.message for diagnostic in diagnostics]
    return live_stack


def adoption(exported: Mapping[str, Any], fates: Mapping[str, str] | None = None) -> Adoption:
    """An adoption in which Terraform takes everything. `fates`: of single resources of the outermost stack."""
    stack_adoption = Adoption(live(exported))
    for path, _ in stack_adoption.live.walk_resources():
        stack_adoption.fates[path] = (fates or {}).get(path[0], NATIVE)
    return stack_adoption

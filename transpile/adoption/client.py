"""Reads the output of Heat's client about a running stack, as JSON: `stack show`, `stack template show`,
`stack environment show`, `stack resource list -n 5` and `stack file list`; and `stack template show` of nested stacks.

Invariant: the owner of a nested stack follows from the name that Heat gives the stack: OWNER_STACK-RESOURCE-SUFFIX. A
name that fits two resources is an error.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from transpile.adoption import export
from transpile.adoption.documents import JsonValue, NotJson, read_json
from transpile.adoption.live import LiveResource, LiveStack
from transpile.diagnostics import codes
from transpile.diagnostics.model import Diagnostic, Sink, TooManyErrors
from transpile.model.lazy_patterns import compile_lazily
from transpile.model.source import Source

REQUIRED_DOCUMENTS = ("show", "template", "resources")
DOCUMENT_NAMES = (*REQUIRED_DOCUMENTS, "environment", "files")  # of the documents, as files: with .json
COMMANDS: Mapping[str, str] = {
    "show": "openstack stack show STACK -f json",
    "template": "openstack stack template show STACK -f json",
    "environment": "openstack stack environment show STACK -f json",
    "resources": "openstack stack resource list STACK -n 5 -f json",
    "files": "openstack stack file list STACK -f json",
}
NESTED_TEMPLATE_PREFIX = "template."  # before the name of a nested stack: the file with its template
NESTED_NAME_SUFFIX = compile_lazily(r"-[a-z0-9]{12}")
ROW_KEYS = ("resource_name", "physical_resource_id", "resource_type", "resource_status", "stack_name")


def read_client_documents(
    sources: Mapping[str, Source], source_for_errors: Source
) -> tuple[LiveStack | None, list[Diagnostic]]:
    """The stack that documents describe, by their names in NAMES; None if there is an error in them."""
    diagnostics: list[Diagnostic] = []
    parts: dict[str, JsonValue] = {}
    for name in REQUIRED_DOCUMENTS:
        if name not in sources:
            message = f"There is no {name}.json here."
            diagnostics.append(
                Diagnostic(
                    codes.MALFORMED_RUNNING_STACK, message, source_for_errors, hint=f"{COMMANDS[name]} > {name}.json"
                )
            )
    sinks: list[Sink] = []
    for name, source in sources.items():
        sink = Sink(source)
        sinks.append(sink)
        try:
            parts[name] = read_json(source, sink)
        except NotJson:
            continue
        except TooManyErrors:
            continue
    live = None
    if not diagnostics and all(name in parts for name in sources):
        live = build_stack(parts, source_for_errors)
    for sink in sinks:
        diagnostics += sink.diagnostics
    return (None if any(d.severity == "error" for d in diagnostics) else live), diagnostics


def build_stack(parts: Mapping[str, JsonValue], source_for_errors: Source) -> LiveStack | None:
    show = parts["show"].entries()
    missing = [key for key in ("id", "stack_name", "stack_status") if key not in show]
    if missing:
        parts["show"].report_problem(
            f"This is not the output of stack show: it has no {', '.join(missing)}.", codes.NOT_A_RUNNING_STACK
        )
        return None
    name, status = show["stack_name"].read_text(), show["stack_status"].read_text()
    rows = read_resource_rows(parts["resources"])
    by_stack: dict[str, dict[str, LiveResource]] = {}
    for owner, resource in rows:
        resources = by_stack.setdefault(owner, {})
        if resource.name in resources:
            parts["resources"].sink.add(
                codes.MALFORMED_RUNNING_STACK, f"{owner} has the resource {resource.name} twice.", resource
            )
        resources.setdefault(resource.name, resource)
    attach_nested_stacks(parts, name, by_stack)
    action, _, state = status.partition("_")
    parameters = (
        {key: part.as_data() for key, part in show["parameters"].entries().items()} if "parameters" in show else {}
    )
    environment, template = parts.get("environment"), parts["template"]
    live = LiveStack(
        name,
        show["id"].read_text(),
        parts["resources"].sink.source,
        action,
        state,
        template.as_source(source_name(template)) if template.is_map() else None,
        environment.as_source(source_name(environment)) if environment is not None and environment.is_map() else None,
        read_stack_files(parts.get("files")),
        {key: value for key, value in parameters.items() if not key.startswith(("OS::", "AWS::"))},
        by_stack.get(name, {}),
        str(parameters.get("OS::project_id") or ""),
        show["stack_user_project_id"].read_text() if "stack_user_project_id" in show else "",
        tuple(tag.read_text() for tag in show["tags"].walk_items()) if "tags" in show else (),
        read_output_values(show.get("outputs")),
        parent=show["parent"].read_text() if "parent" in show else "",
        deleted="deletion_time" in show and not show["deletion_time"].is_null(),
    )
    export.check_physical_ids(live, parts["resources"].sink)
    for key in ("id", "stack_name", "parent"):
        export.check_stack_word(show.get(key))
    return live


def source_name(part: JsonValue) -> str:
    return part.sink.source.name


def read_resource_rows(part: JsonValue) -> list[tuple[str, LiveResource]]:
    """The rows of `stack resource list`, each with the name of its stack."""
    rows = []
    for row in part.walk_items():
        cells = row.entries()
        missing = [key for key in ROW_KEYS if key not in cells]
        if missing:
            hint = COMMANDS["resources"]
            row.report_problem(
                f"This is not a row of stack resource list -n 5: it has no {', '.join(missing)}.", hint=hint
            )
            continue
        action, _, status = cells["resource_status"].read_text().partition("_")
        kind, physical = cells["resource_type"].read_text(), export.read_physical_id(cells["physical_resource_id"])
        name = cells["resource_name"]
        resource = LiveResource(name.read_text(), kind, physical, action, status, span=name.span)
        rows.append((cells["stack_name"].read_text(), resource))
    return rows


def attach_nested_stacks(
    parts: Mapping[str, JsonValue], root: str, by_stack: Mapping[str, dict[str, LiveResource]]
) -> None:
    """Gives each nested stack to the resource that made it.

    `web-group-ab12cd34ef56` belongs to the resource `group` of the stack `web`. The lists of the client do not tell the
    owner, so the name is all there is.
    """
    part = parts["resources"]
    owners: dict[str, list[LiveResource]] = {}
    for above, resources in by_stack.items():
        for resource in resources.values():
            prefix = f"{above}-{resource.name}"
            for inner in by_stack:
                if inner.startswith(prefix) and NESTED_NAME_SUFFIX.fullmatch(inner, len(prefix)):
                    owners.setdefault(inner, []).append(resource)
    for inner, resources in by_stack.items():
        if inner == root:
            continue
        first = next(iter(resources.values()))
        candidates = owners.get(inner, [])
        if len(candidates) != 1:
            why = "no resource" if not candidates else f"each of {', '.join(resource.name for resource in candidates)}"
            message = f"The nested stack {inner} may belong to {why}."
            part.sink.add(codes.MALFORMED_RUNNING_STACK, message, first, "Use an export of the stack instead.")
            continue
        owner, template = candidates[0], parts.get(NESTED_TEMPLATE_PREFIX + inner)
        owner.stack = LiveStack(
            inner,
            owner.physical_id or "",
            part.sink.source,
            owner.action,
            owner.status,
            template.as_source(source_name(template)) if template is not None and template.is_map() else None,
            resources=resources,
            span=owner.span,
        )


def read_stack_files(part: JsonValue | None) -> dict[str, str]:
    """The files of a stack. Some versions of the client print them in a map of their own."""
    if part is None:
        return {}
    inner = part.entries() if part.is_map() else {}
    return export.read_exported_files(inner["files"] if list(inner) == ["files"] and inner["files"].is_map() else part)


def read_output_values(part: JsonValue | None) -> dict[str, Any]:
    """The values of outputs, by name."""
    values = {}
    for item in part.walk_items() if part is not None else ():
        output = item.entries()
        if "output_key" in output and "output_value" in output:
            values[output["output_key"].read_text()] = output["output_value"].as_data()
    return values

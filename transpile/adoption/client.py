"""What the commands of Heat's client print about a running stack, as JSON: `stack show`, `stack template show`,
`stack environment show`, `stack resource list -n 5` and `stack file list`; and `stack template show` of nested stacks.

Invariant: a resource of a nested stack is found by what Heat calls nested stacks: STACK-RESOURCE-SUFFIX. If that leaves
two owners, it is an error.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from transpile.adoption import export
from transpile.adoption.documents import NotJson, Part, read
from transpile.adoption.live import LiveResource, LiveStack
from transpile.diagnostics import codes
from transpile.diagnostics.model import Diagnostic, Sink, TooMany

if TYPE_CHECKING:
    from collections.abc import Mapping

    from transpile.model.source import Source

NEEDED = ("show", "template", "resources")
NAMES = (*NEEDED, "environment", "files")  # of the documents, as files: with .json
COMMANDS: Mapping[str, str] = {
    "show": "openstack stack show STACK -f json",
    "template": "openstack stack template show STACK -f json",
    "environment": "openstack stack environment show STACK -f json",
    "resources": "openstack stack resource list STACK -n 5 -f json",
    "files": "openstack stack file list STACK -f json",
}
NESTED = "template."  # before the name of a nested stack: the file with its template
SUFFIX = re.compile(r"-[a-z0-9]{12}")
ROW = ("resource_name", "physical_resource_id", "resource_type", "resource_status", "stack_name")


def load(sources: Mapping[str, Source], shown: Source) -> tuple[LiveStack | None, list[Diagnostic]]:
    """The stack that documents describe, by their names in NAMES; None if there is an error in them."""
    found: list[Diagnostic] = []
    parts: dict[str, Part] = {}
    for name in NEEDED:
        if name not in sources:
            message = f"There is no {name}.json here."
            found.append(
                Diagnostic(codes.MALFORMED_RUNNING_STACK, message, shown, hint=f"{COMMANDS[name]} > {name}.json")
            )
    sinks: list[Sink] = []
    for name, source in sources.items():
        sink = Sink(source)
        sinks.append(sink)
        try:
            parts[name] = read(source, sink)
        except NotJson:
            continue
        except TooMany:
            continue
    live = None
    if not found and all(name in parts for name in sources):
        live = stack(parts, shown)
    for sink in sinks:
        found += sink.found
    return (None if any(d.severity == "error" for d in found) else live), found


def stack(parts: Mapping[str, Part], shown: Source) -> LiveStack | None:
    show = parts["show"].entries()
    missing = [key for key in ("id", "stack_name", "stack_status") if key not in show]
    if missing:
        parts["show"].wrong(
            f"This is not what stack show prints: it has no {', '.join(missing)}.", codes.NOT_A_RUNNING_STACK
        )
        return None
    name, status = show["stack_name"].text(), show["stack_status"].text()
    rows = listed(parts["resources"])
    by_stack: dict[str, dict[str, LiveResource]] = {}
    for owner, one in rows:
        held = by_stack.setdefault(owner, {})
        if one.name in held:
            parts["resources"].sink.say(
                codes.MALFORMED_RUNNING_STACK, f"{owner} has the resource {one.name} twice.", one
            )
        held.setdefault(one.name, one)
    nest(parts, name, by_stack)
    action, _, state = status.partition("_")
    given = {key: part.data() for key, part in show["parameters"].entries().items()} if "parameters" in show else {}
    environment, template = parts.get("environment"), parts["template"]
    source = parts["resources"].sink.source
    assert source is not None
    found = LiveStack(
        name,
        show["id"].text(),
        source,
        action,
        state,
        template.source(named(template)) if template.is_map() else None,
        environment.source(named(environment)) if environment is not None and environment.is_map() else None,
        files(parts.get("files")),
        {key: value for key, value in given.items() if not key.startswith(("OS::", "AWS::"))},
        by_stack.get(name, {}),
        str(given.get("OS::project_id") or ""),
        show["stack_user_project_id"].text() if "stack_user_project_id" in show else "",
        tuple(tag.text() for tag in show["tags"].each()) if "tags" in show else (),
        outputs(show.get("outputs")),
        parent=show["parent"].text() if "parent" in show else "",
        deleted="deletion_time" in show and not show["deletion_time"].empty(),
    )
    export.distinct(found, parts["resources"].sink)
    return found


def named(part: Part) -> str:
    assert part.sink.source is not None
    return part.sink.source.name


def listed(part: Part) -> list[tuple[str, LiveResource]]:
    """The rows of `stack resource list`, each with the name of its stack."""
    out = []
    for row in part.each():
        found = row.entries()
        missing = [key for key in ROW if key not in found]
        if missing:
            hint = COMMANDS["resources"]
            row.wrong(f"This is no row of stack resource list -n 5: it has no {', '.join(missing)}.", hint=hint)
            continue
        action, _, status = found["resource_status"].text().partition("_")
        kind, physical = found["resource_type"].text(), export.physical(found["physical_resource_id"])
        here = found["resource_name"]
        one = LiveResource(here.text(), kind, physical, action, status, span=here.span)
        out.append((found["stack_name"].text(), one))
    return out


def nest(parts: Mapping[str, Part], root: str, by_stack: Mapping[str, dict[str, LiveResource]]) -> None:
    """Gives each resource that stands for a nested stack that stack."""
    part = parts["resources"]
    assert part.sink.source is not None
    owners: dict[str, list[LiveResource]] = {}
    for above, resources in by_stack.items():
        for one in resources.values():
            prefix = f"{above}-{one.name}"
            for inner in by_stack:
                if inner.startswith(prefix) and SUFFIX.fullmatch(inner, len(prefix)):
                    owners.setdefault(inner, []).append(one)
    for inner, resources in by_stack.items():
        if inner == root:
            continue
        first = next(iter(resources.values()))
        mine = owners.get(inner, [])
        if len(mine) != 1:
            why = "no resource" if not mine else f"each of {', '.join(one.name for one in mine)}"
            message = f"The nested stack {inner} may belong to {why}."
            part.sink.say(codes.MALFORMED_RUNNING_STACK, message, first, "Use an export of the stack instead.")
            continue
        owner, template = mine[0], parts.get(NESTED + inner)
        owner.stack = LiveStack(
            inner,
            owner.physical_id or "",
            part.sink.source,
            owner.action,
            owner.status,
            template.source(named(template)) if template is not None and template.is_map() else None,
            resources=resources,
            span=owner.span,
        )


def files(part: Part | None) -> dict[str, str]:
    """The files of a stack. Some versions of the client print them in a map of their own."""
    if part is None:
        return {}
    inner = part.entries() if part.is_map() else {}
    return export.files(inner["files"] if list(inner) == ["files"] and inner["files"].is_map() else part)


def outputs(part: Part | None) -> dict[str, Any]:
    """The values of outputs, by name."""
    out = {}
    for one in part.each() if part is not None else ():
        found = one.entries()
        if "output_key" in found and "output_value" in found:
            out[found["output_key"].text()] = found["output_value"].data()
    return out

"""The state of a stack's resources in the services, saved before an adoption and compared after it.

Invariant: an object without a question or without an answer is named as such and never counts as equal.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple, final

from transpile.adoption.adoption import OBJECT_NOUNS
from transpile.adoption.live import LiveResource, LiveStack
from transpile.adoption.live_fields import COMPARED_TYPES, TYPES_WITHOUT_DRIFT
from transpile.adoption.lookups import Cloud, CloudLookup, NoAnswer
from transpile.model import heat_types
from transpile.model.records import record
from transpile.text.page_templates import fill_template

FORMAT = 1  # of the kept views
FOLDER = "evidence"  # beside ADOPT.md
BEFORE, AFTER, COMPARISON = f"{FOLDER}/before.json", f"{FOLDER}/after.json", f"{FOLDER}/COMPARISON.md"
# Attributes that services change by themselves, and that do not belong to an object's configuration.
CLOCKS = ("updated_at", "updated", "revision_number", "last_seen", "progress")
# Objects that belong to another one, by the noun of the owner: their kind, and the attribute with the owner's ID.
ATTACHED: Mapping[str, tuple[tuple[str, str], ...]] = {
    "router": (("port", "device_id"),),
    "server": (("port", "device_id"), ("server volume", "serverId")),
    "loadbalancer pool": (("loadbalancer member", "pool_id"),),
    "zone": (("recordset", "zone_id"),),
}


@final
@record
class ObjectView:
    """The answer to one question about a resource. `resource`: the names that lead to it, with dots. `rows`: the
    objects; None without an answer.
    """

    resource: str
    lookup: CloudLookup
    rows: Sequence[Mapping[str, Any]] | None


class ObjectChange(NamedTuple):
    """A difference between two views: the resource, the kind of the object, the attribute, and its two values. `before`
    or `after` is None where there was no object.
    """

    resource: str
    kind: str
    attribute: str
    before: Any
    after: Any


def list_lookups(live: LiveStack) -> Iterator[tuple[str, CloudLookup]]:
    """The questions about the objects that the resources of a stack have made, each with the path of its resource."""
    for path, resource in live.walk_resources():
        noun = find_noun(resource)
        if noun is None or resource.physical_id is None:
            continue
        name = ".".join(path)
        yield name, CloudLookup(noun, ((make_id_attribute(noun), resource.physical_id),))
        for kind, attribute in ATTACHED.get(noun, ()):
            yield name, CloudLookup(kind, ((attribute, resource.physical_id),))


def find_noun(resource: LiveResource) -> str | None:
    """Returns the client's noun for a resource's object, such as `server`; None if its ID alone does not identify
    it.
    """
    if resource.stack is not None:
        return None
    if resource.type == heat_types.NOVA_KEY_PAIR:
        return "keypair"
    compared = COMPARED_TYPES.get(resource.type)
    if compared is not None and compared.inside is None:
        return compared.noun
    return OBJECT_NOUNS.get(resource.type) if compared is None else None


def make_id_attribute(noun: str) -> str:
    return "name" if noun == "keypair" else "id"


def list_unseen(live: LiveStack) -> list[str]:
    """The resources with an object that no question is about, as `path (type)`."""
    return [
        f"{'.'.join(path)} ({resource.type})"
        for path, resource in live.walk_resources()
        if resource.stack is None
        and resource.physical_id is not None
        and resource.type not in TYPES_WITHOUT_DRIFT
        and not resource.type.startswith("OS::Heat::")
        and find_noun(resource) is None
    ]


def ask_lookups(lookups: Sequence[tuple[str, CloudLookup]], cloud: Cloud) -> list[ObjectView]:
    """Asks a cloud each lookup now, and returns the views in the same order."""
    views = []
    for resource, lookup in lookups:
        try:
            views.append(ObjectView(resource, lookup, list(cloud.ask(lookup))))
        except NoAnswer:
            views.append(ObjectView(resource, lookup, None))
    return views


@final
@record
class KeptViews:
    """The saved views of a stack. `project`: the ID of its project. `changed`: a mark that differs once Heat has
    changed the stack. `unseen`: the resources without a question.
    """

    stack: str
    stack_id: str
    project: str
    changed: str
    views: Sequence[ObjectView]
    unseen: Sequence[str]


def print_views(kept: KeptViews) -> str:
    """The text of a file with views."""
    objects = [
        {
            "resource": view.resource,
            "kind": view.lookup.kind,
            "filter": dict(view.lookup.filter),
            "objects": None if view.rows is None else sorted(view.rows, key=print_plain),
        }
        for view in kept.views
    ]
    document = {
        "format": FORMAT,
        "stack": {"name": kept.stack, "id": kept.stack_id, "project": kept.project, "changed": kept.changed},
        "views": objects,
        "not_asked": list(kept.unseen),
    }
    return json.dumps(document, indent=1, ensure_ascii=False, sort_keys=True) + "\n"


def read_views(text: str) -> KeptViews | None:
    """The views of a file; None if hot2tf did not write it."""
    try:
        document = json.loads(text)
        if document["format"] != FORMAT:
            return None
        stack = document["stack"]
        views = [
            ObjectView(
                str(view["resource"]),
                CloudLookup(str(view["kind"]), tuple((str(k), str(v)) for k, v in view["filter"].items())),
                None if view["objects"] is None else [dict(row) for row in view["objects"]],
            )
            for view in document["views"]
        ]
        unseen = [str(name) for name in document["not_asked"]]
        name, stack_id, project, changed = (str(stack[key]) for key in ("name", "id", "project", "changed"))
        return KeptViews(name, stack_id, project, changed, views, unseen)
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        return None


def compare_views(before: Sequence[ObjectView], after: Sequence[ObjectView]) -> Iterator[ObjectChange]:
    """The differences between two views of the same questions."""
    for first, second in zip(before, after, strict=True):
        kind = first.lookup.kind
        if first.rows is None or second.rows is None:
            continue
        old = {identify_row(row): row for row in first.rows}
        new = {identify_row(row): row for row in second.rows}
        for key in sorted({*old, *new}):
            if key not in new:
                yield ObjectChange(first.resource, kind, "", key, None)
            elif key not in old:
                yield ObjectChange(first.resource, kind, "", None, key)
            else:
                for attribute, before, after in list_differences(old[key], new[key]):
                    yield ObjectChange(first.resource, kind, attribute, before, after)


def identify_row(row: Mapping[str, Any]) -> str:
    return str(row.get("id") or row.get("name") or json.dumps(row, sort_keys=True))


def list_differences(before: Any, after: Any, path: str = "") -> Iterator[tuple[str, Any, Any]]:
    """The attributes in which two objects differ. The order of a list of a service has no meaning."""
    if isinstance(before, dict) and isinstance(after, dict):
        for key in sorted({*before, *after}):
            if key not in CLOCKS:
                inner = f"{path}.{key}" if path else key
                yield from list_differences(before.get(key), after.get(key), inner)
    elif isinstance(before, list) and isinstance(after, list):
        if sorted(map(print_plain, before)) != sorted(map(print_plain, after)):
            yield path, before, after
    elif before != after:
        yield path, before, after


def print_plain(value: Any) -> str:
    """A value as text, without the attributes that services change by themselves."""
    if isinstance(value, dict):
        value = {key: item for key, item in value.items() if key not in CLOCKS}
    return json.dumps(value, sort_keys=True, default=str)


def count_compared(before: Sequence[ObjectView], after: Sequence[ObjectView]) -> int:
    """The number of objects that both views have answers about."""
    return sum(
        len(first.rows) for first, second in zip(before, after, strict=True) if first.rows and second.rows is not None
    )


def write_comparison(kept: KeptViews, after: Sequence[ObjectView], changes: Sequence[ObjectChange]) -> str:
    """The text of COMPARISON.md."""
    unanswered = [
        f"{first.resource} ({first.lookup.kind})"
        for first, second in zip(kept.views, after, strict=True)
        if first.rows is None or second.rows is None
    ]
    variables = {
        "kept": kept,
        "number": count_compared(kept.views, after),
        "before": BEFORE,
        "clocks": CLOCKS,
        "changes": changes,
        "unanswered": unanswered,
        "print": print_plain,
    }
    return fill_template(__package__, "COMPARISON.md.j2", variables)

"""What `openstack stack export` writes: the abandon format, with nested stacks inside.

Invariant: a stack is read as a whole or not at all. What Heat never writes is an error at its place in the export.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, final

from transpile.adoption.documents import NotJson, Part, read
from transpile.adoption.live import LiveResource, LiveStack
from transpile.adoption.lookups import FORMAT, Lookup
from transpile.diagnostics import codes
from transpile.diagnostics.model import Sink, TooMany
from transpile.model import heat_types

if TYPE_CHECKING:
    from collections.abc import Mapping

    from transpile.diagnostics.model import Diagnostic
    from transpile.model.source import Source

NEEDED = ("name", "id", "template", "resources")
ALSO = ("environment", "status", "action")  # an export without them is of a release that hot2tf does not know
DEPTH = 8  # nested stacks; Heat allows five, and members of a group are one more each
ACTIONS = re.compile(r"[A-Z]+")
# Characters of no physical ID: those that end a text, and what Terraform would evaluate or a shell would read.
STRANGE = re.compile(r'["\\\x00-\x1f\x7f]|[$%]\{|^\s|\s$')
# Types of which several resources may have one physical ID: that of what they belong to.
SHARED = (heat_types.NEUTRON_EXTRA_ROUTE_SET, "OS::Nova::ServerTags", heat_types.SOFTWARE_DEPLOYMENTS)


def load(source: Source) -> tuple[LiveStack | None, list[Diagnostic]]:
    """The stack of an export (None if there is an error in it), and the diagnostics."""
    sink = Sink(source)
    try:
        found = of(sink, read(source, sink))
    except NotJson:
        return None, sink.found
    except TooMany as e:
        return None, e.sink.found
    return (None if sink.errors else found), sink.found


def of(sink: Sink, document: Part) -> LiveStack | None:
    """The stack of a document that was read."""
    if not document.is_map():
        document.wrong("This is not the export of a stack: its top level must be a map.", codes.NOT_A_RUNNING_STACK)
        return None
    keys = document.entries()
    if missing := [key for key in NEEDED if key not in keys]:
        document.wrong(f"This is not the export of a stack: it has no {', '.join(missing)}.", codes.NOT_A_RUNNING_STACK)
        return None
    if missing := [key for key in ALSO if key not in keys]:
        message = f"This export has no {', '.join(missing)}: Heat wrote it in another format."
        document.wrong(
            message,
            codes.NOT_A_RUNNING_STACK,
            "Export the stack with a newer client, or give the answers of its commands.",
        )
        return None
    found = Reader(sink).stack(document, keys, 0)
    distinct(found, sink)
    return found


@final
class Reader:
    """Reads the stacks of one export."""

    def __init__(self, sink: Sink) -> None:
        assert sink.source is not None
        self.sink, self.source = sink, sink.source

    def stack(self, part: Part, found: Mapping[str, Part], depth: int) -> LiveStack:
        def text(key: str) -> str:
            return found[key].text() if key in found else ""

        template, environment = found.get("template"), found.get("environment")
        written = types(template)
        if template is not None and not template.is_map():
            template.wrong("The template must be a map.")
        resources = {}
        if depth > DEPTH:
            part.wrong(f"Stacks are nested more than {DEPTH} levels deep.")
        else:
            for name, key, one in found["resources"].items() if "resources" in found else ():
                if (made := self.resource(name, key, one, written.get(name, ""), depth)) is not None:
                    resources[name] = made
        return LiveStack(
            text("name"),
            text("id"),
            self.source,
            text("action"),
            text("status"),
            template.source(self.source.name) if template is not None and template.is_map() else None,
            environment.source(self.source.name) if environment is not None and environment.is_map() else None,
            files(found.get("files")),
            {},
            resources,
            text("project_id"),
            text("stack_user_project_id"),
            tuple(tag.text() for tag in found["tags"].each()) if "tags" in found else (),
            parent=text("parent"),
            span=part.span,
        )

    def resource(self, name: str, key: Part, part: Part, written: str, depth: int) -> LiveResource | None:
        """One resource. A stack stands in the place of the resource that it belongs to, without that one's keys."""
        if not part.is_map():
            part.wrong(f"The resource {name} must be a map.")
            return None
        found = part.entries()
        if "resources" in found and "template" in found:
            inner = self.stack(part, found, depth + 1)
            return LiveResource(
                name, written, physical(found.get("id")), inner.action, inner.status, stack=inner, span=key.span
            )
        if not found:  # Heat writes this where a nested stack was not made
            return LiveResource(name, written, span=key.span)
        kind = found["type"].text() if "type" in found else written
        named = found["name"].text() if "name" in found else name
        if named != name:
            found["name"].wrong(f"The resource {name} is called {named} here.")
        return LiveResource(
            name,
            kind,
            physical(found.get("resource_id")),
            found["action"].text() if "action" in found else "",
            found["status"].text() if "status" in found else "",
            mapped(found.get("metadata")),
            mapped(found.get("resource_data")),
            span=key.span,
        )


def physical(part: Part | None) -> str | None:
    """A physical ID; None if there is none. One that OpenStack gives to nothing is reported."""
    if part is None or part.empty():
        return None
    found = part.text()
    if STRANGE.search(found):
        part.wrong("This is no ID that OpenStack gives: it has quotes, control characters or a template sequence.")
        return None
    return found or None


def mapped(part: Part | None) -> Mapping[str, object]:
    if part is None or part.empty():
        return {}
    if not part.is_map():
        part.wrong(f"{part.what} must be a map.")
        return {}
    assert part.sink.source is not None
    part.sink.source.conceal(part)  # passwords and tokens are among it
    found = part.data()
    assert isinstance(found, dict)
    return found


def files(part: Part | None) -> dict[str, str]:
    """The files of a stack, by the names that Heat knows them by."""
    return {name: value.text() for name, _, value in part.items()} if part is not None else {}


def types(template: Part | None) -> dict[str, str]:
    """The types of the resources of a template, as it spells them. What is wrong with it, its own reader says."""
    found = template.data() if template is not None and template.is_map() else {}
    section = found.get("resources", found.get("Resources"))
    out = {}
    for name, one in section.items() if isinstance(section, dict) else ():
        kind = one.get("type", one.get("Type")) if isinstance(one, dict) else None
        if isinstance(kind, str):
            out[name] = kind
    return out


def answers(source: Source, found: list[Diagnostic]) -> dict[Lookup, list[dict[str, Any]]]:
    """The questions and answers of a file that --save wrote."""
    sink = Sink(source)
    out: dict[Lookup, list[dict[str, Any]]] = {}
    try:
        document = read(source, sink)
        keys = document.entries() if document.is_map() else {}
        if "format" not in keys or keys["format"].data() != FORMAT or "answers" not in keys:
            document.wrong(
                f"This is no file of answers: it needs format {FORMAT} and answers.", codes.MALFORMED_ANSWERS
            )
        for one in keys["answers"].each() if "answers" in keys else ():
            parts = one.entries()
            if not {"kind", "filter", "objects"} <= parts.keys():
                one.wrong("An answer has a kind, a filter and objects.", codes.MALFORMED_ANSWERS)
                continue
            wanted = tuple((name, value.text()) for name, _, value in parts["filter"].items())
            objects = [item.data() for item in parts["objects"].each()]
            if not all(isinstance(item, dict) for item in objects):
                parts["objects"].wrong("The objects of an answer are maps.", codes.MALFORMED_ANSWERS)
                continue
            out[Lookup(parts["kind"].text(), wanted)] = objects
    except NotJson:
        pass
    except TooMany as e:
        sink = e.sink
    found += sink.found
    return out


def distinct(stack: LiveStack, sink: Sink) -> None:
    """Reports two resources of a type that have the same physical ID."""
    seen: dict[tuple[str, str], str] = {}
    for path, resource in stack.walk():
        if resource.physical_id is None or not resource.type or resource.type in SHARED:
            continue
        key = resource.type, resource.physical_id
        shown = ".".join(path)
        if key in seen:
            message = f"{shown} has the same physical ID as {seen[key]}: {resource.physical_id}."
            sink.say(codes.MALFORMED_RUNNING_STACK, message, resource)
        seen.setdefault(key, shown)

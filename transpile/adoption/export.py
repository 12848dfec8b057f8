"""Reads the output of `openstack stack export`: the abandon format, with nested stacks inside.

Invariant: a stack is read as a whole or not at all. A form that Heat never writes is an error at its place in the
export.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any, final

from transpile.adoption.documents import JsonValue, NotJson, read_json
from transpile.adoption.live import LiveResource, LiveStack
from transpile.adoption.lookups import FORMAT, CloudLookup
from transpile.diagnostics import codes
from transpile.diagnostics.model import Diagnostic, Sink, TooManyErrors
from transpile.model import heat_types
from transpile.model.lazy_patterns import compile_lazily
from transpile.model.source import Source

REQUIRED_KEYS = ("name", "template", "resources")
SEVERAL = "stacks"  # the key of a list of exports
ABANDON_KEYS = ("environment", "status", "action")  # an export without them is of a release that hot2tf does not know
DEPTH = 8  # nested stacks; Heat allows five, and members of a group are one more each
ACTIONS = compile_lazily(r"[A-Z]+")
# Characters of no physical ID: those that end a text, and sequences that Terraform or a shell would evaluate.
STACK_WORD = compile_lazily(r"[a-zA-Z][\w.-]{0,254}", re.ASCII)  # the name of a stack, which is fit for a path
UNSAFE_ID = compile_lazily(r'["\\\x00-\x1f\x7f]|[$%]\{|^\s|\s$')
STACK_NAMES = ("id", "name", "parent")  # keys of a stack whose values stand in commands
# Types of which several resources may have one physical ID: that of their owner.
TYPES_SHARING_IDS = (heat_types.NEUTRON_EXTRA_ROUTE_SET, "OS::Nova::ServerTags", heat_types.SOFTWARE_DEPLOYMENTS)


def read_export(source: Source) -> tuple[LiveStack | None, list[Diagnostic]]:
    """The stack of an export (None if there is an error in it), and the diagnostics."""
    sink = Sink(source)
    try:
        live = read_outermost_stack(sink, read_json(source, sink))
    except NotJson:
        return None, sink.diagnostics
    except TooManyErrors as e:
        return None, e.sink.diagnostics
    return (None if sink.errors else live), sink.diagnostics


def split_exports(source: Source) -> list[tuple[str, Source]]:
    """The exports of a text that has several, each with the name of its stack: in a list, in a map as `stacks`, or one
    after the other. A text with one export, or with none, gives nothing.
    """
    places = find_documents(source.text)
    if len(places) == 1:
        sink = Sink(source)
        try:
            document = read_json(source, sink)
        except (NotJson, TooManyErrors):
            return []
        if document.is_map():
            entries = document.entries()
            if not entries.keys() >= {SEVERAL} or entries.keys() & {"template", "resources"}:
                return []
            document = entries[SEVERAL]
        if not isinstance(document.value, list):
            return []
        places = [(item.at, item.end) for item in document.walk_items()]
    exports = []
    for number, (begin, end) in enumerate(places, 1):
        text = source.text[begin:end]
        name = json.loads(text)
        name = name.get("name") if isinstance(name, dict) else None
        name = name if isinstance(name, str) and STACK_WORD.fullmatch(name) else f"stack{number}"
        exports.append((name, Source(source.name, text, (source, [(0, begin, True)]), budget=source.budget)))
    return exports


def find_documents(text: str) -> list[tuple[int, int]]:
    """Returns the places of consecutive JSON documents in a text; an empty list if there is other text among them."""
    decoder, places, at = json.JSONDecoder(), [], 0
    while at < len(text):
        if text[at] in " \t\r\n":
            at += 1
            continue
        if text[at] not in "{[":
            return []
        try:
            _, end = decoder.raw_decode(text, at)
        except (ValueError, RecursionError):
            return []
        places.append((at, end))
        at = end
    return places


def read_outermost_stack(sink: Sink, document: JsonValue) -> LiveStack | None:
    """The stack of a document that was read."""
    if not document.is_map():
        document.report_problem(
            "This is not the export of a stack: its top level must be a map.", codes.NOT_A_RUNNING_STACK
        )
        return None
    keys = document.entries()
    if missing := [key for key in REQUIRED_KEYS if key not in keys]:
        document.report_problem(
            f"This is not the export of a stack: it has no {', '.join(missing)}.", codes.NOT_A_RUNNING_STACK
        )
        return None
    if missing := [key for key in ABANDON_KEYS if key not in keys]:
        message = f"This export has no {', '.join(missing)}: Heat wrote it in another format."
        document.report_problem(
            message,
            codes.NOT_A_RUNNING_STACK,
            "Export the stack with a newer client, or give the answers of its commands.",
        )
        return None
    live = ExportReader(sink).read_stack(document, keys, 0)
    check_physical_ids(live, sink)
    return live


@final
class ExportReader:
    """Reads the stacks of one export."""

    def __init__(self, sink: Sink) -> None:
        self.sink, self.source = sink, sink.source

    def read_stack(self, part: JsonValue, entries: Mapping[str, JsonValue], depth: int) -> LiveStack:
        def entry_text(key: str) -> str:
            return entries[key].read_text() if key in entries else ""

        template, environment = entries.get("template"), entries.get("environment")
        types = read_template_types(template)
        if template is not None and not template.is_map():
            template.report_problem("The template must be a map.")
        resources = {}
        if depth > DEPTH:
            part.report_problem(f"Stacks are nested more than {DEPTH} levels deep.")
        else:
            for name, key, value in entries["resources"].walk_entries() if "resources" in entries else ():
                if (resource := self.read_resource(name, key, value, types.get(name, ""), depth)) is not None:
                    resources[name] = resource
        for word in STACK_NAMES:
            check_stack_word(entries.get(word))
        return LiveStack(
            entry_text("name"),
            entry_text("id") or (entry_text("name") if depth == 0 else ""),  # commands take a name as well
            self.source,
            entry_text("action"),
            entry_text("status"),
            template.as_source(self.source.name) if template is not None and template.is_map() else None,
            environment.as_source(self.source.name) if environment is not None and environment.is_map() else None,
            read_exported_files(entries.get("files")),
            {},
            resources,
            entry_text("project_id"),
            entry_text("stack_user_project_id"),
            tuple(tag.read_text() for tag in entries["tags"].walk_items()) if "tags" in entries else (),
            parent=entry_text("parent"),
            span=part.span,
        )

    def read_resource(
        self, name: str, key: JsonValue, part: JsonValue, template_type: str, depth: int
    ) -> LiveResource | None:
        """One resource. An export has a nested stack in the place of its resource, whose own keys are missing then."""
        if not part.is_map():
            part.report_problem(f"The resource {name} must be a map.")
            return None
        entries = part.entries()
        if "resources" in entries and "template" in entries:
            inner = self.read_stack(part, entries, depth + 1)
            return LiveResource(
                name,
                template_type,
                read_physical_id(entries.get("id")),
                inner.action,
                inner.status,
                stack=inner,
                span=key.span,
            )
        if not entries:  # Heat writes nothing else for a nested stack without resources, or if there is no such stack
            return LiveResource(
                name, template_type, stack=LiveStack("", "", self.source, span=part.span), span=key.span
            )
        kind = entries["type"].read_text() if "type" in entries else template_type
        inner_name = entries["name"].read_text() if "name" in entries else name
        if inner_name != name:
            entries["name"].report_problem(f"The resource {name} is called {inner_name} here.")
        return LiveResource(
            name,
            kind,
            read_physical_id(entries.get("resource_id")),
            entries["action"].read_text() if "action" in entries else "",
            entries["status"].read_text() if "status" in entries else "",
            read_secret_map(entries.get("metadata")),
            read_secret_map(entries.get("resource_data")),
            span=key.span,
        )


def read_physical_id(part: JsonValue | None) -> str | None:
    """A physical ID; None if there is none. IDs that OpenStack never makes are reported, because they end up in HCL and
    in commands for a shell.
    """
    if part is None or part.is_null():
        return None
    physical_id = part.read_text()
    if UNSAFE_ID.search(physical_id):
        part.report_problem(
            "This is no ID that OpenStack gives: it has quotes, control characters or a template sequence."
        )
        return None
    return physical_id or None


def check_stack_word(part: JsonValue | None) -> None:
    """Reports a name or an ID that no stack has, because commands name the stack by it: `--os-auth-url=…` would be an
    option there.
    """
    word = part.read_text() if part is not None and not part.is_null() else ""
    if part is not None and (word.startswith("-") or UNSAFE_ID.search(word)):
        part.report_problem(f"No stack has this {part.label}: Heat gives none with such characters.")


def read_secret_map(part: JsonValue | None) -> Mapping[str, object]:
    if part is None or part.is_null():
        return {}
    if not part.is_map():
        part.report_problem(f"{part.label} must be a map.")
        return {}
    part.sink.source.mark_secret(part)  # passwords and tokens are among it
    data = part.as_data()
    assert isinstance(data, dict)
    return data


def read_exported_files(part: JsonValue | None) -> dict[str, str]:
    """The files of a stack, by the names that Heat knows them by."""
    return {name: value.read_text() for name, _, value in part.walk_entries()} if part is not None else {}


def read_template_types(template: JsonValue | None) -> dict[str, str]:
    """The types of the resources of a template, as it spells them. Errors in it are left to the front end."""
    data = template.as_data() if template is not None and template.is_map() else {}
    section = data.get("resources", data.get("Resources"))
    types = {}
    for name, resource in section.items() if isinstance(section, dict) else ():
        kind = resource.get("type", resource.get("Type")) if isinstance(resource, dict) else None
        if isinstance(kind, str):
            types[name] = kind
    return types


def read_answers(source: Source, diagnostics: list[Diagnostic]) -> dict[CloudLookup, list[dict[str, Any]]]:
    """The questions and answers of a file that --save wrote."""
    sink = Sink(source)
    answers: dict[CloudLookup, list[dict[str, Any]]] = {}
    try:
        document = read_json(source, sink)
        keys = document.entries() if document.is_map() else {}
        if "format" not in keys or keys["format"].as_data() != FORMAT or "answers" not in keys:
            document.report_problem(
                f"This is no file of answers: it needs format {FORMAT} and answers.", codes.MALFORMED_ANSWERS
            )
        for answer in keys["answers"].walk_items() if "answers" in keys else ():
            parts = answer.entries()
            if not {"kind", "filter", "objects"} <= parts.keys():
                answer.report_problem("An answer must have a kind, a filter and objects.", codes.MALFORMED_ANSWERS)
                continue
            filter_pairs = tuple((name, value.read_text()) for name, _, value in parts["filter"].walk_entries())
            objects = [item.as_data() for item in parts["objects"].walk_items()]
            if not all(isinstance(item, dict) for item in objects):
                parts["objects"].report_problem("Each object of an answer must be a map.", codes.MALFORMED_ANSWERS)
                continue
            answers[CloudLookup(parts["kind"].read_text(), filter_pairs)] = objects
    except NotJson:
        pass
    except TooManyErrors as e:
        sink = e.sink
    diagnostics += sink.diagnostics
    return answers


def check_physical_ids(stack: LiveStack, sink: Sink) -> None:
    """Reports two resources of a type that have the same physical ID."""
    seen: dict[tuple[str, str], str] = {}
    for path, resource in stack.walk_resources():
        if resource.physical_id is None or not resource.type or resource.type in TYPES_SHARING_IDS:
            continue
        key = resource.type, resource.physical_id
        address = ".".join(path)
        if key in seen:
            message = f"{address} has the same physical ID as {seen[key]}: {resource.physical_id}."
            sink.add(codes.MALFORMED_RUNNING_STACK, message, resource)
        seen.setdefault(key, address)

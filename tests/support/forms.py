"""Generates templates in which properties have values in every form that a template can give them, everywhere.

A form is a literal, a parameter with or without default, an `if`, an item of a list, an output of a nested template, a
reference … A place is the root, a nested template, a member of a group, a resource with a condition, or a nested
template that gets the value as an argument. Two forms cross in one resource, or an argument stands beside a default.

Invariant: the same seed makes the same templates, and besides the form under test everything is as in `samples.py`.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple, TypeAlias

from tests.support import samples
from transpile.model.records import EMPTY
from transpile.schema import catalog

VERSION = "2021-04-16"
UUID = "11111111-2222-4333-8444-555555555555"
SCALARS = ("string", "integer", "number", "boolean")
WORDS: Mapping[str, Any] = {  # literals of every type, also of those that the property does not take
    "text": "words",
    "text of a number": "7",
    "number": 7,
    "boolean": True,
    "list": ["a", "b"],
    "list of lists": [["a"], ["b"]],
    "list of maps": [{"a": "b"}],
    "map": {"a": "b"},
    "map of maps": {"a": {"b": "c"}},
    "map of lists": {"a": ["b"]},
}
PARAMETER_TYPES = {
    "integer": "number",
    "number": "number",
    "boolean": "boolean",
    "list": "comma_delimited_list",
    "map": "json",
}
Sections: TypeAlias = "Mapping[str, Mapping[str, Any]]"


class Subject(NamedTuple):
    """A property that gets values. literal: a value that Heat and the provider take. other: the type of a resource
    whose ID or name it takes; empty if it takes none. tag: makes the names unique that a form adds to a template.
    """

    path: str
    type: str
    literal: Any
    other: str
    tag: str


class Form(NamedTuple):
    """A value in one form, and the parts of a template that it needs: sections, and nested templates."""

    name: str
    value: Any
    sections: Sections = EMPTY
    files: Mapping[str, Any] = EMPTY


class Case(NamedTuple):
    """One template, `root.yaml`, with its nested templates."""

    name: str
    files: Mapping[str, str]


# forms


def forms_of(subject: Subject) -> Iterator[Form]:
    """The forms of the values of one property."""
    for family in (plain_forms, computed_forms, parameter_forms, scalar_forms, list_forms, map_forms, reference_forms):
        yield from family(subject)


def plain_forms(s: Subject) -> Iterator[Form]:
    yield Form("literal", s.literal)
    yield Form("null", None)
    yield Form("empty", {"list": [], "map": {}}.get(s.type, ""))
    yield from (Form(f"literal {word}", value) for word, value in WORDS.items())
    if s.type == "string":
        yield Form("ID", UUID)
    if s.type == "list":
        yield Form("list of an ID", [UUID])


def computed_forms(s: Subject) -> Iterator[Form]:
    flag = condition(s)
    name = next(iter(flag["conditions"]))
    yield Form("if", {"if": [name, s.literal, s.literal]}, flag)
    yield Form("if or null", {"if": [name, s.literal, None]}, flag)
    yield Form("if without else", {"if": [name, s.literal]}, flag)
    yield Form("if not without else", {"if": [{"not": name}, s.literal]}, flag)
    yield Form("value", {"get_attr": [f"v{s.tag}", "value"]}, one("resources", f"v{s.tag}", value_of(s.literal)))
    child = {"heat_template_version": VERSION, "outputs": {"out": {"value": s.literal}}}
    yield Form("output", {"get_attr": [f"n{s.tag}", "out"]}, nested(s), {f"child{s.tag}.yaml": child})
    yield Form("yaql", {"yaql": {"expression": "$.data", "data": s.literal}})


def parameter_forms(s: Subject) -> Iterator[Form]:
    get = {"get_param": f"p{s.tag}"}
    text = s.literal if isinstance(s.literal, str) else json.dumps(s.literal)
    own = PARAMETER_TYPES.get(s.type, "string")
    default = ",".join(map(str, s.literal)) if own == "comma_delimited_list" else s.literal
    yield Form(f"{own} parameter", get, parameter(s, type=own))
    yield Form(f"{own} parameter with default", get, parameter(s, type=own, default=default))
    yield Form("json parameter", get, parameter(s, type="json"))
    yield Form("text parameter", get, parameter(s, type="string", default=text))
    yield Form("empty parameter", get, parameter(s, type="string", default=""))
    yield Form("hidden parameter", get, parameter(s, type=own, hidden=True))
    at = {"get_param": [f"p{s.tag}", "k"]}
    yield Form("JSON path", at, parameter(s, type="json"))
    yield Form("JSON path with default", at, parameter(s, type="json", default={"k": s.literal}))
    yield Form("JSON path without its key", at, parameter(s, type="json", default={"other": s.literal}))
    yield Form("JSON path to null", at, parameter(s, type="json", default={"k": None}))
    if_set = {"conditions": {f"s{s.tag}": {"not": {"equals": [get, ""]}}}, **parameter(s, type="string", default="")}
    yield Form("parameter if set", {"if": [f"s{s.tag}", get, None]}, if_set)
    yield Form("parameter if set, or nothing", {"if": [f"s{s.tag}", get]}, if_set)


def scalar_forms(s: Subject) -> Iterator[Form]:
    if s.type not in SCALARS:
        return
    get, text = {"get_param": f"p{s.tag}"}, str(s.literal)
    listed = parameter(s, type="comma_delimited_list", default=text.replace(",", " "))
    yield Form("list item", {"get_param": [f"p{s.tag}", 0]}, listed)
    yield Form("list item beyond the end", {"get_param": [f"p{s.tag}", 3]}, listed)
    yield Form("join", {"list_join": ["", [get, ""]]}, parameter(s, type="string", default=text))
    yield Form("text", text)
    replaced = {"str_replace": {"template": "$x", "params": {"$x": get}}}
    yield Form("replace", replaced, parameter(s, type="string", default=text))
    if s.type == "string":
        yield Form("parameter with ID", get, parameter(s, type="string", default=UUID))
        yield Form("random text", {"get_resource": f"r{s.tag}"}, one("resources", f"r{s.tag}", RANDOM))
        yield Form("random value", {"get_attr": [f"r{s.tag}", "value"]}, one("resources", f"r{s.tag}", RANDOM))
    if s.type == "boolean":
        yield from (Form(f"text {word}", word) for word in ("true", "False", "yes", "0"))


RANDOM = {"type": "OS::Heat::RandomString"}


def list_forms(s: Subject) -> Iterator[Form]:
    if s.type != "list" or not s.literal:
        return
    flag, get, first = condition(s), {"get_param": f"p{s.tag}"}, s.literal[0]
    name = next(iter(flag["conditions"]))
    several = parameter(s, type="comma_delimited_list", default="a,b")
    yield Form("empty json parameter", get, parameter(s, type="json", default=[]))
    yield Form("list of a parameter", [get], parameter(s, type="string"))
    yield Form("list of an item of a list", [{"get_param": [f"p{s.tag}", 0]}], several)
    yield Form("list of an if", [{"if": [name, first, None]}], flag)
    yield Form("list of an if without else", [{"if": [name, first]}], flag)
    yield Form("concat", {"list_concat": [s.literal, {"if": [name, s.literal, []]}]}, flag)
    repeated = {"repeat": {"for_each": {"%x%": get}, "template": first}}
    yield Form("repeat", repeated, several)
    if isinstance(first, str):
        yield Form("split", {"str_split": [",", get]}, parameter(s, type="string", default="a,b"))
        yield Form("list of a parameter with ID", [get], parameter(s, type="string", default=UUID))


def map_forms(s: Subject) -> Iterator[Form]:
    if s.type == "map":
        flag = condition(s)
        yield Form("merge", {"map_merge": [s.literal, {"if": [next(iter(flag["conditions"])), s.literal, {}]}]}, flag)


def reference_forms(s: Subject) -> Iterator[Form]:
    """References to a resource of the type that the property names, wherever that stands."""
    if not s.other:
        return

    def wrap(value: Any) -> Any:
        return [value] if s.type == "list" else value

    label = f"o{s.tag}"
    properties, beside = samples.Maker(s.other).template(set(), refer=True)
    other = {"type": s.other, **({"properties": properties} if properties else {})}
    there = {"resources": {**beside, label: other}}
    flag = condition(s)
    name = next(iter(flag["conditions"]))
    yield Form("resource", wrap({"get_resource": label}), there)
    yield Form("resource or a name", wrap({"if": [name, {"get_resource": label}, "some-name"]}), {**flag, **there})
    conditional = {"resources": {**beside, label: {**other, "condition": name}}}
    either = wrap({"if": [name, {"get_resource": label}, "some-name"]})
    yield Form("conditional resource", either, {**flag, **conditional})
    made = {
        "heat_template_version": VERSION,
        **there,
        "outputs": {"out": {"value": {"get_resource": label}}, "OS::stack_id": {"value": {"get_resource": label}}},
    }
    files = {f"child{s.tag}.yaml": made}
    yield Form("output of a nested template", wrap({"get_attr": [f"n{s.tag}", "out"]}), nested(s), files)
    yield Form("reference to a nested template", wrap({"get_resource": f"n{s.tag}"}), nested(s), files)
    group = {"type": "OS::Heat::ResourceGroup", "properties": {"count": 2, "resource_def": other}}
    grouped = {"resources": {**beside, label: group}}
    yield Form("member of a group", wrap({"get_attr": [label, "resource.1"]}), grouped)
    if s.type == "list":
        yield Form("members of a group", {"get_attr": [label, "refs"]}, grouped)


def one(section: str, name: str, row: Any) -> Sections:
    return {section: {name: row}}


def parameter(s: Subject, **row: Any) -> Sections:
    return one("parameters", f"p{s.tag}", row)


def condition(s: Subject) -> Sections:
    on = f"on{s.tag}"
    return {"parameters": {on: {"type": "boolean", "default": True}}, "conditions": {f"c{s.tag}": {"get_param": on}}}


def nested(s: Subject) -> Sections:
    return one("resources", f"n{s.tag}", {"type": f"child{s.tag}.yaml"})


def value_of(value: Any) -> Any:
    return {"type": "OS::Heat::Value", "properties": {"value": value}}


# places


class Draft(NamedTuple):
    """A resource under test, and the template around it."""

    kind: str
    properties: Mapping[str, Any]
    sections: Sections
    files: Mapping[str, Any]

    def template(self, **more: Any) -> dict[str, Any]:
        """The template with the resource, `t`. more: further keys of the resource."""
        sections = {name: dict(rows) for name, rows in self.sections.items()}
        resource = {"type": self.kind, "properties": self.properties, **more}
        sections.setdefault("resources", {})["t"] = resource
        return {"heat_template_version": VERSION, **sections}


def in_root(draft: Draft) -> Mapping[str, Any]:
    return {"root.yaml": draft.template(), **draft.files}


def in_nested(draft: Draft) -> Mapping[str, Any]:
    """The case in a nested template, to which the root passes all parameters that need a value."""
    inner = draft.template()
    asked = {name: row for name, row in inner.get("parameters", {}).items() if "default" not in row}
    call: dict[str, Any] = {"type": "inner.yaml"}
    root: dict[str, Any] = {"heat_template_version": VERSION, "resources": {"inner": call}}
    if asked:
        root["parameters"], call["properties"] = asked, {name: {"get_param": name} for name in asked}
    return {"root.yaml": root, "inner.yaml": inner, **draft.files}


def in_group(draft: Draft) -> Mapping[str, Any]:
    template = draft.template()
    member = template["resources"]["t"]
    group = {"type": "OS::Heat::ResourceGroup", "properties": {"count": 2, "resource_def": member}}
    template["resources"] = {**template["resources"], "t": group}
    return {"root.yaml": template, **draft.files}


def under_condition(draft: Draft) -> Mapping[str, Any]:
    template = draft.template(condition="wanted")
    template["parameters"] = {**template.get("parameters", {}), "wanted": {"type": "boolean", "default": True}}
    template["conditions"] = {**template.get("conditions", {}), "wanted": {"get_param": "wanted"}}
    return {"root.yaml": template, **draft.files}


PLACES: Mapping[str, Callable[[Draft], Mapping[str, Any]]] = {
    "root": in_root,
    "nested": in_nested,
    "group": in_group,
    "condition": under_condition,
}


def as_argument(kind: str, s: Subject, properties: Mapping[str, Any], beside: Sections, form: Form, row: Any) -> Draft:
    """A call of a nested template, whose parameter gets a value in some form. row: the declaration of the parameter.
    The resource under test is the call.
    """
    get = {"get_param": "argument"}
    inner = Draft(kind, replaced(properties, s.path, get), {**beside, "parameters": {"argument": row}}, {})
    return Draft(
        "called.yaml", {"argument": form.value}, form.sections, {**form.files, "called.yaml": inner.template()}
    )


def declared_rows(s: Subject) -> Iterator[tuple[str, Any]]:
    """Declarations of a nested template's parameter: without a default, with the literal, an empty one, or other
    keys.
    """
    own = PARAMETER_TYPES.get(s.type, "string")
    literal = ",".join(map(str, s.literal)) if own == "comma_delimited_list" else s.literal
    yield "no default", {"type": own}
    yield "a default", {"type": own, "default": literal}
    if own == "string":
        yield "an empty default", {"type": own, "default": ""}
    if s.type in ("map", "list"):
        yield "a json default", {"type": "json", "default": {"other": 1} if s.type == "map" else []}


# cases


def every_case(draw: random.Random, share: float = 1, only: str = "") -> Iterator[Case]:
    """The cases of all types, or a share of them. only: a part of the names of types."""
    for kind in catalog.HEAT.type_names():
        facts = catalog.HEAT.find_type(kind) or {}
        if only in kind and kind.startswith(("OS::", "AWS::")) and not facts.get("retired"):
            yield from cases_of_type(kind, draw, share)


def cases_of_type(kind: str, draw: random.Random, share: float) -> Iterator[Case]:
    """The cases of one type: each form of each property in each place, and for each a second form beside it."""
    maker = samples.Maker(kind)
    paths = sorted(maker.paths())
    for path in paths:
        made: tuple[Subject, dict[str, Any], Sections] | None = None
        for place in (*PLACES, "argument", "crossed"):
            if draw.random() >= share**0.5:  # so that a small share need not make most subjects
                continue
            made = made or make_subject(kind, [path], "")
            if made is None:
                break
            subject, properties, beside = made
            for form in forms_of(subject):
                if draw.random() >= share**0.5:
                    continue
                if place == "argument":
                    for word, row in declared_rows(subject):
                        draft = as_argument(kind, subject, properties, beside, form, row)
                        yield case(f"{kind} {path} {form.name} / {word}", in_root(draft))
                elif place == "crossed":
                    yield from crossed(kind, path, draw.choice(paths), form.name, draw)
                else:
                    whole = replaced(properties, path, form.value)
                    draft = Draft(kind, whole, joined(beside, form.sections), form.files)
                    yield case(f"{kind} {path} {form.name} / {place}", PLACES[place](draft))


def crossed(kind: str, path: str, other: str, name: str, draw: random.Random) -> Iterator[Case]:
    """Two properties of one resource, each in a form, if they go together."""
    if path == other or path.startswith(f"{other}.") or other.startswith(f"{path}."):
        return
    made, second = make_subject(kind, [path, other], "1"), make_subject(kind, [other, path], "2")
    if made is None or second is None or find_place(made[1], other) is None:
        return
    subject, properties, beside = made
    one_form = next((form for form in forms_of(subject) if form.name == name), None)
    other_form = draw.choice(list(forms_of(second[0])))
    if one_form is None:
        return
    whole = replaced(replaced(properties, path, one_form.value), other, other_form.value)
    sections = joined(joined(beside, one_form.sections), other_form.sections)
    draft = Draft(kind, whole, sections, {**one_form.files, **other_form.files})
    place = draw.choice(list(PLACES))
    yield case(f"{kind} {path} {one_form.name} + {other} {other_form.name} / {place}", PLACES[place](draft))


def make_subject(kind: str, paths: list[str], tag: str) -> tuple[Subject, dict[str, Any], Sections] | None:
    """The first of some properties as a subject, the properties that set all of them, and the resources that these
    need. None if nothing sets it.
    """
    maker = samples.Maker(kind)
    left = {step for path in paths for step in (path, *prefixes(path))}
    properties, beside = maker.template(left, refer=False)
    place = find_place(properties, paths[0])
    schema = next((schema for path, schema in samples.every(maker.facts["properties"]) if path == paths[0]), None)
    if place is None or schema is None:
        return None
    other = samples.target(schema, maker.key(paths[0]))
    subject = Subject(paths[0], schema.get("type", "string"), place[0][place[1]], other, tag)
    return subject, properties, {"resources": beside} if beside else {}


def prefixes(path: str) -> Iterator[str]:
    """The paths of the properties around a property."""
    steps = path.split(".")
    yield from (".".join(steps[:i]) for i in range(1, len(steps)) if steps[i - 1] != "*")


def find_place(value: Any, path: str) -> tuple[Any, str] | None:
    """The first map that has the last key of a path, and that key."""
    step, _, rest = path.partition(".")
    if step == "*":
        items = value if isinstance(value, list) else []
        return next((place for item in items if (place := find_place(item, rest)) is not None), None)
    if not isinstance(value, dict) or step not in value:
        return None
    return find_place(value[step], rest) if rest else (value, step)


def replaced(properties: Mapping[str, Any], path: str, value: Any) -> dict[str, Any]:
    """A copy of properties with another value at a path."""
    copied: dict[str, Any] = json.loads(json.dumps(properties))
    if (place := find_place(copied, path)) is not None:
        place[0][place[1]] = value
    return copied


def joined(first: Sections, second: Sections) -> Sections:
    return {name: {**first.get(name, {}), **second.get(name, {})} for name in {**first, **second}}


def case(name: str, files: Mapping[str, Any]) -> Case:
    return Case(name, {file: json.dumps(body, indent=1) for file, body in files.items()})

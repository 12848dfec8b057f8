"""Edits of templates, as people make them between two conversions: each kind is a function from a project to the next.

Invariant: an edit changes only what its name says. One that does not apply to a project returns None.
"""

from __future__ import annotations

import copy
import dataclasses
import random
from collections.abc import Callable, Iterator
from typing import Any

import yaml

GROUP = "OS::Heat::ResourceGroup"
FUNCTIONS = ("get_param", "get_resource", "get_attr", "if", "repeat", "str_replace", "get_file", "list_join")
Edit = Callable[["Project", random.Random], "Project | None"]
EDITS: dict[str, Edit] = {}


class Loader(yaml.SafeLoader):
    """YAML as Heat reads it: a date is a text."""


Loader.yaml_implicit_resolvers = {
    key: [(tag, pattern) for tag, pattern in rows if not tag.endswith(":timestamp")]
    for key, rows in yaml.SafeLoader.yaml_implicit_resolvers.items()
}


@dataclasses.dataclass
class Project:
    """A template with the files beside it, parsed if they are templates; the environment, and options of a run."""

    main: str
    files: dict[str, Any]
    environment: dict[str, Any] = dataclasses.field(default_factory=dict)
    options: dict[str, Any] = dataclasses.field(default_factory=dict)

    @property
    def template(self) -> dict[str, Any]:
        template: dict[str, Any] = self.files[self.main]
        return template

    @property
    def resources(self) -> dict[str, Any]:
        resources: dict[str, Any] = self.template.setdefault("resources", {})
        return resources

    def copy(self) -> Project:
        return copy.deepcopy(self)

    def print_files(self) -> dict[str, str]:
        return {
            name: data if isinstance(data, str) else yaml.safe_dump(data, sort_keys=False, width=100)
            for name, data in self.files.items()
        }


def edit(function: Edit) -> Edit:
    """Registers a kind of edit under the name of its function. It gets a copy of the project."""

    def apply(project: Project, choose: random.Random) -> Project | None:
        try:
            return function(project.copy(), choose)
        except (AttributeError, TypeError, LookupError, ValueError):  # a template of an unusual form
            return None

    EDITS[function.__name__] = apply
    return apply


def of_type(project: Project, *words: str) -> list[str]:
    return [
        name
        for name, body in project.resources.items()
        if isinstance(body, dict) and any(word in str(body.get("type")) for word in words)
    ]


def pick(project: Project, choose: random.Random, names: list[str]) -> dict[str, Any] | None:
    names = [name for name in names if isinstance(project.resources[name], dict)]
    return project.resources[choose.choice(names)] if names else None


def plain(project: Project) -> list[str]:
    """Resources that are neither groups nor nested templates."""
    return [n for n in of_type(project, "OS::") if "Group" not in project.resources[n]["type"] or "Security" in n]


def nested(project: Project) -> list[str]:
    return [name for name in of_type(project, ".yaml", "::") if project.resources[name]["type"] in project.files]


def properties(body: dict[str, Any]) -> dict[str, Any]:
    return body.setdefault("properties", {}) if body.get("properties") is not None else {}


def walk_lists(data: Any) -> Iterator[list[Any]]:
    if isinstance(data, list):
        if len(data) > 1 and all(isinstance(item, dict) for item in data):
            yield data
        for item in data:
            yield from walk_lists(item)
    elif isinstance(data, dict):
        for key, value in data.items():
            if key not in FUNCTIONS:
                yield from walk_lists(value)


def refers(data: Any, name: str) -> bool:
    if isinstance(data, dict):
        return any(
            (key in ("get_resource", "depends_on") and value == name)
            or (key == "get_attr" and isinstance(value, list) and value[:1] == [name])
            or (key == "depends_on" and isinstance(value, list) and name in value)
            or refers(value, name)
            for key, value in data.items()
        )
    return isinstance(data, list) and any(refers(item, name) for item in data)


def rename(data: Any, old: str, new: str) -> Any:
    if isinstance(data, dict):
        out: dict[str, Any] = {}
        for key, value in data.items():
            if key == "get_resource" and value == old:
                out[key] = new
            elif key == "get_attr" and isinstance(value, list) and value[:1] == [old]:
                out[key] = [new, *value[1:]]
            elif key == "depends_on" and (value == old or (isinstance(value, list) and old in value)):
                out[key] = new if value == old else [new if item == old else item for item in value]
            else:
                out[key] = rename(value, old, new)
        return out
    return [rename(item, old, new) for item in data] if isinstance(data, list) else data


def remove(project: Project, name: str) -> bool:
    del project.resources[name]
    for other, output in list(project.template.get("outputs", {}).items()):
        if refers(output, name):
            del project.template["outputs"][other]
    return not refers(project.template, name)


def add_parameter(project: Project, name: str, value: Any) -> dict[str, str]:
    kind = "number" if isinstance(value, (int, float)) and not isinstance(value, bool) else "string"
    parameters = project.template.get("parameters") or {}
    project.template["parameters"] = {**parameters, name: {"type": kind, "default": value}}
    return {"get_param": name}


def set_condition(project: Project, body: dict[str, Any]) -> Project | None:
    if "condition" in body or str(project.template.get("heat_template_version")) < "2016-10-14":
        return None
    add_parameter(project, "edited_flag", "yes")
    conditions = project.template.get("conditions") or {}
    project.template["conditions"] = {**conditions, "edited": {"equals": [{"get_param": "edited_flag"}, "yes"]}}
    body["condition"] = "edited"
    return project


def set_property(project: Project, choose: random.Random, names: list[str], key: str, value: Any) -> Project | None:
    names = [n for n in names if isinstance(properties(project.resources[n]).get(key), (str, int))]
    body = pick(project, choose, names)
    if body is None:
        return None
    body["properties"][key] = value
    return project


@edit
def nothing(project: Project, choose: random.Random) -> Project | None:
    return project


@edit
def add_resource(project: Project, choose: random.Random) -> Project | None:
    project.resources["added_disk"] = {"type": "OS::Cinder::Volume", "properties": {"size": 1, "name": "added"}}
    return project


@edit
def add_resource_first(project: Project, choose: random.Random) -> Project | None:
    first = {"a_first": {"type": "OS::Neutron::Net", "properties": {"name": "first"}}}
    project.template["resources"] = {**first, **project.resources}
    return project


@edit
def remove_resource(project: Project, choose: random.Random) -> Project | None:
    names = list(project.resources)
    choose.shuffle(names)
    for name in names:
        tried = project.copy()
        if len(names) > 1 and remove(tried, name):
            return tried
    return None


@edit
def remove_first_and_add(project: Project, choose: random.Random) -> Project | None:
    names = [name for name in project.resources if not refers(project.template.get("resources"), name)]
    if len(project.resources) < 2 or not names or not remove(project, names[0]):
        return None
    project.resources["added_net"] = {"type": "OS::Neutron::Net", "properties": {"name": "another"}}
    return project


@edit
def rename_resource(project: Project, choose: random.Random) -> Project | None:
    name = choose.choice(list(project.resources))
    resources = {(f"{key}_renamed" if key == name else key): body for key, body in project.resources.items()}
    project.template["resources"] = resources
    project.files[project.main] = rename(project.template, name, f"{name}_renamed")
    return project


@edit
def change_name_property(project: Project, choose: random.Random) -> Project | None:
    return set_property(project, choose, plain(project), "name", "another-name")


@edit
def change_size(project: Project, choose: random.Random) -> Project | None:
    return set_property(project, choose, of_type(project, "Cinder::Volume"), "size", 77)


@edit
def change_image(project: Project, choose: random.Random) -> Project | None:
    return set_property(project, choose, of_type(project, "Nova::Server"), "image", "another-image")


@edit
def change_availability_zone(project: Project, choose: random.Random) -> Project | None:
    body = pick(project, choose, of_type(project, "Nova::Server"))
    if body is None:
        return None
    properties(body)["availability_zone"] = "another"
    return project


@edit
def change_cidr(project: Project, choose: random.Random) -> Project | None:
    return set_property(project, choose, of_type(project, "Neutron::Subnet"), "cidr", "10.77.0.0/24")


@edit
def change_security_groups(project: Project, choose: random.Random) -> Project | None:
    body = pick(project, choose, of_type(project, "Neutron::Port"))
    if body is None or "security_groups" in properties(body):
        return None
    properties(body)["security_groups"] = ["default"]
    return project


@edit
def reorder_resources(project: Project, choose: random.Random) -> Project | None:
    project.template["resources"] = dict(reversed(project.resources.items()))
    return project


@edit
def reorder_rules(project: Project, choose: random.Random) -> Project | None:
    return reverse_lists(project, choose, of_type(project, "SecurityGroup"))


@edit
def reorder_lists(project: Project, choose: random.Random) -> Project | None:
    return reverse_lists(project, choose, of_type(project, "Neutron::Port", "Neutron::Subnet"))


@edit
def reorder_networks(project: Project, choose: random.Random) -> Project | None:
    return reverse_lists(project, choose, of_type(project, "Nova::Server"))


def reverse_lists(project: Project, choose: random.Random, names: list[str]) -> Project | None:
    choose.shuffle(names)
    for name in names:
        for items in walk_lists(project.resources[name].get("properties")):
            items.reverse()
            return project
    return None


@edit
def add_rule(project: Project, choose: random.Random) -> Project | None:
    body = pick(project, choose, [n for n in of_type(project, "Neutron::SecurityGroup") if "Rule" not in n])
    rules = properties(body).setdefault("rules", []) if body is not None else None
    if not isinstance(rules, list):
        return None
    rules.insert(0, {"protocol": "tcp", "port_range_min": 7777, "port_range_max": 7777})
    return project


@edit
def repeat_written_out(project: Project, choose: random.Random) -> Project | None:
    for name in of_type(project, "SecurityGroup"):
        rules = properties(project.resources[name]).get("rules")
        repeat = rules.get("repeat") if isinstance(rules, dict) else None
        if isinstance(repeat, dict) and len(repeat.get("for_each", {})) == 1:
            ((variable, values),) = repeat["for_each"].items()
            if isinstance(values, list):
                project.resources[name]["properties"]["rules"] = [
                    Loader(yaml.safe_dump(repeat["template"]).replace(variable, str(value))).get_data()
                    for value in values
                ]
                return project
    return None


@edit
def rules_become_repeat(project: Project, choose: random.Random) -> Project | None:
    for name in of_type(project, "Neutron::SecurityGroup"):
        rules = properties(project.resources[name]).get("rules")
        if isinstance(rules, list) and rules and isinstance(rules[0], dict):
            port = rules[0].get("port_range_min")
            same = all(
                isinstance(r, dict)
                and {**r, "port_range_min": 0, "port_range_max": 0}
                == {**rules[0], "port_range_min": 0, "port_range_max": 0}
                and r.get("port_range_min") == r.get("port_range_max")
                for r in rules
            )
            if isinstance(port, int) and same:
                template = {**rules[0], "port_range_min": "<%p%>", "port_range_max": "<%p%>"}
                ports = [r["port_range_min"] for r in rules]
                project.resources[name]["properties"]["rules"] = {
                    "repeat": {"for_each": {"<%p%>": ports}, "template": template}
                }
                return project
    return None


@edit
def literal_to_parameter(project: Project, choose: random.Random) -> Project | None:
    places = [
        (properties(body), key)
        for body in project.resources.values()
        if isinstance(body, dict)
        for key, value in properties(body).items()
        if type(value) in (str, int) and key not in ("count", "template")
    ]
    if not places:
        return None
    where, key = choose.choice(places)
    where[key] = add_parameter(project, "edited_value", where[key])
    return project


@edit
def parameter_to_literal(project: Project, choose: random.Random) -> Project | None:
    places = []
    for body in project.resources.values():
        for key, value in properties(body).items() if isinstance(body, dict) else ():
            if isinstance(value, dict) and isinstance(value.get("get_param"), str):
                name = value["get_param"]
                about = (project.template.get("parameters") or {}).get(name)
                given = project.environment.get("parameters", {}).get(name)
                given = given if given is not None else (about or {}).get("default")
                if isinstance(given, (str, int)):
                    places.append((properties(body), key, given))
    if not places:
        return None
    where, key, given = choose.choice(places)
    where[key] = given
    return project


@edit
def resource_to_group_of_one(project: Project, choose: random.Random) -> Project | None:
    for name in plain(project):
        body = project.resources[name]
        if set(body) <= {"type", "properties"} and not refers(project.template, name):
            definition = {"type": body["type"], "properties": body.get("properties", {})}
            project.resources[name] = {"type": GROUP, "properties": {"count": 1, "resource_def": definition}}
            return project
    return None


def groups_with_size(project: Project) -> list[str]:
    groups = of_type(project, GROUP)
    return [name for name in groups if isinstance(properties(project.resources[name]).get("count", 1), int)]


@edit
def group_grows(project: Project, choose: random.Random) -> Project | None:
    body = pick(project, choose, groups_with_size(project))
    if body is None:
        return None
    body["properties"]["count"] = body["properties"].get("count", 1) + 2
    return project


@edit
def group_shrinks(project: Project, choose: random.Random) -> Project | None:
    names = [n for n in groups_with_size(project) if properties(project.resources[n]).get("count", 1) > 1]
    body = pick(project, choose, names)
    if body is None:
        return None
    body["properties"]["count"] -= 1
    return project


@edit
def removal_list(project: Project, choose: random.Random) -> Project | None:
    names = [n for n in of_type(project, GROUP) if "removal_policies" not in properties(project.resources[n])]
    body = pick(project, choose, names)
    if body is None:
        return None
    body["properties"]["removal_policies"] = [{"resource_list": ["0"]}]
    return project


@edit
def group_size_to_parameter(project: Project, choose: random.Random) -> Project | None:
    body = pick(project, choose, groups_with_size(project))
    if body is None:
        return None
    body["properties"]["count"] = add_parameter(project, "edited_size", body["properties"].get("count", 1))
    return project


@edit
def condition_on_resource(project: Project, choose: random.Random) -> Project | None:
    body = pick(project, choose, plain(project))
    return set_condition(project, body) if body is not None else None


@edit
def condition_on_group(project: Project, choose: random.Random) -> Project | None:
    body = pick(project, choose, of_type(project, GROUP))
    return set_condition(project, body) if body is not None else None


@edit
def condition_on_nested(project: Project, choose: random.Random) -> Project | None:
    body = pick(project, choose, nested(project))
    return set_condition(project, body) if body is not None else None


@edit
def condition_taken(project: Project, choose: random.Random) -> Project | None:
    names = [name for name, body in project.resources.items() if isinstance(body, dict) and "condition" in body]
    body = pick(project, choose, names)
    if body is None:
        return None
    del body["condition"]
    return project


@edit
def repeat_over_another_list(project: Project, choose: random.Random) -> Project | None:
    for name in project.resources:
        for value in properties(project.resources[name]).values():
            repeat = value.get("repeat") if isinstance(value, dict) else None
            lists = repeat.get("for_each", {}) if isinstance(repeat, dict) else {}
            for variable, values in lists.items():
                if isinstance(values, list) and len(values) > 1:
                    lists[variable] = [*values[1:], values[0]]
                    return project
    return None


@edit
def nested_gets_parameter(project: Project, choose: random.Random) -> Project | None:
    for name in nested(project):
        body = project.resources[name]
        inner = project.files[body["type"]]
        if isinstance(inner, dict):
            inner["parameters"] = {**(inner.get("parameters") or {}), "edited": {"type": "string", "default": "x"}}
            body.setdefault("properties", {})["edited"] = "y"
            return project
    return None


@edit
def nested_gets_resource(project: Project, choose: random.Random) -> Project | None:
    for name in nested(project):
        inner = project.files[project.resources[name]["type"]]
        if isinstance(inner, dict) and isinstance(inner.get("resources"), dict):
            inner["resources"]["edited"] = {"type": "OS::Neutron::Net"}
            return project
    return None


@edit
def nested_condition_inside(project: Project, choose: random.Random) -> Project | None:
    for name in nested(project):
        inner = Project(project.resources[name]["type"], project.files)
        if isinstance(inner.template, dict):
            body = pick(inner, choose, plain(inner))
            if body is not None and set_condition(inner, body) is not None:
                return project
    return None


@edit
def nested_file_renamed(project: Project, choose: random.Random) -> Project | None:
    for name in nested(project):
        kind = project.resources[name]["type"]
        project.files[f"renamed-{kind}"] = project.files[kind]
        project.resources[name]["type"] = f"renamed-{kind}"
        return project
    return None


@edit
def nested_by_registry(project: Project, choose: random.Random) -> Project | None:
    """The type of a nested template becomes a name of the registry, as Heat's update keeps the stack."""
    for name in nested(project):
        kind = project.resources[name]["type"]
        project.resources[name]["type"] = "My::Edited"
        project.environment.setdefault("resource_registry", {})["My::Edited"] = kind
        return project
    return None


@edit
def registry_to_another_file(project: Project, choose: random.Random) -> Project | None:
    for name, kind in project.environment.get("resource_registry", {}).items():
        if isinstance(kind, str) and kind in project.files:
            project.files[f"other-{kind}"] = project.files[kind]
            project.environment["resource_registry"][name] = f"other-{kind}"
            return project
    return None


@edit
def nested_inlined(project: Project, choose: random.Random) -> Project | None:
    for name in nested(project):
        inner = project.files[project.resources[name]["type"]]
        body = project.resources[name]
        if isinstance(inner, dict) and not refers(project.template, name) and "get_param" not in yaml.safe_dump(inner):
            del project.resources[name]
            project.resources.update(
                {f"{name}_{key}": rename_all(value, name, inner) for key, value in inner.get("resources", {}).items()}
            )
            return project if body.get("condition") is None else None
    return None


def rename_all(data: Any, prefix: str, inner: dict[str, Any]) -> Any:
    for key in inner.get("resources", {}):
        data = rename(data, key, f"{prefix}_{key}")
    return data


@edit
def extracted(project: Project, choose: random.Random) -> Project | None:
    for name in plain(project):
        body = project.resources[name]
        if not refers(project.template, name) and "get_" not in yaml.safe_dump(body) and "condition" not in body:
            version = project.template.get("heat_template_version")
            project.files["extracted.yaml"] = {"heat_template_version": version, "resources": {"inner": body}}
            project.resources[name] = {"type": "extracted.yaml"}
            return project
    return None


@edit
def environment_value(project: Project, choose: random.Random) -> Project | None:
    parameters = project.template.get("parameters") or {}
    names = [
        name
        for name, about in parameters.items()
        if isinstance(about, dict) and about.get("type") == "string" and "constraints" not in about
    ]
    if not names:
        return None
    project.environment.setdefault("parameters", {})[choose.choice(names)] = "edited"
    return project


@edit
def default_of_parameter(project: Project, choose: random.Random) -> Project | None:
    parameters = project.template.get("parameters") or {}
    names = [n for n, about in parameters.items() if isinstance(about, dict) and about.get("type") == "number"]
    if not names:
        return None
    about = parameters[choose.choice(names)]
    about["default"] = int(about.get("default") or 0) + 1
    about.pop("constraints", None)
    return project


def with_option(name: str, value: Any) -> Edit:
    def apply(project: Project, choose: random.Random) -> Project | None:
        if project.options.get(name) == value:
            return None
        project.options[name] = value
        return project

    return apply


def family(project: Project, *numbers: int) -> Project:
    """Adds copies, which `--roll-up` makes one block of."""
    for number in numbers:
        project.resources[f"copy_{number}"] = {
            "type": "OS::Cinder::Volume",
            "properties": {"name": f"copy-{number}", "size": 5},
        }
    project.options["roll_up"] = True
    return project


for _name, _edit in {
    "option_roll_up": with_option("roll_up", True),
    "option_native": with_option("prefer", "native"),
    "option_provisioners": with_option("prefer", "provisioners"),
    "option_faithful": with_option("prefer", "faithful"),
    "option_snake": with_option("names", "snake"),
    "option_ids": with_option("ids", "ids"),
    "option_standard": with_option("structure", "standard"),
    "option_order": with_option("order", "references"),
}.items():
    _edit.__name__ = _name
    edit(_edit)


# pairs in which the project before differs, too: of a family that --roll-up merges
FAMILIES: dict[str, tuple[tuple[int, ...], tuple[int, ...]]] = {
    "family_grows": ((0, 1, 2), (0, 1, 2, 3)),
    "family_shrinks": ((0, 1, 2, 3), (0, 1, 2)),
    "family_loses_first": ((0, 1, 2, 3), (1, 2, 3)),
    "family_loses_middle": ((0, 1, 2, 3), (0, 2, 3)),
    "family_too_small": ((0, 1, 2, 3), (0, 1)),
    "family_begins": ((0, 1), (0, 1, 2)),
}


def walk_pairs(project: Project, choose: random.Random) -> Iterator[tuple[str, Project, Project]]:
    """Each kind of edit that applies, with the project before and after."""
    for name, function in EDITS.items():
        after = function(project, choose)
        if after is not None:
            yield name, project, after
    for name, (before, numbers) in FAMILIES.items():
        yield name, family(project.copy(), *before), family(project.copy(), *numbers)
    rolled = project.copy()
    rolled.options["roll_up"] = True
    yield "option_roll_up_off", family(project.copy(), 0, 1, 2), without_roll_up(family(project.copy(), 0, 1, 2))
    changed = family(project.copy(), 0, 1, 2, 3)
    changed.resources["copy_2"]["properties"]["description"] = "own"
    yield "family_loses_pattern", family(project.copy(), 0, 1, 2, 3), changed


def without_roll_up(project: Project) -> Project:
    del project.options["roll_up"]
    return project

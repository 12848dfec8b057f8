"""Edits of templates, as people make them between two conversions: each kind is a function that changes a project.

Invariant: an edit changes only the part that its name says. One that does not apply to a project raises an error.
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
Edit = Callable[["Project", random.Random], object]
EDITS: dict[str, Callable[[Project, random.Random], Project | None]] = {}


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


def edit(function: Edit, name: str = "") -> Edit:
    """Registers a kind of edit. It gets a copy of the project; the result is None if it does not apply."""

    def apply(project: Project, choose: random.Random) -> Project | None:
        project = project.copy()
        try:
            function(project, choose)
        except (AttributeError, TypeError, LookupError, ValueError):
            return None
        return project

    EDITS[name or function.__name__] = apply
    return function


def check(condition: object) -> None:
    """Raises ValueError if an edit does not apply."""
    if not condition:
        raise ValueError


def of_type(project: Project, *words: str) -> list[str]:
    return [
        name
        for name, body in project.resources.items()
        if isinstance(body, dict) and any(word in str(body.get("type")) for word in words)
    ]


def pick(project: Project, choose: random.Random, names: list[str]) -> dict[str, Any]:
    names = [name for name in names if isinstance(project.resources[name], dict)]
    body: dict[str, Any] = project.resources[choose.choice(names)]
    return body


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


def can_have_condition(project: Project, body: dict[str, Any]) -> bool:
    return "condition" not in body and str(project.template.get("heat_template_version")) >= "2016-10-14"


def set_condition(project: Project, body: dict[str, Any]) -> None:
    check(can_have_condition(project, body))
    add_parameter(project, "edited_flag", "yes")
    conditions = project.template.get("conditions") or {}
    project.template["conditions"] = {**conditions, "edited": {"equals": [{"get_param": "edited_flag"}, "yes"]}}
    body["condition"] = "edited"


def servers(project: Project) -> list[str]:
    return of_type(project, "Nova::Server")


def groups(project: Project) -> list[str]:
    return of_type(project, GROUP)


def groups_with_size(project: Project) -> list[str]:
    return [name for name in groups(project) if isinstance(properties(project.resources[name]).get("count", 1), int)]


@edit
def nothing(project: Project, choose: random.Random) -> None:
    pass


@edit
def add_resource(project: Project, choose: random.Random) -> None:
    project.resources["added_disk"] = {"type": "OS::Cinder::Volume", "properties": {"size": 1, "name": "added"}}


@edit
def add_resource_first(project: Project, choose: random.Random) -> None:
    first = {"a_first": {"type": "OS::Neutron::Net", "properties": {"name": "first"}}}
    project.template["resources"] = {**first, **project.resources}


@edit
def remove_resource(project: Project, choose: random.Random) -> None:
    names = list(project.resources)
    choose.shuffle(names)
    check(len(names) > 1)
    copies = [(project.copy(), name) for name in names]
    removed, *_ = [copied for copied, name in copies if remove(copied, name)]
    project.files = removed.files


@edit
def remove_first_and_add(project: Project, choose: random.Random) -> None:
    names = [name for name in project.resources if not refers(project.template.get("resources"), name)]
    check(len(project.resources) >= 2 and remove(project, names[0]))
    project.resources["added_net"] = {"type": "OS::Neutron::Net", "properties": {"name": "another"}}


@edit
def rename_resource(project: Project, choose: random.Random) -> None:
    name = choose.choice(list(project.resources))
    resources = {(f"{key}_renamed" if key == name else key): body for key, body in project.resources.items()}
    project.template["resources"] = resources
    project.files[project.main] = rename(project.template, name, f"{name}_renamed")


@edit
def change_availability_zone(project: Project, choose: random.Random) -> None:
    properties(pick(project, choose, servers(project)))["availability_zone"] = "another"


@edit
def change_security_groups(project: Project, choose: random.Random) -> None:
    port = properties(pick(project, choose, of_type(project, "Neutron::Port")))
    check("security_groups" not in port)
    port["security_groups"] = ["default"]


@edit
def reorder_resources(project: Project, choose: random.Random) -> None:
    project.template["resources"] = dict(reversed(project.resources.items()))


@edit
def add_rule(project: Project, choose: random.Random) -> None:
    body = pick(project, choose, [n for n in of_type(project, "Neutron::SecurityGroup") if "Rule" not in n])
    rules = properties(body).setdefault("rules", [])
    rules.insert(0, {"protocol": "tcp", "port_range_min": 7777, "port_range_max": 7777})


@edit
def repeat_written_out(project: Project, choose: random.Random) -> None:
    for name in of_type(project, "SecurityGroup"):
        rules = properties(project.resources[name]).get("rules")
        repeat = rules.get("repeat") if isinstance(rules, dict) else None
        if isinstance(repeat, dict) and len(repeat.get("for_each", {})) == 1:
            ((variable, values),) = repeat["for_each"].items()
            if isinstance(values, list):
                template = yaml.safe_dump(repeat["template"])
                written = [Loader(template.replace(variable, str(value))).get_data() for value in values]
                project.resources[name]["properties"]["rules"] = written
                return
    check(False)


@edit
def rules_become_repeat(project: Project, choose: random.Random) -> None:
    for name in of_type(project, "Neutron::SecurityGroup"):
        rules = properties(project.resources[name]).get("rules")
        if isinstance(rules, list) and rules and isinstance(rules[0], dict):
            port, without = rules[0].get("port_range_min"), {"port_range_min": 0, "port_range_max": 0}
            same = all(
                isinstance(r, dict)
                and {**r, **without} == {**rules[0], **without}
                and r.get("port_range_min") == r.get("port_range_max")
                for r in rules
            )
            if isinstance(port, int) and same:
                template = {**rules[0], "port_range_min": "<%p%>", "port_range_max": "<%p%>"}
                repeat = {"for_each": {"<%p%>": [r["port_range_min"] for r in rules]}, "template": template}
                project.resources[name]["properties"]["rules"] = {"repeat": repeat}
                return
    check(False)


@edit
def literal_to_parameter(project: Project, choose: random.Random) -> None:
    places = [
        (properties(body), key)
        for body in project.resources.values()
        if isinstance(body, dict)
        for key, value in properties(body).items()
        if type(value) in (str, int) and key not in ("count", "template")
    ]
    where, key = choose.choice(places)
    where[key] = add_parameter(project, "edited_value", where[key])


@edit
def parameter_to_literal(project: Project, choose: random.Random) -> None:
    places = []
    for body in project.resources.values():
        for key, value in properties(body).items() if isinstance(body, dict) else ():
            if isinstance(value, dict) and isinstance(value.get("get_param"), str):
                name = value["get_param"]
                about = (project.template.get("parameters") or {}).get(name)
                literal = project.environment.get("parameters", {}).get(name)
                literal = literal if literal is not None else (about or {}).get("default")
                if isinstance(literal, (str, int)):
                    places.append((properties(body), key, literal))
    where, key, literal = choose.choice(places)
    where[key] = literal


@edit
def resource_to_group_of_one(project: Project, choose: random.Random) -> None:
    bodies = {name: project.resources[name] for name in plain(project) if not refers(project.template, name)}
    name, *_ = [name for name, body in bodies.items() if set(body) <= {"type", "properties"}]
    definition = {"type": bodies[name]["type"], "properties": bodies[name].get("properties", {})}
    project.resources[name] = {"type": GROUP, "properties": {"count": 1, "resource_def": definition}}


@edit
def group_grows(project: Project, choose: random.Random) -> None:
    group = pick(project, choose, groups_with_size(project))["properties"]
    group["count"] = group.get("count", 1) + 2


@edit
def group_shrinks(project: Project, choose: random.Random) -> None:
    names = [n for n in groups_with_size(project) if properties(project.resources[n]).get("count", 1) > 1]
    pick(project, choose, names)["properties"]["count"] -= 1


@edit
def removal_list(project: Project, choose: random.Random) -> None:
    names = [n for n in groups(project) if "removal_policies" not in properties(project.resources[n])]
    pick(project, choose, names)["properties"]["removal_policies"] = [{"resource_list": ["0"]}]


@edit
def group_size_to_parameter(project: Project, choose: random.Random) -> None:
    group = pick(project, choose, groups_with_size(project))["properties"]
    group["count"] = add_parameter(project, "edited_size", group.get("count", 1))


@edit
def condition_taken(project: Project, choose: random.Random) -> None:
    names = [name for name, body in project.resources.items() if isinstance(body, dict) and "condition" in body]
    del pick(project, choose, names)["condition"]


@edit
def repeat_over_another_list(project: Project, choose: random.Random) -> None:
    for name in project.resources:
        for value in properties(project.resources[name]).values():
            repeat = value.get("repeat") if isinstance(value, dict) else None
            lists = repeat.get("for_each", {}) if isinstance(repeat, dict) else {}
            for variable, values in lists.items():
                if isinstance(values, list) and len(values) > 1:
                    lists[variable] = [*values[1:], values[0]]
                    return
    check(False)


def nested_maps(project: Project) -> list[tuple[dict[str, Any], dict[str, Any]]]:
    """The resources that are nested templates, each with its template."""
    bodies = [project.resources[name] for name in nested(project)]
    return [(body, inner) for body in bodies if isinstance(inner := project.files[body["type"]], dict)]


@edit
def nested_gets_parameter(project: Project, choose: random.Random) -> None:
    body, inner = nested_maps(project)[0]
    inner["parameters"] = {**(inner.get("parameters") or {}), "edited": {"type": "string", "default": "x"}}
    body.setdefault("properties", {})["edited"] = "y"


@edit
def nested_gets_resource(project: Project, choose: random.Random) -> None:
    resources = [inner["resources"] for _, inner in nested_maps(project) if isinstance(inner.get("resources"), dict)]
    resources[0]["edited"] = {"type": "OS::Neutron::Net"}


@edit
def nested_condition_inside(project: Project, choose: random.Random) -> None:
    for body, _ in nested_maps(project):
        inner = Project(body["type"], project.files)
        if plain(inner):
            chosen = pick(inner, choose, plain(inner))
            if can_have_condition(inner, chosen):
                set_condition(inner, chosen)
                return
    check(False)


@edit
def nested_file_renamed(project: Project, choose: random.Random) -> None:
    body = project.resources[nested(project)[0]]
    kind = body["type"]
    project.files[f"renamed-{kind}"] = project.files[kind]
    body["type"] = f"renamed-{kind}"


@edit
def nested_by_registry(project: Project, choose: random.Random) -> None:
    """The type of a nested template becomes a name of the registry, as Heat's update keeps the stack."""
    body = project.resources[nested(project)[0]]
    project.environment.setdefault("resource_registry", {})["My::Edited"] = body["type"]
    body["type"] = "My::Edited"


@edit
def registry_to_another_file(project: Project, choose: random.Random) -> None:
    registry = project.environment["resource_registry"]
    (name, kind), *_ = [row for row in registry.items() if isinstance(row[1], str) and row[1] in project.files]
    project.files[f"other-{kind}"] = project.files[kind]
    registry[name] = f"other-{kind}"


@edit
def nested_inlined(project: Project, choose: random.Random) -> None:
    for name in nested(project):
        inner = project.files[project.resources[name]["type"]]
        if isinstance(inner, dict) and not refers(project.template, name) and "get_param" not in yaml.safe_dump(inner):
            check(project.resources.pop(name).get("condition") is None)
            for key, value in inner.get("resources", {}).items():
                project.resources[f"{name}_{key}"] = rename_all(value, name, inner)
            return
    check(False)


def rename_all(data: Any, prefix: str, inner: dict[str, Any]) -> Any:
    for key in inner.get("resources", {}):
        data = rename(data, key, f"{prefix}_{key}")
    return data


@edit
def extracted(project: Project, choose: random.Random) -> None:
    bodies = {name: project.resources[name] for name in plain(project) if not refers(project.template, name)}
    (name, body), *_ = [
        row for row in bodies.items() if "get_" not in yaml.safe_dump(row[1]) and "condition" not in row[1]
    ]
    version = project.template.get("heat_template_version")
    project.files["extracted.yaml"] = {"heat_template_version": version, "resources": {"inner": body}}
    project.resources[name] = {"type": "extracted.yaml"}


def parameters_of_type(project: Project, kind: str) -> dict[str, Any]:
    parameters = (project.template.get("parameters") or {}).items()
    return {name: about for name, about in parameters if isinstance(about, dict) and about.get("type") == kind}


@edit
def environment_value(project: Project, choose: random.Random) -> None:
    names = [n for n, about in parameters_of_type(project, "string").items() if "constraints" not in about]
    project.environment.setdefault("parameters", {})[choose.choice(names)] = "edited"


@edit
def default_of_parameter(project: Project, choose: random.Random) -> None:
    about = choose.choice(list(parameters_of_type(project, "number").values()))
    about["default"] = int(about.get("default") or 0) + 1
    about.pop("constraints", None)


# edits that differ only in the part that they change


def set_property(select: Callable[[Project], list[str]], key: str, value: Any) -> Edit:
    def apply(project: Project, choose: random.Random) -> None:
        names = [n for n in select(project) if isinstance(properties(project.resources[n]).get(key), (str, int))]
        pick(project, choose, names)["properties"][key] = value

    return apply


def reverse_list(*words: str) -> Edit:
    def apply(project: Project, choose: random.Random) -> None:
        names = of_type(project, *words)
        choose.shuffle(names)
        lists = [items for name in names for items in walk_lists(project.resources[name].get("properties"))]
        lists[0].reverse()

    return apply


def add_condition(select: Callable[[Project], list[str]]) -> Edit:
    return lambda project, choose: set_condition(project, pick(project, choose, select(project)))


def set_option(name: str, value: Any) -> Edit:
    def apply(project: Project, choose: random.Random) -> None:
        check(project.options.get(name) != value)
        project.options[name] = value

    return apply


for _name, _edit in {
    "change_name_property": set_property(plain, "name", "another-name"),
    "change_size": set_property(lambda project: of_type(project, "Cinder::Volume"), "size", 77),
    "change_image": set_property(servers, "image", "another-image"),
    "change_cidr": set_property(lambda project: of_type(project, "Neutron::Subnet"), "cidr", "10.77.0.0/24"),
    "reorder_rules": reverse_list("SecurityGroup"),
    "reorder_lists": reverse_list("Neutron::Port", "Neutron::Subnet"),
    "reorder_networks": reverse_list("Nova::Server"),
    "condition_on_resource": add_condition(plain),
    "condition_on_group": add_condition(groups),
    "condition_on_nested": add_condition(nested),
    "option_roll_up": set_option("roll_up", True),
    "option_native": set_option("prefer", "native"),
    "option_provisioners": set_option("prefer", "provisioners"),
    "option_faithful": set_option("prefer", "faithful"),
    "option_snake": set_option("names", "snake"),
    "option_ids": set_option("ids", "ids"),
    "option_standard": set_option("structure", "standard"),
    "option_order": set_option("order", "references"),
}.items():
    edit(_edit, _name)


def family(project: Project, *numbers: int) -> Project:
    """Adds copies, which `--roll-up` makes one block of."""
    for number in numbers:
        disk = {"type": "OS::Cinder::Volume", "properties": {"name": f"copy-{number}", "size": 5}}
        project.resources[f"copy_{number}"] = disk
    project.options["roll_up"] = True
    return project


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

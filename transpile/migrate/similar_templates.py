"""Finds templates that are equal but for literals: one template with parameters can take the place of all.

Invariant: templates are similar only if their keys, references and functions are the same, in the same order; their
descriptions do not count. They can be joined only if each literal stands where a parameter can.
"""

from __future__ import annotations

import itertools
import pathlib
import posixpath
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

import yaml

from transpile.front.literal_parameters import DESCRIPTION
from transpile.front.nodes import BOOL, FLOAT, INT, NULL, STR, TIMESTAMP
from transpile.model.intrinsics import INTRINSICS
from transpile.model.records import replace
from transpile.repository.outputs import TakenDirectories, make_slug, make_unique_name
from transpile.repository.plan import JoinedStack, JoinedTemplates, MigrationPlan, StackPlan
from transpile.text.source import JINJA_NAMES, LIMIT, UnreadableFile, read_bytes
from transpile.text.yaml_loader import FastLoader

MOST_READ = 500  # templates: each takes a few milliseconds
LEAST = 3  # templates that are worth one root
MOST_DIFFERENCES = 12  # values: templates that differ in more share little
REFERENCES = frozenset(  # functions whose arguments are names
    (
        "get_param",
        "get_resource",
        "get_attr",
        "get_file",
        "condition",
        "depends_on",
        "Ref",
        "Fn::GetAtt",
        "Fn::FindInMap",
    )
)
MANY = 20_000  # nodes of one template
TYPES = {INT: "number", FLOAT: "number", BOOL: "boolean", STR: "string", TIMESTAMP: "string"}  # of parameters
PLAIN_NUMBER = re.compile(r"0|-?[1-9][0-9]*|-?(?:0|[1-9][0-9]*)\.[0-9]*[1-9]")  # which Heat prints as it is written
ARGUMENTS: Mapping[str, tuple[str, ...]] = {  # of functions: those that may be any expression
    "list_join": ("1",),
    "str_replace": ("params",),
    "str_replace_strict": ("params",),
    "str_replace_vstrict": ("params",),
    "if": ("1", "2"),
}

Values = Mapping[str, tuple[str, str]]  # the tag and the text of each scalar, by its dotted path


class SimilarTemplates(NamedTuple):
    """Templates, by path, and the dotted paths of the values in which they differ. obstacle: why they cannot become
    one; empty if they can.
    """

    templates: tuple[str, ...]
    values: tuple[str, ...]
    obstacle: str
    members: Mapping[str, Values]

    def list_variables(self) -> dict[str, tuple[str, str]]:
        """By dotted path, the name and type of the parameter that takes the place of a literal. Literals that are the
        same in each template share one. The default of a parameter stays in its place.
        """
        first = next(iter(self.members.values()))
        taken = {path.split(".")[1] for path in first if path.startswith("parameters.")}
        names: dict[tuple[tuple[str, str], ...], str] = {}
        descriptions = {values.get(DESCRIPTION) for values in self.members.values()}
        variables = {DESCRIPTION: ("", "string")} if len(descriptions) > 1 else {}
        for path in self.values:
            if path.startswith("parameters."):
                continue
            values = tuple((TYPES[tag], text) for tag, text in (of_member[path] for of_member in self.members.values()))
            if values not in names:
                names[values] = make_unique_name(name_variable(path), taken.__contains__)
                taken.add(names[values])
            variables[path] = names[values], values[0][0]
        return variables

    def list_parameters(self, template: str) -> dict[str, str]:
        """The values that a template gives to the parameters."""
        names = {path: name for path, (name, _) in self.list_variables().items() if name}
        return {names.get(path, path.split(".")[1]): self.members[template][path][1] for path in self.values}


def find_similar_templates(folder: pathlib.Path, templates: Iterable[str]) -> list[SimilarTemplates]:
    """The groups of similar templates, the largest first. templates: by path from the folder."""
    groups: dict[tuple[str, ...], dict[str, Values]] = {}
    for template in itertools.islice(dict.fromkeys(templates), MOST_READ):
        if (values := read_template(folder / template)) is not None:
            groups.setdefault(list_shape(values), {})[template] = values
    alike = [compare_templates(members) for members in groups.values() if len(members) >= LEAST]
    alike = [group for group in alike if len(group.values) <= MOST_DIFFERENCES]
    return sorted(alike, key=lambda group: (-len(group.templates), group.templates))


def compare_templates(members: Mapping[str, Values]) -> SimilarTemplates:
    """Compares templates of one shape."""
    first = next(iter(members.values()))
    differing = tuple(path for path in first if len({values.get(path) for values in members.values()}) > 1)
    differing = tuple(path for path in differing if not is_description(path))
    obstacle = next((why for path in differing if (why := find_obstacle(path, list(members.values())))), "")
    if any(template.endswith(JINJA_NAMES) for template in members):
        obstacle = "one of them is a Jinja2 source"
    elif len({posixpath.dirname(template) for template in members}) > 1 and any(map(is_file_name, first.items())):
        obstacle = "they name files, and lie in several directories"
    return SimilarTemplates(tuple(members), differing, obstacle, members)


def compare_files(folder: pathlib.Path, templates: Sequence[str]) -> SimilarTemplates:
    """Compares templates that a person wants to join."""
    members = {template: read_template(folder / template) or {} for template in templates}
    if len({list_shape(values) for values in members.values()}) == 1 and all(members.values()):
        return compare_templates(members)
    return SimilarTemplates(tuple(templates), (), "they differ in more than literals", members)


def list_shape(values: Values) -> tuple[str, ...]:
    """Returns the shape of a template, which is equal for all similar templates."""
    paths = ((path, text) for path, (_, text) in values.items() if not is_description(path))
    return tuple(path if not is_structure(path) else f"{path}={text}" for path, text in paths)


def is_structure(path: str) -> bool:
    """Whether a value belongs to the structure of a template: a type, or a name that a function refers to."""
    names = path.split(".")
    return names[-1] in ("type", "heat_template_version") or not REFERENCES.isdisjoint(names)


def is_description(path: str) -> bool:
    """Whether a value is a description of the template, a parameter or an output."""
    section, *names = path.split(".")
    if section in ("parameters", "outputs"):
        return names[1:] in (["description"], ["label"])
    return path == DESCRIPTION


def is_file_name(item: tuple[str, tuple[str, str]]) -> bool:
    """Whether a value names a file beside the template."""
    names, text = item[0].split("."), item[1][1]
    return "get_file" in names or (names[-1] == "type" and text.endswith((".yaml", ".yml", ".template")))


def find_obstacle(path: str, members: Sequence[Values]) -> str:
    """Why no parameter can take the place of a literal; empty if one can."""
    section, *names = path.split(".")
    tags, texts = zip(*(values.get(path, (NULL, "")) for values in members), strict=True)
    if section == "parameters":
        stands = names[1:] == ["default"] and f"parameters.{names[0]}.hidden" not in members[0]
    elif section == "resources":
        stands = names[1:2] in (["properties"], ["metadata"]) and takes_expressions(names[2:])
    else:
        stands = section == "outputs" and names[1:2] == ["value"] and takes_expressions(names[2:])
    if not stands or ("resource_def" in names and any("%" in text for text in texts)):
        return f"no parameter can stand at {path}"
    is_number = TYPES.get(tags[0]) == "number"
    if len({TYPES.get(tag) for tag in tags}) > 1 or tags[0] not in TYPES:
        return f"the values of {path} have different types"
    return f"{path} has a number that Heat prints in another way" * (
        is_number and not all(map(PLAIN_NUMBER.fullmatch, texts))
    )


def takes_expressions(names: Sequence[str]) -> bool:
    """Whether an expression can stand at a path in a value."""
    for at, name in enumerate(names):
        argument = next(iter(names[at + 1 :]), "")
        if name == "<<" or (name in INTRINSICS and argument not in ARGUMENTS.get(name, ())):
            return False
    return True


def name_variable(path: str) -> str:
    """A name for the parameter in the place of a literal: `server_image`."""
    section, resource, part, *rest = [*path.split("."), ""]
    words = [word for word in rest if word and not word.isdigit() and word not in INTRINSICS and word != "params"]
    words = [*(["metadata"] if section == "resources" and part == "metadata" else []), *words]
    return re.sub(r"\W+", "_", "_".join((resource, *words)))


def find_offers(src: pathlib.Path, plan: MigrationPlan) -> list[JoinedTemplates]:
    """The joins that a plan file offers: a directory for each group of templates that can become one."""
    joined = {template for join in plan.joins for template in join.templates}
    stacks, joins = plan.stacks, list[JoinedTemplates]()
    for group in find_similar_templates(src, (stack.template for stack in stacks if stack.template not in joined)):
        members = {stack.output for stack in stacks if stack.template in group.templates}
        taken = TakenDirectories()
        for stack in stacks:
            if stack.output not in members:
                taken.take(stack.output)
        for join in (*plan.joins, *joins):
            taken.take(join.output)
        above = posixpath.commonpath([posixpath.dirname(output) for output in members] or [""])
        if not group.obstacle and members:
            names = [above] if above and taken.is_free(above) else []
            name = next(iter(names), posixpath.join(above, name_group(group.templates)))
            joins.append(JoinedTemplates(taken.take_free(name), group.templates, group.values))
    return joins


def join_stacks(
    stacks: Sequence[StackPlan], join: JoinedTemplates, group: SimilarTemplates, src: pathlib.Path
) -> tuple[StackPlan, ...]:
    """The stacks, of which those of the templates share a directory, each as an environment."""
    outputs = {stack.output for stack in stacks if stack.template in join.templates}
    above = posixpath.commonpath([posixpath.dirname(output) for output in outputs]) if outputs else ""
    variables = group.list_variables()
    out = []
    for stack in stacks:
        if stack.template in join.templates:
            name = stack.output.removeprefix(f"{above}/").replace("/", "-")
            own = group.members[stack.template]
            parameters = group.list_parameters(stack.template)
            set_before = list_set_parameters(src, stack.environments)
            parameters = {key: text for key, text in parameters.items() if key not in set_before}
            note = own.get(DESCRIPTION, ("", ""))[1].strip()
            stack = replace(
                stack,
                output=f"{join.output}/{name}",
                environment=name,
                parameters={**parameters, **stack.parameters},
                joined=JoinedStack(join.templates[0], stack.output, variables, note),
            )
        out.append(stack)
    return tuple(out)


def list_set_parameters(src: pathlib.Path, environments: Iterable[str]) -> set[str]:
    """The parameters to which environments give values."""
    values = [read_template(src / path) or {} for path in environments]
    paths = [path.split(".") for of_environment in values for path in of_environment]
    return {path[1] for path in paths if path[0] in ("parameters", "parameter_defaults") and len(path) > 1}


def name_group(templates: Collection[str]) -> str:
    """Returns a name for several templates: the common words of their names."""
    stems = [posixpath.basename(template).partition(".")[0] for template in templates]
    common = posixpath.commonprefix(stems).strip("-_. ") or posixpath.commonprefix([s[::-1] for s in stems])[::-1]
    return make_slug(common.strip("-_. ") or "joined")


def read_template(path: pathlib.Path) -> dict[str, tuple[str, str]] | None:
    """The scalars of a template; None if it cannot be compared."""
    try:
        pairs = list(read_values(read_bytes(path, LIMIT).rstrip()))
    except (UnreadableFile, yaml.YAMLError, RecursionError, ValueError):
        return None
    values = dict(pairs)
    return values if len(values) == len(pairs) else None


def read_values(data: bytes) -> Iterator[tuple[str, tuple[str, str]]]:
    """The scalars of a document by their dotted paths, in order."""
    loader = FastLoader(data.decode("utf-8"))
    try:
        root = loader.get_single_node()
    finally:
        loader.dispose()
    waiting: list[tuple[str, yaml.Node]] = [("", root)] if root is not None else []
    number = 0
    while waiting:
        path, node = waiting.pop()
        number += 1
        if number > MANY:
            raise ValueError("too many nodes")
        if isinstance(node, yaml.MappingNode):
            inner = [(f"{path}.{key.value}".lstrip("."), value) for key, value in node.value]
            waiting += reversed(inner)
        elif isinstance(node, yaml.SequenceNode):
            waiting += reversed([(f"{path}.{at}", value) for at, value in enumerate(node.value)])
        else:
            yield path, (str(node.tag), str(node.value))

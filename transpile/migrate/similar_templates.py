"""Finds templates that are equal but for literals: one template with parameters could take the place of all.

Invariant: templates are similar only if their keys, references and functions are the same, in the same order; what they
say about themselves does not count.
"""

from __future__ import annotations

import itertools
import pathlib
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

import yaml

from transpile.text.source import LIMIT, UnreadableFile, read_bytes
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


class SimilarTemplates(NamedTuple):
    """Templates, by path, and the dotted paths of the values in which they differ."""

    templates: tuple[str, ...]
    values: tuple[str, ...]


def find_similar_templates(folder: pathlib.Path, templates: Iterable[str]) -> list[SimilarTemplates]:
    """The groups of similar templates, the largest first. templates: by path from the folder."""
    groups: dict[tuple[str, ...], dict[str, Mapping[str, str]]] = {}
    for template in itertools.islice(dict.fromkeys(templates), MOST_READ):
        try:
            values = dict(read_values(read_bytes(folder / template, LIMIT)))
        except (UnreadableFile, yaml.YAMLError, RecursionError, ValueError):
            continue
        shape = tuple(path if not is_structure(path) else f"{path}={value}" for path, value in values.items())
        groups.setdefault(shape, {})[template] = values
    alike = []
    for members in groups.values():
        first = next(iter(members.values()))
        differing = tuple(path for path in first if len({values[path] for values in members.values()}) > 1)
        if len(members) >= LEAST and 0 < len(differing) <= MOST_DIFFERENCES:
            alike.append(SimilarTemplates(tuple(members), differing))
    return sorted(alike, key=lambda group: (-len(group.templates), group.templates))


def is_structure(path: str) -> bool:
    """Whether a value is a part of what a template does: a type, or a name that a function refers to."""
    names = path.split(".")
    return names[-1] == "type" or not REFERENCES.isdisjoint(names)


def read_values(data: bytes) -> Iterator[tuple[str, str]]:
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
            yield path, str(node.value)

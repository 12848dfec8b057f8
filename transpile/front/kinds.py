"""Decides the kind of a document: a template of Heat, an environment, a document of a registered kind, or a foreign
file.

Invariant: every command that looks for files asks here, so all agree. A text is parsed only if its words leave the
answer open; a document is one of Heat's by the keys at its top level, never by words further inside.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator, Mapping

from yaml.nodes import MappingNode, Node, ScalarNode

from transpile import registrations
from transpile.diagnostics import spelling
from transpile.diagnostics.model import Sink, TooManyErrors
from transpile.front import documents, nodes
from transpile.front.environment import SECTIONS
from transpile.model.intrinsics import VERSION_KEYS
from transpile.model.lazy_patterns import compile_lazily
from transpile.model.source import Source
from transpile.text.source import JINJA_NAMES

TEMPLATE, ENVIRONMENT, FOREIGN = "template", "environment", ""  # a document of another kind goes by its key

OWN = ("parameter_defaults", "resource_registry", "parameter_merge_strategies", "encrypted_param_names", "event_sinks")
OTHER_KEYS = tuple(registrations.registered(registrations.DOCUMENTS))
MARKS = tuple(key.encode() for key in (*VERSION_KEYS, *OTHER_KEYS))
AT_LINE = re.compile(rb"""^["']?(?:%s)["']?[ \t]*:""" % b"|".join(map(re.escape, MARKS)), re.M)
IN_JSON = re.compile(rb"""\A\s*\{(?s:.*?)"(?:%s)"\s*:""" % b"|".join(map(re.escape, MARKS)))
SECTION = re.compile(rb"""^["']?(?:parameters|requires|%s)["']?[ \t]*:""" % "|".join(OWN).encode(), re.M)
OWN_AT_LINE = re.compile(rb"""^["']?(?:%s)["']?[ \t]*:""" % "|".join(OWN).encode(), re.M)
IN_BRACES = re.compile(rb"""\A\s*\{(?=.*?["'{,\s](?:parameters|%s)["']?\s*:)""" % "|".join(OWN).encode(), re.S)
KEY = re.compile(rb"""^["']?([^\s"'#:{}\[\]-][^"'#:{}\[\]\n]*+)["']?[ \t]*+:(?=\s|\Z)""", re.M)
NAME = compile_lazily(r"(?i)(?:^|[._-])env(?:ironment)?s?(?:$|[._-])")
DECLARED = frozenset(("type", "in", "schema", "$ref", "displayName"))  # keys of declarations, which have no values


def kind_of_text(source: Source) -> str:
    """The kind of a text: TEMPLATE, ENVIRONMENT, a registered kind, or FOREIGN. The name of its file counts, too.
    A text that cannot be parsed has the kind of its version key or sections, if a pattern finds one.
    """
    data = source.text.encode("utf-8", "surrogatepass")
    if AT_LINE.search(data):
        return kind_by_version_key(data)
    if not may_be_heat_document(source.name, data):
        return FOREIGN
    sink = Sink(source)
    try:
        root = documents.compose_document(sink, source.name, trimmed=True)
    except (nodes.UnreadableDocument, TooManyErrors):
        return kind_of_unreadable_text(source.name, data)
    return kind_of_document(source.name, dict(node_pairs(root)))


def kind_of_document(path: str, sections: Mapping[str, Node]) -> str:
    """The kind of a document with these keys at its top level."""
    if not sections.keys().isdisjoint(VERSION_KEYS):
        return TEMPLATE
    inner = dict(node_pairs(sections.get("template")))  # of a request around a document
    for key in OTHER_KEYS:
        if key in sections or key in inner:
            return key
    if not sections.keys().isdisjoint(OWN):
        return ENVIRONMENT  # any unknown key is then a mistake in it
    if sections.keys() == {"requires"} and isinstance(sections["requires"], MappingNode):
        return ENVIRONMENT
    if "parameters" not in sections or not has_parameter_values(path, sections["parameters"]):
        return FOREIGN
    strange = sections.keys() - set(SECTIONS)
    if strange and not (is_named_environment(path) and all(spelling.guess_name(key, SECTIONS) for key in strange)):
        return FOREIGN
    return ENVIRONMENT


def has_parameter_values(path: str, parameters: Node) -> bool:
    """Whether `parameters` has values. In pipelines, and in descriptions of interfaces, it has declarations. A file
    without values must have the name of an environment.
    """
    values = [value for _, value in node_pairs(parameters)]
    if not values:
        return is_named_environment(path)
    return not all(any(key in DECLARED for key, _ in node_pairs(value)) for value in values)


def may_be_heat_document(path: str, data: bytes) -> bool:
    """Whether a text may be a document of Heat, so that it has to be parsed. A cheap check of its words."""
    return mentions_version_key(data) or may_be_environment(path, data)


def mentions_version_key(data: bytes) -> bool:
    return any(mark in data for mark in MARKS)


def may_be_environment(path: str, data: bytes) -> bool:
    """Whether a text could be an environment: it has a section of environments at its top level. If `parameters` is its
    only section of Heat's, a section of a foreign format rules it out, unless it has the file name of an environment.
    """
    if not SECTION.search(data):
        return IN_BRACES.match(data) is not None and not is_foreign_json(data)
    words = {key.decode("utf-8", "replace").strip() for key in KEY.findall(data)}
    return bool(words & set(OWN)) or words <= set(SECTIONS) or is_named_environment(path)


def is_foreign_json(data: bytes) -> bool:
    """Whether JSON has keys at its top level that make it foreign; a quick check before it is read with places."""
    try:
        content = json.loads(data)
    except (ValueError, RecursionError):
        return False
    return not isinstance(content, dict) or not (content.keys() & set(OWN) or content.keys() <= set(SECTIONS))


def declares_version_key(data: bytes) -> bool:
    """Whether a text that cannot be parsed has a version key at its top level, as far as patterns can tell."""
    return AT_LINE.search(data) is not None or IN_JSON.match(data) is not None


def kind_by_version_key(data: bytes) -> str:
    """Returns the kind of a text by its version key."""
    if any(key.encode() in data for key in VERSION_KEYS):
        return TEMPLATE
    return next(key for key in OTHER_KEYS if key.encode() in data)


def kind_of_unreadable_text(path: str, data: bytes) -> str:
    """The kind of a text that cannot be parsed."""
    if declares_version_key(data):
        return kind_by_version_key(data)
    if OWN_AT_LINE.search(data) or (SECTION.search(data) and is_named_environment(path)):
        return ENVIRONMENT
    return FOREIGN


def is_named_environment(path: str) -> bool:
    """Whether a file has the name of an environment."""
    return path.endswith(".env") or NAME.search(document_stem(path)) is not None


def document_stem(path: str) -> str:
    """A file's name without its endings."""
    name = os.path.basename(path)
    for ending in sorted(JINJA_NAMES, key=len, reverse=True):
        if name.endswith(ending):
            return name.removesuffix(ending)
    return os.path.splitext(name)[0]


def node_pairs(node: Node | None) -> Iterator[tuple[str, Node]]:
    """The keys and values of a map."""
    for key, value in node.value if isinstance(node, MappingNode) else ():
        if isinstance(key, ScalarNode):
            yield key.value, value

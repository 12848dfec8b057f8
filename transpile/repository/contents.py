"""What a file is: a template, an environment, something else of Heat's, or foreign.

Invariant: a text is parsed at most once, and only if it has the words that make it one of Heat's files. What is kept of
it is small, because a tree may have 100,000 templates.
"""

from __future__ import annotations

import functools
import json
import os
import re
from typing import TYPE_CHECKING, TypeVar, final

from yaml.nodes import MappingNode, Node, ScalarNode

from transpile.diagnostics.model import Sink, TooMany
from transpile.front import documents, nodes
from transpile.front import environment as environments
from transpile.front import template as templates
from transpile.model.intrinsics import VERSION_KEYS
from transpile.model.ir import Entry, Lit, Map, Seq
from transpile.model.records import EMPTY, field, node
from transpile.resolve import groups
from transpile.resolve.nested_templates import named_files
from transpile.resolve.registry import is_file
from transpile.text.source import JINJA_NAMES, Unreadable, from_bytes

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from transpile.model.ir import Environment, Expr, Template
    from transpile.model.source import Source

Names = TypeVar("Names", frozenset[str], tuple[str, ...])

JINJA_SOURCE = "a Jinja2 source: it makes a stack when there are values to render it"
HOMING = "homing_template_version"
OWN = ("parameter_defaults", "resource_registry", "parameter_merge_strategies", "encrypted_param_names", "event_sinks")
MARKS = tuple(key.encode() for key in (*VERSION_KEYS, HOMING))
AT_LINE = re.compile(rb"""^["']?(?:%s)["']?[ \t]*:""" % b"|".join(MARKS), re.M)
IN_JSON = re.compile(rb"""\A\s*\{(?s:.*?)"(?:%s)"\s*:""" % b"|".join(MARKS))
SECTION = re.compile(rb"""^["']?(?:parameters|%s)["']?[ \t]*:""" % "|".join(OWN).encode(), re.M)
OWN_AT_LINE = re.compile(rb"""^["']?(?:%s)["']?[ \t]*:""" % "|".join(OWN).encode(), re.M)
IN_BRACES = re.compile(rb"""\A\s*\{(?=.*?["'{,\s](?:parameters|%s)["']?\s*:)""" % "|".join(OWN).encode(), re.S)
KEY = re.compile(rb"""^["']?([^\s"'#:{}\[\]-][^"'#:{}\[\]\n]*+)["']?[ \t]*+:(?=\s|\Z)""", re.M)
PLUGIN = re.compile(
    rb"^[ \t]*(?:def[ \t]+(?:available_)?resource_mapping\b|(?:available_)?resource_mapping[ \t]*=)", re.M
)
JINJA = re.compile(documents.JINJA.encode())
TYPE = re.compile(r"\w+(?:::\w+)+")
NAME = re.compile(r"(?i)(?:^|[._-])env(?:ironment)?s?(?:$|[._-])")
MEMBERS = (*groups.GROUPS.items(), ("OS::Heat::ResourceChain", "resources"))  # an alias may stand for a group
DECLARED = frozenset(("type", "in", "schema", "$ref", "displayName"))  # keys of declarations, which have no values


@final
@node
class TemplateFacts:
    """A template. `types`: all resource types, those of the members of groups and of defaults that look like types
    included; `files`: names of files that may be nested templates; `problem`: why it cannot be read, if so.
    """

    path: str
    parameters: frozenset[str] = frozenset()
    types: tuple[str, ...] = ()
    files: tuple[str, ...] = ()
    problem: str = ""


@final
@node
class EnvironmentFacts:
    """An environment. `types`: what its registry says, by name; `files`: all names in it."""

    path: str
    parameters: frozenset[str] = frozenset()
    defaults: frozenset[str] = frozenset()
    types: Mapping[str, str] = field(default=EMPTY, compare=False)
    files: tuple[str, ...] = ()


@final
@node
class Other:
    """Something of Heat's that makes no stack. `what`: what it is and why, in words."""

    path: str
    what: str


@functools.lru_cache(maxsize=1 << 14)
def same(names: Names) -> Names:
    """The first of all equal names, so that those of similar files take their memory once."""
    return names


Facts = TemplateFacts | EnvironmentFacts | Other


def of_module(path: str, data: bytes) -> Other | None:
    """What a Python module is."""
    if PLUGIN.search(data):
        return Other(path, "a plug-in for Heat's engine: it defines resource types, and is no template")
    return None


def may_matter(path: str, data: bytes) -> bool:
    """Whether a document must be parsed to know what it is."""
    return not path.endswith(JINJA_NAMES) and (marked(data) or may_be_environment(data))


def marked(data: bytes) -> bool:
    return any(mark in data for mark in MARKS)


def of_document(path: str, data: bytes) -> Facts | None:
    """What a document is; None if it is nothing of Heat's."""
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        text = data.decode("utf-16", "replace").encode()
        return unread(path, text, "it is UTF-16, and Heat reads UTF-8")
    if path.endswith(JINJA_NAMES) and JINJA.search(data):
        if marked(data):
            return Other(path, JINJA_SOURCE)
        if OWN_AT_LINE.search(data):
            return Other(path, "a Jinja2 source of an environment, which hot2tf does not render")
        return None
    if not marked(data) and not may_be_environment(data):
        return None
    try:
        source = from_bytes(data, path)
    except Unreadable as e:
        return unread(path, data, e.detail)
    return understand(path, data, source)


def refused(path: str, why: str, root: Node | None = None) -> TemplateFacts:
    """A template that is one by its version key, but cannot be read. Converting it says more. `root`: its document, if
    that can be read; the names in it still show what belongs together.
    """
    sections = dict(pairs(root))
    parameters = [name for word in ("parameters", "Parameters") for name, _ in pairs(sections.get(word))]
    resources = [one for word in ("resources", "Resources") for _, one in pairs(sections.get(word))]
    types = [value.value for one in resources for word, value in pairs(one) if word in ("type", "Type")]
    names = tuple(dict.fromkeys(name for name in types if isinstance(name, str)))
    return TemplateFacts(path, frozenset(parameters), names, tuple(filter(is_file, names)), why)


def may_be_environment(data: bytes) -> bool:
    """Whether a text could be an environment: it has a section of environments at its top level. Sections of foreign
    files are enough to refuse a text that has none of our own but `parameters`.
    """
    if not SECTION.search(data):
        return IN_BRACES.match(data) is not None and not foreign_json(data)
    words = {found.decode("utf-8", "replace").strip() for found in KEY.findall(data)}
    return bool(words & set(OWN)) or words <= set(environments.SECTIONS)


def foreign_json(data: bytes) -> bool:
    """Whether JSON has keys at its top level that make it foreign; a quick check before it is read with places."""
    try:
        found = json.loads(data)
    except (ValueError, RecursionError):
        return False
    return not isinstance(found, dict) or not (found.keys() & set(OWN) or found.keys() <= set(environments.SECTIONS))


def understand(path: str, data: bytes, source: Source) -> Facts | None:
    sink = Sink(source)
    try:
        root = documents.compose(sink, path, trimmed=True)
    except nodes.Unreadable:
        if claims(data) and any(d.code == "HOT111" for d in sink.found):
            return Other(path, f"a Jinja2 source: to render it, give it a name that ends with {JINJA_NAMES[1]}")
        return unread(path, data, first(sink))
    sections = dict(pairs(root))
    keys = set(sections)
    try:
        if not keys.isdisjoint(VERSION_KEYS):
            template = templates.of(sink, root, commented=False)
            return refused(path, first(sink), root) if template is None else template_facts(path, template)
        if HOMING in keys or HOMING in dict(pairs(sections.get("template"))):
            return Other(path, "a homing template: hot2tf home reads it, and it makes no stack")
        return environment(path, sink, root, keys)
    except (nodes.Unreadable, TooMany):
        return unread(path, data, first(sink)) if keys.isdisjoint(VERSION_KEYS) else refused(path, first(sink), root)


def claims(data: bytes) -> bool:
    """Whether a text that cannot be read has a version key at its top level, as far as one can see."""
    return AT_LINE.search(data) is not None or IN_JSON.match(data) is not None


def unread(path: str, data: bytes, why: str) -> Facts | None:
    """What a text is that cannot be read."""
    if claims(data):
        heat = any(key.encode() in data for key in VERSION_KEYS)
        return refused(path, why) if heat else Other(path, f"a homing template that cannot be read: {why}")
    if OWN_AT_LINE.search(data) or (SECTION.search(data) and named_environment(path)):
        return Other(path, f"an environment that cannot be read: {why}")
    return None


def named_environment(path: str) -> bool:
    """Whether a file has the name of an environment."""
    return path.endswith(".env") or NAME.search(stem(path)) is not None


def first(sink: Sink) -> str:
    """The first error, as a clause."""
    said = next((d.message for d in sink.found if d.severity == "error"), "it cannot be parsed")
    return said.rstrip(".")


def pairs(found: Node | None) -> Iterator[tuple[str, Node]]:
    """The keys and values of a map."""
    for key, value in found.value if isinstance(found, MappingNode) else ():
        if isinstance(key, ScalarNode):
            yield key.value, value


# templates


def template_facts(path: str, template: Template) -> TemplateFacts:
    types = dict.fromkeys(one.type for one in template.resources.values())
    files = dict.fromkeys(name for name, *_ in named_files(template))
    for one in template.resources.values():
        if one.properties is None:
            continue
        for kind, word in MEMBERS:
            if one.properties.get(word) is not None:
                types.update(dict.fromkeys(name for name, *_ in groups.members(one, kind)))
        if isinstance(found := groups.template_of(one), Lit) and isinstance(found.value, str):
            files[found.value] = None
    for parameter in template.parameters.values():
        if isinstance(default := parameter.default, Lit) and isinstance(default.value, str):
            types.update({default.value: None} if TYPE.fullmatch(default.value) else {})
    files.update(dict.fromkeys(kind for kind in types if is_file(kind)))
    return TemplateFacts(path, same(frozenset(template.parameters)), same(tuple(types)), same(tuple(files)))


# environments


def environment(path: str, sink: Sink, root: Node, keys: Iterable[str]) -> Facts | None:
    """The environment in a document, or why it is none although it looks like one."""
    keys = set(keys)
    own = keys & set(OWN)
    if not own and "parameters" not in keys:
        return None
    if strange := sorted(keys - set(environments.SECTIONS)):
        return Other(path, f"not an environment: environments have no section {strange[0]}") if own else None
    found = environments.of(sink, root)
    if found is None or not (own or gives_values(found, path)):
        return None
    return environment_facts(path, found)


def gives_values(found: Environment, path: str) -> bool:
    """Whether `parameters` has values. In pipelines, and in descriptions of interfaces, it has declarations. A file
    without values must have the name of an environment.
    """
    values = [entry.value for entry in found.parameters.values()]
    if not values:
        return named_environment(path)
    return not all(isinstance(v, Map) and any(e.key in DECLARED for e in v.entries) for v in values)


def environment_facts(path: str, found: Environment) -> EnvironmentFacts:
    types: dict[str, str] = {}
    files: dict[str, None] = {}
    for entry in found.registry.values():
        for name, value in named(entry):
            files[value] = None
            if name == entry.key:
                types.setdefault(name, value)
    given, defaults = same(frozenset(found.parameters)), same(frozenset(found.parameter_defaults))
    return EnvironmentFacts(path, given, defaults, types or EMPTY, same(tuple(files)))


def named(entry: Entry) -> Iterator[tuple[str, str]]:
    """What a registry's entry names, all candidates included."""
    todo: list[tuple[str, Expr]] = [(entry.key, entry.value)]
    while todo:
        key, value = todo.pop()
        if isinstance(value, Lit) and isinstance(value.value, str):
            yield key, value.value
        elif isinstance(value, Map):
            todo += [(f"{key}.{inner.key}", inner.value) for inner in reversed(value.entries)]
        elif isinstance(value, Seq):
            todo += [(key, item) for item in reversed(value.items)]


def stem(path: str) -> str:
    """A file's name without its endings."""
    name = os.path.basename(path)
    for ending in sorted(JINJA_NAMES, key=len, reverse=True):
        if name.endswith(ending):
            return name.removesuffix(ending)
    return os.path.splitext(name)[0]

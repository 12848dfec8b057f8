"""Classifies a file of a tree: a template, an environment, another file of Heat's, or none.

Invariant: a text is parsed at most once, and only if it contains words that only Heat's files have. The facts that are
kept of it are small, because a tree may have 100,000 templates.
"""

from __future__ import annotations

import functools
import os
import re
from typing import TYPE_CHECKING, TypeVar, final

from transpile import document_kinds
from transpile.diagnostics import codes
from transpile.diagnostics.model import Sink, TooMany
from transpile.front import documents, kinds, nodes
from transpile.front import environment as environments
from transpile.front import template as templates
from transpile.front.kinds import pairs
from transpile.model import heat_types
from transpile.model.ir import Entry, Lit, Map, Seq
from transpile.model.records import EMPTY, field, node
from transpile.resolve import groups
from transpile.resolve.nested_templates import named_files
from transpile.resolve.registry import is_file
from transpile.text.source import JINJA_NAMES, Unreadable, from_bytes

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from yaml.nodes import Node

    from transpile.model.ir import Environment, Expr, Template
    from transpile.model.source import Source

Names = TypeVar("Names", frozenset[str], tuple[str, ...])

JINJA_SOURCE = "a Jinja2 source: it makes a stack when there are values to render it"
PLUGIN = re.compile(
    rb"^[ \t]*(?:def[ \t]+(?:available_)?resource_mapping\b|(?:available_)?resource_mapping[ \t]*=)", re.M
)
JINJA = re.compile(documents.JINJA.encode())
TYPE = re.compile(r"\w+(?:::\w+)+")
MEMBERS = (*groups.GROUPS.items(), (heat_types.RESOURCE_CHAIN, "resources"))  # an alias may stand for a group


@final
@node
class TemplateFacts:
    """Facts of a template. `types`: all resource types, with those of members of groups and of defaults of parameters
    that look like types; `files`: names of files that may be nested templates; `problem`: why it cannot be read, empty
    if it can.
    """

    path: str
    parameters: frozenset[str] = frozenset()
    types: tuple[str, ...] = ()
    files: tuple[str, ...] = ()
    problem: str = ""


@final
@node
class EnvironmentFacts:
    """Facts of an environment. `types`: the registry, from name to type or file; `files`: all values in the registry,
    also those for single resources.
    """

    path: str
    parameters: frozenset[str] = frozenset()
    defaults: frozenset[str] = frozenset()
    types: Mapping[str, str] = field(default=EMPTY, compare=False)
    files: tuple[str, ...] = ()


@final
@node
class Other:
    """A file of Heat's that makes no stack. `what`: a clause that says what it is, and why it makes none."""

    path: str
    what: str


@functools.lru_cache(maxsize=1 << 14)
def same(names: Names) -> Names:
    """One object for all equal sets of names, so that similar files share the memory."""
    return names


Facts = TemplateFacts | EnvironmentFacts | Other


def of_module(path: str, data: bytes) -> Other | None:
    """A Python module that is a plug-in of Heat; None for others."""
    if PLUGIN.search(data):
        return Other(path, "a plug-in for Heat's engine: it defines resource types, and is no template")
    return None


def may_matter(path: str, data: bytes) -> bool:
    """Whether a document must be parsed to know what it is."""
    return not path.endswith(JINJA_NAMES) and kinds.may_be(path, data)


def of_document(path: str, data: bytes) -> Facts | None:
    """The facts about a document; None if it is not Heat's."""
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        text = data.decode("utf-16", "replace").encode()
        return unread(path, text, "it is UTF-16, and Heat reads UTF-8")
    if path.endswith(JINJA_NAMES) and JINJA.search(data):
        if kinds.marked(data):
            return Other(path, JINJA_SOURCE)
        if kinds.OWN_AT_LINE.search(data):
            return Other(path, "a Jinja2 source of an environment, which hot2tf does not render")
        return None
    if not kinds.may_be(path, data):
        return None
    try:
        source = from_bytes(data, path)
    except Unreadable as e:
        return unread(path, data, e.detail)
    return understand(path, data, source)


def refused(path: str, why: str, root: Node | None = None) -> TemplateFacts:
    """The facts of a template that has a version key but cannot be read; a conversion reports the details. `root`: its
    YAML tree, if there is one: the names in it still say which files belong together.
    """
    sections = dict(pairs(root))
    parameters = [name for word in ("parameters", "Parameters") for name, _ in pairs(sections.get(word))]
    resources = [one for word in ("resources", "Resources") for _, one in pairs(sections.get(word))]
    types = [value.value for one in resources for word, value in pairs(one) if word in ("type", "Type")]
    names = tuple(dict.fromkeys(name for name in types if isinstance(name, str)))
    return TemplateFacts(path, frozenset(parameters), names, tuple(filter(is_file, names)), why)


def understand(path: str, data: bytes, source: Source) -> Facts | None:
    sink = Sink(source)
    try:
        root = documents.compose(sink, path, trimmed=True)
    except nodes.Unreadable:
        if kinds.claims(data) and any(d.code == codes.JINJA_NOT_RENDERED for d in sink.found):
            return Other(path, f"a Jinja2 source: to render it, give it a name that ends with {JINJA_NAMES[1]}")
        return unread(path, data, first(sink))
    sections = dict(pairs(root))
    kind = kinds.of_document(path, sections)
    try:
        if kind == kinds.TEMPLATE:
            template = templates.of(sink, root, commented=False)
            return refused(path, first(sink), root) if template is None else template_facts(path, template)
        if kind in (kinds.ENVIRONMENT, kinds.FOREIGN):
            return environment(path, sink, root, sections) if kind == kinds.ENVIRONMENT else None
        other = document_kinds.find_kind(kind)
        return Other(path, f"{other.article}: {other.purpose}")
    except (nodes.Unreadable, TooMany):
        return refused(path, first(sink), root) if kind == kinds.TEMPLATE else unread(path, data, first(sink))


def unread(path: str, data: bytes, why: str) -> Facts | None:
    """The facts about a text that cannot be parsed, by the words in it; None if it is not Heat's."""
    kind = kinds.unread(path, data)
    if kind == kinds.TEMPLATE:
        return refused(path, why)
    if kind == kinds.FOREIGN:
        return None
    what = "an environment" if kind == kinds.ENVIRONMENT else document_kinds.find_kind(kind).article
    return Other(path, f"{what} that cannot be read: {why}")


def first(sink: Sink) -> str:
    """The first error, without its full stop."""
    said = next((d.message for d in sink.found if d.severity == "error"), "it cannot be parsed")
    return said.rstrip(".")


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
    """The facts of an environment, or an OtherFile that names a section which environments do not have."""
    if strange := sorted(set(keys) - set(environments.SECTIONS)):
        return Other(path, f"not an environment: environments have no section {strange[0]}")
    found = environments.of(sink, root)
    return environment_facts(path, found) if found is not None else None


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
    """The names and values in an entry of a registry; nested names have dots: `resources.server.My::Server`."""
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

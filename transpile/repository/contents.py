"""Classifies a file of a tree: a template, an environment, another file of Heat's, or none.

Invariant: a text is parsed at most once, and only if it contains words that only Heat's files have. The facts that are
kept of it are small, because a tree may have 100,000 templates.
"""

from __future__ import annotations

import functools
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, TypeVar, final

from transpile import document_kinds
from transpile.diagnostics import codes
from transpile.diagnostics.model import Sink, TooManyErrors
from transpile.front import amazon, documents, kinds, nodes
from transpile.front import environment as environments
from transpile.front import template as templates
from transpile.front.kinds import node_pairs
from transpile.model import heat_types
from transpile.model.budget import Budget
from transpile.model.ir import Entry, Environment, Expr, Lit, Map, Resource, Seq, Template
from transpile.model.lazy_patterns import compile_lazily
from transpile.model.records import EMPTY, field, node
from transpile.model.source import Source
from transpile.resolve import groups
from transpile.resolve.nested_templates import named_files
from transpile.resolve.registry import is_file
from transpile.text.source import JINJA_NAMES, UnreadableFile, from_bytes

if TYPE_CHECKING:
    from yaml.nodes import Node


Names = TypeVar("Names", frozenset[str], tuple[str, ...])

JINJA_SOURCE = "a Jinja2 source: it makes a stack when there are values to render it"
AMAZON = "not Heat's, but a template of Amazon CloudFormation"
PLUGIN = re.compile(
    rb"^[ \t]*(?:def[ \t]+(?:available_)?resource_mapping\b|(?:available_)?resource_mapping[ \t]*=)", re.M
)
JINJA = re.compile(documents.JINJA.encode())
TYPE = compile_lazily(r"\w+(?:::\w+)+")
NUMBER, FAMILY = compile_lazily(r"\d+"), 3  # so many copies or more are one family
MEMBERS = (*groups.GROUPS.items(), (heat_types.RESOURCE_CHAIN, "resources"))  # an alias may stand for a group


@final
@node
class TemplateFacts:
    """Facts of a template. `types`: all resource types, with those of members of groups and of defaults of parameters
    that look like types; `files`: names of files that may be nested templates; `problem`: why it cannot be read, empty
    if it can; `copies`: how many resources are numbered copies, such as port_1, port_2 and port_3; `hidden`: parameters
    with hidden values.
    """

    path: str
    parameters: frozenset[str] = frozenset()
    types: tuple[str, ...] = ()
    files: tuple[str, ...] = ()
    problem: str = ""
    copies: int = 0
    hidden: frozenset[str] = frozenset()


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
class OtherFile:
    """A file of Heat's that makes no stack. `what`: a clause with its kind, and the reason why it makes none."""

    path: str
    what: str


@functools.lru_cache(maxsize=1 << 14)
def intern_names(names: Names) -> Names:
    """One object for all equal sets of names, so that similar files share the memory."""
    return names


Facts = TemplateFacts | EnvironmentFacts | OtherFile


def classify_module(path: str, data: bytes) -> OtherFile | None:
    """A Python module that is a plug-in of Heat; None for others."""
    if PLUGIN.search(data):
        return OtherFile(path, "a plug-in for Heat's engine: it defines resource types, and is no template")
    return None


def may_matter(path: str, data: bytes) -> bool:
    """Whether a document must be parsed to know its kind."""
    return not path.endswith(JINJA_NAMES) and kinds.may_be_heat_document(path, data)


def classify_document(path: str, data: bytes) -> Facts | None:
    """The facts about a document; None if it is not Heat's."""
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        text = data.decode("utf-16", "replace").encode()
        return classify_unreadable(path, text, "it is UTF-16, and Heat reads UTF-8")
    if path.endswith(JINJA_NAMES) and JINJA.search(data):
        if kinds.mentions_version_key(data):
            return OtherFile(path, JINJA_SOURCE)
        if kinds.OWN_AT_LINE.search(data):
            return OtherFile(path, "a Jinja2 source of an environment, which hot2tf does not render")
        return None
    if not kinds.may_be_heat_document(path, data):
        return None
    try:
        source = from_bytes(data, path, Budget())
    except UnreadableFile as e:
        return classify_unreadable(path, data, e.detail)
    return parse_document(path, data, source)


def make_refused_facts(path: str, why: str, root: Node | None = None) -> TemplateFacts:
    """The facts of a template that has a version key but cannot be read; a conversion reports the details. `root`: its
    YAML tree, if there is one: the names in it still say which files belong together.
    """
    sections = dict(node_pairs(root))
    parameters = [name for word in ("parameters", "Parameters") for name, _ in node_pairs(sections.get(word))]
    resources = [resource for word in ("resources", "Resources") for _, resource in node_pairs(sections.get(word))]
    types = [value.value for resource in resources for word, value in node_pairs(resource) if word in ("type", "Type")]
    names = tuple(dict.fromkeys(name for name in types if isinstance(name, str)))
    return TemplateFacts(path, frozenset(parameters), names, tuple(filter(is_file, names)), why)


def parse_document(path: str, data: bytes, source: Source) -> Facts | None:
    sink = Sink(source)
    try:
        root = documents.compose_document(sink, path, trimmed=True)
    except nodes.UnreadableDocument:
        if kinds.declares_version_key(data) and any(d.code == codes.JINJA_NOT_RENDERED for d in sink.diagnostics):
            if nodes.GO_STATEMENT.search(source.text):
                return OtherFile(path, "a source of Go's template language, which hot2tf does not render")
            return OtherFile(path, f"a Jinja2 source: to render it, give it a name that ends with {JINJA_NAMES[0]}")
        return classify_unreadable(path, data, first_error(sink))
    sections = dict(node_pairs(root))
    kind = kinds.kind_of_document(path, sections)
    try:
        if kind == kinds.TEMPLATE:
            if feature := amazon.find_amazon_feature(root):
                return OtherFile(path, f"{AMAZON}: it has {feature}")
            template = templates.read_template_document(sink, root, commented=False)
            return (
                make_refused_facts(path, first_error(sink), root)
                if template is None
                else extract_template_facts(path, template)
            )
        if kind in (kinds.ENVIRONMENT, kinds.FOREIGN):
            return read_environment_facts(path, sink, root, sections) if kind == kinds.ENVIRONMENT else None
        other = document_kinds.find_kind(kind)
        return OtherFile(path, f"{other.article}: {other.purpose}")
    except (nodes.UnreadableDocument, TooManyErrors):
        return (
            make_refused_facts(path, first_error(sink), root)
            if kind == kinds.TEMPLATE
            else classify_unreadable(path, data, first_error(sink))
        )


def classify_unreadable(path: str, data: bytes, why: str) -> Facts | None:
    """The facts about a text that cannot be parsed, by the words in it; None if it is not Heat's."""
    kind = kinds.kind_of_unreadable_text(path, data)
    if kind == kinds.TEMPLATE:
        return make_refused_facts(path, why)
    if kind == kinds.FOREIGN:
        return None
    noun = "an environment" if kind == kinds.ENVIRONMENT else document_kinds.find_kind(kind).article
    return OtherFile(path, f"{noun} that cannot be read: {why}")


def first_error(sink: Sink) -> str:
    """The first error, without its full stop."""
    message = next((d.message for d in sink.diagnostics if d.severity == "error"), "it cannot be parsed")
    return message.rstrip(".")


# templates


def extract_template_facts(path: str, template: Template) -> TemplateFacts:
    types = dict.fromkeys(resource.type for resource in template.resources.values())
    files = dict.fromkeys(name for name, *_ in named_files(template))
    for resource in template.resources.values():
        for kind, word in MEMBERS:
            if resource.properties.get(word):
                types.update(dict.fromkeys(name for name, *_ in groups.member_types(resource, kind)))
        if isinstance(member_template := groups.find_stack_template(resource), Lit) and isinstance(
            member_template.value, str
        ):
            files[member_template.value] = None
    for parameter in template.parameters.values():
        if isinstance(default := parameter.default, Lit) and isinstance(default.value, str):
            types.update({default.value: None} if TYPE.fullmatch(default.value) else {})
    files.update(dict.fromkeys(kind for kind in types if is_file(kind)))
    return TemplateFacts(
        path,
        intern_names(frozenset(template.parameters)),
        intern_names(tuple(types)),
        intern_names(tuple(files)),
        copies=count_copies(template.resources.values()),
        hidden=intern_names(frozenset(name for name, param in template.parameters.items() if param.hidden)),
    )


def count_copies(resources: Iterable[Resource]) -> int:
    """How many resources have the type of two others whose names differ only in numbers."""
    families = Counter((resource.type, NUMBER.sub("#", resource.name)) for resource in resources)
    return sum(number for (_, name), number in families.items() if "#" in name and number >= FAMILY)


# environments


def read_environment_facts(path: str, sink: Sink, root: Node, keys: Iterable[str]) -> Facts | None:
    """The facts of an environment, or an OtherFile that names a section which environments do not have."""
    if strange := sorted(set(keys) - set(environments.SECTIONS)):
        return OtherFile(path, f"not an environment: environments have no section {strange[0]}")
    environment = environments.read_environment_document(sink, root)
    return extract_environment_facts(path, environment) if environment is not None else None


def extract_environment_facts(path: str, environment: Environment) -> EnvironmentFacts:
    types: dict[str, str] = {}
    files: dict[str, None] = {}
    for entry in environment.registry.values():
        for name, value in list_registry_names(entry):
            files[value] = None
            if name == entry.key:
                types.setdefault(name, value)
    parameters, defaults = (
        intern_names(frozenset(environment.parameters)),
        intern_names(frozenset(environment.parameter_defaults)),
    )
    return EnvironmentFacts(path, parameters, defaults, types or EMPTY, intern_names(tuple(files)))


def list_registry_names(entry: Entry) -> Iterator[tuple[str, str]]:
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

"""Text to `Template`, for HOT and both CFN-era formats.

Invariant: sections and keys are looked up by the dialect's names and stored under HOT's. A key that Heat refuses is an
error; one that it ignores is kept in `ignored`. Reading continues after an error, so that all errors are reported.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, final

from yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode

from transpile.diagnostics import codes
from transpile.diagnostics.model import Sink, TooMany
from transpile.diagnostics.spelling import guess
from transpile.front import claims, documents, nodes
from transpile.front.expressions import Expressions, plain_data
from transpile.front.nodes import span_of
from transpile.front.parameters import Parameters
from transpile.model.intrinsics import DATES, RELEASES, VERSION_KEYS, VERSIONS, Version, find
from transpile.model.ir import (
    Comment,
    Condition,
    Entry,
    ErrorNode,
    Expr,
    Lit,
    Map,
    Name,
    Output,
    Param,
    ParameterGroup,
    Resource,
    Seq,
    Template,
)
from transpile.model.source import Source
from transpile.model.span import Span

if TYPE_CHECKING:
    from collections.abc import Mapping

POLICIES = ("Delete", "Retain", "Snapshot")


def read(source: Source, *, commented: bool = True) -> tuple[Template | None, Sink]:
    """The template in a text (None if it is unreadable) and its diagnostics. `commented`: with its comments."""
    sink = Sink(source)
    try:
        return of(sink, documents.compose(sink, source.name, trimmed=True), commented=commented), sink
    except nodes.Unreadable:
        return None, sink


def of(sink: Sink, root: Node, *, commented: bool = True) -> Template | None:
    """The template in a document. `commented`: with its comments. Raises UnreadableDocument; the sink says why."""
    version = _version(sink, root)
    return _Reader(sink, version, root).template(commented=commented) if version else None


def _version(sink: Sink, root: Node) -> Version | None:
    if not isinstance(root, MappingNode):
        span = span_of(root)
        sink.say(codes.NOT_A_TEMPLATE, "This is not a template: its top level must be a map.", span)
        return None
    found = [(key, value) for key, value in root.value if isinstance(key, ScalarNode) and key.value in VERSION_KEYS]
    if not found:
        names = {key.value for key, _ in root.value if isinstance(key, ScalarNode)}
        if names and names <= {
            "parameters",
            "parameter_defaults",
            "resource_registry",
            "encrypted_param_names",
            "event_sinks",
            "parameter_merge_strategies",
            "requires",
        }:
            sink.say(
                codes.ENVIRONMENT_NOT_TEMPLATE,
                "This is an environment, not a template.",
                hint="Pass it with -e, together with its template.",
            )
        else:
            sink.say(
                codes.NOT_A_TEMPLATE,
                "This is not a template: it has neither heat_template_version nor AWSTemplateFormatVersion.",
            )
        return None
    key, value = found[-1]
    span = span_of(value)
    if len({k.value for k, _ in found}) > 1:
        sink.say(codes.TWO_VERSION_KEYS, "The template has two version keys.", span_of(found[1][0]))
        return None
    known = (
        find(key.value, value.value)
        if isinstance(value, ScalarNode) and value.tag in (nodes.STR, nodes.TIMESTAMP)
        else None
    )
    if known is None:
        names_ = [name for k, name in VERSIONS if k == key.value]
        text = value.value if isinstance(value, ScalarNode) else "this"
        hint = (
            guess(text, names_)
            or f"The versions are {', '.join(sorted({*DATES, *RELEASES}) if key.value == VERSION_KEYS[0] else names_)}."
        )
        sink.say(codes.UNKNOWN_TEMPLATE_VERSION, f"Unknown version {text}.", span, hint)
    return known


def capabilities(source: Source) -> tuple[Mapping[str, Entry] | None, Sink]:
    """The capabilities that a template declares, with their diagnostics; None if the text is not a template. The rest
    of the template is not checked.
    """
    sink, all_ = Sink(source), Sink(source)
    try:
        root = documents.compose(sink, source.name, trimmed=True)
        if (version := _version(sink, root)) is None:
            return None, sink
        found = _Reader(all_, version, root).capabilities()
    except (nodes.Unreadable, TooMany):
        return None, sink
    sink.found += [d for d in all_.found if d.code == codes.MALFORMED_CAPABILITIES]
    return found, sink


@final
class _Reader:
    """Reads the sections of one document."""

    def __init__(self, sink: Sink, version: Version, root: Node) -> None:
        self.sink, self.version, self.root, self.dialect = sink, version, root, version.dialect
        assert isinstance(root, MappingNode)
        self.sections: dict[str, Node] = {}
        self.places: dict[str, int] = {}
        self.reader = Expressions(sink, version, frozenset())
        for word, key, value in self.reader.pairs(root):
            self.section(word, key, value)
        resources = self.sections.get("resources")
        if isinstance(resources, MappingNode):
            self.reader.resources = frozenset(k.value for k, _ in resources.value if isinstance(k, ScalarNode))

    def section(self, word: str, key: Node, value: Node) -> None:
        span = span_of(key)
        if word == self.version.key:
            self.places["version"] = span.at
            return
        meaning = self.dialect.sections.get(word)
        if meaning is None:
            hint = guess(word, self.dialect.sections) or f"The sections are {', '.join(self.dialect.sections)}."
            self.sink.say(codes.UNKNOWN_SECTION, f"Version {self.version.name} has no section {word}.", span, hint)
            return
        self.sections[meaning], self.places[meaning] = value, span.at

    def template(self, *, commented: bool) -> Template:
        parameters = Parameters(self.reader)
        params: dict[str, Param] = {}
        for name, key, value in self.named("parameters"):
            if (param := parameters.read(name, key, value)) is not None:
                params[name] = param
        return Template(
            version=self.version,
            source=self.sink.source or Source("", ""),
            description=self.text("description"),
            parameter_groups=self.groups(),
            parameters=params,
            mappings=self.mappings(),
            conditions={name: self.condition(name, key, value) for name, key, value in self.named("conditions")},
            resources={
                r.name: r
                for name, key, value in self.named("resources")
                if (r := self.resource(name, key, value)) is not None
            },
            outputs={
                o.name: o
                for name, key, value in self.named("outputs")
                if (o := self.output(name, key, value)) is not None
            },
            capabilities=self.capabilities(),
            guarded=self.reader.guarded,
            comments=self.comments() if commented else (),
            sections=self.places,
            calls=tuple(self.reader.calls),
            deferred=tuple(self.reader.deferred),
        )

    def comments(self) -> tuple[Comment, ...]:
        from transpile.front import comments  # imported late, because most commands ignore comments

        return comments.read(self.sink.source.text, self.root) if self.sink.source else ()

    def named(self, section: str) -> list[tuple[str, Node, Node]]:
        """The declarations of a section; an empty or null section has none."""
        node = self.sections.get(section)
        if node is None or (isinstance(node, ScalarNode) and node.tag == nodes.NULL):
            return []
        if not isinstance(node, MappingNode):
            empty = isinstance(node, SequenceNode) and not node.value
            if not empty:
                self.sink.say(
                    codes.WRONG_DECLARATION_TYPE,
                    f"The section {self.dialect.spell(section)} must be a map.",
                    span_of(node),
                )
            return []
        return self.reader.pairs(node)

    def text(self, section: str) -> str | None:
        node = self.sections.get(section)
        value = self.reader.plain_data(node) if node is not None else None
        return None if value is None else str(value)

    def groups(self) -> tuple[ParameterGroup, ...]:
        node = self.sections.get("parameter_groups")
        if node is None or (isinstance(node, ScalarNode) and node.tag == nodes.NULL):
            return ()
        if isinstance(node, MappingNode) and not node.value:
            return ()
        if not isinstance(node, SequenceNode):
            self.sink.say(codes.WRONG_DECLARATION_TYPE, "The section parameter_groups must be a list.", span_of(node))
            return ()
        out = []
        for item in node.value:
            span = span_of(item)
            given = (
                {word: self.reader.plain(value) for word, _, value in self.reader.pairs(item)}
                if isinstance(item, MappingNode)
                else {}
            )
            members = given.get("parameters")
            if not isinstance(members, Seq):
                self.sink.say(
                    codes.WRONG_DECLARATION_TYPE, "A parameter group must be a map with a list of parameters.", span
                )
                continue
            names = tuple(str(m.value if isinstance(m, Lit) else plain_data(m)) for m in members.items)
            label, description = (
                None if (v := plain_data(given.get(k))) is None else str(v) for k in ("label", "description")
            )
            out.append(ParameterGroup(label, description, names, span))
        return tuple(out)

    def capabilities(self) -> dict[str, Entry]:
        node = self.sections.get("capabilities")
        given = None if node is None else self.reader.plain(node)
        if given is None or given == Lit(None):
            return {}
        if not isinstance(given, Map):
            self.sink.say(codes.MALFORMED_CAPABILITIES, "The section capabilities must be a map.", given)
            return {}
        return claims.entries(self.sink, given, "A capability")

    def mappings(self) -> dict[str, Map]:
        out = {}
        for name, _, value in self.named("mappings"):
            found = self.reader.plain(value)
            if isinstance(found, Map):
                out[name] = found
            else:
                self.sink.say(codes.WRONG_DECLARATION_TYPE, f"The mapping {name} must be a map.", found)
        return out

    def condition(self, name: str, key: Node, node: Node) -> Condition:
        self.reader.refs = []
        value = self.reader.condition(node)
        if (
            not isinstance(node, MappingNode)
            and not (isinstance(value, Lit) and isinstance(value.value, bool))
            and not isinstance(value, ErrorNode)
        ):
            value = self.reader.error(
                codes.NOT_A_CONDITION, f"Condition {name} must be a boolean or a function that returns one.", node
            )
        return Condition(name, value, tuple(self.reader.refs), Span(key.start_mark.index, node.end_mark.index))

    def described(
        self, kind: str, name: str, node: Node, words: Mapping[str, str]
    ) -> dict[str, tuple[str, Node, Node]] | None:
        """The keys of a resource or output by HOT's names, each as spelled, with its node and the node of its value. A
        key that Heat ignores is under `?` and its own name.
        """
        if not isinstance(node, MappingNode):
            self.sink.say(codes.WRONG_DECLARATION_TYPE, f"{kind} {name} must be a map.", span_of(node))
            return None
        out: dict[str, tuple[str, Node, Node]] = {}
        for word, key, value in self.reader.pairs(node):
            meaning = words.get(word)
            if meaning is None and (self.dialect.strict or kind == "Output"):
                hint = self.sink.guess(word, words) or f"The keys are {', '.join(words)}."
                lenient = "" if kind == "Resource" else "warning"  # Heat ignores unknown keys of outputs
                self.sink.say(codes.UNKNOWN_KEY, f"{kind} {name} has no key {word}.", span_of(key), hint, lenient)
            out[meaning or f"?{word}"] = (word, key, value)
        return out

    def resource(self, name: str, key: Node, node: Node) -> Resource | None:
        span = Span(key.start_mark.index, node.end_mark.index)
        if "/" in name:
            self.sink.say(
                codes.INVALID_RESOURCE_NAME, f"The name of a resource cannot contain a slash: {name}.", span_of(key)
            )
        given = self.described("Resource", name, node, self.dialect.resource)
        if given is None:
            return None
        if "type" not in given:
            self.sink.say(codes.MISSING_KEY, f"Resource {name} has no {self.word('type')}.", span_of(key))
            return None
        kind = given["type"][2]
        if not isinstance(kind, ScalarNode) or kind.tag not in (nodes.STR, nodes.TIMESTAMP) or not kind.value:
            self.sink.say(
                codes.INVALID_KEY_VALUE, f"The {self.word('type')} of resource {name} must be a string.", span_of(kind)
            )
            return None
        reader = self.reader
        reader.refs = []
        properties = reader.value(given["properties"][2]) if "properties" in given else None
        if properties is not None and not isinstance(properties, (Map, ErrorNode)):
            self.sink.say(codes.WRONG_DECLARATION_TYPE, f"The properties of resource {name} must be a map.", properties)
        metadata = reader.value(given["metadata"][2]) if "metadata" in given else None
        update_policy = reader.value(given["update_policy"][2]) if "update_policy" in given else None
        for word, part in (("metadata", metadata), ("update_policy", update_policy)):
            if isinstance(part, (Lit, Seq)) or (
                word == "update_policy" and not isinstance(part, (Map, ErrorNode, type(None)))
            ):
                message = f"The {self.word(word)} of resource {name} must be a map."
                self.sink.say(codes.WRONG_DECLARATION_TYPE, message, part)
        external_id = reader.value(given["external_id"][2]) if "external_id" in given else None
        deletion_policy = (
            self.policy(name, reader.value(given["deletion_policy"][2])) if "deletion_policy" in given else None
        )
        condition = reader.condition(given["condition"][2]) if "condition" in given else None
        return Resource(
            name,
            kind.value,
            properties if isinstance(properties, Map) else None,
            metadata,
            self.depends_on(name, given["depends_on"][2]) if "depends_on" in given else (),
            update_policy,
            deletion_policy,
            external_id,
            condition,
            self.description("Resource", name, given),
            () if self.dialect.strict else self.ignored(given),
            {word: key.start_mark.index for word, key, _ in given.values()},
            tuple(reader.refs),
            span,
            kind.start_mark.index,
        )

    def word(self, meaning: str) -> str:
        return next(w for w, m in self.dialect.resource.items() if m == meaning)

    def description(self, kind: str, name: str, given: dict[str, tuple[str, Node, Node]]) -> str | None:
        if "description" not in given:
            return None
        value = self.reader.plain_data(given["description"][2])
        if self.version.hot and kind == "Resource" and not isinstance(value, str):
            place = given["description"][2]
            self.sink.say(
                codes.INVALID_KEY_VALUE, f"The description of resource {name} must be a string.", span_of(place)
            )
        return None if value is None else str(value)

    def policy(self, name: str, value: Expr) -> Expr | None:
        if isinstance(value, Lit) and isinstance(value.value, str):
            lower = self.version.since("2016-10-14")
            found = next((p for p in POLICIES if value.value == p or (lower and value.value == p.lower())), None)
            if found:
                return Lit(found, value.span)
            hint = guess(value.value, POLICIES) or f"The policies are {', '.join(POLICIES)}."
            self.sink.say(
                codes.INVALID_KEY_VALUE, f"Resource {name} has an unknown deletion policy, {value.value}.", value, hint
            )
        elif not isinstance(value, (Lit, Seq, Map)):
            return value
        else:
            self.sink.say(
                codes.INVALID_KEY_VALUE,
                f"The deletion policy of resource {name} must be a string.",
                value,
                f"The policies are {', '.join(POLICIES)}.",
            )
        return None

    def depends_on(self, name: str, node: Node) -> tuple[Name, ...]:
        items = node.value if isinstance(node, SequenceNode) else [node]
        out = []
        for item in items:
            if isinstance(item, ScalarNode) and item.tag in (nodes.STR, nodes.TIMESTAMP):
                out.append(Name(item.value, span_of(item)))
            else:
                self.sink.say(
                    codes.INVALID_KEY_VALUE,
                    f"{self.word('depends_on')} of resource {name} must be the name of a resource or a list of names.",
                    span_of(item),
                )
        return tuple(out)

    def output(self, name: str, key: Node, node: Node) -> Output | None:
        span = Span(key.start_mark.index, node.end_mark.index)
        given = self.described("Output", name, node, self.dialect.output)
        if given is None:
            return None
        if "value" not in given:
            self.sink.say(codes.MISSING_KEY, f"Output {name} has no value.", span_of(key))
            return None
        reader = self.reader
        reader.refs = []
        value = reader.value(given["value"][2])
        condition = reader.condition(given["condition"][2]) if "condition" in given else None
        return Output(
            name,
            value,
            self.description("Output", name, given),
            condition,
            self.ignored(given),
            {word: key.start_mark.index for word, key, _ in given.values()},
            tuple(reader.refs),
            span,
        )

    def ignored(self, given: Mapping[str, tuple[str, Node, Node]]) -> tuple[Entry, ...]:
        """The keys that Heat ignores, with their values."""
        return tuple(
            Entry(word[1:], self.reader.plain(value), key.start_mark.index)
            for word, (_, key, value) in given.items()
            if word[0] == "?"
        )

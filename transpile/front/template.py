"""Text to `Template`, for HOT and both CFN-era formats.

Invariant: sections and keys are looked up by the dialect's names and stored under HOT's. A key that Heat refuses is an
error; one that it ignores is kept in `ignored`. Reading continues after an error, so that all errors are reported.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import final

from yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode

from transpile import registrations
from transpile.diagnostics import codes
from transpile.diagnostics.model import Sink, TooManyErrors
from transpile.diagnostics.spelling import guess_name
from transpile.front import claims, documents, nodes
from transpile.front.expressions import ExpressionReader, to_data_or_none
from transpile.front.foreign import name_foreign_document, name_foreign_text, refuse_foreign
from transpile.front.literal_parameters import replace_literals
from transpile.front.nodes import span_of
from transpile.front.parameters import ParameterReader
from transpile.model.intrinsics import DATES, RELEASES, VERSION_KEYS, VERSIONS, Version, find_template_version
from transpile.model.ir import (
    ALWAYS,
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
    as_map,
)
from transpile.model.records import EMPTY
from transpile.model.source import Source
from transpile.model.span import Span

POLICIES = ("Delete", "Retain", "Snapshot")
# sections that no other kind of document has
HEAT_SECTIONS = frozenset(
    ("resources", "outputs", "conditions", "parameter_groups", "Resources", "Outputs", "Conditions", "Parameters")
)


def read_template(
    source: Source, *, commented: bool = True, variables: Mapping[str, tuple[str, str]] = EMPTY
) -> tuple[Template | None, Sink]:
    """The template in a text (None if it is unreadable) and its diagnostics. `commented`: with its comments.
    `variables`: parameters in the place of literals, as for `replace_literals`.
    """
    sink = Sink(source)
    try:
        root = documents.compose_document(sink, source.name, trimmed=True)
        replace_literals(root, variables)
        return read_template_document(sink, root, commented=commented), sink
    except nodes.UnreadableDocument:
        return None, sink


def read_template_document(sink: Sink, root: Node, *, commented: bool = True) -> Template | None:
    """The template in a document. `commented`: with its comments. Raises UnreadableDocument; the sink says why."""
    version = _read_version(sink, root)
    return _TemplateReader(sink, version, root).build_template(commented=commented) if version else None


def _read_version(sink: Sink, root: Node) -> Version | None:
    if not isinstance(root, MappingNode):
        foreign = name_foreign_document(root) or name_foreign_text(sink.source.text)
        if foreign:
            refuse_foreign(sink, foreign, span_of(root))
        else:
            sink.add(codes.NOT_A_TEMPLATE, "This is not a template: its top level must be a map.", span_of(root))
        return None
    version_pairs = [
        (key, value) for key, value in root.value if isinstance(key, ScalarNode) and key.value in VERSION_KEYS
    ]
    if not version_pairs:
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
            sink.add(
                codes.ENVIRONMENT_NOT_TEMPLATE,
                "This is an environment, not a template.",
                hint="Pass it with -e, together with its template.",
            )
        elif foreign := name_foreign_document(root):
            refuse_foreign(sink, foreign)
        elif names & HEAT_SECTIONS or not names:
            sink.add(
                codes.NOT_A_TEMPLATE,
                "This is not a template: it has neither heat_template_version nor AWSTemplateFormatVersion.",
            )
        else:
            keys = ", ".join((*VERSION_KEYS, *registrations.registered(registrations.DOCUMENTS)))
            sink.add(
                codes.NOT_A_TEMPLATE,
                f"This is not a template: it has no version, the key for the kind of document ({keys}).",
                hint="Begin it with the key of its kind, and a version.",
            )
        return None
    key, value = version_pairs[-1]
    span = span_of(value)
    if len({k.value for k, _ in version_pairs}) > 1:
        sink.add(codes.TWO_VERSION_KEYS, "The template has two version keys.", span_of(version_pairs[1][0]))
        return None
    version = (
        find_template_version(key.value, value.value)
        if isinstance(value, ScalarNode) and value.tag in (nodes.STR, nodes.TIMESTAMP)
        else None
    )
    if version is None:
        names_ = [name for k, name in VERSIONS if k == key.value]
        text = value.value if isinstance(value, ScalarNode) else "this"
        hint = (
            guess_name(text, names_)
            or f"The versions are {', '.join(sorted({*DATES, *RELEASES}) if key.value == VERSION_KEYS[0] else names_)}."
        )
        sink.add(codes.UNKNOWN_TEMPLATE_VERSION, f"Unknown version {text}.", span, hint)
    return version


def read_capabilities(source: Source) -> tuple[Mapping[str, Entry] | None, Sink]:
    """The capabilities that a template declares, with their diagnostics; None if the text is not a template. The rest
    of the template is not checked.
    """
    sink, unused_sink = Sink(source), Sink(source)
    try:
        root = documents.compose_document(sink, source.name, trimmed=True)
        if (version := _read_version(sink, root)) is None:
            return None, sink
        capabilities = _TemplateReader(unused_sink, version, root).read_capabilities()
    except (nodes.UnreadableDocument, TooManyErrors):
        return None, sink
    sink.diagnostics += [d for d in unused_sink.diagnostics if d.code == codes.MALFORMED_CAPABILITIES]
    return capabilities, sink


@final
class _TemplateReader:
    """Reads the sections of one document."""

    def __init__(self, sink: Sink, version: Version, root: Node) -> None:
        self.sink, self.version, self.root, self.dialect = sink, version, root, version.dialect
        assert isinstance(root, MappingNode)
        self.sections: dict[str, Node] = {}
        self.places: dict[str, int] = {}
        self.reader = ExpressionReader(sink, version, frozenset())
        for word, key, value in self.reader.read_pairs(root):
            self.add_section(word, key, value)
        resources = self.sections.get("resources")
        if isinstance(resources, MappingNode):
            self.reader.resources = frozenset(k.value for k, _ in resources.value if isinstance(k, ScalarNode))

    def add_section(self, word: str, key: Node, value: Node) -> None:
        span = span_of(key)
        if word == self.version.key:
            self.places["version"] = span.at
            return
        meaning = self.dialect.sections.get(word)
        if meaning is None:
            hint = guess_name(word, self.dialect.sections) or f"The sections are {', '.join(self.dialect.sections)}."
            self.sink.add(codes.UNKNOWN_SECTION, f"Version {self.version.name} has no section {word}.", span, hint)
            return
        self.sections[meaning], self.places[meaning] = value, span.at

    def build_template(self, *, commented: bool) -> Template:
        parameters = ParameterReader(self.reader)
        params: dict[str, Param] = {}
        for name, key, value in self.read_declarations("parameters"):
            if (param := parameters.read_parameter(name, key, value)) is not None:
                params[name] = param
        return Template(
            version=self.version,
            source=self.sink.source,
            description=self.read_template_description(),
            parameter_groups=self.read_parameter_groups(),
            parameters=params,
            mappings=self.read_mappings(),
            conditions={
                name: self.read_condition(name, key, value) for name, key, value in self.read_declarations("conditions")
            },
            resources={
                r.name: r
                for name, key, value in self.read_declarations("resources")
                if (r := self.read_resource(name, key, value)) is not None
            },
            outputs={
                o.name: o
                for name, key, value in self.read_declarations("outputs")
                if (o := self.read_output(name, key, value)) is not None
            },
            capabilities=self.read_capabilities(),
            guarded=self.reader.guarded,
            comments=self.read_comments() if commented else (),
            sections=self.places,
            calls=tuple(self.reader.calls),
            deferred=tuple(self.reader.deferred),
        )

    def read_comments(self) -> tuple[Comment, ...]:
        from transpile.front import comments  # imported late, because most commands ignore comments

        return comments.read_comments(self.sink.source.text, self.root)

    def read_declarations(self, section: str) -> list[tuple[str, Node, Node]]:
        """The declarations of a section. Heat takes any empty value for a section without declarations, but for
        conditions, and looks at mappings only where one is read.
        """
        node = self.sections.get(section)
        if node is None:
            return []
        if not isinstance(node, MappingNode):
            if section == "conditions" or not self.is_empty(node):
                self.sink.add(
                    codes.WRONG_DECLARATION_TYPE,
                    f"The section {self.dialect.spell_section(section)} must be a map.",
                    span_of(node),
                    severity="warning" if section == "mappings" else "",
                )
            return []
        return self.reader.read_pairs(node)

    def is_empty(self, node: Node) -> bool:
        """Whether a value counts as nothing in Heat: `""`, `[]`, `false`, 0 or null."""
        return not node.value if not isinstance(node, ScalarNode) else not self.reader.read_plain_data(node)

    def read_text(self, section: str) -> str | None:
        node = self.sections.get(section)
        value = self.reader.read_plain_data(node) if node is not None else None
        return None if value is None else str(value)

    def read_template_description(self) -> str | None:
        """The description. Heat takes a map for one, too, and with it the sections that are indented below it."""
        node = self.sections.get("description")
        if isinstance(node, (MappingNode, SequenceNode)) and node.value:
            message = "The description is no text, so nothing in it is part of the template."
            keys = {word for word, _, _ in self.reader.read_pairs(node)} if isinstance(node, MappingNode) else set()
            sections = [word for word in self.dialect.sections if word in keys]
            hint = f"Indent {' and '.join(sections)} less: Heat reads sections at the top level." if sections else ""
            self.sink.add(codes.WITHOUT_EFFECT, message, span_of(node), hint)
        return self.read_text("description")

    def read_parameter_groups(self) -> tuple[ParameterGroup, ...]:
        node = self.sections.get("parameter_groups")
        if node is None or self.is_empty(node):
            return ()
        if isinstance(node, MappingNode) and not node.value:
            return ()
        if not isinstance(node, SequenceNode):
            self.sink.add(codes.WRONG_DECLARATION_TYPE, "The section parameter_groups must be a list.", span_of(node))
            return ()
        groups = []
        for item in node.value:
            span = span_of(item)
            entries = (
                {word: self.reader.read_plain_value(value) for word, _, value in self.reader.read_pairs(item)}
                if isinstance(item, MappingNode)
                else {}
            )
            members = entries.get("parameters")
            if not isinstance(members, Seq):
                self.sink.add(
                    codes.WRONG_DECLARATION_TYPE, "A parameter group must be a map with a list of parameters.", span
                )
                continue
            names = tuple(str(m.value if isinstance(m, Lit) else to_data_or_none(m)) for m in members.items)
            label, description = (
                None if (v := to_data_or_none(entries.get(k))) is None else str(v) for k in ("label", "description")
            )
            groups.append(ParameterGroup(label, description, names, span))
        return tuple(groups)

    def read_capabilities(self) -> dict[str, Entry]:
        node = self.sections.get("capabilities")
        section = None if node is None else self.reader.read_plain_value(node)
        if section is None or section == Lit(None):
            return {}
        if not isinstance(section, Map):
            self.sink.add(codes.MALFORMED_CAPABILITIES, "The section capabilities must be a map.", section)
            return {}
        return claims.read_claims(self.sink, section, "A capability")

    def read_mappings(self) -> dict[str, Map]:
        mappings = {}
        for name, _, value in self.read_declarations("mappings"):
            mapping = self.reader.read_plain_value(value)
            if isinstance(mapping, Map):
                mappings[name] = mapping
            else:
                message = f"The mapping {name} must be a map."
                self.sink.add(codes.WRONG_DECLARATION_TYPE, message, mapping, severity="warning")
        return mappings

    def read_condition(self, name: str, key: Node, node: Node) -> Condition:
        self.reader.refs = []
        value = self.reader.read_condition(node)
        if (
            not isinstance(node, MappingNode)
            and not (isinstance(value, Lit) and isinstance(value.value, bool))
            and not isinstance(value, ErrorNode)
        ):
            value = self.reader.report_error(
                codes.NOT_A_CONDITION, f"Condition {name} must be a boolean or a function that returns one.", node
            )
        return Condition(name, value, tuple(self.reader.refs), Span(key.start_mark.index, node.end_mark.index))

    def read_declaration_keys(
        self, kind: str, name: str, node: Node, words: Mapping[str, str]
    ) -> dict[str, tuple[str, Node, Node]] | None:
        """The keys of a resource or output by HOT's names, each as spelled, with its node and the node of its value. A
        key that Heat ignores is under `?` and its own name.
        """
        if not isinstance(node, MappingNode):
            self.sink.add(codes.WRONG_DECLARATION_TYPE, f"{kind} {name} must be a map.", span_of(node))
            return None
        out: dict[str, tuple[str, Node, Node]] = {}
        for word, key, value in self.reader.read_pairs(node):
            meaning = words.get(word)
            if meaning is None and (self.dialect.strict or kind == "Output"):
                hint = self.sink.guess_name(word, words) or f"The keys are {', '.join(words)}."
                lenient = "" if kind == "Resource" else "warning"  # Heat ignores unknown keys of outputs
                self.sink.add(codes.UNKNOWN_KEY, f"{kind} {name} has no key {word}.", span_of(key), hint, lenient)
            out[meaning or f"?{word}"] = (word, key, value)
        return out

    def read_resource(self, name: str, key: Node, node: Node) -> Resource | None:
        span = Span(key.start_mark.index, node.end_mark.index)
        if "/" in name:
            self.sink.add(
                codes.INVALID_RESOURCE_NAME, f"The name of a resource cannot contain a slash: {name}.", span_of(key)
            )
        parts = self.read_declaration_keys("Resource", name, node, self.dialect.resource)
        if parts is None:
            return None
        if "type" not in parts:
            self.sink.add(codes.MISSING_KEY, f"Resource {name} has no {self.dialect_word('type')}.", span_of(key))
            return None
        kind = parts["type"][2]
        if not isinstance(kind, ScalarNode) or kind.tag not in (nodes.STR, nodes.TIMESTAMP) or not kind.value:
            self.sink.add(
                codes.INVALID_KEY_VALUE,
                f"The {self.dialect_word('type')} of resource {name} must be a string.",
                span_of(kind),
            )
            return None
        reader = self.reader
        reader.refs = []
        properties = reader.read_value(parts["properties"][2]) if "properties" in parts else None
        if properties is not None and not isinstance(properties, (Map, ErrorNode)):
            self.sink.add(codes.WRONG_DECLARATION_TYPE, f"The properties of resource {name} must be a map.", properties)
        metadata = reader.read_value(parts["metadata"][2]) if "metadata" in parts else None
        update_policy = reader.read_value(parts["update_policy"][2]) if "update_policy" in parts else None
        for word, part in (("metadata", metadata), ("update_policy", update_policy)):
            if isinstance(part, (Lit, Seq)) or (
                word == "update_policy" and not isinstance(part, (Map, ErrorNode, type(None)))
            ):
                message = f"The {self.dialect_word(word)} of resource {name} must be a map."
                self.sink.add(codes.WRONG_DECLARATION_TYPE, message, part)
        external_id = reader.read_value(parts["external_id"][2]) if "external_id" in parts else None
        if isinstance(external_id, (Seq, Map)) or (
            isinstance(external_id, Lit) and not isinstance(external_id.value, str)
        ):
            message = f"The {self.dialect_word('external_id')} of resource {name} must be a string."
            self.sink.add(codes.WRONG_DECLARATION_TYPE, message, external_id)
        deletion_policy = (
            self.read_deletion_policy(name, reader.read_value(parts["deletion_policy"][2]))
            if "deletion_policy" in parts
            else None
        )
        condition = reader.read_condition(parts["condition"][2]) if "condition" in parts else ALWAYS
        return Resource(
            name,
            kind.value,
            as_map(properties),
            metadata,
            self.read_depends_on(name, parts["depends_on"][2]) if "depends_on" in parts else (),
            update_policy,
            deletion_policy,
            external_id,
            condition,
            self.read_description("Resource", name, parts),
            () if self.dialect.strict else self.read_ignored_entries(parts),
            {word: key.start_mark.index for word, key, _ in parts.values()},
            tuple(reader.refs),
            span,
            kind.start_mark.index,
        )

    def dialect_word(self, meaning: str) -> str:
        return next(w for w, m in self.dialect.resource.items() if m == meaning)

    def read_description(self, kind: str, name: str, parts: dict[str, tuple[str, Node, Node]]) -> str | None:
        if "description" not in parts:
            return None
        value = self.reader.read_plain_data(parts["description"][2])
        if self.version.is_hot and kind == "Resource" and not isinstance(value, str):
            place = parts["description"][2]
            self.sink.add(
                codes.INVALID_KEY_VALUE, f"The description of resource {name} must be a string.", span_of(place)
            )
        return None if value is None else str(value)

    def read_deletion_policy(self, name: str, value: Expr) -> Expr | None:
        if isinstance(value, Lit) and isinstance(value.value, str):
            lower = self.version.is_hot_since("2016-10-14")
            policy = next((p for p in POLICIES if value.value == p or (lower and value.value == p.lower())), None)
            if policy:
                return Lit(policy, value.span)
            hint = guess_name(value.value, POLICIES) or f"The policies are {', '.join(POLICIES)}."
            self.sink.add(
                codes.INVALID_KEY_VALUE, f"Resource {name} has an unknown deletion policy, {value.value}.", value, hint
            )
        elif not isinstance(value, (Lit, Seq, Map)):
            return value
        else:
            self.sink.add(
                codes.INVALID_KEY_VALUE,
                f"The deletion policy of resource {name} must be a string.",
                value,
                f"The policies are {', '.join(POLICIES)}.",
            )
        return None

    def read_depends_on(self, name: str, node: Node) -> tuple[Name, ...]:
        items = node.value if isinstance(node, SequenceNode) else [node]
        out = []
        for item in items:
            if isinstance(item, ScalarNode) and item.tag in (nodes.STR, nodes.TIMESTAMP):
                out.append(Name(item.value, span_of(item)))
            else:
                key = self.dialect_word("depends_on")
                message = f"{key} of resource {name} must be the name of a resource or a list of names."
                self.sink.add(codes.INVALID_KEY_VALUE, message, span_of(item))
        return tuple(out)

    def read_output(self, name: str, key: Node, node: Node) -> Output | None:
        span = Span(key.start_mark.index, node.end_mark.index)
        parts = self.read_declaration_keys("Output", name, node, self.dialect.output)
        if parts is None:
            return None
        if "value" not in parts:
            self.sink.add(codes.MISSING_KEY, f"Output {name} has no value.", span_of(key))
            return None
        reader = self.reader
        reader.refs = []
        value = reader.read_value(parts["value"][2])
        condition = reader.read_condition(parts["condition"][2]) if "condition" in parts else ALWAYS
        return Output(
            name,
            value,
            self.read_description("Output", name, parts),
            condition,
            self.read_ignored_entries(parts),
            {word: key.start_mark.index for word, key, _ in parts.values()},
            tuple(reader.refs),
            span,
        )

    def read_ignored_entries(self, parts: Mapping[str, tuple[str, Node, Node]]) -> tuple[Entry, ...]:
        """The keys that Heat ignores, with their values."""
        return tuple(
            Entry(word[1:], self.reader.read_plain_value(value), key.start_mark.index)
            for word, (_, key, value) in parts.items()
            if word[0] == "?"
        )

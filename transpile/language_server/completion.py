"""Completion: the keys, names and values that may be typed at the cursor.

Invariant: every item is allowed at its place by the version of the template and by the schema of the type. Where the
schema is unknown, there are no items.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, final

from transpile.front.environment import SECTIONS
from transpile.language_server import describe, places, tree
from transpile.language_server.candidates import list_candidate_files, list_candidate_types, quote_scalar
from transpile.language_server.cursor import Cursor, find_cursor
from transpile.language_server.documents import ENVIRONMENT, OTHER, TEMPLATE, TextDocument
from transpile.language_server.places import DocumentPlace
from transpile.language_server.tree import Path
from transpile.language_server.workspace import Workspace
from transpile.model.intrinsics import CFN, HOT, INTRINSICS, VERSIONS
from transpile.model.printable import make_printable
from transpile.model.records import node
from transpile.model.span import Span, WithSpan
from transpile.schema import documentation

if TYPE_CHECKING:
    from transpile.schema.catalog import PropertySchema

NAME, KEYWORD, CALL, KIND, FIELD, WORD, PLACE = "name", "keyword", "function", "type", "property", "value", "file"


@final
@node
class CompletionItem(WithSpan):
    """A completion for the editor: `text` replaces the text at `span`. `kind`: selects the icon; `detail`: a few words
    behind the label. `order`: items are sorted by it before their labels. `about`: the resource type whose
    documentation an editor may ask for.
    """

    label: str
    text: str
    span: Span
    kind: str = NAME
    detail: str = ""
    order: str = "1"
    about: str = ""


def list_completions(document: TextDocument, workspace: Workspace, offset: int) -> list[CompletionItem]:
    """The items for an offset, sorted, one for each label."""
    where = find_cursor(document.positions, offset)
    if where is None:
        return []
    if document.kind == ENVIRONMENT:
        items = list(complete_environment(document, workspace, where))
    elif document.kind == TEMPLATE:
        items = list(_Completion(document, workspace, where).list_items())
    else:
        items = complete_first_line(document, where)
    # Of several items with one label the first counts, so the last in this dictionary.
    unique = {item.label: item for item in reversed(items)}
    return sorted(unique.values(), key=lambda item: (item.order, item.label))


def complete_first_line(document: TextDocument, where: Cursor) -> list[CompletionItem]:
    """The keys that make a document a template or an environment, while it has no other text."""
    if document.kind != OTHER or where.path or not where.is_key or len(document.text.strip()) > len(where.typed):
        return []
    newest = next(name for key, name in reversed(VERSIONS) if key == HOT and name[0].isdigit())
    cfn = next(name for key, name in VERSIONS if key == CFN)
    texts = (f"{HOT}: {newest}", f"{CFN}: '{cfn}'", "resource_registry: ", "parameter_defaults: ")
    return [CompletionItem(text.partition(":")[0], text, where.span, KEYWORD) for text in texts]


def complete_environment(document: TextDocument, workspace: Workspace, where: Cursor) -> Iterator[CompletionItem]:
    """The items for an environment."""
    path, make = where.path, functools.partial(item_at_cursor, where)
    if not path and where.is_key:
        there = {str(key.value) for key, _ in tree.key_value_pairs(document.root)}
        yield from (make(word, KEYWORD, key=True) for word in SECTIONS if word not in there)
    elif path in (("parameters",), ("parameter_defaults",), ("parameter_merge_strategies",)) and where.is_key:
        there = {str(key.value) for key, _ in tree.key_value_pairs(tree.node_at(document.root, path))}
        for template, _ in workspace.templates_of_environment(document):
            declared = template.template.parameters.values() if template.template is not None else ()
            yield from (make(p.name, NAME, p.type, key=True) for p in declared if p.name not in there)
    elif len(path) == 2 and path[0] == "parameter_merge_strategies" and not where.is_key:
        yield from (make(word, WORD) for word in ("overwrite", "merge", "deep_merge"))
    elif path[:1] == ("resource_registry",) and len(path) > 1 and (not where.is_key or where.either):
        yield from (make(kind, KIND, about=kind) for kind in list_candidate_types(document, workspace))
        yield from (make(name, PLACE) for name in list_candidate_files(document, workspace, (".yaml", ".template")))
    elif path == ("resource_registry",):
        yield from (make(kind, KIND, key=True, about=kind) for kind in list_candidate_types(document, workspace))


def item_at_cursor(
    where: Cursor, label: str, kind: str, detail: str = "", *, key: bool = False, **more: Any
) -> CompletionItem:
    """An item for a cursor. A key gets its colon, a value the space before it if there is none; in quotes, there is
    only the word. `more`: `text` in place of the label, `nested` for a key whose value is on the next line, and fields
    of the item.
    """
    text = more.pop("text", None) or label
    if where.quoted:
        text = label
    elif key:
        text += ": " if where.flow else ":"
        text = text if where.flow or more.pop("nested", False) else f"{text} "
    more.pop("nested", None)
    if not key and not where.spaced:
        text = f" {text}"
    return CompletionItem(make_printable(label), text, where.span, kind, make_printable(detail), **more)


@final
class _Completion:
    """The items for one cursor in a template."""

    def __init__(self, document: TextDocument, workspace: Workspace, where: Cursor) -> None:
        self.document, self.workspace, self.where = document, workspace, where
        self.version = document.version

    def list_items(self) -> Iterator[CompletionItem]:
        where = self.where
        if where.is_key:
            yield from self.complete_keys()
        if not where.is_key or where.either:
            yield from self.complete_values()

    def make_item(self, label: str, kind: str = NAME, detail: str = "", **more: Any) -> CompletionItem:
        return item_at_cursor(self.where, label, kind, detail, **more)

    def text_at(self, path: Path) -> str | None:
        """The text of a scalar: from the line under the cursor if it is there, else from the tree of the document."""
        return dict(self.where.finished_scalars).get(path) or tree.text_at(self.document.root, path)

    # keys

    def keys_present(self, path: Path) -> set[str]:
        """The keys that a map has, except the one under the cursor."""
        keys = {
            str(k.value)
            for k, _ in tree.key_value_pairs(tree.node_at(self.document.root, path))
            if not self.is_under_cursor(k)
        }
        for typed_path, _ in self.where.finished_scalars:
            if typed_path[: len(path)] == path and len(typed_path) > len(path):
                keys.add(str(typed_path[len(path)]))
        return keys

    def is_under_cursor(self, key: Any) -> bool:
        return tree.start_offset(key) <= self.where.at <= tree.end_offset(key)

    def complete_keys(self) -> Iterator[CompletionItem]:
        path, version = self.where.path, self.version
        words: Iterable[str] = ()
        if not path:
            words = (version.key, *version.dialect.sections)
        here = places.section_of_path(path, version)
        if here == "parameters" and len(path) == 2:
            words = version.dialect.parameter
        elif here == "parameters" and len(path) == 4 and version.dialect.parameter.get(str(path[2])) == "constraints":
            words = (
                *(constraint for constraint in places.CONSTRAINTS if constraint in version.constraints),
                "description",
            )
        elif here == "parameters" and len(path) == 5:
            words = places.LIMITS.get(str(path[4]), ())
        elif here == "outputs" and len(path) == 2:
            words = version.dialect.output
        elif here == "resources" and len(path) == 2:
            words = version.dialect.resource
        elif here == "parameter_groups" and len(path) == 2:
            words = ("label", "description", "parameters")
        there = self.keys_present(path)
        maps = ("properties", "metadata", "constraints", *version.dialect.sections)
        for word in words:
            if word not in there:
                yield self.make_item(word, KEYWORD, key=True, nested=word.lower() in maps and word != "description")
        if here == "resources" and len(path) > 2:
            yield from self.complete_properties(there)
        yield from self.complete_functions(there)

    def complete_properties(self, there: set[str]) -> Iterator[CompletionItem]:
        """The properties that a map may have."""
        path, version = self.where.path, self.version
        if version.dialect.resource.get(str(path[2])) != "properties":
            return
        owner, inner = places.split_at_owner((*path, ""), version)
        if owner != path[:2] and not inner:  # a definition of members
            yield from (self.make_item(w, FIELD, key=True, nested=w == "properties") for w in ("type", "properties"))
            return
        if not places.is_transparent(inner, version):
            return
        for name, schema in self.property_schemas(owner, places.strip_functions(inner[:-1], version)).items():
            if name not in there and schema.get("implemented", True):
                required = bool(schema.get("required"))
                nested = schema.get("type", "any").lower() in ("map", "list") or "fields" in schema
                order = "0" if required else "2" if schema.get("hidden") or schema.get("status") else "1"
                summary = documentation.describe_property(schema)
                yield self.make_item(name, FIELD, summary, key=True, nested=nested, order=order)

    def property_schemas(self, owner: Path, inner: Path) -> Mapping[str, PropertySchema]:
        """The properties below a path inside of a resource's properties."""
        written = self.document.text_of_part(owner, "type", self.where)
        facts = self.workspace.resolve_type(self.document, written, str(owner[1])).facts
        return describe.find_schema(facts, inner).get("fields", {})

    def complete_functions(self, there: set[str]) -> Iterator[CompletionItem]:
        """The functions that may be called here: only in an empty map in place of a value, as a call has one key."""
        path, version = self.where.path, self.version
        here = places.section_of_path(path, version)
        condition = here == "conditions" and len(path) > 1
        value = (
            (here == "resources" and len(path) > 3 and version.dialect.resource.get(str(path[2])) != "depends_on")
            or (here == "outputs" and len(path) > 2 and version.dialect.output.get(str(path[2])) == "value")
        ) and not self.is_in_argument_map()
        if there or not (condition or value):
            return
        for name in sorted(version.conditions if condition else version.functions):
            nested = INTRINSICS[name].shape in ("map", "list+", "pair", "triple") and not self.where.flow
            yield self.make_item(name, CALL, "function", key=True, order="3", nested=nested)

    def is_in_argument_map(self) -> bool:
        """Whether the map is the argument of a function with fixed keys: `str_replace: {` …"""
        path = self.where.path
        at = places.find_innermost_call(path, self.version, 3)
        if at is None or not INTRINSICS[str(path[at])].keys:
            return False
        return at == len(path) - 1

    # values

    def complete_values(self) -> Iterator[CompletionItem]:
        place = places.place_of_value(self.where.path, self.version)
        if place is not None:
            yield from self.complete_place(place)
        if not self.where.flow and not self.where.is_key and not self.where.typed and self.can_call_here(place):
            for name in ("get_param", "get_resource", "get_attr") if self.version.is_hot else ("Ref", "Fn::GetAtt"):
                if name in self.version.functions:
                    yield self.make_item(name, CALL, "function", text=f"{{{name}: }}", order="3")

    def can_call_here(self, place: DocumentPlace | None) -> bool:
        """Whether the value may be a function."""
        path = self.where.path
        here = places.section_of_path(path, self.version)
        if place is not None and place.kind == places.PROPERTY:
            return True
        return here == "outputs" and len(path) == 3 and self.version.dialect.output.get(str(path[2])) == "value"

    def complete_place(self, place: DocumentPlace) -> Iterator[CompletionItem]:
        kind, document = place.kind, self.document
        if kind in (places.PARAMETER, places.REF):
            yield from self.complete_declared_names("parameters", "type")
            if places.section_of_path(self.where.path, self.version) != "parameter_groups":
                yield from (self.make_item(n, NAME, "pseudo parameter", order="2") for n in sorted(self.version.pseudo))
        if kind in (places.RESOURCE, places.REF):
            path = self.where.path
            own = path[1] if places.section_of_path(path, self.version) == "resources" and len(path) > 1 else None
            yield from (item for item in self.complete_declared_names("resources", "type") if item.label != own)
        elif kind == places.CONDITION:
            yield from self.complete_declared_names("conditions", "")
        elif kind == places.MAPPING:
            yield from self.complete_declared_names("mappings", "")
        elif kind == places.ATTRIBUTE:
            yield from self.complete_attributes(place)
        elif kind == places.TYPE:
            for type_name in list_candidate_types(document, self.workspace):
                yield self.make_item(
                    type_name, KIND, "", about=type_name, order="0" if type_name.startswith("OS::") else "1"
                )
            for name in self.registered_types():
                yield self.make_item(name, KIND, "of the environment", order="0")
            for name in list_candidate_files(document, self.workspace, (".yaml", ".template")):
                yield self.make_item(name, PLACE, "nested template", order="2")
        elif kind == places.FILE:
            yield from (self.make_item(name, PLACE) for name in list_candidate_files(document, self.workspace))
        elif kind == places.WORDS:
            yield from self.complete_words(place.words)
        elif kind == places.PROPERTY:
            yield from self.complete_allowed_values(place)

    def complete_declared_names(self, section: str, detail: str) -> Iterator[CompletionItem]:
        """The names that a section declares."""
        spelled = self.version.dialect.spell_section(section)
        for name in self.document.declared_names(section):
            declared_type = self.document.text_of_part((spelled, name), detail) if detail else ""
            yield self.make_item(name, NAME, declared_type or "", text=quote_scalar(name), order="0")

    def registered_types(self) -> list[str]:
        """The types that the environments of the stack define."""
        type_names: dict[str, None] = {}
        for use in self.workspace.find_stacks(self.document):
            for environment in use.environments:
                names = (
                    name for name in environment.registry if name not in ("base_url", "resources") and "*" not in name
                )
                type_names.update(dict.fromkeys(names))
        return list(type_names)

    def complete_words(self, words: tuple[str, ...]) -> Iterator[CompletionItem]:
        if words == ("version",):
            words = tuple(name for key, name in VERSIONS if key == self.version.key)
        elif words == ("custom constraint",):
            words = tuple(self.workspace.full_catalog(self.document).constraint_names())
        literal = words == places.BOOLEANS
        yield from (
            self.make_item(word, WORD, text=word if literal or word[0].isdigit() else quote_scalar(word))
            for word in words
        )

    def complete_attributes(self, place: DocumentPlace) -> Iterator[CompletionItem]:
        """The attributes of the resource that is named before."""
        owner = self.text_at((*place.owner, 0))
        if owner is None:
            return
        written = self.document.text_of_part((self.version.dialect.spell_section("resources"), owner), "type")
        facts = self.workspace.resolve_type(self.document, written, owner).facts
        for name, kind in facts.get("attributes", {}).items():
            yield self.make_item(name, FIELD, kind or "")

    def complete_allowed_values(self, place: DocumentPlace) -> Iterator[CompletionItem]:
        """The values that a property may have."""
        written = self.document.text_of_part(place.owner, "type", self.where)
        facts = self.workspace.resolve_type(self.document, written, str(place.owner[1])).facts
        schema = describe.find_schema(facts, places.strip_functions(place.inner, self.version))
        if schema.get("type", "").lower() == "boolean":
            yield from (self.make_item(word, WORD) for word in places.BOOLEANS)
        for constraint in schema.get("constraints", ()):
            if constraint[0] == "allowed_values":
                for value in constraint[1]:
                    text = documentation.format_json_value(value)
                    yield self.make_item(
                        text, WORD, text=quote_scalar(text) if isinstance(value, str) else text, order="0"
                    )

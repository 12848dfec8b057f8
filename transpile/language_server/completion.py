"""Completion: the keys, names and values that may be typed at the cursor.

Invariant: every item is allowed at its place by the version of the template and by the schema of the type. Where the
schema is unknown, there are no items.
"""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any, final

from transpile.front.environment import SECTIONS
from transpile.language_server import describe, places, tree
from transpile.language_server.candidates import files, quoted, types
from transpile.language_server.cursor import cursor
from transpile.language_server.documents import ENVIRONMENT, OTHER, TEMPLATE
from transpile.model.intrinsics import CFN, HOT, INTRINSICS, VERSIONS
from transpile.model.printable import printable
from transpile.model.records import node
from transpile.model.span import Placed, Span
from transpile.schema import documentation

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from transpile.language_server.cursor import Cursor
    from transpile.language_server.documents import Document
    from transpile.language_server.places import Place
    from transpile.language_server.tree import Path
    from transpile.language_server.workspace import Workspace
    from transpile.schema.catalog import Property

NAME, KEYWORD, CALL, KIND, FIELD, WORD, PLACE = "name", "keyword", "function", "type", "property", "value", "file"


@final
@node
class Item(Placed):
    """Something that may be typed: `text` replaces the text at `span`. `kind`: selects the icon; `detail`: a few words
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


def completion(document: Document, workspace: Workspace, offset: int) -> list[Item]:
    """The items for an offset, sorted, one for each label."""
    where = cursor(document.positions, offset)
    if where is None:
        return []
    if document.kind == ENVIRONMENT:
        found = list(in_environment(document, workspace, where))
    elif document.kind == TEMPLATE:
        found = list(_Completion(document, workspace, where).items())
    else:
        found = first_line(document, where)
    # Of several items with one label the first counts, so the last in this dictionary.
    unique = {one.label: one for one in reversed(found)}
    return sorted(unique.values(), key=lambda one: (one.order, one.label))


def first_line(document: Document, where: Cursor) -> list[Item]:
    """The keys that make a document a template or an environment, while it has no other text."""
    if document.kind != OTHER or where.path or not where.key or len(document.text.strip()) > len(where.typed):
        return []
    newest = next(name for key, name in reversed(VERSIONS) if key == HOT and name[0].isdigit())
    cfn = next(name for key, name in VERSIONS if key == CFN)
    texts = (f"{HOT}: {newest}", f"{CFN}: '{cfn}'", "resource_registry: ", "parameter_defaults: ")
    return [Item(text.partition(":")[0], text, where.span, KEYWORD) for text in texts]


def in_environment(document: Document, workspace: Workspace, where: Cursor) -> Iterator[Item]:
    """The items for an environment."""
    path, make = where.path, functools.partial(item, where)
    if not path and where.key:
        there = {str(key.value) for key, _ in tree.pairs(document.root)}
        yield from (make(word, KEYWORD, key=True) for word in SECTIONS if word not in there)
    elif path in (("parameters",), ("parameter_defaults",), ("parameter_merge_strategies",)) and where.key:
        there = {str(key.value) for key, _ in tree.pairs(tree.node_at(document.root, path))}
        for template, _ in workspace.templates(document):
            declared = template.template.parameters.values() if template.template is not None else ()
            yield from (make(p.name, NAME, p.type, key=True) for p in declared if p.name not in there)
    elif len(path) == 2 and path[0] == "parameter_merge_strategies" and not where.key:
        yield from (make(word, WORD) for word in ("overwrite", "merge", "deep_merge"))
    elif path[:1] == ("resource_registry",) and len(path) > 1 and (not where.key or where.either):
        yield from (make(kind, KIND, about=kind) for kind in types(document, workspace))
        yield from (make(name, PLACE) for name in files(document, workspace, (".yaml", ".template")))
    elif path == ("resource_registry",):
        yield from (make(kind, KIND, key=True, about=kind) for kind in types(document, workspace))


def item(where: Cursor, label: str, kind: str, detail: str = "", *, key: bool = False, **more: Any) -> Item:
    """An item for a cursor. A key gets its colon, a value the space before it if there is none. `more`: `text` in place
    of the label, `nested` for a key whose value is on the next line, and fields of the item.
    """
    text = more.pop("text", None) or label
    if key:
        text += ": " if where.flow else ":"
        text = text if where.flow or more.pop("nested", False) else f"{text} "
    more.pop("nested", None)
    if not key and not where.spaced:
        text = f" {text}"
    return Item(printable(label), text, where.span, kind, printable(detail), **more)


@final
class _Completion:
    """The items for one cursor in a template."""

    def __init__(self, document: Document, workspace: Workspace, where: Cursor) -> None:
        self.document, self.workspace, self.where = document, workspace, where
        self.version = document.version

    def items(self) -> Iterator[Item]:
        where = self.where
        if where.key:
            yield from self.keys()
        if not where.key or where.either:
            yield from self.values()

    def make(self, label: str, kind: str = NAME, detail: str = "", **more: Any) -> Item:
        return item(self.where, label, kind, detail, **more)

    def text(self, path: Path) -> str | None:
        """The text of a scalar: from the line under the cursor if it is there, else from the tree of the document."""
        return dict(self.where.known).get(path) or tree.text_at(self.document.root, path)

    # keys

    def present(self, path: Path) -> set[str]:
        """The keys that a map has, except the one under the cursor."""
        found = {str(k.value) for k, _ in tree.pairs(tree.node_at(self.document.root, path)) if not self.under(k)}
        for known, _ in self.where.known:
            if known[: len(path)] == path and len(known) > len(path):
                found.add(str(known[len(path)]))
        return found

    def under(self, key: Any) -> bool:
        return tree.start(key) <= self.where.at <= tree.end(key)

    def keys(self) -> Iterator[Item]:
        path, version = self.where.path, self.version
        words: Iterable[str] = ()
        if not path:
            words = (version.key, *version.dialect.sections)
        here = places.section(path, version)
        if here == "parameters" and len(path) == 2:
            words = version.dialect.parameter
        elif here == "parameters" and len(path) == 4 and version.dialect.parameter.get(str(path[2])) == "constraints":
            words = (*(one for one in places.CONSTRAINTS if one in version.constraints), "description")
        elif here == "parameters" and len(path) == 5:
            words = places.LIMITS.get(str(path[4]), ())
        elif here == "outputs" and len(path) == 2:
            words = version.dialect.output
        elif here == "resources" and len(path) == 2:
            words = version.dialect.resource
        elif here == "parameter_groups" and len(path) == 2:
            words = ("label", "description", "parameters")
        there = self.present(path)
        maps = ("properties", "metadata", "constraints", *version.dialect.sections)
        for word in words:
            if word not in there:
                yield self.make(word, KEYWORD, key=True, nested=word.lower() in maps and word != "description")
        if here == "resources" and len(path) > 2:
            yield from self.properties(there)
        yield from self.functions(there)

    def properties(self, there: set[str]) -> Iterator[Item]:
        """The properties that a map may have."""
        path, version = self.where.path, self.version
        if version.dialect.resource.get(str(path[2])) != "properties":
            return
        owner, inner = places.owning((*path, ""), version)
        if owner != path[:2] and not inner:  # a definition of members
            yield from (self.make(w, FIELD, key=True, nested=w == "properties") for w in ("type", "properties"))
            return
        if not places.transparent(inner, version):
            return
        for name, one in self.fields(owner, places.plain(inner[:-1], version)).items():
            if name not in there and one.get("implemented", True):
                required = bool(one.get("required"))
                nested = one.get("type", "any").lower() in ("map", "list") or "fields" in one
                order = "0" if required else "2" if one.get("hidden") or one.get("status") else "1"
                said = documentation.said(one)
                yield self.make(name, FIELD, said, key=True, nested=nested, order=order)

    def fields(self, owner: Path, inner: Path) -> Mapping[str, Property]:
        """The properties below a path inside of a resource's properties."""
        written = self.document.part(owner, "type", self.where)
        if written is None:
            return {}
        facts = self.workspace.meaning(self.document, written, str(owner[1])).facts
        if facts is None:
            return {}
        if not inner:
            return facts.get("properties", {})
        found = describe.schema(facts, inner)
        return found.get("fields", {}) if found is not None else {}

    def functions(self, there: set[str]) -> Iterator[Item]:
        """The functions that may be called here: only in an empty map in place of a value, as a call has one key."""
        path, version = self.where.path, self.version
        here = places.section(path, version)
        condition = here == "conditions" and len(path) > 1
        value = (
            (here == "resources" and len(path) > 3 and version.dialect.resource.get(str(path[2])) != "depends_on")
            or (here == "outputs" and len(path) > 2 and version.dialect.output.get(str(path[2])) == "value")
        ) and not self.in_map()
        if there or not (condition or value):
            return
        for name in sorted(version.conditions if condition else version.functions):
            nested = INTRINSICS[name].shape in ("map", "list+", "pair", "triple") and not self.where.flow
            yield self.make(name, CALL, "function", key=True, order="3", nested=nested)

    def in_map(self) -> bool:
        """Whether the map is the argument of a function with fixed keys: `str_replace: {` …"""
        path = self.where.path
        at = places.call(path, self.version, 3)
        if at is None or not INTRINSICS[str(path[at])].keys:
            return False
        return at == len(path) - 1

    # values

    def values(self) -> Iterator[Item]:
        place = places.value(self.where.path, self.version)
        if place is not None:
            yield from self.of_place(place)
        if not self.where.flow and not self.where.key and not self.where.typed and self.calls_here(place):
            for name in ("get_param", "get_resource", "get_attr") if self.version.hot else ("Ref", "Fn::GetAtt"):
                if name in self.version.functions:
                    yield self.make(name, CALL, "function", text=f"{{{name}: }}", order="3")

    def calls_here(self, place: Place | None) -> bool:
        """Whether the value may be a function."""
        path = self.where.path
        here = places.section(path, self.version)
        if place is not None and place.kind == places.PROPERTY:
            return True
        return here == "outputs" and len(path) == 3 and self.version.dialect.output.get(str(path[2])) == "value"

    def of_place(self, place: Place) -> Iterator[Item]:
        kind, document = place.kind, self.document
        if kind in (places.PARAMETER, places.REF):
            yield from self.declared("parameters", "type")
            if places.section(self.where.path, self.version) != "parameter_groups":
                yield from (self.make(n, NAME, "pseudo parameter", order="2") for n in sorted(self.version.pseudo))
        if kind in (places.RESOURCE, places.REF):
            path = self.where.path
            own = path[1] if places.section(path, self.version) == "resources" and len(path) > 1 else None
            yield from (one for one in self.declared("resources", "type") if one.label != own)
        elif kind == places.CONDITION:
            yield from self.declared("conditions", "")
        elif kind == places.MAPPING:
            yield from self.declared("mappings", "")
        elif kind == places.ATTRIBUTE:
            yield from self.attributes(place)
        elif kind == places.TYPE:
            for one in types(document, self.workspace):
                yield self.make(one, KIND, "", about=one, order="0" if one.startswith("OS::") else "1")
            for name in self.registered():
                yield self.make(name, KIND, "of the environment", order="0")
            for name in files(document, self.workspace, (".yaml", ".template")):
                yield self.make(name, PLACE, "nested template", order="2")
        elif kind == places.FILE:
            yield from (self.make(name, PLACE) for name in files(document, self.workspace))
        elif kind == places.WORDS:
            yield from self.words(place.words)
        elif kind == places.PROPERTY:
            yield from self.allowed(place)

    def declared(self, section: str, detail: str) -> Iterator[Item]:
        """The names that a section declares."""
        spelled = self.version.dialect.spell(section)
        for name in self.document.names(section):
            said = self.document.part((spelled, name), detail) if detail else None
            yield self.make(name, NAME, said or "", text=quoted(name), order="0")

    def registered(self) -> list[str]:
        """The types that the environments of the stack define."""
        found: dict[str, None] = {}
        for use in self.workspace.uses(self.document):
            for one in use.environments:
                names = (name for name in one.registry if name not in ("base_url", "resources") and "*" not in name)
                found.update(dict.fromkeys(names))
        return list(found)

    def words(self, words: tuple[str, ...]) -> Iterator[Item]:
        if words == ("version",):
            words = tuple(name for key, name in VERSIONS if key == self.version.key)
        elif words == ("custom constraint",):
            words = tuple(self.workspace.catalog(self.document).constraints())
        literal = words == places.BOOLEANS
        yield from (self.make(one, WORD, text=one if literal or one[0].isdigit() else quoted(one)) for one in words)

    def attributes(self, place: Place) -> Iterator[Item]:
        """The attributes of the resource that is named before."""
        owner = self.text((*place.owner, 0))
        if owner is None:
            return
        written = self.document.part((self.version.dialect.spell("resources"), owner), "type")
        if written is None:
            return
        facts = self.workspace.meaning(self.document, written, owner).facts
        for name, kind in (facts.get("attributes", {}) if facts is not None else {}).items():
            yield self.make(name, FIELD, kind or "")

    def allowed(self, place: Place) -> Iterator[Item]:
        """The values that a property may have."""
        written = self.document.part(place.owner, "type", self.where)
        facts = self.workspace.meaning(self.document, written, str(place.owner[1])).facts if written else None
        found = describe.schema(facts, places.plain(place.inner, self.version)) if facts is not None else None
        if found is None:
            return
        if found.get("type", "").lower() == "boolean":
            yield from (self.make(one, WORD) for one in places.BOOLEANS)
        for constraint in found.get("constraints", ()):
            if constraint[0] == "allowed_values":
                for one in constraint[1]:
                    text = documentation.data(one)
                    yield self.make(text, WORD, text=quoted(text) if isinstance(one, str) else text, order="0")

"""One document of an editor: its text, and the tree, template or environment that is read from it on demand.

Invariant: a document does not change; an edit makes another one. Each reading happens once, even if several threads
ask at the same time.
"""

from __future__ import annotations

import functools
import pathlib
import threading
from collections.abc import Iterator
from typing import TYPE_CHECKING, final

from yaml.nodes import MappingNode

from transpile.diagnostics.model import Diagnostic, Sink, TooManyErrors
from transpile.front import kinds, nodes
from transpile.front import template as templates
from transpile.front.nodes import span_of
from transpile.language_server import places, recovery, tree
from transpile.language_server.cursor import Cursor
from transpile.language_server.places import DocumentPlace
from transpile.language_server.positions import UTF16, Positions
from transpile.language_server.tree import Path, Spot
from transpile.model import heat_types
from transpile.model.budget import Budget
from transpile.model.intrinsics import VERSION_KEYS, Version, find_template_version, look_up_template_version
from transpile.model.ir import Template
from transpile.model.lazy_patterns import compile_lazily
from transpile.model.source import Source
from transpile.schema.catalog import HEAT
from transpile.text.source import JINJA_NAMES, lone_surrogate

if TYPE_CHECKING:
    from yaml.nodes import Node


TEMPLATE, ENVIRONMENT, OTHER = kinds.TEMPLATE, kinds.ENVIRONMENT, kinds.FOREIGN
LIMIT = 1 << 19  # characters of a document that is read: Heat's default limit
JINJA = compile_lazily(r"\{\{|\{%|\{#")
NEWEST = "2021-04-16"  # the version of a template whose own is not finished
LIMITS = {  # the budget for one document, smaller than that of a command: an editor asks after every edit
    "templates": 200,
    "registry": 50_000,
    "computed": 1 << 20,
    "steps": 200_000,
    "suggestions": 5_000,
    "patterns": 300,
    "yaql": 0,  # is not computed: nobody waits for it in an editor
}


@final
class TextDocument:
    """`path`: the file that the document is or will be saved as; None if its URI names no file. `number`: the
    version of the text that the client counts. `edited`: the line of the last edit.
    """

    def __init__(
        self,
        uri: str,
        path: pathlib.Path | None,
        text: str,
        number: int | None = None,
        encoding: str = UTF16,
        edited: int | None = None,
    ) -> None:
        self.uri, self.path, self.text, self.number, self.edited = uri, path, text, number, edited
        self.encoding = encoding
        self._lock = threading.RLock()

    @property
    def name(self) -> str:
        """The name in diagnostics."""
        return str(self.path) if self.path is not None else self.uri

    @functools.cached_property
    def positions(self) -> Positions:
        return Positions(self.text, self.encoding)

    @functools.cached_property
    def kind(self) -> str:
        """TEMPLATE, ENVIRONMENT, the key of another kind, or OTHER for a text that is foreign, too large, or must be
        rendered.
        """
        if len(self.text) > LIMIT or lone_surrogate(self.text) >= 0:
            return OTHER
        if self.name.endswith(JINJA_NAMES) and JINJA.search(self.text):
            return OTHER
        return kinds.kind_of_text(self.make_source())

    def make_source(self, text: str | None = None) -> Source:
        """The text, or another one in its place, with a fresh budget for reading it."""
        return Source(self.name, self.text if text is None else text, budget=Budget(LIMITS))

    @functools.cached_property
    def _tree(self) -> tuple[Node | None, str, Sink]:
        with self._lock:
            if (cached := self.__dict__.get("_tree")) is not None:  # another thread was faster
                return cached  # type: ignore[no-any-return]
            return recovery.recover_tree(self.make_source(), self.positions, self.edited)

    @property
    def root(self) -> Node | None:
        """The YAML tree of the text, without lines that cannot be parsed; None for other documents."""
        return self._tree[0] if self.kind in (TEMPLATE, ENVIRONMENT) else None

    @property
    def is_readable(self) -> bool:
        """Whether the whole text can be parsed."""
        return self.root is not None and self._tree[1] is self.text

    @property
    def syntax_diagnostics(self) -> list[Diagnostic]:
        """The diagnostics of the YAML parser."""
        return self._tree[2].diagnostics

    @functools.cached_property
    def version(self) -> Version:
        """The version of the template language; the newest one while none is written."""
        for key in VERSION_KEYS:
            name = tree.text_at(self.root, (key,))
            if name is not None:
                return find_template_version(key, name) or (
                    look_up_template_version(NEWEST) if key == VERSION_KEYS[0] else version_of_key(key)
                )
        return look_up_template_version(NEWEST)

    @functools.cached_property
    def template(self) -> Template | None:
        """The template without the parts that cannot be read; None for other documents."""
        with self._lock:
            return self.read_template(self.root)

    def read_excerpt(self, path: Path) -> Template | None:
        """A part of the template that is fast to read: all that values depend on (parameters, mappings, conditions and
        resources that may be an `OS::Heat::Value`), and the one declaration that a path leads into.
        """
        if not self.version.is_hot:
            return self.template  # a Ref is resolved by the names of all resources
        sections = []
        for key, value in self.root.value if isinstance(self.root, MappingNode) else ():
            if isinstance(value, MappingNode) and key.value in ("resources", "outputs"):
                own = path[1] if len(path) > 1 and path[0] == key.value else None
                kept = [(k, v) for k, v in value.value if k.value == own or may_be_value(v)]
                value = MappingNode(value.tag, kept, value.start_mark, value.end_mark)
            sections.append((key, value))
        root = self.root
        return (
            None
            if root is None
            else self.read_template(MappingNode(root.tag, sections, root.start_mark, root.end_mark))
        )

    def read_template(self, root: Node | None) -> Template | None:
        if self.kind != TEMPLATE or root is None:
            return None
        try:
            return templates.read_template_document(Sink(self.make_source(self._tree[1])), root, commented=False)
        except (nodes.UnreadableDocument, TooManyErrors, RecursionError):
            return None

    # places and their meaning

    def find_place(self, spot: Spot) -> DocumentPlace | None:
        """The meaning of a scalar; None if it is only data."""
        if self.kind == ENVIRONMENT:
            return place_in_environment(spot.path, spot.is_key)
        if self.kind != TEMPLATE:
            return None
        return places.place_of_scalar(spot.path, spot.is_key, self.version, self.is_call)

    def is_call(self, path: Path) -> bool:
        """Whether the map at a path has one key, as every call of a function."""
        yaml_node = tree.node_at(self.root, path)
        return isinstance(yaml_node, MappingNode) and len(yaml_node.value) == 1

    def find_target(self, offset: int) -> tuple[Spot, DocumentPlace] | None:
        """The scalar at an offset with its meaning; None if there is none with a meaning."""
        spot = tree.find_spot(self.root, offset)
        place = self.find_place(spot) if spot is not None else None
        return (spot, place) if spot is not None and place is not None else None

    def section_node(self, section: str) -> Node | None:
        """The node of a section by its name in HOT, also for CFN."""
        return tree.node_at(self.root, (self.version.dialect.spell_section(section),))

    def declared_names(self, section: str) -> list[str]:
        """The names that a section declares, each once."""
        return list(dict.fromkeys(str(key.value) for key, _ in tree.key_value_pairs(self.section_node(section))))

    def find_declaration(self, kind: str, name: str) -> Spot | None:
        """The key that declares a name. `kind`: the section's name in the singular."""
        path = (self.version.dialect.spell_section(f"{kind}s"), name)
        key = tree.key_at(self.root, path)
        return tree.Spot(path, True, name, span_of(key)) if key is not None else None

    def text_of_part(self, owner: Path, word: str, cursor: Cursor | None = None) -> str:
        """The text of a resource's key by HOT's word, such as `type`, also in a definition of members; empty if it has
        none. `cursor`: the scalars that it has read count before the tree.
        """
        spelled = [w for w, meaning in self.version.dialect.resource.items() if meaning == word]
        for spelling in (word, *spelled):
            path = (*owner, spelling)
            typed = dict(cursor.finished_scalars).get(path) if cursor is not None else None
            if text := typed or tree.text_at(self.root, path):
                return text
        return ""

    def find_uses(self, text: str) -> Iterator[tuple[Spot, DocumentPlace]]:
        """All scalars with this text that have a meaning, with it."""
        for spot in tree.find_spots(self.root, self.text, text):
            if (place := self.find_place(spot)) is not None:
                yield spot, place


def may_be_value(resource: Node) -> bool:
    """Whether a resource is an OS::Heat::Value, or has a type that an environment may map to it."""
    kind = next((value.value for key, value in tree.key_value_pairs(resource) if key.value == "type"), None)
    return kind == heat_types.VALUE or (isinstance(kind, str) and not HEAT.has_type(kind))


def version_of_key(key: str) -> Version:
    """The first version that a version key has."""
    from transpile.model.intrinsics import VERSIONS

    result = next((find_template_version(k, name) for k, name in VERSIONS if k == key), None)
    assert result is not None
    return result


def place_in_environment(path: Path, is_key: bool) -> DocumentPlace | None:
    """The meaning of a scalar of an environment; None if it is only data, or the whole document."""
    if not path:
        return None
    if len(path) == 2 and path[0] in ("parameters", "parameter_defaults", "parameter_merge_strategies") and is_key:
        return places.DocumentPlace(places.PARAMETER)
    if path[0] == "encrypted_param_names" and len(path) == 2 and not is_key:
        return places.DocumentPlace(places.PARAMETER)
    if path[0] == "resource_registry" and len(path) > 1:
        if is_key and len(path) == 3 and path[1] == "resources":
            return places.DocumentPlace(places.RESOURCE)
        if not is_key:
            return places.DocumentPlace(places.REGISTRY)
        return (
            places.DocumentPlace(places.TYPE) if len(path) == 2 and path[1] not in ("base_url", "resources") else None
        )
    return None

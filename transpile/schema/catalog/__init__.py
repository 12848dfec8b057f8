"""The catalog of resource types: properties, attributes and aliases, as Heat 27 describes them, and those of plug-ins.

Invariant: the facts are about Heat, not about any target, and a catalog does not change after it is made. The file of a
service is read when one of its types is first looked up, and only the line of that type is parsed: a service has many
types, and a template uses few of them.
"""

from __future__ import annotations

import functools
import json
import pathlib
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, final

from transpile.model.records import EMPTY

if TYPE_CHECKING:
    from transpile.schema.catalog.facts import PropertySchema as PropertySchema
    from transpile.schema.catalog.facts import TypeFacts as TypeFacts

HERE = pathlib.Path(__file__).parent
WITHOUT_ID = "withoutid"  # the name of the file with the types whose resources never get a physical ID


def file_name_of_type(kind: str) -> str:
    """The name of the catalog file with a type's facts: `OS::Nova::Server` -> `nova`."""
    parts = kind.split("::")
    return "aws" if parts[0] == "AWS" else parts[1].lower() if len(parts) > 2 else "other"


@functools.cache
def _read_file(name: str) -> str:
    """The text of a catalog file; empty if there is no such file."""
    if not name.isalpha():  # the name may come from a template
        return ""
    try:
        return (HERE / f"{name}.json").read_text(encoding="utf-8")
    except OSError:  # no such file, or not a valid name
        return ""


@functools.cache
def _read_entry(name: str, key: str) -> Any:
    """The value of a key in a catalog file; None if the file does not have it."""
    # Each entry is a line of its own, so that it is found as text and parsed alone.
    begin = f'\n"{key}": '
    text = _read_file(name)
    at = text.find(begin) if '"' not in key else -1
    return None if at < 0 else json.loads(text[at + len(begin) : text.index("\n", at + 1)].removesuffix(","))


@functools.cache
def _resolve_alias(kind: str) -> str:
    """The type that Heat's own environment maps a type to: `OS::Quantum::Net` -> `OS::Neutron::Net`."""
    if kind.startswith("OS::Quantum::"):
        kind = kind.replace("OS::Quantum::", "OS::Neutron::")
    return _read_entry("aliases", kind) or kind


@functools.cache
def _find_heat_type(name: str) -> TypeFacts:
    """The facts about one of Heat's own types, without aliases; empty if there is no such type."""
    facts: TypeFacts | None = _read_entry(file_name_of_type(name), name)
    return facts or {}


@final
class Catalog:
    """The resource types that templates may use: Heat's own, and above them those of plug-ins.

    `plugin_types`: the facts of plug-in types by name, which replace Heat's own types of the same name, as in Heat;
    `plugin_constraints`: the names of custom constraints that plug-ins register.
    """

    __slots__ = ("plugin_constraints", "plugin_types")

    def __init__(self, plugin_types: Mapping[str, TypeFacts] = EMPTY, plugin_constraints: Iterable[str] = ()) -> None:
        self.plugin_types, self.plugin_constraints = plugin_types, frozenset(plugin_constraints)

    @staticmethod
    def resolve_alias(kind: str) -> str:
        """The type that Heat's own environment maps a type to; the type itself if there is no mapping."""
        return _resolve_alias(kind)

    def find_type(self, kind: str) -> TypeFacts:
        """The facts about a type; empty if there is no such type."""
        name = _resolve_alias(kind)
        return self.plugin_types[name] if name in self.plugin_types else _find_heat_type(name)

    def has_type(self, kind: str) -> bool:
        """Whether there is such a type."""
        return bool(self.find_type(kind))

    def is_replaced_by_plugin(self, kind: str) -> bool:
        """Whether a plug-in defines this type in place of Heat."""
        name = _resolve_alias(kind)
        return name in self.plugin_types and bool(_find_heat_type(name))

    def lacks_physical_id(self, kind: str) -> bool:
        """Whether the resources of a type never get a physical ID, such as those of OS::Heat::WaitCondition."""
        name = _resolve_alias(kind)
        if name in self.plugin_types:
            return self.plugin_types[name].get("without_id", False)
        return name in _read_types_without_id()

    def type_names(self) -> list[str]:
        """The names of all types, those included that only older releases have, sorted."""
        own: list[str] = _read_entry("index", "types")
        return sorted({*own, *self.plugin_types}) if self.plugin_types else own

    def has_type_name(self, kind: str) -> bool:
        """Whether `type_names` has a name."""
        return kind in self.plugin_types or kind in _read_type_names()

    def has_namespace(self, kind: str) -> bool:
        """Whether some type has the namespace of this one, which may be unknown: `OS::Nova` of `OS::Nova::Srver`."""
        namespace = kind.rpartition("::")[0]
        return any(name.rpartition("::")[0] == namespace for name in self.type_names())

    def constraint_names(self) -> list[str]:
        """The names of all custom constraints, sorted."""
        own: list[str] = _read_entry("index", "constraints")
        return sorted({*own, *self.plugin_constraints}) if self.plugin_constraints else own


@functools.cache
def _read_type_names() -> frozenset[str]:
    return frozenset(_read_entry("index", "types"))


@functools.cache
def _read_types_without_id() -> frozenset[str]:
    return frozenset(json.loads(_read_file(WITHOUT_ID)))


HEAT = Catalog()  # Heat as it is, without plug-ins


@functools.cache
def read_openstack_catalog() -> Catalog:
    """Heat's types, and those of the plug-ins in OpenStack's own projects (`plugins.json`), which a cloud may lack."""
    return Catalog(json.loads(_read_file("plugins")))


def read_aliases() -> dict[str, str]:
    """The aliases in Heat's own environment: old type to new type. A name that ends with a star is a prefix."""
    aliases: dict[str, str] = json.loads(_read_file("aliases"))
    return aliases

"""Turns the schemas of a resource class into facts like those of the catalog.

Invariant: a fact that could not be read is named in `unread`, and no template is refused because of it.
"""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING, Any, final

from transpile.plugins import behaviour, heat
from transpile.plugins.legacy import legacy, plain
from transpile.plugins.machine import Limited
from transpile.plugins.values import (
    MISSING,
    Class,
    Function,
    Instance,
    Maybe,
    Opaque,
    Place,
    Table,
    is_opaque,
)
from transpile.schema.catalog.build import moves

if TYPE_CHECKING:
    from transpile.plugins.machine import Machine
    from transpile.plugins.values import Value

PROPERTIES = 10_000  # of one type; the largest known one has a twentieth
DEPTH = 12  # of properties inside properties
NOT_READ = "it is not read"


@final
class Reader:
    """Reads the schemas of one class. `unread`: the names of facts that could not be read, with reasons; `configured`:
    defaults that an operator may change; `refused`: why Heat refuses the type.
    """

    def __init__(self, run: Machine, cls: Class, place: Place) -> None:
        self.run, self.cls, self.place = run, cls, place
        self.unread: list[tuple[str, Opaque]] = []
        self.configured: list[tuple[str, Opaque]] = []
        self.refused: list[tuple[str, str, Place | None]] = []
        self.base_unknown = next((one for one in cls.mro if isinstance(one, Opaque)), None)
        self.notes = True
        self.count = 0

    def missing(self, what: str, why: Value) -> None:
        """Notes a fact that could not be read."""
        self.unread.append((what, why if isinstance(why, Opaque) else Opaque(NOT_READ, self.place)))

    def gaps(self) -> tuple[str, ...]:
        """The names of the facts that could not be read, each once; "base class" comes first."""
        base = ["base class"] if self.base_unknown is not None else []
        return tuple(dict.fromkeys([*base, *(what for what, _ in self.unread)]))

    # Types

    def read(self) -> dict[str, Any]:
        """The facts about the type."""
        out: dict[str, Any] = {"properties": {}, "attributes": {}}
        own = self.cls.find("translation_rules")
        self.notes = not isinstance(own, Function)
        schema = self.cls.find("properties_schema")
        if isinstance(schema, Table):
            out["properties"] = self.table(schema, "", 0, out, "open")
        elif schema is not None and schema is not MISSING:
            out["open"] = True
            self.missing("properties", schema)
        attributes = self.cls.find("attributes_schema")
        if isinstance(attributes, Table):
            self.attributes(attributes, out)
        elif attributes is not None and attributes is not MISSING:
            out["any_attribute"] = True
            self.missing("attributes", attributes)
        if self.cls.odd is not None:
            out["open"] = out["any_attribute"] = True
            self.missing("the class", self.cls.odd)
        self.rest(out)
        if isinstance(own, Function):
            self.translations(own, out["properties"])
        if out.get("open"):
            for one in out["properties"].values():
                if one.pop("required", False):
                    one["unread"] = sorted({*one.get("unread", ()), "required"})
        return out

    def rest(self, out: dict[str, Any]) -> None:
        """Adds the facts about the type itself: description, client, support status, update policy, reference."""
        doc = self.cls.names.get("__doc__")
        if isinstance(doc, str) and doc:
            out["doc"] = inspect.cleandoc(doc)
        client = self.cls.find("default_client_name")
        if isinstance(client, str) and client:
            out["client"] = client
        extension = self.cls.find("required_service_extension")
        if isinstance(extension, str) and extension:
            out["extension"] = [extension]
        elif isinstance(extension, tuple | list) and all(isinstance(one, str) for one in extension):
            out["extension"] = list(extension)
        if found := self.support(self.cls.find("support_status")):
            out["support"] = found
            if found.get("status") in ("HIDDEN", "DEPRECATED"):
                out["status"] = found["status"].lower()
        limit = self.cls.find("physical_resource_name_limit")
        limit = limit.default if isinstance(limit, Opaque) else limit
        if type(limit) is int and limit != 255:
            out["name_limit"] = limit
        policy = self.cls.find("update_policy_schema")
        if isinstance(policy, Table) and policy:
            out["update_policy"] = self.table(policy, "update_policy", 0, {}, "open")
        if behaviour.decides(self.cls, "custom_attr", "get_attribute", "FnGetAtt"):
            out["any_attribute"] = True
        if any(
            isinstance(one, Class) and one.name == "NoneResource" and one.module.endswith("none_resource")
            for one in self.cls.line()
        ):
            out["any"] = True
        if (ref := behaviour.reference(self.run, self.cls, self.place)) != "id":
            out["ref"] = ref

    def translations(self, function: Function, properties: dict[str, Any]) -> None:
        """Adds the translation rules to the schemas of properties: from which property each takes its value."""
        rules = behaviour.method(self.run, self.cls, self.place, function, "id")
        if rules is None:
            return
        if not isinstance(rules, list | tuple):
            self.missing("translation rules", rules)
            return
        found = []
        for one in rules:
            rule = behaviour.rule(one)
            if rule is None:
                self.missing("a translation rule", one)
            else:
                found.append(rule)
        try:
            moves(properties, found)
        except (KeyError, ValueError, AssertionError, TypeError):
            self.missing("translation rules", Opaque("they name properties that are not known", self.place))

    # Attributes

    def attributes(self, table: Table, out: dict[str, Any]) -> None:
        docs: dict[str, str] = {}
        notes: dict[str, dict[str, Any]] = {}
        if table.unknown is not None:
            out["any_attribute"] = True
            self.missing("attributes", table.unknown)
        for name, found in sorted(table.items(), key=lambda item: str(item[0])):
            if not isinstance(name, str):
                continue
            value = found.value if isinstance(found, Maybe) else found
            out["attributes"][name] = None
            if isinstance(value, str):
                docs[name] = value
                self.refused.append(("texts", name, self.place))
            elif not isinstance(value, Instance) or value.makes != "attribute":
                self.missing(f"attribute {name}", value)
                notes[name] = {"unread": ["type"]}
            else:
                self.attribute(name, value, out, docs, notes)
        if docs:
            out["attribute_docs"] = docs
        if notes:
            out["attribute_notes"] = notes
        if any(what == "texts" for what, _, _ in self.refused):
            out["refused"] = "its attributes are declared as texts, which Heat does not support any more"
        elif self.refused:
            out["refused"] = "an attribute has a type that Heat does not know for attributes"

    def attribute(
        self, name: str, value: Instance, out: dict[str, Any], docs: dict[str, str], notes: dict[str, dict[str, Any]]
    ) -> None:
        kind = value.fields.get("type")
        if isinstance(kind, str):
            out["attributes"][name] = kind.lower()
        elif kind is not None:
            self.missing(f"the type of the attribute {name}", kind)
            notes.setdefault(name, {})["unread"] = ["type"]
        if "refused" in value.fields:
            self.refused.append(("type", name, value.place))
        if isinstance(words := value.fields.get("description"), str):
            docs[name] = words
        if value.fields.get("cache_mode") == "cache_none":
            notes.setdefault(name, {})["cache"] = "none"
        if found := self.support(value.fields.get("support_status")):
            notes.setdefault(name, {})["support"] = found

    # Properties

    def table(self, table: Table, path: str, depth: int, out: dict[str, Any], key: str) -> dict[str, Any]:
        """The schemas of the properties in a table. If the table may have more keys, `out[key]` becomes True."""
        found = {}
        if table.unknown is not None:
            out[key] = True
            self.missing(f"properties of {path}" if path else "properties", table.unknown)
        for name, value in sorted(table.items(), key=lambda item: str(item[0])):
            if isinstance(name, str):
                found[name] = self.property(value, f"{path}.{name}" if path else name, depth)
        return found

    def property(self, given: Value, path: str, depth: int) -> dict[str, Any]:
        """The schema of one property."""
        self.run.pay(1, self.place)
        self.count += 1
        if self.count > PROPERTIES:
            raise Limited(f"a type has more than {PROPERTIES:,} properties", self.place)
        doubtful = isinstance(given, Maybe)
        value = given.value if isinstance(given, Maybe) else given
        if isinstance(value, Table):
            value = legacy(self.run, value, self.place)
        if not isinstance(value, Instance) or value.makes != "property":
            self.missing(path, value)
            return {"type": "any", "unread": ["constraints", "default", "required", "schema", "type"]}
        fields, unread = value.fields, set[str]()
        out: dict[str, Any] = {"type": self.kind(fields.get("type"), path, unread)}
        for name, key, usual in (("required", "required", False), ("update_allowed", "update", False),
                                 ("immutable", "immutable", False), ("implemented", "implemented", True)):  # fmt: skip
            truth = self.run.truth(fields.get(name, usual))
            if truth is None:
                self.missing(f"{name} of {path}", fields[name])
                unread.add(name)
            elif truth is not usual:
                out[key] = truth
        self.default(fields.get("default"), path, out, unread)
        self.constraints(fields.get("constraints"), path, out, unread)
        self.inner(fields.get("schema"), path, depth, out, unread)
        if isinstance(words := fields.get("description"), str):
            out["doc"] = words
        if found := self.support(fields.get("support_status")):
            out["support"] = found
            if found.get("status") == "HIDDEN":
                out["hidden"] = True
            elif "status" in found:
                out["status"] = found["status"].lower()
        if self.notes and isinstance(fields.get("notes"), dict):
            out.update(fields["notes"])
        if doubtful:
            self.missing(path, Opaque("whether there is such a property is not known", value.place))
            out.pop("required", None)
            out.pop("default", None)
            unread |= {"required", "default", "presence"}
        if unread:
            out["unread"] = sorted(unread)
        return out

    def kind(self, value: Value, path: str, unread: set[str]) -> str:
        if isinstance(value, str):
            return value.lower()
        self.missing(f"the type of {path}", value)
        unread |= {"type", "schema"}
        return "any"

    def default(self, value: Value, path: str, out: dict[str, Any], unread: set[str]) -> None:
        if isinstance(value, Opaque) and value.default is not MISSING:
            self.configured.append((path, value))
            value = value.default
        found = plain(value)
        if found is MISSING:
            self.missing(f"the default of {path}", value)
            unread.add("default")
        elif found is not None:
            out["default"] = found

    def constraints(self, value: Value, path: str, out: dict[str, Any], unread: set[str]) -> None:
        if value is None or value is MISSING:
            return
        if not isinstance(value, list | tuple):
            if self.run.truth(value) is not False:
                self.missing(f"the constraints of {path}", value)
                unread.add("constraints")
            return
        found = []
        for one in value:
            why: Value = one.value if isinstance(one, Maybe) else one
            made = None
            if isinstance(one, Instance) and one.makes in heat.ARGUMENTS:
                made, why = heat.constraint(one)
            if made is None:
                self.missing(f"a constraint of {path}", why)
                unread.add("constraints")
            else:
                found.append(made)
        if found:
            out["constraints"] = found

    def inner(self, value: Value, path: str, depth: int, out: dict[str, Any], unread: set[str]) -> None:
        """Adds the schema of the entries of a map, or of the items of a list."""
        if value is None:
            return
        if depth >= DEPTH and isinstance(value, Instance | Table):
            self.missing(f"the schema of {path}", Opaque(f"it is deeper than {DEPTH}", self.place))
            unread.add("schema")
        elif isinstance(value, Instance) and value.makes == "property":
            out["items"] = self.property(value, f"{path}.*", depth + 1)
        elif isinstance(value, Table):
            partly: dict[str, Any] = {}
            out["fields"] = self.table(value, path, depth + 1, partly, "open")
            if partly:
                unread.add("schema")
        else:
            self.missing(f"the schema of {path}", value)
            unread.add("schema")

    def support(self, value: Value) -> dict[str, Any]:
        """A support status without the values that are the default; empty for SUPPORTED."""
        if not isinstance(value, Instance) or value.makes != "support":
            return {}
        out: dict[str, Any] = {}
        status = value.fields.get("status", "SUPPORTED")
        if isinstance(status, str) and status != "SUPPORTED":
            if status not in heat.STATUSES:
                return {"status": "UNKNOWN", "message": "Specified status is invalid, defaulting to UNKNOWN"}
            out["status"] = status
        for key in ("version", "message"):
            if (found := value.fields.get(key)) is not None and not is_opaque(found):
                out[key] = plain(found)
        if before := self.support(value.fields.get("previous_status")):
            out["previous"] = before
        if value.fields.get("substitute_class") is not None:
            out["substituted"] = True
        return out

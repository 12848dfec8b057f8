"""Turns the schemas of a resource class into facts like those of the catalog.

Invariant: a fact that could not be read is named in `unread`, and no template is refused because of it.
"""

from __future__ import annotations

import inspect
from typing import Any, final

from transpile.plugins import behaviour, heat, physical_ids
from transpile.plugins.legacy import convert_to_json, read_legacy_schema
from transpile.plugins.machine import Limited, PluginMachine
from transpile.plugins.values import (
    MISSING,
    ClassValue,
    FunctionValue,
    InstanceValue,
    Maybe,
    NodePlace,
    OpaqueValue,
    TableValue,
    Value,
    is_opaque,
)
from transpile.schema import coercion
from transpile.schema.catalog.build import note_translations
from transpile.schema.constraints import explain_failure

PROPERTIES = 10_000  # of one type; the largest known one has a twentieth
DEPTH = 12  # of properties inside properties
NOT_READ = "it is not read"


@final
class SchemaReader:
    """Reads the schemas of one class. `unread`: the names of facts that could not be read, with reasons; `configured`:
    defaults that an operator may change; `refused`: why Heat refuses the type.
    """

    def __init__(self, run: PluginMachine, cls: ClassValue, place: NodePlace) -> None:
        self.run, self.cls, self.place = run, cls, place
        self.unread: list[tuple[str, OpaqueValue]] = []
        self.configured: list[tuple[str, OpaqueValue]] = []
        self.refused: list[tuple[str, str, NodePlace | None]] = []
        self.base_unknown = next((ancestor for ancestor in cls.mro if isinstance(ancestor, OpaqueValue)), None)
        self.notes = True
        self.count = 0

    def note_unread(self, part: str, why: Value) -> None:
        """Notes a fact that could not be read."""
        self.unread.append((part, why if isinstance(why, OpaqueValue) else OpaqueValue(NOT_READ, self.place)))

    def list_unread(self) -> tuple[str, ...]:
        """The names of the facts that could not be read, each once; "base class" comes first."""
        base = ["base class"] if self.base_unknown is not None else []
        return tuple(dict.fromkeys([*base, *(part for part, _ in self.unread)]))

    # Types

    def read_type(self) -> dict[str, Any]:
        """The facts about the type."""
        out: dict[str, Any] = {"properties": {}, "attributes": {}}
        own = self.cls.find_member("translation_rules")
        self.notes = not isinstance(own, FunctionValue)
        schema = self.cls.find_member("properties_schema")
        if isinstance(schema, TableValue):
            out["properties"] = self.read_table(schema, "", 0, out, "open")
        elif schema is MISSING and self.cls.odd is None:
            self.refused.append(("schema", "", self.place))
            out["refused"] = "its class has no properties_schema"
        elif schema is not None:
            out["open"] = True
            self.note_unread("properties", schema)
        attributes = self.cls.find_member("attributes_schema")
        if isinstance(attributes, TableValue):
            self.read_attributes(attributes, out)
        elif attributes is not None and attributes is not MISSING:
            out["any_attribute"] = True
            self.note_unread("attributes", attributes)
        if self.cls.odd is not None:
            out["open"] = out["any_attribute"] = True
            self.note_unread("the class", self.cls.odd)
        self.read_details(out)
        if any(part == "default" for part, _, _ in self.refused):
            out["refused"] = "the default of a property violates its own constraints"
        if isinstance(own, FunctionValue):
            self.read_translations(own, out["properties"])
        if out.get("open"):
            for property_facts in out["properties"].values():
                if property_facts.pop("required", False):
                    property_facts["unread"] = sorted({*property_facts.get("unread", ()), "required"})
        return out

    def read_details(self, out: dict[str, Any]) -> None:
        """Adds the facts about the type itself: description, client, support status, update policy, reference."""
        doc = self.cls.names.get("__doc__")
        if isinstance(doc, str) and doc:
            out["doc"] = inspect.cleandoc(doc)
        client = self.cls.find_member("default_client_name")
        if isinstance(client, str) and client:
            out["client"] = client
        extension = self.cls.find_member("required_service_extension")
        if isinstance(extension, str) and extension:
            out["extension"] = [extension]
        elif isinstance(extension, tuple | list) and all(isinstance(name, str) for name in extension):
            out["extension"] = list(extension)
        if status := self.read_support(self.cls.find_member("support_status")):
            out["support"] = status
            if status.get("status") in ("HIDDEN", "DEPRECATED"):
                out["status"] = status["status"].lower()
        limit = self.cls.find_member("physical_resource_name_limit")
        limit = limit.default if isinstance(limit, OpaqueValue) else limit
        if type(limit) is int and limit != 255:
            out["name_limit"] = limit
        policy = self.cls.find_member("update_policy_schema")
        if isinstance(policy, TableValue) and policy:
            out["update_policy"] = self.read_table(policy, "update_policy", 0, {}, "open")
        if behaviour.overrides_method(self.cls, "custom_attr", "get_attribute", "FnGetAtt"):
            out["any_attribute"] = True
        if any(
            isinstance(ancestor, ClassValue)
            and ancestor.name == "NoneResource"
            and ancestor.module.endswith("none_resource")
            for ancestor in self.cls.lineage()
        ):
            out["any"] = True
        if (snapshot := behaviour.supports_snapshots(self.cls)) is not False:
            out["snapshot"] = "?" if snapshot is None else True
        if (ref := behaviour.find_reference_kind(self.run, self.cls, self.place)) != "id":
            out["ref"] = ref
        if physical_ids.lacks_physical_id(self.cls):
            out["without_id"] = True

    def read_translations(self, function: FunctionValue, properties: dict[str, Any]) -> None:
        """Adds the translation rules to the schemas of properties: from which property each takes its value."""
        rules = behaviour.evaluate_method(self.run, self.cls, self.place, function, "id")
        if rules is None:
            return
        if not isinstance(rules, list | tuple):
            self.note_unread("translation rules", rules)
            return
        translations = []
        for value in rules:
            rule = behaviour.read_translation_rule(value)
            if rule is None:
                self.note_unread("a translation rule", value)
            else:
                translations.append(rule)
        try:
            note_translations(properties, translations)
        except (KeyError, ValueError, AssertionError, TypeError):
            self.note_unread("translation rules", OpaqueValue("they name properties that are not known", self.place))

    # Attributes

    def read_attributes(self, table: TableValue, out: dict[str, Any]) -> None:
        docs: dict[str, str] = {}
        notes: dict[str, dict[str, Any]] = {}
        if table.unknown is not None:
            out["any_attribute"] = True
            self.note_unread("attributes", table.unknown)
        for name, declared in sorted(table.items(), key=lambda item: str(item[0])):
            if not isinstance(name, str):
                continue
            value = declared.value if isinstance(declared, Maybe) else declared
            out["attributes"][name] = None
            if isinstance(value, str):
                docs[name] = value
                self.refused.append(("texts", name, self.place))
            elif not isinstance(value, InstanceValue) or value.makes != "attribute":
                self.note_unread(f"attribute {name}", value)
                notes[name] = {"unread": ["type"]}
            else:
                self.attribute(name, value, out, docs, notes)
        if docs:
            out["attribute_docs"] = docs
        if notes:
            out["attribute_notes"] = notes
        if any(part == "texts" for part, _, _ in self.refused):
            out["refused"] = "its attributes are declared as texts, which Heat does not support any more"
        elif any(part == "type" for part, _, _ in self.refused):
            out["refused"] = "an attribute has a type that Heat does not know for attributes"

    def attribute(
        self,
        name: str,
        value: InstanceValue,
        out: dict[str, Any],
        docs: dict[str, str],
        notes: dict[str, dict[str, Any]],
    ) -> None:
        kind = value.fields.get("type")
        if isinstance(kind, str):
            out["attributes"][name] = kind.lower()
        elif kind is not None:
            self.note_unread(f"the type of the attribute {name}", kind)
            notes.setdefault(name, {})["unread"] = ["type"]
        if "refused" in value.fields:
            self.refused.append(("type", name, value.place))
        if isinstance(words := value.fields.get("description"), str):
            docs[name] = words
        if value.fields.get("cache_mode") == "cache_none":
            notes.setdefault(name, {})["cache"] = "none"
        if status := self.read_support(value.fields.get("support_status")):
            notes.setdefault(name, {})["support"] = status

    # Properties

    def read_table(self, table: TableValue, path: str, depth: int, out: dict[str, Any], key: str) -> dict[str, Any]:
        """The schemas of the properties in a table. If the table may have more keys, `out[key]` becomes True."""
        properties = {}
        if table.unknown is not None:
            out[key] = True
            self.note_unread(f"properties of {path}" if path else "properties", table.unknown)
        for name, value in sorted(table.items(), key=lambda item: str(item[0])):
            if isinstance(name, str):
                properties[name] = self.read_property(value, f"{path}.{name}" if path else name, depth)
        return properties

    def read_property(self, declared: Value, path: str, depth: int) -> dict[str, Any]:
        """The schema of one property."""
        self.run.pay(1, self.place)
        self.count += 1
        if self.count > PROPERTIES:
            raise Limited(f"a type has more than {PROPERTIES:,} properties", self.place)
        doubtful = isinstance(declared, Maybe)
        value = declared.value if isinstance(declared, Maybe) else declared
        if isinstance(value, TableValue):
            value = read_legacy_schema(self.run, value, self.place)
        if not isinstance(value, InstanceValue) or value.makes != "property":
            self.note_unread(path, value)
            return {"type": "any", "unread": ["constraints", "default", "required", "schema", "type"]}
        fields, unread = value.fields, set[str]()
        out: dict[str, Any] = {"type": self.read_kind(fields.get("type"), path, unread)}
        for name, key, usual in (("required", "required", False), ("update_allowed", "update", False),
                                 ("immutable", "immutable", False), ("implemented", "implemented", True)):  # fmt: skip
            truth = self.run.evaluate_truth(fields.get(name, usual))
            if truth is None:
                self.note_unread(f"{name} of {path}", fields[name])
                unread.add(name)
            elif truth is not usual:
                out[key] = truth
        self.read_default(fields.get("default"), path, out, unread)
        self.read_constraints(fields.get("constraints"), path, out, unread)
        self.read_inner_schema(fields.get("schema"), path, depth, out, unread)
        if isinstance(words := fields.get("description"), str):
            out["doc"] = words
        if status := self.read_support(fields.get("support_status")):
            out["support"] = status
            if status.get("status") == "HIDDEN":
                out["hidden"] = True
            elif "status" in status:
                out["status"] = status["status"].lower()
        if self.notes and isinstance(fields.get("notes"), dict):
            out.update(fields["notes"])
        if doubtful:
            self.note_unread(path, OpaqueValue("whether there is such a property is not known", value.place))
            out.pop("required", None)
            out.pop("default", None)
            unread |= {"required", "default", "presence"}
        if unread:
            out["unread"] = sorted(unread)
        return out

    def read_kind(self, value: Value, path: str, unread: set[str]) -> str:
        if isinstance(value, str):
            return value.lower()
        self.note_unread(f"the type of {path}", value)
        unread |= {"type", "schema"}
        return "any"

    def read_default(self, value: Value, path: str, out: dict[str, Any], unread: set[str]) -> None:
        if isinstance(value, OpaqueValue) and value.default is not MISSING:
            self.configured.append((path, value))
            value = value.default
        default = convert_to_json(value)
        if default is MISSING:
            self.note_unread(f"the default of {path}", value)
            unread.add("default")
        elif default is not None:
            out["default"] = default

    def read_constraints(self, value: Value, path: str, out: dict[str, Any], unread: set[str]) -> None:
        if value is None or value is MISSING:
            return
        if not isinstance(value, list | tuple):
            if self.run.evaluate_truth(value) is not False:
                self.note_unread(f"the constraints of {path}", value)
                unread.add("constraints")
            return
        constraints = []
        for constraint in value:
            why: Value = constraint.value if isinstance(constraint, Maybe) else constraint
            made = None
            if isinstance(constraint, InstanceValue) and constraint.makes in heat.ARGUMENTS:
                made, why = heat.read_constraint(constraint)
            if made is None:
                self.note_unread(f"a constraint of {path}", why)
                unread.add("constraints")
            else:
                constraints.append(made)
        if constraints:
            out["constraints"] = constraints
            self.check_default(path, out)

    def check_default(self, path: str, out: dict[str, Any]) -> None:
        """Notes a default that violates a constraint of its own property: with one, Heat cannot load the module."""
        convert = coercion.ALLOWED.get(out["type"], lambda limit: limit)
        budget = self.place.unit.source.budget
        for kind, limits, *_ in out["constraints"] if "default" in out else ():
            if kind != "custom_constraint":
                try:
                    reason = explain_failure(kind, limits, out["default"], convert, budget=budget)
                except (TypeError, ValueError) as e:
                    reason = str(e)
                if reason:
                    self.refused.append(("default", f"the default of {path}: {reason}", self.place))
                    return

    def read_inner_schema(self, value: Value, path: str, depth: int, out: dict[str, Any], unread: set[str]) -> None:
        """Adds the schema of the entries of a map, or of the items of a list."""
        if value is None:
            return
        if depth >= DEPTH and isinstance(value, InstanceValue | TableValue):
            self.note_unread(f"the schema of {path}", OpaqueValue(f"it is deeper than {DEPTH}", self.place))
            unread.add("schema")
        elif isinstance(value, InstanceValue) and value.makes == "property":
            out["items"] = self.read_property(value, f"{path}.*", depth + 1)
        elif isinstance(value, TableValue):
            partly: dict[str, Any] = {}
            out["fields"] = self.read_table(value, path, depth + 1, partly, "open")
            if partly:
                unread.add("schema")
        else:
            self.note_unread(f"the schema of {path}", value)
            unread.add("schema")

    def read_support(self, value: Value) -> dict[str, Any]:
        """A support status without the values that are the default; empty for SUPPORTED."""
        if not isinstance(value, InstanceValue) or value.makes != "support":
            return {}
        out: dict[str, Any] = {}
        status = value.fields.get("status", "SUPPORTED")
        if isinstance(status, str) and status != "SUPPORTED":
            if status not in heat.STATUSES:
                return {"status": "UNKNOWN", "message": "Specified status is invalid, defaulting to UNKNOWN"}
            out["status"] = status
        for key in ("version", "message"):
            if (field := value.fields.get(key)) is not None and not is_opaque(field):
                out[key] = convert_to_json(field)
        if before := self.read_support(value.fields.get("previous_status")):
            out["previous"] = before
        if value.fields.get("substitute_class") is not None:
            out["substituted"] = True
        return out

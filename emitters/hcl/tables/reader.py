"""Reads mapping tables strictly, from the plain values of their YAML.

Invariant: an invalid table raises `TableError`, with the keys that lead to the error.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeAlias, final

from emitters.hcl.tables.mapping import (
    UUID,
    ArgumentRule,
    AttributeRule,
    BlockRule,
    DropRule,
    EachRule,
    EmbedRule,
    HookRule,
    ImpliedRule,
    JoinedText,
    NameLookup,
    Rule,
    TextRule,
    TypeMapping,
)
from emitters.hcl.tables.provider import CONFIGURATION, Providers, parse_type
from emitters.hcl.tables.spelling import NAME
from emitters.hcl.tree.types import ANY, BOOL, MAP_OF_STRINGS, NUMBER, STRING, STRINGS, HclType
from transpile.diagnostics import codes
from transpile.diagnostics.model import did_you_mean
from transpile.model.lazy_patterns import compile_lazily
from transpile.model.records import EMPTY, node, replace
from transpile.model.words import join_words
from transpile.report import NO_VALUE
from transpile.schema import catalog

FROM_HEAT = {
    "string": STRING,
    "integer": NUMBER,
    "number": NUMBER,
    "boolean": BOOL,
    "list": STRINGS,
    "map": MAP_OF_STRINGS,
}
TREATMENTS = ("native", "folded", "embedded", "provider", "dropped")
Path: TypeAlias = tuple[str, ...]


class TableError(ValueError):
    """A mapping table is invalid. path: the keys that lead to the error."""

    def __init__(self, path: Path, message: str, hint: str = "") -> None:
        super().__init__(f"{'.'.join(path)}: {message}" if path else message)
        self.path, self.hint = path, hint


def check_map(path: Path, value_map: Any, value_types: Mapping[str, Any] | None = None) -> Mapping[str, Any]:
    """Checks a map of a table and returns it. value_types: the keys that it may have, with the types of their values;
    None if it may have any keys. Raises TableError.
    """
    if not isinstance(value_map, dict):
        raise TableError(path, "this must be a map")
    for key, value in value_map.items():
        if not isinstance(key, str):
            raise TableError(path, f"the key {key} must be a string")
        if value_types is None:
            continue
        if key not in value_types:
            raise TableError((*path, key), f"there is no key {key} here", did_you_mean(key, value_types))
        if not isinstance(value, value_types[key]):
            raise TableError((*path, key), f"{key} must be {TYPES_IN_WORDS[value_types[key]]}")
    return value_map


TYPES_IN_WORDS: Mapping[Any, str] = {
    str: "a string",
    bool: "true or false",
    int: "a whole number",
    dict: "a map",
    list: "a list",
    (str, dict): "a string or a map",
    (str, bool): "true or a string",
}
WITH_LOOKUP: Mapping[str, Any] = {"lookup": str, "result": str}
PLAIN_KEYS = ("result", "generated", "empty", "json", "values", "unsent", "stored")  # keys that need no reading
# The verb of a rule for a property, and the keys that such a rule takes. A hook takes those of `to`, too, and leaves
# their meaning to the function.
VERBS: Mapping[str, Mapping[str, Any]] = {
    "to": {
        **dict.fromkeys(("to", "lookup", "result", "text", "stored"), str),
        **dict.fromkeys(("generated", "empty", "json"), bool),
        **dict.fromkeys(("write", "unsent"), object),
        "values": dict,
    },
    "block": {"block": str, "fields": dict},
    "each": {"each": str, "item": str, **WITH_LOOKUP, "fields": dict, "owner": dict, "constants": dict},
    "drop": {"drop": str, "unless": object, "code": str},
    "implied": {"implied": str},
    "embed": {"embed": str, "empty": bool},
    "hook": {"hook": str, "keys": dict, "unset": (str, bool), "literal": str},
}
RULE_KEYS: Mapping[str, Any] = {key: type_ for keys in VERBS.values() for key, type_ in keys.items()}
OF_HOOKS = ("to", "block", "each")  # verbs that a rule may have together with `hook`
OF_FIELDS = ("to", "block", "drop", "implied", "embed")  # verbs of the rules for fields
CODES = (
    codes.PROPERTY_WITHOUT_COUNTERPART,
    codes.PROPERTY_IGNORED_BY_HEAT,
)  # of the diagnostics for dropped properties
STORED = ("address", "cidr", "lower", "mac", "networks")
KIND_KEYS: Mapping[str, Any] = {
    "treatment": str,
    "resource": str,
    "reference": (str, dict),
    "properties": dict,
    "attributes": dict,
    "show": dict,
    "constants": dict,
    "hook": str,
    "finish": str,
    "named": list,
    "differs": str,
    "why": str,
    "stays_with": list,
    "provider": str,
    "prefer": (str, dict),
}
REFERENCE_KEYS: Mapping[str, Any] = {"to": str, "part": int, "text": str}
PREFER_KEYS: Mapping[str, Any] = {"treatment": str, "hook": str, "why": str}
WHY_PREFERRED: Mapping[str, str] = {  # the reasons of hooks that do the same for every type
    "left_out": "it is left out if nothing else needs it",
    "unscaled": "a group of fixed size does not need it",
    "unheard": "nobody receives its signals",
    "unwaited": "nobody waits for its signals",
}
LOOKUP_KEYS: Mapping[str, Any] = {
    "data": str,
    "what": str,
    "name": str,
    "id": str,
    "of": list,
    "ids": str,
    "with": dict,
}


@final
@node
class RuleSite:
    """The place of a rule in its table. path: the keys that lead to it. resource: the type whose arguments it writes.
    schema: Heat's schema of the property or field. block: the blocks around the arguments, each followed by a dot.
    field: whether the rule is for a field, and not for a whole property.
    """

    path: Path
    resource: str
    schema: catalog.PropertySchema = EMPTY  # type: ignore[assignment]  # a schema without keys
    block: str = ""
    field: bool = False


@final
class TableReader:
    """Reads the entries of a table. lookups: those that the entries may name. providers: the types of arguments."""

    def __init__(self, lookups: Mapping[str, NameLookup], providers: Providers) -> None:
        self.lookups, self.providers = lookups, providers

    def read_rule(self, at: RuleSite, value: Any) -> Rule:
        """A rule: a map, or a word for `to`."""
        keys = check_map(at.path, {"to": value} if isinstance(value, str) else value, RULE_KEYS)
        verb = find_verb(at.path, keys)
        if at.field and verb not in OF_FIELDS:
            raise TableError((*at.path, verb), f"a field takes no {verb}, which is for whole properties")
        match verb:
            case "to" if "text" in keys:
                return self.read_text_rule(at, keys)
            case "to":
                return self.read_argument_rule(at, keys)
            case "block":
                name = check_terraform_name((*at.path, "block"), keys["block"])
                return BlockRule(name, self.read_fields(at, keys, f"{at.block}{name}."))
            case "each":
                return self.read_each_rule(at, keys)
            case "drop":
                check_choice(at.path, keys, "code", CODES)
                return DropRule(keys["drop"], keys.get("unless"), keys.get("code", CODES[0]))
            case "implied":
                return ImpliedRule(keys["implied"])
            case "embed":
                return EmbedRule(keys["embed"], keys.get("empty", False))
            case _:
                return self.read_hook_rule(at, keys)

    def read_argument_rule(self, at: RuleSite, keys: Mapping[str, Any]) -> ArgumentRule:
        name, write, lookup = keys.get("lookup"), keys.get("write"), None
        if name is None and "result" in keys:
            raise TableError((*at.path, "result"), "result is allowed only with lookup")
        if name is not None and (lookup := self.lookups.get(name)) is None:
            raise TableError((*at.path, "lookup"), f"there is no lookup {name}", did_you_mean(name, self.lookups))
        if not all(isinstance(word, str) for word in keys.get("values", {}).values()):
            raise TableError((*at.path, "values"), "values must be strings")
        check_choice(at.path, keys, "stored", STORED)
        if write is True and "default" in at.schema:
            write = at.schema["default"]
        to, shared = split_argument_path(at, keys.get("to", ""))
        simple = {key: keys[key] for key in PLAIN_KEYS if key in keys}
        return ArgumentRule(
            to, self.find_argument_type(at.resource, to, at.schema), shared, lookup, write=write, **simple
        )

    def read_text_rule(self, at: RuleSite, keys: Mapping[str, Any]) -> TextRule:
        if wrong := [key for key in keys if key not in ("to", "text")]:
            raise TableError((*at.path, wrong[0]), f"text is allowed only with to, and not with {wrong[0]}")
        to, shared = split_argument_path(at, keys["to"])
        return TextRule(
            to, read_joined_text((*at.path, "text"), keys["text"]), self.find_argument_type(at.resource, to, {}), shared
        )

    def read_each_rule(self, at: RuleSite, keys: Mapping[str, Any]) -> EachRule:
        if ("item" in keys) == ("fields" in keys):
            raise TableError(at.path, "each needs item, the argument for an item, or fields, the rules for its fields")
        at, item = replace(at, resource=check_terraform_name((*at.path, "each"), keys["each"])), None
        if "item" in keys:
            of_item = {"to": check_terraform_name((*at.path, "item"), keys["item"])}
            of_item |= {key: keys[key] for key in WITH_LOOKUP if key in keys}
            item = self.read_argument_rule(replace(at, schema=at.schema.get("items", {})), of_item)
        elif "lookup" in keys:
            raise TableError((*at.path, "lookup"), "lookup belongs next to item; each of the fields may have its own")
        owner, constants = keys.get("owner", EMPTY), keys.get("constants", EMPTY)
        for argument, attribute in owner.items():
            if not isinstance(attribute, str):
                raise TableError((*at.path, "owner", argument), "this must be an attribute of the main resource")
            check_terraform_name((*at.path, "owner", argument), attribute)
        for path in [(*at.path, section, name) for section in ("owner", "constants") for name in keys.get(section, ())]:
            check_terraform_name(path, path[-1])
        return EachRule(at.resource, item, self.read_fields(at, keys, ""), owner, constants)

    def read_hook_rule(self, at: RuleSite, keys: Mapping[str, Any]) -> HookRule:
        """A hook, with a rule made from the other keys: those of another verb, or only some of those of `to`."""
        other_keys = {key: value for key, value in keys.items() if key not in VERBS["hook"]}
        inner = None
        if any(verb in other_keys for verb in OF_HOOKS):
            inner = self.read_rule(at, other_keys)
        elif other_keys:
            inner = self.read_argument_rule(at, other_keys)
        assert inner is None or isinstance(inner, (ArgumentRule, BlockRule, EachRule))
        return HookRule(
            keys["hook"],
            inner,
            self.read_rules(replace(at, path=(*at.path, "keys")), keys.get("keys", {}), {}),
            NO_VALUE if keys.get("unset") is True else keys.get("unset") or "",
            keys.get("literal", ""),
            "maps" if at.schema.get("items", {}).get("type") == "map" else at.schema.get("type", ""),
        )

    def read_rules(self, at: RuleSite, value: Any, schemas: Mapping[str, catalog.PropertySchema]) -> Mapping[str, Rule]:
        """The rules for properties, or fields."""
        return {
            name: self.read_rule(replace(at, path=(*at.path, name), schema=schemas.get(name, {})), rule)
            for name, rule in check_map(at.path, value).items()
        }

    def read_fields(self, at: RuleSite, keys: Mapping[str, Any], block: str) -> Mapping[str, Rule]:
        """The rules for the fields of a property's maps."""
        inside = replace(at, path=(*at.path, "fields"), block=block, field=True)
        return self.read_rules(inside, keys.get("fields", {}), field_schemas(at.schema))

    def find_argument_type(self, resource: str, argument: str, schema: catalog.PropertySchema) -> HclType:
        """The type of an argument, as the provider declares it, or else as Heat does for the property."""
        facts = self.providers.find_argument(resource, argument)
        return parse_type(facts["type"]) if facts else self.type_from_heat(schema, resource)

    def type_from_heat(self, schema: catalog.PropertySchema, resource: str) -> HclType:
        """The type of an argument of which the provider's schema is missing: the type of the property in Heat. Heat
        does not know how the provider arranges fields, so an argument with fields has any type.
        """
        if (
            resource
            and not self.providers.find_schema(resource)
            and ("fields" in schema or "fields" in schema.get("items", {}))
        ):
            return ANY
        return FROM_HEAT.get(schema.get("type", "string"), STRING)

    def attribute(self, path: Path, row: Any, resource: str) -> AttributeRule:
        """An attribute, with the type that the provider declares."""
        if row is None:
            return AttributeRule()
        if isinstance(row, str):
            row = {"to": row}
        row = check_map(path, row, {"to": str, "hook": str, "none": str, "given": bool})
        to = check_terraform_name(path, row.get("to", ""))
        kind = parse_type(self.providers.find_argument(resource, to).get("type", "string"))
        return AttributeRule(to, kind, row.get("hook", ""), row.get("none", ""), row.get("given", False))

    def read_mapping(self, name: str, keys: Any, schema: Mapping[str, catalog.PropertySchema]) -> TypeMapping:
        """The mapping of a type. schema: the schemas of its properties."""
        keys = check_map((name,), keys, KIND_KEYS)
        treatment = check_treatment((name,), keys.get("treatment", "native"), TREATMENTS)
        resource, hook = keys.get("resource", ""), keys.get("hook", "")
        check_terraform_name((name, "resource"), resource.removeprefix("data."))
        if treatment == "provider":
            if not resource or "reference" in keys or "provider" in keys:
                raise TableError((name,), "a provider needs resource, and takes no reference and no provider")
            resource, hook = CONFIGURATION + resource, "provider_configuration"
        if treatment == "dropped":
            if not keys.get("why") or set(keys) - {"treatment", "why"}:
                raise TableError((name,), "a dropped type has only why, the reason")
            hook = "dropped_resource"
        reference = keys.get("reference", "")
        if isinstance(reference, str):
            reference = {"to": reference}
        check_map((name, "reference"), reference, REFERENCE_KEYS)
        check_terraform_name((name, "reference"), reference.get("to", ""))
        text, whole = reference.get("text", ""), None
        if "${" in text and "to" not in reference:
            text, whole = "", read_joined_text((name, "reference", "text"), text)
        elif "text" in reference and ("to" in reference or text not in ("name", "generated")):
            message = 'text must be name, generated or a text such as "/${partition}/${name}", and excludes to'
            raise TableError((name, "reference"), message)
        attributes, show = (
            {
                word: self.attribute((name, section, word), row, resource)
                for word, row in check_map((name, section), keys.get(section, {})).items()
            }
            for section in ("attributes", "show")
        )
        named = read_words((name, "named"), keys.get("named", ()))
        constants = keys.get("constants") or {}
        for path in [(name, "constants", word) for word in constants] + [(name, "named", word) for word in named]:
            check_terraform_name(path, path[-1])
        simple = {key: keys[key] for key in ("finish", "differs", "why", "provider") if key in keys}
        return TypeMapping(
            name,
            treatment,
            resource,
            reference.get("to", ""),
            reference.get("part"),
            text,
            whole,
            self.read_rules(RuleSite((name, "properties"), resource), keys.get("properties", {}), schema),
            attributes,
            show,
            constants,
            hook,
            named=named,
            stays_with=read_words((name, "stays_with"), keys.get("stays_with", ())),
            other=read_preferred_mapping(name, keys["prefer"]) if "prefer" in keys else None,
            **simple,
        )


def read_words(path: Path, values: Any) -> tuple[str, ...]:
    """A list of strings."""
    if wrong := [value for value in values if not isinstance(value, str)]:
        raise TableError(path, f"{wrong[0]} must be a string")
    return tuple(values)


def field_schemas(schema: catalog.PropertySchema) -> Mapping[str, catalog.PropertySchema]:
    """The fields of a map, or of the maps in a list."""
    return schema.get("fields") or schema.get("items", {}).get("fields") or {}


def find_verb(path: Path, keys: Mapping[str, Any]) -> str:
    """The verb of a rule, a key of VERBS; `hook` in `{ hook: moment, to: expiration }`. Raises TableError for keys that
    do not go with the verb.
    """
    verbs = [verb for verb in VERBS if verb in keys]
    hooked = len(verbs) == 2 and verbs[0] in OF_HOOKS and verbs[1] == "hook"
    if not (len(verbs) == 1 or hooked) or not all(keys[verb] for verb in verbs):
        raise TableError(path, f"exactly one of {join_words(tuple(VERBS))} is required")
    verb = verbs[-1]
    if "text" in keys and verb != "to":
        raise TableError((*path, "text"), f"text is allowed only with to, and not with {verb}")
    allowed = {key for word in verbs for key in VERBS[word]} | (VERBS["to"].keys() if verb == "hook" else set())
    for key in keys:
        if key not in allowed:
            others = [word for word, of_word in VERBS.items() if key in of_word]
            raise TableError((*path, key), f"{key} is allowed only with {join_words(others, 'or')}")
    return verb


def split_argument_path(at: RuleSite, to: str) -> tuple[str, tuple[str, ...]]:
    """The path of an argument in the resource, and the blocks that `to` leads through: `("meta",)` for `meta.name`."""
    steps = [check_terraform_name(at.path, step) for step in to.split(".") if to]
    return at.block + to, tuple(steps[:-1])


def check_terraform_name(path: Path, word: str) -> str:
    """Checks a word that becomes a name in Terraform, and returns it; it may be empty. The printer does not quote
    names, so this check keeps other code out of the output.
    """
    if word and not NAME.fullmatch(word):
        raise TableError(path, f"{word} is no name that Terraform allows")
    return word


def check_choice(path: Path, keys: Mapping[str, Any], key: str, values: tuple[str, ...]) -> None:
    if key in keys and keys[key] not in values:
        raise TableError((*path, key), f"{key} is one of {', '.join(values)}", did_you_mean(keys[key], values))


PLACEHOLDER = compile_lazily(r"\$\$\{|\$\{([^{}]*)\}|\$\{")


def read_joined_text(path: Path, text: str) -> JoinedText:
    """Reads a text with properties: `${name}` is the value of the property name, and `$${` is `${` itself."""
    parts: list[tuple[str, str]] = []
    literal, at = "", 0
    for match in PLACEHOLDER.finditer(text):
        literal += text[at : match.start()]
        at = match.end()
        if match[0] == "$${":
            literal += "${"
            continue
        if not (match[1] or "").strip():
            raise TableError(path, f"{match[0]} names no property", "Write ${name}; $${ stands for ${ itself.")
        parts.append((literal, match[1].strip()))
        literal = ""
    if not parts:
        raise TableError(path, "the text names no property", "Write ${name} for the value of the property name.")
    literal += text[at:]
    return JoinedText((*parts, *([(literal, "")] if literal else [])))


def check_treatment(path: Path, treatment: str, treatments: tuple[str, ...]) -> str:
    if treatment not in treatments:
        raise TableError(
            (*path, "treatment"), f"there is no treatment {treatment} here", did_you_mean(treatment, treatments)
        )
    return treatment


def read_preferred_mapping(name: str, value: Any) -> TypeMapping:
    """Reads the key `prefer`: the conversion of a type with `--prefer native`. A word is the name of the hook."""
    path = (name, "prefer")
    keys = {"hook": value} if isinstance(value, str) else check_map(path, value, PREFER_KEYS)
    keys = {"treatment": "folded", "why": WHY_PREFERRED.get(keys.get("hook", "")), **keys}
    if missing := [key for key in PREFER_KEYS if not keys.get(key)]:
        raise TableError(path, f"{missing[0]} is missing")
    return TypeMapping(
        name, check_treatment(path, keys["treatment"], ("native", "folded")), hook=keys["hook"], why=keys["why"]
    )


def read_lookup(key: str, keys: Any) -> NameLookup:
    check_map((key,), keys, LOOKUP_KEYS)
    if "what" not in keys:
        raise TableError((key,), "what is missing")
    if "with" in keys and "id" in keys:
        raise TableError((key,), "with narrows searches by name, so it excludes id")
    if "data" not in keys and {"name", "id", "with"} & set(keys):
        raise TableError((key,), "name, id and with require a data source (data)")
    return NameLookup(
        key,
        keys.get("data", ""),
        keys["what"],
        keys.get("name", "name"),
        keys.get("id", ""),
        read_words((key, "of"), keys.get("of", ())),
        keys.get("ids", UUID),
        tuple(keys.get("with", {}).items()),
    )

"""The content of a mapping table as records: how each Heat resource type, property and attribute is converted.

Tables are data that an operator can review (docs/mappings.md describes the format). Logic goes into hooks,
which are named in a table and written in `hooks/`. `reader.py` reads a table strictly, `tables.py` has those of a
conversion.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any, TypeAlias, final

from emitters.hcl.tree.types import STRING, HclType
from transpile.diagnostics import codes
from transpile.guarded.patterns import NotCompared, match_pattern
from transpile.model.budget import Budget
from transpile.model.records import EMPTY, node

UUID = "^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$"
HEX = "^[0-9a-f]{32}$"  # IDs of the identity service


@final
@node
class NameLookup:
    """A rule for resolving a name to an ID.

    data: the data source; without one, only names of resources in the template are resolved. noun: a noun for messages,
    such as "network". name, id: the data source's arguments for a search by name and by ID; id is empty if it cannot
    search by ID. of: Heat's types whose resources have such IDs. ids: a regular expression for an ID in lower case,
    valid in Python and in Terraform. more: arguments that narrow every search by name.
    """

    key: str
    data: str  # empty if there is none
    noun: str
    name: str = "name"
    id: str = ""
    of: tuple[str, ...] = ()
    ids: str = UUID
    more: tuple[tuple[str, Any], ...] = ()


@final
@node
class JoinedText:
    """A text made of several properties: `"/${partition}/${name}"`.

    The parts are literals, each with the name of the property whose value follows it. The last name is empty if the
    text ends in a literal.
    """

    parts: tuple[tuple[str, str], ...]

    def __str__(self) -> str:
        return "".join(part.replace("${", "$${") + (f"${{{name}}}" if name else "") for part, name in self.parts)

    @property
    def property_names(self) -> tuple[str, ...]:
        """The properties, each once."""
        return tuple(dict.fromkeys(name for _, name in self.parts if name))


class RuleBase:
    """The attributes that all classes of rules have, for code that walks over rules."""

    __slots__ = ()

    @property
    def to(self) -> str:
        """The path, in the resource, of the argument that the rule writes; empty for rules that write no argument."""
        return ""

    @property
    def shared_blocks(self) -> tuple[str, ...]:
        """The blocks that the argument is in, if several properties share them: `("meta",)` for `to: meta.name`."""
        return ()

    @property
    def argument_name(self) -> str:
        """The argument without the blocks around it."""
        return self.to.rpartition(".")[2]

    @property
    def path_in_block(self) -> str:
        """The argument with the blocks that it shares, but without the block around a field: `meta.name`."""
        return ".".join((*self.shared_blocks, self.argument_name))

    @property
    def fields(self) -> Mapping[str, Rule]:
        """The rules for the fields of the property's maps."""
        return EMPTY

    @property
    def written_name(self) -> str:
        """The name of the argument or nested block that the rule writes into the block around it."""
        return self.shared_blocks[0] if self.shared_blocks else self.argument_name


@final
@node
class ArgumentRule(RuleBase):
    """`to`: the property becomes an argument.

    to: its path in the resource, including the blocks around a field. lookup, result: the value may be a name, which is
    resolved to this attribute. write: the value to write if the template does not set the property. generated: Heat
    makes up a name if there is none. empty: an empty string or list means "not set". json: values of the map other than
    strings are sent as JSON, null included. values: literals with another spelling in the provider. unsent: a value
    that the provider never sends. stored: the form in which the service stores it.
    """

    to: str = ""
    type: HclType = STRING
    shared_blocks: tuple[str, ...] = ()
    lookup: NameLookup | None = None
    result: str = "id"
    write: Any = None
    generated: bool = False
    empty: bool = False
    json: bool = False
    values: Mapping[str, str] = EMPTY
    unsent: Any = None
    stored: str = ""

    def describe(self, path: str) -> Iterator[tuple[str, str]]:
        how = f"by name or ID: {self.lookup.data}" if self.lookup is not None and self.lookup.data else "by ID"
        yield path, self.to + (f" ({how})" if self.lookup is not None else "")


NO_ARGUMENT = ArgumentRule()  # of a hook that writes none


@final
@node
class TextRule(RuleBase):
    """`to` with `text`: an argument gets a text made of this property and others."""

    to: str
    text: JoinedText
    type: HclType = STRING
    shared_blocks: tuple[str, ...] = ()

    def describe(self, path: str) -> Iterator[tuple[str, str]]:
        yield path, f"{self.to}, the text {self.text}"


@final
@node
class BlockRule(RuleBase):
    """`block`: the property becomes nested blocks, with rules for the fields of its maps, which may be blocks again."""

    block: str
    fields: Mapping[str, Rule] = EMPTY

    @property
    def written_name(self) -> str:
        return self.block

    def describe(self, path: str) -> Iterator[tuple[str, str]]:
        yield path, f"{self.block} {{}}"
        yield from describe_fields(path, self.fields)


@final
@node
class EachRule(RuleBase):
    """`each`: each item of the property's list becomes a resource of its own.

    resource: its type. item: the argument that an item becomes; without it, items are maps with `fields`. owner: the
    arguments that get attributes of the main resource. constants: arguments that are always written.
    """

    resource: str
    item: ArgumentRule | None = None
    fields: Mapping[str, Rule] = EMPTY
    owner: Mapping[str, str] = EMPTY
    constants: Mapping[str, Any] = EMPTY

    def describe(self, path: str) -> Iterator[tuple[str, str]]:
        yield path, f"{self.resource}, one for each item" + (f", as {self.item.to}" if self.item is not None else "")
        yield from describe_fields(path, self.fields)


@final
@node
class DropRule(RuleBase):
    """`drop`: the property is dropped, for the reason `why`. unless: the literal with which nothing is lost."""

    why: str
    unless: Any = None
    code: str = codes.PROPERTY_WITHOUT_COUNTERPART

    def describe(self, path: str) -> Iterator[tuple[str, str]]:
        harmless = "" if self.unless is None else f", unless it is {json.dumps(self.unless)}"
        yield path, f"dropped ({self.code}){harmless}: {self.why}"


@final
@node
class ImpliedRule(RuleBase):
    """`implied`: nothing needs to be written, for the reason `why`."""

    why: str

    def describe(self, path: str) -> Iterator[tuple[str, str]]:
        yield path, f"not needed: {self.why}"


@final
@node
class EmbedRule(RuleBase):
    """`embed`: a resource that sets the property stays with Heat, for the reason `why`. empty: "" and [] count as
    unset.
    """

    why: str
    empty: bool = False

    def describe(self, path: str) -> Iterator[tuple[str, str]]:
        yield path, f"keeps the resource in Heat: {self.why}"


@final
@node
class HookRule(RuleBase):
    """`hook`: a function writes the property.

    inner: the rule that the other keys make, for the function to use: `to` in `{ hook: moment, to: expiration }`. keys:
    the rules for keys of a map of texts that have arguments of their own. unset: why nothing needs to be written for an
    empty value; without it, the function gets such values, too. literal: a noun for the value, if the function
    needs a literal of the shape that Heat's schema says: a `map`, a `list`, or a list of `maps`.
    """

    hook: str
    inner: ArgumentRule | BlockRule | EachRule | None = None
    keys: Mapping[str, Rule] = EMPTY
    unset: str = ""
    literal: str = ""
    shape: str = ""

    @property
    def argument_rule(self) -> ArgumentRule:
        """The argument that the table names with `to`, for hooks that write one."""
        return self.inner if isinstance(self.inner, ArgumentRule) else NO_ARGUMENT

    @property
    def to(self) -> str:
        return self.argument_rule.to

    @property
    def fields(self) -> Mapping[str, Rule]:
        return self.inner.fields if self.inner is not None else EMPTY

    def describe(self, path: str) -> Iterator[tuple[str, str]]:
        if self.keys:
            yield path, f"{self.to}; {', '.join(self.keys)} have arguments of their own"
        elif self.inner is None or (isinstance(self.inner, ArgumentRule) and not self.to):
            yield path, "handled case by case"
        else:
            yield from self.inner.describe(path)


# How a property is converted: a rule of a table has one of these forms. `TableReader.read_rule` (reader.py) reads it,
# `TableChecks` (checks.py) compares it with the schemas, and `write_rule` (resources/rules.py) writes it. For items of
# a list that is known only at run time, `write_fields_of_item` (resources/items.py) writes it.
Rule: TypeAlias = ArgumentRule | TextRule | BlockRule | EachRule | DropRule | ImpliedRule | EmbedRule | HookRule


def describe_fields(path: str, rules: Mapping[str, Rule]) -> Iterator[tuple[str, str]]:
    """The fields of a property, as paths, each with a description of its conversion."""
    for field, rule in rules.items():
        yield from rule.describe(f"{path}.*.{field}")
    for field in sorted(properties_in_texts(rules)):
        yield f"{path}.*.{field}", "a part of texts"


@final
@node
class AttributeRule:
    """A rule for converting an attribute: to the provider's attribute `to`, or by a hook. Neither is set if Terraform
    has no equivalent; `why` is then the reason, if the table has one.

    only_if_set: `to` has the value only if the template sets the argument. If it does not, the API returns null and the
    provider an empty value.
    """

    to: str = ""
    type: HclType = STRING
    hook: str = ""
    why: str = ""
    only_if_set: bool = False


NO_ATTRIBUTE = AttributeRule()  # that of an attribute which a table does not have


@final
@node
class TypeMapping:
    """The mapping of one resource type: its entry in a table."""

    name: str
    treatment: str
    resource: str = ""
    reference: str = ""  # the attribute that get_resource is converted to; empty if there is none
    part: int | None = None  # the index of the part to take, if the attribute has parts separated by slashes
    text: str = ""  # instead of `reference`: the resource's `name`, or a `generated` name
    joined: JoinedText | None = None  # instead of `reference`: a text made of the resource's properties
    properties: Mapping[str, Rule] = EMPTY
    attributes: Mapping[str, AttributeRule] = EMPTY
    show: Mapping[str, AttributeRule] = EMPTY  # fields of the API object, which Heat's attribute `show` returns
    constants: Mapping[str, Any] = EMPTY
    hook: str = ""  # converts the whole resource
    finish: str = ""  # a hook called when the block is complete
    named: tuple[str, ...] = ()  # arguments that get the name that Heat makes up, for types without a property for it
    differs: str = ""  # how Terraform's behaviour differs from Heat's for every such resource
    why: str = ""
    stays_with: tuple[str, ...] = ()  # types with which it must share a stack if they are kept in Heat
    other: TypeMapping | None = None  # the conversion with `--prefer native`
    provider: str = ""  # the property that refers to the resource which became the provider's configuration

    @property
    def preferred_hook(self) -> str:
        """The hook of the conversion with `--prefer native`; empty if there is none."""
        return self.other.hook if self.other else ""

    @property
    def properties_in_texts(self) -> frozenset[str]:
        """The properties that are only parts of texts."""
        return properties_in_texts(self.properties)


UNMAPPED = TypeMapping("", "unmapped")  # of a type that is not Heat's own


def properties_in_texts(rules: Mapping[str, Rule]) -> frozenset[str]:
    """The properties that are parts of a text and have no rule of their own."""
    names = (name for rule in rules.values() if isinstance(rule, TextRule) for name in rule.text.property_names)
    return frozenset(names) - set(rules)


def looks_like_id(lookup: NameLookup, text: str, budget: Budget) -> bool:
    """Whether a literal looks like an ID. The pattern may be a stranger's."""
    try:
        return match_pattern(lookup.ids, text.lower(), budget, search=True) is not None
    except NotCompared:
        return False


def classify_literals(literals: list[str], lookup: NameLookup, budget: Budget) -> str:
    """The form of all values: "name", "id", or "" if they differ or there are none."""
    if not literals:
        return ""
    ids = [looks_like_id(lookup, v, budget) for v in literals]
    return "id" if all(ids) else "name" if not any(ids) and all(literals) else ""

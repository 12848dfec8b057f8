"""The intrinsic functions of each template version, the forms of their calls, and the spelling of keys in each dialect.

Invariant: a map of one key is a call only if the version of its template has that function; in any other version it is
data. A call in a form that only later versions have is refused. The table is Heat 27's own (spec 1, "Heat template
version").
"""

from __future__ import annotations

import functools
from collections.abc import Mapping
from typing import Literal, final

from transpile.model.records import node

DATES = (
    "2013-05-23",
    "2014-10-16",
    "2015-04-30",
    "2015-10-15",
    "2016-04-08",
    "2016-10-14",
    "2017-02-24",
    "2017-09-01",
    "2018-03-02",
    "2018-08-31",
    "2021-04-16",
)
RELEASES = {
    "newton": "2016-10-14",
    "ocata": "2017-02-24",
    "pike": "2017-09-01",
    "queens": "2018-03-02",
    "rocky": "2018-08-31",
    "wallaby": "2021-04-16",
}

HOT, CFN, HEAT_CFN = "heat_template_version", "AWSTemplateFormatVersion", "HeatTemplateFormatVersion"
VERSION_KEYS = (HOT, CFN, HEAT_CFN)
REGION = "ap-southeast-1"  # Heat's constant value of AWS::Region
URL_TEXTS = ("scheme", "username", "password", "host", "path")  # keys of make_url that are strings


@final
@node
class Intrinsic:
    """One function: the first and last HOT version that has it (`since` None: not in HOT; `until` None: still there),
    and whether CFN templates have it.

    `condition`: the first HOT version that allows it in a condition; `cfn_condition`: whether AWS templates do.
    `shape`: the form of its argument; list+ is a list of two or more items, a pair has exactly two, a triple three. A
    text is anything that may become a string, such as `{get_param: p}`.
    """

    name: str
    since: str | None = None
    until: str | None = None
    cfn: bool = False
    condition: str | None = None
    cfn_condition: bool = False
    value: bool = True
    shape: Literal["any", "text", "map", "list+", "pair", "triple"] = "any"
    keys: tuple[str, ...] = ()  # required keys of a map argument
    optional: tuple[str, ...] = ()  # optional keys of a map argument
    lenient: bool = False  # Heat ignores any other key


ALWAYS = "2013-05-23"
TABLE = (
    Intrinsic("get_param", ALWAYS, condition="2016-10-14"),
    Intrinsic("get_resource", ALWAYS),
    Intrinsic("get_attr", ALWAYS),
    Intrinsic("get_file", ALWAYS),
    Intrinsic("resource_facade", ALWAYS),
    Intrinsic("list_join", ALWAYS, shape="list+"),
    Intrinsic("str_replace", ALWAYS, shape="map", keys=("template", "params"), lenient=True),
    Intrinsic(
        "repeat", "2015-04-30", shape="map", keys=("template", "for_each"), optional=("permutations",), lenient=True
    ),
    Intrinsic("digest", "2015-04-30", shape="pair"),
    Intrinsic("str_split", "2015-10-15", shape="list+"),
    Intrinsic("map_merge", "2016-04-08"),
    Intrinsic("map_replace", "2016-10-14", shape="pair"),
    Intrinsic("yaql", "2016-10-14", condition="2017-09-01", shape="map", keys=("expression",), optional=("data",)),
    Intrinsic("if", "2016-10-14"),
    Intrinsic("str_replace_strict", "2017-02-24", shape="map", keys=("template", "params"), lenient=True),
    Intrinsic("filter", "2017-02-24", shape="pair"),
    Intrinsic("str_replace_vstrict", "2017-09-01", shape="map", keys=("template", "params"), lenient=True),
    Intrinsic("list_concat", "2017-09-01"),
    Intrinsic("list_concat_unique", "2017-09-01"),
    Intrinsic("contains", "2017-09-01", condition="2017-09-01", shape="pair"),
    Intrinsic("make_url", "2017-09-01", shape="map", optional=(*URL_TEXTS, "port", "query", "fragment")),
    Intrinsic("equals", condition="2016-10-14", shape="pair"),
    Intrinsic("not", condition="2016-10-14"),
    Intrinsic("and", condition="2016-10-14", shape="list+"),
    Intrinsic("or", condition="2016-10-14", shape="list+"),
    Intrinsic("Ref", ALWAYS, ALWAYS, cfn=True, cfn_condition=True),
    Intrinsic("Fn::GetAtt", cfn=True),
    Intrinsic("Fn::FindInMap", cfn=True, cfn_condition=True),
    Intrinsic("Fn::Base64", ALWAYS, ALWAYS, cfn=True),
    Intrinsic("Fn::GetAZs", ALWAYS, ALWAYS, cfn=True),
    Intrinsic("Fn::Join", ALWAYS, ALWAYS, cfn=True, shape="pair"),
    Intrinsic("Fn::MemberListToMap", ALWAYS, ALWAYS, cfn=True, shape="triple"),
    Intrinsic("Fn::Replace", ALWAYS, ALWAYS, cfn=True, shape="pair"),
    Intrinsic("Fn::ResourceFacade", ALWAYS, ALWAYS, cfn=True),
    Intrinsic("Fn::Select", ALWAYS, "2015-04-30", cfn=True, shape="pair"),
    Intrinsic("Fn::Split", ALWAYS, ALWAYS, cfn=True, shape="pair"),
    Intrinsic("Fn::If", cfn=True),
    Intrinsic("Fn::Equals", cfn_condition=True, shape="pair"),
    Intrinsic("Fn::Not", cfn_condition=True),
    Intrinsic("Fn::And", cfn_condition=True, shape="list+"),
    Intrinsic("Fn::Or", cfn_condition=True, shape="list+"),
)
INTRINSICS: Mapping[str, Intrinsic] = {row.name: row for row in TABLE}


@final
@node
class Form:
    """A way to call a function that came later than the function. `since`: the first HOT version that has it; `words`:
    its name in a message, after "Version 2014-10-16 has no". CFN templates have none of these forms.
    """

    since: str
    words: str


PLUGIN_PATHS = Form("2014-10-16", "paths of get_attr that the resource itself follows")
SEVERAL_LISTS = Form("2015-10-15", "list_join of several lists")
JSON_IN_TEXTS = Form("2015-10-15", "maps and lists as items of list_join or as values of str_replace")
ALL_ATTRIBUTES = Form("2015-10-15", "get_attr of all attributes")
MAPS_IN_REPEAT = Form("2016-10-14", "maps in for_each of repeat")
PERMUTATIONS = Form("2017-09-01", "permutations of repeat")
IF_WITHOUT_ELSE = Form("2021-04-16", "if with two arguments")


@final
@node
class Dialect:
    """The spelling of sections and keys in one kind of document: the dialect's word → HOT's word.

    CFN ignores keys that it does not know, HOT refuses them.
    """

    name: str
    sections: Mapping[str, str]
    resource: Mapping[str, str]
    output: Mapping[str, str]
    parameter: Mapping[str, str]
    types: Mapping[str, str]
    strict: bool

    def spell_section(self, section: str) -> str:
        """The dialect's word for a section, given HOT's word."""
        return next((theirs for theirs, ours in self.sections.items() if ours == section), section)


def _same_spelling(*words: str) -> dict[str, str]:
    return {word: word for word in words}


HOT_DIALECT = Dialect(
    "hot",
    sections=_same_spelling(
        "description", "capabilities", "parameter_groups", "parameters", "conditions", "resources", "outputs"
    ),
    resource=_same_spelling(
        "type",
        "properties",
        "metadata",
        "depends_on",
        "update_policy",
        "deletion_policy",
        "external_id",
        "condition",
        "description",
    ),
    output=_same_spelling("description", "value", "condition"),
    parameter=_same_spelling(
        "type", "default", "description", "label", "hidden", "immutable", "tags", "constraints", "schema"
    ),
    types=_same_spelling("string", "number", "boolean", "comma_delimited_list", "json"),
    strict=True,
)
CFN_DIALECT = Dialect(
    "cfn",
    sections={
        "Description": "description",
        "Parameters": "parameters",
        "Mappings": "mappings",
        "Conditions": "conditions",
        "Resources": "resources",
        "Outputs": "outputs",
    },
    resource={
        "Type": "type",
        "Properties": "properties",
        "Metadata": "metadata",
        "DependsOn": "depends_on",
        "UpdatePolicy": "update_policy",
        "DeletionPolicy": "deletion_policy",
        "Condition": "condition",
        "Description": "description",
    },
    output={"Description": "description", "Value": "value", "Condition": "condition"},
    parameter={
        "Type": "type",
        "Default": "default",
        "Description": "description",
        "Label": "label",
        "NoEcho": "hidden",
        "ConstraintDescription": "constraint_description",
        "MinLength": "length",
        "MaxLength": "length",
        "MinValue": "range",
        "MaxValue": "range",
        "AllowedValues": "allowed_values",
        "AllowedPattern": "allowed_pattern",
    },
    types={
        "String": "string",
        "Number": "number",
        "Boolean": "boolean",
        "CommaDelimitedList": "comma_delimited_list",
        "Json": "json",
    },
    strict=False,
)


@final
@node
class Version:
    """A version of the template language: the key that declares it, its value as written, and its features."""

    key: str
    name: str
    date: str
    functions: frozenset[str]
    conditions: frozenset[str]
    removed: frozenset[str]
    dialect: Dialect
    pseudo: frozenset[str]
    has_conditions: bool
    constraints: frozenset[str] = frozenset()

    @property
    def is_hot(self) -> bool:
        return self.key == HOT

    def is_hot_since(self, date: str) -> bool:
        """Whether this is a version of HOT from that date or later. False for CFN."""
        return self.is_hot and self.date >= date

    def has_form(self, form: Form) -> bool:
        """Whether calls may have a form."""
        return self.is_hot_since(form.since)


def _build_hot_version(name: str, date: str) -> Version:
    def is_available(since: str | None, until: str | None) -> bool:
        return since is not None and since <= date and (until is None or date <= until)

    dialect = HOT_DIALECT
    if date < "2016-10-14":
        resource = {k: v for k, v in dialect.resource.items() if k not in ("external_id", "condition")}
        sections = {k: v for k, v in dialect.sections.items() if k != "conditions"}
        dialect = Dialect(
            "hot", sections, resource, _same_spelling("description", "value"), dialect.parameter, dialect.types, True
        )
    if date < "2018-03-02":
        parameter = {k: v for k, v in dialect.parameter.items() if k != "tags"}
        dialect = Dialect("hot", dialect.sections, dialect.resource, dialect.output, parameter, dialect.types, True)
    constraints = {"length", "range", "allowed_values", "allowed_pattern", "custom_constraint"} | (
        {"modulo"} if date >= "2017-02-24" else set()
    )
    return Version(
        HOT,
        name,
        date,
        functions=frozenset(row.name for row in TABLE if is_available(row.since, row.until)),
        conditions=frozenset(row.name for row in TABLE if is_available(row.condition, None)),
        removed=frozenset(row.name for row in TABLE if row.since and row.until and row.until < date),
        dialect=dialect,
        pseudo=frozenset(("OS::stack_name", "OS::stack_id", "OS::project_id")),
        has_conditions=date >= "2016-10-14",
        constraints=frozenset(constraints),
    )


def _build_cfn_version(key: str, date: str) -> Version:
    has_conditions = key == CFN
    dialect = CFN_DIALECT
    if not has_conditions:
        sections = {k: v for k, v in dialect.sections.items() if k != "Conditions"}
        resource = {k: v for k, v in dialect.resource.items() if k != "Condition"}
        dialect = Dialect(
            "cfn",
            sections,
            resource,
            {"Description": "description", "Value": "value"},
            dialect.parameter,
            dialect.types,
            False,
        )
    return Version(
        key,
        date,
        date,
        functions=frozenset(row.name for row in TABLE if row.cfn and (has_conditions or row.name != "Fn::If")),
        conditions=frozenset(row.name for row in TABLE if row.cfn_condition and has_conditions),
        removed=frozenset(),
        dialect=dialect,
        pseudo=frozenset(("AWS::StackName", "AWS::StackId", "AWS::Region")),
        has_conditions=has_conditions,
    )


VERSIONS = (*((HOT, name) for name in (*DATES, *RELEASES)), (CFN, "2010-09-09"), (HEAT_CFN, "2012-12-12"))


@functools.cache
def find_template_version(key: str, name: str) -> Version | None:
    """The version that a key and a name declare, such as HOT and "rocky"; None if Heat does not know it."""
    if (key, name) not in VERSIONS:
        return None
    return _build_hot_version(name, RELEASES.get(name, name)) if key == HOT else _build_cfn_version(key, name)


def look_up_template_version(name: str, key: str = HOT) -> Version:
    """The version of a date or a release name. Raises KeyError if Heat does not know it."""
    if (version := find_template_version(key, name)) is None:
        raise KeyError(name)
    return version

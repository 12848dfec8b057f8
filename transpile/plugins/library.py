"""Models the modules that plug-ins import: those of Heat, of its libraries, and a few of Python.

Invariant: a module here has the names with which plug-ins make schemas. Any other name is an Opaque with its dotted
path, unless the module is complete: then using the name raises Raised.
"""

from __future__ import annotations

import sys
from typing import Any

from transpile.plugins import builtin, heat, methods, options
from transpile.plugins.machine import PluginMachine
from transpile.plugins.values import BuiltinValue, ClassValue, ModuleValue, NodePlace, OpaqueValue, TableValue, Value

# Libraries that Heat itself needs, so that a type never depends on whether one of them is installed.
REQUIRED = (
    "oslo", "keystone", "six", "requests", "neutron_lib", "webob", "eventlet", "netaddr", "yaml", "lxml", "stevedore",
    "pytz", "dateutil", "yaql", "croniter", "cryptography", "debtcollector", "openstack", "aodhclient",
    "barbicanclient", "blazarclient", "cinderclient", "designateclient", "glanceclient", "heatclient", "heat",
    "ironicclient", "magnumclient", "manilaclient", "mistralclient", "monascaclient", "neutronclient", "novaclient",
    "octaviaclient", "saharaclient", "senlinclient", "swiftclient", "troveclient", "vitrageclient", "zaqarclient",
    "zunclient", "pbr", "routes", "sqlalchemy", "tenacity", "osprofiler", "pkg_resources", "setuptools", "paste",
    "jsonschema", "futurist", "ceilometerclient", "simplejson", "__future__", "ConfigParser", "Queue", "StringIO",
    "urllib2", "urlparse", "httplib", "cStringIO", "cPickle", "commands", "thread", "sets", "__builtin__",
)  # fmt: skip
OPTION_KINDS = ("StrOpt", "IntOpt", "BoolOpt", "FloatOpt", "ListOpt", "PortOpt", "URIOpt", "HostAddressOpt", "IPOpt",
                "MultiStrOpt", "DictOpt", "MultiOpt", "Opt")  # fmt: skip


def find_library(name: str) -> str:
    """The library that a module belongs to; empty for Python's own, Heat, and Heat's requirements."""
    first = name.partition(".")[0]
    return "" if first in sys.stdlib_module_names or first.startswith(REQUIRED) else first


def translate_text(run: PluginMachine, place: NodePlace, arguments: list[Value], named: dict[str, Value]) -> Value:
    """The value of a call of a translation function: the text itself."""
    return arguments[0] if len(arguments) == 1 else OpaqueValue("this translation is not read", place)


TRANSLATE = BuiltinValue("_", translate_text)


def build_schema_constants(keys: str) -> dict[str, Value]:
    words = keys.split()
    names: dict[str, Value] = {word.upper(): word for word in words}
    names["KEYS"] = tuple(words)
    return names


def build_modules() -> dict[str, ModuleValue]:
    """The modelled modules by name. Each reading gets new ones, because plug-ins may change them."""
    out: dict[str, ModuleValue] = {}

    def add_module(name: str, names: dict[str, Value], *aliases: str, complete: bool = False) -> None:
        for module_name in (name, *aliases):
            out[module_name] = ModuleValue(name, dict(names), native=True, state="done", complete=complete)

    _add_heat_modules(add_module)
    _add_libraries(add_module)
    return out


def _add_heat_modules(add_module: Any) -> None:
    """Adds Heat's modules with the names that plug-ins use in schemas."""
    types = {"INTEGER": "Integer", "STRING": "String", "NUMBER": "Number", "BOOLEAN": "Boolean", "MAP": "Map",
             "LIST": "List"}  # fmt: skip
    type_names = {f"{name}_TYPE": name for name in types}
    basis = {
        **types, **type_names, "ANY": "Any", "TYPES": (*types.values(), "Any"), "TYPE_KEYS": tuple(types),
        **build_schema_constants("type description default schema required constraints immutable"),
    }  # fmt: skip
    schema = ClassValue("Schema", "heat.engine.constraints", basis)
    kinds = {
        "Range": "range", "Length": "length", "AllowedValues": "allowed_values", "AllowedPattern": "allowed_pattern",
        "CustomConstraint": "custom_constraint", "Modulo": "modulo",
    }  # fmt: skip
    made = {name: ClassValue(name, "heat.engine.constraints", {}, native=kind) for name, kind in kinds.items()}
    add_module("heat.engine.constraints", {
        "Schema": schema, **made,
        "BaseCustomConstraint": ClassValue("BaseCustomConstraint", "heat.engine.constraints", {}),
        "Constraint": ClassValue("Constraint", "heat.engine.constraints", {}),
    }, "heat.engine.hot.constraints")  # fmt: skip
    keys = build_schema_constants("type description default schema required constraints update_allowed immutable")
    prop = ClassValue("Schema", "heat.engine.properties", keys, [schema], native="property")
    legacy = ("Required", "Implemented", "Default", "Type", "Schema", "AllowedPattern", "MinValue", "MaxValue",
              "AllowedValues", "MinLength", "MaxLength", "Description", "UpdateAllowed", "Immutable")  # fmt: skip
    upper = ("REQUIRED", "IMPLEMENTED", "DEFAULT", "TYPE", "SCHEMA", "ALLOWED_PATTERN", "MIN_VALUE", "MAX_VALUE",
             "ALLOWED_VALUES", "MIN_LENGTH", "MAX_LENGTH", "DESCRIPTION", "UPDATE_ALLOWED", "IMMUTABLE")  # fmt: skip
    # The types that old releases had in the module, too.
    add_module("heat.engine.properties", {
        **dict(zip(upper, legacy, strict=True)), "SCHEMA_KEYS": legacy, "Schema": prop,
        "schemata": BuiltinValue("schemata", lambda run, place, arguments, named: arguments[0]),
    })  # fmt: skip
    caches = {"CACHE_LOCAL": "cache_local", "CACHE_NONE": "cache_none", "CACHE_MODES": ("cache_local", "cache_none")}
    kinds_of = ("String", "Map", "List", "Integer", "Boolean")
    names = {"UNKNOWN": None, "TYPES": (None, *kinds_of), **caches, **build_schema_constants("description type")}
    add_module("heat.engine.attributes", {
        "Schema": ClassValue("Schema", "heat.engine.attributes", names, [schema], native="attribute"),
        "SHOW_ATTR": "show", "BASE_ATTRIBUTES": ("show",), "ALL_ATTRIBUTES": "*",
        "schemata": BuiltinValue("schemata", lambda run, place, arguments, named: arguments[0]),
    })  # fmt: skip
    add_module("heat.engine.support", {
        **{status: status for status in heat.STATUSES}, "SUPPORT_STATUSES": heat.STATUSES,
        "SupportStatus": ClassValue("SupportStatus", "heat.engine.support", {}, native="support"),
    })  # fmt: skip
    rules = {"ADD": "Add", "REPLACE": "Replace", "DELETE": "Delete", "RESOLVE": "Resolve"}
    add_module("heat.engine.translation", {
        "TranslationRule": ClassValue("TranslationRule", "heat.engine.translation", {
            **rules, "RULE_KEYS": tuple(rules.values()),
        }, native="rule"),
    })  # fmt: skip
    translated = {
        name: BuiltinValue(name, translate_text) for name in ("_", "_LI", "_LW", "_LE", "_LC", "gettext", "repr_wraper")
    }
    add_module("heat.common.i18n", translated, "heat.openstack.common.gettextutils", "heat.common.i18n_", "gettext")
    software = ("id", "name", "group", "config", "inputs", "outputs", "options", "creation_time", "project")
    deployment = ("id", "config_id", "server_id", "input_values", "output_values", "action", "status", "status_reason",
                  "creation_time", "updated_time")  # fmt: skip
    statuses, outputs = ("IN_PROGRESS", "FAILED", "COMPLETE"), ("deploy_stdout", "deploy_stderr", "deploy_status_code")
    add_module("heat.rpc.api", {
        "SOFTWARE_CONFIG_KEYS": software, "SOFTWARE_DEPLOYMENT_KEYS": deployment,
        "SOFTWARE_DEPLOYMENT_STATUSES": statuses, "SOFTWARE_DEPLOYMENT_OUTPUTS": outputs,
        **{f"SOFTWARE_CONFIG_{key.upper()}": key for key in software},
        **{f"SOFTWARE_DEPLOYMENT_{key.upper()}": key for key in deployment},
        **{f"SOFTWARE_DEPLOYMENT_{status}": status for status in statuses},
        **{f"SOFTWARE_DEPLOYMENT_OUTPUT_{output.removeprefix('deploy_').upper()}": output for output in outputs},
    })  # fmt: skip
    words = ("exact_capacity", "change_in_capacity", "percent_change_in_capacity")
    for_cfn = tuple(word.title().replace("_", "") for word in words)
    add_module("heat.scaling.scalingutil", {
        "ADJUSTMENT_TYPES": words, "CFN_ADJUSTMENT_TYPES": for_cfn, **{word.upper(): word for word in words},
        **{f"CFN_{word.upper()}": name for word, name in zip(words, for_cfn, strict=True)},
    })  # fmt: skip
    characters = {"LETTERS_DIGITS": "lettersdigits", **{word.upper(): word for word in (
        "letters", "lowercase", "uppercase", "digits", "hexdigits", "octdigits")}}  # fmt: skip
    add_module("heat.common.password_gen", {**characters, "CHARACTER_CLASSES": tuple(characters.values())})
    kinds_of_parameters = ("string", "number", "comma_delimited_list", "json", "boolean")
    parameter = {
        **dict(zip(("STRING", "NUMBER", "LIST", "MAP", "BOOLEAN"), kinds_of_parameters, strict=True)),
        "TYPES": kinds_of_parameters,
    }  # fmt: skip
    add_module(
        "heat.engine.hot.parameters",
        {"HOTParamSchema": ClassValue("HOTParamSchema", "heat.engine.hot.parameters", parameter)},
    )


def _add_libraries(add_module: Any) -> None:
    """Adds modules of libraries and of Python."""
    option = ClassValue("Opt", "oslo_config.cfg", {}, native="option")
    kinds = {name: ClassValue(name, "oslo_config.cfg", {}, [option], native="option") for name in OPTION_KINDS}
    group = ClassValue("OptGroup", "oslo_config.cfg", {}, native="group")
    conf = OpaqueValue("the operator configures it", None, options.CONF)
    add_module("oslo_config.cfg", {**kinds, "OptGroup": group, "CONF": conf}, "oslo.config.cfg")
    add_module("oslo_config", {}, "oslo.config")
    add_module("copy", {
        "deepcopy": BuiltinValue("deepcopy", methods.guard_arguments("deepcopy", builtin.evaluate_deepcopy)),
    })  # fmt: skip
    add_module("collections", {"OrderedDict": builtin.NAMES["dict"]})
    add_module("sys", {"version_info": (3, 11, 0, "final", 0), "maxint": (1 << 63) - 1, "maxsize": (1 << 63) - 1})
    six: dict[str, Value] = {
        "PY2": False, "PY3": True, "text_type": builtin.NAMES["str"], "string_types": (builtin.NAMES["str"],),
        "integer_types": (builtin.NAMES["int"],), "binary_type": builtin.NAMES["bytes"],
    }  # fmt: skip
    six["iteritems"] = methods.METHODS[TableValue, "items"]
    add_module("six", six)
    add_module("six.moves", dict.fromkeys(("range", "xrange"), builtin.NAMES["range"]))
    add_module("string", {
        "ascii_letters": "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ", "digits": "0123456789",
        "ascii_lowercase": "abcdefghijklmnopqrstuvwxyz", "ascii_uppercase": "ABCDEFGHIJKLMNOPQRSTUVWXYZ",
        "punctuation": "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~",
    })  # fmt: skip

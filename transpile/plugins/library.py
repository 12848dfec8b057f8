"""Models the modules that plug-ins import: those of Heat, of its libraries, and a few of Python.

Invariant: a module here has the names with which plug-ins make schemas. Any other name is an Opaque with its dotted
path, unless the module is complete: then using the name raises Raised.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

from transpile.plugins import builtin, heat, methods, options
from transpile.plugins.values import Builtin, Class, Module, Opaque, Table

if TYPE_CHECKING:
    from transpile.plugins.machine import Machine
    from transpile.plugins.values import Place, Value

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


def library_of(name: str) -> str:
    """The library that a module belongs to; empty for Python's own, Heat, and what Heat needs."""
    first = name.partition(".")[0]
    return "" if first in sys.stdlib_module_names or first.startswith(REQUIRED) else first


def texted(run: Machine, place: Place, arguments: list[Value], named: dict[str, Value]) -> Value:
    """The value of a call of a translation function: the text itself."""
    return arguments[0] if len(arguments) == 1 else Opaque("this translation is not read", place)


TRANSLATE = Builtin("_", texted)


def values_of(names: dict[str, Any]) -> dict[str, Value]:
    return {name: tuple(v) if isinstance(v, list) else v for name, v in names.items()}


def schema_constants(keys: str) -> dict[str, Value]:
    words = keys.split()
    names: dict[str, Value] = {word.upper(): word for word in words}
    names["KEYS"] = tuple(words)
    return names


def modules() -> dict[str, Module]:
    """The modelled modules by name. Each reading gets new ones, because plug-ins may change them."""
    out: dict[str, Module] = {}

    def module(name: str, names: dict[str, Value], *others: str, complete: bool = False) -> None:
        for one in (name, *others):
            out[one] = Module(name, dict(names), native=True, state="done", complete=complete)

    _heat(module)
    _libraries(module)
    return out


def _heat(module: Any) -> None:
    """Adds Heat's modules with the names that plug-ins use in schemas."""
    types = {"INTEGER": "Integer", "STRING": "String", "NUMBER": "Number", "BOOLEAN": "Boolean", "MAP": "Map",
             "LIST": "List"}  # fmt: skip
    type_names = {f"{name}_TYPE": name for name in types}
    basis = {
        **types, **type_names, "ANY": "Any", "TYPES": (*types.values(), "Any"), "TYPE_KEYS": tuple(types),
        **schema_constants("type description default schema required constraints immutable"),
    }  # fmt: skip
    schema = Class("Schema", "heat.engine.constraints", basis)
    kinds = {
        "Range": "range", "Length": "length", "AllowedValues": "allowed_values", "AllowedPattern": "allowed_pattern",
        "CustomConstraint": "custom_constraint", "Modulo": "modulo",
    }  # fmt: skip
    made = {name: Class(name, "heat.engine.constraints", {}, native=kind) for name, kind in kinds.items()}
    module("heat.engine.constraints", {
        "Schema": schema, **made, "BaseCustomConstraint": Class("BaseCustomConstraint", "heat.engine.constraints", {}),
        "Constraint": Class("Constraint", "heat.engine.constraints", {}),
    }, "heat.engine.hot.constraints")  # fmt: skip
    keys = schema_constants("type description default schema required constraints update_allowed immutable")
    prop = Class("Schema", "heat.engine.properties", keys, [schema], native="property")
    legacy = ("Required", "Implemented", "Default", "Type", "Schema", "AllowedPattern", "MinValue", "MaxValue",
              "AllowedValues", "MinLength", "MaxLength", "Description", "UpdateAllowed", "Immutable")  # fmt: skip
    upper = ("REQUIRED", "IMPLEMENTED", "DEFAULT", "TYPE", "SCHEMA", "ALLOWED_PATTERN", "MIN_VALUE", "MAX_VALUE",
             "ALLOWED_VALUES", "MIN_LENGTH", "MAX_LENGTH", "DESCRIPTION", "UPDATE_ALLOWED", "IMMUTABLE")  # fmt: skip
    # The types that old releases had in the module, too.
    module("heat.engine.properties", {
        **dict(zip(upper, legacy, strict=True)), "SCHEMA_KEYS": legacy, "Schema": prop,
        "schemata": Builtin("schemata", lambda run, place, given, named: given[0]),
    })  # fmt: skip
    caches = {"CACHE_LOCAL": "cache_local", "CACHE_NONE": "cache_none", "CACHE_MODES": ("cache_local", "cache_none")}
    kinds_of = ("String", "Map", "List", "Integer", "Boolean")
    names = {"UNKNOWN": None, "TYPES": (None, *kinds_of), **caches, **schema_constants("description type")}
    module("heat.engine.attributes", {
        "Schema": Class("Schema", "heat.engine.attributes", names, [schema], native="attribute"), "SHOW_ATTR": "show",
        "BASE_ATTRIBUTES": ("show",), "ALL_ATTRIBUTES": "*",
        "schemata": Builtin("schemata", lambda run, place, given, named: given[0]),
    })  # fmt: skip
    module("heat.engine.support", {
        **{one: one for one in heat.STATUSES}, "SUPPORT_STATUSES": heat.STATUSES,
        "SupportStatus": Class("SupportStatus", "heat.engine.support", {}, native="support"),
    })  # fmt: skip
    rules = {"ADD": "Add", "REPLACE": "Replace", "DELETE": "Delete", "RESOLVE": "Resolve"}
    module("heat.engine.translation", {
        "TranslationRule": Class("TranslationRule", "heat.engine.translation", {
            **rules, "RULE_KEYS": tuple(rules.values()),
        }, native="rule"),
    })  # fmt: skip
    translated = {one: Builtin(one, texted) for one in ("_", "_LI", "_LW", "_LE", "_LC", "gettext", "repr_wraper")}
    module("heat.common.i18n", translated, "heat.openstack.common.gettextutils", "heat.common.i18n_", "gettext")
    software = ("id", "name", "group", "config", "inputs", "outputs", "options", "creation_time", "project")
    deployment = ("id", "config_id", "server_id", "input_values", "output_values", "action", "status", "status_reason",
                  "creation_time", "updated_time")  # fmt: skip
    statuses, outputs = ("IN_PROGRESS", "FAILED", "COMPLETE"), ("deploy_stdout", "deploy_stderr", "deploy_status_code")
    module("heat.rpc.api", {
        "SOFTWARE_CONFIG_KEYS": software, "SOFTWARE_DEPLOYMENT_KEYS": deployment,
        "SOFTWARE_DEPLOYMENT_STATUSES": statuses, "SOFTWARE_DEPLOYMENT_OUTPUTS": outputs,
        **{f"SOFTWARE_CONFIG_{one.upper()}": one for one in software},
        **{f"SOFTWARE_DEPLOYMENT_{one.upper()}": one for one in deployment},
        **{f"SOFTWARE_DEPLOYMENT_{one}": one for one in statuses},
        **{f"SOFTWARE_DEPLOYMENT_OUTPUT_{one.removeprefix('deploy_').upper()}": one for one in outputs},
    })  # fmt: skip
    words = ("exact_capacity", "change_in_capacity", "percent_change_in_capacity")
    for_cfn = tuple(one.title().replace("_", "") for one in words)
    module("heat.scaling.scalingutil", {
        "ADJUSTMENT_TYPES": words, "CFN_ADJUSTMENT_TYPES": for_cfn, **{one.upper(): one for one in words},
        **{f"CFN_{one.upper()}": name for one, name in zip(words, for_cfn, strict=True)},
    })  # fmt: skip
    characters = {"LETTERS_DIGITS": "lettersdigits", **{one.upper(): one for one in (
        "letters", "lowercase", "uppercase", "digits", "hexdigits", "octdigits")}}  # fmt: skip
    module("heat.common.password_gen", {**characters, "CHARACTER_CLASSES": tuple(characters.values())})
    kinds_of_parameters = ("string", "number", "comma_delimited_list", "json", "boolean")
    parameter = {
        **dict(zip(("STRING", "NUMBER", "LIST", "MAP", "BOOLEAN"), kinds_of_parameters, strict=True)),
        "TYPES": kinds_of_parameters,
    }  # fmt: skip
    module(
        "heat.engine.hot.parameters",
        {"HOTParamSchema": Class("HOTParamSchema", "heat.engine.hot.parameters", parameter)},
    )


def _libraries(module: Any) -> None:
    """Adds modules of libraries and of Python."""
    option = Class("Opt", "oslo_config.cfg", {}, native="option")
    kinds = {name: Class(name, "oslo_config.cfg", {}, [option], native="option") for name in OPTION_KINDS}
    group = Class("OptGroup", "oslo_config.cfg", {}, native="group")
    conf = Opaque("the operator configures it", None, options.CONF)
    module("oslo_config.cfg", {**kinds, "OptGroup": group, "CONF": conf}, "oslo.config.cfg")
    module("oslo_config", {}, "oslo.config")
    module("copy", {
        "copy": Builtin("copy", methods.checked("copy", builtin.copy_)),
        "deepcopy": Builtin("deepcopy", methods.checked("deepcopy", builtin.deepcopy)),
    })  # fmt: skip
    module("collections", {"OrderedDict": builtin.NAMES["dict"]})
    module("itertools", {
        "chain": Builtin("chain", methods.checked("chain", builtin.chain)), "izip": builtin.NAMES["zip"],
    })  # fmt: skip
    module("functools", {})
    module("sys", {"version_info": (3, 11, 0, "final", 0), "maxint": (1 << 63) - 1, "maxsize": (1 << 63) - 1})
    six: dict[str, Value] = {
        "PY2": False, "PY3": True, "text_type": builtin.NAMES["str"], "string_types": (builtin.NAMES["str"],),
        "integer_types": (builtin.NAMES["int"],), "binary_type": builtin.NAMES["bytes"],
    }  # fmt: skip
    for name in ("iteritems", "iterkeys", "itervalues"):
        six[name] = methods.METHODS[Table, name[4:]]
    module("six", six)
    module("six.moves", {name: builtin.NAMES[name] for name in ("range", "zip", "map", "filter")} | {
        "xrange": builtin.NAMES["range"],
    })  # fmt: skip
    module("string", {
        "ascii_letters": "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ", "digits": "0123456789",
        "ascii_lowercase": "abcdefghijklmnopqrstuvwxyz", "ascii_uppercase": "ABCDEFGHIJKLMNOPQRSTUVWXYZ",
        "punctuation": "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~",
    })  # fmt: skip

"""Codes 80x and 81x: Heat's resource plug-ins, read from the directories that --plugin-dir names."""

from __future__ import annotations

from transpile.diagnostics import codes
from transpile.diagnostics.rules.rule import E, I, Rule, W

TABLE = (
    Rule(
        codes.UNREADABLE_PLUGIN_MODULE,
        W,
        "Plug-in module cannot be read",
        "Types that the module registers are unknown to hot2tf.",
        "Correct the module, or name its types with --plugin-type.",
        "The module {name} is not read: {why}.",
    ),
    Rule(
        codes.PLUGIN_TYPE_PARTLY_READ,
        I,
        "Type of a plug-in is partly read",
        "hot2tf reads plug-ins without running them, and does not check values that a plug-in computes when it runs.",
    ),
    Rule(
        codes.CONDITIONAL_PLUGIN_TYPE,
        I,
        "Type of a plug-in under a condition",
        "Heat has the type only where the plug-in's library is installed, or another test of the plug-in succeeds. "
        "hot2tf assumes that the type exists.",
    ),
    Rule(
        codes.PLUGIN_REPLACES_HEAT_TYPE,
        I,
        "Plug-in replaces a type of Heat's own",
        "As in Heat, the schema of the plug-in counts from here on, and not the one of Heat's release.",
    ),
    Rule(
        codes.UNKNOWN_PLUGIN_BASE_CLASS,
        I,
        "Base class of a plug-in is not known",
        "The type has the properties and attributes that could be read, and maybe others. hot2tf accepts unknown "
        "names.",
        "Name the directory that has the base class with --plugin-dir, too.",
    ),
    Rule(
        codes.PLUGIN_ATTRIBUTES_AS_TEXTS,
        W,
        "Attributes of a plug-in are declared as texts",
        "Heat registers the type, but refuses each template that uses it. Releases before 2014.2 accepted it.",
        "Declare the attributes with attributes.Schema.",
    ),
    Rule(
        codes.INVALID_PLUGIN_ATTRIBUTE_TYPE,
        W,
        "Attribute of a plug-in has a type that attributes cannot have",
        "Attributes are of type String, Map, List, Integer or Boolean. With any other, such as Number, Heat cannot "
        "load the module, and its engine does not start.",
        "Leave the type out, or declare a String.",
    ),
    Rule(
        codes.PLUGIN_MODULE_HIDDEN,
        W,
        "Plug-in module is hidden by another",
        "All plug-in directories are one package for Heat. Of two modules of the same name it loads the first.",
        "Rename one of them.",
    ),
    Rule(
        codes.PLUGIN_MODULE_RAISES_EXCEPTION,
        W,
        "Plug-in module raises an exception",
        "Heat's engine does not start if a module of a plug-in directory cannot be loaded. hot2tf reads the rest of "
        "it.",
        "Correct the module, or remove it from the plug-in directory.",
    ),
    Rule(
        codes.PLUGIN_MAPPING_WITHOUT_CLASSES,
        W,
        "Mapping of a plug-in names no classes",
        "A mapping function gives a dict from names to classes of resources or constraints. Heat ignores anything "
        "else.",
    ),
    Rule(
        codes.PLUGIN_MAPPING_PARTLY_READ,
        W,
        "Mapping function of a plug-in is not read whole",
        "Which types the module registers is known only when it runs. Types that could not be read are unknown.",
        "Name them with --plugin-type.",
    ),
    Rule(
        codes.LINK_LEAVES_PLUGIN_DIRECTORY,
        W,
        "Symbolic link that leads out of the plug-in directory",
        "Only files of the directories that were named are read.",
        "Name the directory that the link leads to with --plugin-dir.",
    ),
    Rule(
        codes.PLUGIN_LIMIT_EXCEEDED,
        W,
        "Plug-in exceeds a limit",
        "The time for reading a plug-in is limited. Types after that limit are unknown.",
    ),
    Rule(
        codes.PLUGIN_DEFAULT_DEPENDS_ON_CONFIGURATION,
        I,
        "Default of a plug-in depends on Heat's configuration",
        "The default is that of the option, which an operator may have set to something else.",
    ),
    Rule(
        codes.PLUGIN_FOR_OLDER_HEAT,
        I,
        "Plug-in module is written for older releases of Heat",
        "Heat runs on Python 3 and has no heat.openstack any more: it cannot load the module. hot2tf reads it "
        "nevertheless.",
    ),
    Rule(
        codes.UNREADABLE_PLUGIN_DIRECTORY,
        E,
        "Plug-in directory cannot be read",
        "Its types would be unknown.",
        "Name a directory that exists, and allow hot2tf to read it.",
    ),
    Rule(
        codes.PLUGIN_INTERNAL_ERROR,
        W,
        "Internal failure on a plug-in module",
        "This is a mistake in hot2tf. The types of the module that were not reached are unknown.",
        "Please report it with the module.",
    ),
    Rule(
        codes.PLUGIN_WITHOUT_SCHEMA,
        W,
        "Class of a plug-in has no properties_schema",
        "Heat registers the type, but fails on each template that uses it, because neither the class nor an ancestor "
        "has the attribute.",
        "Set properties_schema in the class; a type without properties has an empty dict.",
    ),
)

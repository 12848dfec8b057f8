"""Codes 83x and 84x: mapping tables that users bring along."""

from __future__ import annotations

from transpile.diagnostics import codes
from transpile.diagnostics.rules.rule import E, I, Rule, W

FORM = "docs/mappings.md describes the form."

TABLE = (
    Rule(
        codes.NO_MAPPING_FILES,
        E,
        "No mapping files",
        "--mapping takes a file, or a directory with mapping files. This path cannot be read, or the directory has no "
        "such file.",
        "Name a file, or a directory in which mapping files end in .yaml.",
    ),
    Rule(
        codes.INVALID_MAPPING_TABLE,
        E,
        "Invalid mapping table",
        "A mapping table is read strictly, so that a misspelled word is not ignored.",
        FORM,
    ),
    Rule(
        codes.DUPLICATE_MAPPING_TABLE_KEY,
        E,
        "Key twice in a mapping table",
        "A map has the same key twice. YAML would use the last one, but the author may mean the first.",
        "Remove one of the two.",
    ),
    Rule(
        codes.MAPPING_OF_UNKNOWN_TYPE,
        W,
        "Mapping of an unknown type",
        "The table maps a type that neither Heat nor a plug-in of this run has. Nothing about its properties can be "
        "checked.",
        "Use --plugin-dir for the plug-in that has the type, or correct the name.",
        "There is no resource type {kind}",
    ),
    Rule(
        codes.MAPPING_OF_UNKNOWN_PROPERTY,
        E,
        "Mapping of an unknown property or attribute",
        "The table has a rule for something that the type's schema does not have.",
        "hot2tf types NAME lists the properties and attributes of a type.",
    ),
    Rule(
        codes.PROPERTY_WITHOUT_RULE,
        W,
        "Property without a rule",
        "A resource that sets a property without a rule, or of which such an attribute is read, stays with Heat.",
        "Add a rule: where the value goes, or why it is dropped, implied or kept with Heat.",
    ),
    Rule(
        codes.REQUIRED_PROPERTY_WITHOUT_RULE,
        E,
        "Required property without a rule",
        "Every resource of the type sets this property, so none could become native.",
        "Add a rule: where the value goes, or why it is dropped, implied or kept with Heat.",
    ),
    Rule(
        codes.UNKNOWN_TO_PROVIDER,
        E,
        "Unknown to the provider",
        "The provider's schema does not have the resource, argument, block or attribute, or no configuration may set "
        "it.",
        "The provider's documentation lists its resources and their arguments.",
    ),
    Rule(
        codes.REQUIRED_ARGUMENT_NOT_SET,
        E,
        "Required argument that nothing sets",
        "The provider requires an argument that no property, constant or text of the table sets.",
        "Add a rule, a constant or a text for it.",
    ),
    Rule(
        codes.ARGUMENT_CANNOT_HOLD_PROPERTY,
        E,
        "Argument that cannot hold the property",
        "The provider's type of the argument cannot hold a value of the property's type.",
        "Map the property to another argument, or drop it with a reason.",
    ),
    Rule(
        codes.PROVIDER_WITHOUT_SCHEMA,
        W,
        "Provider without a schema",
        "The arguments of the provider's resources are written as Heat's types say. Only terraform validate will find "
        "wrong ones.",
        "Give the schema: terraform providers schema -json > FILE, and schema: FILE in the table.",
    ),
    Rule(
        codes.MAPPING_REPLACED,
        I,
        "Mapping replaced",
        "The table maps a type, or defines a look-up, that an earlier table or hot2tf itself also has. The last one is "
        "used.",
    ),
    Rule(
        codes.UNKNOWN_PROVIDER,
        E,
        "Unknown provider",
        "A resource's name begins with the name of its provider. Neither hot2tf nor the table says where this one "
        "comes from.",
        'Add it to providers: { NAME: { source: NAMESPACE/NAME, version: "~> 1.0", schema: FILE } }.',
    ),
    Rule(
        codes.UNREADABLE_PROVIDER_SCHEMA,
        E,
        "Schema of a provider cannot be read",
        "The file is missing, lies outside the mapping file's directory, or is not the output of terraform providers "
        "schema -json.",
    ),
    Rule(
        codes.UNUSABLE_PACKAGE,
        W,
        "Package of resource types cannot be used",
        "An installed package offers resource types to hot2tf (the entry points hot2tf.resources), and fails, or does "
        "not return mapping tables.",
        "Update or remove the package.",
    ),
)

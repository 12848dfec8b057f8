"""Codes 83x and 84x: mapping tables that users bring along."""

from __future__ import annotations

from transpile.diagnostics.rules.rule import E, I, Rule, W

FORM = "docs/mappings.md describes the form."

TABLE = (
    Rule(
        "HOT830",
        E,
        "No mapping files",
        "--mapping takes a file, or a directory with mapping files. What it names cannot be read, or has none.",
        "Name a file, or a directory in which mapping files end in .yaml.",
    ),
    Rule(
        "HOT831",
        E,
        "Invalid mapping table",
        "A mapping table is read strictly, so that a misspelled word is not ignored.",
        FORM,
    ),
    Rule(
        "HOT832",
        E,
        "Key twice in a mapping table",
        "A map has the same key twice. YAML would use the last one; which one is meant, only the author knows.",
        "Remove one of the two.",
    ),
    Rule(
        "HOT833",
        W,
        "Mapping of an unknown type",
        "The table maps a type that neither Heat nor a plug-in of this run has. Nothing about its properties can be "
        "checked.",
        "Use --plugin-dir for the plug-in that has the type, or correct the name.",
    ),
    Rule(
        "HOT834",
        E,
        "Mapping of an unknown property or attribute",
        "The table has a rule for something that the type's schema does not have.",
        "hot2tf types NAME lists the properties and attributes of a type.",
    ),
    Rule(
        "HOT835",
        W,
        "Property without a rule",
        "A resource that sets a property without a rule, or of which such an attribute is read, stays with Heat.",
        "Add a rule: where the value goes, or why it is dropped, implied or kept with Heat.",
    ),
    Rule(
        "HOT836",
        E,
        "Required property without a rule",
        "Every resource of the type sets this property, so none could become native.",
        "Add a rule: where the value goes, or why it is dropped, implied or kept with Heat.",
    ),
    Rule(
        "HOT838",
        E,
        "Unknown to the provider",
        "The provider's schema does not have the resource, argument, block or attribute, or no configuration may set "
        "it.",
        "The provider's documentation lists its resources and their arguments.",
    ),
    Rule(
        "HOT839",
        E,
        "Required argument that nothing sets",
        "The provider requires an argument that no property, constant or text of the table sets.",
        "Add a rule, a constant or a text for it.",
    ),
    Rule(
        "HOT820",
        E,
        "Argument that cannot hold the property",
        "The provider's type of the argument cannot hold a value of the property's type.",
        "Map the property to another argument, or drop it with a reason.",
    ),
    Rule(
        "HOT821",
        W,
        "Provider without a schema",
        "The arguments of the provider's resources are written as Heat's types say. Only terraform validate will find "
        "wrong ones.",
        "Give the schema: terraform providers schema -json > FILE, and schema: FILE in the table.",
    ),
    Rule(
        "HOT822",
        I,
        "Mapping replaced",
        "The table maps a type, or has a look-up, that a table before it or hot2tf itself has, too. The last one is "
        "used.",
    ),
    Rule(
        "HOT823",
        E,
        "Unknown provider",
        "A resource's name begins with the name of its provider. Neither hot2tf nor the table says where this one "
        "comes from.",
        'Add it to providers: { NAME: { source: NAMESPACE/NAME, version: "~> 1.0", schema: FILE } }.',
    ),
    Rule(
        "HOT824",
        E,
        "Schema of a provider cannot be read",
        "The file is missing, lies outside the mapping file's directory, or is not what terraform providers schema "
        "-json prints.",
    ),
    Rule(
        "HOT825",
        W,
        "Package of resource types cannot be used",
        "An installed package offers resource types to hot2tf (the entry points hot2tf.resources), and fails or gives "
        "something else.",
        "Update or remove the package.",
    ),
)

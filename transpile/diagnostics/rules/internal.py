"""Codes 9xx: output files, and defects of hot2tf itself."""

from __future__ import annotations

from transpile.diagnostics.rules.rule import E, Rule, W

TABLE = (
    Rule(
        "HOT900",
        E,
        "A defect in hot2tf",
        "The converter itself failed. Nothing was written.",
        "Please report it, with the template if you can.",
    ),
    Rule(
        "HOT901",
        E,
        "Files in the way",
        "The output directory has files that hot2tf did not write, or that were changed since.",
        "Use another directory, or --force to overwrite them.",
    ),
    Rule(
        "HOT902", E, "The output cannot be written", "The directory cannot be made or a file in it cannot be written."
    ),
    Rule(
        "HOT903",
        E,
        "A text that formatting would change",
        "What hot2tf fmt writes is read again and compared; this came out otherwise, so the file is left alone.",
        "Please report it, with the template if you can.",
    ),
    Rule(
        "HOT904",
        E,
        "A text that is not formatted",
        "There is something in it that canonical HOT cannot keep, so the file is left alone.",
    ),
    Rule(
        "HOT905",
        E,
        "A mapping table that cannot be read",
        "The tables that say what becomes of resource types are read strictly: a key that nobody knows would be lost.",
        "docs/mappings.md says what a table may hold.",
    ),
    Rule(
        "HOT906",
        E,
        "A name that the directory has already",
        "The output directory has Terraform code that hot2tf did not write. Terraform refuses a name that is declared "
        "twice in a directory, and a second required_providers block.",
        "Rename or remove one of the two, or write to another directory and call that as a module.",
    ),
    Rule(
        "HOT907",
        W,
        "Terraform code that was not read",
        "The output directory has Terraform code that hot2tf did not write and cannot read. A name that is in both is "
        "only found by terraform validate.",
    ),
)

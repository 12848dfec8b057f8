"""Codes 9xx: output files, and defects of hot2tf itself."""

from __future__ import annotations

from transpile.diagnostics.rules.rule import E, I, Rule, W

TABLE = (
    Rule(
        "HOT900",
        E,
        "Internal error in hot2tf",
        "hot2tf itself failed. Nothing was written.",
        "Please report it, with the template if you can.",
    ),
    Rule(
        "HOT901",
        E,
        "Files would be overwritten",
        "The output directory contains files that hot2tf did not write, or that were changed since.",
        "Use another directory, or --force to overwrite them.",
    ),
    Rule("HOT902", E, "Output cannot be written", "A directory cannot be created, or a file cannot be written."),
    Rule(
        "HOT903",
        E,
        "Formatting would change the template",
        "hot2tf fmt reads its result again and compares it with the source. They differ, so the file is left "
        "unchanged.",
        "Please report it, with the template if you can.",
    ),
    Rule(
        "HOT904",
        E,
        "File cannot be formatted",
        "Canonical HOT cannot represent something in the file, so the file is left unchanged.",
    ),
    Rule(
        "HOT905",
        E,
        "Invalid mapping table",
        "The mapping tables of resource types are checked strictly, so that a misspelled key is not ignored.",
        "docs/mappings.md describes the format.",
    ),
    Rule(
        "HOT906",
        E,
        "Name already declared in the directory",
        "The output directory contains Terraform code that hot2tf did not write. Terraform rejects duplicate "
        "declarations, and a second required_providers block.",
        "Rename or remove one of the two, or write to another directory and call it as a module.",
    ),
    Rule(
        "HOT907",
        W,
        "Terraform code was not read",
        "The output directory contains Terraform code that hot2tf did not write and cannot read. Only "
        "terraform validate will find duplicate names.",
    ),
    Rule(
        "HOT908",
        W,
        "Manifest lists a foreign file",
        "The manifest of the output directory lists a file that hot2tf would not have written there. Anybody can "
        "write a manifest, so the file is neither replaced nor removed.",
        "Remove its line from .hot2tf.json if the file is yours.",
    ),
    Rule(
        "HOT909",
        I,
        "A file for people stays as it is",
        "The output directory has a README.md or .gitignore that hot2tf did not write, or that was edited since. It "
        "stays, and ours is not written.",
        "Remove it to get ours; --no-readme writes no README.md.",
    ),
    Rule(
        "HOT922",
        W,
        "State of a migration cannot be used",
        "The file that records what was converted is damaged, or another version of hot2tf wrote it. It is begun "
        "again, and everything is converted once more. Files that were edited are still left as they are.",
    ),
)

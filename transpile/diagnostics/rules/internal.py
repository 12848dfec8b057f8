"""Codes 9xx: output files, and defects of hot2tf itself."""

from __future__ import annotations

from transpile.diagnostics import codes
from transpile.diagnostics.rules.rule import E, I, Rule, W

TABLE = (
    Rule(
        codes.INTERNAL_ERROR,
        E,
        "Internal error in hot2tf",
        "hot2tf itself failed. Nothing was written.",
        "Please report it, with the template if you can.",
    ),
    Rule(
        codes.FILES_WOULD_BE_OVERWRITTEN,
        E,
        "Files would be overwritten",
        "The output directory contains files that hot2tf did not write, or that were changed since, at the lines that "
        "hot2tf changes, too.",
        "Use another directory, --conflicts to get both versions with markers, or --force to overwrite the files.",
    ),
    Rule(
        codes.OUTPUT_CANNOT_BE_WRITTEN,
        E,
        "Output cannot be written",
        "A directory cannot be created, or a file cannot be written.",
        message="{path} cannot be written: {why}.",
    ),
    Rule(
        codes.OUTPUT_FAILED_VERIFICATION,
        E,
        "Formatting would change the template",
        "hot2tf fmt reads its result again and compares it with the source. They differ, so the file is left "
        "unchanged.",
        "Please report it, with the template if you can.",
        "The output failed verification: {why}",
    ),
    Rule(
        codes.FILE_CANNOT_BE_FORMATTED,
        E,
        "File cannot be formatted",
        "Canonical HOT cannot represent something in the file, so the file is left unchanged.",
    ),
    Rule(
        codes.INVALID_BUILT_IN_TABLE,
        E,
        "Invalid mapping table",
        "The mapping tables of resource types are checked strictly, so that a misspelled key is not ignored.",
        "docs/mappings.md describes the format.",
    ),
    Rule(
        codes.NAME_ALREADY_DECLARED,
        E,
        "Name already declared in the directory",
        "The output directory contains Terraform code that hot2tf did not write. Terraform rejects duplicate "
        "declarations, and a second required_providers block.",
        "Rename or remove one of the two, or write to another directory and call it as a module.",
    ),
    Rule(
        codes.TERRAFORM_CODE_NOT_READ,
        W,
        "Terraform code was not read",
        "The output directory contains Terraform code that hot2tf did not write and cannot read. Only "
        "terraform validate will find duplicate names.",
    ),
    Rule(
        codes.FOREIGN_FILE_IN_MANIFEST,
        W,
        "Manifest lists a foreign file",
        "The manifest of the output directory lists a file that hot2tf would not have written there. Anybody can "
        "write a manifest, so the file is neither replaced nor removed.",
        "Remove its line from .hot2tf.json if the file is yours.",
    ),
    Rule(
        codes.EDITED_FILE_KEPT,
        I,
        "Edited README.md or .gitignore is kept",
        "The output directory has a README.md or .gitignore that hot2tf did not write, or that was edited since. It "
        "stays, and hot2tf's is not written.",
        "Remove it to get hot2tf's; --no-readme writes no README.md.",
    ),
    Rule(
        codes.VALUE_DIFFERS_FROM_HEAT,
        E,
        "A value would differ from Heat's",
        "hot2tf computes every value as Heat does, and as Terraform does. Here the two differ, or Terraform fails, and "
        "no diagnostic says why. That is a defect of hot2tf. The output is written, with a comment at the place, and "
        "the exit status is 1; with --strict nothing is written.",
        "Please report it, with the template if you can. --keep RESOURCE leaves the resource with Heat.",
    ),
    Rule(
        codes.UNUSABLE_MIGRATION_STATE,
        W,
        "State of a migration cannot be used",
        "The file that records the converted stacks is damaged, or another version of hot2tf wrote it. hot2tf begins a "
        "new file and converts every stack again. Files that were edited are still left as they are.",
    ),
)

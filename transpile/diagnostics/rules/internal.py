"""Codes 9xx: output files, and defects of hot2tf itself."""

from __future__ import annotations

from transpile.diagnostics.rules.rule import E, Rule

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
)

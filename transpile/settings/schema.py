"""The JSON schema of configurations, for editors: draft-07, as SchemaStore wants it.

Invariant: the schema is generated from the table of options. It accepts the same values as `reading.py`, as far as a
schema can express that. `python -m transpile.settings.schema` prints it.
"""

from __future__ import annotations

import json
import sys
from typing import Any

from transpile.model.budget import LIMITS
from transpile.settings import all_options, table
from transpile.settings.table import ConfiguredOption

TEXT: dict[str, Any] = {"type": "string", "minLength": 1}
ID = "https://json.schemastore.org/hot2tf.json"


def schema_text() -> str:
    """Returns the text of the schema file."""
    return json.dumps(configuration_schema(), indent=2, ensure_ascii=False) + "\n"


def configuration_schema() -> dict[str, Any]:
    section = {
        "type": "object",
        "description": "Options for some paths only. Of several sections, later ones win.",
        "required": [table.PATHS_OF_SECTION],
        "additionalProperties": False,
        "properties": {
            table.PATHS_OF_SECTION: {
                "description": "Patterns of paths as in .gitignore, relative to this file.",
                "type": "array",
                "items": TEXT,
                "minItems": 1,
            },
            **{
                option.name: {"$ref": f"#/definitions/{option.name}"}
                for option in all_options.OPTIONS
                if option.per_path
            },
        },
    }
    return {
        "$schema": "http://json-schema.org/draft-07/schema#",
        "$id": ID,
        "title": "hot2tf configuration",
        "description": "Options of hot2tf, in hot2tf.toml or in the table tool.hot2tf of pyproject.toml.",
        "type": "object",
        "additionalProperties": False,
        "properties": {
            **{option.name: {"$ref": f"#/definitions/{option.name}"} for option in all_options.OPTIONS},
            table.SECTIONS: {"type": "array", "description": "Sections for some paths.", "items": section},
        },
        "definitions": {
            "code": {
                "type": "string",
                "description": "A code, or the beginning of one.",
                "pattern": "^(ALL|[A-Z]{2,}[0-9]*)$",
            },
            **{option.name: option_definition(option) for option in all_options.OPTIONS},
        },
    }


def option_definition(option: ConfiguredOption) -> dict[str, Any]:
    """Returns the schema of an option, with its description."""
    option_schema: dict[str, Any] = {"description": option.doc.replace("`", "")}
    if option.default is not None:
        option_schema["default"] = plain_default(option.default)
    return option_schema | schema_of_kind(option)


def schema_of_kind(option: ConfiguredOption) -> dict[str, Any]:
    """Returns the schema of the values that an option takes."""
    codes = {"type": "array", "items": {"$ref": "#/definitions/code"}}
    match option.kind:
        case table.FLAG:
            return {"type": "boolean"}
        case table.NUMBER:
            return {"type": "integer", "minimum": 0}
        case table.CHOICE:
            return {"type": "string", "enum": list(option.choices)}
        case table.TEXT | table.PATH:
            return TEXT
        case table.CODES:
            return codes
        case table.CODES_BY_PATH:
            return {"type": "object", "additionalProperties": codes}
        case table.SEVERITY:
            return {
                "type": "object",
                "propertyNames": {"$ref": "#/definitions/code"},
                "additionalProperties": {"type": "string", "enum": list(option.choices)},
            }
        case table.LIMIT:
            number = {"type": "integer", "minimum": 1}
            limits = {name: {**number, "description": f"{limit.counts}."} for name, limit in LIMITS.items()}
            return {"type": "object", "additionalProperties": False, "properties": limits}
        case table.DIRECTORIES:
            return {"type": "object", "additionalProperties": TEXT}
        case table.VALUES:
            return {"type": "object"}
        case _:
            return {"type": "array", "items": TEXT}


def plain_default(value: Any) -> Any:
    """Returns a default as data for JSON."""
    if isinstance(value, tuple):
        return list(value)
    return dict(value) if hasattr(value, "items") else value


if __name__ == "__main__":
    sys.stdout.write(schema_text())

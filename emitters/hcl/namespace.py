"""Allocates names in the output: variables and outputs keep the template's names, labels are in snake case.

Invariant: a name that is legal in HCL is never changed, except for hyphens in variables: a shell cannot export
`TF_VAR_admin-password`. Names that need repair come after these, in template order. If the user wants snake case, this
holds for names in strict snake case, as tflint defines it.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable
from typing import final

from transpile.model import ir
from transpile.model.lazy_patterns import compile_lazily
from transpile.text.places import avoid_reserved_names

RESERVED = frozenset(
    ("count", "for_each", "depends_on", "lifecycle", "locals", "provider", "providers", "source", "version")
)
NAME_BYTES = 200  # of a generated file's name, without suffix; file systems allow 255
OLD = unicodedata.ucd_3_2_0  # every version of Terraform knows these letters
LEGAL = compile_lazily(r"(?:[^\W\d]|_)[\w-]*")
PLAIN = compile_lazily(r"[a-z_][a-z0-9_]*")
# Words begin at a capital: webServer, HTTPServer. Two capitals may be an acronym (DBserver), and so may those before a
# plural (URLs).
CAMEL = compile_lazily(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z]{2})(?=[A-Z](?!s(?![a-z]))[a-z])")


def repair_identifier(name: str) -> str:
    """The nearest legal HCL identifier."""
    if LEGAL.fullmatch(name) and name.isascii():
        return name
    name = unicodedata.normalize("NFC", name)  # as Terraform does
    fixed = re.sub(r"[^\w-]|(?<=\d)(?=\s)", "_", name) or "_"
    fixed = "".join(c if c.isascii() or (c.isalpha() and OLD.category(c)[0] == "L") else "_" for c in fixed)
    return fixed if LEGAL.fullmatch(fixed) else f"_{fixed}"


def snake_case(name: str) -> str:
    """A snake-case label for a name of the template."""
    if PLAIN.fullmatch(name):
        return name
    return repair_identifier(CAMEL.sub("_", name).lower().replace("-", "_"))


def strict_snake_case(name: str) -> str:
    """A name of lower-case ASCII letters and digits, with single underscores between words."""
    folded = unicodedata.normalize("NFKD", CAMEL.sub("_", name).casefold())
    plain = "".join(c for c in folded if not unicodedata.combining(c))
    words = re.sub(r"[^a-z0-9]+", "_", plain).strip("_")
    return words if words[:1].isalpha() else f"n_{words}".strip("_")


def strict_variable_name(name: str) -> str:
    """The name for a variable in the same way: words with a meaning in a module's call get another word after them."""
    words = strict_snake_case(name)
    return f"{words}_value" if words in RESERVED else words


@final
class UniqueNames:
    """A set of unique names. shape: changes each name before it is reserved."""

    def __init__(self, taken: Iterable[str] = (), shape: Callable[[str], str] = str) -> None:
        self.taken, self.shape = set(taken), shape
        self.next: dict[str, int] = {}

    def reserve_name(self, name: str) -> str:
        """Reserves the name, with a numeric suffix if it is taken."""
        name = self.shape(name)
        candidate, number = name, self.next.get(name, 2)
        while candidate in self.taken:
            candidate, number = f"{name}_{number}", number + 1
        self.taken.add(candidate)
        self.next[name] = number
        return candidate

    def assign_names(self, preferred_names: Iterable[tuple[str, str]]) -> dict[str, str]:
        """Reserves names for pairs of (original name, preferred name). Names that stay as they are come first."""
        pairs = [(own, self.shape(name)) for own, name in preferred_names]
        assigned = {own: self.reserve_name(name) for own, name in pairs if own == name}
        assigned |= {own: self.reserve_name(name) for own, name in pairs if own not in assigned}
        return assigned


def variable_name(name: str) -> str:
    """The variable name for a parameter."""
    short = {
        "OS::stack_name": "stack_name",
        "AWS::StackName": "stack_name",
        "OS::stack_id": "stack_id",
        "AWS::StackId": "stack_id",
        "OS::project_id": "project_id",
    }.get(name)
    fixed = short or repair_identifier(name).replace("-", "_")
    return f"{fixed}_" if fixed in RESERVED else fixed


def output_name(name: str) -> str:
    return {"OS::stack_id": "stack_id", "OS::stack_name": "stack_name", "OS::project_id": "project_id"}.get(
        name
    ) or repair_identifier(name)


@final
class Namespace:
    """All names of one Terraform directory. `variables`, `conditions`, `mappings`, `outputs`: from the template's name
    to the name in the output; these are fixed from the start. snake: all names are in strict snake case.
    """

    def __init__(self, template: ir.Template, *, snake: bool = False) -> None:
        self.snake = snake
        self.shape: Callable[[str], str] = strict_snake_case if snake else str
        self.taken_variables = UniqueNames(shape=strict_variable_name if snake else str)
        self.variables = self.taken_variables.assign_names(
            [(name, variable_name(name)) for name in template.parameters]
        )
        self.locals = UniqueNames(shape=self.shape)
        preferred_names = [(f"condition {name}", snake_case(name)) for name in template.conditions] + [
            (f"mapping {name}", snake_case(name)) for name in template.mappings
        ]
        assigned = self.locals.assign_names(preferred_names)
        self.conditions = {name: assigned[f"condition {name}"] for name in template.conditions}
        self.mappings = {name: assigned[f"mapping {name}"] for name in template.mappings}
        self.outputs = UniqueNames(shape=self.shape).assign_names(
            [(name, output_name(name)) for name in template.outputs]
        )
        self.labels: dict[str, UniqueNames] = {}
        self.shared: dict[object, str] = {}
        self.template_files = UniqueNames()

    def reserve_label(self, kind: str, preferred: str) -> str:
        """Reserves a label for a Terraform resource type."""
        return self.labels.setdefault(kind, UniqueNames(shape=self.shape)).reserve_name(preferred)

    def shared_label(self, key: object, kind: str, preferred: str) -> str:
        """A label shared by all callers with the same key."""
        if key not in self.shared:
            self.shared[key] = self.reserve_label(kind, preferred)
        return self.shared[key]

    def reserve_data_source(self, kind: str, preferred: str) -> tuple[str, str]:
        """Reserves the address of a new data source."""
        return kind, self.reserve_label(f"data.{kind}", preferred)

    def reserve_template_file(self, name: str) -> str:
        """Reserves the path of a Heat template below templates/."""
        stem, dot, suffix = name.rpartition(".")
        stem = re.sub(r"[^\w.-]", "_", stem).encode()[:NAME_BYTES].decode(errors="ignore")
        return f"{self.template_files.reserve_name(avoid_reserved_names(f'templates/{stem}'))}{dot}{suffix}"

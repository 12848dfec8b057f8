"""What the first plan of an adoption shows, and what must be filled in before it.

Invariant: ADOPT.md, README.md, the report and the line after a run take each number from here, so they agree.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from transpile.model.words import join_words

if TYPE_CHECKING:
    from transpile.adoption.adoption import Adoption


def count_import_blocks(adoption: Adoption) -> int:
    """The number of `import` blocks, those whose ID must be filled in included."""
    return len(adoption.imports) + len(adoption.unknown_ids)


def format_plan_line(adoption: Adoption) -> str:
    """The line that ends the first plan, as Terraform prints it."""
    imports, additions = count_import_blocks(adoption), len(adoption.additions)
    return f"Plan: {imports} to import, {additions} to add, 0 to change, 0 to destroy."


def describe_preparations(adoption: Adoption) -> list[str]:
    """What must be filled in before the first plan: short phrases, "fill in 3 IDs in imports.tf"."""
    out = []
    if number := len(adoption.unknown_ids):
        file = adoption.environment.values_file if adoption.environment.exists else "imports.tf"
        out.append(f"fill in {'the ID' if number == 1 else f'{number} IDs'} in {file}")
    if adoption.asks:
        out.append(f"give {join_words([*adoption.asks])} a value")
    return out

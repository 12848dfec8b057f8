"""Makes stand-ins for attributes that only the provider computes."""

from __future__ import annotations

from typing import Any

from emitters.hcl.evaluation.functions import UnknownValue
from emitters.hcl.evaluation.instances import BlockInstance
from emitters.hcl.tree.types import HclType

ITEMS = 4  # of a list


def make_stand_in(kind: HclType, label: str, instance: BlockInstance) -> Any:
    """A value of a type. Texts begin with the label, so that a reader sees which attribute they replace."""
    match kind.kind:
        case "string":
            return label
        case "list" | "set" if kind.of is not None and kind.of.kind == "string":
            return [f"{label}-{n}" for n in range(ITEMS)]
        case "number":
            return 1 + sum(map(ord, label)) % 1000
        case "bool":
            return True
        case "map":
            return {}
    raise UnknownValue(f"an attribute of {instance.address_text} whose type has no stand-in")

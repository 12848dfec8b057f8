"""The resources of a stack and of its nested stacks in one index, and the facts for the comparison of one of them.

Invariant: a property or a physical ID that is not known is a CannotTell, never a guess.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, final

from transpile.adoption.api_comparisons import CannotTell, CloudObjects
from transpile.adoption.live import LiveResource
from transpile.adoption.live_fields import ComparedField
from transpile.evaluate.interpreter import ABSENT
from transpile.evaluate.pure import EvaluationError
from transpile.model.records import node
from transpile.stack_evaluation.evaluation import StackEvaluation


@final
@node
class PairedResource:
    """A resource that is both in a template and in the live stack, with the evaluation of its stack."""

    path: tuple[str, ...]
    type: str
    evaluation: StackEvaluation
    live: LiveResource

    @property
    def name(self) -> str:
        return self.path[-1]

    def evaluate_property(self, key: str) -> Any:
        """A property by its name or an alias of it; ABSENT if the template does not set it. Raises CannotTell."""
        schema = self.evaluation.resource_facts(self.name).get("properties", {})
        for name in (key, *(other for other, facts in schema.items() if facts.get("alias") == key)):
            try:
                value = self.evaluation.evaluate_property(self.name, name)
            except EvaluationError:
                raise CannotTell("a value of the template is not known") from None
            if value is not ABSENT:
                return value
        return ABSENT


@final
class ResourceIndex:
    """All resources of a stack and of its nested stacks, by type."""

    def __init__(self, resources: Iterable[PairedResource]) -> None:
        self.by_type: dict[str, list[PairedResource]] = {}
        for resource in resources:
            self.by_type.setdefault(resource.type, []).append(resource)

    def resources_of_types(self, *types: str) -> list[PairedResource]:
        return [resource for kind in types for resource in self.by_type.get(kind, ())]

    def physical_ids(self, *types: str) -> set[str | None]:
        return {resource.live.physical_id for resource in self.resources_of_types(*types)}

    def attachment_parts(self, id: str, pattern: re.Pattern[str], *types: str) -> Iterator[tuple[str, ...]]:
        """For each resource that is attached to an object, the other parts of its physical ID.

        Such resources do not have their own ID: an interface of the router `r1` has `r1:subnet_id=s1`, which gives
        `("subnet_id", "s1")`. Raises CannotTell if one of these IDs is missing.
        """
        for resource in self.resources_of_types(*types):
            match = pattern.fullmatch(resource.live.physical_id or "")
            if match is None:
                raise CannotTell("the physical ID of another resource is missing")
            if match[1] == id:
                yield match.groups()[1:]


@final
@node
class ComparedResource:
    """A resource whose field is compared. `expected`: the property; ABSENT if the template does not set it, None if it
    is null there. `object`: the object of the API.
    """

    paired: PairedResource
    field: ComparedField
    expected: Any
    object: Mapping[str, Any]
    index: ResourceIndex
    objects: CloudObjects

    @property
    def object_id(self) -> str:
        return str(self.object.get("id"))

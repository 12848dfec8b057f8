"""The resources of a stack and of the stacks inside as one family, and what a comparison of one of them needs.

Invariant: a property or a physical ID that is not known is a CannotTell, never a guess.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, final

from transpile.adoption.api_comparisons import CannotTell
from transpile.evaluate.interpreter import ABSENT
from transpile.evaluate.pure import EvaluationError
from transpile.model.records import node

if TYPE_CHECKING:
    import re
    from collections.abc import Iterable, Iterator, Mapping

    from transpile.adoption.api_comparisons import Objects
    from transpile.adoption.live import LiveResource
    from transpile.adoption.live_fields import Field
    from transpile.stack_evaluation.evaluation import Evaluation


@final
@node
class Member:
    """A resource of the stack or of a stack inside, with what evaluates its properties."""

    path: tuple[str, ...]
    type: str
    evaluation: Evaluation
    live: LiveResource

    @property
    def name(self) -> str:
        return self.path[-1]

    def property(self, key: str) -> Any:
        """A property by its name or an alias of it; ABSENT if the template does not set it. Raises CannotTell."""
        schema = self.evaluation.facts(self.name).get("properties", {})
        for name in (key, *(other for other, facts in schema.items() if facts.get("alias") == key)):
            try:
                found = self.evaluation.property(self.name, name)
            except EvaluationError:
                raise CannotTell("a value of the template is not known") from None
            if found is not ABSENT:
                return found
        return ABSENT


@final
class Family:
    """All resources of a stack and the stacks inside."""

    def __init__(self, members: Iterable[Member]) -> None:
        self.of_type: dict[str, list[Member]] = {}
        for one in members:
            self.of_type.setdefault(one.type, []).append(one)

    def find(self, *types: str) -> list[Member]:
        return [one for kind in types for one in self.of_type.get(kind, ())]

    def ids(self, *types: str) -> set[str | None]:
        return {one.live.physical_id for one in self.find(*types)}

    def beside(self, id: str, form: re.Pattern[str], *types: str) -> Iterator[tuple[str, ...]]:
        """The parts of the physical IDs of resources that Heat made on an object and that have no ID of their own."""
        for one in self.find(*types):
            found = form.fullmatch(one.live.physical_id or "")
            if found is None:
                raise CannotTell("the physical ID of another resource is missing")
            if found[1] == id:
                yield found.groups()[1:]


@final
@node
class Subject:
    """A resource whose field is compared. `given`: the property; ABSENT if the template does not set it, None if it is
    null there. `object`: the object of the API.
    """

    member: Member
    field: Field
    given: Any
    object: Mapping[str, Any]
    family: Family
    objects: Objects

    @property
    def id(self) -> str:
        return str(self.object.get("id"))

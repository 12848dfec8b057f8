"""Drift: what the live resources of a stack have, and its template does not.

Invariant: a difference is reported only if the values of both sides are known. What is not compared is counted, with
the reason.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any, final

from transpile.adoption.api_comparisons import COMPARISONS, CannotTell, Compared, Objects
from transpile.adoption.by_hand import BY_HAND
from transpile.adoption.family import Family, Member, Subject
from transpile.adoption.live_fields import FIELDS, WHOLE
from transpile.diagnostics import codes
from transpile.diagnostics.model import Diagnostic
from transpile.evaluate.interpreter import ABSENT
from transpile.evaluate.pure import EvaluationError, NotKnown
from transpile.model import heat_types
from transpile.model.records import node, record
from transpile.stack_evaluation import Evaluation, Outside, select

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from transpile.adoption.api_comparisons import Finding
    from transpile.adoption.live import LiveResource, LiveStack
    from transpile.adoption.live_fields import Field, Live
    from transpile.adoption.lookups import Cloud
    from transpile.model.source import Source
    from transpile.model.span import Span
    from transpile.resolve.stack import Stack

REFERENCES = frozenset({  # types whose get_resource is not the physical ID
    heat_types.AWS_LAUNCH_CONFIGURATION,
    heat_types.AWS_SCALING_POLICY,
    heat_types.AWS_STACK,
    heat_types.AWS_WAIT_CONDITION_HANDLE,
    heat_types.AWS_EIP,
    heat_types.AWS_EIP_ASSOCIATION,
    heat_types.AWS_LOAD_BALANCER,
    heat_types.AWS_USER,
    heat_types.SCALING_POLICY,
    heat_types.SWIFT_SIGNAL_HANDLE,
    heat_types.MISTRAL_WORKFLOW,
    heat_types.NOVA_FLOATING_IP_ASSOCIATION,
})  # fmt: skip
OF_HEAT = "OS::Heat::"  # types that exist only in Heat
SHOWN = ("OS::Neutron::", "OS::Octavia::")  # types whose attributes are the fields of the API's object
OTHER_FIELDS = frozenset({"show", "segments", "subnets", "network", "rules"})  # attributes that Heat computes
NOBODY = "nobody answered a question to the cloud"


@final
@node
class Difference:
    """A difference of a resource. `path`: the names that lead to it. `field`: the property of Heat, or what the API
    has in its place. `given`, `live`: what the template and the cloud have, as texts. `added`, `missing`: whether the
    cloud has something more, or lacks something.
    """

    path: tuple[str, ...]
    type: str
    field: str
    given: str
    live: str
    added: bool
    missing: bool
    source: Source
    span: Span

    @property
    def address(self) -> str:
        return ".".join(self.path)

    def diagnostic(self) -> Diagnostic:
        if self.added:
            message = f"{self.address} has {self.live} in {self.field}, which the template does not have."
            return Diagnostic(codes.ADDED_TO_LIVE_RESOURCE, message, self.source, self.span)
        if self.missing:
            message = f"{self.address} lacks {self.given} in {self.field}, which the template has."
        else:
            message = f"{self.field} of {self.address} is {self.live} in the cloud and {self.given} in the template."
        return Diagnostic(codes.LIVE_RESOURCE_DIFFERS, message, self.source, self.span)

    def as_json(self) -> dict[str, Any]:
        sort = "added" if self.added else "missing" if self.missing else "changed"
        out = {"resource": self.address, "type": self.type, "property": self.field, "difference": sort}
        return out | ({"template": self.given} if self.given else {}) | ({"live": self.live} if self.live else {})


@final
@record
class Drift:
    """`compared`: the number of values that were compared. `left`: how many were not, by reason. `commands`: those that
    answer the questions which nobody answered.
    """

    differences: list[Difference]
    compared: int
    left: Counter[str]
    commands: tuple[str, ...]

    def diagnostics(self, source: Source) -> list[Diagnostic]:
        """The differences, and what was not compared. `source`: the text of the live stack."""
        out = [one.diagnostic() for one in self.differences]
        if self.commands:
            more = f" and {len(self.commands) - 1} more" if len(self.commands) > 1 else ""
            message = f"{self.left[NOBODY]} values are not compared, because nobody answered: {self.commands[0]}{more}."
            out.append(Diagnostic(codes.COMPARISON_NEEDS_CLOUD, message, source))
        rest = {why: n for why, n in sorted(self.left.items()) if why != NOBODY}
        if rest:
            said = "; ".join(f"{n}: {why}" for why, n in rest.items())
            message = f"{self.compared} values are compared, and {sum(rest.values())} are not ({said})."
            out.append(Diagnostic(codes.VALUES_NOT_COMPARED, message, source))
        return out

    def as_json(self) -> dict[str, Any]:
        return {
            "differences": [one.as_json() for one in self.differences],
            "compared": self.compared,
            "not_compared": dict(sorted(self.left.items())),
        }


def compare(live: LiveStack, stack: Stack, cloud: Cloud) -> Drift:
    """The differences between the resources of a live stack and its linked template."""
    objects, left, found = Objects(cloud), Counter[str](), list[Difference]()
    known = {".".join(path): resource for path, resource in live.walk()}
    members = list(walk(Evaluation(stack, outside(live, known, objects)), live, left))
    family, compared = Family(members), 0
    for member in members:
        for field, outcome in of_member(member, family, objects):
            if isinstance(outcome, str):
                left[outcome] += 1
            else:
                compared += 1
                found += [difference(member, field, one) for one in outcome]
    return Drift(found, compared, left, tuple(objects.unanswered))


def walk(evaluation: Evaluation, live: LiveStack, left: Counter[str], path: tuple[str, ...] = ()) -> Iterator[Member]:
    """The resources that are both in the template and in the live stack, those of nested stacks included."""
    try:
        names = evaluation.names
    except EvaluationError:
        left["the resources of a nested stack are not known"] += 1
        return
    for name in names:
        resource = live.resources.get(name)
        if resource is None:
            left["the resource is not in the live stack"] += 1
            continue
        kind = evaluation.kind(name)
        if resource.stack is None:
            yield Member((*path, name), kind, evaluation, resource)
            continue
        try:
            inside = evaluation.nested(name)
        except EvaluationError:
            inside = None
        if inside is None:
            left["the resources of a nested stack are not known"] += 1
        else:
            yield from walk(inside, resource.stack, left, (*path, name))


def outside(live: LiveStack, known: Mapping[str, LiveResource], objects: Objects) -> Outside:
    """What the live stack tells of its resources. Asking for anything else is a NotKnown."""

    def reference(address: str) -> Any:
        resource = known.get(address)
        if resource is None or resource.stack is not None or resource.type in REFERENCES:
            raise NotKnown(f"{address} is not known")
        found = resource.data.get("value") if resource.type == heat_types.RANDOM_STRING else resource.physical_id
        if not isinstance(found, str):
            raise NotKnown(f"{address} is not known")
        return found

    def attribute(address: str, path: tuple[Any, ...]) -> Any:
        resource = known.get(address)
        if resource is None or resource.stack is not None or resource.type == heat_types.VALUE:
            return ABSENT
        if path and resource.type == heat_types.RANDOM_STRING and path[0] == "value":
            return reference(address)
        if path and resource.type.startswith(SHOWN) and path[0] not in OTHER_FIELDS and resource.type in FIELDS:
            try:
                shows = objects.one(FIELDS[resource.type].noun, str(resource.physical_id))
            except CannotTell as e:
                raise NotKnown(str(e)) from None
            if path[0] in shows:
                return select(shows[path[0]], path[1:])
        raise NotKnown(f"{address} is not known")

    return Outside(reference, attribute, live.name, live.id, live.project)


def of_member(member: Member, family: Family, objects: Objects) -> Iterator[tuple[Field | None, str | list[Finding]]]:
    """The findings of each field of a resource, or why there are none."""
    table = FIELDS.get(member.type)
    if table is None:
        if member.type not in WHOLE and not member.type.startswith(OF_HEAT):
            yield None, "hot2tf does not know how the API shows the type"
        return
    if member.live.physical_id is None:
        yield None, "the resource has no physical ID"
        return
    try:
        shows = objects.one(table.noun, member.live.physical_id, **inside(member, table))
    except CannotTell as e:
        for field in table.fields:
            yield field, str(e)
        return
    schema = member.evaluation.facts(member.name).get("properties", {})
    for field in table.fields:
        try:
            given = member.property(field.name)
            if field.how in BY_HAND:
                yield field, list(BY_HAND[field.how](Subject(member, field, given, shows, family, objects)))
                continue
            if given is ABSENT or (given is None and field.how != "address"):
                given = schema.get(field.name, {}).get("default", field.unset)
                if given is ABSENT:
                    continue  # the service has chosen, so nothing is to compare
            value: Any = shows
            for step in field.path:
                if not isinstance(value, dict) or step not in value:
                    raise CannotTell("the API does not show the field")
                value = value[step]
            yield field, list(COMPARISONS[field.how](Compared(field, given, value, objects)))
        except CannotTell as e:
            yield field, str(e)


def inside(member: Member, table: Live) -> dict[str, str]:
    """What the object of a resource belongs to, if the API has it only there."""
    if table.inside is None:
        return {}
    attribute, name = table.inside
    owner = member.property(name)
    if not isinstance(owner, str):
        raise CannotTell("a value of the template is not known")
    return {attribute: owner}


def difference(member: Member, field: Field | None, found: Finding) -> Difference:
    """A difference at the place of the property in the template, or of the resource."""
    assert field is not None
    template = member.evaluation.stack.template
    resource = template.resources[member.name]
    span = resource.name_span
    for entry in resource.properties.entries if resource.properties is not None else ():
        if entry.key == field.name:
            span = entry.span
    return Difference(
        member.path,
        member.type,
        field.name,
        found.given,
        found.live,
        found.added,
        found.missing,
        template.source,
        span,
    )

"""The import ID of each instance: its form by the table, its parts from the export, the arguments and the cloud.

Invariant: an ID is known as a whole or not at all. Of several objects that answer a question, none is taken.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, NamedTuple, final

from emitters.hcl.evaluation.functions import Failed, Unknown, text_of
from emitters.hcl.evaluation.instances import MISSING, Instance, Plan
from emitters.hcl.tables import imports
from emitters.hcl.tree.nodes import Argument
from transpile.adoption.lookups import Lookup, NoAnswer
from transpile.adoption.lookups import found as values_at
from transpile.evaluate.interpreter import ABSENT
from transpile.evaluate.pure import EvaluationError
from transpile.stack_evaluation.evaluation import Evaluation
from transpile.stack_evaluation.outside import Outside
from transpile.stack_evaluation.plugin_properties import Stub

if TYPE_CHECKING:
    from collections.abc import Mapping

    from emitters.hcl.attempt import Attempt
    from emitters.hcl.tables.imports import Form, Part, Row
    from transpile.adoption.adoption import Adoption
    from transpile.adoption.live import LiveResource

SCOPE = "openstack_identity_auth_scope_v3"  # the data source for what the credentials are for
# Attributes that the provider calls otherwise than the API.
CALLED: Mapping[tuple[str, str], str] = {("openstack_networking_floatingip_v2", "address"): "floating_ip_address"}
# Lists that the provider makes of what the API returns, by the path to their items.
LISTED: Mapping[tuple[str, str], tuple[str, ...]] = {
    ("openstack_networking_port_v2", "all_fixed_ips"): ("fixed_ips", "ip_address"),
    ("openstack_networking_port_v2", "all_security_group_ids"): ("security_groups",),
}


class Unanswered(Unknown):
    """A part of an ID is known only to the cloud."""

    def __init__(self, lookup: Lookup, why: str) -> None:
        super().__init__(why)
        self.lookup = lookup


class Identity(NamedTuple):
    """An instance with its ID; `why` it is not known, and the question that would tell."""

    instance: Instance
    id: str | None
    why: str = ""
    lookup: Lookup | None = None


@final
class Identities:
    """The IDs of all instances of a plan."""

    def __init__(self, adoption: Adoption, root: Attempt, modules: Mapping[str, Attempt]) -> None:
        self.adoption = adoption
        self.plan = Plan(root, modules, adoption.live, self.attribute)
        self.known: dict[str, str | Unknown | Failed] = {}
        self.resources: dict[str, LiveResource] = {}
        for path, resource in adoption.live.walk():
            self.resources.setdefault(".".join(path), resource)
        self.heat: Evaluation | None = None
        self.anew: list[tuple[Instance, str]] = []  # instances without an import, and what it means to make them

    def every(self) -> list[Identity]:
        """All instances that can be imported, each with its ID. Raises Unknown or Failed if Terraform's plan is not
        known.
        """
        out = []
        for instance in self.plan.root.instances():
            row = imports.find(instance.block.labels[0])
            if row is None or row.none:
                self.anew.append((instance, row.anew if row is not None else "nothing is known about its import"))
                continue
            try:
                out.append(Identity(instance, self.of(instance)))
            except Unanswered as e:
                out.append(Identity(instance, None, str(e), e.lookup))
            except (Unknown, Failed) as e:
                out.append(Identity(instance, None, str(e)))
        return out

    def of(self, instance: Instance) -> str:
        """The ID of an instance. Raises Unknown or Failed."""
        shown = instance.shown
        if shown not in self.known:
            self.known[shown] = Unknown(f"the ID of {shown} depends on itself")
            try:
                self.known[shown] = self.made(instance)
            except (Unknown, Failed) as e:
                self.known[shown] = e
        found = self.known[shown]
        if isinstance(found, str):
            return found
        raise found

    def attribute(self, instance: Instance, name: str) -> Any:
        """An attribute that no argument gives: the ID, the generated value, or what the cloud says."""
        kind = instance.block.labels[0]
        row = imports.find(kind)
        if instance.block.type == "data":
            return self.looked_up(instance, row, name)
        if name == "id" or (kind.startswith("random_") and name == "result"):
            return self.of(instance)
        if row is None or not row.kind:
            raise Unknown(f"{name} of {instance.shown}")
        path = LISTED.get((kind, name), ())
        take = path[0] if path else CALLED.get((kind, name), name)
        found = self.asked(Lookup(row.kind, (("id", self.of(instance)),), take), ())
        if path and found is not None:
            return values_at(found, path[1:])
        if found is None:
            raise Unknown(f"{name} of {instance.shown}")
        return found

    def looked_up(self, instance: Instance, row: Row | None, name: str) -> Any:
        """An attribute of a data source: what the cloud says of the object that it looks for."""
        if instance.block.labels[0] == SCOPE and name == "project_id" and self.adoption.live.project:
            return self.adoption.live.project
        wanted = {item.name for item in instance.block.body if isinstance(item, Argument)} - {"count", "for_each"}
        if row is None or not row.kind or wanted != {"name"}:
            raise Unknown(f"{name} of {instance.shown}")
        return self.asked(Lookup(row.kind, (("name", text_of(instance.given("name"))),), name), ())

    # parts

    def made(self, instance: Instance) -> str:
        row = imports.find(instance.block.labels[0])
        live, owner = instance.live, instance.owner
        if row is None or row.none:
            raise Unknown(f"the ID of {instance.shown}")
        types = instance.directory.emission.unit.stack.types
        kind = live.type if live is not None else ""
        heat = types.get(owner or "", kind) if live is None or live.type not in row.of else live.type
        form = row.form_of(heat, instance.part)
        return self.joined(form, instance, live)

    def joined(self, form: Form, instance: Instance, live: LiveResource | None) -> str:
        return form.separator.join(self.part(one, instance, live) for one in form.parts)

    def part(self, part: Part, instance: Instance, live: LiveResource | None) -> str:
        match part:
            case imports.Literal(text):
                return text
            case imports.OfStack():
                return self.adoption.live.id
            case imports.Given(argument, optional):
                found = instance.given(argument)
                if found is MISSING or found is None:
                    if optional:
                        return ""
                    raise Unknown(f"the argument {argument}, which has no value")
                return text_of(found)
            case imports.Either(parts):
                return self.either(parts, instance, live)
            case imports.Question():
                return self.answer(part, instance, live)
            case imports.Property(name):
                return self.property(name, instance)
        if live is None:
            raise Unknown("the running stack has no such resource")
        match part:
            case imports.Stored(key, each):
                return stored(live, key, each)
            case imports.Physical(last):
                if live.physical_id is None:
                    raise Unknown("the resource has no physical ID")
                return live.physical_id.rstrip("/").rpartition("/")[2] if last else live.physical_id
        raise Unknown("this part of an ID")

    def either(self, parts: tuple[Part, ...], instance: Instance, live: LiveResource | None) -> str:
        said: Unknown | Failed | None = None
        for one in parts:
            try:
                if found := self.part(one, instance, live):
                    return found
            except (Unknown, Failed) as e:
                said = e
        raise said or Unknown("this part of an ID")

    def answer(self, part: imports.Question, instance: Instance, live: LiveResource | None) -> str:
        wanted = tuple((name, self.part(one, instance, live)) for name, one in part.by)
        found = self.asked(Lookup(part.kind, wanted, part.take), part.but)
        if found is None:
            raise Unknown(f"{part.take} of the {part.kind}")
        return text_of(found)

    def asked(self, lookup: Lookup, but: tuple[tuple[str, str], ...]) -> Any:
        """The attribute that a question is about. Raises Unanswered unless one object has it."""
        try:
            rows = self.adoption.cloud.ask(lookup)
        except NoAnswer:
            raise Unanswered(lookup, f"only the cloud knows the {lookup.kind}") from None
        left = [row for row in rows if not any(Lookup("", (one,)).matches(row) for one in but)]
        if len(left) != 1:
            many = "no" if not left else f"not one but {len(left)}"
            raise Unanswered(lookup, f"the cloud has {many} such {lookup.kind}")
        return left[0].get(lookup.take)

    def property(self, name: str, instance: Instance) -> str:
        """A property as Heat resolves it, with physical IDs where it refers to resources."""
        try:
            asked = self.evaluation()
            for step in instance.directory.names:
                inner = asked.nested(step)
                if inner is None:
                    raise Unknown(f"the property {name}")
                asked = inner
            found = asked.property(instance.owner or "", name)
        except EvaluationError as e:
            raise Unknown(f"the property {name}: {e}") from None
        if not isinstance(found, (str, int)) or isinstance(found, Stub):
            raise Unknown(f"the property {name}")
        return str(found)

    def evaluation(self) -> Evaluation:
        if self.heat is None:
            live = self.adoption.live
            assert self.adoption.stack is not None

            def reference(address: str) -> Any:
                found = self.resources.get(address)
                return ABSENT if found is None or found.physical_id is None else found.physical_id

            outside = Outside(reference, stack_name=live.name, stack_id=live.id, project_id=live.project)
            self.heat = Evaluation(self.adoption.stack, outside)
        return self.heat


def stored(live: LiveResource, key: str, each: str) -> str:
    """What Heat has stored of a resource."""
    found = live.data.get(key)
    if each and isinstance(found, str):
        try:
            items = json.loads(found)
        except ValueError:
            items = None
        one = items[0] if isinstance(items, list) and len(items) == 1 else None
        found = one.get(each) if isinstance(one, dict) else None
    if not isinstance(found, str) or not found:
        raise Unknown(f"{key} of the resource")
    return found

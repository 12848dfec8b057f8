"""The assertions of one run: every property and output whose value Heat knows, at its address.

Invariant: the value that is asserted is Heat's. What the output is evaluated for is only whether Terraform knows the
value by then, and which type it has.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any, NamedTuple

from emitters.hcl.assemble.references import find_reachable_addresses
from emitters.hcl.evaluation.functions import Failed, Unknown, plain
from emitters.hcl.evaluation.instances import MISSING, Instance
from emitters.hcl.evaluation.values import Evaluation
from emitters.hcl.proof import places
from emitters.hcl.proof.forms import MISFIT, equals, fitted, like, same
from emitters.hcl.proof.heat import marked, nested
from emitters.hcl.proof.overrides import AfterApply
from emitters.hcl.tree.nodes import Attr, Block, Expr, Fn, Index, Op, Traversal
from emitters.hcl.tree.types import ANY, HclType
from transpile.evaluate.interpreter import ABSENT
from transpile.evaluate.pure import EvaluationError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from emitters.hcl.evaluation.instances import Directory, Key
    from emitters.hcl.proof.trial import Trial
    from transpile.stack_evaluation.evaluation import StackEvaluation as OfHeat

STACK = "openstack_orchestration_stack_v1"
DERIVED = "derived"  # asserted only where the values are the same
EQUAL = ("value", "reference", "lookup")
MEMBERS = 3  # of a group that are asked for
DEFINITION = re.compile(r"(?:resource_def|resource)\.properties\.(.+)")


class Assertion(NamedTuple):
    """One assertion. what: what it is about, in Heat's words; block: the block that is asked, if it is one."""

    what: str
    condition: Expr
    message: str
    block: Block | None = None


class Left(NamedTuple):
    """A value that is not asserted, and why: unknown (until apply), heat (only Heat knows it), or differs."""

    what: str
    why: str
    heat: Any = None
    terraform: Any = None


def observe(trial: Trial) -> Iterator[Assertion | Left]:
    """All assertions of a trial, in the order of the template."""
    heat = trial.heat.evaluation
    reports = trial.directory.emission.log.report.resources
    try:
        enabled = set(heat.resource_names)
    except EvaluationError:
        return
    for name, report in reports.items():
        if name not in heat.stack.template.resources:
            continue
        if name not in enabled:
            yield from absent(trial, name, report.addresses)
            continue
        inside = nested(heat, name)
        group = inside if inside is not None and inside.group is not None and report.treatment != "embedded" else None
        yield from present(trial, name, report.addresses, group)
        for path, fate in report.properties.items():
            to, argument = fate.get("to", ""), fate.get("argument", "")
            if fate["as"] not in (*EQUAL, DERIVED) or not argument or argument == "count":
                continue
            block = trial.directory.blocks.get(tuple(to.split(".")))
            if block is None or argument.startswith("lifecycle."):
                continue
            member = DEFINITION.fullmatch(path)
            if group is None:
                yield from claimed(one(trial, heat, name, name, path, block, argument, 0, fate["as"]), fate["as"])
            elif member is not None:
                for n, child in enumerate(group.resource_names[:MEMBERS]):
                    key = trial.directory.emission.blocks.member_of.get(id(block))
                    if key in (None, child):
                        yield from one(
                            trial, group, child, f"{name}.{child}", member[1], block, argument, n, fate["as"]
                        )
    for name, output in trial.directory.emission.log.report.outputs.items():
        if "output" in output and name in heat.stack.template.outputs:
            yield from output_of(trial, name, output["output"])


def claimed(found: Iterable[Assertion | Left], fate: str) -> Iterator[Assertion | Left]:
    """What is said of a property. Of a derived one nobody claims that the values are the same."""
    return (one for one in found if isinstance(one, Assertion) or fate != DERIVED)


def absent(trial: Trial, name: str, addresses: Sequence[str]) -> Iterator[Assertion]:
    """That a resource whose condition does not hold has no instances."""
    for address in addresses:
        block = block_of(trial.directory, address)
        if block is not None and (block.find_argument("count") or block.find_argument("for_each")):
            condition = Op("==", Fn("length", (Traversal(tuple(address.split("."))),)), 0)
            yield Assertion(name, condition, f"{name}: its condition does not hold, so there must be none.", block)


def present(trial: Trial, name: str, addresses: Sequence[str], group: OfHeat | None) -> Iterator[Assertion]:
    """That a resource with a condition has an instance, and a group as many as Heat's."""
    for address in addresses[:1] if group is not None else addresses:
        block = block_of(trial.directory, address)
        if block is None or not (block.find_argument("count") or block.find_argument("for_each")):
            continue
        if trial.directory.emission.blocks.owner_of.get(id(block)) != name:
            continue
        resource = trial.heat.evaluation.stack.template.resources[name]
        if group is None and resource.condition is None:
            continue
        if id(block) in trial.directory.emission.blocks.member_of:
            continue
        try:
            found = len(trial.directory.keys(block))
        except (Unknown, Failed):
            continue
        wanted = len(group.resource_names) if group is not None else 1
        if found == wanted or group is not None:
            condition = Op("==", Fn("length", (Traversal(tuple(address.split("."))),)), wanted)
            many = f"{wanted} member{'s' * (wanted != 1)}" if group is not None else "one, as its condition holds"
            yield Assertion(name, condition, f"{name}: there must be {many}.", block)


def block_of(directory: Directory, address: str) -> Block | None:
    found = directory.holder(address)
    return found if isinstance(found, Block) else None


def one(
    trial: Trial, heat: OfHeat, name: str, shown: str, path: str, block: Block, argument: str, place: int, fate: str
) -> Iterator[Assertion | Left]:
    """The assertion for one property."""
    what, directory = f"{shown}.{path}", trial.directory
    key, *rest = path.split(".")
    try:
        found = heat.evaluate_property(name, key)
        found = None if found is ABSENT else places.dig(found, rest)
    except EvaluationError:
        return
    except Unknown:
        found = None
    if marked(found):
        yield Left(what, "heat", found)
        return
    try:
        keys = list(directory.keys(block))
    except (Unknown, Failed):
        yield Left(what, "unknown", found)
        return
    if not keys or place >= len(keys):
        yield Left(what, "none", found)
        return
    chosen: Key = name if name in keys else keys[place]
    base: Expr = Traversal(block.labels)
    base = base if chosen is None else Index(base, chosen)
    facts = trial.subject.overrides.providers.find_schema(block.labels[0]) or {}
    at = places.place(base, facts, argument.split("."))
    if at is None:
        return
    instance = Instance(directory, block, chosen)
    value: Any = MISFIT
    try:
        value = places.value(instance, argument.split("."))
    except AfterApply:
        yield Left(what, "unknown", found)
        return
    except Failed as e:
        yield Left(what, "differs", found, str(e))
        return
    except Unknown:
        if fate != "value" or refers(directory, block):
            yield Left(what, "unknown", found)
            return
    if found is None or (found == "" and value is None):
        if value is None and at.direct and not at.computed and fate != DERIVED:
            yield Assertion(what, at.asked(lambda expr: Op("==", expr, None)), f"{what} must be null.", block)
        return
    asked: dict[str, Assertion] = {}
    if value is MISFIT:
        if not isinstance(found, (str, int)) or isinstance(found, bool):
            yield Left(what, "unknown", found)
            return
        wanted = fitted(found, at.type)
    else:
        looked_up = meant(trial, found, value, what, asked)
        wanted = fitted(looked_up, at.type) if at.type != ANY else like(looked_up, value)
        other = fitted(value, at.type)
        if value is None or not same(wanted, other, at.type):
            yield Left(what, "heat" if value is None and by_heat(directory, block) else "differs", found, value)
            return
        wanted = other if isinstance(wanted, str) else wanted  # of JSON, Terraform's spelling
    if wanted is MISFIT:
        yield Left(what, "differs", found, value)
        return
    yield from asked.values()
    yield Assertion(what, at.asked(equals(wanted, at.type)), message(what, wanted), block)


def meant(trial: Trial, found: Any, value: Any, what: str, asked: dict[str, Assertion]) -> Any:
    """Heat's value, with names in place of which Terraform has the IDs that it looked up, and other attributes of the
    same resource, replaced. That the right name was looked up goes into `asked`.
    """
    if isinstance(found, list) and isinstance(value, list) and len(found) == len(value):
        return [meant(trial, one, other, what, asked) for one, other in zip(found, value, strict=True)]
    owners = trial.subject.overrides.owners
    if found == value or not isinstance(value, str):
        return found
    if isinstance(found, bool):  # Heat's text of a boolean depends on who reads it
        return value if value.lower() == str(found).lower() else found
    others = owners.get(value, {})
    if isinstance(found, str) and found in owners:
        mine = owners[found]
        return (
            value if mine.keys() & others.keys() or any(named(one, "name") == value for one in mine.values()) else found
        )
    for owner in others.values():
        if owner.block.type != "data":  # a name in the template that is that of a resource
            if named(owner, "name") == found:
                return value
        elif (condition := looked_up(owner, found)) is not None:
            label = f"{owner.block.labels[-1]}{'' if owner.key is None else f'.{owner.key}'}"
            asked[label] = Assertion(f"{what} ({label})", condition, message(what, found), owner.block)
            return value
    return found


def looked_up(owner: Instance, found: Any) -> Expr | None:
    """The condition that a data source looks for a name of Heat's; None if it looks for something else."""
    base: Expr = Traversal(("data", *owner.block.labels))
    base = base if owner.key is None else Index(base, owner.key)
    for name in ("name", "subnet_id", "network_id", "port_id", "address", "fixed_ip"):
        given = named(owner, name)
        if given is not None and fitted(found, HclType("string")) == given:
            return Op("==", Attr(base, name), given)
    return None


def named(instance: Instance, name: str) -> Any:
    """The value of an argument; None without one, or if it is not known."""
    try:
        found = instance.given(name)
    except (Unknown, Failed):
        return None
    return None if found is MISSING else found


def output_of(trial: Trial, name: str, label: str) -> Iterator[Assertion | Left]:
    """The assertion for one output."""
    what = f"outputs.{name}"
    try:
        found = plain(trial.heat.evaluation.evaluate_output(name))
    except EvaluationError:
        return
    if marked(found):
        yield Left(what, "heat", found)
        return
    block = trial.directory.outputs.get(label)
    if block is None:
        return
    value: Any = MISFIT
    given = block.find_argument("value")
    try:
        value = plain(Evaluation(trial.directory, {}).of(given.value if given is not None else None))
    except AfterApply:
        yield Left(what, "unknown", found)
        return
    except Failed as e:
        yield Left(what, "differs", found, str(e))
        return
    except Unknown:
        yield Left(what, "unknown", found)
        return
    wanted = like(found, value)
    if wanted is MISFIT or not same(wanted, value, ANY):
        yield Left(what, "heat" if value is None and by_heat(trial.directory, block) else "differs", found, value)
        return
    kind = ANY if isinstance(wanted, (list, dict)) else HclType("string")
    yield Assertion(what, equals(wanted, kind)(Traversal(("output", label))), message(what, wanted), block)


def message(what: str, wanted: Any) -> str:
    """What a failed assertion says. Texts of others are not repeated where they are long or hold special characters."""
    text = wanted if isinstance(wanted, str) else json.dumps(wanted, ensure_ascii=False)
    plain_ = len(text) <= 60 and text.isprintable() and "${" not in text and "%{" not in text
    return f"{what} must be {text}, as in Heat." if plain_ and text else f"{what} must be what Heat makes it."


def refers(directory: Directory, block: Block) -> bool:
    """Whether a block uses anything of a resource or module, directly or through others."""
    kinds = {address.partition(".")[0] for address in find_reachable_addresses([block], directory.holder)}
    return bool(kinds - {"var", "local", "data"})


def by_heat(directory: Directory, block: Block) -> bool:
    """Whether a block reads outputs of a stack of Heat's, of which there are none in a test."""
    return any(address.startswith(f"{STACK}.") for address in find_reachable_addresses([block], directory.holder))


def influences(directory: Directory, block: Block) -> frozenset[str]:
    """The variables that what a block says depends on, directly or through others."""
    found = find_reachable_addresses([block], directory.holder)
    return frozenset(address.partition(".")[2] for address in found if address.startswith("var."))

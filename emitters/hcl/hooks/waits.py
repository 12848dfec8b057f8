"""Resources that only wait: OS::Heat::Delay, and the waits of OS::Heat::TestResource.

Each delay has its own random jitter. A negative wait of a test resource never ends, and Terraform has nothing like
suspending, so neither can be expressed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from emitters.hcl.errors import CannotSay
from emitters.hcl.hooks import finish_hook, property_hook
from emitters.hcl.plan.preferences import FAITHFUL
from emitters.hcl.resources.arguments import how_written
from emitters.hcl.tree.nodes import Block, Expr, Fn, Name, Not, Op, Text, Tuple
from emitters.hcl.tree.types import BOOL, NUMBER, STRING
from transpile.diagnostics import codes
from transpile.model import ir
from transpile.model.span import word_at
from transpile.report import fate

if TYPE_CHECKING:
    from emitters.hcl.resources.writer import Writer
    from emitters.hcl.tables.mapping import Rule

SLEEP = "time_sleep"
DURATIONS = {"CREATE": "create_duration", "DELETE": "destroy_duration"}


def seconds(expr: Expr) -> Expr:
    """A duration in the provider's format."""
    return f"{plain(expr)}s" if isinstance(expr, (int, float)) else Text((expr, "s"))


def plain(number: float) -> str:
    """A number without a decimal point if it needs none: `2.0` -> `2`."""
    return str(int(number)) if number == int(number) else str(number)


# OS::Heat::Delay


@property_hook("delay")
def delay(writer: Writer, rule: Rule, entry: ir.Entry) -> None:
    """Records the fate of a null. The finish hook writes the delay from all properties."""
    if entry.value == ir.NULL:
        writer.default(entry.key)


def number(writer: Writer, name: str, default: float) -> Expr:
    """A property that is a number, or its default."""
    entry = writer.given.get(name)
    return default if entry is None or entry.value == ir.NULL else writer.lowering.expr(entry.value, NUMBER)


def actions(writer: Writer) -> list[str]:
    """The actions that wait."""
    entry = writer.given.get("actions")
    if entry is None or entry.value == ir.NULL:
        return ["CREATE"]
    items = entry.value.items if isinstance(entry.value, ir.Seq) else ()
    if not isinstance(entry.value, ir.Seq) or not all(isinstance(i, ir.Lit) for i in items):
        why = f"the actions for which {writer.resource.name} waits are known only at run time"
        raise CannotSay(codes.ONLY_AT_RUN_TIME, why, entry.value)
    found = [str(i.value) for i in items if isinstance(i, ir.Lit)]
    for i, (word, item) in enumerate(zip(found, items, strict=True)):
        if word in DURATIONS:
            writer.is_value(f"actions.{i}", DURATIONS[word], "derived", why="it determines when the delay happens")
        else:
            why = "Terraform cannot suspend or resume"
            writer.emission.log.say(
                codes.PROPERTY_WITHOUT_COUNTERPART, f"{word} of {writer.resource.name} is lost: {why}.", item
            )
            writer.fate(f"actions.{i}", fate("dropped", code=codes.PROPERTY_WITHOUT_COUNTERPART, why=why))
    return found


@finish_hook("delay")
def finish_delay(writer: Writer) -> None:
    """Writes the durations. Jitter is a random number of milliseconds."""
    writer.emission.blocks.providers.add("time")
    chosen = [DURATIONS[word] for word in DURATIONS if word in actions(writer)]
    if not chosen:
        at, why = writer.resource.at, "it waits only when Heat suspends or resumes the stack"
        raise CannotSay(codes.KEPT_IN_HEAT, why, word_at(at, writer.resource.name))
    least, jitter, factor = (
        number(writer, name, default)
        for name, default in (("min_wait", 0), ("max_jitter", 0), ("jitter_multiplier", 1))
    )
    if 0 in (jitter, factor):
        value = seconds(least)
    else:
        value = Text((Name((*jittered(writer, least, jitter, factor).labels, "result")), "ms"))
        if writer.lowering.scope.repeated is not None:
            value = Text((writer.self_reference("result", writer.blocks[-1]), "ms"))
    for argument in chosen:
        writer.block.set(argument, value)
    for name in ("min_wait", "max_jitter", "jitter_multiplier"):
        if name in writer.given and writer.given[name].value != ir.NULL:
            writer.is_value(name, chosen[0], "derived", why="part of the delay")


def jittered(writer: Writer, least: Expr, jitter: Expr, factor: Expr) -> Block:
    """Writes a random number of milliseconds between the shortest and the longest delay."""
    writer.emission.blocks.providers.add("random")
    block = writer.beside("random_integer", writer.block.labels[1], writer.resource)
    block.set("min", milliseconds(least))
    block.set("max", milliseconds(total(least, product(jitter, factor))))
    return block


def milliseconds(expr: Expr) -> Expr:
    """A number of seconds in whole milliseconds."""
    return int(expr * 1000) if isinstance(expr, (int, float)) else Fn("floor", (Op("*", expr, 1000),))


def product(left: Expr, right: Expr) -> Expr:
    """`left * right`, computed here if both are known."""
    if isinstance(left, (int, float)) and isinstance(right, (int, float)):
        return left * right
    return left if right == 1 else right if left == 1 else Op("*", left, right)


def total(left: Expr, right: Expr) -> Expr:
    """`left + right`, computed here if both are known."""
    if isinstance(left, (int, float)) and isinstance(right, (int, float)):
        return left + right
    return right if left == 0 else Op("+", left, right)


# OS::Heat::TestResource


@property_hook("test_value")
def test_value(writer: Writer, rule: Rule, entry: ir.Entry) -> None:
    if entry.value == ir.NULL:
        writer.default(entry.key)
        return
    value = writer.lowering.expr(entry.value, STRING)
    if isinstance(value, Name) and (value.parts[0] == "count" or writer.lowering.value(entry.value).type != STRING):
        value = Fn("tostring", (value,))  # the argument takes any type, and does not convert it to a string
    writer.block.set("input", value, entry)
    how = how_written(entry.value)
    writer.is_value(entry.key, "input", how)


@property_hook("test_fail")
def test_fail(writer: Writer, rule: Rule, entry: ir.Entry) -> None:
    if entry.value in (ir.NULL, ir.Lit(False)):
        writer.fate(entry.key, fate("implied", why="it does not fail"))
    elif writer.emission.unit.plan.prefer != FAITHFUL:
        failing(writer, entry)
    else:
        raise CannotSay(codes.KEPT_IN_HEAT, "only Heat can fail on purpose", entry.value)


def failing(writer: Writer, entry: ir.Entry) -> None:
    """Writes a postcondition that fails the apply. It mentions the ID, which is known only then: a condition that is
    known earlier would already fail the plan, and nothing would be created.
    """
    name, fails = writer.resource.name, writer.lowering.expr(entry.value, BOOL)
    unmade = Op("==", Name(("self", "id")), "")
    check = writer.block.block("lifecycle").block("postcondition")
    check.set("condition", unmade if fails is True else Op("||", unmade, Not(fails)), entry)
    check.set("error_message", f"{name} fails on purpose.")
    message = f"{name} fails by a condition of Terraform's: what waits for it is not created, as in Heat."
    writer.lowering.differs(codes.FAILING_TEST_RESOURCE, message, entry)
    writer.is_value(entry.key, "lifecycle.postcondition", "derived", why="the condition fails if this is true")


@property_hook("test_waits")
def test_wait(writer: Writer, rule: Rule, entry: ir.Entry) -> None:
    """Records the fate of a null. The finish hook writes the wait from both properties."""
    if entry.value == ir.NULL:
        writer.default(entry.key)


@finish_hook("test_waits")
def finish_test(writer: Writer) -> None:
    """Writes the value, or Heat's default, and the waits."""
    if not any(getattr(item, "name", "") == "input" for item in writer.block.body):
        writer.block.set("input", "test_string")
    given, by_action = writer.given.get("wait_secs"), writer.given.get("action_wait_secs")
    waits: dict[str, tuple[str, Expr]] = {}  # argument → property, seconds
    if given is not None and given.value != ir.NULL:
        for argument in DURATIONS.values():
            waits[argument] = ("wait_secs", writer.lowering.expr(given.value, NUMBER))
    if by_action is not None and by_action.value != ir.NULL:
        if not isinstance(by_action.value, ir.Map):
            why = f"how long {writer.resource.name} waits is known only at run time"
            raise CannotSay(codes.ONLY_AT_RUN_TIME, why, by_action.value)
        for field in by_action.value.entries:
            path, word = f"action_wait_secs.{field.key}", DURATIONS.get(field.key.upper())
            if field.value == ir.NULL:
                writer.default(path)
            elif word is None:
                writer.drop(
                    field,
                    codes.PROPERTY_WITHOUT_COUNTERPART,
                    "Terraform waits only on create and destroy",
                    "action_wait_secs",
                )
            else:
                waits[word] = (path, writer.lowering.expr(field.value, NUMBER))
    wait(writer, waits)
    if given is not None and given.value != ir.NULL and not any(path == "wait_secs" for path, _ in waits.values()):
        writer.fate("wait_secs", fate("implied", why="each action has its own wait"))


def wait(writer: Writer, waits: dict[str, tuple[str, Expr]]) -> None:
    """Writes a time_sleep after the value, unless all waits are zero."""
    block: Block | None = None
    for argument, (path, value) in waits.items():
        if isinstance(value, (int, float)) and value < 0:
            raise CannotSay(codes.KEPT_IN_HEAT, "only Heat can wait forever", writer.resource.name_span)
        if value == 0:
            writer.fate(path, fate("implied", why="nothing to wait for"))
            continue
        if block is None:
            writer.emission.blocks.providers.add("time")
            block = writer.beside(SLEEP, writer.block.labels[1], writer.resource)
        block.set(argument, seconds(value))
        writer.is_value(path, argument, "derived", ".".join(block.labels), "how long to wait, in seconds")
    if block is not None:
        block.set("depends_on", Tuple((Name(writer.block.labels),)))

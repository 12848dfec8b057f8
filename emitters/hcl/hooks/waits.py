"""Resources that only wait: OS::Heat::Delay, and the waits of OS::Heat::TestResource.

Each delay has its own random jitter. A negative wait of a test resource never ends, and Terraform has nothing like
suspending, so neither can be expressed.
"""

from __future__ import annotations

from emitters.hcl.errors import CannotSay, only_at_run_time
from emitters.hcl.hooks import finish_hook, property_hook
from emitters.hcl.lowering.rewrites import or_default
from emitters.hcl.resources.arguments import how_written
from emitters.hcl.resources.left_out import complete_if
from emitters.hcl.resources.writer import Writer
from emitters.hcl.resources.written import NOTHING, Written
from emitters.hcl.tree.nodes import Block, Expr, Fn, Not, Op, StringTemplate, Traversal, Tuple
from emitters.hcl.tree.types import BOOL, NUMBER, STRING
from transpile.diagnostics import codes
from transpile.model import ir
from transpile.model.span import word_at
from transpile.report import make_fate

SLEEP = "time_sleep"
DURATIONS = {"CREATE": "create_duration", "DELETE": "destroy_duration"}


def format_seconds(expr: Expr) -> Expr:
    """A duration in the provider's format."""
    return f"{format_number(expr)}s" if isinstance(expr, (int, float)) else StringTemplate((expr, "s"))


def format_number(number: float) -> str:
    """A number without a decimal point if it needs none: `2.0` -> `2`."""
    return str(int(number)) if number == int(number) else str(number)


# OS::Heat::Delay


@property_hook("delay")
def record_delay(_: Writer, __: ir.Entry) -> Written:
    """Writes nothing: the finish hook writes the delay from all properties."""
    return NOTHING


def lower_wait_number(writer: Writer, name: str, default: float) -> Expr:
    """A property that is a number, or its default."""
    expr = writer.value_of(name)
    return default if expr == ir.NULL else or_default(writer.lowering.lower_value(expr, NUMBER), default)


def read_wait_actions(writer: Writer) -> list[str]:
    """The actions that wait."""
    expr, items = writer.value_of("actions"), ir.items_of(writer.value_of("actions"))
    if expr == ir.NULL:
        return ["CREATE"]
    if not isinstance(expr, ir.Seq) or not all(isinstance(i, ir.Lit) for i in items):
        raise only_at_run_time(f"the actions for which {writer.resource.name} waits are", expr)
    actions = [str(i.value) for i in items if isinstance(i, ir.Lit)]
    for i, (word, item) in enumerate(zip(actions, items, strict=True)):
        if word in DURATIONS:
            writer.record_value(f"actions.{i}", DURATIONS[word], "derived", why="it determines when the delay happens")
        else:
            why = "Terraform cannot suspend or resume"
            writer.emission.log.add_diagnostic(
                codes.PROPERTY_WITHOUT_COUNTERPART, f"{word} of {writer.resource.name} is lost: {why}.", item
            )
            writer.record_fate(f"actions.{i}", make_fate("dropped", code=codes.PROPERTY_WITHOUT_COUNTERPART, why=why))
    return actions


@finish_hook("delay")
def finish_delay(writer: Writer) -> None:
    """Writes the durations. Jitter is a random number of milliseconds."""
    chosen = [DURATIONS[word] for word in DURATIONS if word in read_wait_actions(writer)]
    if not chosen:
        at, why = writer.resource.at, "it waits only when Heat suspends or resumes the stack"
        raise CannotSay(codes.KEPT_IN_HEAT, why, word_at(at, writer.resource.name))
    least, jitter, factor = (
        lower_wait_number(writer, name, default)
        for name, default in (("min_wait", 0), ("max_jitter", 0), ("jitter_multiplier", 1))
    )
    if 0 in (jitter, factor):
        value = format_seconds(least)
    else:
        value = StringTemplate((Traversal((*write_random_delay(writer, least, jitter, factor).labels, "result")), "ms"))
        if writer.is_repeated:
            value = StringTemplate((writer.self_reference("result", writer.blocks[-1]), "ms"))
    for argument in chosen:
        writer.block.add_argument(argument, value)
    for name in ("min_wait", "max_jitter", "jitter_multiplier"):
        if name in writer.entries and writer.entries[name].value != ir.NULL:
            writer.record_value(name, chosen[0], "derived", why="part of the delay")


def write_random_delay(writer: Writer, least: Expr, jitter: Expr, factor: Expr) -> Block:
    """Writes a random number of milliseconds between the shortest and the longest delay."""
    block = writer.add_block("random_integer", writer.block.labels[1], writer.resource)
    block.add_argument("min", to_milliseconds(least))
    block.add_argument("max", to_milliseconds(lower_sum(least, lower_product(jitter, factor))))
    return block


def to_milliseconds(expr: Expr) -> Expr:
    """A number of seconds in whole milliseconds."""
    return int(expr * 1000) if isinstance(expr, (int, float)) else Fn("floor", (Op("*", expr, 1000),))


def lower_product(left: Expr, right: Expr) -> Expr:
    """`left * right`, computed here if both are known."""
    if isinstance(left, (int, float)) and isinstance(right, (int, float)):
        return left * right
    return left if right == 1 else right if left == 1 else Op("*", left, right)


def lower_sum(left: Expr, right: Expr) -> Expr:
    """`left + right`, computed here if both are known."""
    if isinstance(left, (int, float)) and isinstance(right, (int, float)):
        return left + right
    return right if left == 0 else Op("+", left, right)


# OS::Heat::TestResource


@property_hook("test_value")
def write_test_value(writer: Writer, entry: ir.Entry) -> Written:
    value = writer.lowering.lower_expression(entry.value, STRING)
    if isinstance(value, Traversal) and (
        value.parts[0] == "count" or writer.lowering.lower_value(entry.value).type != STRING
    ):
        value = Fn("tostring", (value,))  # the argument takes any type, and does not convert it to a string
    return Written.value(entry, "input", value, how_written(entry.value))


@property_hook("test_fail")
def write_test_failure(writer: Writer, entry: ir.Entry) -> Written:
    if entry.value in (ir.NULL, ir.Lit(False)):
        return Written.implied(entry.key, "it does not fail")
    if writer.emission.unit.policy.accepts_differences:
        return write_failing_condition(writer, entry)
    raise CannotSay(codes.KEPT_IN_HEAT, "only Heat can fail on purpose", entry.value, avoidable=True)


def write_failing_condition(writer: Writer, entry: ir.Entry) -> Written:
    """Writes a postcondition that fails the apply. It mentions the ID, which is known only then: a condition that is
    known earlier would already fail the plan, and nothing would be created.
    """
    name, fails = writer.resource.name, writer.lowering.lower_expression(entry.value, BOOL)
    unmade = Op("==", Traversal(("self", "id")), "")
    check = Block("postcondition")
    check.add_argument("condition", unmade if fails is True else Op("||", unmade, Not(fails)), entry)
    check.add_argument("error_message", f"{name} fails on purpose.")
    message = f"{name} fails through a condition in Terraform: resources that wait for it are not created, as in Heat."
    writer.lowering.differs(codes.FAILING_TEST_RESOURCE, message, entry)
    fate = Written.fate(entry.key, "lifecycle.postcondition", "derived", "the condition fails if this is true")
    return Written((Block("lifecycle", body=[check]),)) + fate


@property_hook("test_waits")
def record_test_wait(_: Writer, __: ir.Entry) -> Written:
    """Writes nothing: the finish hook writes the wait from both properties."""
    return NOTHING


@finish_hook("test_waits")
def finish_test_resource(writer: Writer) -> None:
    """Writes the value, or Heat's default, and the waits."""
    if not any(getattr(item, "name", "") == "input" for item in writer.block.body):
        writer.block.add_argument("input", "test_string")
    seconds, by_action = writer.value_of("wait_secs"), writer.value_of("action_wait_secs")
    waits: dict[str, tuple[str, Expr]] = {}  # argument → property, seconds
    of_all = lower_wait_number(writer, "wait_secs", 0)
    if seconds != ir.NULL:
        waits = dict.fromkeys(DURATIONS.values(), ("wait_secs", of_all))
    if by_action != ir.NULL:
        if not isinstance(by_action, ir.Map):
            raise only_at_run_time(f"how long {writer.resource.name} waits is", by_action)
        for field in by_action.entries:
            path, word = f"action_wait_secs.{field.key}", DURATIONS.get(field.key.upper())
            if field.value == ir.NULL:
                writer.add(Written.default(path))
            elif word is None:
                why = "Terraform waits only on create and destroy"
                writer.add(writer.drop_property(field, codes.PROPERTY_WITHOUT_COUNTERPART, why, "action_wait_secs"))
            else:
                whole = seconds if seconds != ir.NULL else ir.Lit(0)
                own = writer.lowering.lower_value(complete_if(field.value, whole, whole), NUMBER)
                waits[word] = (path, or_default(own, of_all))
    write_test_waits(writer, waits)
    if seconds != ir.NULL and not any(path == "wait_secs" for path, _ in waits.values()):
        writer.record_fate("wait_secs", make_fate("implied", why="each action has its own wait"))


def write_test_waits(writer: Writer, waits: dict[str, tuple[str, Expr]]) -> None:
    """Writes a time_sleep after the value, unless all waits are zero."""
    block: Block | None = None
    for argument, (path, value) in waits.items():
        if isinstance(value, (int, float)) and value < 0:
            raise CannotSay(codes.KEPT_IN_HEAT, "only Heat can wait forever", writer.resource.name_span)
        if value == 0:
            writer.record_fate(path, make_fate("implied", why="nothing to wait for"))
            continue
        if block is None:
            block = writer.add_block(SLEEP, writer.block.labels[1], writer.resource)
        block.add_argument(argument, format_seconds(value))
        writer.record_value(path, argument, "derived", ".".join(block.labels), "how long to wait, in seconds")
    if block is not None:
        block.add_argument("depends_on", Tuple((Traversal(writer.block.labels),)))

"""A job of Heat's agent that is being written as shell commands: its configuration, its inputs, its options.

Invariant: a value is in the form that the agent gives it, or a diagnostic names its other form.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Sequence
from typing import final

from emitters.hcl.emission import Emission
from emitters.hcl.errors import CannotSay, only_at_run_time
from emitters.hcl.hooks import signals
from emitters.hcl.hooks.shell import WORD, Shell, quote_value, shell_word
from emitters.hcl.lowering.lowering import HclLowering, Part
from emitters.hcl.namespace import snake_case
from emitters.hcl.plan import configurations
from emitters.hcl.plan.configurations import OUTPUTS, SERVER_ID, STACK_ID, DeploymentJob
from emitters.hcl.plan.deployments import OVER_SSH
from emitters.hcl.tree.nodes import Cond, Expr, Fn, ForTuple, Not, Op, StringTemplate, Traversal
from emitters.hcl.tree.types import COLLECTIONS, LISTS, MAPS, STRING, TypedValue
from transpile.diagnostics import codes
from transpile.model import ir
from transpile.model.span import Located
from transpile.resolve.lifecycle import CREATE, Input

ESCAPES = (("\\", "\\\\"), ("\n", "\\n"), ("\r", "\\r"), ("\t", "\\t"))
ITEM = "item"

FOLDER = "/var/lib/hot2tf"  # on the server, for root only
INSTANCE = "/var/lib/cloud/data/instance-id"  # cloud-init writes the server's ID there
STRUCTURED = ("Json", "CommaDelimitedList")  # types of inputs that may be lists and maps


@final
class JobScript:
    """A job that is being written as shell commands."""

    def __init__(self, emission: Emission, job: DeploymentJob) -> None:
        self.emission, self.job, self.shell = emission, job, Shell()
        self.deployment = emission.unit.template.resources[job.deployment]
        self.config = emission.unit.template.resources[job.config]
        self.lowering: HclLowering = emission.lowering.with_owner(snake_case(job.deployment), resource=job.deployment)
        self.body = signals.silence_signals(emission, self.config, job.body)
        # of its files
        self.name = snake_case(job.deployment if job.action == CREATE else f"{job.deployment}_{job.action.lower()}")
        self.folder = FOLDER

    # values

    def configuration_text(self) -> Expr:
        """The configuration as a text: a literal if the text is known, else an expression."""
        text = configurations.read_known_text(self.emission.unit.stack, self.body)
        return text if text is not None else self.lowering.lower_value(self.body, STRING).expr

    def mentions_word(self, word: str) -> bool:
        """Whether the configuration contains a word, such as the name of a variable."""
        return configurations.mentions_word(self.emission.unit.stack, self.job.body, word)

    def environment_value(self, job_input: Input) -> Expr:
        """The value of an input as the agent's hooks get it in the environment."""
        return self.lowering.lift_to_local(self.input_text(job_input), job_input.name)

    def input_text(self, job_input: Input) -> Expr:
        """The value of an input as a text. A list or map in an input of type String is the text that Python prints for
        it: the agent calls str(). Raises CannotSay if that is known only at run time.
        """
        value, text = self.lowering.lower_value(job_input.value), self.lowering.lower_value(job_input.value, STRING)
        if value.expr is None:
            return "None" if job_input.type == "String" else ""  # as Python prints None
        if value.type.kind in COLLECTIONS and job_input.type in STRUCTURED:
            return self.lowering.json_of_value(value)
        if value.type.kind in COLLECTIONS:
            parts = print_python(self.lowering, job_input.value)
            if parts is None:
                why = (
                    f"{job_input.name} of {self.job.deployment} is a list or map known only at run time. Heat's "
                    f"agent prints it as Python does; with `type: Json`, the input would be JSON"
                )
                raise CannotSay(codes.ONLY_AT_RUN_TIME, why, job_input.value, self.job.deployment)
            return self.lowering.compose_text(parts).expr
        if value.type.kind == "any":
            self.lowering.report_untyped(job_input.value, value.type)
            return self.lowering.text_of_value(value)
        return text.expr

    def json_value(self, job_input: Input) -> Expr:
        """The value of an input for a tool that reads JSON. A list or map stays one, also if the type of the input is
        String and the agent makes a text of it: whoever passes a list to such a tool means a list.
        """
        value = self.lowering.lower_value(job_input.value)
        if job_input.type in STRUCTURED:
            return value.expr
        if value.type.kind not in COLLECTIONS:
            return self.environment_value(job_input)
        form = "map" if value.type.kind in MAPS else "list"
        message = f"The input {job_input.name} of {self.job.deployment} stays a {form}; Heat's agent makes it a text."
        self.report_difference(message, job_input.value)
        return value.expr

    def derived_variables(self) -> Iterator[tuple[str, Expr]]:
        """The variables that Heat and its agent add to the inputs, as far as the configuration uses them."""
        for variable in configurations.inputs_added_by_heat(self.job.deployment, self.job.action):
            if self.mentions_word(variable.name):
                yield variable.name, self.lowering.lower_expression(variable.value, STRING)
        if any(STACK_ID in text for text in configurations.literal_texts(self.emission.unit.stack, self.job.body)):
            symbols = self.emission.symbols
            yield (
                STACK_ID,
                StringTemplate((symbols.stack_name_variable(), "/", symbols.stack_id(self.deployment_ref()))),
            )
        if self.mentions_word(OUTPUTS):
            yield OUTPUTS, f"{FOLDER}/{self.name}.out"

    def deployment_ref(self) -> ir.ParamRef:
        """A place for diagnostics about values that the deployment gets without asking."""
        return ir.ParamRef("OS::stack_id", (), "get_param", self.deployment.type_span)

    def lower_option(self, name: str) -> Expr | None:
        value = self.job.options.get(name)
        if value is None or value in (ir.NULL, ir.Lit(""), ir.Lit(False)):
            return None
        return self.lowering.lower_expression(value, STRING)

    def read_switch_option(self, name: str, default: bool = False) -> bool:
        value = self.job.options.get(name)
        if value is not None and not isinstance(value, ir.Lit):
            raise only_at_run_time(f"the option {name} of {self.job.config} is", value, self.job.deployment)
        return default if value is None or value.value is None else bool(value.value)

    def report_difference(self, message: str, place: Located) -> None:
        """Reports a difference between the commands and the hook of Heat's agent."""
        self.lowering.differs(codes.DIFFERS_FROM_AGENT, message, place)

    @property
    def runs_again(self) -> bool:
        """Whether the commands may run more than once on a server."""
        kind = self.emission.unit.plan.preferred.get(self.job.deployment)
        return (self.job.again or self.job.action != CREATE) and kind is not None and kind.hook == OVER_SSH

    @property
    def project(self) -> str:
        """The name that the agent knows the deployment by."""
        written = self.deployment.find_property("name")
        return str(written.value) if isinstance(written, ir.Lit) and written.value else self.job.deployment

    # commands

    def export_inputs(self, prefix: str = "") -> list[Part]:
        """Exports the inputs. Those whose names no shell variable can have are passed to the command instead: returns
        the words before it, such as `env 'my-input'='value'`.
        """
        passed: list[Part] = []
        for name, value in (
            *((job_input.name, self.environment_value(job_input)) for job_input in self.job.inputs),
            *self.derived_variables(),
        ):
            if WORD.fullmatch(prefix + name):
                self.shell.write_export(prefix + name, value)
            else:
                passed += [*quote_value(prefix + name), "=", *quote_value(value), " "]
        if self.mentions_word(SERVER_ID):
            self.shell.write_line(f"{prefix}{SERVER_ID}=$(cat {INSTANCE})")
            self.shell.write_line(f"export {prefix}{SERVER_ID}")
        return ["env ", *passed] if passed else []

    def write_json_local(self, value: Expr, suffix: str) -> Expr:
        """Writes a local with a value as JSON, and returns a reference to it."""
        return self.emission.blocks.share_local(f"{self.name}_{suffix}", Fn("jsonencode", (value,)))

    def make_folder(self, path: str) -> None:
        """Writes a command that makes the folder of a file if it is missing, as the agent does."""
        if (folder := posixpath.dirname(path)) not in ("", ".", "/"):
            self.shell.write_line("[ -d ", *shell_word(folder), " ] || install -d -m 700 ", *shell_word(folder))

    def fail(self, why: str, where: ir.Expr) -> CannotSay:
        """An error for a value that is known only at run time, or that hot2tf does not know. It keeps the
        deployment.
        """
        return CannotSay(codes.ONLY_AT_RUN_TIME, f"{why} of {self.job.deployment}", where, self.job.deployment)

    def join_texts(self, texts: Sequence[Expr]) -> Expr:
        """Texts one after the other: a literal if all are known."""
        parts = [text if isinstance(text, str) else TypedValue(text, STRING) for text in texts]
        return self.lowering.compose_text(parts).expr

    def lower_text(self, expression: ir.Expr) -> Expr:
        """A value as the text that Python's str() returns."""
        return self.lowering.lower_expression(expression, STRING)

    def map_entries(self, expression: ir.Expr | None = None) -> list[tuple[str, ir.Expr]]:
        """The entries of the configuration, or of a map in it. Raises CannotSay if they are known only at run time."""
        configuration = self.body if expression is None else expression
        if not isinstance(configuration, ir.Map):
            raise only_at_run_time(f"the configuration of {self.job.deployment} is", configuration, self.job.deployment)
        return [(entry.key, entry.value) for entry in configuration.entries]


def print_python(lowering: HclLowering, expr: ir.Expr) -> list[Part] | None:
    """The text that Python prints for a value; None if its shape is known only at run time."""
    match expr:
        case ir.Lit(value):
            return [repr(value)]
        case ir.Seq(items):
            return join_printed("[", [print_python(lowering, item) for item in items], "]")
        case ir.Map(entries):
            printed = [print_python(lowering, entry.value) for entry in entries]
            pairs = [
                None if parts is None else [f"{entry.key!r}: ", *parts]
                for entry, parts in zip(entries, printed, strict=True)
            ]
            return join_printed("{", pairs, "}")
    return print_unknown(lowering, lowering.lower_value(expr))


def join_printed(start: str, items: list[list[Part] | None], end: str) -> list[Part] | None:
    """Printed items with commas between them; None if one of them could not be printed."""
    parts: list[Part] = [start]
    for index, item in enumerate(items):
        if item is None:
            return None
        parts += [", ", *item] if index else item
    return [*parts, end]


def print_unknown(lowering: HclLowering, value: TypedValue) -> list[Part] | None:
    """The text for a value that is known only at run time, if its type is known."""
    if value.null:
        return None
    if value.type.kind == "string":
        return [TypedValue(lowering.lift_to_local(quote_as_python(value.expr), "text"), STRING)]
    if value.type.kind in ("number", "bool"):
        return [TypedValue(lowering.text_of_value(value), STRING)]
    if value.type.kind in LISTS and value.type.of == STRING:
        name = lowering.free_variable(ITEM)
        items = ForTuple((name,), value.expr, quote_as_python(Traversal((name,))))
        return ["[", TypedValue(Fn("join", (", ", items)), STRING), "]"]
    return None


def quote_as_python(text: Expr) -> Expr:
    """A string as Python prints it in a list: in double quotes only if it has single quotes and no double ones."""
    escaped = text
    for character, escape in ESCAPES:
        escaped = Fn("replace", (escaped, character, escape))
    single, double = Fn("strcontains", (text, "'")), Fn("strcontains", (text, '"'))
    return Cond(
        Op("&&", single, Not(double)),
        StringTemplate(('"', escaped, '"')),
        StringTemplate(("'", Fn("replace", (escaped, "'", "\\'")), "'")),
    )

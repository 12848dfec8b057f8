"""Wait conditions and their handles without Heat: nothing waits, or Terraform waits for cloud-init over SSH.

Invariant: a script that sends signals still runs to its end. It gets a command that ignores its arguments, and a URL
that clients can open without a network.
"""

from __future__ import annotations

import json
import re
from typing import final

from emitters.hcl.emission import Emission
from emitters.hcl.errors import CannotSay
from emitters.hcl.hooks import Prepared, resource_hook
from emitters.hcl.hooks.over_ssh import KIND, repeat_per_server, write_connection
from emitters.hcl.lowering.lowering import HclLowering
from emitters.hcl.namespace import snake_case
from emitters.hcl.plan.signals import CODE, CONDITIONS, INPUT, STATUS, UNHEARD
from emitters.hcl.resources.handles import LeftOutHandle
from emitters.hcl.resources.keys import write_resource_keys
from emitters.hcl.tree.nodes import Attr, Block, Tuple
from emitters.hcl.tree.types import STRING, TypedValue
from transpile.diagnostics import codes
from transpile.model import heat_types, ir
from transpile.model.lazy_patterns import compile_lazily
from transpile.model.records import replace
from transpile.model.span import Span
from transpile.report import attribute_path, make_fate

URL = "file:///dev/null"  # curl, cfn-signal and Python's urllib write to it and succeed
COMMAND = "/bin/true"  # not `true`, which YAML would read as a boolean
FORMS = {  # commands for scripts that write to the command, or read its output
    INPUT: "sh -c 'cat >/dev/null' curl",  # it reads its input, since a script that writes to `true` may get SIGPIPE
    STATUS: "echo HTTP/1.1 {}",
    CODE: "printf {:.3}",
}
TOKEN = "unused"  # not empty: it may be an argument of a command
WORDS = {"curl_cli": "command", "endpoint": "URL", "token": "token", "signal": "description of the signal"}
TOOL = r"(?:/opt/aws/bin/|/usr/(?:local/)?bin/)?cfn-signal"
CALL = compile_lazily(  # where a shell or YAML has a command, and as a text of its own
    rf"""(^[ \t]*|[;&|({{!`=\[][ \t]*|-[ \t]+|-c[ \t]+["']|\b(?:then|else|do|sudo|exec)[ \t]+){TOOL}(?=[\s;)\]`,]|$)"""
    rf"""|(["']){TOOL}(?=\2)""",
    re.MULTILINE,
)
SIGNALS_LOST = codes.SIGNALS_NOT_AWAITED


@final
class UnheardHandle:
    """The handle of a resource that receives signals in Heat, such as a wait condition handle."""

    def __init__(self, emission: Emission, resource: ir.Resource) -> None:
        self.emission, self.resource = emission, resource

    def lower_reference(self, lowering: HclLowering, ref: ir.Expr) -> TypedValue:
        self.emission.log.report.resources[self.resource.name].reference = self.emission.log.reported_text(URL)
        return substitute_value(self.emission, self.resource, ref, "URL", URL)

    def lower_attribute(self, lowering: HclLowering, ref: ir.AttrRef) -> TypedValue:
        word = str(ref.path[0].value) if ref.path and isinstance(ref.path[0], ir.Lit) else ""
        kind = self.resource.kind
        values = {
            "curl_cli": COMMAND,
            "endpoint": URL,
            "token": "" if kind == heat_types.SWIFT_SIGNAL_HANDLE else TOKEN,
        }
        if kind != heat_types.SWIFT_SIGNAL_HANDLE:
            values["signal"] = self.signal_json()
        if word not in values or len(ref.path) > 1 or kind.startswith("AWS::"):
            why = f"Terraform has no equivalent of the attribute {word or 'map'} of {self.resource.name}"
            raise CannotSay(codes.NOT_POSSIBLE_IN_HCL, why, ref, self.resource.name)
        use = self.emission.unit.plan.signals.command_uses.get(ref.at)
        if word == "curl_cli" and use is not None:
            values[word] = FORMS[use].format("201 Created" if kind == heat_types.SWIFT_SIGNAL_HANDLE else "200 OK")
        report = self.emission.log.report.resources[self.resource.name]
        report.attributes.setdefault(attribute_path(ref.path), self.emission.log.reported_text(values[word]))
        return substitute_value(self.emission, self.resource, ref, WORDS[word], values[word])

    def signal_json(self) -> str:
        """The attribute `signal` as JSON. Its keys depend on the transport."""
        expression = self.resource.find_property("signal_transport")
        transport = (
            str(expression.value) if isinstance(expression, ir.Lit) and expression.value is not None else "TOKEN_SIGNAL"
        )
        if transport in ("CFN_SIGNAL", "TEMP_URL_SIGNAL"):
            return json.dumps({"alarm_url": URL})
        if transport in ("HEAT_SIGNAL", "ZAQAR_SIGNAL"):
            words = ("auth_url", "username", "user_id", "password", "project_id", "domain_id", "region_name")
            last = {"alarm_url": URL} if transport == "HEAT_SIGNAL" else {"queue_id": TOKEN}
            return json.dumps({**{word: URL if word == "auth_url" else TOKEN for word in words}, **last})
        return "{}" if transport == "NO_SIGNAL" else "null"


def substitute_value(emission: Emission, receiver: ir.Resource, ref: ir.Expr, noun: str, value: str) -> TypedValue:
    """A placeholder for the URL or the command of a receiver of signals, with a diagnostic. noun: its word in the
    message.
    """
    message = f"Nobody listens to {receiver.name}: {value or 'an empty text'} replaces its {noun}."
    emission.log.add_diagnostic(codes.SIGNAL_NOT_RECEIVED, message, ref, once=(receiver.name, value))
    emission.log.add_comment(ref.at, codes.SIGNAL_NOT_RECEIVED, message)
    return TypedValue(value, STRING)


@final
class PassedCondition(LeftOutHandle):
    """The handle of a wait condition. A reference to one is its name, in Heat too. The data of its signals is null in
    outputs.
    """

    def __init__(self, emission: Emission, resource: ir.Resource) -> None:
        message = f"Only Heat receives the data of signals to {resource.name}; this is null."
        super().__init__(resource, codes.OUTPUT_KNOWN_ONLY_TO_HEAT, message)
        self.emission = emission

    def is_null_in_outputs(self, ref: ir.Expr) -> bool:
        return isinstance(ref, ir.AttrRef)

    def lower_reference(self, lowering: HclLowering, ref: ir.Expr) -> TypedValue:
        self.emission.log.report.resources[self.resource.name].reference = self.emission.log.reported_text(
            self.resource.name
        )
        return TypedValue(self.resource.name, STRING)

    def lower_attribute(self, lowering: HclLowering, ref: ir.AttrRef) -> TypedValue:
        if lowering.scope.in_output:
            return super().lower_reference(lowering, ref)
        why = f"only Heat receives the data of signals to {self.resource.name}"
        raise CannotSay(codes.NOT_POSSIBLE_IN_HCL, why, ref, self.resource.name)


@resource_hook("unheard")
def prepare_wait_handle(emission: Emission, resource: ir.Resource) -> Prepared:
    return Prepared(UnheardHandle(emission, resource), lambda: write_wait_handle(emission, resource))


@resource_hook("unwaited")
def prepare_wait_condition(emission: Emission, resource: ir.Resource) -> Prepared:
    return Prepared(PassedCondition(emission, resource), lambda: write_wait_condition(emission, resource))


@resource_hook("wait_over_ssh")
def prepare_ssh_wait(emission: Emission, resource: ir.Resource) -> Prepared:
    return Prepared(PassedCondition(emission, resource), lambda: write_ssh_wait(emission, resource))


def write_wait_handle(emission: Emission, resource: ir.Resource) -> None:
    """Writes nothing. Reports the handle only if no wait condition uses it: the report on a condition covers both."""
    why = emission.mapping_of(resource).why
    emission.log.resource_report(resource).became_nothing(
        resource, why, make_fate("dropped", code=SIGNALS_LOST, why=why)
    )
    stack = emission.unit.stack
    if not any(
        stack.types[name] in CONDITIONS for name in emission.unit.plan.referring_resources.get(resource.name, ())
    ):
        end = resource.type_at + len(resource.type)
        emission.log.add_diagnostic(
            SIGNALS_LOST, f"Nobody receives signals to {resource.name}.", Span(resource.type_at, end)
        )


def write_wait_condition(emission: Emission, resource: ir.Resource) -> None:
    """Writes nothing. Resources that depend on the condition depend on its servers instead."""
    plan, name = emission.unit.plan, resource.name
    why = emission.mapping_of(resource).why
    emission.log.resource_report(resource).became_nothing(
        resource, why, make_fate("dropped", code=SIGNALS_LOST, why=why)
    )
    servers = plan.signals.senders_of(name)
    listed = f" Resources that depend on it depend on {', '.join(servers)}." if servers else ""
    message = f"Nobody waits for the signals of {name}, and none that reports a failure fails the apply.{listed}"
    end = resource.type_at + len(resource.type)
    emission.log.add_diagnostic(SIGNALS_LOST, message, Span(resource.type_at, end), waiting_hint(emission, name))
    for place in [emission.unit.template.resources[server].at for server in servers] or [resource.type_at]:
        emission.log.add_comment(place, SIGNALS_LOST, f"Heat waits for the signals of {name}; here, nobody does.")


def waiting_hint(emission: Emission, name: str) -> str:
    """A hint about a way in which Terraform could wait for a condition, or the reason why it cannot."""
    plan = emission.unit.plan
    if plan.policy.works_over_ssh:
        return "Over SSH, hot2tf waits only for servers of the same template, and for groups of them."
    return (
        "--prefer provisioners waits over SSH until cloud-init is done." if plan.signals.select_over_ssh([name]) else ""
    )


def write_ssh_wait(emission: Emission, resource: ir.Resource) -> None:
    """Writes a `terraform_data` for each server of a condition. It waits as long as the condition would, and fails if
    cloud-init reports an error.
    """
    name, plan = resource.name, emission.unit.plan
    servers = [server for server in plan.signals.senders_of(name) if server not in plan.disabled]
    if not servers:
        write_wait_condition(emission, resource)
        return
    blocks = []
    for server in servers:
        label = emission.names.reserve_label(KIND, snake_case(name if len(servers) == 1 else f"{name}_{server}"))
        block = Block("resource", (KIND, label), span=resource.span)
        lowering = emission.lowering.with_resource(resource, label)
        machine = repeat_per_server(emission, server, resource, block, lowering)
        limit = lower_timeout(lowering, resource)
        block.add_argument("triggers_replace", Tuple((Attr(machine, "id"),)))
        write_connection(emission, block, Attr(machine, "access_ip_v4")).add_argument(
            "timeout", lowering.compose_text([limit, "s"]).expr
        )
        run = block.add_block("provisioner", "remote-exec")
        command = lowering.compose_text(["timeout ", limit, " cloud-init status --wait --long || [ $? -eq 2 ]"])
        run.add_argument("inline", Tuple((command.expr,)))
        emission.blocks.add_block(block, name)
        blocks.append(block)
    emission.log.resource_report(resource).addresses = [block.address for block in blocks]
    record_condition_fates(emission, resource)
    emission.log.report_difference(
        codes.WAITING_OVER_SSH,
        f"For {name}, Terraform waits over SSH until cloud-init is done in {', '.join(servers)}; it needs no signal.",
        resource.type_span,
    )
    write_resource_keys(emission, resource, blocks)


def lower_timeout(lowering: HclLowering, resource: ir.Resource) -> str | TypedValue:
    """The timeout of a condition in seconds, which Heat requires."""
    value = resource.find_property("timeout", "Timeout")
    if value is None:
        raise CannotSay(codes.ONLY_AT_RUN_TIME, f"{resource.name} has no timeout", resource, resource.name)
    return str(value.value) if isinstance(value, ir.Lit) else lowering.lower_value(value, STRING)


def record_condition_fates(emission: Emission, resource: ir.Resource) -> None:
    """Records the fates of the properties of a condition that Terraform waits for."""
    report = emission.log.resource_report(resource)
    report.treatment, to = "native", report.addresses[0]
    for entry in resource.entries:
        word = entry.key.lower()
        if word == "timeout":
            why = "this long for the connection, and again for cloud-init"
            report.properties[entry.key] = make_fate("derived", to, "connection.0.timeout", why)
        elif word == "handle":
            report.properties[entry.key] = make_fate(
                "derived", to, "triggers_replace", "the servers that get the handle"
            )
        else:
            report.properties[entry.key] = make_fate(
                "dropped", code=codes.WAITING_OVER_SSH, why="no signals are counted"
            )


DIFFERENT = "the text, without its signals to Heat"


def is_unchanged(emission: Emission, before: ir.Expr, after: ir.Expr) -> bool:
    """Whether a text is the same without its signals: no call of cfn-signal was replaced, and no handle gets one of the
    commands of `FORMS`. before: as the template has it. after: as `silence_signals` returned it.
    """
    uses = emission.unit.plan.signals.command_uses if emission.unit.plan.preferred else {}
    return before == after and not any(isinstance(e, ir.AttrRef) and e.at in uses for e in ir.walk(after))


def silence_signals(emission: Emission, owner: ir.Resource, expr: ir.Expr) -> ir.Expr:
    """A text whose calls of cfn-signal are replaced by a command that does nothing, if it signals to handles that
    nothing listens to. The tool itself may be missing: in some images, only Heat's user data puts it where scripts call
    it.
    """
    plan = emission.unit.plan
    if not plan.preferred or not plan.signals.has_any:
        return expr
    if not any(
        plan.preferred[name].hook == UNHEARD
        for name in plan.preferred.keys() & plan.signals.resources_behind(owner.name)
    ):
        return expr

    def replace_calls(expression: ir.Expr) -> ir.Expr:
        if isinstance(expression, ir.Lit) and isinstance(expression.value, str) and "cfn-signal" in expression.value:
            text, times = CALL.subn(lambda match: f"{match[1] or match[2] or ''}{COMMAND}", expression.value)
            if times:
                message = f"{COMMAND} replaces cfn-signal: nobody listens."
                emission.log.add_diagnostic(codes.SIGNAL_NOT_RECEIVED, message, expression, once=(owner.name, TOOL))
                emission.log.add_comment(expression.at, codes.SIGNAL_NOT_RECEIVED, message)
                return replace(expression, value=text)
            return expression
        return ir.rebuilt(expression, replace_calls)

    return replace_calls(expr)

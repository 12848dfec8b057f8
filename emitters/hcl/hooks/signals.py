"""Wait conditions and their handles without Heat: nothing waits, or Terraform waits for cloud-init over SSH.

Invariant: a script that sends signals still runs to its end. It gets a command that ignores its arguments, and a URL
that clients can open without a network.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, final

from emitters.hcl.errors import CannotSay
from emitters.hcl.hooks import prepare_hook, write_hook
from emitters.hcl.hooks.over_ssh import KIND, connection, each
from emitters.hcl.namespace import snake
from emitters.hcl.plan.preferences import PROVISIONERS
from emitters.hcl.plan.signals import CODE, CONDITIONS, INPUT, STATUS, UNHEARD
from emitters.hcl.resources.keys import keys_of
from emitters.hcl.tree.nodes import Attr, Block, Tuple
from emitters.hcl.tree.types import STRING, Value
from transpile.diagnostics import codes
from transpile.model import heat_types, ir
from transpile.model.records import replace
from transpile.model.span import Span
from transpile.report import attribute_path, fate

if TYPE_CHECKING:
    from emitters.hcl.emission import Emission
    from emitters.hcl.lowering.lowering import Handle, Lowering
    from emitters.hcl.tables.mapping import Kind

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
CALL = re.compile(  # where a shell or YAML has a command, and as a text of its own
    rf"""(^[ \t]*|[;&|({{!`=\[][ \t]*|-[ \t]+|-c[ \t]+["']|\b(?:then|else|do|sudo|exec)[ \t]+){TOOL}(?=[\s;)\]`,]|$)"""
    rf"""|(["']){TOOL}(?=\2)""",
    re.MULTILINE,
)
SAID = codes.SIGNALS_NOT_AWAITED


@final
class Unheard:
    """The handle of a resource that receives signals in Heat, such as a wait condition handle."""

    def __init__(self, emission: Emission, resource: ir.Resource) -> None:
        self.emission, self.resource = emission, resource

    def reference(self, lowering: Lowering, ref: ir.Expr) -> Value:
        self.emission.log.report.resources[self.resource.name].reference = self.emission.log.shown(URL)
        return instead(self.emission, self.resource, ref, "URL", URL)

    def attribute(self, lowering: Lowering, ref: ir.AttrRef) -> Value:
        word = str(ref.path[0].value) if ref.path and isinstance(ref.path[0], ir.Lit) else ""
        kind = self.resource.kind
        known = {"curl_cli": COMMAND, "endpoint": URL, "token": "" if kind == heat_types.SWIFT_SIGNAL_HANDLE else TOKEN}
        if kind != heat_types.SWIFT_SIGNAL_HANDLE:
            known["signal"] = self.signal()
        if word not in known or len(ref.path) > 1 or kind.startswith("AWS::"):
            why = f"Terraform has no equivalent of the attribute {word or 'map'} of {self.resource.name}"
            raise CannotSay(codes.NOT_POSSIBLE_IN_HCL, why, ref, self.resource.name)
        use = self.emission.unit.plan.signals.uses.get(ref.at)
        if word == "curl_cli" and use is not None:
            known[word] = FORMS[use].format("201 Created" if kind == heat_types.SWIFT_SIGNAL_HANDLE else "200 OK")
        report = self.emission.log.report.resources[self.resource.name]
        report.attributes.setdefault(attribute_path(ref.path), self.emission.log.shown(known[word]))
        return instead(self.emission, self.resource, ref, WORDS[word], known[word])

    def signal(self) -> str:
        """The attribute `signal` as JSON. Its keys depend on the transport."""
        properties = self.resource.properties
        given = properties.get("signal_transport") if properties is not None else None
        transport = str(given.value) if isinstance(given, ir.Lit) and given.value is not None else "TOKEN_SIGNAL"
        if transport in ("CFN_SIGNAL", "TEMP_URL_SIGNAL"):
            return json.dumps({"alarm_url": URL})
        if transport in ("HEAT_SIGNAL", "ZAQAR_SIGNAL"):
            words = ("auth_url", "username", "user_id", "password", "project_id", "domain_id", "region_name")
            last = {"alarm_url": URL} if transport == "HEAT_SIGNAL" else {"queue_id": TOKEN}
            return json.dumps({**{word: URL if word == "auth_url" else TOKEN for word in words}, **last})
        return "{}" if transport == "NO_SIGNAL" else "null"


def instead(emission: Emission, receiver: ir.Resource, ref: ir.Expr, what: str, value: str) -> Value:
    """A placeholder for the URL or the command of a receiver of signals, with a diagnostic. what: the word for it."""
    message = f"Nobody listens to {receiver.name}: {value or 'an empty text'} stands for its {what}."
    emission.log.say(codes.SIGNAL_NOT_RECEIVED, message, ref, once=(receiver.name, value))
    emission.log.note(ref.at, codes.SIGNAL_NOT_RECEIVED, message)
    return Value(value, STRING)


@final
class Passed:
    """The handle of a wait condition. A reference to one is its name, in Heat too."""

    def __init__(self, emission: Emission, resource: ir.Resource) -> None:
        self.emission, self.resource = emission, resource

    def reference(self, lowering: Lowering, ref: ir.Expr) -> Value:
        self.emission.log.report.resources[self.resource.name].reference = self.emission.log.shown(self.resource.name)
        return Value(self.resource.name, STRING)

    def attribute(self, lowering: Lowering, ref: ir.AttrRef) -> Value:
        why = f"only Heat receives the data of signals to {self.resource.name}"
        raise CannotSay(codes.NOT_POSSIBLE_IN_HCL, why, ref, self.resource.name)


@prepare_hook("unheard")
def prepare_handle(emission: Emission, resource: ir.Resource, kind: Kind) -> Handle:
    return Unheard(emission, resource)


@prepare_hook("unwaited", "wait_over_ssh")
def prepare_condition(emission: Emission, resource: ir.Resource, kind: Kind) -> Handle:
    return Passed(emission, resource)


@write_hook("unheard")
def write_handle(emission: Emission, resource: ir.Resource, kind: Kind) -> None:
    """Writes nothing. Reports the handle only if no wait condition uses it: the report on a condition covers both."""
    each = fate("dropped", code=SAID, why=kind.why)
    emission.log.resource_report(resource).became_nothing(resource, kind.why, each)
    stack = emission.unit.stack
    if not any(stack.types[name] in CONDITIONS for name in emission.unit.plan.users.get(resource.name, ())):
        end = resource.type_at + len(resource.type)
        emission.log.say(SAID, f"Nobody receives signals to {resource.name}.", Span(resource.type_at, end))


@write_hook("unwaited")
def write_condition(emission: Emission, resource: ir.Resource, kind: Kind) -> None:
    """Writes nothing. Resources that depend on the condition depend on its servers instead."""
    plan, name = emission.unit.plan, resource.name
    each = fate("dropped", code=SAID, why=kind.why)
    emission.log.resource_report(resource).became_nothing(resource, kind.why, each)
    servers = plan.signals.awaited(name)
    listed = f" What depends on it depends on {', '.join(servers)}." if servers else ""
    message = f"Nobody waits for the signals of {name}, and none that reports a failure fails the apply.{listed}"
    end = resource.type_at + len(resource.type)
    emission.log.say(SAID, message, Span(resource.type_at, end), way_out(emission, name))
    for place in [emission.unit.template.resources[server].at for server in servers] or [resource.type_at]:
        emission.log.note(place, SAID, f"nobody waits for the signals of {name}, which Heat waits for.")


def way_out(emission: Emission, name: str) -> str:
    """How Terraform could wait for a condition, or why it cannot."""
    plan = emission.unit.plan
    if plan.prefer == PROVISIONERS:
        return "Over SSH, hot2tf waits only for servers of the same template, and for groups of them."
    return "--prefer provisioners waits over SSH until cloud-init is done." if plan.signals.over_ssh([name]) else ""


@write_hook("wait_over_ssh")
def write_wait(emission: Emission, resource: ir.Resource, kind: Kind) -> None:
    """Writes a `terraform_data` for each server of a condition. It waits as long as the condition would, and fails if
    cloud-init reports an error.
    """
    name, plan = resource.name, emission.unit.plan
    servers = [server for server in plan.signals.awaited(name) if server not in plan.disabled]
    if not servers:
        write_condition(emission, resource, kind)
        return
    blocks = []
    for server in servers:
        label = emission.names.label(KIND, snake(name if len(servers) == 1 else f"{name}_{server}"))
        block = Block("resource", (KIND, label), span=resource.span)
        lowering = emission.lowering.of_resource(resource, label)
        machine = each(emission, server, resource, block, lowering)
        limit = timeout(lowering, resource)
        block.set("triggers_replace", Tuple((Attr(machine, "id"),)))
        connection(emission, block, Attr(machine, "access_ip_v4")).set("timeout", lowering.compose([limit, "s"]).expr)
        run = block.block("provisioner", "remote-exec")
        command = lowering.compose(["timeout ", limit, " cloud-init status --wait --long || [ $? -eq 2 ]"])
        run.set("inline", Tuple((command.expr,)))
        emission.blocks.add(block, name)
        blocks.append(block)
    emission.log.resource_report(resource).addresses = [block.address for block in blocks]
    fates(emission, resource)
    emission.log.differs(
        codes.WAITING_OVER_SSH,
        f"For {name}, Terraform waits over SSH until cloud-init is done in {', '.join(servers)}; it needs no signal.",
        resource.type_span,
    )
    keys_of(emission, resource, blocks)


def timeout(lowering: Lowering, resource: ir.Resource) -> str | Value:
    """The timeout of a condition in seconds, which Heat requires."""
    properties = resource.properties
    given = properties.get("timeout") or properties.get("Timeout") if properties is not None else None
    if given is None:
        raise CannotSay(codes.ONLY_AT_RUN_TIME, f"{resource.name} has no timeout", resource, resource.name)
    return str(given.value) if isinstance(given, ir.Lit) else lowering.value(given, STRING)


def fates(emission: Emission, resource: ir.Resource) -> None:
    """Records the fates of the properties of a condition that Terraform waits for."""
    report = emission.log.resource_report(resource)
    report.treatment, to = "native", report.addresses[0]
    for entry in resource.properties.entries if resource.properties is not None else ():
        word = entry.key.lower()
        if word == "timeout":
            why = "this long for the connection, and again for cloud-init"
            report.properties[entry.key] = fate("derived", to, "connection.0.timeout", why)
        elif word == "handle":
            report.properties[entry.key] = fate("derived", to, "triggers_replace", "the servers that get the handle")
        else:
            report.properties[entry.key] = fate("dropped", code=codes.WAITING_OVER_SSH, why="no signals are counted")


DIFFERENT = "the text, without its signals to Heat"


def as_given(emission: Emission, before: ir.Expr, after: ir.Expr) -> bool:
    """Whether a text is the same without its signals: no call of cfn-signal was replaced, and no handle gets one of the
    commands of `FORMS`. before: as the template has it. after: as `silence_signals` returned it.
    """
    uses = emission.unit.plan.signals.uses if emission.unit.plan.preferred else {}
    return before == after and not any(isinstance(e, ir.AttrRef) and e.at in uses for e in ir.walk(after))


def quiet(emission: Emission, owner: ir.Resource, expr: ir.Expr) -> ir.Expr:
    """A text whose calls of cfn-signal are replaced by a command that does nothing, if it signals to handles that
    nothing listens to. The tool itself may be missing: in some images, only Heat's user data puts it where scripts call
    it.
    """
    plan = emission.unit.plan
    if not plan.preferred or not plan.signals.used:
        return expr
    if not any(
        plan.preferred[name].hook == UNHEARD for name in plan.preferred.keys() & plan.signals.behind(owner.name)
    ):
        return expr

    def change(one: ir.Expr) -> ir.Expr:
        if isinstance(one, ir.Lit) and isinstance(one.value, str) and "cfn-signal" in one.value:
            text, times = CALL.subn(lambda found: f"{found[1] or found[2] or ''}{COMMAND}", one.value)
            if times:
                message = f"{COMMAND} stands for cfn-signal: nobody listens."
                emission.log.say(codes.SIGNAL_NOT_RECEIVED, message, one, once=(owner.name, TOOL))
                emission.log.note(one.at, codes.SIGNAL_NOT_RECEIVED, message)
                return replace(one, value=text)
            return one
        return ir.rebuilt(one, change)

    return change(expr)

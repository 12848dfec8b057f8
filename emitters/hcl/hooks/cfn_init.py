"""User data that calls cfn-init, without Heat: it gets a script that does the work, or the metadata.

The user data becomes a cloud-config archive of two parts: the text as it was, and a cloud-config that writes files.

Invariant: the text still calls the tools under the same paths and at the same time, and a diagnostic says what is lost.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, final

from emitters.hcl.errors import CannotSay
from emitters.hcl.hooks import prepare_hook, write_hook
from emitters.hcl.hooks.cfn_script import Script
from emitters.hcl.plan import cfn_init, cfn_metadata
from emitters.hcl.plan.cfn_init import DATA, DEAF, HUP, INIT, PLACE, TOOLS, Boot
from emitters.hcl.resources.handles import GivenUp
from emitters.hcl.tree.nodes import Expr, Fn, Object, Text, Tuple
from emitters.hcl.tree.types import STRING, Value
from transpile.diagnostics import codes
from transpile.model import ir
from transpile.report import attribute_path, fate

if TYPE_CHECKING:
    from emitters.hcl.emission import Emission
    from emitters.hcl.lowering.lowering import Handle, Lowering
    from emitters.hcl.resources.writer import Writer
    from emitters.hcl.tables.mapping import Kind

HEADER = "#cloud-config-archive\n"
SILENT = "#!/bin/sh\n# Nobody listens to {}: it does nothing.\nexit 0\n"
OTHER = '#!/bin/sh\nexec {} "$@"\n'
MERGED = "list(append)+dict(no_replace,recurse_list)"  # a text that is a cloud-config itself keeps its values
EXECUTABLE, PRIVATE = "0755", "0600"
LINKS = "cfn-create-aws-symlinks || true"  # as in Heat's own boot
USER = "ec2-user"  # Heat makes this the default user of an AWS::EC2::Instance
UNUSED = "unused"  # not empty: it may be an argument of a command
CHANGED = "a later change of it replaces the server"
PART = "a part of the user data, beside what stands for Heat's tools"
WHY = {
    cfn_init.CLOUD_CONFIG: "a script in the user data does what cfn-init does with it",
    TOOLS: "the user data writes it where cfn-init in the image reads it",
}


def user_data(writer: Writer, given: ir.Expr, text: Value, user: str = "") -> Value | None:
    """The user data of a server, with the files that its scripts need in place of Heat; None if they need none. The
    metadata is that of the writer, since a member of a group has its own.

    Parameters: user_data is as the template has it, without signals; text is the same, lowered; user is the default.
    """
    stack, plan = writer.emission.unit.stack, writer.emission.unit.plan
    if not plan.leaves_heat(writer.resource):
        return None
    form = writer.given.get("user_data_format")
    boot = Boot(writer.resource.name, given, writer.metadata, form.value if form is not None else None)
    tools = cfn_init.tools(stack, boot)
    if tools is None or not (tools.init or any(tools.where(tool) for tool in DEAF)):
        return None
    if tools.init and (why := cfn_init.asks_heat(stack, boot, plan.init)):
        raise CannotSay(codes.KEPT_IN_HEAT, why, given)
    files: list[Expr] = []
    settings: list[tuple[Expr, Expr]] = [("user", user)] if user else []
    if tools.init and plan.init == TOOLS:
        settings.append(("bootcmd", Tuple((LINKS,))))
        files.append(metadata_file(writer, PLACE))
    elif tools.init:
        files += steps(writer, tools.where(INIT), given)
        files += [metadata_file(writer, path) for path in tools.where(DATA)]
    for tool in DEAF:
        files += [file(path, EXECUTABLE, SILENT.replace("{}", tool)) for path in tools.where(tool)]
    settings.append(("write_files", Tuple(tuple(files))))
    start = cfn_init.beginning(stack, given)
    script = start.startswith("#!")
    if not script:
        settings.append(("merge_how", MERGED))
    parts = (
        Object((("type", "text/x-shellscript" if script else "text/plain"), ("content", text.expr))),
        Object((("type", "text/cloud-config"), ("content", Fn("yamlencode", (Object(tuple(settings)),))))),
    )
    tell(writer, given, tools, start)
    return Value(Text((HEADER, Fn("yamlencode", (Tuple(parts),)))), STRING)


def steps(writer: Writer, places: tuple[str, ...], given: ir.Expr) -> list[Expr]:
    """The files for a script that does what cfn-init does: the script itself, and the files that it copies. places: the
    paths under which the text calls cfn-init.
    """
    assert writer.metadata is not None
    name, init = writer.resource.name, cfn_metadata.read(writer.metadata)
    script = Script(writer.lowering, name, init)
    for what in init.beyond:
        writer.emission.log.say(
            codes.DIFFERS_FROM_HEAT_CFNTOOLS, f"In the metadata of {name}, {what}.", writer.metadata
        )
    first, *others = places
    return [
        file(first, EXECUTABLE, script.text),
        *(file(path, EXECUTABLE, OTHER.replace("{}", first)) for path in others),
        *(file(one.path, PRIVATE, one.content, encoded=one.base64) for one in script.staged),
    ]


def metadata_file(writer: Writer, path: str) -> Expr:
    """The metadata as the tools read it. It may contain hidden values."""
    assert writer.metadata is not None
    return file(path, PRIVATE, Fn("jsonencode", (writer.lowering.expr(writer.metadata),)))


def file(path: str, permissions: str, content: Expr, *, encoded: bool = False) -> Expr:
    """A file that cloud-init writes."""
    encoding: tuple[tuple[Expr, Expr], ...] = (("encoding", "b64"),) if encoded else ()
    return Object((("path", path), ("permissions", permissions), *encoding, ("content", content)))


def tell(writer: Writer, given: ir.Expr, tools: cfn_init.Tools, start: str) -> None:
    """Reports what differs from Heat, and the fate of the metadata."""
    name, log, how = writer.resource.name, writer.emission.log, writer.emission.unit.plan.init
    if tools.init and isinstance(writer.metadata, ir.Map):
        span = writer.metadata.span
        if how == TOOLS:
            code = codes.CFN_INIT_OF_IMAGE
            message = f"cfn-init in the image of {name} reads its metadata from a file of the user data; {CHANGED}."
        else:
            code = codes.CFN_INIT_WITHOUT_HEAT
            message = f"A script in the user data of {name} does what cfn-init does with its metadata; {CHANGED}."
        log.say(code, message, span)
        log.note(given.at, code, message)
        if not start.startswith(("#!", "#cloud-config", "Content-Type:", "MIME-Version:")):
            message = "Unless it begins with #!, neither Heat's boot nor cloud-init runs the user data as a script."
            log.say(code, message, given, once=(name, "#!"))
        writer.carried = f"{WHY[how]} ({code})"
        if writer.metadata is writer.resource.metadata:
            meaning = writer.emission.unit.template.version.dialect.resource
            for word in writer.resource.keys:
                if meaning.get(word) == "metadata":
                    writer.report.keys[word] = fate("derived", writer.to, "user_data", writer.carried)
        if how != TOOLS and len(writer.metadata.entries) > 1:
            message = "The metadata of {} is dropped, except for cfn-init: agents read it through Heat."
            log.gather(codes.METADATA_LOST, message, name, "", span)
            log.note(
                span.at,
                codes.METADATA_LOST,
                "the metadata is dropped, except for cfn-init: agents read it through Heat.",
            )
    deaf = [tool for tool in DEAF if tools.where(tool)]
    if deaf:
        lost = " Nobody restarts services or runs hooks after a change of the metadata." if HUP in deaf else ""
        what = "the command does nothing" if len(deaf) == 1 else "the commands do nothing"
        message = f"Nobody listens to {' and '.join(deaf)} of {name}: {what}.{lost}"
        log.say(codes.CFN_TOOLS_DO_NOTHING, message, given)
        log.note(given.at, codes.CFN_TOOLS_DO_NOTHING, message)


# the keys of the tools


@final
class Unused:
    """The handle of a stack user's key that only the tools of cfn-init use, which do not need it without Heat."""

    def __init__(self, emission: Emission, resource: ir.Resource) -> None:
        self.emission, self.resource = emission, resource
        self.given_up = GivenUp(resource, codes.ACCESS_KEY_WITHOUT_HEAT)

    def reference(self, lowering: Lowering, ref: ir.Expr) -> Value:
        if lowering.scope.in_output:
            return self.given_up.reference(lowering, ref)
        self.emission.log.report.resources[self.resource.name].reference = self.emission.log.shown(UNUSED)
        return self.unused(ref)

    def attribute(self, lowering: Lowering, ref: ir.AttrRef) -> Value:
        if lowering.scope.in_output or not ref.path:
            return self.given_up.reference(lowering, ref)
        report = self.emission.log.report.resources[self.resource.name]
        report.attributes.setdefault(attribute_path(ref.path), self.emission.log.shown(UNUSED))
        return self.unused(ref)

    def unused(self, ref: ir.Expr) -> Value:
        """A placeholder for the key, with a diagnostic."""
        message = f"The key {self.resource.name} exists only in Heat, to which nobody talks: {UNUSED} stands for it."
        self.emission.log.say(codes.ACCESS_KEY_WITHOUT_HEAT, message, ref, note=message, once=self.resource.name)
        return Value(UNUSED, STRING)


@prepare_hook("unused_key")
def prepare(emission: Emission, resource: ir.Resource, kind: Kind) -> Handle:
    return Unused(emission, resource)


@write_hook("unused_key")
def write(emission: Emission, resource: ir.Resource, kind: Kind) -> None:
    """Writes nothing."""
    each = fate("dropped", code=codes.ACCESS_KEY_WITHOUT_HEAT, why=kind.why)
    emission.log.resource_report(resource).became_nothing(resource, kind.why, each)

"""User data that calls cfn-init, without Heat: it gets a script that does the work, or the metadata.

The user data becomes a cloud-config archive of two parts: the text as it was, and a cloud-config that writes files.

Invariant: the text still calls the tools under the same paths and at the same time, and a diagnostic names the lost
functions.
"""

from __future__ import annotations

from typing import final

from emitters.hcl.emission import Emission
from emitters.hcl.errors import CannotSay
from emitters.hcl.hooks import Prepared, resource_hook
from emitters.hcl.hooks.cfn_script import Script
from emitters.hcl.lowering.lowering import HclLowering
from emitters.hcl.plan import cfn_init, cfn_metadata
from emitters.hcl.plan.cfn_init import DATA, DEAF, HUP, INIT, PLACE, TOOLS, Boot
from emitters.hcl.resources.handles import LeftOutHandle
from emitters.hcl.resources.writer import Writer
from emitters.hcl.tree.nodes import Expr, Fn, Object, Tuple, prepend_line
from emitters.hcl.tree.types import STRING, TypedValue
from transpile.diagnostics import codes
from transpile.model import ir
from transpile.report import attribute_path, make_fate

HEADER = "#cloud-config-archive"
SILENT = "#!/bin/sh\n# Nobody listens to {}: it does nothing.\nexit 0\n"
OTHER = '#!/bin/sh\nexec {} "$@"\n'
MERGED = "list(append)+dict(no_replace,recurse_list)"  # a text that is a cloud-config itself keeps its values
EXECUTABLE, PRIVATE = "0755", "0600"
LINKS = "cfn-create-aws-symlinks || true"  # as in Heat's own boot
USER = "ec2-user"  # Heat makes this the default user of an AWS::EC2::Instance
UNUSED = "unused"  # not empty: it may be an argument of a command
CHANGED = "a later change of it replaces the server"
PART = "a part of the user data, next to the replacements of Heat's tools"
WHY = {
    cfn_init.CLOUD_CONFIG: "a script in the user data does what cfn-init does with it",
    TOOLS: "the user data writes it where cfn-init in the image reads it",
}


def extend_user_data(writer: Writer, user_data: ir.Expr, text: TypedValue, user: str = "") -> TypedValue | None:
    """The user data of a server, with the files that its scripts need in place of Heat; None if they need none. The
    metadata is that of the writer, since a member of a group has its own.

    Parameters: user_data is as the template has it, without signals; text is the same, lowered; user is the default.
    """
    stack, plan = writer.emission.unit.stack, writer.emission.unit.plan
    if not plan.may_do_without_heat(writer.resource):
        return None
    form = writer.entries.get("user_data_format")
    boot = Boot(writer.resource.name, user_data, writer.metadata, form.value if form is not None else None)
    tools = cfn_init.find_tools(stack, boot)
    if tools is None or not (tools.init or any(tools.paths_of_tool(tool) for tool in DEAF)):
        return None
    if tools.init and (why := cfn_init.why_boot_needs_heat(stack, boot, plan.policy.metadata_reader)):
        raise CannotSay(codes.KEPT_IN_HEAT, why, user_data)
    files: list[Expr] = []
    settings: list[tuple[Expr, Expr]] = [("user", user)] if user else []
    if tools.init and plan.policy.metadata_reader == TOOLS:
        settings.append(("bootcmd", Tuple((LINKS,))))
        files.append(metadata_file(writer, PLACE))
    elif tools.init:
        files += init_script_files(writer, tools.paths_of_tool(INIT), user_data)
        files += [metadata_file(writer, path) for path in tools.paths_of_tool(DATA)]
    for tool in DEAF:
        files += [cloud_config_file(path, EXECUTABLE, SILENT.replace("{}", tool)) for path in tools.paths_of_tool(tool)]
    settings.append(("write_files", Tuple(tuple(files))))
    start = cfn_init.find_beginning_of_text(stack, user_data)
    script = start.startswith("#!")
    if not script:
        settings.append(("merge_how", MERGED))
    parts = (
        Object((("type", "text/x-shellscript" if script else "text/plain"), ("content", text.expr))),
        Object((("type", "text/cloud-config"), ("content", Fn("yamlencode", (Object(tuple(settings)),))))),
    )
    report_changes(writer, user_data, tools, start)
    return TypedValue(prepend_line(HEADER, Fn("yamlencode", (Tuple(parts),))), STRING)


def init_script_files(writer: Writer, places: tuple[str, ...], user_data: ir.Expr) -> list[Expr]:
    """The files for a script that replaces cfn-init: the script itself, and the files that it copies. places: the
    paths under which the text calls cfn-init.
    """
    assert writer.metadata is not None
    name, init = writer.resource.name, cfn_metadata.read_init_metadata(writer.metadata)
    script = Script(writer.lowering, name, init)
    for difference in init.beyond:
        writer.emission.log.add_diagnostic(
            codes.DIFFERS_FROM_HEAT_CFNTOOLS, f"In the metadata of {name}, {difference}.", writer.metadata
        )
    first, *others = places
    return [
        cloud_config_file(first, EXECUTABLE, script.text),
        *(cloud_config_file(path, EXECUTABLE, OTHER.replace("{}", first)) for path in others),
        *(
            cloud_config_file(staged_file.path, PRIVATE, staged_file.content, encoded=staged_file.base64)
            for staged_file in script.staged
        ),
    ]


def metadata_file(writer: Writer, path: str) -> Expr:
    """The metadata as the tools read it. It may contain hidden values."""
    assert writer.metadata is not None
    return cloud_config_file(path, PRIVATE, Fn("jsonencode", (writer.lowering.lower_expression(writer.metadata),)))


def cloud_config_file(path: str, permissions: str, content: Expr, *, encoded: bool = False) -> Expr:
    """A file that cloud-init writes."""
    encoding: tuple[tuple[Expr, Expr], ...] = (("encoding", "b64"),) if encoded else ()
    return Object((("path", path), ("permissions", permissions), *encoding, ("content", content)))


def report_changes(writer: Writer, user_data: ir.Expr, tools: cfn_init.Tools, start: str) -> None:
    """Reports the differences from Heat, and the fate of the metadata."""
    name, log, how = writer.resource.name, writer.emission.log, writer.emission.unit.plan.policy.metadata_reader
    if tools.init and isinstance(writer.metadata, ir.Map):
        span = writer.metadata.span
        if how == TOOLS:
            code = codes.CFN_INIT_OF_IMAGE
            message = f"cfn-init in the image of {name} reads its metadata from a file of the user data; {CHANGED}."
        else:
            code = codes.CFN_INIT_WITHOUT_HEAT
            message = f"A script in the user data of {name} does what cfn-init does with its metadata; {CHANGED}."
        log.add_diagnostic(code, message, span)
        log.add_comment(user_data.at, code, message)
        if not start.startswith(("#!", "#cloud-config", "Content-Type:", "MIME-Version:")):
            message = "Unless it begins with #!, neither Heat's boot nor cloud-init runs the user data as a script."
            log.add_diagnostic(code, message, user_data, once=(name, "#!"))
        writer.carried = f"{WHY[how]} ({code})"
        if writer.metadata is writer.resource.metadata:
            meaning = writer.emission.unit.template.version.dialect.resource
            for word in writer.resource.keys:
                if meaning.get(word) == "metadata":
                    writer.report.keys[word] = make_fate("derived", writer.to, "user_data", writer.carried)
        if how != TOOLS and len(writer.metadata.entries) > 1:
            message = "The metadata of {} is dropped, except for cfn-init: agents read it through Heat."
            log.gather_name(codes.METADATA_LOST, message, name, "", span)
            log.add_comment(
                span.at,
                codes.METADATA_LOST,
                "the metadata is dropped, except for cfn-init: agents read it through Heat.",
            )
    deaf = [tool for tool in DEAF if tools.paths_of_tool(tool)]
    if deaf:
        lost = " Nobody restarts services or runs hooks after a change of the metadata." if HUP in deaf else ""
        effect = "the command does nothing" if len(deaf) == 1 else "the commands do nothing"
        message = f"Nobody listens to {' and '.join(deaf)} of {name}: {effect}.{lost}"
        log.add_diagnostic(codes.CFN_TOOLS_DO_NOTHING, message, user_data)
        log.add_comment(user_data.at, codes.CFN_TOOLS_DO_NOTHING, message)


# the keys of the tools


@final
class UnusedKey:
    """The handle of a stack user's key that only the tools of cfn-init use, which do not need it without Heat."""

    def __init__(self, emission: Emission, resource: ir.Resource) -> None:
        self.emission, self.resource = emission, resource
        self.given_up = LeftOutHandle(resource, codes.ACCESS_KEY_WITHOUT_HEAT)

    def lower_reference(self, lowering: HclLowering, ref: ir.Expr) -> TypedValue:
        if lowering.scope.in_output:
            return self.given_up.lower_reference(lowering, ref)
        self.emission.log.report.resources[self.resource.name].reference = self.emission.log.reported_text(UNUSED)
        return self.report_placeholder(ref)

    def lower_attribute(self, lowering: HclLowering, ref: ir.AttrRef) -> TypedValue:
        if lowering.scope.in_output or not ref.path:
            return self.given_up.lower_reference(lowering, ref)
        report = self.emission.log.report.resources[self.resource.name]
        report.attributes.setdefault(attribute_path(ref.path), self.emission.log.reported_text(UNUSED))
        return self.report_placeholder(ref)

    def report_placeholder(self, ref: ir.Expr) -> TypedValue:
        """A placeholder for the key, with a diagnostic."""
        message = (
            f"The key {self.resource.name} exists only in Heat, which nobody calls any more: {UNUSED} replaces it."
        )
        self.emission.log.add_diagnostic(
            codes.ACCESS_KEY_WITHOUT_HEAT, message, ref, note=message, once=self.resource.name
        )
        return TypedValue(UNUSED, STRING)


@resource_hook("unused_key")
def prepare_unused_key(emission: Emission, resource: ir.Resource) -> Prepared:
    return Prepared(UnusedKey(emission, resource), lambda: write_unused_key(emission, resource))


def write_unused_key(emission: Emission, resource: ir.Resource) -> None:
    """Writes nothing."""
    why = emission.mapping_of(resource).why
    each = make_fate("dropped", code=codes.ACCESS_KEY_WITHOUT_HEAT, why=why)
    emission.log.resource_report(resource).became_nothing(resource, why, each)

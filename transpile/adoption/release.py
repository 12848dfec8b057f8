"""Writes release/: the templates and environments by which Heat releases the resources that Terraform has taken.

Invariant: following them deletes nothing. A resource leaves a template only after an update has given it
`deletion_policy: Retain`, and Heat is told to fail rather than replace anything.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, final

from transpile.adoption import guide
from transpile.adoption.adoption import HEAT, Adoption
from transpile.adoption.meanings import (
    DEPLOYMENTS,
    DETACHED,
    INSIDE,
    LEFT,
    Data,
    ReleaseModes,
    deployment_actions,
    member_type,
    parse_stored_text,
    read_key,
    template_resources,
)
from transpile.adoption.retain import Bundle, print_environment, print_stored_template
from transpile.adoption.server_ports import NestedPorts, find_ports_read, replace_port_reads
from transpile.adoption.steps import (
    ADOPT_ENVIRONMENT,
    ORIGINAL,
    PATCH,
    RELEASE,
    RETAIN,
    DetachedStack,
    ReleaseSteps,
    format_stack_command,
)
from transpile.diagnostics import codes
from transpile.diagnostics.model import Diagnostic, Stopped
from transpile.model import heat_types
from transpile.model.budget import Budget
from transpile.model.records import EMPTY
from transpile.model.source import Source

if TYPE_CHECKING:
    from transpile.adoption.live import LiveResource, LiveStack

TEMPLATE = "template.yaml"
EMPTY_DESCRIPTION = "Everything that was here belongs to Terraform. This stack can be deleted."
# Types that react even if only the deletion policy changes, with the reaction
REACTIONS = {
    heat_types.CINDER_QOS_ASSOCIATION: "takes the volume types away from it",
    heat_types.CINDER_QOS_SPECS: "fails",
    heat_types.MISTRAL_EXTERNAL_RESOURCE: "runs its workflow again",
}
RERUN_TYPES = (heat_types.SOFTWARE_DEPLOYMENT, heat_types.STRUCTURED_DEPLOYMENT, heat_types.MISTRAL_EXTERNAL_RESOURCE)


@final
class ReleaseFiles:
    """The files of release/ and ADOPT.md, and the diagnostics. There are no files if one of them cannot be made.
    `configuration`: the files for Terraform.
    """

    def __init__(self, adoption: Adoption, configuration: Mapping[str, str | bytes] = EMPTY) -> None:
        self.adoption, self.live, self.configuration = adoption, adoption.live, configuration
        self.files: dict[str, str] = {}
        self.diagnostics: list[Diagnostic] = []
        kept = [resource.type for path, resource in self.live.walk_resources() if adoption.fates.get(path) == HEAT]
        try:
            self.modes = ReleaseModes(self.live, kept)
            self.nested_ports = NestedPorts(self.live, adoption.cloud, self.modes.find_template_file)
            self.write_steps()
        except Stopped as e:
            self.diagnostics += e.diagnostics
            self.files = {}

    def is_taken(self, name: str) -> bool:
        """Whether Heat lets go of a resource of the outermost stack."""
        return self.adoption.fates.get((name,), HEAT) != HEAT

    def write_steps(self) -> None:
        """Writes all steps."""
        if self.live.template is None:
            raise Stopped([self.diagnose_missing_template("the stack", self.live)])
        template = parse_stored_text(self.live.template)
        ports = find_ports_read(template, self.live, self.adoption.cloud)
        template = replace_port_reads(template, ports)
        if not any(map(self.is_taken, template_resources(template))):
            return  # everything stays where it is
        self.diagnostics += diagnose_reactions(self.adoption)
        detached = [
            DetachedStack(path, live, f"{i:02}-{live.name or path[-1]}")
            for i, (path, live) in enumerate(self.walk_detached_stacks(), 1)
        ]
        bundle, changed = self.write_retain_update(template)
        self.write_original(template, bundle)
        self.write_release_update(template)
        for nested in detached:
            self.write_member_update(nested)
        retained = [
            resource
            for resource in template_resources(changed).values()
            if read_key(resource, "deletion_policy") == "Retain"
        ]
        complete = f"{RELEASE}/{TEMPLATE}" in self.files
        left = list(self.nested_ports.left)
        steps = ReleaseSteps(
            self.adoption, detached, len(retained), ports, left, complete=complete,
            adopt_environment=f"{ORIGINAL}/{ADOPT_ENVIRONMENT}" * (f"{ORIGINAL}/{ADOPT_ENVIRONMENT}" in self.files),
        )  # fmt: skip
        if patch := steps.patch_of(self.configuration):
            self.files[PATCH] = patch
        self.files[guide.GUIDE_FILE] = guide.write_guide(steps)

    def add_files(self, directory: str, files: dict[str, str]) -> None:
        self.files |= {f"{directory}/{name}": text for name, text in files.items()}

    def write_retain_update(self, template: Data) -> tuple[Bundle, Data]:
        """The first update: Retain on each resource that Heat releases."""
        bundle = Bundle(self.modes, self.source, self.nested_ports)
        changed = bundle.add_template(template, self.is_taken, empty=self.list_empty_stacks())
        bundle.add_environment()
        self.add_files(RETAIN, bundle.files)
        return bundle, changed

    def write_original(self, template: Data, retain_bundle: Bundle) -> None:
        """The way back from the first update: the template as it is, and the original registry entries."""
        bundle = Bundle(self.modes, self.source, self.nested_ports)
        bundle.add_template(template, lambda _: False)
        for entry in retain_bundle.registry:
            bundle.registry[entry] = bundle.place_file(self.modes.find_template_file(entry), retain=False)
        bundle.add_environment(guarded=False)
        types = bundle.list_template_files()
        self.add_files(ORIGINAL, bundle.files)
        if types:
            self.files[f"{ORIGINAL}/{ADOPT_ENVIRONMENT}"] = print_environment({"resource_registry": types}, self.source)

    def write_release_update(self, template: Data) -> None:
        """Writes the second update, whose template has only the resources that stay with Heat."""
        reduced = self.adoption.reduced
        bundle = Bundle(self.modes, self.source)
        if reduced is None:
            bundle.files[TEMPLATE] = print_stored_template(make_empty_template(template), self.source)
            bundle.add_environment()
            self.add_files(RELEASE, bundle.files)
            return
        hidden = [name for name, parameter in reduced.template.parameters.items() if parameter.hidden]
        values = {name: value for name, value in reduced.environment.items() if name not in hidden}
        unknown = [name for name, value in values.items() if value is None]
        if reduced.text is None or unknown:
            subject = f"the parameters {', '.join(unknown)}" if unknown else "literals in the template"
            self.add_diagnostic(
                codes.RELEASE_INCOMPLETE,
                f"The template of the second update is not written: the values of {subject} are not known.",
                "Adopt the stack with --os-cloud, so that the cloud can be asked.",
            )
            return
        self.diagnostics += diagnose_reruns(self.adoption, template)
        bundle.files |= {TEMPLATE: reduced.text, **reduced.files}
        bundle.registry = dict(reduced.registry)
        bundle.add_environment(values)  # Heat keeps those that are hidden
        self.add_files(RELEASE, bundle.files)

    def write_member_update(self, detached: DetachedStack) -> None:
        """The update of a nested stack that the second update leaves behind: Retain on all that is in it."""
        if detached.live.template is None:
            if not detached.live.resources:
                return
            raise Stopped([self.diagnose_missing_template(".".join(detached.path), detached.live)])
        bundle = Bundle(ReleaseModes(detached.live, outer=self.modes), self.source, self.nested_ports)
        template = parse_stored_text(detached.live.template)
        ports = find_ports_read(template, detached.live, self.adoption.cloud)
        bundle.add_template(replace_port_reads(template, ports), lambda _: True)
        bundle.add_environment()
        self.add_files(detached.directory, bundle.files)

    def walk_detached_stacks(self) -> Iterator[tuple[tuple[str, ...], LiveStack]]:
        """The nested stacks that become independent stacks, the outer ones first."""
        empty = self.list_empty_stacks()
        for path, live in walk_detached_below(self.live, (), self.modes, stored_resources(self.live), self.is_taken):
            if path[0] not in empty:
                yield path, live

    def list_empty_stacks(self) -> list[str]:
        """The resources that stand for a nested stack without resources, such as groups without members."""
        return [name for name, resource in self.live.resources.items() if resource.is_empty_stack()]

    @property
    def source(self) -> Source:
        return self.live.source

    def add_diagnostic(self, code: str, message: str, hint: str = "") -> None:
        self.diagnostics.append(Diagnostic(code, message, self.source, self.live.span, hint))

    def diagnose_missing_template(self, owner: str, live: LiveStack) -> Diagnostic:
        message = f"The input lacks the template of {owner}, so Heat cannot release its resources."
        shell_command = format_stack_command("template", "show", live.id, "-f", "json")
        hint = f"Export the stack, or add the file template.{live.name}.json: {shell_command}"
        return Diagnostic(codes.RELEASE_CANNOT_BE_WRITTEN, message, live.source, live.span, hint)


def walk_detached_below(
    live: LiveStack,
    path: tuple[str, ...],
    modes: ReleaseModes,
    entries: dict[str, Data],
    is_taken: Callable[[str], bool],
) -> Iterator[tuple[tuple[str, ...], LiveStack]]:
    """The nested stacks below a stack that Heat cannot be made to empty through the template of their owner. `entries`:
    the resources of its template.
    """
    for name, resource in live.resources.items():
        if resource.stack is None or not is_taken(name):
            continue
        mode = modes.release_mode(entries[name]) if name in entries else DETACHED
        here = (*path, name)
        if mode == INSIDE:
            yield from walk_detached_below(
                resource.stack, here, modes, nested_resources(entries[name], resource.stack, modes), take_everything
            )
        elif mode != LEFT:
            yield here, resource.stack
            yield from walk_detached_below(
                resource.stack,
                here,
                ReleaseModes(resource.stack, outer=modes),
                stored_resources(resource.stack),
                take_everything,
            )


def nested_resources(resource: Data, live: LiveStack, modes: ReleaseModes) -> dict[str, Data]:
    """The resources of the nested stack that an entry of a template makes: a group or a template."""
    if read_key(resource, "type") == heat_types.RESOURCE_GROUP:
        return {member: {"type": member_type(resource)} for member in live.resources}
    name = modes.find_template_file(str(read_key(resource, "type")))
    return (
        template_resources(parse_stored_text(Source(name, modes.files[name], budget=Budget())))
        if name in modes.files
        else {}
    )


def stored_resources(live: LiveStack) -> dict[str, Data]:
    """The resources in the template of a stack."""
    return template_resources(parse_stored_text(live.template)) if live.template is not None else {}


def take_everything(_: str) -> bool:
    return True


def make_empty_template(template: Data) -> Data:
    """A template without resources, in the dialect of another."""
    key = next((key for key in template if key.endswith(("emplate_version", "FormatVersion"))), "heat_template_version")
    hot = key == "heat_template_version"
    words = ("description", "resources") if hot else ("Description", "Resources")
    version = template.get(key, "2013-05-23")
    return {key: version, words[0]: EMPTY_DESCRIPTION, **({} if hot else {words[1]: {}})}


def diagnose_reactions(adoption: Adoption) -> Iterator[Diagnostic]:
    """The resources that Heat changes or runs again although only their deletion policy changes."""

    def diagnose_below(live: LiveStack, path: tuple[str, ...]) -> Iterator[Diagnostic]:
        entries = stored_resources(live)
        for name, resource in live.resources.items():
            here = (*path, name)
            if adoption.fates.get(here, HEAT) == HEAT:
                continue
            reaction = REACTIONS.get(resource.type, "")
            runs = deployment_actions(entries[name]) if resource.type in DEPLOYMENTS and name in entries else ()
            if "DELETE" in runs and "UPDATE" in runs:  # without Retain it would run, too
                reaction = "runs it again on the server"
            if reaction:
                message = f"When {'.'.join(here)} gets the deletion policy Retain, Heat {reaction}."
                forced = "warning" if runs else ""
                yield Diagnostic(
                    codes.RESOURCE_CHANGED_BY_RELEASE, message, adoption.live.source, resource.span, forced=forced
                )
            if resource.stack is not None:
                yield from diagnose_below(resource.stack, here)

    return diagnose_below(adoption.live, ())


def diagnose_reruns(adoption: Adoption, template: Data) -> Iterator[Diagnostic]:
    """Warns of resources that stay with Heat and run again because their entry in the template changes."""
    assert adoption.reduced is not None
    entries = template_resources(template)
    for name, resource in adoption.live.resources.items():
        remaining = adoption.reduced.template.resources.get(name)
        if remaining is None or resource.type not in RERUN_TYPES or name not in entries:
            continue
        before = entries[name]
        depends = before.get("depends_on", before.get("DependsOn")) or []
        names = {depends} if isinstance(depends, str) else set(map(str, depends))
        changed = [
            word
            for word, differs in (
                ("depends_on", names != {d.name for d in remaining.depends_on}),
                (
                    "condition",
                    (before.get("condition", before.get("Condition")) is not None) != remaining.is_conditional,
                ),
            )
            if differs
        ]
        if changed:
            yield diagnose_rerun(adoption, resource, name, changed)


def diagnose_rerun(adoption: Adoption, resource: LiveResource, name: str, changed: list[str]) -> Diagnostic:
    return Diagnostic(
        codes.RESOURCE_RUNS_AGAIN,
        f"The second update changes {' and '.join(changed)} of {name}, so Heat runs it again.",
        adoption.live.source,
        resource.span,
        forced="warning",
    )

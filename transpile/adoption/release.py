"""How Heat lets go of what Terraform has taken: the templates and environments of each update of the stack.

Invariant: following them deletes nothing. A resource leaves a template only after an update has given it
`deletion_policy: Retain`, and Heat is told to fail rather than replace anything.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, final

from transpile.adoption import guide
from transpile.adoption.adoption import HEAT
from transpile.adoption.meanings import (
    DEPLOYMENTS,
    DETACHED,
    INSIDE,
    LEFT,
    Meanings,
    actions,
    given,
    member_of,
    parsed,
    resources_of,
)
from transpile.adoption.retain import Bundle, printed
from transpile.adoption.steps import ORIGINAL, RELEASE, RETAIN, Detached, Steps, command
from transpile.diagnostics import codes
from transpile.diagnostics.model import Diagnostic, Stopped
from transpile.model import heat_types
from transpile.model.source import Source

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from transpile.adoption.adoption import Adoption
    from transpile.adoption.live import LiveResource, LiveStack
    from transpile.adoption.meanings import Data

TEMPLATE = "template.yaml"
EMPTY_TEXT = "Everything that was here belongs to Terraform. This stack can be deleted."
# What Heat does to a resource of which nothing but the deletion policy changes, if it does something
REACTS = {
    heat_types.CINDER_QOS_ASSOCIATION: "takes the volume types away from it",
    heat_types.CINDER_QOS_SPECS: "fails",
    heat_types.MISTRAL_EXTERNAL_RESOURCE: "runs its workflow again",
}
AGAIN = (heat_types.SOFTWARE_DEPLOYMENT, heat_types.STRUCTURED_DEPLOYMENT, heat_types.MISTRAL_EXTERNAL_RESOURCE)


@final
class Release:
    """The files of release/ and ADOPT.md, and what is wrong with them; without files if one of them cannot be made."""

    def __init__(self, adoption: Adoption) -> None:
        self.adoption, self.live = adoption, adoption.live
        self.files: dict[str, str] = {}
        self.diagnostics: list[Diagnostic] = []
        kept = [one.type for path, one in self.live.walk() if adoption.fates.get(path) == HEAT]
        try:
            self.meanings = Meanings(self.live, kept)
            self.write()
        except Stopped as e:
            self.diagnostics += e.found
            self.files = {}

    def taken(self, name: str) -> bool:
        """Whether Heat lets go of a resource of the outermost stack."""
        return self.adoption.fates.get((name,), HEAT) != HEAT

    def write(self) -> None:
        """Writes all steps."""
        if self.live.template is None:
            raise Stopped([self.lacking("the stack", self.live)])
        template = parsed(self.live.template)
        if not any(map(self.taken, resources_of(template))):
            return  # everything stays where it is
        self.diagnostics += reacting(self.adoption)
        detached = [Detached(path, live, f"{i:02}-{live.name}") for i, (path, live) in enumerate(self.detached(), 1)]
        bundle, changed = self.retain(template)
        self.original(template, bundle)
        self.release(template)
        for one in detached:
            self.members(one)
        retained = [one for one in resources_of(changed).values() if given(one, "deletion_policy") == "Retain"]
        steps = Steps(self.adoption, detached, len(retained), complete=f"{RELEASE}/{TEMPLATE}" in self.files)
        self.files[guide.FILE] = guide.text(steps)

    def put(self, directory: str, files: dict[str, str]) -> None:
        self.files |= {f"{directory}/{name}": text for name, text in files.items()}

    def retain(self, template: Data) -> tuple[Bundle, Data]:
        """The first update: Retain on everything that Heat lets go of."""
        bundle = Bundle(self.meanings, self.source)
        changed = bundle.template(template, self.taken)
        bundle.environment()
        self.put(RETAIN, bundle.files)
        return bundle, changed

    def original(self, template: Data, after: Bundle) -> None:
        """The way back from the first update: the template as it is, and what its types stood for."""
        bundle = Bundle(self.meanings, self.source)
        bundle.template(template, lambda _: False)
        for entry in after.registry:
            bundle.registry[entry] = bundle.place(self.meanings.file(entry), retain=False)
        bundle.environment(guarded=False)
        self.put(ORIGINAL, bundle.files)

    def release(self, template: Data) -> None:
        """The second update: what stays with Heat, and nothing else."""
        reduced = self.adoption.reduced
        bundle = Bundle(self.meanings, self.source)
        if reduced is None:
            bundle.files[TEMPLATE] = printed(nothing(template), self.source)
            bundle.environment()
            self.put(RELEASE, bundle.files)
            return
        hidden = [name for name, one in reduced.template.parameters.items() if one.hidden]
        told = {name: value for name, value in reduced.environment.items() if name not in hidden}
        unknown = [name for name, value in told.items() if value is None]
        if reduced.text is None or unknown:
            what = f"the parameters {', '.join(unknown)}" if unknown else "what stands in the template"
            self.say(
                codes.RELEASE_INCOMPLETE,
                f"The template of the second update is not written: nobody told the values of {what}.",
                "Adopt the stack with --os-cloud, so that the cloud can be asked.",
            )
            return
        self.diagnostics += again(self.adoption, template)
        bundle.files |= {TEMPLATE: reduced.text, **reduced.files}
        bundle.registry = dict(reduced.registry)
        bundle.environment(told)  # Heat keeps those that are hidden
        self.put(RELEASE, bundle.files)

    def members(self, one: Detached) -> None:
        """The update of a nested stack that the second update leaves behind: Retain on all that is in it."""
        if one.live.template is None:
            raise Stopped([self.lacking(".".join(one.path), one.live)])
        bundle = Bundle(Meanings(one.live, outer=self.meanings), self.source)
        bundle.template(parsed(one.live.template), lambda _: True)
        bundle.environment()
        self.put(one.directory, bundle.files)

    def detached(self) -> Iterator[tuple[tuple[str, ...], LiveStack]]:
        """The nested stacks that become stacks of their own, the outer ones first."""
        yield from inner(self.live, (), self.meanings, entries(self.live), self.taken)

    @property
    def source(self) -> Source:
        return self.live.source

    def say(self, code: str, message: str, hint: str = "") -> None:
        self.diagnostics.append(Diagnostic(code, message, self.source, self.live.span, hint))

    def lacking(self, what: str, live: LiveStack) -> Diagnostic:
        message = f"The input lacks the template of {what}, so Heat cannot be told to let go of what is in it."
        shown = command("template", "show", live.id, "-f", "json")
        hint = f"Export the stack, or add the file template.{live.name}.json: {shown}"
        return Diagnostic(codes.RELEASE_CANNOT_BE_WRITTEN, message, live.source, live.span, hint)


def inner(
    live: LiveStack, path: tuple[str, ...], meanings: Meanings, written: dict[str, Data], taken: Callable[[str], bool]
) -> Iterator[tuple[tuple[str, ...], LiveStack]]:
    """The nested stacks below a stack that Heat cannot be made to empty through the template of their owner. `written`:
    the resources of its template.
    """
    for name, one in live.resources.items():
        if one.stack is None or not taken(name):
            continue
        mode = meanings.mode(written[name]) if name in written else DETACHED
        here = (*path, name)
        if mode == INSIDE:
            yield from inner(one.stack, here, meanings, members_of(written[name], one.stack, meanings), anything)
        elif mode != LEFT:
            yield here, one.stack
            yield from inner(one.stack, here, Meanings(one.stack, outer=meanings), entries(one.stack), anything)


def members_of(one: Data, live: LiveStack, meanings: Meanings) -> dict[str, Data]:
    """The resources of the nested stack that an entry of a template makes: a group or a template."""
    if given(one, "type") == heat_types.RESOURCE_GROUP:
        return {member: {"type": member_of(one)} for member in live.resources}
    name = meanings.file(str(given(one, "type")))
    return resources_of(parsed(Source(name, meanings.files[name]))) if name in meanings.files else {}


def entries(live: LiveStack) -> dict[str, Data]:
    """The resources in the template of a stack."""
    return resources_of(parsed(live.template)) if live.template is not None else {}


def anything(_: str) -> bool:
    return True


def nothing(template: Data) -> Data:
    """A template without resources, in the dialect of another."""
    key = next((key for key in template if key.endswith(("emplate_version", "FormatVersion"))), "heat_template_version")
    hot = key == "heat_template_version"
    words = ("description", "resources") if hot else ("Description", "Resources")
    version = template.get(key, "2013-05-23")
    return {key: version, words[0]: EMPTY_TEXT, **({} if hot else {words[1]: {}})}


def reacting(adoption: Adoption) -> Iterator[Diagnostic]:
    """The resources to which Heat does something although only their deletion policy changes."""

    def below(live: LiveStack, path: tuple[str, ...]) -> Iterator[Diagnostic]:
        written = entries(live)
        for name, one in live.resources.items():
            here = (*path, name)
            if adoption.fates.get(here, HEAT) == HEAT:
                continue
            what = REACTS.get(one.type, "")
            runs = actions(written[name]) if one.type in DEPLOYMENTS and name in written else ()
            if "DELETE" in runs and "UPDATE" in runs:  # without Retain it would run, too
                what = "runs it again on the server"
            if what:
                message = f"When {'.'.join(here)} gets the deletion policy Retain, Heat {what}."
                forced = "warning" if runs else ""
                yield Diagnostic(
                    codes.RESOURCE_CHANGED_BY_RELEASE, message, adoption.live.source, one.span, forced=forced
                )
            if one.stack is not None:
                yield from below(one.stack, here)

    return below(adoption.live, ())


def again(adoption: Adoption, template: Data) -> Iterator[Diagnostic]:
    """What stays with Heat, and runs again because its entry in the template changes."""
    assert adoption.reduced is not None
    written = resources_of(template)
    for name, one in adoption.live.resources.items():
        left = adoption.reduced.template.resources.get(name)
        if left is None or one.type not in AGAIN or name not in written:
            continue
        before = written[name]
        depends = before.get("depends_on", before.get("DependsOn")) or []
        names = {depends} if isinstance(depends, str) else set(map(str, depends))
        changed = [
            word
            for word, differs in (
                ("depends_on", names != {d.name for d in left.depends_on}),
                ("condition", (before.get("condition", before.get("Condition")) is None) != (left.condition is None)),
            )
            if differs
        ]
        if changed:
            yield about(adoption, one, name, changed)


def about(adoption: Adoption, one: LiveResource, name: str, changed: list[str]) -> Diagnostic:
    return Diagnostic(
        codes.RESOURCE_RUNS_AGAIN,
        f"The second update changes {' and '.join(changed)} of {name}, so Heat runs it again.",
        adoption.live.source,
        one.span,
        forced="warning",
    )

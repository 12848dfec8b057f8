"""The pipeline of an adoption: a running stack is read, linked, paired with what runs, and emitted.

Invariant: an adoption is a conversion whose input is a running stack. Nothing here writes files, prints, or asks a
cloud that the caller did not give.
"""

from __future__ import annotations

import os
import pathlib
from typing import TYPE_CHECKING, Any, final

from transpile import additions, pipeline, targets
from transpile.adoption import client, comparison, export, pairing, safety
from transpile.adoption import drift as drifting
from transpile.adoption.adoption import Adoption
from transpile.adoption.live import LiveStack
from transpile.adoption.lookups import Answers
from transpile.adoption.release import Release
from transpile.diagnostics.model import MASK, Diagnostic, Stopped, exceeded, failed, without
from transpile.document_conversion import charge_output, parse_template
from transpile.front import environment as environments_
from transpile.model.budget import Budget, checked
from transpile.model.ir import Lit
from transpile.model.meter import Exceeded
from transpile.model.records import EMPTY, record, replace
from transpile.model.source import Source
from transpile.resolve import linker, nested_templates
from transpile.resolve.secrets import Secrets
from transpile.text.jinja import Renderer
from transpile.text.source import Root, Unreadable, from_bytes, from_text, load, unreadable

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from transpile.additions import Additions
    from transpile.adoption.lookups import Cloud
    from transpile.model.ir import Environment, Template

TARGET = "hcl"
# What Heat refuses for a template as a whole, but not for the resources whose conditions hold: the stack runs.
PROVEN = ("HOT207",)


@final
@record
class Repository:
    """What the user has in place of the template that Heat stored: a path or a text, environments, and where it may
    read.
    """

    template: str | os.PathLike[str]
    environments: Sequence[str | os.PathLike[str]] = ()
    root: str | os.PathLike[str] | None = None
    allow: Sequence[str] = ()


def adopt(
    source: str | bytes | os.PathLike[str] | LiveStack | None,
    *,
    template: str | os.PathLike[str] | None = None,
    environments: Sequence[str | os.PathLike[str]] = (),
    cloud: Cloud | None = None,
    answers: str | os.PathLike[str] | None = None,
    drift: bool = False,
    root: str | os.PathLike[str] | None = None,
    allow: Sequence[str] = (),
    name: str | None = None,
    prefer: str | None = None,
    options: Mapping[str, Any] | None = None,
    limits: Mapping[str, int] | None = None,
    plugin_dirs: Sequence[str | os.PathLike[str]] = (),
    mappings: Sequence[str | os.PathLike[str]] = (),
    added: Additions | None = None,
    said: Sequence[Diagnostic] = (),
) -> pipeline.Conversion:
    """Converts one running stack to Terraform that takes over what the stack made. Bad input raises nothing.

    Args:
        source: The export of a stack, as a path (`os.PathLike`) or a text, a directory with the output of the client's
            commands, or a stack that was read before. None if it could not be read; `said` has the reason.
        template: The template of a repository, in place of the one that Heat stored.
        environments: The environments of that template.
        cloud: Answers what the export does not tell.
        answers: A file of saved answers.
        drift: Also compare what the cloud has with what the template says.
        root: As for `convert`.
        allow: As for `convert`.
        name: What diagnostics call the export.
        prefer: As for `convert`.
        options: As for `convert`.
        limits: As for `convert`.
        plugin_dirs: As for `convert`.
        mappings: As for `convert`.
        added: As for `convert`.
        said: Diagnostics of reading the stack.

    Raises:
        targets.WrongOption: An option or its value is not accepted. A ValueError.
        budget.WrongLimit: A limit or its value is not accepted. A ValueError.
    """
    target = targets.find(TARGET)
    settings = target.settings({**({"prefer": prefer} if prefer is not None else {}), **(options or {})})
    budget = Budget(checked(limits or {}))
    more = added or additions.read(plugin_dirs, mappings, budget)
    repository = Repository(template, environments, root, allow) if template is not None else None
    run = Run(target, settings, budget, more, name or shown_as(source))
    run.found += said
    return run.adopt(source, repository, cloud, answers, drift=drift)


def shown_as(source: str | bytes | os.PathLike[str] | LiveStack | None) -> str:
    """What diagnostics call an input."""
    if isinstance(source, LiveStack):
        return source.source.name
    return os.path.basename(source) if isinstance(source, os.PathLike) else "export"


@final
class Run:
    """One adoption."""

    def __init__(
        self, target: targets.Target, options: Mapping[str, Any], budget: Budget, added: Additions, shown: str
    ) -> None:
        self.target, self.options, self.budget, self.added, self.shown = target, options, budget, added, shown
        self.found = added.about(())
        self.secrets = Secrets()
        self.library = nested_templates.Library(renderer=Renderer(None), budget=budget)
        self.template: Template | None = None
        self.root = Root(None)

    def done(
        self,
        files: Mapping[str, str | bytes],
        body: dict[str, Any],
        said: Sequence[Diagnostic] = (),
        own: frozenset[str] = frozenset(),
    ) -> pipeline.Conversion:
        """own: files that only their owner may read, besides those with hidden values."""
        self.secrets.templates += [*([self.template] if self.template is not None else ()), *self.library.templates()]
        warnings, private = self.secrets.written(files)
        about = self.template.source if self.template is not None else None
        concealed = self.secrets.conceal([*self.found, *said, *warnings, *without(self.budget, about)])
        body, reads = self.secrets.report(body), self.root.reads
        return pipeline.finish(files, concealed, self.shown, self.target.name, body, reads, private | own)

    def adopt(
        self,
        source: str | bytes | os.PathLike[str] | LiveStack | None,
        repository: Repository | None,
        cloud: Cloud | None,
        answers: str | os.PathLike[str] | None,
        *,
        drift: bool = False,
    ) -> pipeline.Conversion:
        try:
            live = self.read(source) if isinstance(source, (str, bytes, os.PathLike)) else source
            saved = self.answers(answers, cloud)
            if live is not None:
                self.found += safety.check(live)
            if live is None or failed(self.found):
                return self.done({}, {})
            if not self.linked(live, repository):
                return self.done({}, {})
            return self.emitted(live, saved, self.drifted(live, saved) if drift else {})
        except Stopped as e:
            return self.done({}, {}, e.found)
        except Exceeded as e:
            return self.done({}, {}, [exceeded(e)])
        except RecursionError:
            about = self.template.source if self.template is not None else None
            return self.done({}, {}, [Diagnostic("HOT108", "Expressions are nested too deeply.", about)])

    # reading

    def read(self, source: str | bytes | os.PathLike[str]) -> LiveStack | None:
        if isinstance(source, os.PathLike) and pathlib.Path(source).is_dir():
            return self.documents(pathlib.Path(source))
        text = self.text(source, self.shown)
        if text is None:
            return None
        live, said = export.load(text)
        self.found += said
        return live

    def documents(self, folder: pathlib.Path) -> LiveStack | None:
        """The stack that the output of the client's commands describes."""
        sources: dict[str, Source] = {}
        nested = sorted(path.stem for path in folder.glob(f"{client.NESTED}*.json"))
        for name in (*client.NAMES, *nested):
            file = f"{name}.json"
            if (folder / file).is_file() and (text := self.text(folder / file, file)) is not None:
                sources[name] = text
        if failed(self.found):
            return None
        live, said = client.load(sources, Source(self.shown, ""))
        self.found += said
        return live

    def text(self, source: str | bytes | os.PathLike[str], shown: str) -> Source | None:
        try:
            if isinstance(source, os.PathLike):
                return load(pathlib.Path(source), shown, self.budget)
            if isinstance(source, bytes):
                return from_bytes(source, shown, self.budget)
            return from_text(source, shown, self.budget)
        except Unreadable as e:
            self.found.append(unreadable(e, shown))
            return None

    def answers(self, answers: str | os.PathLike[str] | None, cloud: Cloud | None) -> Cloud:
        """Whoever answers questions: the cloud, after the saved answers."""
        if answers is None:  # a cloud may answer with more than was asked for, which Answers filters
            return cloud if isinstance(cloud, Answers) else Answers({}, cloud)
        text = self.text(pathlib.Path(answers), os.path.basename(answers))
        return Answers(export.answers(text, self.found) if text is not None else {}, cloud)

    # linking

    def linked(self, live: LiveStack, repository: Repository | None) -> bool:
        """Links the template, and pairs it with what runs. Returns whether the adoption can go on."""
        stored = self.link(*self.stored(live), live)
        if repository is not None and stored is not None:
            given = self.link(*self.given(repository, live), live)
            if given is not None:
                self.found += comparison.compare(stored, given, live)
        return self.secrets.stack is not None and not failed(self.found)

    def stored(self, live: LiveStack) -> tuple[Template | None, list[Environment], Root]:
        """The template and the environment that Heat has stored."""
        template = parse_template(live.template, self.found)
        environment = None
        if live.environment is not None:
            environment, sink = environments_.read(live.environment)
            self.found += sink.found
        if environment is not None:
            environment = replace(environment, other=EMPTY)  # the rest is for Heat's engine
            environment = self.unmasked(environment, template)
        given = [environment] if environment is not None else []
        return template, given, Root(None, held=live.files)

    def unmasked(self, environment: Environment, template: Template | None) -> Environment:
        """An environment without the asterisks that Heat shows in place of hidden values."""
        hidden = {name for name, one in template.parameters.items() if one.hidden} if template is not None else set()
        masked = {
            name: entry for name, entry in environment.parameters.items() if name in hidden and entry.value == Lit(MASK)
        }
        for name, entry in masked.items():
            message = f"The value of {name} is hidden, and the input has only asterisks."
            hint = f"Set TF_VAR_{name} to the value that the stack has."
            self.found.append(Diagnostic("HOT720", message, environment.source, entry.key_span, hint))
        left = {name: entry for name, entry in environment.parameters.items() if name not in masked}
        return replace(environment, parameters=left)

    def given(self, repository: Repository, live: LiveStack) -> tuple[Template | None, list[Environment], Root]:
        """The template and the environments of the repository."""
        at = repository.template
        path = pathlib.Path(at) if isinstance(at, os.PathLike) else None
        folder = path.parent if path is not None else None
        directory = pathlib.Path(repository.root) if repository.root is not None else folder
        root = Root(directory, folder, repository.allow, trusting=repository.root is None)
        shown = path.name if path is not None else "template"
        template = pipeline.read(at, shown, self.found, root, None, self.budget)
        loaded = [environments_.load(one, self.found, budget=self.budget) for one in repository.environments]
        return template, [one for one in loaded if one is not None], root

    def link(self, template: Template | None, environments: list[Environment], root: Root, live: LiveStack) -> Any:
        if template is None or failed(self.found):
            return None
        self.template, self.root = template, root
        self.secrets.environments = [*self.secrets.environments, *environments]
        options = linker.Options(self.target.nested, converts=True, library=self.library, catalog=self.added.catalog)
        self.secrets.stack, said = linker.link(template, environments, None, root, options)
        self.found += [d.milder() if d.code in PROVEN else d for d in said]
        if failed(self.found):
            return None
        self.found += pairing.pair(self.secrets.stack, live)
        return self.secrets.stack

    def drifted(self, live: LiveStack, cloud: Cloud) -> dict[str, Any]:
        """What live resources have otherwise than the template: diagnostics, and the part of the report."""
        assert self.secrets.stack is not None
        found = drifting.compare(live, self.secrets.stack, cloud)
        self.found += found.diagnostics(live.source)
        return {"drift": found.as_json()}

    # writing

    def emitted(self, live: LiveStack, cloud: Cloud, more: Mapping[str, Any]) -> pipeline.Conversion:
        """more: further parts of the report."""
        stack, target = self.secrets.stack, self.target
        assert stack is not None
        assert self.template is not None
        options = dict(self.options)
        if target.tables is not None:
            options["tables"], wrong = target.tables(self.added)
            self.found += wrong
            if failed(self.found):
                return self.done({}, {})
        adoption = Adoption(live, cloud, stack)
        output = target.confine(target.emit(stack, {**options, "adoption": adoption}), options)
        charge_output(output.files, self.template.source)
        used = pipeline.origins(stack)
        if used:
            output.report["plugins"] = dict(sorted(used.items()))
        output.report["imports"] = dict(adoption.imports)
        output.report |= more
        if failed(output.diagnostics):
            return self.done({}, output.report, output.diagnostics)
        release = Release(adoption)
        files = pipeline.listed(target, {**output.files, **release.files})
        said = [*output.diagnostics, *release.diagnostics]
        return self.done(files, output.report, said, frozenset({*release.files, *adoption.private}))

"""`hot2tf check`: the files to check and the diagnostics of each.

A file in a named directory is checked as `hot2tf migrate` would use it: a template with each of the environments that
belong to it, and a nested one with those of the stacks that it is part of.

Invariant: nothing is written, and results come in the order of the paths.
"""

from __future__ import annotations

import fnmatch
import functools
import os
import pathlib
from typing import TYPE_CHECKING, Any, final

from transpile import additions, document_kinds
from transpile import check as checks
from transpile.cli import parallel
from transpile.cli.discover_files import TEMPLATES, discover
from transpile.diagnostics.model import Diagnostic, Stopped, TooMany, exceeded, failed, in_order, without
from transpile.diagnostics.registry import SEVERITIES
from transpile.document_kinds import Reading
from transpile.front import environment as environments
from transpile.front import kinds
from transpile.front import template as templates
from transpile.model.budget import Budget
from transpile.model.meter import Exceeded
from transpile.model.records import EMPTY, field, node, record, replace
from transpile.resolve import capabilities, linker, nested_templates
from transpile.resolve.secrets import Secrets
from transpile.rewrite.repairs import repaired
from transpile.settings import Settings, graded, unused
from transpile.settings.table import ALWAYS, CONTRIBUTED
from transpile.text.jinja import NotRendered, Renderer
from transpile.text.source import Root, Unreadable, from_bytes, load, repository, unreadable

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from transpile.cli.discover_files import Found
    from transpile.model.ir import Environment
    from transpile.model.source import Source
    from transpile.repository.uses import Use
    from transpile.schema.catalog import Catalog
    from transpile.settings import Finder, Graded
    from transpile.text.source import File

STDIN = "<stdin>"
UNREAD_DIRECTORY = "HOT930"
SUFFIXES = (".env", ".json", *TEMPLATES)
NOBODY = Settings()  # what holds if nobody says anything


@node
class Options:
    """The options that hold for all files.

    `root`: the directory that templates may read files from, by default the repository around them; `allow`: more
    directories and URL prefixes; `create`: problems that only appear when the stack is created are errors, too;
    `plugins`: patterns of resource types that plug-ins of the cloud provide; `skip_others`: named files that are
    neither templates nor environments are skipped, as they always are in directories; `render`: values for Jinja2
    sources; `limits`: other ones for what a file may cost; `added`: types of plug-ins, as `Additions.packed` gives
    them; `contributed`: the options that other kinds of documents have registered, by name; `called`: others nest the
    template, and give its parameters;
    `paired`: nobody named the environments, they were found; `tree`: the named directory that the template is in;
    `held`: what a configuration says about the file; `finder`: finds what it says about others.
    """

    environments: tuple[str, ...] = ()
    parameters: Mapping[str, Any] = EMPTY
    root: str | None = None
    allow: tuple[str, ...] = ()
    create: bool = False
    plugins: tuple[str, ...] = ()
    skip_others: bool = False
    render: Mapping[str, Any] | None = None
    limits: Mapping[str, int] = EMPTY
    added: bytes = b""
    contributed: Mapping[str, Any] = EMPTY
    called: bool = False
    paired: bool = False
    tree: str = ""
    held: Settings = field(default=NOBODY, compare=False)
    finder: Finder | None = field(default=None, compare=False)

    @property
    def catalog(self) -> Catalog:
        """The types that there are."""
        return additions.strict(additions.unpacked(self.added), self.plugin)

    def plugin(self, kind: str) -> bool:
        return any(fnmatch.fnmatchcase(kind, pattern) for pattern in self.plugins)


@record
class Result:
    """The diagnostics of a file. `kind`: template (also a document of another kind), environment, or "" for neither;
    `uses`: of the stacks that a repository makes of it; `graded`: what a configuration and comments made of the
    diagnostics.
    """

    path: str
    kind: str
    diagnostics: Sequence[Diagnostic] = ()
    uses: Sequence[Use] = ()
    graded: Graded | None = None

    @property
    def ok(self) -> bool:
        return not failed(self.diagnostics)


@final
class Configured:
    """The options of each file, from what holds for it. `wrong`: mistakes in configurations; `said`: what is about no
    file.
    """

    def __init__(self, finder: Finder) -> None:
        self.finder = finder
        self.wrong: list[Diagnostic] = []
        self.said: list[Diagnostic] = []
        self.packed: dict[tuple[str, ...], bytes] = {}
        self.heard: set[Diagnostic] = set()

    def told(self, name: str) -> Any:
        """What the command line or a variable says of an option."""
        return Settings().over(self.finder.said).given(name)

    def options(self, path: str) -> Options:
        return self.of(self.finder.for_file(path))

    def of(self, held: Settings) -> Options:
        """The options that settings mean."""
        for one in held.diagnostics:
            if one not in self.heard:
                self.heard.add(one)
                (self.said if held.ok else self.wrong).append(one)
        if not held.ok:
            return Options(held=held)
        return Options(
            held.texts("environments"),
            held.get("parameters"),
            held.get("root"),
            held.texts("allow"),
            held.get("level") == "create",
            held.texts("plugin-types"),
            held.get("skip-others"),
            held.given("render"),
            held.get("limits"),
            self.added(held.texts("plugin-dirs")),
            {name: held.get(name) for name in CONTRIBUTED},
            held=held,
            finder=self.finder,
        )

    def added(self, directories: tuple[str, ...]) -> bytes:
        """The types of plug-ins in directories, each read once."""
        if directories not in self.packed:
            found = additions.read(directories)
            self.said += found.diagnostics
            self.packed[directories] = found.packed()
        return self.packed[directories]


@record
class Checked:
    """What came of all files. `found`: what is about no single file; `empty`: the named directories without anything of
    Heat's.
    """

    results: Sequence[Result]
    found: Sequence[Diagnostic] = ()
    empty: Sequence[str] = ()

    @property
    def diagnostics(self) -> list[Diagnostic]:
        """All diagnostics, each once."""
        idle = unused(one.graded for one in self.results if one.graded is not None)
        return distinct([*self.found, *(d for one in self.results for d in one.diagnostics), *idle])

    @property
    def ignored(self) -> dict[str, int]:
        """How many findings were ignored, by code."""
        counts: dict[str, int] = {}
        for one in self.results:
            for code, number in one.graded.ignored.items() if one.graded is not None else ():
                counts[code] = counts.get(code, 0) + number
        return counts


def found_files(given: Iterable[str], finder: Finder) -> list[Found]:
    """The files to look at."""
    return list(discover(given, SUFFIXES, finder=finder))


def run(given: Sequence[str], configured: Configured, jobs: int) -> Checked:
    """Checks files, in several processes if there are many."""
    files = found_files(given, configured.finder)
    each = [configured.options(file.path) for file in files]
    if wrong := configured.wrong:
        return Checked([], wrong)
    surveyed: dict[str, tuple[Use, ...]] = {}
    said: list[Diagnostic] = []
    if configured.told("environments") is None:  # else the user says what belongs together
        for directory in dict.fromkeys(file.within for file in files if file.inside):
            surveyed.update(uses_in(directory, configured, said))
    todo = [
        (file, options, uses_of(options, surveyed.get(file.path, ())))
        for file, options in zip(files, each, strict=True)
    ]
    results = list(parallel.run(lambda job: of_file(*job), todo, jobs, [file.size for file in files]))
    full = {file.within for file, result in zip(files, results, strict=True) if result.kind or not result.ok}
    said += configured.said
    return Checked(results, said, [path for path in given if pathlib.Path(path).is_dir() and path not in full])


def uses_of(options: Options, uses: tuple[Use, ...]) -> tuple[Use, ...]:
    """The uses of a template. None if a configuration says which environments it has, and no stack nests it."""
    if options.held.given("environments") is None or any(use.called for use in uses):
        return uses
    return ()


def uses_in(directory: str, configured: Configured, said: list[Diagnostic]) -> dict[str, tuple[Use, ...]]:
    """How the templates of a directory are used, by their paths. What is wrong with its plan file goes into `said`."""
    import transpile.repository.uses as of_plan  # for directories only
    from transpile.repository import plan_file, survey

    src = pathlib.Path(directory)
    plan = None
    if (file := src / plan_file.PLAN_FILE).exists():
        try:
            plan = plan_file.read(file, src)
        except Stopped as e:
            said += [below(directory, d) for d in e.found]
    if plan is None:
        held = configured.finder.for_directory(directory)
        told = configured.finder.environments_in(directory)
        rendered = held.given("render") is not None
        plan = survey.survey(src, held.excluded_below(directory), rendered=rendered, told=told)
    said += [below(directory, d) for d in plan.diagnostics if d.code == UNREAD_DIRECTORY]

    def there(path: str) -> str:
        return str(pathlib.Path(directory, path))

    return {
        there(path): tuple(replace(one, environments=tuple(map(there, one.environments))) for one in each)
        for path, each in of_plan.uses(plan).items()
    }


def below(directory: str, d: Diagnostic) -> Diagnostic:
    """A diagnostic about a file of a directory, by the file's path from here."""
    if d.source is None:
        return d
    return replace(d, source=d.source.renamed(str(pathlib.Path(directory, d.source.name))))


def of_file(file: Found, options: Options, uses: Sequence[Use]) -> Result:
    """Checks a file that was found."""
    if file.inside and options.root is None:
        options = replace(options, allow=(*options.allow, file.within), tree=file.within)  # it is like a repository
    return one((file.path, file.inside, options), uses)


def one(job: tuple[str, bool, Options], uses: Sequence[Use] = ()) -> Result:
    """Checks a file. Other files found in directories are skipped. `uses`: those of a template, if they are known."""
    path, found, options = job
    try:
        source = load(path, path, Budget(options.limits))
    except Unreadable as e:
        return Result(path, "", [] if found and somebody_elses(path, e) else [unreadable(e, path)])
    kind = kinds.of_text(source)
    if kind == kinds.FOREIGN and not found and kinds.may_be_environment(path, source.text.encode("utf-8", "replace")):
        kind = kinds.ENVIRONMENT  # somebody says so by naming it
    if kind == kinds.ENVIRONMENT:
        return governed(Result(path, "environment", environment(source)), source, options)
    if kind == kinds.FOREIGN and (found or options.skip_others):
        return Result(path, "")
    folder = os.path.dirname(path) or "."
    said = together(
        [(use, text(source, used(options, use), folder)) for use in uses]
        if uses
        else [(None, text(source, options, folder))]
    )
    return governed(Result(path, "template", said, uses), source, options)


def somebody_elses(path: str, error: Unreadable) -> bool:
    """Whether a file that cannot be read, because of its size or its encoding, does not begin like one of Heat's."""
    if error.kind not in ("large", "encoding"):
        return False
    try:
        with pathlib.Path(path).open("rb") as file:
            begin = file.read(1 << 16)
    except OSError:
        return False
    return not (kinds.claims(begin) or kinds.OWN_AT_LINE.search(begin))


def used(options: Options, use: Use) -> Options:
    """The options for one use of a template. What the command line says counts more than the plan."""
    return replace(
        options,
        environments=use.environments,
        parameters={**use.parameters, **options.parameters},
        render={**use.render, **(options.render or {})} if use.render or options.render is not None else None,
        called=use.called,
        paired=True,
    )


def together(each: Sequence[tuple[Use | None, Sequence[Diagnostic]]]) -> list[Diagnostic]:
    """What was said of all uses of a template, each finding once. One that only some of its stacks have says so."""
    if len(each) == 1:
        return list(each[0][1])
    where: dict[tuple[object, ...], list[Use]] = {}
    for use, found in each:
        for d in dict.fromkeys(found):
            where.setdefault(identity(d), []).extend([use] if use is not None else [])
    out = []
    for d in distinct(d for _, found in each for d in found):
        owners = where[identity(d)]
        if len(owners) < len(each) and (names := " ".join(f"-e {path}" for path in owners[0].environments)):
            d = replace(d, hint=f"{d.help()} It is so with {names}.".lstrip())
        out.append(d)
    return in_order(out)


def governed(result: Result, source: Source, options: Options) -> Result:
    """What is said of a file. The diagnostics of every file, and of what it names, pass through here once, before
    anybody counts them: what a configuration or a comment ignores, or grades otherwise, is decided here. Of comments
    in a file that was not read to its end nobody can say that they ignore nothing.
    """
    read = not any(d.code in ALWAYS for d in result.diagnostics)
    done = graded(result.diagnostics, options.held, "check", sources=[source] if read else [], finder=options.finder)
    result.diagnostics, result.graded = in_order(done.kept), done
    return result


def environment(source: Source) -> list[Diagnostic]:
    """Checks an environment by itself, without its values, because their types depend on a template."""
    secrets = Secrets()
    try:
        read, sink = environments.read(source)
        said = sink.found + list(capabilities.unknown_to_heat(read) if read is not None else ())
        secrets.environments = [read] if read is not None else []
    except TooMany as e:
        said = e.found
    return in_order(secrets.conceal(said))


def standard_input(data: bytes, options: Options) -> Result:
    try:
        source = from_bytes(data, STDIN, Budget(options.limits))
    except Unreadable as e:
        return Result(STDIN, "", [unreadable(e, STDIN)])
    return governed(Result(STDIN, "template", text(source, options, options.root or None)), source, options)


def text(source: Source, options: Options, folder: str | None) -> list[Diagnostic]:
    """The diagnostics of a template, in order. `folder`: the directory that its names are relative to."""
    return in_order(findings(source, options, folder))


def findings(source: Source, options: Options, folder: str | None) -> list[Diagnostic]:
    """The diagnostics of a template, without the values of hidden parameters."""
    secrets = Secrets(options.parameters)
    try:
        found = linked(source, options, folder, secrets)
    except Exceeded as e:
        found = [exceeded(e)]
    return secrets.conceal([*repaired(found), *without(source.budget, source)])


def linked(source: Source, options: Options, folder: str | None, secrets: Secrets) -> list[Diagnostic]:
    """The diagnostics of a template. What is read goes into `secrets`."""
    found: list[Diagnostic] = []
    if (key := document_kinds.claiming_key(source)) is not None:
        return check_other(key, source, options, folder, secrets)
    given: list[Environment] = []
    for path in options.environments:
        if (read := environments.load(pathlib.Path(path), found, path, source.budget)) is not None:
            given.append(read)
            found += capabilities.unknown_to_heat(read)
    secrets.environments = given
    directory = options.root if options.root is not None else folder
    root = Root(directory, folder, options.allow, trusting=options.root is None)

    def shown(file: File) -> str:
        if directory is None:
            return file.path
        return str(pathlib.Path(directory, file.path)) if file.inside else os.path.relpath(file.where)

    renderer = Renderer(options.render)
    try:
        rendered = renderer.template(source, root, any_name=source.name == STDIN)
        template, sink = templates.read(rendered, commented=False)
    except NotRendered as e:
        return [*found, e.diagnostic]
    except TooMany as e:
        return found + e.found
    found += sink.found
    if template is None:
        return found
    secrets.templates = [template]
    library = nested_templates.Library(shown, commented=False, renderer=renderer, budget=source.budget)
    how = linker.Options("load", options.create, library=library, catalog=options.catalog, called=options.called)
    try:
        secrets.stack, said = linker.link(template, given, options.parameters, root, how)
    except TooMany as e:
        return found + e.found
    except RecursionError:
        return [*found, Diagnostic("HOT108", "Expressions are nested too deeply.", source)]
    finally:
        secrets.templates += library.templates()
    for one in (template, *how.library.templates()):
        found += capabilities.unknown_to_heat(one)
    near = functools.partial(definer, folder=folder, options=options)
    levels: Any = {"create": options.create, "called": options.called}
    return found + said + checks.check(secrets.stack, plugins=options.plugin, definer=near, **levels)


def definer(kind: str, folder: str | None, options: Options) -> str:
    """The environment near a template that defines a type; none if the user has said which environments there are."""
    if folder is None or (options.environments and not options.paired):
        return ""
    from transpile.repository import nearby  # only for types that nobody knows

    where = nearby.definer(kind, folder, options.root or repository(folder) or options.tree or folder)
    return os.path.normpath(pathlib.Path(folder, where)) if where else ""


def check_other(key: str, source: Source, options: Options, folder: str | None, secrets: Secrets) -> list[Diagnostic]:
    """The diagnostics of a document of another kind."""
    root = Root(options.root or folder, folder, options.allow, trusting=options.root is None)
    try:
        rendered = Renderer(options.render).template(source, root, any_name=source.name == STDIN)
    except NotRendered as e:
        return [e.diagnostic]
    reading = Reading(options.parameters, options.environments, root, options.contributed, secrets)
    return document_kinds.check_document(key, rendered, reading)


def identity(d: Diagnostic) -> tuple[object, ...]:
    """What two findings have in common that are the same."""
    file = os.path.normpath(d.source.name) if d.source is not None else ""
    return file, d.at, d.code, d.message


def distinct(found: Iterable[Diagnostic]) -> list[Diagnostic]:
    """The diagnostics, each once, as severe as it was found: a nested template is also checked by itself, where its
    errors are errors.
    """
    out: dict[tuple[object, ...], Diagnostic] = {}
    for one in found:
        key = identity(one)
        if key not in out or SEVERITIES.index(one.severity) < SEVERITIES.index(out[key].severity):
            out[key] = one
    return list(out.values())


def pairings(checked: Checked) -> Iterator[str]:
    """A line for each use of a template that was found: with which environments it was checked."""
    for result in checked.results:
        for use in result.uses:
            names = " ".join(f"-e {path}" for path in use.environments)
            if names or use.called:
                how = "nested in stacks" if use.called else "a stack"
                yield f"{result.path}: {how}{f' with {names}' if names else ''}"


def closing(checked: Checked, said: Sequence[Diagnostic], create: bool) -> str:
    """A summary in one line."""
    results = checked.results
    counts = {s: sum(d.severity == s for d in said) for s in ("error", "warning")}
    number = sum(bool(r.kind) or not r.ok for r in results)
    parts = [f"{n} {word}{'s' * (n != 1)}" for word, n in (("error", counts["error"]), ("warning", counts["warning"]))]
    level = " with --level create" if create else ""
    parts += [f"{ignored} ignored"] if (ignored := sum(checked.ignored.values())) else []
    return f"{number} file{'s' * (number != 1)} checked{level}: {', '.join(parts)}."

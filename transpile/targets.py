"""Targets: the declaration of a target, and how hot2tf finds it.

Invariant: built-in names take precedence over plug-ins, and nothing in this package imports an emitter statically.
"""

from __future__ import annotations

import contextlib
import functools
import importlib
import pathlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from transpile import registrations
from transpile.diagnostics import codes
from transpile.diagnostics.model import Diagnostic
from transpile.diagnostics.rules import Rule
from transpile.model.records import node, record

if TYPE_CHECKING:
    from transpile.additions import Additions
    from transpile.model.source import Source
    from transpile.resolve.stack import Stack
    from transpile.text.addresses import Follow

BUILT_IN = registrations.OWN[registrations.TARGETS]
DEFAULT = "hcl"
ALIASES: Mapping[str, str] = {"tf": "hcl", "terraform": "hcl"}  # other names of the target hcl
FILE, DIRECTORY = "file", "directory"  # the kinds of output
LOAD, KEEP, REFUSE = "load", "keep", "refuse"  # how a target treats nested templates


class UnknownTarget(LookupError):
    """There is no target with this name, or its plug-in cannot be used. The message gives the reason."""


class WrongOption(ValueError):
    """The target has no such option, or the option does not accept the value."""


@record
class Output:
    """The output of a target for a stack: files by relative path, the body of the report, and diagnostics. If a target
    writes one file, that file comes first, and any others are placed beside it. addresses: the addresses of the
    template's parts in the files, as JSON; the directory remembers them for `Target.follow`.
    """

    files: dict[str, str | bytes]
    report: dict[str, Any]
    diagnostics: list[Diagnostic]
    addresses: Any = None


@node
class Option:
    """An option of a target, `--option NAME=VALUE`.

    `kind`: str, int or bool. `values`: the allowed values; empty if any value is allowed. `check`: raises ValueError,
    with the reason, for a text that is not allowed. `private`: a wrong value may be a secret, so no message has it.

    Options of converters have two more kinds. `file`: the value is the path of a file, or its text (with a newline in
    it), and `convert` gets it as a Source, or None. `stack`: the value is a Heat template in the same form, and
    `convert` gets it as a linked Stack.
    """

    name: str
    help: str
    kind: type = str
    values: tuple[str, ...] = ()
    default: Any = None
    file: bool = False
    stack: bool = False
    check: Callable[[str], object] | None = None
    private: bool = False

    def read_value(self, value: Any) -> Any:
        """Converts a value to the option's type. None means the default."""
        if value is None or (isinstance(value, self.kind) and self.kind is not str):
            return self.default if value is None else value
        if self.file or self.stack:
            return value
        text = str(value)
        if self.kind is bool:
            if text in ("true", "false"):
                return text == "true"
        elif self.kind is int:
            try:
                return int(text)
            except ValueError:
                pass
        elif not self.values or text in self.values:
            self.check_text(text)
            return text
        raise WrongOption(f"{self.name} takes {self.accepted_values}, not {text}.{closest_name(text, self.values)}")

    def check_text(self, text: str) -> None:
        try:
            if self.check is not None:
                self.check(text)
        except ValueError as error:
            wrong = "is wrong" if self.private else f"cannot be {text}"
            raise WrongOption(f"{self.name} {wrong}: {error}.") from error

    @property
    def accepted_values(self) -> str:
        """The allowed values, in words."""
        if self.kind is bool:
            return "true or false"
        if self.kind is int:
            return "a number"
        *rest, last = self.values or ("a string",)
        return f"{', '.join(rest)} or {last}" if rest else last


# Every target that writes one file has this option: the folder for the other files, beside that one.
BESIDE = Option("beside", "The folder for files beside the main one.", default="")


@node
class Neighbours:
    """Files in the output directory that hot2tf did not write, but that Terraform or another tool reads together with
    hot2tf's files.

    `suffixes`: the endings of their names. `clashes`: makes diagnostics from hot2tf's files and theirs,
    both by path.
    """

    suffixes: tuple[str, ...]
    clashes: Callable[[Mapping[str, str | bytes], Mapping[str, Source]], list[Diagnostic]]


@node
class Shared:
    """Folders that several outputs have in common.

    `folder`: the directory that contains them. `option`: the option that gives each folder a name made from its
    content: `NAME-DIGEST`, with 64 hexadecimal digits. Other files name the folder as a quoted path, and are changed
    when it moves. Both are empty for a target whose outputs have nothing in common.
    """

    folder: str = ""
    option: str = ""

    @property
    def prefix(self) -> str:
        """The path before the names of the folders."""
        return f"{self.folder}/" if self.folder else ""

    @property
    def options(self) -> Mapping[str, bool]:
        """The options of a conversion that shares folders."""
        return {self.option: True} if self.option else {}


@node
class SharedRoots:
    """How one output serves all environments of a template.

    The option `environment` of the target has the name of an environment; the files that differ between environments
    get names with it. `belongs`: whether a file is for one environment alone. `environment_of`: the environment that a
    file of values is for, by its name; empty for any other file. `join`: makes the output of its parts, the files for
    each environment by its name, which have the rest in common; `layout`: see `Request.environment_layout`.
    `state_file`: where the tool keeps the state of an environment, as a path below the output, by the layout and the
    name. `own_name`: the name that a file for an environment has where the environment has an output of its own.
    `name_values`: the file with the values of an environment; `name_secrets`: the one with its secrets;
    `name_settings`: the one that says where its state is. `join_addresses`: makes one section of addresses of those of
    all environments, as JSON.
    """

    belongs: Callable[[str], bool]
    environment_of: Callable[[str], str]
    join: Callable[[str, Mapping[str, Mapping[str, bytes]]], dict[str, bytes]]
    state_file: Callable[[str, str], str]
    own_name: Callable[[str, str], str]
    name_values: Callable[[str], str]
    name_secrets: Callable[[str], str]
    name_settings: Callable[[str], str]
    join_addresses: Callable[[Sequence[bytes]], bytes]


@node
class PipelineStack:
    """A directory that a pipeline checks. directory: its path in the destination. shares_state: whether all jobs have
    the same state, so that they can plan and apply. settings: the file with the settings of its backend, if it has one.
    unset: a setting that this file lacks. credentials: the variables with the credentials of the backend. gitlab_state:
    the name of its state in GitLab, if it is there. tests: whether it has tests. environment: the one of several that
    share the directory; empty if it is for one stack. is_workspace: whether the environment is a workspace.
    """

    directory: str
    shares_state: bool = False
    settings: str = ""
    unset: str = ""
    credentials: tuple[str, ...] = ()
    gitlab_state: str = ""
    tests: bool = False
    environment: str = ""
    is_workspace: bool = False


@node
class PipelineRequest:
    """The pipeline that a user wants for the output of a migration. kind: gitlab or github. tool: terraform or tofu.
    prefix: the path of the destination in its repository. first: the first line of each file. snake_names,
    standard_structure: whether the output follows these rules of linters.
    """

    kind: str
    tool: str
    prefix: str
    first: str
    stacks: tuple[PipelineStack, ...]
    snake_names: bool = False
    standard_structure: bool = False


@node
class Fate:
    """The fate of a resource type, in words: of the type itself, of its properties by path, and of the values that
    other resources read from it: attributes by name, and `get_resource`.
    """

    kind: str
    properties: tuple[tuple[str, str], ...] = ()
    attributes: tuple[tuple[str, str], ...] = ()


@node
class Target:
    """The declaration of a target: all its properties that the rest of the program uses.

    `emit`: makes the files; it reads and writes no files, and gets all options by name, with their defaults. `writes`:
    FILE or DIRECTORY. `nested`: LOAD (linked, as `stack.nested`), KEEP (left unchanged) or REFUSE (an error). `rules`:
    diagnostics with codes of its own. `summary`: makes the closing line from the report; by default it gives the number
    of resources. `optional`: names of files that only people read; if another program's file has such a name, it stays.
    `ignored`: patterns, as in .gitignore, of files that the tool of the target keeps in the output directory.
    `addresses`: whether the report has the addresses of blocks in the files, so that a page can show both.
    `next_steps`: the user's next steps; `{output}` is replaced by the path of the files, and `{backend}` by an option
    that names the settings of a backend. `neighbours`: see `Neighbours`. `owns`: whether an earlier run may have
    written a file with this name and content; by default a file whose first line names hot2tf. `types`: the fates of
    resource types, for `hot2tf types`. `fate`: the fate of one type, by parts. `tables`: reads the mapping tables of
    users for a run; `emit` gets the result beside the options (`TargetOptions.tables`). `scaffold`: the skeleton of a
    mapping table for a type; the last argument is the text of a schema. `mapping`: the built-in mapping of a type, as
    data. `schema`: the schema of a resource of a Terraform provider; this and `mapping` are for other targets
    (`transpile/emit.py`).
    `shared`: see `Shared`.
    `pipeline`: the files of a pipeline for a migration, by path.
    `roots`: see `SharedRoots`; None if each environment has an output of its own. `follow`: follows addresses of an
    earlier run that have changed (`transpile/text/addresses.py`).
    """

    name: str
    emit: Callable[[Stack, Mapping[str, Any]], Output]
    writes: str = FILE
    nested: str = REFUSE
    options: tuple[Option, ...] = ()
    rules: tuple[Rule, ...] = ()
    summary: Callable[[Mapping[str, Any]], str] | None = None
    optional: frozenset[str] = frozenset()
    ignored: tuple[str, ...] = ()
    addresses: bool = False
    next_steps: str = ""
    neighbours: Neighbours | None = None
    owns: Callable[[str, bytes], bool] | None = None
    types: Callable[[str | None, Additions], str] | None = None
    fate: Callable[[str, Additions], Fate] | None = None
    tables: Callable[[Additions], tuple[Any, Sequence[Diagnostic]]] | None = None
    scaffold: Callable[[str, Additions, str | None], str] | None = None
    mapping: Callable[[str], Mapping[str, Any] | None] | None = None
    schema: Callable[[str], Mapping[str, Any] | None] | None = None
    shared: Shared = Shared()
    roots: SharedRoots | None = None
    pipeline: Callable[[PipelineRequest], Mapping[str, str]] | None = None
    follow: Follow | None = None

    def confine(self, output: Output, options: Mapping[str, Any]) -> Output:
        """The output, with an error for each file outside the output path that the user named. After such an error
        nothing is written.
        """
        from transpile.diagnostics.model import Diagnostic

        folder = options.get(BESIDE.name) if self.writes == FILE else ""
        for number, name in enumerate(output.files):
            where = "its output" if not is_below_output(name) else ""
            if number and folder and not name.startswith(f"{folder}/"):
                where = where or f"the folder {folder}"
            if where:
                message = f"The target {self.name} names the file {name}, which is outside of {where}."
                output.diagnostics.append(Diagnostic(codes.OUTPUT_CANNOT_BE_WRITTEN, message))
        return output

    @property
    def options_by_name(self) -> dict[str, Option]:
        """All options by name."""
        return {o.name: o for o in (self.options if self.writes == DIRECTORY else (*self.options, BESIDE))}

    def takes(self, name: str) -> bool:
        """Whether there is an option of this name. Converters are asked last, because that imports them."""
        return name in self.options_by_name or name in self.contributed

    @property
    def contributed(self) -> dict[str, Option]:
        """The options that only documents of other kinds have, by name: the options of their converters."""
        return {
            option.name: option for converter in find_converters(self.name).values() for option in converter.options
        }

    def read_options(self, values_by_name: Mapping[str, Any]) -> dict[str, Any]:
        """The value of every option of the target, and of the contributed options in use. Raises WrongOption."""
        values = {name: option.read_value(values_by_name.get(name)) for name, option in self.options_by_name.items()}
        for name in values_by_name:
            if not self.takes(name):
                names = [option.name for option in (*self.options, *self.contributed.values())]
                there = f"Its options: {', '.join(names)}." if names else "It has none."
                raise WrongOption(
                    f"The target {self.name} has no option {name}.{closest_name(name, names) or f' {there}'}"
                )
            if name not in values:
                values[name] = self.contributed[name].read_value(values_by_name[name])
        return values


@node
class Converter:
    """Converts documents of another kind (`transpile.document_kinds`) for a target.

    `convert`: makes the files from the result of `DocumentKind.read`, as `Target.emit` does from a stack; it gets the
    options of the target and of the converter. `options`: further options, for such documents only. `summary`,
    `next_steps`: as those of a target.
    """

    convert: Callable[[Any, Mapping[str, Any]], Output]
    options: tuple[Option, ...] = ()
    summary: Callable[[Mapping[str, Any]], str] | None = None
    next_steps: str = ""


def fill_next_steps(next_steps: str, output: str, report: Mapping[str, Any]) -> str:
    """The next steps for an output. report: of the conversion; it says which settings of a backend were written."""
    settings = report.get("backend", {}).get("settings", "")
    option = f" -backend-config={settings}" if settings else ""
    return next_steps.replace("{output}", output).replace("{backend}", option)


@functools.cache
def find_converter(key: str, target: str) -> Converter | None:
    """The converter to a target for documents with a key; None if no converter is registered. Raises UnknownTarget."""
    entry = registrations.registered(registrations.CONVERTERS).get(f"{key}.{target}")
    if entry is None:
        return None
    try:
        converter = entry.load()
    except Exception as e:  # third-party code may raise anything
        raise UnknownTarget(f"The converter {entry.name} cannot be loaded: {type(e).__name__}: {e}") from e
    if not isinstance(converter, Converter):
        raise UnknownTarget(f"The converter {entry.name} cannot be used: {entry.value} is not a Converter.")
    return converter


def find_converters(target: str) -> dict[str, Converter]:
    """All usable converters to a target, by the key of the documents."""
    converters: dict[str, Converter] = {}
    for key in registrations.registered(registrations.DOCUMENTS):
        with contextlib.suppress(UnknownTarget):
            if (converter := find_converter(key, target)) is not None:
                converters[key] = converter
    return converters


def converting_targets(key: str) -> list[str]:
    """The targets that have a converter for documents with a key."""
    names = [name.rpartition(".") for name in registrations.registered(registrations.CONVERTERS)]
    return [target for documents, _, target in names if documents == key]


def is_below_output(name: str) -> bool:
    """Whether a path stays below a directory, on any system: `a/b` does; `/a`, `../a`, `a/../../b` and `C:a` do not."""
    from transpile.text.places import is_plain_path

    if not is_plain_path(name):
        return False
    if "\\" not in name and ":" not in name:  # Windows, too, sees a plain path
        return True
    windows = pathlib.PureWindowsPath(name)
    return not windows.anchor and ".." not in windows.parts


def closest_name(name: str, names: Sequence[str]) -> str:
    """A sentence with the closest known name, to be appended to another, or an empty string."""
    import difflib  # slow to import, and only mistakes need it

    matches = difflib.get_close_matches(name, names, n=1)
    return f" Did you mean {matches[0]}?" if matches else ""


def load_target_module(name: str) -> Any:
    """The module of a built-in target."""
    return importlib.import_module(BUILT_IN[name].partition(":")[0])


@functools.cache
def find_target(name: str) -> Target:
    """A target by name; raises UnknownTarget. Terraform's own names, such as `tf`, mean the target `hcl`."""
    name = ALIASES.get(name, name)
    if name in BUILT_IN:
        target: Target = load_target_module(name).TARGET
        return target
    there = target_entry_points()
    if name in there:
        return load_target_plugin(name, there[name])
    names = [*BUILT_IN, *there]
    hint = closest_name(name, [*names, *ALIASES]) or f" The targets are {', '.join(names)}."
    raise UnknownTarget(f"Unknown target {name}.{hint}")


def every_target() -> Iterator[Target]:
    """All usable targets, the built-in ones first."""
    for name in dict.fromkeys([*BUILT_IN, *target_entry_points()]):
        try:
            yield find_target(name)
        except UnknownTarget:
            continue


def target_entry_points() -> dict[str, Any]:
    """The entry points of targets, by name."""
    return {entry.name: entry for entry in registrations.outside(registrations.TARGETS)}


def load_target_plugin(name: str, entry: Any) -> Target:
    """Loads the target of a plug-in and registers its diagnostics."""
    from transpile.diagnostics import registry

    try:
        target = entry.load()
    except Exception as e:  # third-party code may raise anything
        raise UnknownTarget(f"The target {name} cannot be loaded: {type(e).__name__}: {e}") from e
    if not isinstance(target, Target):
        raise UnknownTarget(f"The target {name} cannot be used: {entry.value} is not a transpile.targets.Target.")
    if target.name != name:
        raise UnknownTarget(f"The target {name} cannot be used: {entry.value} calls itself {target.name}.")
    try:
        registry.declare_rules(target.rules, f"the target {name}")
    except ValueError as e:
        raise UnknownTarget(f"The target {name} cannot be used: {e}") from e
    return target

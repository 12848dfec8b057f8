"""The options that several commands share: each is a field of `Request`, and is declared only there.

Many parts are generated from a declaration: the flag and its help (`transpile/cli/configured.py`), the key of a
configuration, the check of its value, the JSON schema, `hot2tf config`, and the list in
docs/configuration.md.

Invariant: an option has one name. The field of `Request` and the argument of the Python API have this name, and the key
of a configuration has it with hyphens: `plugin_dirs` is `plugin-dirs`. Some options are not in this table, because a
configuration must not set them: where output is written, which server is used, and whether files are overwritten.
"""

from __future__ import annotations

import keyword
import os
from collections.abc import Mapping
from typing import Any, TypeVar, final

from transpile import targets
from transpile.diagnostics.registry import SEVERITIES
from transpile.diagnostics.render import FORMS
from transpile.model.records import EMPTY, field, node, replace
from transpile.settings.command_paths import CommandPaths

# Codes that are always reported. They mean that hot2tf did not look at something, which the user must know. To leave a
# file out without such a finding, a user sets `exclude`.
ALWAYS = frozenset(
    f"HOT{number}"
    for number in (
        *(*range(101, 110), 111, 113, 114, 115, 116, 117, 118),
        *(900, 901, 902, 903, 904, 905, 906),
        *(920, 921, 923, 924, 928),
    )
)

# kinds of values
TEXT, CHOICE, FLAG, NUMBER, TEXTS = "text", "choice", "flag", "number", "texts"
PATH, PATHS, PLACES = "path", "paths", "places"
PATTERNS, CODES, CODES_BY_PATH, SEVERITY = "patterns", "codes", "codes by path", "severity"
VALUES, LIMIT, DIRECTORIES = "values", "limit", "directories"
MAPS = (SEVERITY, VALUES, LIMIT, DIRECTORIES, CODES_BY_PATH)

ALL = "ALL"  # all codes
SECTIONS = "overrides"  # the key of the sections that set options for some paths only
PATHS_OF_SECTION = "paths"
TAKEN: dict[str, frozenset[str]] = {}  # options that a command says itself it takes, by the command
# The placeholder for a value in a command's help, by kind: `--mapping FILE`. For choices, the help lists the choices.
METAVARS = {PATH: "FILE", PATHS: "FILE", CODES: "CODE", PATTERNS: "PATTERN", NUMBER: "N", VALUES: "KEY=VALUE"}


@node
class ConfiguredOption:
    """An option that a configuration can set.

    `kind`: the kind of its value, for example CHOICE.
    `doc`: its description. The first sentence is the help of the flag.
    `commands`: the commands that use the option, but for those in `TAKEN`.
    `default`: its default, in the form of a configuration.
    `default_text`: the text for the default in the help, if the value itself says little.
    `choices`: the allowed values.
    `flag`, `short`: the flag on a command line, and its short form.
    `unflagged`: the reason why the option has no flag.
    `metavar`: the placeholder for the value in the help.
    `per_path`: a section for some paths may set the option.
    `variable`: the environment variable that also sets the option.
    `trusted`: only a configuration that the user names with `--config` may set the option.
    `group`: the group in the help of commands, if it is not among the advanced options.
    `of_target`: a target has an option with this name, and the target's default is used.
    """

    kind: str
    doc: str
    commands: tuple[str, ...]
    default: Any = None
    default_text: str = ""
    choices: tuple[str, ...] = ()
    flag: str = ""
    short: str = ""
    unflagged: str = ""
    metavar: str = ""
    per_path: bool = False
    variable: str = ""
    trusted: bool = False
    group: str = ""
    of_target: bool = False
    field: str = ""  # the name of its field in `Request`

    @property
    def name(self) -> str:
        """The key in a configuration."""
        return self.field.replace("_", "-")

    @property
    def users(self) -> tuple[str, ...]:
        """The commands that use the option."""
        return (*self.commands, *sorted(command for command, names in TAKEN.items() if self.name in names))

    @property
    def merged(self) -> bool:
        """Whether the value in a section for some paths is added to the general value, and does not replace it."""
        return self.kind in MAPS or self.name == "ignore"

    @property
    def parameter(self) -> str:
        """The flag as a name in Python: `--plugin-dir` is `plugin_dir`."""
        name = self.flag.removeprefix("--").replace("-", "_")
        return f"{name}_" if keyword.iskeyword(name) else name

    @property
    def takes(self) -> str:
        """The placeholder for the value in a command's help, for example `FILE`."""
        return self.metavar or "|".join(self.choices) or METAVARS.get(self.kind, "TEXT")

    @property
    def help(self) -> str:
        """The help of the flag: the first sentence of the documentation, and the default."""
        first = self.doc.replace("`", "").partition(". ")[0].removesuffix(".")
        if self.kind == FLAG:
            return f"{first}{'; this is the default' * bool(self.default)}."
        default = self.default_text or (self.default if isinstance(self.default, (str, int)) else "")
        default = f"those in {self.variable}" if self.variable else default
        return f"{first}; by default {default}." if default != "" else f"{first}."

    def of_request(self) -> Any:
        """Returns the default of its field in `Request`. Maps are plain dicts, because they go to other processes."""
        if self.of_target:
            return None
        return field(default_factory=dict) if self.default is EMPTY else self.default


CHECK, CONVERT, FMT, TYPES, CAPABILITIES = "check", "convert", "fmt", "types", "capabilities"
TEMPLATES = (CHECK, CONVERT)  # commands for templates

T = TypeVar("T")
_OPTIONS: list[ConfiguredOption] = []


def declare_option(
    kind: str, doc: str, commands: tuple[str, ...], default: Any = None, *, flag: str = "", **more: Any
) -> Any:
    """Declares an option as a field of `Request`."""
    return ConfiguredOption(kind, doc, commands, default, flag=flag, **more)


def declare_target_option(kind: str, doc: str, default: Any = None, **more: Any) -> Any:
    """Declares an option of a target, which a section for some paths may set."""
    return declare_option(kind, doc, (CONVERT,), default, per_path=True, of_target=True, **more)


def _collect_options(cls: type[T]) -> type[T]:
    """Moves the options that a class declares into the table, and replaces each by the default of its field."""
    for name in cls.__annotations__:
        if isinstance(declared := getattr(cls, name), ConfiguredOption):
            row = replace(declared, field=name)
            _OPTIONS.append(row)
            setattr(cls, name, row.of_request())
    return cls


@final
@node
@_collect_options
class Request:
    """All options of a run, from the command line, a configuration, and the arguments of the Python API.

    If an option of a target is None, the target's own default is used.

    Invariant: a request is never changed; `replace` makes a new request. It holds only plain data, because it is sent
    to other processes.
    """

    # findings

    select: tuple[str, ...] = declare_option(
        CODES,
        "Report only findings with these codes, or beginnings of codes: `HOT6,HOT3`. `ALL` stands for all. Between "
        "`select` and `ignore`, the longer beginning decides.",
        TEMPLATES,
        (ALL,),
        flag="--select",
    )
    ignore: tuple[str, ...] = declare_option(
        CODES,
        "Do not report findings with these codes, or beginnings of codes. In a section for some paths, it adds to the "
        "general list.",
        TEMPLATES,
        (),
        flag="--ignore",
        per_path=True,
    )
    per_file_ignores: Mapping[str, tuple[str, ...]] = declare_option(
        CODES_BY_PATH,
        "Patterns of paths, and for each the codes that are not reported there.",
        TEMPLATES,
        EMPTY,
        unflagged="a command line names its files, and `--ignore` holds for these",
    )
    severity: Mapping[str, str] = declare_option(
        SEVERITY,
        "Codes, or beginnings of codes, and for each another severity. The longest beginning decides.",
        TEMPLATES,
        EMPTY,
        choices=SEVERITIES,
        unflagged="a severity is a decision of the repository, and not of one run",
        per_path=True,
    )

    baseline: str | os.PathLike[str] | None = declare_option(
        PATH,
        "The findings that the repository has already, as `--write-baseline` writes them. Only new ones are reported.",
        (CHECK,),
        flag="--baseline",
    )
    min_severity: str = declare_option(
        CHOICE,
        "Show findings of this severity and of higher ones. It is for text and for annotations on GitHub: JSON, the "
        "other forms for programs and reports have all findings.",
        TEMPLATES,
        "warning",
        choices=SEVERITIES,
        flag="--min-severity",
    )

    # which files

    exclude: tuple[str, ...] = declare_option(
        PATTERNS,
        "Patterns, as in .gitignore, of paths that are left out in directories.",
        (CHECK, FMT),
        (),
        flag="--exclude",
    )
    respect_gitignore: bool = declare_option(
        FLAG, "Leave out files that git ignores in directories.", (CHECK, FMT), True, flag="--respect-gitignore"
    )
    force_exclude: bool = declare_option(
        FLAG,
        "Leave out excluded files even if the command line names them, as pre-commit does.",
        (CHECK, FMT),
        False,
        flag="--force-exclude",
    )

    # input

    environments: tuple[str | os.PathLike[str], ...] = declare_option(
        PATHS,
        "The environments that belong to the templates; later ones take precedence.",
        TEMPLATES,
        (),
        flag="--environment",
        short="-e",
        per_path=True,
    )
    parameters: Mapping[str, Any] = declare_option(
        VALUES, "Values of parameters.", TEMPLATES, EMPTY, flag="--parameter", per_path=True
    )
    render: Mapping[str, Any] | None = declare_option(
        VALUES,
        "Values, or files of values, for Jinja2 sources.",
        TEMPLATES,
        flag="--render",
        metavar="KEY=VALUE|FILE",
        per_path=True,
        trusted=True,
    )
    root: str | os.PathLike[str] | None = declare_option(
        PATH,
        "The directory that templates may read files from.",
        TEMPLATES,
        default_text="the repository around the template",
        flag="--root",
        metavar="DIR",
        per_path=True,
    )
    allow: tuple[str, ...] = declare_option(
        PLACES,
        "Directories, or URL prefixes, that may also be read. URL prefixes only in a file that is named with "
        "`--config`.",
        TEMPLATES,
        (),
        flag="--allow",
        metavar="PLACE",
        per_path=True,
    )
    map_url: Mapping[str, str] = declare_option(
        DIRECTORIES,
        "Beginnings of URLs, and for each the directory that has their files: `https://example.org/main/ = .`.",
        TEMPLATES,
        EMPTY,
        flag="--map-url",
        metavar="PREFIX=DIR",
        per_path=True,
    )
    limits: Mapping[str, int] = declare_option(
        LIMIT,
        "Other limits for the cost of a file (docs/exactness.md#limits). Higher ones only in a file that is named with "
        "`--config`.",
        (*TEMPLATES, FMT),
        EMPTY,
        flag="--limit",
        metavar="NAME=NUMBER",
    )
    plugin_dirs: tuple[str | os.PathLike[str], ...] = declare_option(
        PATHS,
        "Directories of Heat plug-ins, which define resource types. They are read and never run.",
        (*TEMPLATES, TYPES),
        (),
        flag="--plugin-dir",
        metavar="DIR",
        variable="HOT2TF_PLUGIN_DIRS",
        per_path=True,
    )
    plugin_types: tuple[str, ...] = declare_option(
        TEXTS,
        "Patterns of resource types that plug-ins of the cloud provide. Such types are accepted without a check.",
        (CHECK,),
        (),
        flag="--plugin-type",
        metavar="PATTERN",
        per_path=True,
    )
    mappings: tuple[str | os.PathLike[str], ...] = declare_option(
        PATHS,
        "Mapping tables for resource types, or directories of such files; later ones take precedence.",
        (CONVERT, TYPES),
        (),
        flag="--mapping",
        metavar="FILE|DIR",
        per_path=True,
    )

    # output

    to: str = declare_option(
        TEXT,
        "The target.",
        (CONVERT,),
        targets.DEFAULT,
        flag="--to",
        metavar="|".join([*targets.BUILT_IN, "NAME"]),
        per_path=True,
    )
    prefer: str | None = declare_target_option(
        CHOICE,
        "If a type has several translations: prefer exact ones, native resources, or also provisioners.",
        "faithful",
        choices=("faithful", "native", "provisioners"),
        flag="--prefer",
    )
    provider: str | None = declare_target_option(
        TEXT,
        "With `--to hcl`: the provider to write for, as a version or by name. Resources that it lacks stay with Heat.",
        "",
        default_text="any version that supports the output",
        flag="--provider",
        metavar="NAME[=VERSION]",
    )
    keep: tuple[str, ...] | None = declare_target_option(
        TEXTS,
        "Resources that stay with Heat, by name; with `--prefer` also types, or patterns like `OS::Aodh::*`.",
        (),
        flag="--keep",
        metavar="TYPE|RESOURCE",
    )
    verify: str | None = declare_target_option(
        CHOICE,
        "With `--to hcl`: compute every value as Heat does and as Terraform does; an unannounced difference is an "
        "error.",
        "on",
        choices=("on", "off"),
        flag="--verify",
    )
    placeholders: str | None = declare_target_option(
        CHOICE,
        "With `--to hcl`: whether a value such as CHANGEME or `<name>` is asked for or kept.",
        "ask",
        choices=("ask", "keep"),
        flag="--placeholders",
    )
    missing: str | None = declare_target_option(
        CHOICE,
        "With `--to hcl`: the treatment of a missing file that `get_file` names. A stub is a script that prints the "
        "name and fails.",
        "error",
        choices=("stub", "error"),
        flag="--missing",
    )
    environment_layout: str | None = declare_option(
        CHOICE,
        "With `--to hcl`: how the environments of one template share a root. With `files`, each has its file of values "
        "and its backend settings; with `workspaces`, its workspace and its file of values; with `directories`, a "
        "directory of its own.",
        (),
        "files",
        choices=("files", "workspaces", "directories"),
        flag="--environments",
        of_target=True,
    )
    hot_version: str | None = declare_target_option(
        TEXT,
        "With `--to hot`: the version to write.",
        flag="--hot-version",
        metavar="VERSION",
    )
    tosca_version: str | None = declare_target_option(
        CHOICE,
        "With `--to tosca`: the version to write.",
        "1.3",
        choices=("1.3", "2.0"),
        flag="--tosca-version",
    )
    csar: bool | None = declare_target_option(
        FLAG,
        "With `--to tosca`: write all files as one archive.",
        False,
        flag="--csar",
    )
    readme: bool | None = declare_target_option(
        FLAG,
        "With `--to hcl`: write a README.md.",
        True,
        flag="--readme",
    )
    tests: bool | None = declare_target_option(
        FLAG,
        "With `--to hcl`: write tests for `terraform test`.",
        False,
        flag="--tests",
    )
    roll_up: bool | None = declare_target_option(
        FLAG,
        "With `--to hcl`: write numbered copies, such as `port_1` to `port_9`, as one block with `count` or "
        "`for_each`, and the rules of a security group as one, too.",
        False,
        flag="--roll-up",
    )
    names: str | None = declare_target_option(
        CHOICE,
        "With `--to hcl`: the names of variables and outputs: those of the template, or in snake case.",
        "keep",
        choices=("keep", "snake"),
        flag="--names",
    )
    backend: str | None = declare_target_option(
        CHOICE,
        "With `--to hcl`: where Terraform keeps the state. It is written as a partial configuration: backend.tf, and "
        "backend.hcl for `terraform init -backend-config=backend.hcl`.",
        "none",
        choices=("none", "s3", "http", "gitlab", "pg", "local"),
        flag="--backend",
    )
    backend_config: tuple[str, ...] | None = declare_target_option(
        TEXTS,
        "Settings of the backend, such as `bucket=NAME` or `endpoint=URL`. Secrets are refused.",
        (),
        flag="--backend-config",
        metavar="KEY=VALUE",
    )
    ci: str = declare_option(
        CHOICE,
        "With `--to hcl`: the pipeline to write into the destination. It checks, plans and applies each directory.",
        (),
        "none",
        choices=("gitlab", "github", "none"),
        flag="--ci",
    )
    ci_tool: str = declare_option(
        CHOICE,
        "With `--ci`: the program that the pipeline runs.",
        (),
        "terraform",
        choices=("terraform", "tofu"),
        flag="--ci-tool",
    )
    options: Mapping[str, Any] = declare_option(
        VALUES,
        "Further options of the target, as `hot2tf targets` lists them.",
        (CONVERT,),
        EMPTY,
        flag="--option",
        per_path=True,
    )

    # checks

    level: str = declare_option(
        CHOICE,
        "The check that decides about errors: only Heat's validation of the template, or also its checks when it "
        "creates the stack.",
        (CHECK,),
        "template",
        choices=("template", "create"),
        flag="--level",
        per_path=True,
    )
    # the run

    strict: bool = declare_option(FLAG, "Treat warnings as errors.", TEMPLATES, False, flag="--strict")
    diagnostics: str = declare_option(
        CHOICE,
        "The output format of diagnostics.",
        (*TEMPLATES, FMT, CAPABILITIES),
        "text",
        choices=FORMS,
        flag="--diagnostics",
    )
    jobs: int = declare_option(
        NUMBER,
        "The number of processes, 0 for one per processor. A file that is not named with `--config` cannot ask for "
        "more than that.",
        (CHECK, FMT),
        0,
        flag="--jobs",
    )
    skip_others: bool = declare_option(
        FLAG,
        "Skip named files that are neither templates nor environments.",
        (CHECK,),
        False,
        flag="--skip-others",
    )

    paths: CommandPaths = CommandPaths()  # for the first lines of files
    # The other stacks of the template that may share the output: the environments and the parameters of each.
    siblings: tuple[tuple[tuple[str | os.PathLike[str], ...], Mapping[str, Any]], ...] = ()
    variables: Mapping[str, tuple[str, str]] = EMPTY  # parameters in the place of literals, see `replace_literals`
    contributed: Mapping[str, Any] = field(default_factory=dict)  # options that packages declare: `all_options.py`

    @property
    def readable(self) -> tuple[str, ...]:
        """The places that templates may read besides their root."""
        return (*self.allow, *self.map_url.values())

    def target_options(self, target: targets.Target) -> dict[str, Any]:
        """Returns the value of every option of a target. Raises WrongOption.

        Options in the request that this target lacks are ignored, because they are for other targets.
        """
        return target.read_options({**self.preferred_options(target), **self.options})

    def preferred_options(self, target: targets.Target) -> dict[str, Any]:
        """Returns the target options that have their own field here, such as `prefer`, if the request sets them."""
        names = target.options_by_name
        values = {name: getattr(self, name) for name in OF_TARGETS if name in names}
        for name, between in (("keep", ","), ("backend_config", "\n")):
            if values.get(name):
                values[name] = between.join(values[name])
        values |= {name: value for name, value in self.contributed.items() if value is not None and target.takes(name)}
        return {name: value for name, value in values.items() if value not in (None, ())}


OPTIONS: tuple[ConfiguredOption, ...] = tuple(_OPTIONS)
OF_TARGETS: tuple[str, ...] = tuple(row.field for row in OPTIONS if row.of_target)

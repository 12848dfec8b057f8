"""The table of options that a configuration may have.

Validation, the JSON schema, `hot2tf config` and the reference in docs/configuration.md are made from it.

Invariant: what an option is called here is what it is called in a file. Options that say where something is written,
whom to talk to, or that something may be overwritten are not here: a configuration cannot set them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from transpile import targets
from transpile.diagnostics.registry import SEVERITIES
from transpile.diagnostics.render import FORMS
from transpile.model.budget import LIMITS
from transpile.model.records import EMPTY, node

if TYPE_CHECKING:
    from collections.abc import Mapping

# After these, something was not looked at. That must be seen: `exclude` leaves a file out.
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
VALUES, LIMIT = "values", "limit"

ALL = "ALL"  # all codes
SECTIONS = "overrides"  # the tables for some paths
PATHS_OF_SECTION = "paths"


@node
class Option:
    """An option. `kind`: what its value is; `doc`: sentences; `commands`: those that use it; `default`: what holds
    without it, as in a file; `shown`: what to show of that instead; `choices`: the values that there are; `flag`: what
    says the same on a command line; `per_path`: a section for some paths may have it; `variable`: the environment
    variable that says the same; `trusted`: only a file that the user names with `--config` may have it.
    """

    name: str
    kind: str
    doc: str
    commands: tuple[str, ...]
    default: Any = None
    shown: str = ""
    choices: tuple[str, ...] = ()
    flag: str = ""
    per_path: bool = False
    variable: str = ""
    trusted: bool = False
    known: Mapping[str, Any] = EMPTY  # of maps: the keys that there are

    @property
    def merged(self) -> bool:
        """Whether a section for some paths adds to what holds elsewhere, and does not replace it."""
        return self.kind in (SEVERITY, VALUES, LIMIT, CODES_BY_PATH) or self.name == "ignore"


CHECK, CONVERT, FMT, GRAPH, MIGRATE, ADOPT, TYPES = "check", "convert", "fmt", "graph", "migrate", "adopt", "types"
FINDING = (CHECK, CONVERT, GRAPH, ADOPT)  # the commands whose findings can be chosen
READING = (CHECK, CONVERT, GRAPH, MIGRATE, ADOPT)

OPTIONS: tuple[Option, ...] = (
    Option(
        "select",
        CODES,
        "The codes of the findings that are reported, or beginnings of codes. `ALL` stands for all. Between `select` "
        "and `ignore`, the longer beginning decides.",
        FINDING,
        (ALL,),
        flag="--select",
    ),
    Option(
        "ignore",
        CODES,
        "The codes of findings that are not reported, or beginnings of codes. In a section for some paths, it adds to "
        "what holds elsewhere.",
        FINDING,
        (),
        flag="--ignore",
        per_path=True,
    ),
    Option(
        "per-file-ignores",
        CODES_BY_PATH,
        "Patterns of paths, and for each the codes that are not reported there.",
        FINDING,
        EMPTY,
    ),
    Option(
        "severity",
        SEVERITY,
        "Codes, or beginnings of codes, and for each another severity. The longest beginning decides.",
        FINDING,
        EMPTY,
        choices=SEVERITIES,
        per_path=True,
    ),
    Option(
        "exclude",
        PATTERNS,
        "Patterns of paths that are left out in directories.",
        (CHECK, FMT, MIGRATE),
        (),
        flag="--exclude",
    ),
    Option(
        "respect-gitignore",
        FLAG,
        "Leave out what git ignores in directories.",
        (CHECK, FMT),
        True,
        flag="--no-respect-gitignore",
    ),
    Option(
        "force-exclude",
        FLAG,
        "Leave out what is excluded even if it is named on the command line, as pre-commit does.",
        (CHECK, FMT),
        False,
        flag="--force-exclude",
    ),
    Option(
        "environments",
        PATHS,
        "The environments that belong to the templates; later ones win.",
        (CHECK, CONVERT, GRAPH, ADOPT),
        (),
        flag="-e",
        per_path=True,
    ),
    Option(
        "parameters",
        VALUES,
        "Values of parameters.",
        (CHECK, CONVERT, GRAPH),
        EMPTY,
        flag="--parameter",
        per_path=True,
    ),
    Option(
        "render",
        VALUES,
        "Values for Jinja2 sources.",
        (CHECK, CONVERT, GRAPH, MIGRATE),
        EMPTY,
        flag="--render",
        per_path=True,
        trusted=True,
    ),
    Option(
        "root",
        PATH,
        "The directory that templates may read files from.",
        READING,
        shown="the repository around the template",
        flag="--root",
        per_path=True,
    ),
    Option(
        "allow",
        PLACES,
        "Directories that may also be read. URL prefixes only in a file that is named with `--config`.",
        READING,
        (),
        flag="--allow",
        per_path=True,
    ),
    Option(
        "limits",
        LIMIT,
        "Other limits for what a file may cost (docs/limits.md). Higher ones only in a file that is named with "
        "`--config`.",
        (CHECK, CONVERT, FMT, GRAPH, MIGRATE, ADOPT),
        EMPTY,
        flag="--limit",
        known={name: limit.default for name, limit in LIMITS.items()},
    ),
    Option(
        "plugin-dirs",
        PATHS,
        "Directories of Heat plug-ins, which define resource types.",
        (*READING, TYPES),
        (),
        flag="--plugin-dir",
        variable="HOT2TF_PLUGIN_DIRS",
        per_path=True,
    ),
    Option(
        "plugin-types",
        TEXTS,
        "Patterns of resource types that plug-ins of the cloud provide, and that are taken on trust.",
        (CHECK,),
        (),
        flag="--plugin-type",
        per_path=True,
    ),
    Option(
        "mappings",
        PATHS,
        "Mapping tables for resource types, or directories of such files.",
        (CONVERT, GRAPH, MIGRATE, ADOPT, TYPES),
        (),
        flag="--mapping",
        per_path=True,
    ),
    Option("to", TEXT, "The target.", (CONVERT, MIGRATE), targets.DEFAULT, flag="--to", per_path=True),
    Option(
        "prefer",
        CHOICE,
        "Whether translations are exact, or native resources, or also provisioners.",
        (CONVERT, GRAPH, MIGRATE, ADOPT),
        "faithful",
        choices=("faithful", "native", "provisioners"),
        flag="--prefer",
        per_path=True,
    ),
    Option(
        "keep",
        TEXTS,
        "Types, or patterns of types, that stay with Heat whatever is preferred.",
        (CONVERT, GRAPH, MIGRATE, ADOPT),
        (),
        flag="--keep",
        per_path=True,
    ),
    Option("hot-version", TEXT, "The version that `--to hot` writes.", (CONVERT,), flag="--hot-version", per_path=True),
    Option(
        "tosca-version",
        CHOICE,
        "The version that `--to tosca` writes.",
        (CONVERT,),
        "1.3",
        choices=("1.3", "2.0"),
        flag="--tosca-version",
        per_path=True,
    ),
    Option("csar", FLAG, "Whether `--to tosca` writes an archive.", (CONVERT,), False, flag="--csar", per_path=True),
    Option(
        "readme",
        FLAG,
        "Whether `--to hcl` writes a README.md.",
        (CONVERT,),
        True,
        flag="--no-readme",
        per_path=True,
    ),
    Option(
        "tests",
        FLAG,
        "Whether `--to hcl` writes tests for `terraform test`.",
        (CONVERT, MIGRATE, ADOPT),
        False,
        flag="--tests",
        per_path=True,
    ),
    Option(
        "options",
        VALUES,
        "Further options of the target, as `hot2tf targets` lists them.",
        (CONVERT, MIGRATE),
        EMPTY,
        flag="--option",
        per_path=True,
    ),
    Option(
        "level",
        CHOICE,
        "What counts as an error: what validation rejects, or also what creation rejects.",
        (CHECK,),
        "template",
        choices=("template", "create"),
        flag="--level",
        per_path=True,
    ),
    Option(
        "engine",
        CHOICE,
        "Of homing templates: what this engine refuses is an error, and nothing else.",
        (CHECK,),
        choices=("has",),
        flag="--engine",
        per_path=True,
    ),
    Option(
        "inventory",
        PATH,
        "Of homing templates: the candidates that there are.",
        (CHECK, CONVERT),
        flag="--inventory",
        per_path=True,
    ),
    Option("strict", FLAG, "Whether warnings count as errors.", FINDING, False, flag="--strict"),
    Option(
        "diagnostics",
        CHOICE,
        "The form of the findings.",
        (CHECK, CONVERT, FMT, GRAPH, ADOPT),
        "text",
        choices=FORMS,
        flag="--diagnostics",
    ),
    Option(
        "jobs",
        NUMBER,
        "The number of processes; 0 for one per processor. A file that is not named with `--config` cannot ask for "
        "more than that.",
        (CHECK, FMT, MIGRATE),
        0,
        flag="--jobs",
    ),
    Option(
        "skip-others",
        FLAG,
        "Whether named files are skipped that are neither templates nor environments.",
        (CHECK,),
        False,
        flag="--skip-others",
    ),
)
CONTRIBUTED = ("engine", "inventory")
BY_NAME: Mapping[str, Option] = {one.name: one for one in OPTIONS}
# Options of targets that have names of their own here, or that say where files go.
ELSEWHERE: Mapping[str, str] = {
    "prefer": "prefer",
    "keep": "keep",
    "hot_version": "hot-version",
    "tosca_version": "tosca-version",
    "csar": "csar",
    "readme": "readme",
    "tests": "tests",
    "inventory": "inventory",
    "with": "",
    "beside": "",
}

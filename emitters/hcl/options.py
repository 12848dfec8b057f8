"""The options of the Terraform target, each with its default.

`transpile/settings/table.py` has their flags and keys, and `TARGET` in `emitter.py` lists them.
"""

from __future__ import annotations

from emitters.hcl import backends
from emitters.hcl.assemble import shared_roots as roots
from emitters.hcl.assemble.directory import MAIN
from emitters.hcl.assemble.value_files import check_environment_name
from emitters.hcl.plan import open_forms
from emitters.hcl.plan.cfn_init import CLOUD_CONFIG, TOOLS
from emitters.hcl.plan.policy import FAITHFUL, PREFERENCES
from emitters.hcl.tables.provider_versions import check_wish
from transpile.resolve import missing_files, placeholder_values
from transpile.targets import Option

PREFER = Option(
    "prefer",
    "For types without an exact Terraform equivalent: keep Heat's behaviour, or prefer native resources.",
    values=PREFERENCES,
    default=FAITHFUL,
)
KEEP = Option(
    "keep",
    "Resources to keep with Heat, separated by commas: names, and types such as OS::Aodh::*, for any --prefer.",
    default="",
)
CFN_INIT = Option(
    "cfn_init",
    "With --prefer native, who reads the metadata of cfn-init: a script in the user data, or the tools of the image.",
    values=(CLOUD_CONFIG, TOOLS),
    default=CLOUD_CONFIG,
)
PROVIDER = Option(
    "provider",
    "The provider that the output is for: a version, as openstack=2.1, or one that a mapping table declares.",
    default="",
    check=check_wish,
)
WITH_README = Option("readme", "Write a README.md for the next person.", bool, default=True)
VERIFIED, UNVERIFIED = "on", "off"
VERIFY = Option(
    "verify",
    "Compute every value as Heat does and as Terraform does; a difference that no diagnostic announces is an error.",
    values=(VERIFIED, UNVERIFIED),
    default=VERIFIED,
)
PLACEHOLDERS = Option(
    "placeholders",
    "Whether Terraform asks for a value such as CHANGEME or <name>, or takes it as written.",
    values=(placeholder_values.ASK, placeholder_values.KEEP),
    default=placeholder_values.ASK,
)
MISSING = Option(
    "missing",
    "The answer to a missing file that get_file names: an error, or a stub that fails.",
    values=(missing_files.ERROR, missing_files.STUB),
    default=missing_files.ERROR,
)
TESTS = Option(
    "tests", "Write tests for terraform test, which compare the values of the output with Heat's.", bool, default=False
)
CONVERTED, ALL = "converted", "all"
TEST_RUNS = Option(
    "test_runs",
    "With --tests: a run with the values as converted and one for each condition, or also other values, sizes, limits"
    " and refusals.",
    values=(CONVERTED, ALL),
    default=CONVERTED,
)
ROLL_UP = Option(
    "roll_up", "Write numbered copies, and the rules of a security group, as one block with keys.", bool, default=False
)
HEAT_NAMES, SNAKE = "keep", "snake"
NAMES = Option(
    "names",
    "The names of variables and outputs: those of the template, or in snake case, as all others.",
    values=(HEAT_NAMES, SNAKE),
    default=HEAT_NAMES,
)
NEEDED, STANDARD = "needed", "standard"
STANDARD_FILES = (MAIN, "outputs.tf", "variables.tf")
STRUCTURE = Option(
    "structure",
    "Which files are written: those that are needed, or also an empty main.tf, outputs.tf and variables.tf.",
    values=(NEEDED, STANDARD),
    default=NEEDED,
)
BACKEND = Option(
    "backend",
    "Where Terraform keeps the state: backend.tf says what kind of place, backend.hcl has its settings.",
    values=backends.KINDS,
    default=backends.NONE,
)
BACKEND_CONFIG = Option(
    "backend_config",
    "Settings of the backend, as bucket=NAME, one on each line.",
    default="",
    check=backends.read_settings,
    private=True,
)
IDENTIFIERS = Option(
    "ids",
    "How a parameter is taken that may be a name or an ID: as a name, as an ID, or both ways; auto is both ways, with "
    "a preference names.",
    values=open_forms.CHOICES,
    default=open_forms.AUTO,
)
AUTO, AS_HEAT, BY_REFERENCES = "auto", "heat", "references"
ORDER = Option(
    "order",
    "Whether a reference to a nested stack waits for the whole stack (heat), or only for the resource that it refers "
    "to (references); auto is heat, with --prefer native references.",
    values=(AUTO, AS_HEAT, BY_REFERENCES),
    default=AUTO,
)
STATE_KEY = Option(
    "state_key",
    "The name of the state in the backend; by default that of the stack, or else of the template.",
    default="",
)
IN_COMMAND = (
    PLACEHOLDERS,
    MISSING,
    NAMES,
    IDENTIFIERS,
    ORDER,
    STRUCTURE,
    BACKEND,
    BACKEND_CONFIG,
    ROLL_UP,
    TEST_RUNS,
)  # options that the first line of each file names
CONTENT_NAMES = Option(
    "content_names", "Name modules by their contents, so that several stacks can share them.", bool, default=False
)
ENVIRONMENT = Option(
    "environment",
    "The environment of a root that has several: its values go to environments/NAME.tfvars.",
    default="",
    check=check_environment_name,
)
NOTE = Option("note", "A comment at the top of the file of values.", default="")
ENVIRONMENTS = "environments"  # the flag for the layout
LAYOUT = Option(
    "environment_layout",
    "How the environments of a template share a root: files with backend settings, workspaces, or not at all.",
    values=(roots.FILES, roots.WORKSPACES, roots.DIRECTORIES),
    default=roots.FILES,
)

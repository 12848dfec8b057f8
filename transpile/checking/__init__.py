"""`hot2tf check`: the files to check, each with the environments that belong to it, and the diagnostics of each.

`transpile/check` checks one linked stack; this room reads and links it, as configurations and plan files want it.
Invariant: nothing is written, and results come in the order of the paths.
"""

from transpile.checking.files import check_file, check_files, check_standard_input, files_to_check
from transpile.checking.request import CheckRequest, ConfiguredRequests
from transpile.checking.results import CheckedFiles, CheckResult
from transpile.checking.template import check_text

__all__ = [
    "CheckRequest",
    "CheckResult",
    "CheckedFiles",
    "ConfiguredRequests",
    "check_file",
    "check_files",
    "check_standard_input",
    "check_text",
    "files_to_check",
]

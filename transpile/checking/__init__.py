"""`hot2tf check`: finds the files to check and the environments of each, and collects the diagnostics.

`transpile/check` checks one linked stack. This package reads and links the stack first, as configurations and plan
files say.

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

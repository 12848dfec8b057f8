"""The names of the directories of modules.

Invariant: two modules share a directory only if their files are equal, and their reports, too, within one output.
"""

from __future__ import annotations

import hashlib
from typing import Any, final

from emitters.hcl.namespace import UniqueNames
from emitters.hcl.plan.modules import TerraformModule
from transpile.targets import Output
from transpile.text.places import avoid_reserved_names


@final
class ModuleFolders:
    """The names of module directories; equal modules share one. shared: several outputs share them, so that each has
    the name of its content.
    """

    def __init__(self, *, shared: bool) -> None:
        self.shared, self.names = shared, UniqueNames()
        self.name_by_content: dict[tuple[str, str], str] = {}
        self.reports: dict[str, dict[str, Any]] = {}  # by the name of the module

    def name_module(self, module: TerraformModule, output: Output) -> bool:
        """Names a module. Returns whether its directory is new."""
        files = sorted(output.files.items())
        content = module.stem, repr(files if self.shared else (files, output.report))
        is_new = content not in self.name_by_content
        if is_new:
            own = avoid_reserved_names(module.stem)
            self.name_by_content[content] = content_name(*content) if self.shared else self.names.reserve_name(own)
            self.reports[self.name_by_content[content]] = output.report
        module.name = self.name_by_content[content]
        return is_new


def content_name(stem: str, content: str) -> str:
    """A name for a module, made of its stem and a hash of its content. Two modules share it only if they are equal."""
    return f"{stem}-{hashlib.sha256(content.encode('utf-8', 'surrogatepass')).hexdigest()}"

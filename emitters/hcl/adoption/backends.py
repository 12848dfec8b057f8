"""Writes where the state of each environment is: a backend in the code, and its path in a file of the environment.

Invariant: no two environments share a state.
"""

from __future__ import annotations

from emitters.hcl.tree.nodes import Argument, Block, Note
from emitters.hcl.tree.printer import print_hcl
from transpile.adoption.environments import AdoptedEnvironment

BACKEND_FILE = "backend.tf"


def write_backend(environment: AdoptedEnvironment, first: Note) -> dict[str, str]:
    """The files for the state of an environment. first: the first line of each."""
    terraform = Block("terraform")
    terraform.add_block("backend", "local")
    path = Argument("path", environment.state_file)
    return {
        BACKEND_FILE: print_hcl([first, terraform]),
        environment.backend_file: print_hcl([first, path], constant=True),
    }

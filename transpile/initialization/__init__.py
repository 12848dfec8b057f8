"""`hot2tf init`: the configuration, plan and CI job that a repository needs before its first migration.

`inspection.py` reads the repository, `decisions.py` has the user's decisions, `configuration.py` and `pipelines.py`
print the files, and `files.py` says which of them are written and which stay. The command asks.

Invariant: no module here reads a terminal, and only `files.py` writes.
"""

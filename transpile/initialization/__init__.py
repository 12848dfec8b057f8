"""`hot2tf init`: what a repository needs before its first migration.

`inspection.py` reads the repository, `decisions.py` has what the user decides, `configuration.py` and `pipelines.py`
print the files, and `files.py` says which of them are written and which stay. The command asks.

Invariant: nothing here reads a terminal, and only `files.py` writes.
"""

"""Converts a whole repository, as a plan says: units of work, the state between runs, shared modules, trees, reports.

Invariant: the content of the destination depends on the source and the options alone. It does not depend on which unit
ended first, or on how often the run was stopped.
"""

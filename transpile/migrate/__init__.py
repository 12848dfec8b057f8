"""Converts a whole repository, as a plan says: units of work, the state between runs, shared modules, trees, reports.

Invariant: what is in the destination depends on the source and the options alone, not on which unit ended first or how
often the run was stopped.
"""

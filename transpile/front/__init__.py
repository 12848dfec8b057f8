"""Front ends: the text of templates and environments to the IR.

Invariant: YAML and JSON are known only here, and targets are not known here.
"""

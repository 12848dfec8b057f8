"""Front ends: the text of templates and environments, made the IR.

The easy rule to break: only here does anybody look at YAML or JSON, and nothing here knows of a target.
"""

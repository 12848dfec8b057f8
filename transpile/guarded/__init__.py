"""What a stranger's text may make endless runs in a process of its own: patterns, YAQL, Jinja2.

`process.py` is this side of the pipe, and `service.py` the other.
"""

"""Runs work that a stranger's text can make endless in a separate process: patterns, YAQL, Jinja2.

`process.py` is this side of the pipe, and `service.py` the other.
"""

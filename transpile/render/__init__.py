"""Diagnostics for readers: one module a format, each a function from diagnostics to text.

The easy rule to break: what a template says goes out as text, never as control characters of a terminal.
"""

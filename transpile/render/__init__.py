"""Diagnostics for readers: one module a format, each a function from diagnostics to text."""

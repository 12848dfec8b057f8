"""Homing templates: which places may run the parts of a service. docs/homing.md has the language."""

"""The wing of homing templates: which places may run the parts of a service, and which are best. docs/homing.md
describes the language.
"""

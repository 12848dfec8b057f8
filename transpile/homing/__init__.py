"""Homing templates: what may run where, and which places are best."""

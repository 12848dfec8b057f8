"""Homing templates as TOSCA: demands and locations are nodes, and everything that is asked of them is a policy."""

"""Homing templates as TOSCA: demands and locations as nodes, everything that is asked of them as policies."""

"""The dependency graph of a linked stack, as Mermaid, DOT or SVG: what each resource needs, and what becomes of it."""

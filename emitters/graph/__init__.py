"""The dependency graph of a linked stack, as Mermaid, DOT or SVG: the needs and the fate of each resource."""

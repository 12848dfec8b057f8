"""The language server: diagnostics, completion, hover texts and changes for an editor in which templates are written.

Invariant: only `server` and `protocol` know the protocol. All other modules are functions over documents, in offsets of
their texts, and none of them writes a file, runs anything or uses the network.
"""

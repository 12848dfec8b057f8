"""The language server: what an editor shows of templates and environments while they are written.

Invariant: `server` alone knows the protocol. All other modules are functions over documents, in offsets of their texts,
and none of them writes a file, runs anything or uses the network.
"""

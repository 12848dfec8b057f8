"""The version of hot2tf, which the build reads here, when it was released, and where its documentation is."""

__version__ = "0.2.0"
RELEASED = "2026-11-23"
DOCUMENTATION = "https://hot2tf.invalid/docs"  # set at publication: hot2tf.invalid is a placeholder

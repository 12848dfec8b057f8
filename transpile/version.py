"""The version of hot2tf, which the build reads here, and where its documentation is."""

__version__ = "0.1.0"
DOCUMENTATION = "https://hot2tf.readthedocs.io/en/stable"  # to be set when the site is published

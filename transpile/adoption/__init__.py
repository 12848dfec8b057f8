"""Adoption: a running stack as an input of the conversion, so that Terraform takes over Heat's resources.

Invariant: no code here changes a cloud, and a cloud is asked only if the user names it.
"""

"""Adoption: a running stack as an input of the conversion, so that Terraform takes over what Heat made.

Invariant: nothing here changes anything in a cloud, and nothing asks one unless the user names it.
"""

"""Homing templates as Terraform modules: plain expressions that choose candidates as `hot2tf home` does."""

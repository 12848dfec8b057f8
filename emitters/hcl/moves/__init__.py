"""The addresses of a template's resources in Terraform's state, now and at earlier runs, and moves between them."""

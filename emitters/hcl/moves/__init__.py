"""Where each resource of the template is in Terraform's state, now and at earlier runs, and what moves between them."""

# Made by hot2tf from input.yaml

resource "openstack_objectstorage_container_v1" "site" {
  name            = "site"
  container_read  = var.readers
  container_write = "team:*"
  metadata        = { Web-Index = "index.html", Web-Error = "error.html" }
  force_destroy   = true
}

resource "openstack_objectstorage_container_v1" "logs" {
  name = "${var.stack_name}-logs"
}

# HOT450: kept in Heat: signed.
# Terraform replaces all metadata of the account, and Heat only adds to it.
resource "openstack_orchestration_stack_v1" "signed" {
  name             = "${var.stack_name}-signed"
  disable_rollback = true

  template_opts = {
    Bin = file("${path.module}/templates/signed.yaml")
  }

  environment_opts = { Bin = "{}" }
}

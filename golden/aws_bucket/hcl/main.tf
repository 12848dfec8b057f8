# Made by hot2tf from input.yaml

resource "openstack_objectstorage_container_v1" "site" {
  name            = "${var.stack_name}-Site"
  container_read  = ".r:*"
  container_write = local.owner

  metadata = {
    S3-Tag-kind = "site"
    Web-Index   = "index.html"
    Web-Error   = "error.html"
  }
}

resource "openstack_objectstorage_container_v1" "own" {
  name            = "${var.stack_name}-Own"
  container_read  = local.owner
  container_write = local.owner

  # HOT503: Heat leaves this behind (DeletionPolicy Retain). Terraform refuses to
  # destroy it; "terraform state rm" releases it.
  lifecycle {
    prevent_destroy = true
  }
}

resource "openstack_objectstorage_container_v1" "shared" {
  name            = "${var.stack_name}-Shared"
  container_read  = data.openstack_identity_auth_scope_v3.current.project_name
  container_write = local.owner
}

resource "openstack_objectstorage_container_v1" "open" {
  name            = "${var.stack_name}-Open"
  container_read  = ".r:*"
  container_write = ".r:*"
}

resource "openstack_objectstorage_container_v1" "chosen" {
  name = "${var.stack_name}-Chosen"

  container_read = (contains(["PublicRead", "PublicReadWrite"], var.Access)
    ? ".r:*"
    : (var.Access == "AuthenticatedRead" ? data.openstack_identity_auth_scope_v3.current.project_name : local.owner)
  )

  container_write = var.Access == "PublicReadWrite" ? ".r:*" : local.owner
}

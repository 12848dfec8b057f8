# A swift container stays with Heat; both directions are wired.

resource "openstack_blockstorage_volume_v3" "volume" {
  size = var.size
}

# HOT450: kept as Heat: container.
# No mapping to Terraform resources yet.
resource "openstack_orchestration_stack_v1" "container" {
  name             = "${var.stack_name}-container"
  disable_rollback = true

  template_opts = {
    Bin = file("${path.module}/templates/container.yaml")
  }

  parameters = {
    volume      = openstack_blockstorage_volume_v3.volume.id
    names       = join(",", var.names)
    data        = jsonencode(var.data)
    truth       = title(var.truth)
    password    = var.password
    volume_size = openstack_blockstorage_volume_v3.volume.size
  }

  # HOT453: Heat answers ****** for hidden parameters. A new value takes "terraform apply -replace".
  lifecycle {
    ignore_changes = [parameters["password"]]
  }
}

resource "openstack_compute_instance_v2" "server" {
  name        = "s"
  image_name  = "cirros"
  flavor_name = "m1.tiny"

  metadata = {
    container = lookup(local.container, "container_WebsiteURL", null)
    id        = lookup(local.container, "container", null)
  }
}

# Made by hot2tf from input.yaml

# A queue of messages stays with Heat; both directions are wired.

resource "openstack_blockstorage_volume_v3" "volume" {
  name = "${var.stack_name}-volume"
  size = var.size
}

# HOT450: kept in Heat: queue.
# The provider has no message queues.
resource "openstack_orchestration_stack_v1" "queue" {
  name             = "${var.stack_name}-queue"
  disable_rollback = true

  template_opts = {
    Bin = templatefile("${path.module}/templates/queue.yaml.tftpl", {
      data_k_1 = try(var.data.k[1], "")
    })
  }

  environment_opts = { Bin = "{}" }

  parameters = {
    volume      = openstack_blockstorage_volume_v3.volume.id
    names       = join(",", var.names)
    truth       = title(var.truth)
    password    = var.password
    volume_size = openstack_blockstorage_volume_v3.volume.size
  }

  # HOT453: Heat returns ****** for hidden parameters, and Terraform would send that with any change of
  # this stack. Before you change it, remove ignore_changes: then the values that are set here are sent.
  lifecycle {
    ignore_changes = [parameters["password"]]
  }
}

resource "openstack_compute_instance_v2" "server" {
  name        = "s"
  image_name  = "cirros"
  flavor_name = "m1.tiny"

  metadata = {
    queue = lookup(local.queue, "queue_href", null)
    id    = lookup(local.queue, "queue", null)
  }
}

resource "openstack_objectstorage_container_v1" "store" {
  name = "store"
}

# HOT457: the provider does not read ObjectCount of store; Heat does.
resource "openstack_orchestration_stack_v1" "store_attributes" {
  name             = "${var.stack_name}-store-attributes"
  disable_rollback = true

  template_opts = {
    Bin = file("${path.module}/templates/store_attributes.yaml")
  }

  environment_opts = { Bin = "{}" }

  parameters = {
    store = openstack_objectstorage_container_v1.store.name
  }

  # Heat cannot point this stack at another resource, so it is replaced.
  lifecycle {
    replace_triggered_by = [openstack_objectstorage_container_v1.store.name]
  }
}

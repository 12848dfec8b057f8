# Made by hot2tf from input.yaml

# Scaling groups whose size the user sets.

# About full, which is not written here:
#   an alarm that calls a person too
# HOT589: full (OS::Aodh::GnocchiResourcesAlarm) is left out: the provider has no alarms, and nothing else needs it.

# as many as the parameter says
# HOT560: workers no longer scales by itself: var.desired sets its size.
# HOT517: Terraform changes all members of workers in one apply, where Heat does it in batches.
module "workers" {
  source = "./modules/member"

  count = var.desired

  size       = "m1.small"
  stack_name = "${var.stack_name}-workers-${count.index}"
}

# never fewer than two
# HOT560: disks no longer scales by itself: var.disks_size sets its size.
# and three at most
resource "openstack_blockstorage_volume_v3" "disks" {
  count = var.disks_size

  name = "${var.stack_name}-disks-${count.index}"
  size = 10
}

# HOT560: between no longer scales by itself: var.between_size sets its size.
resource "openstack_blockstorage_volume_v3" "between" {
  count = coalesce(var.between_size, var.sizes.disks)

  name = "${var.stack_name}-between-${count.index}"
  size = 1
}

check "between_size" {
  assert {
    condition = (
      length(openstack_blockstorage_volume_v3.between) >= var.least &&
      length(openstack_blockstorage_volume_v3.between) <= var.most
    )

    error_message = "The size of between must be within min_size and max_size."
  }
}

# HOT560: spares no longer scales by itself: var.desired sets its size.
resource "openstack_blockstorage_volume_v3" "spares" {
  count = local.spare ? var.desired : 0

  name = "${var.stack_name}-spares-${count.index}"
  size = 2
}

check "spares_size" {
  assert {
    condition = (local.spare
      ? length(openstack_blockstorage_volume_v3.spares) >= 1 && length(openstack_blockstorage_volume_v3.spares) <= 3
      : true
    )

    error_message = "The size of spares must be within min_size and max_size."
  }
}

# a group inside
module "inner" {
  source     = "./modules/inner"
  stack_name = "${var.stack_name}-inner"
}

resource "openstack_compute_instance_v2" "watcher" {
  name        = "watcher"
  image_name  = "debian-12"
  flavor_name = "m1.small"

  network {
    name = "app"
  }

  # HOT599: Nobody listens to fewer: file:///dev/null replaces its URL.
  user_data = <<-EOT
    #!/bin/sh
    curl -X POST file:///dev/null
    curl -X POST ${module.inner.url}
  EOT

  # Heat creates it before something that this refers to, and that is nothing here.
  depends_on = [openstack_blockstorage_volume_v3.disks]
}

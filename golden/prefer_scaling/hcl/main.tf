# Converted from input.yaml by hot2tf.

# Scaling groups that a plan keeps at the size that they begin with.

# as many as the parameter says
# HOT560: workers does not scale: its size is fixed by desired_capacity.
module "workers" {
  source = "./modules/member"

  count = var.desired != 0 ? var.desired : 1

  size       = "m1.small"
  stack_name = "${var.stack_name}-workers-${count.index}"
}

# HOT560: disks does not scale: its size is fixed by min_size.
resource "openstack_blockstorage_volume_v3" "disks" {
  count = 2

  name = "${var.stack_name}-disks-${count.index}"
  size = 10
}

# HOT450: kept in Heat: signalled, fewer.
# signalled: Terraform has no autoscaling groups.
# fewer: it acts on signals that Heat receives.
resource "openstack_orchestration_stack_v1" "signalled" {
  name             = "${var.stack_name}-signalled"
  disable_rollback = true

  template_opts = {
    Bin = file("${path.module}/templates/signalled.yaml")
  }

  environment_opts = {
    Bin = "{}"
  }
}

resource "openstack_compute_instance_v2" "watcher" {
  name        = "watcher"
  image_name  = "debian-12"
  flavor_name = "m1.small"

  network {
    name = "app"
  }

  user_data = <<-EOT
    #!/bin/sh
    curl -X POST ${lookup(local.signalled, "fewer_signal_url", "")}
  EOT
}

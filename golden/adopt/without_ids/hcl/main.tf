# Made by hot2tf from the running stack bare

# Types to which Heat gives no physical ID, and nested stacks without resources.

resource "openstack_blockstorage_volume_v3" "disk" {
  name = "data"
  size = 1
}

# HOT450: kept in Heat: handle, ready.
# handle: it receives signals through Heat.
# ready: it waits for signals to a handle in the same stack.
resource "openstack_orchestration_stack_v1" "handle" {
  name             = var.stack_name
  disable_rollback = true

  template_opts = {
    Bin = file("${path.module}/templates/handle.yaml")
  }

  environment_opts = { Bin = "{}" }

  # HOT716: environment_opts: Heat returns a stack's environment in another form, which the provider
  # does not read.
  # HOT716: parameters: Heat returns every parameter, also those that the configuration leaves at
  # their defaults.
  # HOT716: tags: the provider counts them as unknown as long as it sees a change of the template.
  # HOT716: template_opts: Heat returns a stack's template in another form, which the provider does
  # not read.
  lifecycle {
    ignore_changes = [environment_opts, parameters, tags, template_opts]
  }
}

resource "openstack_blockstorage_volume_v3" "spare" {
  count = var.spares

  name = "${var.stack_name}-spare-${count.index}"
  size = 1
}

module "worker" {
  source = "./modules/worker"

  count = var.workers

  disk       = openstack_blockstorage_volume_v3.disk.id
  stack_name = "${var.stack_name}-worker-${count.index}"
}

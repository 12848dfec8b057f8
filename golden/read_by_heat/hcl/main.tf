# Made by hot2tf from input.yaml

# What the provider does not read of what it makes, and of what exists already. Heat reads it.

resource "openstack_compute_instance_v2" "web" {
  name        = "web"
  image_name  = local.image_is_id ? null : var.image
  image_id    = local.image_is_id ? var.image : null
  flavor_name = "m1.small"

  network {
    name = var.network
  }
}

# there only under a condition, as what reads it
resource "openstack_compute_instance_v2" "spare" {
  count = local.standby ? 1 : 0

  name        = "spare"
  image_name  = local.image_is_id ? null : var.image
  image_id    = local.image_is_id ? var.image : null
  flavor_name = "m1.small"

  network {
    name = var.network
  }
}

# HOT457: the provider does not read accessIPv4, networks of web; Heat does.
resource "openstack_orchestration_stack_v1" "web_attributes" {
  name             = "${var.stack_name}-web-attributes"
  disable_rollback = true

  template_opts = {
    Bin = file("${path.module}/templates/web_attributes.yaml")
  }

  environment_opts = { Bin = "{}" }

  parameters = {
    web = openstack_compute_instance_v2.web.id
  }

  # Heat cannot point this stack at another resource, so it is replaced.
  lifecycle {
    replace_triggered_by = [openstack_compute_instance_v2.web.id]
  }
}

resource "openstack_blockstorage_volume_v3" "disk" {
  name        = "disk"
  description = "the disk of ${lookup(local.web_attributes, "web_attributes_accessIPv4", "")}"
  size        = 1
}

# HOT457: the provider does not read console_urls of spare; Heat does.
resource "openstack_orchestration_stack_v1" "spare_attributes" {
  count = local.standby ? 1 : 0

  name             = "${var.stack_name}-spare-attributes"
  disable_rollback = true

  template_opts = {
    Bin = file("${path.module}/templates/spare_attributes.yaml")
  }

  environment_opts = { Bin = "{}" }

  parameters = {
    spare = openstack_compute_instance_v2.spare[0].id
  }

  # Heat cannot point this stack at another resource, so it is replaced.
  lifecycle {
    replace_triggered_by = [openstack_compute_instance_v2.spare[0].id]
  }
}

# the disk is in use when its status is read
resource "openstack_compute_volume_attach_v2" "attachment" {
  instance_id = openstack_compute_instance_v2.web.id
  volume_id   = openstack_blockstorage_volume_v3.disk.id
}

# HOT457: the provider does not read status of disk; Heat does.
resource "openstack_orchestration_stack_v1" "disk_attributes" {
  name             = "${var.stack_name}-disk-attributes"
  disable_rollback = true

  template_opts = {
    Bin = file("${path.module}/templates/disk_attributes.yaml")
  }

  environment_opts = { Bin = "{}" }

  parameters = {
    disk = openstack_blockstorage_volume_v3.disk.id
  }

  # Heat cannot point this stack at another resource, so it is replaced.
  lifecycle {
    replace_triggered_by = [openstack_blockstorage_volume_v3.disk.id]
  }

  # Resources that use disk may change the attributes that are read here.
  depends_on = [openstack_compute_volume_attach_v2.attachment]
}

resource "openstack_networking_port_v2" "port" {
  count = local.standby ? 1 : 0

  name       = "port"
  network_id = data.openstack_networking_network_v2.network[0].id
}

# the address comes from Heat, which finds it by its ID
resource "openstack_networking_floatingip_associate_v2" "entrance" {
  count = local.standby ? 1 : 0

  floating_ip = lookup(local.entrance_floating_ip, "entrance_floating_ip_floating_ip_address", null)
  port_id     = openstack_networking_port_v2.port[0].id
}

resource "terraform_data" "entrance_floating_ip" {
  count = local.standby ? 1 : 0

  input = var.address
}

# HOT457: no data source finds a floating IP by ID; Heat does.
resource "openstack_orchestration_stack_v1" "entrance_floating_ip" {
  count = local.standby ? 1 : 0

  name             = "${var.stack_name}-entrance-floating-ip"
  disable_rollback = true

  template_opts = {
    Bin = file("${path.module}/templates/entrance_floating_ip.yaml")
  }

  environment_opts = { Bin = "{}" }
  parameters       = { address = var.address }

  # Heat cannot point this stack at another resource, so it is replaced.
  lifecycle {
    replace_triggered_by = [terraform_data.entrance_floating_ip]
  }
}

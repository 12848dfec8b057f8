# Made by hot2tf from input.yaml

resource "openstack_networking_network_v2" "net" {
  name = "n"
}

# HOT457: the provider does not read show of net; Heat does.
resource "openstack_orchestration_stack_v1" "net_attributes" {
  name             = "${var.stack_name}-net-attributes"
  disable_rollback = true

  template_opts = {
    Bin = file("${path.module}/templates/net_attributes.yaml")
  }

  environment_opts = { Bin = "{}" }

  parameters = {
    net = openstack_networking_network_v2.net.id
  }

  # Heat cannot point this stack at another resource, so it is replaced.
  lifecycle {
    replace_triggered_by = [openstack_networking_network_v2.net.id]
  }
}

# HOT450: kept in Heat: output sorted, output grouped.
# output sorted: YAQL: .orderBy() has no equivalent in Terraform.
# output grouped: YAQL: .groupBy() has no equivalent in Terraform.
resource "openstack_orchestration_stack_v1" "outputs" {
  name             = "${var.stack_name}-outputs"
  disable_rollback = true

  template_opts = {
    Bin = templatefile("${path.module}/templates/outputs.yaml.tftpl", {
      data  = var.data
      words = var.words
    })
  }

  environment_opts = { Bin = "{}" }
}

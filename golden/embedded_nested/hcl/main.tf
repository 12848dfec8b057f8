# Made by hot2tf from input.yaml

resource "openstack_networking_network_v2" "net" {
  name = "scaled"
}

# HOT450: kept in Heat: group, policy.
# group: Terraform has no autoscaling groups.
# policy: it acts on signals that Heat receives.
resource "openstack_orchestration_stack_v1" "group" {
  name             = "${var.stack_name}-group"
  disable_rollback = true

  template_opts = {
    Bin = file("${path.module}/templates/group.yaml")
  }

  environment_opts = {
    Bin = <<-EOT
      # member.yaml ${filesha256("${path.module}/templates/member.yaml")}
      # port.yaml ${filesha256("${path.module}/templates/port.yaml")}
      resource_registry:
        Our::Member: ${path.module}/templates/member.yaml
        Nested::port: ${path.module}/templates/port.yaml
      parameter_defaults:
        admin: true
    EOT
  }

  parameters = {
    net = openstack_networking_network_v2.net.id
  }
}

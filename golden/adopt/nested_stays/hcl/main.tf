# Made by hot2tf from the running stack outer

resource "openstack_networking_network_v2" "net" {
  name = "outer"
}

resource "random_password" "word" {
  length  = 8
  special = false

  # HOT716: special: the provider knows only the value of an imported one, and would replace it for
  # another argument.
  lifecycle {
    ignore_changes = [special]
  }
}

# HOT450: kept in Heat: inner.
# inner.yaml cannot be a module: handle must stay with Heat, and with it the whole nested stack,
# which has a place only there.
resource "openstack_orchestration_stack_v1" "inner" {
  name             = var.stack_name
  disable_rollback = true

  template_opts = {
    Bin = file("${path.module}/templates/inner.yaml")
  }

  environment_opts = {
    Bin = <<-EOT
      # inner_2.yaml ${filesha256("${path.module}/templates/inner_2.yaml")}
      resource_registry:
        Nested::inner: ${path.module}/templates/inner_2.yaml
    EOT
  }

  parameters = {
    net = openstack_networking_network_v2.net.id
  }

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

# Made by hot2tf from the running stack partly

resource "openstack_networking_network_v2" "net" {
  name = "partly"
}

resource "openstack_networking_subnet_v2" "subnet" {
  name       = "partly"
  network_id = openstack_networking_network_v2.net.id
  cidr       = "10.5.0.0/24"
}

# HOT450: kept in Heat: handle, server, ready.
# handle: it receives signals through Heat.
# ready: it waits for signals to a handle in the same stack.
resource "openstack_orchestration_stack_v1" "server" {
  name             = var.stack_name
  disable_rollback = true

  template_opts = {
    Bin = file("${path.module}/templates/server.yaml")
  }

  environment_opts = { Bin = "{}" }

  parameters = {
    flavor = var.flavor
    net    = openstack_networking_network_v2.net.id
  }

  # Heat creates the subnets of a network before its ports.
  depends_on = [openstack_networking_subnet_v2.subnet]

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

resource "openstack_blockstorage_volume_v3" "disk" {
  name     = "partly"
  size     = 1
  metadata = { server = "00000083-0000-4000-8000-000000000000" }

  # Heat creates it first: the template refers to it in a part that is not written here.
  depends_on = [openstack_orchestration_stack_v1.server]
}

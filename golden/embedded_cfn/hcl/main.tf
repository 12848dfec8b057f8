# Made by hot2tf from input.yaml

# Types of AWS stay Heat, in HOT's functions.

# HOT450: kept in Heat: User, Keys.
# User: it is a stack user, who exists only in Heat.
# Keys: it is the key of a stack user, who exists only in Heat.
resource "openstack_orchestration_stack_v1" "user" {
  name             = "${var.stack_name}-user"
  disable_rollback = true

  template_opts = {
    Bin = file("${path.module}/templates/user.yaml")
  }

  environment_opts = { Bin = "{}" }
}

# HOT450: kept in Heat: Server.
# cfn-init in the server reads this metadata through Heat.
resource "openstack_orchestration_stack_v1" "server" {
  name             = "${var.stack_name}-server"
  disable_rollback = true

  template_opts = {
    Bin = file("${path.module}/templates/server.yaml")
  }

  environment_opts = { Bin = "{}" }

  parameters = {
    Images       = "{\"m1.small\": {\"arch\": \"32\"}, \"m1.large\": {\"arch\": \"64\"}}"
    InstanceType = var.InstanceType
    KeyName      = var.KeyName
  }
}

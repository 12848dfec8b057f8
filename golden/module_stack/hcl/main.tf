# Made by hot2tf from input.yaml

# Stacks of their own, two of them in a region that is named here.

module "near" {
  source     = "./modules/site"
  cidr       = "10.0.0.0/24"
  stack_name = "${var.stack_name}-near"
}

# on the other side
module "remote" {
  source     = "./modules/site"
  cidr       = "10.1.0.0/24"
  zones      = ["a", "b"]
  region     = var.far
  stack_name = "${var.stack_name}-remote"
}

# HOT450: kept in Heat: elsewhere.
# Only Heat can use this context of another cloud: credential_secret_id.
# HOT456: Heat gets site.yaml as text, without the files that it names: rack.yaml.
resource "openstack_orchestration_stack_v1" "elsewhere" {
  name             = "${var.stack_name}-elsewhere"
  disable_rollback = true

  template_opts = {
    Bin = file("${path.module}/templates/elsewhere.yaml")
  }

  environment_opts = { Bin = "{}" }
}

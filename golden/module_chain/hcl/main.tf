# Made by hot2tf from input.yaml

# A chain whose members are templates, one after the other, and one whose members need not wait.

# each waits for the one before
module "steps_0" {
  source = "./modules/step"
  name   = "step"
  size   = 2
}

resource "openstack_blockstorage_volume_v3" "steps_1" {
  name = "step"
  size = 2

  depends_on = [module.steps_0]
}

module "steps_2" {
  source = "./modules/step"
  name   = "step"
  size   = 2

  depends_on = [openstack_blockstorage_volume_v3.steps_1]
}

module "at_once_0" {
  source = "./modules/step"

  count = local.is_wanted ? 1 : 0

  name = var.stack_name
}

module "at_once_1" {
  source = "./modules/step"

  count = local.is_wanted ? 1 : 0

  name = var.stack_name
}

# Made by hot2tf from input.yaml

# What a nested template gets for null: the zero of the parameter's type. Its default counts only
# for what is not passed at all.

# leads nowhere, and so does not count as left out
module "by_path" {
  source = "./modules/part"
  name   = var.settings.label
}

# one branch is null, and the other has a value
module "by_branch" {
  source = "./modules/part"
  name   = local.found ? "db" : ""
  size   = local.found ? 0 : 3
  shared = !local.found
  zones  = local.found ? ["a", "b"] : []
  labels = jsondecode(local.found ? jsonencode({}) : jsonencode({ tier = "db" }))
}

# no other branch: the default counts
module "left_out" {
  source = "./modules/part"
  name   = local.found ? "cache" : null
  size   = local.found ? (var.settings.name == "web" ? 0 : 5) : null
  zones  = local.found ? ["c"] : null
  labels = local.found ? { tier = "cache" } : null
}

module "look_up" {
  source   = "./modules/maybe"
  is_found = var.is_found
}

# an output whose condition is false is null
module "by_output" {
  source = "./modules/part"
  name   = module.look_up.text == null ? "" : module.look_up.text
  size   = coalesce(module.look_up.number, 0)
  zones  = [for value in [module.look_up.list, []] : value if value != null][0]
  labels = [for value in [module.look_up.map, {}] : value if value != null][0]
}

# HOT450: kept in Heat: queue.
# The provider has no message queues.
resource "openstack_orchestration_stack_v1" "queue" {
  name             = "${var.stack_name}-queue"
  disable_rollback = true

  template_opts = {
    Bin = templatefile("${path.module}/templates/queue.yaml.tftpl", {
      look_up_text   = module.look_up.text
      look_up_number = module.look_up.number
    })
  }

  environment_opts = { Bin = "{}" }
}

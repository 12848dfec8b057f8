# Made by hot2tf from input.yaml

locals {
  admin          = var.with_admin
  hex_id_pattern = "^[0-9a-f]{32}$"
  home_is_id     = can(regex(local.hex_id_pattern, var.home))

  region = {
    for output in openstack_orchestration_stack_v1.region.outputs :
    output.output_key => output.output_value
  }
}

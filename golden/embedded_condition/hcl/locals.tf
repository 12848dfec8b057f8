# Made by hot2tf from input.yaml

locals {
  wanted  = var.log && local.is_prod
  is_prod = var.stage == "prod"

  queue = {
    for output in flatten(openstack_orchestration_stack_v1.queue[*].outputs) :
    output.output_key => output.output_value
  }
}

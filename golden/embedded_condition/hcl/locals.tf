locals {
  wanted  = var.log && local.is_prod
  is_prod = var.stage == "prod"

  container = {
    for output in flatten(openstack_orchestration_stack_v1.container[*].outputs) :
    output.output_key => output.output_value
  }
}

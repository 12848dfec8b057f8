# Made by hot2tf from input.yaml

locals {
  wanted = var.log

  always = {
    for output in openstack_orchestration_stack_v1.always.outputs :
    output.output_key => output.output_value
  }
}

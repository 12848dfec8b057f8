# Made by hot2tf: hot2tf convert input.yaml -o DIR

locals {
  wanted = var.log

  always = {
    for output in openstack_orchestration_stack_v1.always.outputs :
    output.output_key => output.output_value
  }
}

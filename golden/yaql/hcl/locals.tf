# Made by hot2tf from input.yaml

locals {
  many = length(var.servers) > 1

  outputs = {
    for output in openstack_orchestration_stack_v1.outputs.outputs :
    output.output_key => output.output_value
  }
}

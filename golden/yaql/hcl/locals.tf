# Made by hot2tf: hot2tf convert input.yaml -o DIR

locals {
  many = length(var.servers) > 1

  outputs = {
    for output in openstack_orchestration_stack_v1.outputs.outputs :
    output.output_key => output.output_value
  }
}

# Made by hot2tf: hot2tf convert input.yaml -o DIR

locals {
  resource_1 = {
    for output in openstack_orchestration_stack_v1.resource_1.outputs :
    output.output_key => output.output_value
  }
}

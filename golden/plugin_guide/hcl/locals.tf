# Made by hot2tf from input.yaml

locals {
  resource_1 = {
    for output in openstack_orchestration_stack_v1.resource_1.outputs :
    output.output_key => output.output_value
  }
}

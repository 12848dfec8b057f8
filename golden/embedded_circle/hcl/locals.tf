# Made by hot2tf from input.yaml

locals {
  first = {
    for output in openstack_orchestration_stack_v1.first.outputs :
    output.output_key => output.output_value
  }
}

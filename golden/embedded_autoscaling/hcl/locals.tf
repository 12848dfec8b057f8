# Made by hot2tf from input.yaml

locals {
  group = {
    for output in openstack_orchestration_stack_v1.group.outputs :
    output.output_key => output.output_value
  }
}

# Made by hot2tf from input.yaml

locals {
  pair = {
    for output in openstack_orchestration_stack_v1.pair.outputs :
    output.output_key => output.output_value
  }
}

# Made by hot2tf from input.yaml

locals {
  net = {
    for output in openstack_orchestration_stack_v1.net.outputs :
    output.output_key => output.output_value
  }
}

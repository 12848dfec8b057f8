# Made by hot2tf from input.yaml

locals {
  host = {
    for output in openstack_orchestration_stack_v1.host.outputs :
    output.output_key => output.output_value
  }
}

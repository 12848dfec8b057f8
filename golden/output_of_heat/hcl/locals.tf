# Made by hot2tf from input.yaml

locals {
  outputs = {
    for output in openstack_orchestration_stack_v1.outputs.outputs :
    output.output_key => output.output_value
  }

  net_attributes = {
    for output in openstack_orchestration_stack_v1.net_attributes.outputs :
    output.output_key => output.output_value
  }
}

# Made by hot2tf from input.yaml

locals {
  web = {
    for output in openstack_orchestration_stack_v1.web.outputs :
    output.output_key => output.output_value
  }
}

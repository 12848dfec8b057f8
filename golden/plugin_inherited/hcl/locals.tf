# Made by hot2tf from input.yaml

locals {
  password = {
    for output in openstack_orchestration_stack_v1.password.outputs :
    output.output_key => output.output_value
  }
}

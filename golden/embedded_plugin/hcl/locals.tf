# Made by hot2tf from input.yaml

locals {
  policy = {
    for output in openstack_orchestration_stack_v1.policy.outputs :
    output.output_key => output.output_value
  }
}

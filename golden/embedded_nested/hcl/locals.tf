# Made by hot2tf: hot2tf convert input.yaml -e env.yaml -o DIR

locals {
  group = {
    for output in openstack_orchestration_stack_v1.group.outputs :
    output.output_key => output.output_value
  }
}

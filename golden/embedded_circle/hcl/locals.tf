# Made by hot2tf: hot2tf convert input.yaml -o DIR

locals {
  first = {
    for output in openstack_orchestration_stack_v1.first.outputs :
    output.output_key => output.output_value
  }
}

# Made by hot2tf: hot2tf convert input.yaml -o DIR

locals {
  server = {
    for output in openstack_orchestration_stack_v1.server.outputs :
    output.output_key => output.output_value
  }
}

# Made by hot2tf from the running stack partly: hot2tf adopt EXPORT -o DIR

locals {
  server = {
    for output in openstack_orchestration_stack_v1.server.outputs :
    output.output_key => output.output_value
  }
}

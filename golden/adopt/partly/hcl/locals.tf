# Made by hot2tf from the running stack partly

locals {
  server = {
    for output in openstack_orchestration_stack_v1.server.outputs :
    output.output_key => output.output_value
  }
}

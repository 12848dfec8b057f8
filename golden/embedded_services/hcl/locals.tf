# Made by hot2tf from input.yaml

locals {
  uuid_pattern  = "^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$"
  network_is_id = can(regex(local.uuid_pattern, var.network))

  queue = {
    for output in openstack_orchestration_stack_v1.queue.outputs :
    output.output_key => output.output_value
  }

  container = {
    for output in openstack_orchestration_stack_v1.container.outputs :
    output.output_key => output.output_value
  }
}

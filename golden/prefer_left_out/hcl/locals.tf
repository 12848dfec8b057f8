# Made by hot2tf from input.yaml

locals {
  queue = {
    for output in openstack_orchestration_stack_v1.queue.outputs :
    output.output_key => output.output_value
  }
}

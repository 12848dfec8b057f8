# Converted from input.yaml by hot2tf.

locals {
  queue = {
    for output in openstack_orchestration_stack_v1.queue.outputs :
    output.output_key => output.output_value
  }
}

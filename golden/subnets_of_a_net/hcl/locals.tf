# Converted from input.yaml by hot2tf.

locals {
  net = {
    for output in openstack_orchestration_stack_v1.net.outputs :
    output.output_key => output.output_value
  }
}

# Converted from input.yaml by hot2tf.

locals {
  signalled = {
    for output in openstack_orchestration_stack_v1.signalled.outputs :
    output.output_key => output.output_value
  }
}

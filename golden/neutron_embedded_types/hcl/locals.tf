# Converted from input.yaml by hot2tf.

locals {
  pair = {
    for output in openstack_orchestration_stack_v1.pair.outputs :
    output.output_key => output.output_value
  }
}

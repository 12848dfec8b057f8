# Converted from input.yaml by hot2tf.

locals {
  first = {
    for output in openstack_orchestration_stack_v1.first.outputs :
    output.output_key => output.output_value
  }
}

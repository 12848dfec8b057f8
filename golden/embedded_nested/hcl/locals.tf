# Converted from input.yaml by hot2tf.

locals {
  group = {
    for output in openstack_orchestration_stack_v1.group.outputs :
    output.output_key => output.output_value
  }
}

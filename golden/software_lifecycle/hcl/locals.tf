# Converted from input.yaml by hot2tf.

locals {
  host = {
    for output in openstack_orchestration_stack_v1.host.outputs :
    output.output_key => output.output_value
  }
}

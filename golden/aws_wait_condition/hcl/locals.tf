# Converted from input.yaml by hot2tf.

locals {
  web = {
    for output in openstack_orchestration_stack_v1.web.outputs :
    output.output_key => output.output_value
  }
}

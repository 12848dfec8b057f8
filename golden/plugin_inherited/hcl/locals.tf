# Converted from input.yaml by hot2tf.

locals {
  password = {
    for output in openstack_orchestration_stack_v1.password.outputs :
    output.output_key => output.output_value
  }
}

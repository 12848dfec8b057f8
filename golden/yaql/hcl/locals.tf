# Converted from input.yaml by hot2tf.

locals {
  many = length(var.servers) > 1

  outputs = {
    for output in openstack_orchestration_stack_v1.outputs.outputs :
    output.output_key => output.output_value
  }
}

locals {
  config = {
    for output in openstack_orchestration_stack_v1.config.outputs :
    output.output_key => output.output_value
  }
}

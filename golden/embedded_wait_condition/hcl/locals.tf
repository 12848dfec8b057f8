locals {
  handle = {
    for output in openstack_orchestration_stack_v1.handle.outputs :
    output.output_key => output.output_value
  }
}

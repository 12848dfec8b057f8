locals {
  container = {
    for output in openstack_orchestration_stack_v1.container.outputs :
    output.output_key => output.output_value
  }
}

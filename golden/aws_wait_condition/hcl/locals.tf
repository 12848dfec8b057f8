locals {
  user = {
    for output in openstack_orchestration_stack_v1.user.outputs :
    output.output_key => output.output_value
  }
}

locals {
  queue = {
    for output in openstack_orchestration_stack_v1.queue.outputs :
    output.output_key => output.output_value
  }

  store = {
    for output in openstack_orchestration_stack_v1.store.outputs :
    output.output_key => output.output_value
  }
}

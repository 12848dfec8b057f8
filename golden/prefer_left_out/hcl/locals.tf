# Made by hot2tf: hot2tf convert input.yaml --prefer native --keep 'OS::Neutron::Metering*' -o DIR

locals {
  queue = {
    for output in openstack_orchestration_stack_v1.queue.outputs :
    output.output_key => output.output_value
  }
}

# Made by hot2tf from input.yaml

locals {
  is_open = var.Open == "yes"

  from_elsewhere_floating_ip = {
    for output in openstack_orchestration_stack_v1.from_elsewhere_floating_ip.outputs :
    output.output_key => output.output_value
  }
}

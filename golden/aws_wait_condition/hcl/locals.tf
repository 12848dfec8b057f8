# Made by hot2tf: hot2tf convert input.yaml -o DIR

locals {
  web = {
    for output in openstack_orchestration_stack_v1.web.outputs :
    output.output_key => output.output_value
  }
}

# Made by hot2tf from input.yaml

locals {
  books = {
    for output in openstack_orchestration_stack_v1.books.outputs :
    output.output_key => output.output_value
  }
}

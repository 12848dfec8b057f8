# Made by hot2tf from ceph.yaml: hot2tf convert input.yaml -e base.env.yaml -e site.env.yaml -o DIR

variable "stack_name" {
  description = "Name of the stack; prefix of the names that Heat would generate."
  type        = string
}

variable "size" {
  type = number
}

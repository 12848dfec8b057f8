# Made by hot2tf from input.yaml

# The types that Open Telekom Cloud's own provider has. One port stays with Heat, in a stack of that provider.

variable "stack_name" {
  description = "Name of the stack; prefix of the names that Heat would generate."
  type        = string
}

variable "image" {
  type    = string
  default = "Standard_Debian_12_latest"
}

variable "flavor" {
  type    = string
  default = "s3.medium.2"
}

variable "zone_name" {
  type    = string
  default = "example.com."
}

variable "public" {
  type    = string
  default = "admin_external_net"
}

variable "dns" {
  type    = list(string)
  default = ["100.125.4.25", "100.125.129.199"]
}

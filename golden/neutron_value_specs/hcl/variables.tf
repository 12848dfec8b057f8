# Made by hot2tf from input.yaml

variable "stack_name" {
  description = "Name of the stack; prefix of the names that Heat would generate."
  type        = string
}

variable "mtu" {
  type    = number
  default = 1450
}

variable "is_fast" {
  type    = bool
  default = false
}

variable "options" {
  type = any

  default = {
    extra_dhcp_opts = [
      { opt_name = "bootfile-name", opt_value = "boot.ipxe" },
    ]
    device_profile = "gpu"
  }
}

# Made by hot2tf from input.yaml

variable "stack_name" {
  description = "Name of the stack; prefix of the names that Heat would generate."
  type        = string
}

variable "image" {
  type = string
}

variable "flavor" {
  type = string
}

variable "key" {
  type = string
}

variable "network" {
  type = string
}

variable "address" {
  type    = string
  default = "192.0.2.7"

  validation {
    condition     = can(cidrhost("${var.address}/32", 0))
    error_message = "address must be an IP address."
  }
}

variable "prefix" {
  type    = string
  default = "192.0.2.0/24"

  validation {
    condition     = can(cidrhost(var.prefix, 0))
    error_message = "prefix must be a network address with a prefix length."
  }
}

variable "mac" {
  type    = string
  default = "fa:16:3e:00:00:01"

  validation {
    condition = can(regex(
      "^([0-9a-fA-F]{1,2}:){5}[0-9a-fA-F]{1,2}$|^([0-9a-fA-F]{1,2}-){5}[0-9a-fA-F]{1,2}$|^([0-9a-fA-F]{1,4}:){2}[0-9a-fA-F]{1,4}$|^([0-9a-fA-F]{1,4}-){2}[0-9a-fA-F]{1,4}$|^([0-9a-fA-F]{1,4}[.]){2}[0-9a-fA-F]{1,4}$|^[0-9a-fA-F]{5,6}[:-][0-9a-fA-F]{5,6}$|^[0-9a-fA-F]{11,12}$",
      var.mac,
    ))

    error_message = "mac must be a MAC address."
  }
}

variable "zone" {
  type    = string
  default = "UTC"
}

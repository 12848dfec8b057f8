# Made by hot2tf from input.yaml

variable "stack_name" {
  description = "Name of the stack; prefix of the names that Heat would generate."
  type        = string
}

variable "KeyName" {
  type = string
}

variable "InstanceType" {
  type    = string
  default = "m1.small"
}

variable "SubnetId" {
  type = string
}

variable "SnapshotId" {
  type = string
}

variable "Public" {
  type    = string
  default = "yes"

  validation {
    condition     = contains(["yes", "no"], var.Public)
    error_message = "Public must be one of yes, no."
  }
}

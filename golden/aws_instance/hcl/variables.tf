variable "stack_name" {
  description = "Name of the stack; what Heat would name by itself is named after it."
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

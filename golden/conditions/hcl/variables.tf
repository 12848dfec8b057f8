variable "stage" {
  type    = string
  default = "test"

  validation {
    condition     = contains(["test", "staging", "prod"], var.stage)
    error_message = "stage must be one of test, staging, prod."
  }
}

variable "replicas" {
  type    = number
  default = 1
}

variable "public" {
  type    = bool
  default = false
}

# Made by hot2tf from input.yaml

variable "name" {
  description = <<-EOT
    Name of the server.
    It becomes its host name, too.
  EOT

  type = string

  validation {
    condition     = length(var.name) >= 3 && length(var.name) <= 12
    error_message = "A name has 3 to 12 characters."
  }

  validation {
    condition     = can(regex("^[a-z][a-z0-9-]*$", var.name))
    error_message = "name must match [a-z][a-z0-9-]*"
  }
}

variable "exact" {
  type    = string
  default = "abcd"

  validation {
    condition     = length(var.exact) == 4
    error_message = "exact must have 4 characters."
  }
}

variable "at_least" {
  type    = string
  default = "abcd"

  validation {
    condition     = length(var.at_least) >= 2
    error_message = "at_least must have at least 2 characters."
  }
}

variable "at_most" {
  type    = string
  default = "abcd"

  validation {
    condition     = length(var.at_most) <= 8
    error_message = "at_most must have at most 8 characters."
  }
}

variable "size" {
  type    = number
  default = 10

  validation {
    condition     = var.size >= 10 && var.size <= 1000
    error_message = "size must be between 10 and 1000."
  }

  validation {
    condition     = var.size % 10 == 0
    error_message = "size must be a multiple of 10."
  }
}

variable "odd" {
  type    = number
  default = 7

  validation {
    condition     = (var.odd - 1) % 2 == 0
    error_message = "odd must be a multiple of 2, plus 1."
  }
}

variable "positive" {
  type    = number
  default = 1

  validation {
    condition     = var.positive >= 1
    error_message = "positive must be at least 1."
  }
}

variable "negative" {
  type    = number
  default = -5

  validation {
    condition     = var.negative <= 0
    error_message = "negative must be at most 0."
  }
}

variable "flavor" {
  type    = string
  default = "m1.small"

  validation {
    condition     = contains(["m1.small", "m1.large"], var.flavor)
    error_message = "flavor must be one of m1.small, m1.large."
  }
}

variable "count_" {
  type    = number
  default = 1

  validation {
    condition     = contains([1, 2, 4], var.count_)
    error_message = "count must be one of 1, 2, 4."
  }
}

variable "zones" {
  type    = list(string)
  default = ["a", "b"]

  validation {
    condition     = alltrue([for item in var.zones : contains(["a", "b", "c"], item)])
    error_message = "every item of zones must be one of a, b, c."
  }

  validation {
    condition     = length(var.zones) >= 1 && length(var.zones) <= 3
    error_message = "zones must have 1 to 3 items."
  }
}

variable "words" {
  type    = any
  default = { a = 1 }

  validation {
    condition     = length(var.words) <= 4
    error_message = "words must have at most 4 items."
  }
}

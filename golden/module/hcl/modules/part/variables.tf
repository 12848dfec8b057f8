# Made by hot2tf from part.yaml

variable "stack_name" {
  description = "Name of the stack; prefix of the names that Heat would generate."
  type        = string
}

variable "facade_metadata" {
  description = "Metadata of the resource that this module implements."
  type        = any
  default     = {}
}

variable "name" {
  description = "What the part is called."
  type        = string
}

variable "size" {
  type = number

  validation {
    condition     = var.size >= 1 && var.size <= 9
    error_message = "size must be between 1 and 9."
  }
}

variable "network" {
  type = string
}

variable "zones" {
  type    = list(string)
  default = []
}

# HOT579: the text of true, 1.0 or of a list may differ from Heat's.
variable "labels" {
  type    = object({ tier = optional(any, "") })
  default = {}
}

variable "public" {
  type    = bool
  default = true
}

variable "note" {
  type    = string
  default = "none"
}

# Made by hot2tf from input.yaml

variable "motd" {
  description = <<-EOT
    What users read.
    Two lines at least.
  EOT

  type = string
}

variable "script" {
  type    = string
  default = "#!/bin/sh\necho default"
}

variable "more" {
  type = object({ lines = string, ended = string })

  default = {
    lines = "one\ntwo"
    ended = <<-EOT
      one
      two
    EOT
  }
}

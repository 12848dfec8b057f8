# Made by hot2tf from maybe.yaml

variable "is_found" {
  type = bool
}

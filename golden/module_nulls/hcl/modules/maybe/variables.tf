# Made by hot2tf from maybe.yaml: hot2tf convert input.yaml -o DIR

variable "is_found" {
  type = bool
}

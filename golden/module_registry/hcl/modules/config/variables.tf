# Made by hot2tf from config.yaml: hot2tf convert input.yaml -e types.env.yaml -o DIR

variable "text" {
  type = string
}

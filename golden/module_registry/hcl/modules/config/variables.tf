# Made by hot2tf from config.yaml

variable "text" {
  type = string
}

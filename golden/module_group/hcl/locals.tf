# Made by hot2tf from input.yaml

locals {
  others_names = ["0", "2"]
}

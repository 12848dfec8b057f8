# Made by hot2tf from input.yaml

locals {
  hello = "hello"
}

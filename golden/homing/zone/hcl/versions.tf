# Made by hot2tf: hot2tf convert input.yaml --inventory FILE -o DIR

terraform {
  required_version = ">= 1.5"
}

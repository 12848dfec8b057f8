# Made by hot2tf: hot2tf convert input.yaml --provider opentelekomcloud -o DIR

terraform {
  required_version = ">= 1.5"

  required_providers {
    opentelekomcloud = {
      source  = "opentelekomcloud/opentelekomcloud"
      version = ">= 1.36.0, < 2.0.0"
    }
  }
}

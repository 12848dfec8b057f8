# Made by hot2tf from worker.yaml: hot2tf adopt EXPORT -o DIR

terraform {
  required_version = ">= 1.5"

  required_providers {
    openstack = {
      source  = "terraform-provider-openstack/openstack"
      version = ">= 1.49.0"
    }
  }
}

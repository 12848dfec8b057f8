# Made by hot2tf from input.yaml

locals {
  is_fast = var.is_fast

  held = {
    extra_dhcp_opts = [
      { opt_name = "tftp-server", opt_value = "192.0.2.1" },
    ]
  }
}

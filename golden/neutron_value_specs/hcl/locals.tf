# Converted from input.yaml by hot2tf.

locals {
  is_fast = var.is_fast

  held = {
    extra_dhcp_opts = [
      {
        opt_name  = "tftp-server"
        opt_value = "192.0.2.1"
      },
    ]
  }
}

# Converted from input.yaml by hot2tf.

data "cloudinit_config" "boot" {
  gzip          = false
  base64_encode = false

  part {
    content_type = "text/cloud-config"
    content      = local.packages
  }

  # nobody waits for it
  # HOT561: setup_web is part of the user data: it runs only at first boot, and a new input value replaces the server.
  part {
    filename     = "setup"
    content_type = "text/x-shellscript"

    content = <<-EOT
      #!/bin/bash
      export greeting='${replace(var.greeting, "'", "'\\''")}'
      export port='${replace(var.port, "'", "'\\''")}'
      set -e
      printf '%s\n' "$greeting" >/etc/motd
    EOT
  }
}

data "cloudinit_config" "plain_user_data" {
  gzip          = false
  base64_encode = false

  # HOT561: setup_plain is part of the user data: it runs only at first boot, and a new input value replaces the server.
  part {
    filename     = "setup"
    content_type = "text/x-shellscript"

    content = <<-EOT
      #!/bin/bash
      export greeting='it'\''s fixed'
      export port='8080'
      set -e
      printf '%s\n' "$greeting" >/etc/motd
    EOT
  }

  # HOT561: last_of_plain is part of the user data: it runs only at first boot, and a new input value replaces the server.
  part {
    filename     = "last"
    content_type = "text/x-shellscript"

    content = <<-EOT
      #!/usr/bin/python3
      print("done")
    EOT
  }
}

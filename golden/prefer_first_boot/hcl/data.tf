# Made by hot2tf from input.yaml

data "cloudinit_config" "boot" {
  gzip          = false
  base64_encode = false

  part {
    content_type = "text/cloud-config"
    content      = local.packages
  }

  # nobody waits for it
  # HOT561: setup_web is part of the user data of web: it runs at first boot, nobody waits for it or notices if it fails, and a change to it replaces the server.
  part {
    filename     = "zz-deployments"
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

  part {
    filename     = "zz-deployments"
    content_type = "text/x-shellscript"

    content = <<-EOT
      #!/bin/sh
      set -e
      install -d -m 700 /var/lib/hot2tf
      cd /var/lib/hot2tf

      # setup_plain
      (
      ${local.setup_plain_commands}) &
      wait "$!" || true

      # last_of_plain
      (
      ${local.last_of_plain_commands}) &
      wait "$!" || true
    EOT
  }
}

data "cloudinit_config" "database_user_data" {
  gzip          = false
  base64_encode = false

  # a change to it replaces the server
  # HOT561: setup_database is part of the user data of database: it runs at first boot, nobody waits for it or notices if it fails, and a change to it replaces the server.
  part {
    filename     = "zz-deployments"
    content_type = "text/x-shellscript"

    content = <<-EOT
      #!/bin/bash
      export greeting='hello'
      export port='8080'
      set -e
      printf '%s\n' "$greeting" >/etc/motd
    EOT
  }
}

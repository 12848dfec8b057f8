# Made by hot2tf: hot2tf convert input.yaml --prefer provisioners -o DIR

locals {
  setup_server_script = <<-EOT
    #!/bin/bash
    export greeting='${replace(var.greeting, "'", "'\\''")}'
    export port='8080'
    set -e
    printf '%s\n' "$greeting" >/etc/motd
  EOT

  restart_server_script = <<-EOT
    #!/bin/sh
    systemctl restart nginx
  EOT

  restart_others_script = <<-EOT
    #!/bin/sh
    systemctl restart nginx
  EOT
}

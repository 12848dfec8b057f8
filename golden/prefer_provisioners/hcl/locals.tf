# Made by hot2tf from input.yaml

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

  join_cluster_script = <<-EOT
    #!/bin/sh
    cluster join
  EOT

  join_cluster_on_update_script = <<-EOT
    #!/bin/sh
    cluster reload
  EOT

  join_cluster_on_delete_script = <<-EOT
    #!/bin/sh
    cluster leave
  EOT

  sign_off_on_delete_script = <<-EOT
    #!/bin/sh
    systemctl restart nginx
  EOT
}

# Made by hot2tf from input.yaml

data "cloudinit_config" "web_user_data" {
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

      # run_containers
      (
      ${local.run_containers_commands})

      # run_pod
      (
      ${local.run_pod_commands})
    EOT
  }
}

data "cloudinit_config" "node_user_data" {
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

      # apply_state
      (
      ${local.apply_state_commands})

      # cook
      (
      ${local.cook_commands}) &
      wait "$!" || true

      # write_files
      (
      ${local.write_files_commands})

      # write_report
      (
      ${local.write_report_commands})
    EOT
  }
}

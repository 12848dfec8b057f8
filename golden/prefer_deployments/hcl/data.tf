# Made by hot2tf from input.yaml

data "cloudinit_config" "web_user_data" {
  gzip          = false
  base64_encode = false

  # first a playbook, when there is a volume
  part {
    filename     = "zz-deployments"
    content_type = "text/x-shellscript"

    content = <<-EOT
      #!/bin/sh
      set -e
      install -d -m 700 /var/lib/hot2tf
      cd /var/lib/hot2tf

      # install
      (
      ${local.install_commands})

      # start
      (
      ${local.start_commands})
    EOT
  }
}

data "cloudinit_config" "workers_user_data" {
  count = 2

  gzip          = false
  base64_encode = false

  # the same file on each member
  # HOT561: facts_of_workers is part of the user data of workers: it runs at first boot, nobody waits for it or notices if it fails, and a change to it has no effect.
  part {
    filename     = "zz-deployments"
    content_type = "text/x-shellscript"

    content = <<-EOT
      #!/bin/sh
      set -e
      install -d -m 700 /var/lib/hot2tf
      cd /var/lib/hot2tf
      [ -d /etc/site ] || install -d -m 700 /etc/site
      printf %s '${replace(local.facts_of_workers_facts_json, "'", "'\\''")}' >/etc/site/facts.json
    EOT
  }
}

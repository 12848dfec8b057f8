# Made by hot2tf from input.yaml

locals {
  packages = join("\n", ["#cloud-config", yamlencode({ packages = ["nginx"] })])

  # HOT561: setup_plain is part of the user data of plain: it runs at first boot, nobody waits for it or notices if it fails, and a change to it replaces the server.
  setup_plain_commands = <<-EOT
    export greeting='it'\''s fixed'
    export port='8080'
    cat >setup_plain <<'END'
    #!/bin/bash
    set -e
    printf '%s\n' "$greeting" >/etc/motd
    END
    chmod 700 setup_plain
    ./setup_plain
  EOT

  # HOT561: last_of_plain is part of the user data of plain: it runs at first boot, nobody waits for it or notices if it fails, and a change to it replaces the server.
  last_of_plain_commands = <<-EOT
    cat >last_of_plain <<'END'
    #!/usr/bin/python3
    print("done")
    END
    chmod 700 last_of_plain
    ./last_of_plain
  EOT
}

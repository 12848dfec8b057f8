# Made by hot2tf from input.yaml

locals {
  install_variables = jsonencode({ package = var.package, settings = var.settings })

  # HOT561: install is part of the user data of web: it runs at first boot, nobody waits for it or notices if it fails, and a change to it replaces the server.
  install_commands = <<-EOT
    cat >install.yaml <<'END'
    - hosts: localhost
      connection: local
      tasks:
        - package: { name: "{{ package }}" }
          tags: install
    END
    printf %s '${replace(local.install_variables, "'", "'\\''")}' >install.json
    ansible-playbook -i localhost, --tags install install.yaml --extra-vars @install.json
  EOT

  # then what the component does on CREATE
  # HOT561: start is part of the user data of web: it runs at first boot, nobody waits for it or notices if it fails, and a change to it replaces the server.
  # HOT512: Terraform runs nothing of start on UPDATE.
  start_commands = <<-EOT
    export deploy_action='CREATE'
    cat >start <<'END'
    #!/usr/bin/python3
    import os
    print(os.environ["deploy_action"])
    END
    chmod 700 start
    ./start
  EOT

  facts_of_workers_facts_json = jsonencode({ package = var.package, tier = "worker" })
}
